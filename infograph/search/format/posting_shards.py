"""Posting shards: entries of terms, sorted by the terms' UTF-8 bytes, each term in the shard its hash says.

An entry: varint length of the term, the term in UTF-8, varint length of the rest, and the rest:

    varint df, varint s, varint d       document frequency (chunks); postings kept: sparse, dense
    zigzag low, zigzag high             only where d > 0: values of the dense bytes 0 and 255, as signed varints
    s varints, s varints, s bytes       sparse: slots, indexes, impacts
    d varints, d varints, d bytes       dense: slots, indexes, values

Slots are differences from the posting before (the first from 0). An index is the difference from the posting before
less 1 where the slot is the same, and the index itself where it is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from infograph.errors import FormatError
from infograph.search.format.encoding import unzigzag, varint, varints, zigzags
from infograph.search.format.ragged import places_in, starts_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class TermEntry:
    """The postings of one term. A chunk is a pair of slot and index."""

    df: int
    """Document frequency: number of chunks that have the term."""
    sparse: tuple[tuple[int, int, int], ...] = ()
    """Chunks that have the term: slot, index, impact byte."""
    dense: tuple[tuple[int, int, float], ...] = ()
    """Chunks near the term: slot, index, value in units of the term table's products."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Posting lists of one kind, sparse or dense: those of all terms, one after the other."""

    lengths: NDArray[np.int64]
    slots: NDArray[np.int64]
    indexes: NDArray[np.int64]
    values: NDArray[np.uint8]


def encode_entries(
    terms: Sequence[bytes],
    frequencies: NDArray[np.int64],
    sparse: Columns,
    dense: Columns,
    bounds: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> list[bytes]:
    """Encodes the entry of each term, in the order given. `bounds`: the values that dense bytes 0 and 255 stand for."""
    import numpy as np

    some = dense.lengths > 0
    numbers = np.column_stack([frequencies, sparse.lengths, dense.lengths, *map(zigzags, bounds)])
    has = np.column_stack([np.ones((len(terms), 3), bool), some, some])
    data, starts = varints(numbers[has])
    heads = _cuts(data, starts[starts_of(3 + 2 * some)])
    lists = (heads, *_column_bytes(sparse), *_column_bytes(dense))
    entries = []
    for term, *parts in zip(terms, *lists, strict=True):
        rest = b"".join(parts)
        entries.append(b"".join([varint(len(term)), term, varint(len(rest)), rest]))
    return entries


def _column_bytes(columns: Columns) -> tuple[Iterator[bytes], Iterator[bytes], Iterator[bytes]]:
    """Encodes each list's slots, indexes and values."""
    import numpy as np

    first = places_in(columns.lengths) == 0
    gaps = np.where(first, columns.slots, np.diff(columns.slots, prepend=0))
    anew = first | (gaps > 0)
    steps = np.where(anew, columns.indexes, np.diff(columns.indexes, prepend=0) - 1)
    ends = starts_of(columns.lengths)
    slots, slot_starts = varints(gaps)
    indexes, index_starts = varints(steps)
    return _cuts(slots, slot_starts[ends]), _cuts(indexes, index_starts[ends]), _cuts(columns.values.tobytes(), ends)


def _cuts(data: bytes, ends: NDArray[np.int64]) -> Iterator[bytes]:
    return (data[begin:end] for begin, end in pairwise(ends.tolist()))


class Cursor:
    """Reads bytes forward; raises FormatError for a number or a slice beyond the end."""

    def __init__(self, data: bytes, place: str) -> None:
        if not isinstance(data, bytes):  # a manifest may lead to a file that holds JSON
            raise FormatError(place, "not a shard of bytes", "Build the site again")
        self.data = data
        self.at = 0
        self.place = place

    def number(self) -> int:
        """Reads one varint."""
        value = shift = 0
        while True:
            if self.at >= len(self.data) or shift > 56:
                raise FormatError(self.place, f"a number is cut off at byte {self.at}", "Build the site again")
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def bytes(self, size: int) -> bytes:
        """Reads the next `size` bytes."""
        if size > len(self.data) - self.at:
            raise FormatError(self.place, f"{size} bytes are missing at byte {self.at}", "Build the site again")
        self.at += size
        return self.data[self.at - size : self.at]


def find_entries(data: bytes, wanted: set[str], place: str) -> dict[str, TermEntry]:
    """Returns the entries of the wanted terms in an inflated shard; others are skipped. Raises FormatError."""
    cursor = Cursor(data, place)
    found = {}
    while cursor.at < len(data):
        term = cursor.bytes(cursor.number()).decode("utf-8", "replace")
        rest = cursor.bytes(cursor.number())
        if term in wanted:
            found[term] = _entry(Cursor(rest, place))
    return found


def _entry(cursor: Cursor) -> TermEntry:
    df, sparse, dense = cursor.number(), cursor.number(), cursor.number()
    low, high = (unzigzag(cursor.number()), unzigzag(cursor.number())) if dense else (0, 0)
    kept = tuple((*chunk, byte) for chunk, byte in _columns(cursor, sparse))
    near = tuple((*chunk, low + byte * (high - low) / 255) for chunk, byte in _columns(cursor, dense))
    return TermEntry(df, kept, near)


def _columns(cursor: Cursor, count: int) -> Iterable[tuple[tuple[int, int], int]]:
    gaps = [cursor.number() for _ in range(count)]
    steps = [cursor.number() for _ in range(count)]
    slot = index = 0
    for place, (gap, step, byte) in enumerate(zip(gaps, steps, cursor.bytes(count), strict=True)):
        index = step if gap or not place else index + step + 1
        slot += gap
        yield (slot, index), byte
