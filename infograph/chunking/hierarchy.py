"""Chunks with parents, when they are retrieved: the larger unit around a chunk, its text, its children.

All is worked out from `Chunk.parents`: half-open ranges of the document's chunks, nearest first. A unit is such a
range; level 0 is the chunk itself, level 1 its nearest parent. The units of one level do not overlap, and each is a run
of units of the level below.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from infograph.model import Chunk

Unit = tuple[int, int]
"""A half-open range of one document's chunks."""


def unit_of(chunk: Chunk, level: int = 1) -> Unit:
    """The unit of a level that a chunk lies in; the largest there is, where it has fewer levels above it."""
    units = ((chunk.index, chunk.index + 1), *chunk.parents)
    return units[min(level, len(units) - 1)]


def text_of(chunks: Sequence[Chunk], unit: Unit) -> str:
    """The exact text of a unit.

    chunks: of one document, all of them
    """
    return "".join(chunk.text for chunk in chunks[unit[0] : unit[1]])


def children_of(chunks: Sequence[Chunk], unit: Unit, level: int = 1) -> list[Unit]:
    """The units of the level below `level` that a unit of that level is made of, in order."""
    children = []
    at = unit[0]
    while at < unit[1]:
        children.append(unit_of(chunks[at], level - 1))
        at = children[-1][1]
    return children


def parents_of(chunks: Sequence[Chunk], retrieved: Iterable[int], level: int = 1) -> list[Unit]:
    """Parent expansion: the units around the chunks retrieved, best first, each once.

    retrieved: indexes of chunks, best first
    """
    return list(dict.fromkeys(unit_of(chunks[index], level) for index in retrieved))


def merged(chunks: Sequence[Chunk], retrieved: Iterable[int], share: float = 0.5) -> list[Unit]:
    """Auto-merging: a parent instead of its children, where more than a share of them was retrieved; then the same
    among parents, level by level. A parent takes the rank of its best child.

    retrieved: indexes of chunks, best first
    share:     of a parent's children, from 0 to below 1
    """
    found = parents_of(chunks, retrieved, 0)
    for level in range(1, 1 + max((len(chunk.parents) for chunk in chunks), default=0)):
        parents = {unit: unit_of(chunks[unit[0]], level) for unit in found}
        counts = Counter(parents[unit] for unit in found if unit == unit_of(chunks[unit[0]], level - 1))
        merging = {parent for parent in counts if counts[parent] > share * len(children_of(chunks, parent, level))}
        found = list(dict.fromkeys(parents[unit] if parents[unit] in merging else unit for unit in found))
    return found
