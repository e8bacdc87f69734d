"""Lists and quotes nested without end: every heading is found, or a warning says where to look, and no text is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.client import Client
from infograph.config import load
from infograph.search.reading.reader import Reader
from infograph.text.language import stemmer

MeasuredBuild = Callable[..., Any]

MARKERS = {"list": "- ", "quote": "> ", "ordered": "1. ", "mixed": "- > 1. ", "tight": ">"}
DEPTHS = (10, 51, 500, 100_000)
AFTER = 20


def page(name: str, depth: int) -> str:
    """One line of markers, a heading at its end, headings below. No two pages are alike."""
    below = "".join(f"# {name}zebra{number}\n\nText of {name} {number}.\n\n" for number in range(AFTER))
    return f"Before {name}.\n\n{MARKERS[name] * depth}# {name}inmost\n\n{below}"


@pytest.mark.parametrize("depth", [*DEPTHS[:3], pytest.param(DEPTHS[3], marks=pytest.mark.slow)])
def test_every_heading_is_found_or_a_warning_says_where(
    tmp_path: Path, write_tree: Any, quick: Any, depth: int
) -> None:
    texts = {f"{name}.md": page(name, depth) for name in MARKERS}
    docs = write_tree(tmp_path / "docs", texts)
    summary = build(load(str(docs), environment={}))
    assert summary.errors == []
    warned = {notice.path for notice in summary.notices if notice.kind == "nesting"}
    documents = Client(docs, timeout=60).topic("").documents
    for name, text in texts.items():
        items = documents[name.removesuffix(".md")].items
        bodies = [(docs / item.href).read_bytes().partition(b"\n---\n")[2] for item in items]
        assert b"".join(bodies) == text.encode(), "nothing is lost"
    reader = Reader(lambda name: (docs / "_search" / name).read_bytes(), stemmer)
    headings = ("inmost", *(f"zebra{number}" for number in range(AFTER)))
    lost = [
        (name, heading)
        for name in MARKERS
        for heading in headings
        if f"{name}.md" not in {hit.page for hit in reader.search(name + heading)}
    ]
    print(f"{depth} markers: {len(lost)} of {len(texts) * len(headings)} headings not found, {len(warned)} warnings")
    assert {f"{name}.md" for name, _ in lost} <= warned
    assert [heading for _, heading in lost if heading != "inmost"] == []
    assert depth < 500 or warned == texts.keys()


@pytest.mark.slow
def test_deep_pages_in_real_workers(tmp_path: Path, write_tree: Any, measured_build: MeasuredBuild) -> None:
    """Python's own depth of calls is not reached, nor is a stack."""
    texts = {f"{name}{depth}.md": page(name, depth) for name in MARKERS for depth in DEPTHS}
    built = measured_build(write_tree(tmp_path / "docs", texts))
    print(f"{len(texts)} pages: {built.seconds:.1f} s of processor time, largest process {built.megabytes:.0f} MB")
    assert built.errors == [] and built.documents == len(texts)
    assert built.megabytes <= 1000
