"""Cuts the tables of a Markdown document, for the `tabular` strategy."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import chain

from infograph.chunking.interface import ChunkPiece, DocumentLayout
from infograph.chunking.pieces.greedy_packing import counted_blocks, packed, sections
from infograph.chunking.pieces.units import Unit, joined, units
from infograph.chunking.tables.columns import Column, sentence, summary
from infograph.chunking.tables.keyed_rows import HEADER, PlacedRow, RowKeys, key_of
from infograph.chunking.tokens import TokenCounter
from infograph.model import Block, Facts
from infograph.text.inline import split_bars


def cut_tables(
    layout: DocumentLayout, counter: TokenCounter, maximum: int, group_by: str, sentences: bool, keys: RowKeys
) -> list[ChunkPiece]:
    """Returns pieces that tile a document.

    Blocks fill pieces of at most `maximum` tokens. In a larger table, consecutive rows with the same value in the
    column `group_by` stay together, and a summary is embedded before its first piece. With `sentences`, tables of
    any size are embedded row by row as sentences.

    keys: is told of the rows that have a key
    """
    blocks = counted_blocks(layout, counter)
    tables = [_Table(layout, block, tokens > maximum) for block, tokens in blocks if block.kind == "table"]
    parts = units(layout, blocks, maximum, counter)
    if group_by:
        parts = list(_grouped(parts, tables, maximum, group_by))
    pieces = packed(parts, maximum, sections(layout))
    ends = [table.end for table in tables]
    starts = [table.start for table in tables]
    for number, piece in enumerate(pieces):
        if within := tables[bisect_right(ends, piece.start) : bisect_left(starts, piece.end)]:
            first = bisect_right(ends, piece.start)
            keyed = [
                keys.keyed(at, piece.start, table.keyed(group_by, piece.start, piece.end))
                for at, table in enumerate(within, first)
            ]
            pieces[number] = _with_tables(layout, piece, within, sentences)._replace(keyed=tuple(chain(*keyed)))
    return pieces


class _Table:
    """One table outside of lists and quotes, with its offsets and cells."""

    def __init__(self, layout: DocumentLayout, table: Block, large: bool) -> None:
        header, *rows = table.children
        self.layout = layout
        self.large = large
        self.start, self.end = layout.starts[table.start], layout.starts[table.end]
        self.header = layout.text(header)
        self.names = [cell or f"column {number}" for number, cell in enumerate(_cells(self.header), 1)]
        self.rows = [(layout.starts[row.start], layout.text(row).rstrip()) for row in rows]
        self.row_starts = [start for start, _ in self.rows]

    def value(self, offset: int, name: str) -> str | None:
        """Returns the value of a column in the row around an offset; None where there is no such row or column."""
        row = bisect_right(self.row_starts, offset) - 1
        if row < 0 or name not in self.names:
            return None
        cells, column = _cells(self.rows[row][1]), self.names.index(name)
        return cells[column] if column < len(cells) else None

    def keyed(self, name: str, start: int, end: int) -> list[PlacedRow]:
        """Returns the header and the rows, as far as they lie between two offsets, with their values of a column;
        nothing where there is no such column."""
        if name not in self.names:
            return []
        column = self.names.index(name)
        first = max(0, bisect_right(self.row_starts, start) - 1)
        found: list[PlacedRow] = [(HEADER, self.start, self.row_starts[0] if self.rows else self.end)]
        for number in range(first, bisect_left(self.row_starts, end)):
            at, text = self.rows[number]
            after = self.row_starts[number + 1] if number + 1 < len(self.rows) else at + len(text)
            cells = _cells(text)
            found.append((key_of(cells[column] if column < len(cells) else None), at, after))
        cut = [(key, max(start, begin), min(end, after)) for key, begin, after in found]
        return [own for own in cut if own[1] < own[2]]

    @cached_property
    def summary(self) -> str:
        width = len(self.names)
        columns = [Column(name) for name in self.names]
        rows = [(*_cells(text), *[""] * width)[:width] for _, text in self.rows]
        for column, cells in zip(columns, zip(*rows, strict=True), strict=False):
            column.add(cells)
        return summary(columns, len(rows))

    def sentences(self, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Yields replacements for the header and the rows that lie wholly between two offsets: start, end, text."""
        header = self.header.rstrip()
        if start <= self.start and self.start + len(header) <= end:
            yield self.start, self.start + len(header), ""
        for at, text in self.rows[bisect_left(self.row_starts, start) : bisect_left(self.row_starts, end)]:
            if at + len(text) <= end:
                yield at, at + len(text), sentence(self.names, _cells(text))


def _cells(line: str) -> list[str]:
    """Returns the cells of a row; of several lines, those of the first."""
    row = line.lstrip().partition("\n")[0].partition("\r")[0].strip()
    cells = split_bars(row)
    return cells[not cells[0] : len(cells) - (len(cells) > 1 and not cells[-1])]


def _grouped(parts: list[Unit], tables: list[_Table], maximum: int, name: str) -> Iterator[Unit]:
    """Joins consecutive units of a large table that have the same value in a column and fit together."""
    large = [table for table in tables if table.large]
    ends = [table.end for table in large]

    def belongs(held: Unit, part: Unit) -> bool:
        at = bisect_right(ends, part.start)
        if at == len(large) or held.tokens + part.tokens > maximum:
            return False
        value = large[at].value(part.start, name)  # None before the table's first row
        return value is not None and value == large[at].value(held.end - 1, name)

    return joined(parts, belongs)


def _with_tables(layout: DocumentLayout, piece: ChunkPiece, tables: list[_Table], sentences: bool) -> ChunkPiece:
    """Returns a piece with embedded text and metadata from the tables in it."""
    first = tables[0]
    embed, before = piece.embed, piece.before
    if sentences:
        said, at = [], piece.start
        for table in tables:
            for start, end, text in table.sentences(piece.start, piece.end):
                said += [layout.body[at:start], text]
                at = end
        embed = "".join(said) + layout.body[at : piece.end]
        if piece.start > first.start:
            before = ""  # the header of the table in which the piece begins
    summaries = [table.summary for table in tables if table.large and piece.start <= table.start]
    inside = piece.start >= first.start and piece.end <= first.end
    facts: Facts = (("columns", tuple(first.names)),) if inside else ()
    return piece._replace(embed=embed, before="".join(summaries) + before, facts=facts)
