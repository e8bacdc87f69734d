"""The entries of a bundle's terms: those that changed since the last bundle are encoded, the others are kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from infograph.search.format.posting_shards import encode_entries
from infograph.search.format.ragged import owners_at, sums
from infograph.search.format.term_table import TermTable
from infograph.search.writing import dense
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.bundle_state import SearchState
from infograph.search.writing.dense import DenseLists, near_values, quantised
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
    """The entries of all terms, and what they are made of."""

    entries: tuple[bytes, ...]
    """Encoded entry of each term; empty for a term without postings."""
    touched: NDArray[np.bool_]
    """Whether each term's entry may differ from that in the last bundle."""
    scored: NDArray[np.int64]
    """Places of the terms that have a row in the term table."""
    rows: NDArray[np.int8]
    """The rows of the scored terms."""
    lists: DenseLists
    """The dense lists of the scored terms."""


def updated_entries(merge: Merge, table: TermTable | None, options: SearchOptions, threads: int) -> TermEntries:
    """Returns the entries after pages were removed and added.

    table: None where it is of another language than the pages; there are no dense lists then
    """
    import numpy as np

    old, pages, postings = merge.old, merge.pages, merge.postings
    scored, rows, kept = _rows(merge, table)
    caps = _caps(options, len(pages.vectors))
    on_site = postings.frequencies[scored] > 0
    most = np.where(on_site, *caps)
    lists, differ = dense.updated(kept, pages.numbers, rows, pages.vectors, pages.fresh, most, threads)
    touched = _touched(merge, scored, lists)
    touched[scored[differ]] = True
    if caps != _caps(options, len(old.vectors)):
        touched[scored] = True
    entries = [b""] * len(postings.terms)
    for place, entry in zip(merge.moved.tolist(), old.entries, strict=True):
        if place >= 0:
            entries[place] = entry
    near = lists
    if table:
        least = np.where(on_site, options.least_dense, options.least_dense_absent)
        near = lists.above(near_values(rows, least / table.vector_unit))
    for place, entry in _entries(pages, postings, scored, near, most, touched, options.most_sparse):
        entries[place] = entry
    return TermEntries(tuple(entries), touched, scored, rows, lists)


def _touched(merge: Merge, scored: NDArray[np.int64], lists: DenseLists) -> NDArray[np.bool_]:
    """Flags the terms whose entries name a chunk that was added, removed or renumbered."""
    import numpy as np

    old, pages, postings = merge.old, merge.pages, merge.postings
    touched = np.zeros(len(postings.terms), bool)
    touched[postings.having(pages.stale)] = True
    touched[scored[owners_at(lists.lengths, pages.stale[lists.chunks])]] = True
    gone = merge.moved[old.postings.having(pages.was_stale)]
    touched[gone[gone >= 0]] = True
    return touched


def _caps(options: SearchOptions, chunks: int) -> tuple[int, int]:
    """Returns how many chunks a dense list may have: that of a term that the site has, and that of another term.

    On a small site these are a quarter and a sixteenth of all chunks, since what is near to any word is not near. The
    number of chunks counts as the power of two below it: when that changes, all lists do.
    """
    some = 1 << chunks.bit_length() >> 1
    return min(options.most_dense, some // 4), min(options.most_dense_absent, some // 16)


def _rows(merge: Merge, table: TermTable | None) -> tuple[NDArray[np.int64], NDArray[np.int8], DenseLists]:
    """Returns the terms that have a row, their rows, and the lists of the last bundle; those of new terms are empty."""
    import numpy as np

    old, postings, moved = merge.old, merge.postings, merge.moved
    places = moved[old.scored]
    stays = places >= 0
    is_fresh = np.full(len(postings.terms), table is not None)
    is_fresh[moved[moved >= 0]] = False
    fresh = np.flatnonzero(is_fresh)
    found = np.zeros((0, old.rows.shape[1]), np.int8)
    if table:
        found = table.rows([postings.terms[place] for place in fresh.tolist()])
    some = found.any(axis=1)
    scored = np.sort(np.concatenate([places[stays], fresh[some]]))
    before, added = np.searchsorted(scored, places[stays]), np.searchsorted(scored, fresh[some])
    rows = np.empty((len(scored), old.rows.shape[1]), np.int8)
    rows[before], rows[added] = old.rows[stays], found[some]
    kept = old.dense.taken(np.flatnonzero(stays))
    lengths = np.zeros(len(scored), np.int64)
    lengths[before] = kept.lengths
    return scored, rows, DenseLists(lengths, kept.chunks, kept.values)


def _entries(
    pages: PageTable,
    postings: Postings,
    scored: NDArray[np.int64],
    lists: DenseLists,
    most: NDArray[np.int64],
    touched: NDArray[np.bool_],
    most_sparse: int,
) -> Iterator[tuple[int, bytes]]:
    """Yields the place of each touched term and its entry, which is empty for a term without postings."""
    import numpy as np

    list_of = np.full(len(postings.terms), -1, np.int64)
    list_of[scored] = np.arange(len(scored))
    near = np.zeros(len(postings.terms), np.int64)
    near[scored] = np.minimum(lists.lengths, most)
    yield from ((place, b"") for place in np.flatnonzero(touched & (postings.frequencies + near == 0)).tolist())
    chosen = np.flatnonzero(touched & (postings.frequencies + near > 0))
    parts = np.cumsum((postings.frequencies + near)[chosen]) // ENCODED_AT_ONCE
    for part in np.split(chosen, np.flatnonzero(np.diff(parts)) + 1):
        some = postings.taken(part)
        stays = strongest(some, most_sparse)
        sparse = pages.columns(sums(stays, some.frequencies), some.chunks[stays], some.impacts[stays])
        has = np.flatnonzero(list_of[part] >= 0)
        found = lists.taken(list_of[part[has]]).best(most[list_of[part[has]]])
        lengths, low, high = np.zeros((3, len(part)), np.int64)
        lengths[has] = found.lengths
        low[has], high[has], values = quantised(found)
        columns = pages.columns(lengths, found.chunks, values)
        terms = [term.encode() for term in some.terms]
        made = encode_entries(terms, some.frequencies, sparse, columns, (low, high))
        yield from zip(part.tolist(), made, strict=True)
