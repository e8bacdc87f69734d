"""A second look by a language model: the prompt, every defect of its answer, when it is asked, what failing costs."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from javascript import WEB, needs_node, run_node

from infograph.client import Answer, AsyncClient, Client, ClientError
from infograph.client.judging import JUDGED, SHOWN_TOKENS, is_asked, passage, permutation, prompt
from infograph.search.format.rerank_policy import RerankPolicy, Threshold
from infograph.search.format.results import Hit, Remarks

QUERY = "clear the embedding cache"
MANIFEST = "_search/manifest.json"
VERDICTS: dict[str, list[int] | None] = {
    "[3, 1, 2]": [2, 0, 1, 3],
    "[3,1,2,4]": [2, 0, 1, 3],
    "```json\n[4, 3]\n```": [3, 2, 0, 1],
    "The best is [2], then [1].": [1, 0, 2, 3],
    'Sure! ["2", "4"]': [1, 3, 0, 2],
    "[2, 2, 2, 1]": [1, 0, 2, 3],
    "[0, 9, -1, 3, 1e9]": None,
    "[0, 9, -1, 3]": [2, 0, 1, 3],
    "[99]": None,
    "[]": None,
    "[1.5, 2.0, 4]": [1, 3, 0, 2],
    "[4, 2, ...]": [3, 1, 0, 2],
    "[4, 2, …]": [3, 1, 0, 2],
    "[4 2\n1]": [3, 1, 0, 2],
    "[4, 2,]": [3, 1, 0, 2],
    "[[4, 2], [1]]": [3, 1, 0, 2],
    "see [note] and [3]": [2, 0, 1, 3],
    "[true, 1]": None,
    "[null] [2]": [1, 0, 2, 3],
    '{"ranking": [3, 4]}': [2, 3, 0, 1],
    "3, 1, 2": None,
    "[3, 1": None,
    "3, 1]": None,
    "": None,
    "I cannot rank these.": None,
    "[12345678901234567890, 2]": None,
    "[٣, ١]": None,
}
"""What a model may say of four passages, and the order that it means; None: no order."""
SCRIPT = """
const { permutation, prompt, passage } = await import(process.argv[1] + "/judging.js");
const { Client } = await import(process.argv[1] + "/infograph.js");
let text = "";
for await (const part of process.stdin) text += part;
const { verdicts, texts, sites } = JSON.parse(text);
const found = { orders: verdicts.map((verdict) => permutation(verdict, 4)) };
found.prompt = prompt("why?", texts.map(([hit, whole]) => passage(hit, whole)));
found.answers = [];
for (const [url, query, options, verdict] of sites) {
  const asked = [];
  const rerank_with = (prompt) => {
    asked.push(prompt);
    if (verdict === "throw") throw new Error("no credit");
    if (verdict === "late") return new Promise(() => {});
    return Promise.resolve(verdict);
  };
  const client = new Client(url, { timeout: verdict === "late" ? 4000 : 60_000 });
  const { hits, notes, missing, confidence } = await client.search(query, { ...options, rerank_with });
  found.answers.push({ hrefs: hits.map(({ href }) => href), notes, missing, confidence, asked });
}
console.log(JSON.stringify(found));
"""


def hit(number: int, tokens: int = 10) -> Hit:
    return Hit("p.md", "Page", "", number, "T", ("A", "B"), "", "snippet", tokens, f"p-{number}.md", "", 1.0)


@pytest.mark.parametrize(("verdict", "expected"), VERDICTS.items())
def test_every_defect_of_an_answer_is_repaired(verdict: str, expected: list[int] | None) -> None:
    assert permutation(verdict, 4) == expected


@given(st.text(alphabet="[]0123456789,.\"' \n-xé", max_size=60), st.integers(1, 20))
def test_whatever_it_says_the_order_is_one(verdict: str, count: int) -> None:
    found = permutation(verdict, count)
    assert found is None or sorted(found) == list(range(count))


@given(st.permutations(range(20)))
def test_a_whole_order_is_taken_as_it_is(order: list[int]) -> None:
    assert permutation(json.dumps([place + 1 for place in order]), 20) == order


def test_a_long_answer_takes_no_time() -> None:
    for verdict in ("[" * 10**6, "[1 " * 10**6, "[" + "1, " * 10**6 + "]", '["' * 10**6, "[" + "1." * 10**6):
        begun = time.process_time()
        permutation(verdict, 20)
        assert time.process_time() - begun < 5


def test_the_prompt_has_numbered_passages_cut_at_300_tokens() -> None:
    text = "  \nword " * 400
    heading, shown = passage(hit(0, tokens=600), text)
    assert heading == "Page › A › B"
    assert shown.endswith("…") and len(shown) - 1 == len(text.strip(" \n")) * SHOWN_TOKENS // 600
    assert passage(hit(0, tokens=300), "whole\n") == ("Page › A › B", "whole")
    asked = prompt("why?" + "x" * 9999, [("H", "one"), ("I", "two")])
    assert "Question: why?xx" in asked and len(asked) < 5000
    assert "\n\n[1] H\none\n\n[2] I\ntwo\n\n" in asked


@pytest.mark.parametrize(
    ("confidence", "fused", "said"),
    [(0.94, True, True), (0.95, True, False), (0.3, False, True), (0.4, False, False)],
)
def test_the_model_is_asked_where_the_ranking_is_not_sure(confidence: float, fused: bool, said: bool) -> None:
    policy = RerankPolicy(Threshold(0.95, 0.5, 40), Threshold(0.4, 0.5, 40))
    assert is_asked(policy, Remarks(confidence=confidence, fused=fused)) is said
    assert is_asked(RerankPolicy(), Remarks(confidence=1.0, fused=fused)), "without a threshold always"


@pytest.fixture
def threshold(site: Path, changed: Callable[..., Path]) -> Callable[[float], Path]:
    """The tree whose manifest has a threshold for rankings without the query's vector."""

    def make(tau: float) -> Path:
        manifest = json.loads((site / MANIFEST).read_bytes())
        manifest["rerank"] = {"words": {"tau": tau, "beta": 0.5, "n": 100}}
        return changed(**{MANIFEST: json.dumps(manifest).encode()})

    return make


