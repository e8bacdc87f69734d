"""Sections of a document: which there are, and what they are of."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from infograph.enrich.sections import DocumentSection, sections_of
from infograph.model import Chunk

PLAIN = Chunk("a.md", 0, 1, "T", (), "x", "x", (1, 1), (0, 1), 1, False, "structural", "")


def chunks(*paths: tuple[str, ...]) -> list[Chunk]:
    return [
        replace(PLAIN, index=index, section_path=path, title=path[-1] if path else "T", text=f"text {index}\n")
        for index, path in enumerate(paths)
    ]


def ranges(found: list[DocumentSection]) -> list[tuple[int, int, tuple[str, ...]]]:
    return [(section.first, section.end, section.section_path) for section in found]


def test_the_document_and_what_has_several_chunks_below_a_heading() -> None:
    found = sections_of(chunks((), ("A",), ("A", "B"), ("A", "B"), ("A", "C"), ("D",)))
    assert ranges(found) == [(0, 6, ()), (1, 5, ("A",)), (2, 4, ("A", "B"))]
    assert [section.index for section in found] == [0, 1, 2]
    assert [section.title for section in found] == ["T", "A", "B"]


def test_a_section_reads_as_its_chunks_do() -> None:
    _, inner = sections_of(chunks(("A",), ("A", "B"), ("A", "B")))
    assert inner.readable == "text 1\ntext 2\n"
    assert inner.readable_sha256 == hashlib.sha256(inner.readable.encode()).hexdigest()


def test_a_document_below_one_heading_is_one_section() -> None:
    assert ranges(sections_of(chunks(("A",), ("A",)))) == [(0, 2, ("A",))]
    assert sections_of(chunks(("A",))) == []
    assert sections_of([]) == []


def test_larger_units_of_the_strategy_count_where_there_are_any() -> None:
    cut = chunks(("A",), ("A",), ("B",), ("B",))
    units = [((0, 2),), ((0, 2),), ((2, 3),), ((3, 4),)]
    cut = [replace(chunk, parents=unit) for chunk, unit in zip(cut, units, strict=True)]
    assert ranges(sections_of(cut)) == [(0, 4, ()), (0, 2, ("A",))]
