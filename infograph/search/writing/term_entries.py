"""The entries of a bundle's terms: those that changed since the last bundle are encoded, the others are kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from infograph.search.format.posting_shards import encode_entries
from infograph.search.format.ragged import sums
from infograph.search.writing.bundle_state import SearchState
from infograph.search.writing.page_table import PageTable
from infograph.search.writing.postings import Postings, strongest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ENCODED_AT_ONCE = 1 << 18
"""Postings that are encoded together: bounds the memory that their arrays take."""


@dataclass(frozen=True, slots=True)
class Merge:
    """The state of the last bundle, and the pages and postings of this one."""

    old: SearchState
    pages: PageTable
    postings: Postings
    moved: NDArray[np.int32]
    """Place of each old term among the terms of this bundle; -1 for a removed term."""


@dataclass(frozen=True, slots=True)
class TermEntries:
    """The entries of all terms."""

    entries: tuple[bytes, ...]
    """Encoded entry of each term."""
    touched: NDArray[np.bool_]
    """Whether each term's entry may differ from that in the last bundle."""


def updated_entries(merge: Merge, most: int) -> TermEntries:
    """Returns the entries after pages were removed and added; each has `most` postings at the most."""
    touched = _touched(merge)
    entries = [b""] * len(merge.postings.terms)
    for place, entry in zip(merge.moved.tolist(), merge.old.entries, strict=True):
        if place >= 0:
            entries[place] = entry
    for place, entry in _encoded(merge.pages, merge.postings, touched, most):
        entries[place] = entry
    return TermEntries(tuple(entries), touched)


def _touched(merge: Merge) -> NDArray[np.bool_]:
    """Flags the terms whose entries name a chunk that was added, removed or renumbered."""
    import numpy as np

    old, pages, postings = merge.old, merge.pages, merge.postings
    touched = np.zeros(len(postings.terms), bool)
    touched[postings.having(pages.stale)] = True
    gone = merge.moved[old.postings.having(pages.was_stale)]
    touched[gone[gone >= 0]] = True
    return touched


def _encoded(
    pages: PageTable, postings: Postings, touched: NDArray[np.bool_], most: int
) -> Iterator[tuple[int, bytes]]:
    """Yields the place of each touched term and its entry."""
    import numpy as np

    chosen = np.flatnonzero(touched)
    parts = np.cumsum(postings.frequencies[chosen]) // ENCODED_AT_ONCE
    for part in np.split(chosen, np.flatnonzero(np.diff(parts)) + 1):
        some = postings.taken(part)
        stays = strongest(some, most)
        columns = pages.columns(sums(stays, some.frequencies), some.chunks[stays], some.impacts[stays])
        made = encode_entries([term.encode() for term in some.terms], some.frequencies, columns)
        yield from zip(part.tolist(), made, strict=True)
