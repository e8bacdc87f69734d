"""`infograph eval --rerank llm`: a model that knows the answers, one that fails, a threshold, a budget, an estimate."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from infograph.cli import main
from infograph.search.format.rerank_policy import RERANK_FORMAT, RerankFile, RerankPolicy, Threshold, rerank_bytes

pytest.importorskip("rapidfuzz")

NAMES = ("cache", "index", "topic", "chunk", "model", "query")
KEY = "AKIA" + "Q3EXAMPLEKEY2345"


def passages(prompt: str) -> dict[int, str]:
    """The numbered passages of a prompt."""
    parts = re.split(r"^\[(\d+)\] ", prompt, flags=re.MULTILINE)
    return {int(number): text for number, text in zip(parts[1::2], parts[2::2], strict=True)}


def knowing(exchange: Any) -> str:
    """Puts the passages first that have the number that is asked for."""
    asked = re.search(r"^Question: .* of (\d+)\?", exchange.prompt, re.MULTILINE)
    number = asked[1] if asked else ""
    shown = passages(exchange.prompt)
    return json.dumps([at for at, text in shown.items() if f"was {number}." in text])


class Ranked:
    """A tree of pages that say the same of different numbers, and evaluations of it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "docs"
        self.root.mkdir()
        lines = []
        for number, name in enumerate(NAMES):
            answer = f"It was {number + 100}."
            text = f"# Release of the {name}\n\nThe number of the release of the {name}. {answer}\n"
            (self.root / f"{name}.md").write_text(text, "utf-8")
            start = text.index(answer)
            gold = [{"file": f"{name}.md", "start": start, "end": start + len(answer)}]
            # Words of another page, so that the words alone are wrong.
            asked = f"Release of the {NAMES[number - 1]}, which has the number of {number + 100}?"
            lines.append(json.dumps({"id": name, "question": asked, "gold": gold}))
        (self.root / "questions.jsonl").write_text("\n".join(lines), "utf-8")

    def run(self, fake: Any, *options: str, extra: str = "", **settings: Any) -> Result:
        given = {"provider": "openai-compatible", "base_url": fake.url, "model": "fake-1", "retries": 0, **settings}
        table = "".join(f"{name} = {json.dumps(value)}\n" for name, value in given.items())
        (self.root / "infograph.toml").write_text(f"{extra}[llm]\n{table}", "utf-8")
        return CliRunner().invoke(main, ["eval", str(self.root), "--rerank", "llm", "--model", "static", *options])

    def json(self, fake: Any, *options: str, **settings: Any) -> dict[str, Any]:
        result = self.run(fake, "--json", *options, **settings)
        assert result.stdout, result.output
        return dict(json.loads(result.stdout))


@pytest.fixture
def ranked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ranked:
    monkeypatch.setattr("os.fsync", lambda descriptor: None)
    return Ranked(tmp_path)


@pytest.fixture
def fake(endpoints: Any) -> Any:
    with endpoints.serving(endpoints.FakeEndpoint(answer=knowing)) as server:
        yield server


def test_a_model_that_knows_the_answers_puts_them_first(ranked: Ranked, fake: Any) -> None:
    report = ranked.json(fake)
    plain, asked = report["ways"]["as it is"], report["ways"]["always asked"]
    assert plain["T1EM"] < 1 and asked["T1EM"] == asked["T5EM"] == 1.0
    assert (report["questions"], fake.calls, report["rerank"]["models"]) == (6, 6, {"fake-1": 6})
    calls = [row["calls"] for row in report["thresholds"]]
    assert calls == sorted(calls) and calls[-1] == 6, "fewer are asked the lower τ is"
    firsts = [row["first"] for row in report["thresholds"]]
    assert firsts == sorted(firsts) and firsts[-1] == 1.0
    result = ranked.run(fake)
    assert result.exit_code == 0 and fake.calls == 6, "answers are kept"
    assert "T1EM, model" in result.stdout and "ranked 6 questions (fake-1 6) · 0 calls, 6 cached" in result.stdout
    assert "τ* 0.95, 16.6% skipped" in result.stdout
    heads, plain_row, asked_row = result.stdout.split("\n\n")[1].splitlines()[:3]
    assert heads.split("  ")[-1].strip() == "MRR, gain (95%)" and "(" not in plain_row
    assert asked_row.endswith(")") and f"{asked['MRR'] - plain['MRR']:+.3f} (" in asked_row


