"""Units: what is read together, as ordered slices of one document. Pure functions; so has `infograph/web/units.js`.

A document is cut into chunks once, and every other size is a view of them: a unit names the chunks that it is made of,
takes no byte of a published tree and cannot contradict it. Where a chunk stands says what it is part of: a section is a
run of chunks below one heading, see `infograph.text.sections`.

    document   all chunks
      section    level 1: those below a heading                level: the number of headings above all of its chunks
        section    level 2
    key        chunks of one subtopic, wherever they stand     where `infograph enrich` has written keys

Summaries of documents and sections come from the index, too, where a language model has written some.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from infograph.client.types import Item
from infograph.search.format.results import DocumentUnit
from infograph.text.sections import common_headings, sections

LARGEST_PARENT = 8
"""Most chunks of a section that stands in the place of its hits: more is a page to be read, no answer."""
AROUND = LARGEST_PARENT
"""Chunks on either side of a hit that tell how far a section of that size goes."""
DIGITS = 32
"""Hex digits of a chunk's digest that that of a unit is made of: so many of them hits have."""


class Described(Protocol):
    """A chunk as a hit or an index describes it."""

    @property
    def section_path(self) -> Sequence[str]:
        """Headings above the beginning of the chunk."""
        ...

    @property
    def href(self) -> str:
        """Path of the chunk file, relative to the root."""
        ...

    @property
    def tokens(self) -> int | None:
        """Length of the chunk, where it is known."""
        ...

    @property
    def sha256(self) -> str:
        """Digest of the text of the chunk, 32 hex digits at the least."""
        ...


def units_of(document: str, items: Sequence[Item]) -> tuple[DocumentUnit, ...]:
    """Returns the units of a document: the document, its sections of two chunks or more in the order of their
    beginnings, larger ones first, and its keys of two chunks or more in that of their first chunks.

    document: its path, or whatever else tells it from others
    items:    all of its chunks, in order, as a topic has them
    """
    if not items:
        return ()
    said = {
        (at, at + own.chunks): own.summary
        for at, item in enumerate(items)
        if item.enriched is not None
        for own in item.enriched.sections
    }
    ranges = [(0, 0, len(items)), *sections([item.section_path for item in items])]
    nested = (unit_of(document, level, (first, end), items[first:end]) for level, first, end in ranges)
    return *(replace(unit, summary=said.get(unit.slices[0], "")) for unit in nested), *_keys(document, items)


def _keys(document: str, items: Sequence[Item]) -> Iterator[DocumentUnit]:
    """Yields the units of chunks that have one key."""
    members: dict[str, list[int]] = {}
    for at, item in enumerate(items):
        if item.enriched is not None and item.enriched.key:
            members.setdefault(item.enriched.key, []).append(at)
    for key, places in members.items():
        if len(places) > 1:
            chunks = [items[at] for at in places]
            level = len(common_headings([chunk.section_path for chunk in chunks]))
            slices = tuple(_runs(places))
            own = unit_of(document, level, slices[0], chunks)
            name = ",".join(f"{first}-{end}" for first, end in slices)
            yield replace(own, id=f"{document}#{name}.key", type="key", slices=slices, key=key)


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Returns ascending numbers as half-open ranges."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number:
            found[-1] = (found[-1][0], number + 1)
        else:
            found.append((number, number + 1))
    return found


def unit_of(document: str, level: int, place: tuple[int, int], chunks: Sequence[Described]) -> DocumentUnit:
    """Returns the unit of neighbouring chunks.

    level: number of headings that they have in common; 0 for the document
    place: their half-open range
    """
    digest = hashlib.sha256("".join(chunk.sha256[:DIGITS] for chunk in chunks).encode())
    return DocumentUnit(
        id=f"{document}#{place[0]}-{place[1]}" + f".{level}" * bool(level),
        type="section" if level else "document",
        level=level,
        section_path=tuple(chunks[0].section_path[:level]),
        slices=(place,),
        hrefs=tuple(chunk.href for chunk in chunks),
        tokens=sum(chunk.tokens or 0 for chunk in chunks),
        sha256=digest.hexdigest(),
    )


def parent_of(units: Sequence[DocumentUnit], index: int) -> DocumentUnit:
    """Returns the smallest unit around a chunk: its nearest section of several chunks, or the document.

    units: those of its document

    Raises ValueError for a number that none of its chunks has.
    """
    around = [unit for unit in units if unit.type != "key"]
    own = [unit for unit in around if any(first <= index < end for first, end in unit.slices)]
    if not own:
        raise ValueError(f"the document has no chunk {index}")
    return min(own, key=lambda unit: (unit.size, -unit.level))


def shared_section(
    paths: Mapping[int, Sequence[str]], index: int, others: Collection[int], taken: Collection[int]
) -> tuple[int, int, int] | None:
    """Returns the smallest section around a chunk that has another one of a search, as its level and its half-open
    range; None where there is none of `LARGEST_PARENT` chunks at the most. The whole document is one of level 0.

    paths:  section paths by the chunk's number, at least of `AROUND` chunks on either side
    index:  number of the chunk
    others: those of the document that were found, too
    taken:  chunks that are part of another section already
    """
    path = tuple(paths[index])
    for level in range(len(path), -1, -1):
        first, end = index, index + 1
        while end - first <= LARGEST_PARENT and _below(paths, first - 1, path[:level]):
            first -= 1
        while end - first <= LARGEST_PARENT and _below(paths, end, path[:level]):
            end += 1
        if end - first > LARGEST_PARENT:
            return None
        own = range(first, end)
        if any(at in own for at in others):
            return None if any(at in own for at in taken) else (level, first, end)
    return None


def _below(paths: Mapping[int, Sequence[str]], index: int, headings: tuple[str, ...]) -> bool:
    return index in paths and tuple(paths[index][: len(headings)]) == headings
