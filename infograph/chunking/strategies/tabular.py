"""Cuts tables between rows and repeats their schema: CSV and TSV files, and the large tables of a Markdown document.

A file is read record by record in constant memory. Its header belongs to the first piece and is embedded before
every other one; the first piece is embedded with a summary of the whole table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, pairwise
from typing import ClassVar

from infograph.chunking.interface import ChunkPiece, Cutting, DocumentLayout, StrategyTools
from infograph.chunking.pieces.greedy_packing import counted_blocks, packed
from infograph.chunking.pieces.units import LONGEST_REPEAT, units
from infograph.chunking.tables.columns import Column, has_header, sentence, short, summary
from infograph.chunking.tables.csv_records import SAMPLE, CsvRecord, preamble, records, sniff
from infograph.chunking.tables.keyed_rows import HEADER, PlacedRow, RowKeys, key_of
from infograph.chunking.tables.markdown_tables import cut_tables
from infograph.chunking.tokens import TokenCounter
from infograph.errors import MOST_LINES, ConfigError, Notice, lines_named
from infograph.model import TABLES, Document, Fact, Facts, KeyedRows, is_markdown

_BATCH = 512
"""Number of records whose tokens are counted together."""
_HEADERS = ("auto", "yes", "no")


@dataclass(frozen=True, slots=True)
class Tabular:
    """The `tabular` strategy with its options. Other blocks of a Markdown document are packed into pieces."""

    maximum: int = 750
    """Most tokens of a piece; where it begins with a whole row, most tokens together with the repeated header."""
    group_by: str = ""
    """Name of a column: consecutive rows with the same value in it stay together."""
    sentences: bool = False
    """Whether to embed rows as `column: value; column: value.` instead of as they are written."""
    header: str = "auto"
    """Whether the first record names the columns: `yes`, `no`, or `auto`, unless it holds numbers or dates."""
    delimiter: str = ""
    """Character between cells; empty to detect it."""

    embeds: ClassVar[bool] = False
    extensions: ClassVar[tuple[str, ...]] = TABLES

    def __post_init__(self) -> None:
        if self.maximum < 1:
            raise ConfigError("strategies.tabular", f"maximum {self.maximum} is not positive")
        if self.header not in _HEADERS:
            raise ConfigError("strategies.tabular", f"header is `{self.header}`", f"Valid: {', '.join(_HEADERS)}")
        if len(self.delimiter) > 1 or self.delimiter in ('"', "\r", "\n"):
            raise ConfigError("strategies.tabular", f"delimiter {self.delimiter!r} is not one character beside quotes")

    @property
    def chunk_type(self) -> str:
        return "tabular"

    @property
    def key(self) -> str:
        chosen = (self.group_by, self.header, self.delimiter)
        digest = hashlib.sha256("\0".join(chosen).encode()).hexdigest()[:8]
        other = "" if chosen == ("", "auto", "") else f"-{digest}"
        return f"tabular{'-sentences' * self.sentences}{other}-{self.maximum}"

    def __call__(self, layout: DocumentLayout, tools: StrategyTools) -> Cutting:
        path = layout.document.path
        if is_markdown(path):
            keys = RowKeys()
            pieces = cut_tables(layout, tools.counter, self.maximum, self.group_by, self.sentences, keys)
            return Cutting(keys.kept(pieces), tuple(keys.notices(path, self.group_by)))
        lines = (layout.body[start:end] for start, end in pairwise(layout.starts))
        return self.cut(path, lines, len(layout.body), tools.counter)

    def cut(self, path: str, lines: Iterable[str], length: int, counter: TokenCounter) -> Cutting:
        """Cuts a file that is one table, holding only some of its lines at a time.

        lines:  lines with their ends, without a byte order mark
        length: characters of all lines together
        """
        table = TableProfile()
        delimiter = self.delimiter or ("\t" if path.lower().endswith(".tsv") else "")
        groups = row_groups(lines, replace(self, delimiter=delimiter), counter, table)
        pieces = sorted(groups, key=lambda piece: piece.start)
        if length and not pieces:
            pieces = [ChunkPiece(0, length)]  # blank lines
        return Cutting(table.keys.kept(pieces), (*table.notices(path, self), *table.keys.notices(path, self.group_by)))


@dataclass(slots=True)
class TableProfile:
    """What is known of a table after its records have been read."""

    columns: list[Column] = field(default_factory=list)
    rows: int = 0
    ragged: int = 0
    """Number of records with more or fewer cells than there are columns."""
    ragged_lines: list[int] = field(default_factory=list)
    """Line numbers of the first ragged records, 1-based."""
    broken: int = 0
    """Number of records whose quotes do not close."""
    broken_lines: list[int] = field(default_factory=list)
    keys: RowKeys = field(default_factory=RowKeys)
    """Values of the column by which rows are grouped."""

    def take(self, batch: Sequence[CsvRecord]) -> None:
        """Adds the next records to the statistics."""
        width = len(self.columns)
        self.rows += len(batch)
        for record in batch:
            self.note(record)
        even = [
            record.cells if len(record.cells) == width else [*record.cells, *[""] * width][:width] for record in batch
        ]
        for column, values in zip(self.columns, zip(*even, strict=True), strict=True):
            column.add(values)

    def note(self, record: CsvRecord) -> None:
        """Counts a record's faults."""
        if record.broken:
            self.broken += 1
            if len(self.broken_lines) < MOST_LINES:
                self.broken_lines.append(record.line + 1)
        if len(record.cells) != len(self.columns):
            self.ragged += 1
            if len(self.ragged_lines) < MOST_LINES:
                self.ragged_lines.append(record.line + 1)

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    def notices(self, path: str, options: Tabular) -> Iterator[Notice]:
        if self.ragged:
            reason = (
                f"rows that have not {len(self.columns)} cells, kept: {lines_named(self.ragged_lines, self.ragged)}"
            )
            yield Notice(path, "ragged", reason, self.ragged)
        if self.broken:
            reason = f"quotes that do not close, taken as text: {lines_named(self.broken_lines, self.broken)}"
            yield Notice(path, "quotes", reason, self.broken)
        if self.columns and options.group_by and options.group_by not in self.names:
            known = ", ".join(f"`{short(name)}`" for name in self.names)
            yield Notice(path, "group-by", f"there is no column `{options.group_by}`; there are {known}")