def test_a_model_that_fails_leaves_the_order_as_it_is(ranked: Ranked, fake: Any) -> None:
    for answer in ("I would rather not say.", "[]", "[99, 0]"):
        fake.answer = lambda exchange, said=answer: said
        report = ranked.json(fake, model=f"fake {answer}")
        assert report["ways"]["always asked"] == report["ways"]["as it is"]
        assert report["rerank"]["without"] == {"it answered without an array of numbers": 6}
    assert fake.calls == 18, "nobody is asked to mend it, as a client would not"


def test_the_threshold_of_the_site_counts(ranked: Ranked, fake: Any) -> None:
    policy = RerankPolicy(Threshold(0.0, 0.5, 30), None)
    (ranked.root / "rerank.json").write_bytes(rerank_bytes(RerankFile(RERANK_FORMAT, "", policy)))
    report = ranked.json(fake, extra='search = {rerank = "rerank.json"}\n')
    assert report["tau"] == 0.0
    assert report["ways"]["asked below τ 0"] == report["ways"]["as it is"]


def test_an_estimate_sends_nothing(ranked: Ranked, fake: Any) -> None:
    said = ranked.json(fake, "--estimate")
    assert (said["calls"], fake.calls) == (6, 0)
    assert said["input_tokens"] > 600 and said["output_tokens"] > 0
    assert "6 calls to ask" in ranked.run(fake, "--dry-run").stdout
    ranked.run(fake)
    assert ranked.json(fake, "--estimate")["cached"] == 6


def test_a_budget_ends_it_with_what_was_answered(ranked: Ranked, fake: Any) -> None:
    result = ranked.run(fake, "--max-calls", "2", concurrency=1)
    assert result.exit_code == 3 and "stopped: the budget is reached" in result.stdout
    assert "no order on 4: not asked" in result.stdout


def test_secrets_and_pages_that_stay_at_home_are_not_sent(ranked: Ranked, fake: Any) -> None:
    page = ranked.root / "cache.md"
    page.write_text(page.read_text("utf-8") + f"\nThe key of the release is {KEY}.\n", "utf-8")
    report = ranked.json(fake)
    assert KEY not in fake.record() and report["rerank"]["redacted"]
    before = fake.calls
    report = ranked.json(fake, exclude=["cache.md"])
    assert report["rerank"]["without"] == {"a text is of a page that is never sent": 6} and fake.calls == before


def test_an_endpoint_that_refuses_is_told(ranked: Ranked, fake: Any, endpoints: Any) -> None:
    fake.always = endpoints.status(401, "who are you")
    report = ranked.json(fake)
    assert report["rerank"]["status"] == 1 and "401" in report["rerank"]["reason"]


@pytest.mark.parametrize("options", [("--judge", "--answers", "x"), ("--pages",), ("--retriever", "site")])
def test_options_that_would_do_nothing_are_refused(ranked: Ranked, fake: Any, options: tuple[str, ...]) -> None:
    result = ranked.run(fake, *options)
    assert result.exit_code == 2 and "with it" in result.output


@pytest.mark.parametrize("command", ["search", "ask"])
@pytest.mark.parametrize("option", [("--rerank", "llm"), ("--rerank=llm",)])
def test_a_search_says_that_it_asks_nobody(command: str, option: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, [command, "site", "what is it", *option])
    assert result.exit_code == 2
    assert "asks no language model" in result.output and "rerank_with" in result.output


def test_llm_is_a_word_elsewhere() -> None:
    for words in (["llm", "--rerank"], ["--rerank", "--", "llm"], ["--no-rerank", "llm"]):
        result = CliRunner().invoke(main, ["search", "there-is-no-site", *words])
        assert "asks no language model" not in result.output
