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

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from infograph.errors import FormatError
from infograph.search.dense import DenseList, quantised
from infograph.search.encoding import unzigzag, varint, varints, zigzag
from infograph.search.postings import ChunkIds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SparseList:
    """One term's postings as they are written."""

    df: int
    chunks: NDArray[np.int64]
    impacts: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Entry:
    """What a shard says of one term. A chunk is a pair of slot and index."""

    df: int
    sparse: tuple[tuple[int, int, int], ...] = ()
    """Slot, index, impact byte."""
    dense: tuple[tuple[int, int, float], ...] = ()
    """Slot, index, value in units of the table's products."""


def encode_entries(
    terms: list[str], sparse: list[SparseList], dense: list[DenseList], ids: ChunkIds
) -> Iterable[bytes]:
    """The entry of each term, in the order given."""
    import numpy as np

    chunks = np.concatenate(
        [np.zeros(0, np.int64), *(part for s, d in zip(sparse, dense, strict=True) for part in (s.chunks, d.chunks))]
    )
    sizes = [size for s, d in zip(sparse, dense, strict=True) for size in (len(s.chunks), len(d.chunks))]
    ends = np.cumsum([0, *sizes])
    slots, indexes = ids.slots[chunks], ids.indexes[chunks]
    before_slot = np.concatenate([[0], slots[:-1]])[: len(slots)]
    before_index = np.concatenate([[0], indexes[:-1]])[: len(slots)]
    first = np.zeros(len(slots) + 1, bool)
    first[ends[:-1]] = True
    first = first[: len(slots)]
    gaps = np.where(first, slots, slots - before_slot)
    steps = np.where(first | (gaps > 0), indexes, indexes - before_index - 1)
    gap_bytes, gap_starts = varints(gaps)
    step_bytes, step_starts = varints(steps)

    def columns(place: int) -> bytes:
        begin, end = ends[place], ends[place + 1]
        return gap_bytes[gap_starts[begin] : gap_starts[end]] + step_bytes[step_starts[begin] : step_starts[end]]

    for place, (term, s, d) in enumerate(zip(terms, sparse, dense, strict=True)):
        parts = [varint(s.df), varint(len(s.chunks)), varint(len(d.chunks))]
        values = b""
        if len(d.chunks):
            low, high, steps_ = quantised(d.values)
            parts += [varint(zigzag(low)), varint(zigzag(high))]
            values = steps_.tobytes()
        parts += [columns(2 * place), s.impacts.tobytes(), columns(2 * place + 1), values]
        rest = b"".join(parts)
        name = term.encode()
        yield b"".join([varint(len(name)), name, varint(len(rest)), rest])


class _Cursor:
    """Reads forward; a number or a slice beyond the end is a FormatError."""

    def __init__(self, data: bytes, place: str) -> None:
        self.data = data
        self.at = 0
        self.place = place

    def number(self) -> int:
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
        if size > len(self.data) - self.at:
            raise FormatError(self.place, f"{size} bytes are missing at byte {self.at}", "Build the site again")
        self.at += size
        return self.data[self.at - size : self.at]


def find_entries(data: bytes, wanted: set[str], place: str) -> dict[str, Entry]:
    """The entries of the wanted terms in an inflated shard; the others are stepped over."""
    cursor = _Cursor(data, place)
    found = {}
    while cursor.at < len(data):
        term = cursor.bytes(cursor.number()).decode("utf-8", "replace")
        rest = cursor.bytes(cursor.number())
        if term in wanted:
            found[term] = _entry(_Cursor(rest, place))
    return found


def _entry(cursor: _Cursor) -> Entry:
    df, sparse, dense = cursor.number(), cursor.number(), cursor.number()
    low, high = (unzigzag(cursor.number()), unzigzag(cursor.number())) if dense else (0, 0)
    kept = tuple((*chunk, byte) for chunk, byte in _columns(cursor, sparse))
    near = tuple((*chunk, low + byte * (high - low) / 255) for chunk, byte in _columns(cursor, dense))
    return Entry(df, kept, near)


def _columns(cursor: _Cursor, count: int) -> Iterable[tuple[tuple[int, int], int]]:
    gaps = [cursor.number() for _ in range(count)]
    steps = [cursor.number() for _ in range(count)]
    slot = index = 0
    for place, (gap, step, byte) in enumerate(zip(gaps, steps, cursor.bytes(count), strict=True)):
        index = step if gap or not place else index + step + 1
        slot += gap
        yield (slot, index), byte
