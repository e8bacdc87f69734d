"""Cuts small chunks for finding inside of larger units for reading: a tree over each document.

A unit larger than its level allows is cut at the document's strongest structure (`recursive_splitter.py`). The
largest level is cut first and each of its units again for the level below, so each unit lies within one unit of
every level above; that of the chunks is also cut before and after a quick reference that follows the overview, which is
chunk 1. The chunks are the units of the smallest level; a larger unit is a run of chunks
(`ChunkPiece.parents`), so that no text is stored twice.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from infograph.chunking.interface import Cutting, DocumentLayout, StrategyTools
from infograph.chunking.pieces.greedy_packing import counted_blocks, joined
from infograph.chunking.pieces.recursive_splitter import RecursiveSplitter
from infograph.chunking.pieces.units import Unit, units
from infograph.chunking.quick_reference import reference_borders
from infograph.chunking.tokens import TokenCounter
from infograph.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Hierarchical:
    """The `hierarchical` strategy with its levels."""

    levels: tuple[int, ...] = (2048, 512, 128)
    """Most tokens of a unit of each level, in descending order; only a single block with its heading may have more.
    The last level is that of the chunks."""

    embeds: ClassVar[bool] = False
    extensions: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        if len(self.levels) < 2 or any(above <= below for above, below in pairwise((*self.levels, 0))):
            sizes = ", ".join(map(str, self.levels)) or "none"
            raise ConfigError(
                "strategies.hierarchical", f"levels are two or more sizes, each larger than the next, not {sizes}"
            )

    @property
    def chunk_type(self) -> str:
        return "hierarchical"

    @property
    def key(self) -> str:
        return "-".join(("hierarchical", *map(str, self.levels)))

    def __call__(self, layout: DocumentLayout, tools: StrategyTools) -> Cutting:
        smallest = self.levels[-1]
        borders = reference_borders(layout, smallest, tools.counter)
        parts = _parts(layout, borders, smallest, tools.counter)
        apart = [place for place, part in enumerate(parts) if part.start in borders]
        splitter = RecursiveSplitter(layout, parts)
        starts = [0] if parts else []  # starts of the units of a level, as positions in `parts`
        above: list[list[int]] = []
        for limit in self.levels:
            if limit == smallest:
                starts = sorted({*starts, *apart})
            starts = [
                start for begin, end in pairwise((*starts, len(parts))) for start in splitter.split(begin, end, limit)
            ]
            above.append(starts)
        chunks = above.pop()
        pieces = [joined(list(parts[begin:end])) for begin, end in pairwise((*chunks, len(parts)))]
        ranges = [_ranges([bisect_left(chunks, start) for start in level], len(chunks)) for level in reversed(above)]
        parents = zip(*ranges, strict=True)
        return Cutting([piece._replace(parents=found) for piece, found in zip(pieces, parents, strict=True)])


def _parts(layout: DocumentLayout, borders: Sequence[int], limit: int, counter: TokenCounter) -> list[Unit]:
    """Returns the units of a document; none goes across a border, as headings in a row would."""
    counted = counted_blocks(layout, counter)
    places = [at for at, (block, _) in enumerate(counted) if layout.starts[block.start] in borders]
    runs = pairwise((0, *places, len(counted)))
    return [part for begin, end in runs for part in units(layout, counted[begin:end], limit, counter)]


def _ranges(starts: Sequence[int], chunks: int) -> list[tuple[int, int]]:
    """Returns for each chunk the range of the unit that contains it."""
    return [(begin, end) for begin, end in pairwise((*starts, chunks)) for _ in range(begin, end)]
