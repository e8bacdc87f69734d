"""Units: what is read together, as ordered slices of one document. Pure functions; so has `infograph/web/units.js`.

A document is cut into chunks once, and every other size is a view of them: a unit names the chunks that it is made of,
takes no byte of a published tree and cannot contradict it. Where a chunk stands says what it is part of: a section is a
run of chunks below one heading, see `infograph.text.sections`.

    document   all chunks
      section    level 1: those below a heading                level: the number of headings above all of its chunks
        section    level 2
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from infograph.search.format.results import DocumentUnit
from infograph.text.sections import sections

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


def units_of(document: str, chunks: Sequence[Described]) -> tuple[DocumentUnit, ...]:
    """Returns the units of a document: the document, and its sections of two chunks or more, in the order of their
    beginnings, larger ones first.

    document: its path, or whatever else tells it from others
    chunks:   all of its chunks, in order
    """
    if not chunks:
        return ()
    ranges = sections([chunk.section_path for chunk in chunks])
    whole = unit_of(document, 0, (0, len(chunks)), chunks)
    return whole, *(unit_of(document, level, (first, end), chunks[first:end]) for level, first, end in ranges)


def unit_of(document: str, level: int, place: tuple[int, int], chunks: Sequence[Described]) -> DocumentUnit:
    """Returns the unit of neighbouring chunks.

    level: number of headings that they have in common; 0 for the document
    place: their half-open range
    """
    kind = "section" if level else "document"
    digest = hashlib.sha256("".join(chunk.sha256[:DIGITS] for chunk in chunks).encode())
    return DocumentUnit(
        id=f"{document}#{place[0]}-{place[1]}" + f".{level}" * bool(level),
        type=kind,
        level=level,
        section_path=tuple(chunks[0].section_path[:level]),
        slices=(place,),
        hrefs=tuple(chunk.href for chunk in chunks),
        tokens=sum(chunk.tokens or 0 for chunk in chunks),
        sha256=digest.hexdigest(),
    )


def parent_of(units: Sequence[DocumentUnit], index: int) -> DocumentUnit:
    """Returns the smallest unit that a chunk is part of: its nearest section of several chunks, or the document.

    units: those of its document
    """
    own = [unit for unit in units if any(first <= index < end for first, end in unit.slices)]
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
