"""Posting shards: entries of terms, sorted by the terms' UTF-8 bytes, each term in the shard its hash says.

An entry: varint length of the term, the term in UTF-8, varint length of the rest, and the rest:

    varint df, varint n                 document frequency (chunks), number of postings kept
    n varints, n varints                slots, indexes
    n bytes, ⌈n / 4⌉ bytes              impacts: the low byte of each, then the two bits above it, four to a byte, the
                                        first lowest

Slots are differences from the posting before (the first from 0). An index is the difference from the posting before
less 1 where the slot is the same, and the index itself where it is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from infograph.errors import FormatError
from infograph.search.format.encoding import varint, varints
from infograph.search.format.impact import FIELD_BITS
from infograph.search.format.ragged import places_in, starts_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PACKED = 8 // FIELD_BITS
"""Postings whose fields are in one byte."""
FIELD_MASK = (1 << FIELD_BITS) - 1


@dataclass(frozen=True, slots=True)
class TermEntry:
    """The postings of one term. A chunk is a pair of slot and index."""

    df: int
    """Document frequency: number of chunks that have the term."""
    postings: tuple[tuple[int, int, int], ...] = ()
    """Chunks that have the term, or the strongest of them: slot, index, impact."""
    weight: float = 1.0
    """How much the term counts in a query."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Posting lists of some terms, one after the other."""

    lengths: NDArray[np.int64]
    slots: NDArray[np.int64]
    indexes: NDArray[np.int64]
    impacts: NDArray[np.uint16]


def encode_entries(terms: Sequence[bytes], frequencies: NDArray[np.int64], postings: Columns) -> list[bytes]:
    """Encodes the entry of each term, in the order given."""
    import numpy as np

    data, starts = varints(np.column_stack([frequencies, postings.lengths]).ravel())
    heads = _cuts(data, starts[::2])
    entries = []
    for term, *parts in zip(terms, heads, *_column_bytes(postings), strict=True):
        rest = b"".join(parts)
        entries.append(b"".join([varint(len(term)), term, varint(len(rest)), rest]))
    return entries


def _column_bytes(columns: Columns) -> tuple[Iterator[bytes], ...]:
    """Encodes each list's slots, indexes, impacts and fields."""
    import numpy as np

    places = places_in(columns.lengths)
    first = places == 0
    gaps = np.where(first, columns.slots, columns.slots - np.roll(columns.slots, 1))
    anew = first | (gaps > 0)
    steps = np.where(anew, columns.indexes, columns.indexes - np.roll(columns.indexes, 1) - 1)
    ends = starts_of(columns.lengths)
    slots, slot_starts = varints(gaps)
    indexes, index_starts = varints(steps)
    packed_ends = starts_of(-(-columns.lengths // PACKED))
    packed = np.zeros(packed_ends[-1], np.int64)
    fields = (columns.impacts >> 8).astype(np.int64) << FIELD_BITS * (places % PACKED)
    np.add.at(packed, np.repeat(packed_ends[:-1], columns.lengths) + places // PACKED, fields)
    return (
        _cuts(slots, slot_starts[ends]),
        _cuts(indexes, index_starts[ends]),
        _cuts((columns.impacts & 255).astype(np.uint8).tobytes(), ends),
        _cuts(packed.astype(np.uint8).tobytes(), packed_ends),
    )


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
    df, count = cursor.number(), cursor.number()
    gaps = [cursor.number() for _ in range(count)]
    steps = [cursor.number() for _ in range(count)]
    low, fields = cursor.bytes(count), cursor.bytes(-(-count // PACKED))
    slot = index = 0
    found = []
    for place, (gap, step, impact) in enumerate(zip(gaps, steps, low, strict=True)):
        index = step if gap or not place else index + step + 1
        slot += gap
        found.append((slot, index, impact | (fields[place // PACKED] >> FIELD_BITS * (place % PACKED) & 3) << 8))
    return TermEntry(df, tuple(found))