def row_groups(
    lines: Iterable[str], options: Tabular, counter: TokenCounter, table: TableProfile
) -> Iterator[ChunkPiece]:
    """Yields pieces of whole rows that tile a table's text, in one pass and constant memory.

    The pieces come in order, except that the first one comes last: it carries the summary of all rows. A text of
    blank lines has no piece.

    lines: lines of the table, with their ends, without a byte order mark
    table: filled with the statistics of the rows
    """
    source = iter(lines)
    sample = list(islice(source, SAMPLE))
    delimiter = options.delimiter or sniff(sample)
    reader = records(chain(sample, source), delimiter)
    above = list(islice(reader, preamble(sample, delimiter)))
    first = next(reader, None)
    if first is None:
        return
    headed = options.header == "yes" or (options.header == "auto" and has_header(first.cells))
    names = [" ".join(cell.split()) if headed else "" for cell in first.cells]
    table.columns = [Column(name or f"column {number}") for number, name in enumerate(names, 1)]
    group = table.names.index(options.group_by) if options.group_by in table.names else None
    if headed:
        table.note(first)
    packer = _Packer(options, counter, table, above, first if headed else None)
    pieces = _packed(reader if headed else chain((first,), reader), packer, table, group)
    opening = next(pieces)
    yield from pieces
    yield opening._replace(before=summary(table.columns, table.rows) + opening.before)


def _packed(rows: Iterator[CsvRecord], packer: _Packer, table: TableProfile, group: int | None) -> Iterator[ChunkPiece]:
    while batch := list(islice(rows, _BATCH)):
        table.take(batch)
        counts = packer.counter.count([record.text for record in batch])
        for record, tokens in zip(batch, counts, strict=True):
            value = record.cells[group] if group is not None and group < len(record.cells) else None
            yield from packer.add(record, tokens, value)
    yield from packer.finish()


@dataclass(slots=True)
class _Row:
    end: int
    tokens: int
    group: str | None
    """Value in the column `group_by`."""
    sentence: str


