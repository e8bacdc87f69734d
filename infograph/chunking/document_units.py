"""Units that only the text of a document shows: its larger parents, tables, their rows of one key, images, and the
outline of its code.

    document, blocks, chunks ─placed_units▶ PlacedUnit…       those that follow from an index are in `text/units.py`

A range of the body becomes a slice for each chunk that it touches, in bytes of the text that a reader sees.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain

from infograph.chunking.code.grammars import BY_EXTENSION, EndlessError
from infograph.chunking.code.outline import outline_of
from infograph.chunking.images import find_images
from infograph.chunking.interface import DocumentLayout
from infograph.chunking.tables.keyed_rows import HEADER
from infograph.errors import ConfigError
from infograph.model import TABLES, Block, Chunk, Document
from infograph.text.edits import as_shown
from infograph.text.sections import common_headings
from infograph.text.units import ROWS, PlacedUnit, Slice, chunks_of, grouped

BodyRange = tuple[int, int]
"""A half-open range of a document's body."""


def placed_units(document: Document, blocks: tuple[Block, ...], chunks: Sequence[Chunk]) -> tuple[PlacedUnit, ...]:
    """Returns the parents, tables, rows of one key, images and outline of a document, those of a type and level in
    their order.

    chunks: all of the document's, which tile its body; of a file that is a table, whatever its size, one unit is all
    """
    if not chunks:
        return ()
    rows = UnitsOfRows()
    rows.add(chunks)
    if document.path.lower().endswith(TABLES):
        return (table_of(len(chunks)), *rows.found())
    found = list(_parents(chunks))
    places = _Places(chunks)
    layout = DocumentLayout(document, blocks)
    found += (places.unit("table", [own]) for own in _tables(layout, blocks))
    found += (unit._replace(level=places.level(unit.slices)) for unit in rows.found())
    found += (places.unit("image", [*image.nearby, image.place]) for image in find_images(layout))
    if outline := _outline(layout, chunks):
        found.append(PlacedUnit("outline", 0, places.slices(outline)))
    return tuple(chain.from_iterable(own for _, own in grouped(unit for unit in found if unit.slices)))


def table_of(chunks: int) -> PlacedUnit:
    """Returns the unit of a file that is one table."""
    return PlacedUnit("table", 0, ((0, chunks),))


class UnitsOfRows:
    """The rows of a document's tables that share a key, of chunks that may come in batches."""

    def __init__(self) -> None:
        self._slices: dict[tuple[int, str], list[Slice]] = {}

    def add(self, chunks: Iterable[Chunk]) -> None:
        """Takes the next chunks."""
        for chunk in chunks:
            for row in chunk.keyed:
                if own := _shown(chunk, chunk.index, row.start, row.end):
                    self._slices.setdefault((row.table, row.key), []).append(own)

    def found(self) -> list[PlacedUnit]:
        """Returns a unit for each key of each table, with the table's header, on level 0."""
        return [
            PlacedUnit(ROWS, 0, (*self._slices.get((table, HEADER), ()), *slices), key)
            for (table, key), slices in self._slices.items()
            if key != HEADER
        ]


def _shown(chunk: Chunk, at: int, start: int, end: int) -> tuple[int, int, int] | None:
    """Returns the slice of a chunk's text as a reader sees it; None where that is empty.

    at:         number of the chunk
    start, end: offsets in its text
    """
    first, last = as_shown(chunk.edits, start, end)
    shown = chunk.readable
    ahead = len(shown[:first].encode("utf-8", "surrogatepass"))
    size = len(shown[first:last].encode("utf-8", "surrogatepass"))
    return (at, ahead, ahead + size) if size else None


def _parents(chunks: Sequence[Chunk]) -> Iterator[PlacedUnit]:
    """Yields the larger units of the chunks' strategy, larger ones first where they begin with the same chunk."""
    levels = {parent: len(chunk.parents) - at for chunk in chunks for at, parent in enumerate(chunk.parents)}
    for first, end in sorted(levels, key=lambda own: (own[0], -own[1])):
        if end - first > 1:
            yield PlacedUnit("parent", levels[first, end], ((first, end),))


def _tables(layout: DocumentLayout, blocks: Iterable[Block]) -> Iterator[BodyRange]:
    for block in blocks:
        if block.kind == "table":
            start = layout.starts[block.start]
            yield start, start + len(layout.text(block).rstrip())
        elif block.children:
            yield from _tables(layout, block.children)


def _outline(layout: DocumentLayout, chunks: Sequence[Chunk]) -> list[BodyRange]:
    """Returns the signatures of the scopes of a source file that was cut at them; nothing where it does not parse."""
    extension = f".{layout.document.path.rpartition('.')[2]}".lower()
    if extension not in BY_EXTENSION or chunks[0].chunk_type != "code":
        return []
    try:
        outline = outline_of(layout.body, extension)
    except (ConfigError, EndlessError):  # said where it was cut
        return []
    return sorted({outline.signed(scope) for _, _, scope in outline.scopes})


class _Places:
    """Where the ranges of a body stand in its chunks."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks = chunks
        self.ends = list(accumulate(len(chunk.text) for chunk in chunks))

    def unit(self, type: str, places: Iterable[BodyRange]) -> PlacedUnit:
        """Returns the unit of some ranges; its level is the number of headings that their chunks have in common."""
        slices = self.slices(places)
        return PlacedUnit(type, self.level(slices), slices)

    def level(self, slices: Iterable[Slice]) -> int:
        """Returns the number of headings that the chunks of slices have in common."""
        paths = [self.chunks[at].section_path for at in chunks_of(slices)]
        return len(common_headings(paths)) if paths else 0

    def slices(self, places: Iterable[BodyRange]) -> tuple[Slice, ...]:
        """Returns the slices of some ranges, in order; those that overlap or touch are one."""
        found: list[tuple[int, int, int]] = []
        for start, end in sorted(places):
            for own in self._parts(start, end):
                if found and found[-1][0] == own[0] and own[1] <= found[-1][2]:
                    found[-1] = (own[0], found[-1][1], max(found[-1][2], own[2]))
                else:
                    found.append(own)
        return tuple(found)

    def _parts(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Yields the part of a range in each chunk that it touches, in bytes of what a reader sees of the chunk."""
        at = bisect_right(self.ends, start)
        while at < len(self.chunks) and start < end:
            chunk, after = self.chunks[at], self.ends[at]
            before = after - len(chunk.text)
            if own := _shown(chunk, at, start - before, min(end, after) - before):
                yield own
            start, at = after, at + 1
