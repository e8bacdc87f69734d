"""The sample tree: it shows what it is there to show, and a build of it gives what is kept in tests/golden/."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from infograph.build import Summary, build
from infograph.config import load
from infograph.formats import chunk_file as chunkfile
from infograph.formats import topic_spec as specfile
from infograph.formats.index_json import Index, decode_index
from infograph.search.format.question_hash import simhash, words_of
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode
from infograph.topic.answered_questions import questions_asked

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "sample-docs"
GOLDEN = ROOT / "tests" / "golden" / "sample-docs"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Summary]:
    """A graph of the sample, made with the model that takes no time."""
    folder = tmp_path_factory.mktemp("sample")
    flags = {"out": str(folder / "site"), "cache": str(folder / "cache"), "model": "static"}
    return folder / "site", build(load(str(DOCS), flags=flags, environment={}))


def _index(site: Path, topic: str) -> Index:
    return decode_index((site / topic / "index.json").read_bytes(), topic)


def test_the_sample_builds_without_a_word(built: tuple[Path, Summary]) -> None:
    _, summary = built
    assert not summary.errors
    assert {notice.kind for notice in summary.notices} <= {"enrichment"}, "records of edited pages are made by hand"
    assert summary.topics >= 4
    assert summary.documents == len(list(DOCS.rglob("*.md")))


def test_what_a_model_said_of_the_sample_is_published_with_its_name(built: tuple[Path, Summary]) -> None:
    site, summary = built
    topics = [topic.parent.relative_to(site).as_posix() for topic in site.rglob("topic-spec.md")]
    documents = [d for t in topics for d in _index(site, "" if t == "." else t).embedded.chunks.documents.values()]
    said = [item.enriched for document in documents for item in document.items if item.enriched]
    assert len(said) > summary.chunks // 2, "the records are of other texts: python scripts/record_llm.py --help"
    assert {item.by for item in said} == {"claude"}
    assert all(item.title and item.summary and item.context and item.queries for item in said)


def test_overview_and_quick_reference_are_chunks_of_their_own(built: tuple[Path, Summary]) -> None:
    site, _ = built
    document = _index(site, "reference").embedded.chunks.documents["cli"]
    assert document.baseline_technical == 1
    overview, reference, third = (
        chunkfile.parse(item.href, (site / "reference" / item.href).read_bytes()).chunk for item in document.items[:3]
    )
    assert overview.section_path == ("Command line",)
    assert re.findall(r"^## .*", overview.text, re.MULTILINE) == ["## Overview"]
    assert reference.text.startswith("## Quick reference\n")
    assert re.findall(r"^## .*", reference.text, re.MULTILINE) == ["## Quick reference"]
    assert third.title == "infograph build"


def test_both_orders_are_striped(built: tuple[Path, Summary]) -> None:
    site, _ = built
    document = _index(site, "reference").embedded.chunks.documents["cli"]
    assert document.stripe_factor and document.stripe_factor > 1
    assert document.stripe_factor_technical and document.stripe_factor_technical > 1


def test_there_is_code_and_prose_and_every_kind_of_block(built: tuple[Path, Summary]) -> None:
    site, _ = built
    text = "".join(path.read_text("utf-8") for path in DOCS.rglob("*.md"))
    assert re.search(r"^\d\. .*\n {3}- ", text, re.MULTILINE), "no nested list"
    assert re.search(r"^\| --- \|", text, re.MULTILINE), "no table"
    kinds = {
        item.is_code
        for topic in ("", "guide", "publishing", "reference", "reference/formats")
        for document in _index(site, topic).embedded.chunks.documents.values()
        for item in document.items
    }
    assert kinds == {True, False}


def _questions(topic: str) -> tuple[str, ...]:
    document = decode("qa-pairs.md", (DOCS / topic / "qa-pairs.md").read_bytes())
    return tuple(dict.fromkeys(text for _, text in questions_asked(document.body, parse_blocks(document)[0])))


@pytest.mark.parametrize("topic", ["guide", "reference"])
def test_questions_are_written_in_both_ways(topic: str) -> None:
    text = (DOCS / topic / "qa-pairs.md").read_text("utf-8")
    labelled = len(re.findall(r"^Q: ", text, re.MULTILINE))
    headings = len(re.findall(r"^## ", text, re.MULTILINE))
    assert labelled and headings
    assert len(_questions(topic)) == labelled + headings
    assert text.count("\nA: ") == labelled


def test_the_quick_start_shows_the_counts_of_this_tree(built: tuple[Path, Summary]) -> None:
    _, summary = built
    counts = f"{summary.documents} documents · {summary.topics} topics · {summary.chunks} chunks"
    text = (DOCS / "guide" / "quick-start.md").read_text("utf-8")
    assert f"{counts} · {summary.chunks} embedded · 0 cached\n{summary.written} files written" in text


def test_questions_reach_chunks_that_answer_them() -> None:
    """In the golden output, which the default model made."""
    hashes = {simhash(question, words_of("en")) for question in _questions("reference")}
    spec = specfile.parse("topic-spec.md", (GOLDEN / "reference" / "topic-spec.md").read_bytes())
    chunks = {source.stem: source.chunks for source in spec.sources}["cli"]
    asked = simhash("Which command removes everything that infograph wrote?", words_of("en"))
    assert asked in next(chunk for chunk in chunks if chunk.title == "infograph clean").prompt_hashes
    said = {
        simhash(question, words_of("en")) for chunk in chunks for question in dict(chunk.enriched).get("questions", ())
    }
    assert said
    assert {value for chunk in chunks for value in chunk.prompt_hashes} <= hashes | said


def test_golden_chunk_list_is_that_of_this_tree(built: tuple[Path, Summary]) -> None:
    """Chunk files do not depend on the model, so this finds a forgotten update in no time."""
    site, _ = built
    lines = (line.split("  ", 1) for line in (GOLDEN / "chunks.sha256").read_text("utf-8").splitlines())
    listed = {name: digest for digest, name in lines}
    files = {
        path.relative_to(site).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in site.rglob("_chunks/*.md")
    }
    assert files == listed, "If that is right, run: python tests/update_golden.py"


@pytest.mark.slow
def test_golden_output_of_the_default_model() -> None:
    result = subprocess.run(
        [sys.executable, "tests/update_golden.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
