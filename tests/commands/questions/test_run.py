"""`infograph questions`: all kinds come of a small tree, every answer stands in it, what does not hold is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from infograph.commands.questions.run import outcome_text
from infograph.errors import ConfigError, FormatError
from infograph.evaluate.dataset import find_or_make, read_documents
from infograph.llm.model_run import BUDGET, STOPPED


def test_all_kinds_come_of_a_small_tree_and_every_answer_stands_in_it(asked: Any, fake: Any) -> None:
    outcome = asked.run(fake)
    lines = asked.lines()
    kinds = {line["kind"] for line in lines}
    assert kinds == {"SF1H", "SF2H", "MF2H"} == set(outcome.kinds)
    assert sum(outcome.kinds.values()) == len(lines) == len({line["id"] for line in lines})
    for line in lines:
        spans = [asked.text(gold["file"])[gold["start"] : gold["end"]] for gold in line["gold"]]
        assert line["answer"] == spans[0]
        assert len(spans) == len(line["segments"]) == (1 if line["kind"] == "SF1H" else 2)
        files = {segment["file"] for segment in line["segments"]}
        assert len(files) == (2 if line["kind"] == "MF2H" else 1)
        assert ("entity" in line) == (line["kind"] != "SF1H")
        for gold, segment in zip(line["gold"], sorted(line["segments"], key=lambda s: s["file"]), strict=False):
            assert segment["start"] < segment["end"] and gold["file"] in files
        assert line["model"] == "fake-1"
    pair = next(line for line in lines if line["kind"] == "MF2H")
    assert len({Path(segment["file"]).parent for segment in pair["segments"]}) == 1, "no two topics without a tag"


def test_eval_reads_them_and_refuses_answers_that_are_gone(asked: Any, fake: Any) -> None:
    asked.run(fake)
    settings = asked.settings(fake)
    documents, _ = read_documents(settings, plain=True)
    found, _ = find_or_make(settings, [asked.out], documents)
    assert len(found) == len(asked.lines())
    page = asked.root / "guide/page0.md"
    page.write_text(page.read_text().replace("Here the wheel", "Hier the wheel"))
    documents, _ = read_documents(settings, plain=True)
    with pytest.raises(FormatError, match=r"`answer` is not what stands in any of its `gold` spans"):
        find_or_make(settings, [asked.out], documents)


def test_nothing_is_asked_twice_and_the_set_is_the_same(asked: Any, fake: Any) -> None:
    asked.run(fake)
    before, calls = asked.out.read_bytes(), fake.calls
    outcome = asked.run(fake)
    assert (asked.out.read_bytes(), fake.calls, outcome.calls, outcome.cached) == (before, calls, 0, calls)


def test_answers_that_are_made_up_are_mended_or_dropped(asked: Any, fake: Any) -> None:
    honest = fake.answer
    invented = json.dumps(
        {"pairs": [{"question": "What is the moon of it?", "answer": "green old cheese", "support": "x"}]}
    )
    fake.answer = lambda exchange: invented if exchange.number == 1 else honest(exchange)
    mended = asked.run(fake, {"llm__concurrency": 1}, per_kind=1)
    assert mended.kinds["SF1H"] == 1 and mended.calls == 4
    fake.answer = lambda exchange: invented
    outcome = asked.run(fake, {"llm__model": "other"})
    assert not outcome.kinds
    assert any("character by character" in reason for reason in outcome.dropped)
    assert "dropped" in outcome_text(outcome, "x") and "no question" in outcome_text(outcome, "x")
    assert len(asked.lines()) == 3, "what was made before is kept"


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        ({"question": "Where does it turn in?", "answer": "wheel"}, "has 1 words"),
        ({"question": "Is it the wheel of Ada that turns?", "answer": "the wheel of Ada"}, "holds its answer"),
        ({"question": "What?", "answer": "the wheel of Ada"}, "too short"),
        ({"question": 7, "answer": "the wheel of Ada"}, "must be texts"),
        ({"question": "What turns in the room?", "answer": "the wheel of Adaß"}, "character by character"),
    ],
)
def test_what_is_wrong_with_a_question(asked: Any, fake: Any, pair: dict[str, Any], reason: str) -> None:
    fake.answer = lambda exchange: json.dumps({"pairs": [pair]})
    outcome = asked.run(fake, per_kind=1)
    assert not outcome.kinds.get("SF1H")
    assert any(reason in told for told in outcome.dropped)


def test_questions_on_two_passages_that_one_answers_are_dropped_by_a_judge(asked: Any, fake: Any) -> None:
    honest = fake.answer
    assert asked.run(fake, judge=True).kinds["SF2H"]

    def knowing(exchange: Any) -> str:
        if "from this passage alone" not in exchange.prompt:
            return str(honest(exchange))
        return json.dumps({"answer": "It is this: Here the wheel of Ada Lovelace turns in"})

    fake.answer = knowing
    outcome = asked.run(fake, {"llm__model": "other"}, judge=True)
    assert outcome.dropped["one passage answers it"] and not {"SF2H"} & {
        line["kind"] for line in asked.lines() if "Ada Lovelace" in line["answer"]
    }


def test_nearly_the_same_question_counts_once(asked: Any, fake: Any) -> None:
    honest = fake.answer

    def same(exchange: Any) -> str:
        value = json.loads(honest(exchange))
        value["pairs"][0]["question"] = "Who turns the great wheel in this house?"
        return json.dumps(value)

    fake.answer = same
    outcome = asked.run(fake)
    assert len(asked.lines()) == 1
    assert outcome.dropped["another question is nearly the same"] == outcome.asked - 1


def test_a_budget_and_a_refusal_end_the_run_with_what_is_done(asked: Any, fake: Any, endpoints: Any) -> None:
    outcome = asked.run(fake, {"llm__max_calls": 3, "llm__concurrency": 1})
    assert (outcome.status, sum(outcome.kinds.values())) == (BUDGET, 3)
    fake.always = endpoints.status(401, "who are you")
    outcome = asked.run(fake, {"llm__model": "other"})
    assert outcome.status == STOPPED and "401" in outcome.reason
    assert len(asked.lines()) == 3


def test_secrets_and_pages_that_stay_at_home_are_not_sent(asked: Any, fake: Any) -> None:
    page = asked.root / "guide/page0.md"
    page.write_text(page.read_text().replace("word0x0x1 ", "AKIA" + "Q3EXAMPLEKEY2345 "))
    (asked.root / "guide/page1.md").write_text("---\ninfograph: {llm: false}\n---\n" + asked.text("guide/page1.md"))
    outcome = asked.run(fake, {"llm__exclude": ["page2.md"]})
    assert "AKIAQ3" not in fake.record() and "[redacted:" in fake.record()
    assert outcome.redacted
    assert "word1x0x0" not in fake.record() and "word2x0x0" not in fake.record()


def test_a_tree_of_short_pages_says_how(asked: Any, fake: Any) -> None:
    with pytest.raises(ConfigError, match="has no passage of 900 words"):
        asked.run(fake, words=900, least=900)
