"""`infograph eval` end to end, with the static model on a small tree."""

from __future__ import annotations

import json
import re
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from moody_model import PLUGIN

from infograph.build import build
from infograph.cli import main
from infograph.client import Client
from infograph.config import load
from infograph.embedding import identify
from infograph.evaluate import bench, retrievers
from infograph.evaluate.evaluation import EVERY
from infograph.plugins.entry_points import EMBEDDERS

INSTALL = """# Install

Read [how pages are cut into chunks](chunks.md#cutting) before you start.

## How do I install it?

Run `pip install it` in a fresh environment, with Python 3.11 or later. Größe spielt keine Rolle.
"""
CHUNKS = """---
title: Chunks
---
# Chunks

A chunk is a slice of a document.

## Cutting

The knife falls between two headings, never inside a fence or a table.

## Where is the cache?

Vectors are remembered beside the sources, one folder for each file.
"""


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "install.md").write_text(INSTALL, "utf-8")
    (folder / "chunks.md").write_text(CHUNKS, "utf-8")
    return folder


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["eval", *map(str, arguments), "--model", "static"])


def question_set(folder: Path, *answers: tuple[str, str, str]) -> Path:
    """A file of questions: (question, document, the answer's text)."""
    file = folder / "questions.jsonl"
    lines = []
    for question, name, answer in answers:
        text = next(folder.rglob(name)).read_text("utf-8")
        start = text.index(answer)
        gold = [{"file": name, "start": start, "end": start + len(answer)}]
        lines.append(json.dumps({"question": question, "gold": gold}) + "\n")
    file.write_text("".join(lines), "utf-8")
    return file


ASKED = (
    ("Which version of Python is needed?", "install.md", "Python 3.11 or later"),
    ("Where does the knife fall?", "chunks.md", "between two headings"),
)


def test_questions_beside_the_documents(docs: Path) -> None:
    question_set(docs, *ASKED)
    result = run(docs, "--json", "-k", 1)
    assert result.exit_code == 0, result.output
    report = json.loads(result.output)
    assert report["documents"] == 2
    assert report["questions"] == {"from": "questions.jsonl", "count": 2}
    assert [system["retriever"] for system in report["systems"]] == ["bm25", "dense", "fusion"]
    for system in report["systems"]:
        assert system["metrics"]["hit@1"]["mean"] == system["metrics"]["cover@1"]["mean"] == 1


def test_all_retrievers_each_beside_the_one_before_it(docs: Path) -> None:
    question_set(docs, *ASKED)
    lines = run(docs, "--quiet", "--retriever", "bm25", "--retriever", "all").stdout.splitlines()
    assert [line.split()[1] for line in lines[2:10]] == list(EVERY)
    begin = next(place for place, line in enumerate(lines) if line.startswith("Over the row before"))
    steps = [line.split()[1:3] for line in lines[begin + 2 : begin + 9]]
    assert steps == [[name, before] for before, name in pairwise(EVERY)]
    costs = next(place for place, line in enumerate(lines) if line.startswith("A question costs a reader"))
    assert [line.split()[1] for line in lines[costs + 2 : costs + 6]] == list(EVERY[4:])


def test_chunks_are_matched_by_their_passages(docs: Path) -> None:
    (docs / "long.md").write_text("# Long\n\n" + "The fence stands around the house. " * 80 + "\n", "utf-8")
    question_set(docs, *ASKED)
    counts = []
    for arguments in ((), ("--passages", 50), ("--passages", 0)):
        system = json.loads(run(docs, "--retriever", "bm25", "--json", *arguments).output)["systems"][0]
        counts.append((system["chunks"], system["passages"], system["returned"]))
    assert [(chunks, returned) for chunks, _, returned in counts] == [(3, 3)] * 3
    default, fine, whole = (passages for _, passages, _ in counts)
    assert fine > default > whole == 3


