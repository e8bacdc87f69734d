"""Ids of pages that depend on no history and hardly on each other, and lie close for versions of one page.

A page's **family** is the last two parts of its path: those of a page's versions and translations are mostly the same
(`5.1/Core/Get-Item.md`, `7.4/Core/Get-Item.md`). A page's slot is the place of its family's hash in a table with 16
to 32 slots a page; a taken slot sends it to the next free one, in the order of the hashes. So the slots are a function
of the set of paths alone, a new page moves another family's with a chance of some 5% (at such a load a probe seldom
meets anything), and all of them change only when the number of pages passes a power of two. Versions have
neighbouring slots, in an order that is the same for every page: their postings are small differences, links between the
pages of a version are as far as those of another, and `GROUP` slots share their shards, where what was there before
costs next to nothing.

Numbers in order of path would move half of all postings for a new page; hashes themselves would cost three bytes more
in each posting.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

SLOTS_PER_PAGE_BITS = 4
GROUP = 32
"""Number of neighbouring slots whose blocks of the same number lie in one document shard and in one vector shard."""


def text_hash(text: str) -> int:
    """Returns 64 bits of BLAKE2b."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def family(path: str) -> str:
    """Returns the last two parts of a path."""
    return "/".join(path.split("/")[-2:])


def _version(path: str) -> str:
    """Returns what stands before a path's family."""
    return path.removesuffix(family(path))


def slot_bits(pages: int) -> int:
    """Returns the width of a slot: the bits of the number of pages, and four spare bits."""
    return pages.bit_length() + SLOTS_PER_PAGE_BITS


def assign_slots(paths: Iterable[str]) -> dict[str, int]:
    """Returns each page's slot, ascending. The order of two pages never depends on others. The last slots may overflow
    past the table's end rather than wrap around."""
    hashed = sorted((text_hash(family(path)), text_hash(_version(path)), path) for path in paths)
    bits = slot_bits(len(hashed))
    slots: dict[str, int] = {}
    free = 0
    for value, _, path in hashed:
        free = max(free, value >> (64 - bits))
        slots[path] = free
        free += 1
    return slots
