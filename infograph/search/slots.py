"""Ids of pages that depend on no history and hardly on each other.

A page's slot is the place of its path's hash in a table with 16 to 32 slots a page; a taken slot sends it to the next
free one, in the order of the hashes. So the slots are a function of the set of paths alone, a new page moves another
page's with a chance of some 5% (at such a load a probe seldom meets anything), and all of them change only when the
number of pages passes a power of two. Numbers in order of path would move half of all postings for a new page;
hashes themselves would cost three bytes more in each posting.
"""

from __future__ import annotations

from collections.abc import Iterable

SLOTS_PER_PAGE_BITS = 4
_MASK = 2**64 - 1


def text_hash(text: str) -> int:
    """64 bits: FNV-1a over the UTF-8 bytes, mixed by murmur3's finaliser fmix64, as for question hashes."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & _MASK
    value = (value ^ value >> 33) * 0xFF51AFD7ED558CCD & _MASK
    value = (value ^ value >> 33) * 0xC4CEB9FE1A85EC53 & _MASK
    return value ^ value >> 33


def slot_bits(pages: int) -> int:
    """Width of a slot: the next power of two above the number of pages, and four bits of air."""
    return pages.bit_length() + SLOTS_PER_PAGE_BITS


def assign_slots(paths: Iterable[str]) -> dict[str, int]:
    """Each page's slot. The last slots may overflow past the table's end rather than wrap around."""
    hashed = sorted((text_hash(path), path) for path in paths)
    bits = slot_bits(len(hashed))
    slots: dict[str, int] = {}
    free = 0
    for value, path in hashed:
        free = max(free, value >> (64 - bits))
        slots[path] = free
        free += 1
    return slots