@pytest.mark.slow
def test_the_search_that_a_build_publishes(docs: Path) -> None:
    """The ranking of the files themselves; parents in place of chunks."""
    asked = question_set(docs, *ASKED)
    names = ("site", "rerank")
    arguments = [item for name in names for item in ("--retriever", name)]
    strategies = ["--strategy", "semantic-250-750", "--strategy", "hierarchical:levels=[60,20]"]
    result = run(docs, "--json", "-k", 2, *arguments, *strategies)
    assert result.exit_code == 0, result.output
    systems = json.loads(result.stdout)["systems"]
    assert [system["retriever"] for system in systems] == [*names, *names]
    figures = [{name: value["mean"] for name, value in system["metrics"].items()} for system in systems]
    assert all(found["hit@2"] == 1 for found in figures)

    settings = load(str(docs), flags={"model": "static"}, environment={})
    build(settings)
    client = Client(docs)
    ranks = []
    for (question, _, answer), line in zip(ASKED, asked.read_text("utf-8").splitlines(), strict=True):
        assert json.loads(line)["question"] == question
        hits = client.search(question, collapse=False).hits
        ranks.append(next(rank for rank, hit in enumerate(hits, 1) if answer in client.read(hit).text))
    assert figures[0]["MRR@10"] == pytest.approx(sum(1 / rank for rank in ranks) / len(ranks))


def test_what_a_question_costs(docs: Path) -> None:
    """A reader that begins with nothing takes the manifest and more; one that has answered all before takes nothing."""
    question_set(docs, *ASKED, *ASKED)
    result = run(docs, "--json", "--pages", "--retriever", "bm25", "--retriever", "site")
    assert result.exit_code == 0, result.output
    bm25, site = json.loads(result.stdout)["systems"]
    assert bm25["costs"] == {}
    assert site["costs"]["requests"] >= 3
    assert site["costs"]["cold KB"] > site["costs"]["warm KB"]
    assert site["returned"] == 2, "documents"
    assert "A question costs a reader" in run(docs, "--retriever", "site").output


def test_the_columns_of_the_specification(docs: Path) -> None:
    question_set(docs, *ASKED)
    result = run(docs, "--metrics", "thesis", "--retriever", "bm25", "--retriever", "site", "-k", "2")
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    at = next(place for place, line in enumerate(lines) if line.startswith("strategy"))
    head, first, second = (line.split() for line in lines[at : at + 3])
    assert head[4:] == ["T1EM", "T5EM", "T1C", "BC", "AC", "MC", "MRR@10", "T1O", "BO", "AO", "AT1S"]
    systems = json.loads(run(docs, "--json", "--retriever", "bm25", "--retriever", "site", "-k", "2").stdout)["systems"]
    for row, system in zip((first, second), systems, strict=True):
        assert row[-2] == f"{system['AT1S']['mean']:.3f}" and system["AT1S"]["mean"] > 0
    assert systems[0]["AT1S"] != systems[1]["AT1S"], "each in what its retriever counts in"
    assert "ms, p95" in result.output


def test_a_retriever_that_finds_nothing_has_no_first_score(docs: Path) -> None:
    question_set(docs, ("zzzz?", *ASKED[0][1:]))
    assert run(docs, "--metrics", "thesis", "--retriever", "bm25").output.splitlines()[2].split()[-1] == "–"
    assert json.loads(run(docs, "--json", "--retriever", "bm25").stdout)["systems"][0]["AT1S"] is None