def hrefs(answer: Answer) -> list[str]:
    return [own.href for own in answer.hits]


def test_the_first_hits_are_put_in_the_order_that_it_says(site: Path) -> None:
    client, asked = Client(site, timeout=60), []

    def judge(text: str) -> str:
        asked.append(text)
        return "[3, 1]"

    plain = client.search(QUERY, limit=30)
    found = client.search(QUERY, limit=30, rerank_with=judge)
    expected = hrefs(plain)
    assert hrefs(found) == [expected[2], expected[0], expected[1], *expected[3:]]
    assert (found.notes, found.missing, found.confidence) == ((), {}, plain.confidence)
    (text,) = asked
    assert f"Question: {QUERY}" in text and text.count("\n\n[") >= JUDGED
    assert client.read(plain.hits[0]).text.strip()[:200] in text, "chunks as they are, not snippets"
    assert hrefs(client.search(QUERY, limit=3, offset=1, rerank_with=judge)) == hrefs(found)[1:4]
    assert hrefs(client.pages(QUERY, limit=30, rerank_with=judge))[1] == hrefs(client.pages(QUERY, limit=30))[0]
    assert hrefs(client.search("zzzzq", rerank_with=judge)) == [] and len(asked) == 3, "there is nothing to ask about"


def failing(text: str) -> str:
    raise RuntimeError("no credit")


@pytest.mark.parametrize(
    ("judge", "note"),
    [
        (failing, "RuntimeError: no credit"),
        (lambda text: "I cannot.", "it answered without an array of numbers"),
        (lambda text: None, "it answered without an array of numbers"),
        (lambda text: 1 / 0, "ZeroDivisionError: division by zero"),
    ],
)
def test_one_that_fails_costs_a_note_and_nothing_else(site: Path, judge: Any, note: str) -> None:
    client = Client(site, timeout=60)
    for query in (QUERY, "how do I install infograph?", "stripe_order"):
        plain, found = client.search(query), client.search(query, rerank_with=judge)
        assert found.hits == plain.hits
        assert found.notes == (f"not put in order by the language model: {note}",)


def test_one_that_is_late_costs_a_note(site: Path, fault_server_module: Any) -> None:
    client = Client(site, timeout=60)
    plain = client.search(QUERY)
    note = "not put in order by the language model: not done within 90% of the call's time"
    release = threading.Event()
    slow = Client(site, timeout=2).search(QUERY, rerank_with=lambda text: release.wait(120) and "[2]")
    release.set()
    assert (slow.hits, slow.notes) == (plain.hits, (note,))

    async def ask() -> Answer:
        async def judge(text: str) -> str:
            await asyncio.sleep(120)
            return "[2]"

        async with AsyncClient(site, timeout=2) as awaited:
            return await awaited.search(QUERY, rerank_with=judge)

    late = asyncio.run(ask())
    assert (late.hits, late.notes) == (plain.hits, (note,))


def test_it_may_be_awaited_where_the_client_is(site: Path) -> None:
    async def judge(text: str) -> str:
        await asyncio.sleep(0)
        return "[2]"

    async def failing_later(text: str) -> str:
        await asyncio.sleep(0)
        raise RuntimeError("no credit")

    async def ask(own: Any) -> Answer:
        async with AsyncClient(site, timeout=60) as client:
            return await client.search(QUERY, rerank_with=own)

    client = Client(site, timeout=60)
    plain = client.search(QUERY)
    expected = [hrefs(plain)[1], hrefs(plain)[0], *hrefs(plain)[2:]]
    assert hrefs(asyncio.run(ask(judge))) == hrefs(asyncio.run(ask(lambda text: "[2]"))) == expected
    failed = asyncio.run(ask(failing_later))
    assert hrefs(failed) == hrefs(plain) and failed.notes[0].endswith("RuntimeError: no credit")
    found = client.search(QUERY, rerank_with=judge)
    assert found.hits == plain.hits
    assert found.notes[0].endswith("it has to be awaited, which only AsyncClient does")


