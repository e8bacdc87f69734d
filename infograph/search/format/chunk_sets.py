"""Sets of chunks as bytes: which chunks of which pages, in some two bytes a page however many chunks it has.

    varint n          number of pages
    n varints         their slots, each as the difference from the one before (the first from 0)
    n masks           of each page a byte 0 where all of its chunks are in the set; else bits, the lowest for the page's
                      first chunk, seven to a byte, the high bit set on all bytes but the last

All chunks of a page stay a 0 when the page grows: what holds for whole documents changes with these alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from infograph.search.format.encoding import varint
from infograph.search.format.posting_shards import Cursor

WHOLE = 0
"""The mask of all chunks of a page; a set has no page without chunks."""


def encode_set(masks: Mapping[int, int]) -> bytes:
    """Encodes a set of chunks.

    masks: bits by the slots of pages, the lowest for the first chunk, or `WHOLE`
    """
    parts = [varint(len(masks))]
    before = 0
    for slot in sorted(masks):
        parts.append(varint(slot - before))
        before = slot
    parts += (varint(masks[slot]) for slot in sorted(masks))
    return b"".join(parts)


class ChunkSet:
    """A union of sets of chunks, as they were read. Masks stay bytes: what a file makes of memory is bounded by it."""

    def __init__(self) -> None:
        self._masks: dict[int, list[bytes]] = {}

    def __contains__(self, chunk: tuple[int, int]) -> bool:
        slot, index = chunk
        return any(_has(mask, index) for mask in self._masks.get(slot, ()))

    def chunks(self, counts: Mapping[int, int]) -> Iterator[tuple[int, int]]:
        """Yields the chunks of the set, slot and index.

        counts: number of chunks of each page, by its slot
        """
        for slot in filter(counts.__contains__, self._masks):
            yield from ((slot, index) for index in range(counts[slot]) if (slot, index) in self)

    def add(self, cursor: Cursor) -> None:
        """Reads a set and adds its chunks. Raises FormatError where it is cut off."""
        slots = []
        slot = 0
        for _ in range(cursor.number()):
            slot += cursor.number()
            slots.append(slot)
        for slot in slots:
            start = cursor.at
            while cursor.bytes(1)[0] & 128:
                pass
            self._masks.setdefault(slot, []).append(cursor.data[start : cursor.at])


def _has(mask: bytes, index: int) -> bool:
    place, bit = divmod(index, 7)
    return mask == b"\0" or (place < len(mask) and bool(mask[place] >> bit & 1))
