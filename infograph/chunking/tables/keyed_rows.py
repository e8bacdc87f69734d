"""Rows of a table by their key, the value in the column by which they are grouped: wherever they stand in the table.

Chunks tile a document, so rows are never moved: what belongs together is a unit, see `infograph.text.units`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from infograph.chunking.interface import ChunkPiece
from infograph.errors import Notice
from infograph.model import KeyedRows

MOST_KEYS = 1000
"""Most keys of a document of which there are units: a column of more values names its rows, and groups none."""
MOST_RUNS = 10_000
"""Most neighbouring rows of one key, as an index lists them all."""

HEADER = ""
"""What stands for a key of a table's header."""

PlacedRow = tuple[str | None, int, int]
"""A row: its key, `HEADER` of the header and None where it has none, and its offsets in the document."""


def key_of(value: str | None) -> str | None:
    """Returns the key that a cell is; None for one that says nothing."""
    return " ".join((value or "").split()) or None


def moved(rows: Iterable[KeyedRows], by: int) -> tuple[KeyedRows, ...]:
    """Returns rows that stand further behind in a text."""
    return tuple(row._replace(start=row.start + by, end=row.end + by) for row in rows)


@dataclass(slots=True)
class RowKeys:
    """The keys of a document's rows, as far as there are not too many."""

    known: set[tuple[int, str]] = field(default_factory=set)
    runs: int = 0

    @property
    def too_many(self) -> bool:
        """Whether there are no units of keys."""
        return len(self.known) > MOST_KEYS or self.runs > MOST_RUNS

    def keyed(self, table: int, start: int, rows: Iterable[PlacedRow]) -> tuple[KeyedRows, ...]:
        """Returns the rows of one piece that have a key; neighbours of one key are one.

        table: number of the table in the document
        start: offset of the piece in the document
        rows:  of the piece, in order
        """
        if self.too_many:
            return ()
        found: list[KeyedRows] = []
        for key, first, end in rows:
            if key is None:
                continue
            if found and (found[-1].key, found[-1].end) == (key, first - start):
                found[-1] = found[-1]._replace(end=end - start)
            else:
                found.append(KeyedRows(table, key, first - start, end - start))
        self.known |= {(table, row.key) for row in found if row.key != HEADER}
        self.runs += len(found)
        return tuple(found)

    def kept(self, pieces: Sequence[ChunkPiece]) -> list[ChunkPiece]:
        """Returns the pieces of a document, without keys where these are too many."""
        return [piece._replace(keyed=()) for piece in pieces] if self.too_many else list(pieces)

    def notices(self, path: str, column: str) -> Iterator[Notice]:
        """Yields a warning where there are too many keys."""
        if self.too_many:
            reason = (
                f"the rows of `{column}` are no units: of more than {MOST_KEYS:,} values, or in more than "
                f"{MOST_RUNS:,} places"
            )
            yield Notice(path, "group-by", reason)
