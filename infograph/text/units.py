"""Units by where they stand: what of a document is read together, as ordered slices of it. Pure functions.

section        neighbouring chunks below one heading         ┐ they follow from what an index says of chunks: their
key            chunks of one subtopic, wherever they stand   │ headings, and what a language model said of them
proposition    what one claim of a language model rests on   ┘
parent         a larger unit of the `hierarchical` strategy  ┐
table          a table, header and rows                      │ an index lists their slices, see `unit_groups`
rows           a table's header and its rows of one key      │
image          an image with its caption and the sentences   │
outline        the signatures of a source file's scopes      ┘
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from infograph.text.sections import Path, common_headings, sections

Slice = tuple[int, ...]
"""A slice of a document: two numbers are a half-open range of its chunks, three are a chunk and a half-open range of
bytes of its text as a reader sees it."""
DERIVED = ("section", "key", "proposition")
"""Types of units that follow from what an index says of chunks."""
LISTED = ("parent", "table", "rows", "image", "outline")
"""Types of units that an index lists."""
ROWS = "rows"
"""Type of the units that are rows of one key."""
WHOLE, SPAN = 2, 3
"""Numbers in a slice that is of whole chunks, and in one of bytes."""


class PlacedUnit(NamedTuple):
    """A unit, by where it stands."""

    type: str
    level: int
    """Number of headings that all of its chunks stand below; of a parent 1 for the largest, and 0 of an outline."""
    slices: tuple[Slice, ...]
    """In the order of the document; none overlap."""
    name: str = ""
    """The key of rows; other units have no name of their own."""


def derived_units(
    paths: Sequence[Path], keys: Sequence[str], claims: Sequence[Sequence[tuple[int, int]]]
) -> list[PlacedUnit]:
    """Returns the units that follow from what an index says of a document's chunks: its sections of two chunks or more,
    larger ones first where they begin with the same chunk; its keys of two chunks or more, in the order in which they
    first occur; its propositions.

    paths:  section path of each chunk
    keys:   subtopic of each; empty for none
    claims: ranges of bytes that the propositions of each rest on; an empty one, as a damaged fact has, makes no unit
    """
    found = [PlacedUnit("section", level, ((first, end),)) for level, first, end in sections(paths)]
    return found + said_units(paths, keys, claims)


def said_units(
    paths: Sequence[Path], keys: Sequence[str], claims: Sequence[Sequence[tuple[int, int]]]
) -> list[PlacedUnit]:
    """Returns the units among those of `derived_units` that are made of what a language model said: no sections."""
    found: list[PlacedUnit] = []
    members: dict[str, list[int]] = {}
    for at, key in enumerate(keys):
        if key:
            members.setdefault(key, []).append(at)
    for places in members.values():
        if len(places) > 1:
            level = len(common_headings([paths[at] for at in places]))
            found.append(PlacedUnit("key", level, tuple(runs(places))))
    for at, own in enumerate(claims):
        found += [PlacedUnit("proposition", len(paths[at]), ((at, s, e),)) for s, e in own if s < e]
    return found


def grouped(units: Iterable[PlacedUnit]) -> list[tuple[tuple[str, int], list[PlacedUnit]]]:
    """Returns units by type, in the order in which these first occur, and by level."""
    every = list(units)
    types = list(dict.fromkeys(unit.type for unit in every))
    every.sort(key=lambda unit: (types.index(unit.type), unit.level))
    return [(kind, list(own)) for kind, own in groupby(every, key=lambda unit: (unit.type, unit.level))]


def placed_unit(type: str, level: int, slices: Sequence[Sequence[int]], name: str = "") -> PlacedUnit:
    """Returns a unit of lists, as JSON has them."""
    return PlacedUnit(type, level, tuple(tuple(own) for own in slices), name)


def runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Returns ascending numbers as half-open ranges."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number:
            found[-1] = (found[-1][0], number + 1)
        else:
            found.append((number, number + 1))
    return found


def chunks_of(slices: Iterable[Slice]) -> list[int]:
    """Returns the chunks that slices are of or lie in, ascending, each once."""
    found: set[int] = set()
    for first, *rest in slices:
        found |= set(range(first, rest[0] if len(rest) < WHOLE else first + 1))
    return sorted(found)


def misplaced(slices: Sequence[Slice], chunks: int) -> str:
    """Returns what is wrong with the slices of a unit, by the numbers alone; empty where nothing is.

    chunks: number of chunks of the document
    """
    if not slices:
        return "has no slice"
    before = (0, 0)
    for own in slices:
        if len(own) not in (WHOLE, SPAN):
            return f"{list(own)} is neither a range of chunks nor one of bytes in a chunk"
        start = (own[0], own[1] if len(own) == SPAN else 0)
        end = (own[0], own[2]) if len(own) == SPAN else (own[1], 0)
        if not 0 <= own[0] < chunks or (own[1] > chunks if len(own) == WHOLE else own[1] < 0):
            return f"{list(own)} lies outside of the {chunks} chunks"
        if end <= start:
            return f"{list(own)} is empty"
        if start < before:
            return f"{list(own)} is not behind the slice before it"
        before = end
    return ""