class Recorder:
    """A model that always says the same, and keeps what it was asked."""

    def __init__(self, verdict: str) -> None:
        self.verdict = verdict
        self.asked: list[str] = []

    def __call__(self, text: str) -> str:
        self.asked.append(text)
        return self.verdict


def test_a_site_says_from_which_confidence_on_it_is_not_asked(site: Path, threshold: Callable[[float], Path]) -> None:
    queries = (QUERY, "how do I install infograph?", "stripe_order", "remove outputs", "build build build")
    confidences = sorted(Client(site, timeout=60).search(query).confidence for query in queries)
    calls: list[int] = []
    for tau in (0.0, confidences[2], 1.0):
        client, judge = Client(threshold(tau), timeout=60), Recorder("[2, 1]")
        for query in queries:
            found = client.search(query, rerank_with=judge)
            assert (hrefs(found) != hrefs(client.search(query))) is (found.confidence < tau)
        calls.append(len(judge.asked))
    below = [sum(confidence < tau for confidence in confidences) for tau in (0.0, confidences[2], 1.0)]
    assert calls == below and below[:2] == [0, 2] and below[2] > 2


def test_a_chunk_that_cannot_be_read_is_shown_by_its_snippet(site: Path, changed: Callable[..., Path]) -> None:
    first = Client(site, timeout=60).search(QUERY).hits[0]
    root, judge = changed(), Recorder("[2, 1]")
    (root / first.href).unlink()
    found = Client(root, timeout=60).search(QUERY, rerank_with=judge)
    assert first.href in found.missing and found.hits[1].href == first.href
    assert f"\n{first.snippet}\n\n[2]" in judge.asked[0]  # whole, however long the chunk is


@pytest.mark.parametrize("value", [True, "gpt", 1, []])
def test_what_is_no_function_is_refused(site: Path, value: object) -> None:
    with pytest.raises(ClientError, match="rerank_with: has to be a function, not"):
        Client(site).search(QUERY, rerank_with=value)  # type: ignore[arg-type]


@pytest.mark.slow
@needs_node
def test_javascript_does_the_same(site: Path, threshold: Callable[[float], Path], fault_server_module: Any) -> None:
    queries = [QUERY, "how do I install infograph?", "stripe_order", "remove outputs", "zzzzq"]
    confidences = sorted((Client(site, timeout=60).search(query).confidence, query) for query in queries)
    unsure = next(query for confidence, query in confidences if confidence)
    # Between two of them: a confidence may differ in its last digit between the languages.
    root = threshold((confidences[1][0] + confidences[2][0]) / 2)
    client = Client(root, timeout=60)
    texts = [(hit(1, tokens=600), "  \nnaïve 😀 word " * 200), (hit(2), "whole\n"), (hit(3, 301), "x" * 301)]
    shown = [
        [{"page_title": own.page_title, "section_path": own.section_path, "tokens": own.tokens}, text]
        for own, text in texts
    ]
    options: list[dict[str, Any]] = [{}, {"limit": 3, "offset": 2}, {"limit": 25}, {"path": "guide"}]
    verdicts = ["[3, 1, 2]", "none", "throw"]
    with fault_server_module.running(root) as server:
        url = f"{server.url}site/"
        calls = [(url, query, some, verdict) for query in queries for some in options for verdict in verdicts]
        calls.append((url, unsure, {}, "late"))
        found = run_node(SCRIPT, str(WEB), given={"verdicts": list(VERDICTS), "texts": shown, "sites": calls})
    assert found["orders"] == list(VERDICTS.values())
    assert found["prompt"] == prompt("why?", [passage(own, text) for own, text in texts])
    late = found["answers"].pop()
    assert late["notes"] == ["not put in order by the language model: Error: not done within 90% of the call's time"]
    for (_, query, some, verdict), theirs in zip(calls, found["answers"], strict=False):
        prompts: list[str] = []

        def judge(text: str, prompts: list[str] = prompts, verdict: str = verdict) -> str:
            prompts.append(text)
            return failing(text) if verdict == "throw" else verdict

        ours = client.search(query, rerank=False, rerank_with=judge, **some)
        assert theirs["hrefs"] == hrefs(ours) and theirs["asked"] == prompts
        assert len(theirs["notes"]) == len(ours.notes) and theirs["missing"] == ours.missing
    assert {len(own["asked"]) for own in found["answers"]} == {0, 1}
