"""The entries of a bundle's terms: those in shards that changed since the last bundle are encoded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from infograph.search.format.posting_shards import encode_entries
from infograph.search.format.ragged import parts_of, starts_of, sums
from infograph.search.writing.bundle_state import SearchState
from infograph.search.writing.page_table import PageTable
from infograph.search.writing.postings import Postings, strongest
from infograph.search.writing.room import IN_MEMORY, Room

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ENCODED_AT_ONCE = 250_000
"""Postings that are encoded together: bounds the memory that their arrays take."""


@dataclass(frozen=True, slots=True)
class Merge:
    """The state of the last bundle, and the pages and postings of this one."""

    old: SearchState
    pages: PageTable
    postings: Postings
    moved: NDArray[np.int32]
    """Place of each old term among the terms of this bundle; -1 for a removed term."""


class TermEntries:
    """The entries of all terms; each has `most` postings at the most.

    Those of terms in shards that did not change are not needed, and encoded only when they are asked for: their sizes
    are remembered.
    """

    def __init__(self, merge: Merge, most: int, room: Room = IN_MEMORY) -> None:
        import numpy as np

        self._pages = merge.pages
        self._postings = merge.postings
        self._most = most
        self._made = room.tape()
        """Entries, one after the other."""
        self.touched = _touched(merge)
        """Whether each term's entry may differ from that in the last bundle."""
        self._starts = np.full(len(self.touched), -1, np.int64)
        """Where each entry begins that was encoded; -1 for others."""
        self.sizes = np.zeros(len(self.touched), np.int64)
        """Bytes of each entry."""
        stays = merge.moved >= 0
        self.sizes[merge.moved[stays]] = merge.old.entry_sizes[stays]
        self._encode(np.flatnonzero(self.touched))

    def shards(self, parts: Sequence[Sequence[int]]) -> Iterator[bytes]:
        """Yields the entries at some places, joined, for each part."""
        import numpy as np

        needed = np.zeros(len(self._starts), bool)
        for places in parts:
            needed[places] = True
        self._encode(np.flatnonzero(needed & (self._starts < 0)))
        for places in parts:
            starts = self._starts[places]
            ends = starts + self.sizes[places]
            yield b"".join(map(self._made.read, starts.tolist(), ends.tolist()))

    def _encode(self, chosen: NDArray[np.int64]) -> None:
        """Encodes the entries of chosen terms, which ascend."""
        for begin, end in parts_of(self._postings.frequencies[chosen], ENCODED_AT_ONCE):
            part = chosen[begin:end]
            some = self._postings.taken(part)
            stays = strongest(some, self._most)
            chunks, impacts = some.chunks[:][stays], some.impacts[:][stays]
            columns = self._pages.columns(sums(stays, some.frequencies), chunks, impacts)
            made = encode_entries([term.encode() for term in some.terms], some.frequencies, columns)
            self.sizes[part] = list(map(len, made))
            self._starts[part] = len(self._made) + starts_of(self.sizes[part])[:-1]
            self._made.append(b"".join(made))


def _touched(merge: Merge) -> NDArray[np.bool_]:
    """Flags the terms whose entries name a chunk that was added, removed or renumbered."""
    import numpy as np

    old, pages, postings = merge.old, merge.pages, merge.postings
    touched = np.zeros(len(postings.terms), bool)
    touched[postings.having(pages.stale)] = True
    gone = merge.moved[old.postings.having(pages.was_stale)]
    touched[gone[gone >= 0]] = True
    return touched