class _Packer:
    """The open piece of a table that is read row by row."""

    def __init__(
        self,
        options: Tabular,
        counter: TokenCounter,
        table: TableProfile,
        above: list[CsvRecord],
        header: CsvRecord | None,
    ) -> None:
        self.options = options
        self.counter = counter
        self.names = names = table.names
        self.keys = table.keys
        self.headed = header
        self.grouped = options.group_by in names
        self.start = 0
        self.opener = [*above, header] if header is not None else above
        """The header and the records above it, as long as they are in the open piece."""
        self.opener_tokens = sum(counter.count([record.text for record in self.opener]))
        self.rows: list[_Row] = []
        self.tokens = 0
        """Tokens of the rows in the open piece."""
        self.run = 0
        """Number of rows in the open piece before those with the last row's value in the column `group_by`."""
        self.number = 1
        """Number of the open piece's first row, 1-based."""
        self.continues = False
        text = header.text if header is not None else ""
        size = counter.count([text])[0]
        repeated = 2 * size <= options.maximum and len(text) <= LONGEST_REPEAT
        self.header = text.rstrip("\r\n") + "\n" if text and repeated else ""
        self.room = options.maximum - size if repeated else options.maximum
        """Most tokens of rows beside the header."""
        fits = sum(map(len, names)) <= LONGEST_REPEAT
        self.columns: Facts = (("columns", tuple(names)),) if fits else ()

    def add(self, record: CsvRecord, tokens: int, group: str | None) -> Iterator[ChunkPiece]:
        """Adds the next row; yields the pieces that it closes."""
        long = tokens > self.room
        if long:
            yield from self.close(len(self.rows))
        if not self.rows and (long or self.opener_tokens + tokens > self.options.maximum):
            yield from self.open()
        if long:
            yield from self.cut(record, 1, key_of(group))
            return
        if not self.grouped or not self.rows or group != self.rows[-1].group:
            self.run = len(self.rows)
        while self.rows and self.tokens + tokens > min(self.room, self.options.maximum - self.opener_tokens):
            yield from self.close(self.run or len(self.rows), within=self.grouped and self.run == 0)
        said = sentence(self.names, record.cells) if self.options.sentences else ""
        self.rows.append(_Row(record.end, tokens, group, said))
        self.tokens += tokens

    def finish(self) -> Iterator[ChunkPiece]:
        """Yields the last piece; for a table without rows, its header."""
        if self.rows:
            yield from self.close(len(self.rows))
        else:
            yield from self.open()

    def open(self) -> Iterator[ChunkPiece]:
        """Yields the header alone, with the records above it."""
        for record in self.opener:
            yield from self.cut(record, 0, HEADER if record is self.headed else None)
        self.opener, self.opener_tokens = [], 0

    def close(self, count: int, within: bool = False) -> Iterator[ChunkPiece]:
        """Yields a piece of the first rows.

        within: whether the next row has the same value in the column `group_by`
        """
        rows = self.rows[:count]
        if not rows:
            return
        del self.rows[:count]
        size = sum(row.tokens for row in rows)
        groups = tuple(dict.fromkeys(filter(None, (key_of(row.group) for row in rows))))
        embed = "\n".join(row.sentence for row in rows) + "\n" if self.options.sentences else None
        keyed = self._keyed(rows)
        yield self.piece(rows[-1].end, len(rows), size + self.opener_tokens, groups, embed)._replace(keyed=keyed)
        self.opener, self.opener_tokens = [], 0
        self.tokens -= size
        self.run = max(0, self.run - count)
        self.number += count
        self.continues = within

    def _keyed(self, rows: Sequence[_Row]) -> tuple[KeyedRows, ...]:
        """Returns which of the rows that the open piece begins with have a key."""
        if not self.grouped:
            return ()
        spans: list[PlacedRow] = [(HEADER, own.start, own.end) for own in self.opener if own is self.headed]
        at = self.opener[-1].end if self.opener else self.start
        for row in rows:
            spans.append((key_of(row.group), at, row.end))
            at = row.end
        return self.keys.keyed(0, self.start, spans)

    def cut(self, record: CsvRecord, rows: int, key: str | None) -> Iterator[ChunkPiece]:
        """Yields pieces of a row or a header that is too long or stands alone, cut between lines or inside of them.

        key: of the row or the header; None where it has none
        """
        layout = DocumentLayout(Document("", "", "", record.text), ())
        parts = packed(units(layout, counted_blocks(layout, self.counter), self.room, self.counter), self.room)
        for part in parts:
            self.continues = part.continues
            end = record.end if part is parts[-1] else record.start + part.end
            keyed = self.keys.keyed(0, self.start, [(key, self.start, end)] if self.grouped else ())
            yield self.piece(end, rows, part.tokens)._replace(keyed=keyed)
        self.number += rows
        self.continues = False

    def piece(
        self, end: int, rows: int, tokens: int | None, groups: tuple[str, ...] = (), embed: str | None = None
    ) -> ChunkPiece:
        facts: dict[str, Fact] = dict(self.columns)
        if rows:
            facts |= {"first_row": self.number, "last_row": self.number + rows - 1}
        if groups:
            facts["groups"] = groups
        start, self.start = self.start, end
        return ChunkPiece(
            start=start,
            end=end,
            continues=self.continues,
            before="" if self.opener or embed is not None else self.header,
            tokens=tokens,
            embed=embed,
            path=groups if len(groups) == 1 else None,
            facts=tuple(sorted(facts.items())),
        )
