"""Units: what is read together, as ordered slices of one document. Pure functions; so has `infograph/web/units.js`.

A document is cut into chunks once, and every other size is a view of them: a unit names the chunks that it is made of,
or the parts of them, and takes next to no byte of a published tree. Where a chunk stands says what it is part of: a
section is a run of chunks below one heading, see `infograph.text.sections`.

    document      all chunks
      section       level 1: those below a heading             level: the number of headings above all of its chunks
        section       level 2
    key           chunks of one subtopic, wherever they stand  ┐ where `infograph enrich` has written them
    proposition   the words that a claim rests on              ┘
    parent, table, rows, image, outline                        as an index lists them, see `infograph.text.units`

Summaries of documents and sections come from the index, too, where a language model has written some.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from infograph.client.budget import LEFT_OUT
from infograph.client.types import Item
from infograph.formats.index_json import UnitGroup
from infograph.formats.unit_groups import units_of_groups, written_slice
from infograph.search.format.results import DocumentUnit
from infograph.text.sections import common_headings
from infograph.text.units import ROWS, SPAN, PlacedUnit, chunks_of, derived_units, misplaced, runs

LARGEST_PARENT = 8
"""Most chunks of a section that stands in the place of its hits: more is a page to be read, no answer."""
AROUND = LARGEST_PARENT
"""Chunks on either side of a hit that tell how far a section of that size goes."""
NESTED = ("document", "section", "parent")
"""Types of units of which each lies within another or apart from it: what is read around a chunk."""
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


def units_of(document: str, items: Sequence[Item], groups: Sequence[UnitGroup] = ()) -> tuple[DocumentUnit, ...]:
    """Returns the units of a document: the document, its sections of two chunks or more in the order of their
    beginnings, larger ones first, its keys of two chunks or more in that of their first chunks, its propositions, and
    those that an index lists.

    document: its path, or whatever else tells it from others
    items:    all of its chunks, in order, as a topic has them
    groups:   the `units` of the document, as a topic has them

    Raises ValueError for a listed unit that does not lie in the document, or is of a type that follows from the items.
    """
    if not items:
        return ()
    said = [item.enriched for item in items]
    summaries = {
        (at, at + own.chunks): own.summary for at, of in enumerate(said) if of is not None for own in of.sections
    }
    claims = [[(own.start, own.end) for own in of.propositions] if of else [] for of in said]
    claimed = iter([own.claim for of in said if of for own in of.propositions if own.start < own.end])
    derived = derived_units([item.section_path for item in items], [(of and of.key) or "" for of in said], claims)
    found = [unit_of(document, 0, (0, len(items)), items)]
    for placed in (*derived, *units_of_groups(groups)):
        if wrong := misplaced(placed.slices, len(items)):
            raise ValueError(f"{document}: a unit of type {placed.type!r} {wrong}")
        found.append(_unit(document, placed, items))
    return tuple(
        replace(unit, summary=next(claimed))
        if unit.type == "proposition"
        else replace(unit, summary=summaries.get(unit.slices[0], "") if unit.type in NESTED else "")
        for unit in found
    )


def _unit(document: str, placed: PlacedUnit, items: Sequence[Item]) -> DocumentUnit:
    """Returns a unit of a document by where it stands."""
    if placed.type == "section":
        ((first, end),) = placed.slices
        return unit_of(document, placed.level, (first, end), items[first:end])
    members = chunks_of(placed.slices)
    chunks = [items[at] for at in members]
    path = common_headings([chunk.section_path for chunk in chunks])
    own = unit_of(document, len(path), (members[0], members[-1] + 1), chunks)
    key = (chunks[0].enriched.key if chunks[0].enriched else None) or ""
    is_rows = placed.type == ROWS  # of which the first slice is a header that all have
    return replace(
        own,
        id=f"{document}#{','.join(map(written_slice, placed.slices[-1:] if is_rows else placed.slices))}.{placed.type}",
        type=placed.type,
        level=placed.level,
        slices=tuple(runs(members)),
        spans=tuple((at[0], at[1], at[2]) for at in placed.slices if len(at) == SPAN),
        key=key if placed.type == "key" else placed.name,
    )


def text_of(unit: DocumentUnit, texts: Sequence[str]) -> str:
    """Returns the text of a unit, with `…` on a line of its own for what is left out between its slices; rows of one
    key follow each other without, as rows do.

    texts: of its chunks, in the order of `hrefs`, as a reader sees them (`PublishedChunk.readable`)
    """
    numbers = [at for first, end in unit.slices for at in range(first, end)]
    whole = {at: text.encode() for at, text in zip(numbers, texts, strict=True)}
    parts: list[str] = []
    after: tuple[int, int] | None = None
    for at, start, end in unit.spans or [(at, 0, len(whole[at])) for at in numbers]:
        if after not in (None, (at, start)) and unit.type != ROWS:
            parts.append(f"\n{LEFT_OUT}\n")
        parts.append(whole[at][start:end].decode("utf-8", "replace"))  # of another publication, a span may part one
        after = (at + 1, 0) if end == len(whole[at]) else (at, end)
    return "".join(parts)


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
    around = [unit for unit in units if unit.type in NESTED]
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
