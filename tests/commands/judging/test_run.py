"""`infograph eval --judge`: figures beside those by words, nothing asked twice, a budget, pages that stay at home."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from infograph.cli import main

pytest.importorskip("rapidfuzz")


def means(report: dict[str, Any], kind: str) -> dict[str, float]:
    return {name: own["mean"] for name, own in report["systems"][0][kind].items()}


@pytest.mark.parametrize("form", ["openai-compatible", "anthropic"])
def test_a_model_judges_beside_the_words(judged: Any, fake: Any, form: str) -> None:
    report = judged.json(fake, "-k", "1", form=form)
    assert means(report, "judged") == {"faithfulness@1": 0.75, "utilisation@1": 1.0, "completeness": 0.0}
    by_words = means(report, "synthesis")
    assert by_words["faithfulness@1"] < 0.75, "the answers are in other words"
    assert (report["judge"]["judged"], report["judge"]["calls"], fake.calls) == (3, 3, 3)
    assert report["judge"]["models"] == {"fake-1": 3} and report["judge"]["status"] == 0
    result = judged.run(fake, "-k", "1", form=form)
    assert result.exit_code == 0 and "as a language model judges" in result.stdout
    assert "judged 3 cases (fake-1 3), 3 of them before · 0 calls" in result.stdout


def test_verdicts_are_records_that_need_no_endpoint(judged: Any, fake: Any) -> None:
    first = means(judged.json(fake), "judged")
    calls, written = fake.calls, judged.verdicts.read_bytes()
    assert [json.loads(line)["model"] for line in written.splitlines()] == ["fake-1"] * 3
    again = judged.json(fake, model="", base_url="", provider="openai")
    assert (means(again, "judged"), fake.calls, judged.verdicts.read_bytes()) == (first, calls, written)
    # A person corrects one: that counts.
    values = [json.loads(line) for line in written.splitlines()]
    for value in values:
        value["supports"] = [[] for _ in value["supports"]]
    judged.verdicts.write_text("".join(json.dumps(value) + "\n" for value in values), "utf-8")
    assert means(judged.json(fake), "judged")["faithfulness@5"] == 0.0
    # Another model judges for itself; and what it is paid for once is not asked again, even without the records.
    judged.json(fake, "--judge-model", "fake-2")
    assert fake.calls == 2 * calls
    judged.verdicts.unlink()
    assert judged.json(fake)["judge"]["cached"] == 3 and fake.calls == 2 * calls


def test_an_estimate_sends_nothing(judged: Any, fake: Any) -> None:
    said = judged.json(fake, "--estimate")
    assert (said["calls"], fake.calls, judged.verdicts.exists()) == (3, 0, False)
    assert said["input_tokens"] > 300 and said["output_tokens"] > 0
    text = judged.run(fake, "--dry-run").stdout
    assert text.startswith("would be redacted: ") and "3 calls to ask" in text
    judged.run(fake)
    assert judged.json(fake, "--estimate")["calls"] == 0


def test_a_budget_ends_it_with_what_is_judged(judged: Any, fake: Any) -> None:
    result = judged.run(fake, "--max-calls", "1", concurrency=1)
    assert result.exit_code == 3 and "stopped: the budget is reached" in result.stdout
    assert "no verdict on 2: not asked" in result.stdout
    assert len(judged.verdicts.read_text().splitlines()) == 1
    assert judged.json(fake)["judge"]["recorded"] == 1 and fake.calls == 3


def test_an_endpoint_that_refuses_is_told_and_the_figures_by_words_stand(
    judged: Any, fake: Any, endpoints: Any
) -> None:
    fake.always = endpoints.status(401, "who are you")
    report = judged.json(fake)
    assert report["judge"]["status"] == 1 and "401" in report["judge"]["reason"]
    assert report["systems"][0]["judged"] == {} and report["systems"][0]["synthesis"]


def test_secrets_and_pages_that_stay_at_home_are_not_sent(judged: Any, fake: Any) -> None:
    report = judged.json(fake)
    assert "AKIAQ3" not in fake.record() and "[redacted:" in fake.record()
    assert sum(report["judge"]["redacted"].values()) >= 1
    before = fake.calls
    page = judged.root / "model.md"
    page.write_text("---\ninfograph: {llm: false}\n---\n" + page.read_text("utf-8"), "utf-8")
    judged.verdicts.unlink()
    left = judged.json(fake, "--retriever", "dense", "-k", "3", exclude=["places.md"])["judge"]
    assert left["without"] == {"a text is of a page that is never sent": 3}
    assert "ninety" not in json.dumps(fake.bodies[before:]) and "beside" not in json.dumps(fake.bodies[before:])


def test_what_is_wrong_with_a_verdict_is_asked_again_or_told(judged: Any, fake: Any) -> None:
    fake.answer = lambda exchange: json.dumps({"claims": [{"claim": 1, "texts": [99]}]})
    report = judged.json(fake)
    assert report["systems"][0]["judged"] == {} and fake.calls == 6, "each is asked to mend it once"
    assert any("`texts` must be numbers of 1 to" in reason for reason in report["judge"]["without"])


def test_options_that_would_do_nothing_are_refused(judged: Any, fake: Any) -> None:
    result = CliRunner().invoke(main, ["eval", str(judged.root), "--judge"])
    assert result.exit_code == 2 and "--answers" in result.output
    result = CliRunner().invoke(main, ["eval", str(judged.root), "--estimate"])
    assert result.exit_code == 2 and "options of --judge" in result.output
    judged.verdicts.write_text("{}\n", "utf-8")
    result = judged.run(fake)
    assert result.exit_code == 1 and "answers.judged.jsonl:1: is no verdict" in result.output