def test_links_bring_in_the_page_that_the_words_do_not_name(tmp_path: Path) -> None:
    """`links` follows them as clients do, for some bytes more; without them both retrievers are one."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "cache.md").write_text("# Cache\n\nThe cache forgets by the [policy of eviction](evict.md).\n", "utf-8")
    (docs / "evict.md").write_text("# Oldest first\n\nWhat was used last stays.\n", "utf-8")
    for number in range(9):
        (docs / f"other-{number}.md").write_text(f"# Other {number}\n\nNothing of it, part {number}.\n", "utf-8")
    gold = [{"file": "cache.md"}, {"file": "evict.md"}]
    (docs / "questions.jsonl").write_text(json.dumps({"question": "How does the cache forget?", "gold": gold}), "utf-8")
    result = run(docs, "--json", "--pages", "--retriever", "site", "--retriever", "links")
    assert result.exit_code == 0, result.output
    site, links = json.loads(result.stdout)["systems"]
    assert [system["metrics"]["all-gold@8"]["mean"] for system in (site, links)] == [0, 1]
    assert site["costs"]["cold KB"] < links["costs"]["cold KB"]


@pytest.mark.parametrize("name", ["site:", "site:25", "rerank:3", "sites"])
def test_no_such_search(docs: Path, name: str) -> None:
    result = run(docs, "--retriever", name)
    assert result.exit_code == 1
    assert f"there is no `{name}`" in result.output and "`site`, `rerank`" in result.output


def test_a_set_with_its_corpus_in_plain_text(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "a.txt").write_text("The knife falls between two headings.\n", "utf-8")
    question_set(tmp_path, ("Where does the knife fall?", "a.txt", "between two headings"))
    result = run(tmp_path, "--retriever", "bm25")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("1 question (questions.jsonl), 1 document\n")


def test_questions_made_from_the_documents(docs: Path) -> None:
    result = run(docs, "--retriever", "bm25", "--retriever", "rrf", "--intrinsic")
    assert result.exit_code == 0, result.output
    assert "3 questions (made from 2 headings, 1 link), 2 documents" in result.output
    assert "composite, bm25" in result.output


def test_documents_without_a_question(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nText.\n", "utf-8")
    result = run(tmp_path)
    assert result.exit_code == 1
    assert "has no questions, and none can be made from it" in result.output


def test_the_same_run_prints_the_same(docs: Path) -> None:
    question_set(docs, *ASKED)
    assert run(docs, "--json").output == run(docs, "--json").output


def test_a_gold_span_outside_its_document(docs: Path) -> None:
    file = question_set(docs, *ASKED)
    record = json.loads(file.read_text("utf-8").split("\n")[1])
    record["gold"][0]["end"] = len(CHUNKS) + 1
    file.write_text(file.read_text("utf-8") + json.dumps(record) + "\n", "utf-8")
    result = run(docs)
    assert result.exit_code == 1
    assert f"{file}:3: `gold[0]`: characters" in result.output


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--strategy", "semantic-250-75"], "Did you mean `semantic-250-750`?"),
        (["--strategy", "semantic-250-750:window=3"], "there is no option `window`"),
        (["--strategy", "semantic-250-750:window"], "its options cannot be read"),
        (["--retriever", "bm52"], "there is no `bm52`. Valid: `bm25`, `dense`, `fusion`, `rrf`"),
        (["-k", "0"], "-k: must be 1 or more, not 0"),
        (["--neighbours", "-1"], "--neighbours: must lie between 0 and 1, not -1.0"),
        (["--passages", "-1"], "--passages: must be 0 or more, not -1"),
        (["--alpha", "1.5"], "--alpha: must lie between 0 and 1, not 1.5"),
        (["--questions", "missing.jsonl"], "missing.jsonl: cannot be read"),
        (["--gate", "missing.json"], "missing.json: cannot be read"),
        (["--html", "missing/page.html"], "page.html: cannot be written: there is no folder"),
        (["--save-gate", "missing/gate.json"], "gate.json: cannot be written: there is no folder"),
        (["--save-gate", "."], ".: cannot be written: is a folder"),
    ],
)
def test_a_wrong_argument_is_named_before_anything_is_measured(
    docs: Path, arguments: list[str], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    question_set(docs, *ASKED)
    monkeypatch.delattr(bench.Bench, "measure")
    result = run(docs, *arguments)
    assert result.exit_code == 1
    assert reason in result.output


@pytest.mark.slow
@pytest.mark.parametrize(("package", "extra"), [("matplotlib.figure", "plot"), ("ir_measures", "eval")])
def test_a_missing_package_is_named_before_anything_is_measured(
    package: str, extra: str, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question_set(docs, *ASKED)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delattr(bench.Bench, "measure")
    result = run(docs, "--html", docs / "page.html")
    assert result.exit_code == 1
    assert f"pip install 'infograph[{extra}]'" in result.output
    assert not (docs / "page.html").exists()


def test_what_is_named_twice_is_measured_once(docs: Path) -> None:
    file = question_set(docs, *ASKED)
    once = run(docs, "--retriever", "bm25", "--json")
    twice = run(
        docs, *["--retriever", "bm25", "--questions", file] * 2, *["--strategy", "semantic-250-750"] * 2, "--json"
    )
    assert twice.exit_code == 0, twice.output
    assert twice.output == once.output


def test_half_of_a_surrogate_pair_is_an_error_with_its_line(docs: Path) -> None:
    file = question_set(docs, *ASKED)
    record = json.loads(file.read_text("utf-8").split("\n")[0]) | {"question": "\ud800"}
    file.write_text(file.read_text("utf-8") + json.dumps(record) + "\n", "utf-8")
    result = run(docs, "--retriever", "dense")
    assert result.exit_code == 1
    assert f"{file}:3: holds half of a surrogate pair" in result.output


def test_the_gate(docs: Path, tmp_path: Path) -> None:
    question_set(docs, *ASKED)
    gate = tmp_path / "gate.json"
    assert run(docs, "--save-gate", gate).exit_code == 0
    assert run(docs, "--gate", gate).exit_code == 0
    baseline = json.loads(gate.read_text("utf-8"))
    for question in baseline["systems"]["semantic-250-750 / bm25"]["tokens@5"]:
        baseline["systems"]["semantic-250-750 / bm25"]["tokens@5"][question] = 1
    gate.write_text(json.dumps(baseline), "utf-8")
    result = run(docs, "--gate", gate)
    assert result.exit_code == 1
    assert "dropped: semantic-250-750 / bm25: tokens@5 went from" in result.output


@pytest.mark.slow
def test_the_page(docs: Path, tmp_path: Path) -> None:
    result = run(docs, "--html", tmp_path / "page.html", "--retriever", "bm25")
    assert result.exit_code == 0, result.output
    assert "<svg" in (tmp_path / "page.html").read_text("utf-8")


def test_nothing_but_the_cache_is_written(docs: Path) -> None:
    before = sorted(path for path in docs.rglob("*"))
    assert run(docs).exit_code == 0
    assert [path for path in sorted(docs.rglob("*")) if ".embedding-cache" not in path.parts] == before


def test_a_document_that_cannot_be_read_costs_itself_only(docs: Path) -> None:
    question_set(docs, *ASKED)
    (docs / "broken.md").write_bytes(b"\xff")
    result = run(docs, "--retriever", "bm25")
    assert result.exit_code == 0
    assert "warning: left out: broken.md:1: not UTF-8" in result.output
    report = json.loads(run(docs, "--retriever", "bm25", "--json").output)
    assert [reason.partition(": ")[0] for reason in report["left_out"]] == ["broken.md:1"]


@pytest.mark.parametrize("mood", [pytest.param("looping", marks=pytest.mark.slow), "dying"])
def test_a_model_that_hangs_or_dies_is_an_error_that_names_the_documents(docs: Path, install: Any, mood: str) -> None:
    install("moody", {EMBEDDERS: {"moody": "moody:Moody"}}, PLUGIN)
    (docs / "b.md").write_text(f"# Moods\n\nNow {mood}.\n")
    (docs.parent / "infograph.toml").write_text('model = "moody"\n[embedding]\nbatch_seconds = 3.0\n')
    questions = question_set(docs, *ASKED)
    arguments = ["eval", str(docs), "--questions", str(questions), "--retriever", "dense"]
    said = CliRunner().invoke(main, arguments).output
    assert re.search(r"model `moody`.*in the batch with texts of .*`b\.md`", said), said


def test_options_reach_what_measures(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    question_set(docs, *ASKED)
    seen: dict[str, set[object]] = {"alpha": set(), "weight": set()}

    def tm2c2(dense: retrievers.Scores, sparse: retrievers.Scores, alpha: float) -> retrievers.Scores:
        seen["alpha"].add(alpha)
        return dense

    def with_neighbours(vectors: retrievers.Scores, weight: float) -> retrievers.Scores:
        seen["weight"].add(weight)
        return vectors

    monkeypatch.setattr(retrievers, "tm2c2", tm2c2)
    monkeypatch.setattr(retrievers, "with_neighbours", with_neighbours)
    result = run(docs, "--alpha", "0.25", "--neighbours", "0.5")
    assert result.exit_code == 0, result.output
    assert seen == {"alpha": {0.25}, "weight": {0.5}}


def test_parents_are_returned_unless_told_otherwise(docs: Path) -> None:
    (docs / "long.md").write_text("# Long\n\n" + "The fence stands around the house. " * 80 + "\n", "utf-8")
    question_set(docs, *ASKED)
    strategy = ("--strategy", "hierarchical:levels=[60,20]", "--retriever", "bm25", "--json")
    with_parents, without = (
        json.loads(run(docs, *strategy, flag).output)["systems"][0] for flag in ("--parents", "--no-parents")
    )
    assert with_parents["chunks"] == without["chunks"] == without["returned"] > with_parents["returned"]


def test_the_model_is_named_where_one_was_needed(docs: Path) -> None:
    question_set(docs, *ASKED)
    for retriever, model in (("dense", "@".join(identify("static"))), ("bm25", None)):
        assert json.loads(run(docs, "--retriever", retriever, "--json").output)["model"] == model


def test_written_answers_are_measured_with_the_composite_of_five(docs: Path, tmp_path: Path) -> None:
    questions, answers = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    gold = CHUNKS.index("The knife")
    rows = [
        {
            "id": name,
            "question": f"Where does the knife fall, {name}?",
            "gold": [{"file": "chunks.md"}],
            "answer": answer,
        }
        for name, answer in (("a", "The knife falls between two headings."), ("b", "Never inside a fence or a table."))
    ]
    assert gold > 0
    questions.write_text("\n".join(map(json.dumps, rows)))
    answers.write_text(
        json.dumps({"id": "a", "answer": "The knife falls between two headings [1]. It is sharp steel."})
    )
    options = ("--questions", questions, "--answers", answers, "--retriever", "bm25", "--intrinsic")
    (system,) = json.loads(run(docs, *options, "--json").stdout)["systems"]
    means = {name: entry["mean"] for name, entry in system["synthesis"].items()}
    assert means["faithfulness@5"] == 0.5
    assert means["completeness"] == 1.0
    assert 0 < means["utilisation@5"] <= 1
    parts = system["intrinsic"]
    whole = 0.3 * system["metrics"]["nDCG@10"]["mean"] + 0.2 * 0.5 + 0.2 * 1.0
    whole += 0.15 * (parts["coherence"] + parts["self-contained"])
    assert system["composite"] == pytest.approx(whole, abs=1e-5)
    shown = run(docs, *options).stdout
    assert "Written answers to 1 of the questions" in shown
    missing = run(docs, "--questions", questions, "--answers", tmp_path / "none.jsonl")
    assert missing.exit_code == 1 and "cannot be read" in missing.output


def test_answers_to_questions_that_the_set_does_not_have_are_named(docs: Path, tmp_path: Path) -> None:
    """They were dropped without a word."""
    questions, answers = question_set(docs, *ASKED), tmp_path / "answers.jsonl"
    ids = ["1", *(f"x{number}" for number in range(7))]
    answers.write_text("\n".join(json.dumps({"id": name, "answer": "The knife falls here."}) for name in ids))
    options = ("--questions", questions, "--answers", answers, "--retriever", "bm25")
    said = f"{answers}: 7 answers to questions that the set does not have: 'x0', 'x1', 'x2', 'x3', 'x4' and 2 more"
    assert f"left out: {said}" in run(docs, *options).stderr.replace("\n", "")
    assert json.loads(run(docs, *options, "--json").stdout)["left_out"] == [said]


@pytest.mark.parametrize("option", [("--answers", "a.jsonl"), ("--intrinsic",), ("-k", "3"), ("--gate", "g.json")])
def test_prompts_refuses_the_options_that_it_would_not_heed(docs: Path, option: tuple[str, ...]) -> None:
    refused = run(docs, "--prompts", *option)
    assert refused.exit_code == 2
    assert f"--prompts measures known questions alone: {option[0]} does nothing with it." in refused.stderr
