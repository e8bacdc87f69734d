"""The inverted index: for each term the chunks that have it, in the order of slot and index."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from infograph.search.format.impact import REFERENCE_LENGTH, saturation
from infograph.search.format.ragged import owners_at, places_in, spread, starts_of, sums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_AT_ONCE = 1_000_000
"""Postings that are merged together: bounds the memory that a merge takes beside its result."""


class Listed(Protocol):
    """The postings of one page, of its terms or of their forms: see `PageIndex`."""

    @property
    def terms(self) -> bytes: ...
    @property
    def frequencies(self) -> NDArray[np.unsignedinteger]: ...
    @property
    def chunks(self) -> NDArray[np.unsignedinteger]: ...
    @property
    def impacts(self) -> NDArray[np.unsignedinteger]: ...


@dataclass(frozen=True, slots=True)
class Postings:
    """Terms and the chunks that have them. A chunk is given by its number in one build."""

    terms: tuple[str, ...]
    """Terms, sorted by code point."""
    frequencies: NDArray[np.int64]
    """Number of chunks that have each term."""
    chunks: NDArray[np.int32]
    """The chunks that have a term, term after term, ascending in each."""
    impacts: NDArray[np.uint16]
    """The impact of each posting, see `impact.py`."""

    @classmethod
    def none(cls) -> Postings:
        """Returns postings without terms."""
        import numpy as np

        return cls((), np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.uint16))

    def taken(self, chosen: NDArray[np.int64]) -> Postings:
        """Returns the postings of some terms, in the order chosen."""
        _, index = spread(self.frequencies, chosen)
        terms = tuple([self.terms[place] for place in chosen.tolist()])
        return Postings(terms, self.frequencies[chosen], self.chunks[index], self.impacts[index])

    def having(self, chunks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Returns the places of the terms that occur in flagged chunks, ascending."""
        return owners_at(self.frequencies, chunks[self.chunks])


def merged(
    old: Postings, numbers: NDArray[np.int32], pages: Iterable[tuple[int, Listed]]
) -> tuple[Postings, NDArray[np.int32]]:
    """Returns the postings after pages were removed and added, and each old term's new place, -1 for a removed term.

    numbers: for each old chunk its number now, -1 for a chunk that is gone; ascending
    pages:   the new pages, each with the number of its first chunk; ascending; iterated over several times

    No 64-bit number is held for each posting: a site of a million chunks has some sixty million postings.
    """
    import numpy as np

    kept = numbers[old.chunks]
    stays = kept >= 0
    known = _Numbers(zip(old.terms, range(len(old.terms)), strict=True))
    found = [_numbered(page, known) for _, page in pages]

    left = np.zeros(len(known), np.int64)
    left[: len(old.terms)] = sums(stays, old.frequencies)
    added = np.zeros(len(known), np.int64)
    for (_, page), numbered in zip(pages, found, strict=True):
        added[numbered] += page.frequencies
    alive = left + added > 0
    names = list(known)
    order = np.array(sorted(np.flatnonzero(alive).tolist(), key=names.__getitem__), np.int64)
    places = np.full(len(known), -1, np.int32)
    places[order] = np.arange(len(order))

    placed = ((first, page, places[numbered]) for (first, page), numbered in zip(pages, found, strict=True))
    new = _turned(placed, added[order])
    chunks, impacts = _joined((kept[stays], old.impacts[stays]), left[order], new, added[order])
    terms = tuple([names[place] for place in order.tolist()])
    return Postings(terms, (left + added)[order], chunks, impacts), places[: len(old.terms)]


class _Numbers(dict[str, int]):
    """Numbers terms in the order in which they are first looked up."""

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self)
        return number


def _numbered(page: Listed, known: _Numbers) -> NDArray[np.int32]:
    import numpy as np

    terms = page.terms.decode().split("\n")[:-1]
    return np.fromiter(map(known.__getitem__, terms), np.int32, len(terms))


ChunksAndImpacts = tuple["NDArray[np.int32]", "NDArray[np.uint16]"]
"""Chunks and impacts of postings, term after term."""


def _turned(pages: Iterable[tuple[int, Listed, NDArray[np.int32]]], frequencies: NDArray[np.int64]) -> ChunksAndImpacts:
    """Sorts the postings of pages by term: a counting sort. Pages come with the places of their terms."""
    import numpy as np

    free = starts_of(frequencies)[:-1]
    chunks, impacts = np.empty(int(frequencies.sum()), np.int32), np.empty(int(frequencies.sum()), np.uint16)
    for first, page, places in pages:
        lengths = page.frequencies.astype(np.int64)
        target = np.repeat(free[places], lengths) + places_in(lengths)
        chunks[target] = page.chunks.astype(np.int32) + np.int32(first)
        impacts[target] = page.impacts
        free[places] += lengths
    return chunks, impacts


def _joined(
    old: ChunksAndImpacts, left: NDArray[np.int64], new: ChunksAndImpacts, added: NDArray[np.int64]
) -> ChunksAndImpacts:
    """Merges two sets of postings, each term's ascending by chunk.

    left, added: for each term, the number of its old and of its new postings
    """
    import numpy as np

    before, come = old[0], new[0]
    if not len(before):
        return new
    starts, is_new = starts_of(left), np.zeros(len(before) + len(come), bool)
    for first in range(0, len(come), _AT_ONCE):
        chunks = come[first : first + _AT_ONCE]
        owners = np.searchsorted(starts_of(added), np.arange(first, first + len(chunks)), "right") - 1
        low, high = starts[owners], starts[owners + 1]
        open_ = np.flatnonzero(low < high)
        while len(open_):  # a binary search for each, in its own term
            middle = (low[open_] + high[open_]) // 2
            after = before[middle] < chunks[open_]
            low[open_[after]] = middle[after] + 1
            high[open_[~after]] = middle[~after]
            open_ = open_[low[open_] < high[open_]]
        is_new[low + np.arange(first, first + len(chunks))] = True
    chunks, impacts = np.empty(len(is_new), np.int32), np.empty(len(is_new), np.uint16)
    chunks[is_new], impacts[is_new] = new
    chunks[~is_new], impacts[~is_new] = old
    return chunks, impacts


def strongest(postings: Postings, most: int) -> NDArray[np.bool_]:
    """Flags the postings that are kept: of each term the `most` best by their part of the score at a fixed average
    length, so that the choice depends on no other term and no total; ties go to the earlier chunk."""
    import numpy as np

    _, ranks = np.unique(-saturation(REFERENCE_LENGTH), return_inverse=True)
    stays = np.ones(len(postings.chunks), bool)
    starts = starts_of(postings.frequencies)
    for term in np.flatnonzero(postings.frequencies > most).tolist():
        place = slice(starts[term], starts[term + 1])
        found = ranks[postings.impacts[place]]
        last = int(np.searchsorted(np.cumsum(np.bincount(found)), most))
        better = found < last
        ties = np.flatnonzero(found == last)
        better[ties[: most - int(better.sum())]] = True
        stays[place] = better
    return stays
