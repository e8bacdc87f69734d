"""Columns: which chunks have which values of a field, inverted as postings are, so that a filter reads what it names.

The manifest names one directory of fields (JSON), and that the files of each field:

    text, flag      shards by hash of the value, of entries: varint length of the value, the value in UTF-8, varint
                    length of the rest; and the rest: varint 2 × chunks that have it, plus 1 where the set that follows
                    is of those that do not
    number, date    files of the values in ascending order, each: the set of the chunks whose value is below all of the
                    file's; and entries: eight bytes of the value (IEEE 754, little endian), then as above
    exists          a file that is the set of the chunks that have any value; none where all chunks have one, nor where
                    the field has one file

Sets are those of `chunk_sets.py`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from infograph.errors import FormatError
from infograph.formats.codec import DecodeError, decode
from infograph.formats.search_fields import FLAG, TEXT, TYPES
from infograph.search.format.bundle_manifest import BoundedCount, BoundedPositive, ShardTable
from infograph.search.format.chunk_sets import ChunkSet
from infograph.search.format.layout import split_names
from infograph.search.format.posting_shards import Cursor

KIND = "c"
"""First letter of the names of the files of columns."""
DOUBLE = struct.Struct("<d")
SHOWN = 10
"""Most frequent values of a field that the directory lists."""


@dataclass(frozen=True, slots=True)
class NumberFile:
    """A file of values in ascending order."""

    least: float
    """The least of its values."""
    name: str


@dataclass(frozen=True, slots=True)
class FrequentValue:
    """A value of a field that many chunks have."""

    value: str
    chunks: BoundedPositive
    """Number of chunks that have it."""


@dataclass(frozen=True, slots=True)
class FieldColumn:
    """What the directory says of one field."""

    type: str
    values: BoundedCount = 0
    """Number of distinct values."""
    chunks: BoundedCount = 0
    """Number of chunks that have one."""
    everywhere: bool = False
    """Whether all chunks of the site have one."""
    exists: str = ""
    """Name of the file of the chunks that have one; empty where all have one, and where one file has all values."""
    shards: ShardTable = field(default_factory=lambda: ShardTable(0))
    """The files of texts and flags."""
    frequent: tuple[FrequentValue, ...] = ()
    """The most frequent texts, `SHOWN` at most, the most frequent first."""
    files: tuple[NumberFile, ...] = ()
    """The files of numbers and dates."""
    most: float = 0.0
    """The greatest number; the least is that of the first file."""

    @property
    def only_file(self) -> str:
        """Name of the file that has all values; empty where there are several."""
        names = [name for name in split_names(self.shards.names) if name] or [file.name for file in self.files]
        return names[0] if len(names) == 1 and not self.shards.directories else ""


@dataclass(frozen=True, slots=True)
class FieldDirectory:
    """The fields of a site that can be filtered by."""

    fields: dict[str, FieldColumn]


def read_directory(name: str, value: Any) -> Mapping[str, FieldColumn]:
    """Returns the columns of the directory of fields. Raises FormatError for one that is malformed."""
    try:
        fields = decode(FieldDirectory, value).fields
    except DecodeError as error:
        raise FormatError(name, f"no directory of fields: {error.placed}") from None
    for field_name, column in fields.items():
        whole = column.shards.whole() if column.type in (TEXT, FLAG) and column.values else True
        if column.type not in TYPES or not whole:
            raise FormatError(name, f"no directory of fields: {field_name!r} is not described as fields are")
    return fields


@dataclass(frozen=True, slots=True)
class ValueSet:
    """The chunks that have a value."""

    chunks: int
    """Number of chunks."""
    listed: ChunkSet
    """Chunks that have the value, or with `inverted` those that do not."""
    inverted: bool

    def __contains__(self, chunk: tuple[int, int]) -> bool:
        return (chunk in self.listed) != self.inverted

    def all(self, counts: Mapping[int, int]) -> Iterator[tuple[int, int]]:
        """Yields the chunks that have the value, slot and index.

        counts: number of chunks of each page of the site, by its slot
        """
        if not self.inverted:
            yield from self.listed.chunks(counts)
            return
        for slot, count in counts.items():
            yield from ((slot, index) for index in range(count) if (slot, index) not in self.listed)


def _value_set(cursor: Cursor) -> ValueSet:
    count, inverted = divmod(cursor.number(), 2)
    listed = ChunkSet()
    listed.add(cursor)
    return ValueSet(count, listed, bool(inverted))


def texts_in(data: bytes, name: str, wanted: frozenset[str] | None = None) -> dict[str, ValueSet]:
    """Returns the chunks of the wanted values in a shard, or of all of them. Raises FormatError."""
    cursor = Cursor(data, name)
    found = {}
    while cursor.at < len(data):
        value = cursor.bytes(cursor.number()).decode("utf-8", "replace")
        rest = cursor.bytes(cursor.number())
        if wanted is None or value in wanted:
            found[value] = _value_set(Cursor(rest, name))
    return found


def numbers_in(data: bytes, name: str) -> tuple[ChunkSet, list[tuple[float, ValueSet]]]:
    """Returns the chunks below the values of a file of numbers, and its values with their chunks. Raises
    FormatError."""
    cursor = Cursor(data, name)
    below = ChunkSet()
    below.add(cursor)
    found = []
    while cursor.at < len(data):
        (value,) = DOUBLE.unpack(cursor.bytes(DOUBLE.size))
        found.append((value, _value_set(Cursor(cursor.bytes(cursor.number()), name))))
    return below, found
