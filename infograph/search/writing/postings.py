"""The inverted index: for each term the chunks that have it, in the order of slot and index.

The postings of a million chunks, some sixty million, are made as search engines make them: those of some pages at a
time are sorted by term, a run, and all runs are merged for some terms at a time. In memory are those that are at work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from infograph.formats.packed_arrays import Numbers
from infograph.search.format.impact import REFERENCE_LENGTH, saturation
from infograph.search.format.ragged import owners_at, parts_of, places_in, spread, starts_of, sums
from infograph.search.writing.room import IN_MEMORY, Room, Series

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_AT_ONCE = 500_000
"""Postings that are sorted or merged together: bounds the memory that a merge takes beside its result."""


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
    chunks: Numbers
    """The chunks that have a term, term after term, ascending in each; int32."""
    impacts: Numbers
    """The impact of each posting, see `impact.py`; uint16."""

    @classmethod
    def none(cls) -> Postings:
        """Returns postings without terms."""
        import numpy as np

        return cls((), np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.uint16))

    def in_memory(self) -> Postings:
        """Returns the same postings, none of which waits elsewhere."""
        return replace(self, chunks=self.chunks[:], impacts=self.impacts[:])

    def taken(self, chosen: NDArray[np.int64]) -> Postings:
        """Returns the postings of some terms, which ascend, in memory."""
        import numpy as np

        starts = starts_of(self.frequencies)
        chunks, impacts = [np.zeros(0, np.int32)], [np.zeros(0, np.uint16)]
        for some, _ in _ranges(self.frequencies):
            own = chosen[slice(*np.searchsorted(chosen, [some.start, some.stop]).tolist())]
            if len(own):
                begin, end = int(own[0]), int(own[-1]) + 1
                part = slice(starts[begin], starts[end])
                _, index = spread(self.frequencies[begin:end], own - begin)
                chunks.append(self.chunks[part][index])
                impacts.append(self.impacts[part][index])
        terms = tuple([self.terms[place] for place in chosen.tolist()])
        return Postings(terms, self.frequencies[chosen], np.concatenate(chunks), np.concatenate(impacts))

    def having(self, chunks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Returns the places of the terms that occur in flagged chunks, ascending."""
        import numpy as np

        found = [
            owners_at(self.frequencies[some], chunks[self.chunks[part]]) + some.start
            for some, part in _ranges(self.frequencies)
        ]
        return np.concatenate([np.zeros(0, np.int64), *found])

    def totals(self) -> NDArray[np.int64]:
        """Returns the sum of the impacts of each term."""
        import numpy as np

        found = [sums(self.impacts[part], self.frequencies[some]) for some, part in _ranges(self.frequencies)]
        return np.concatenate([np.zeros(0, np.int64), *found])


def _ranges(frequencies: NDArray[np.int64]) -> Iterator[tuple[slice, slice]]:
    """Yields the places of some terms at a time and of their postings, about `_AT_ONCE` together."""
    starts = starts_of(frequencies)
    for begin, end in parts_of(frequencies, _AT_ONCE):
        yield slice(begin, end), slice(int(starts[begin]), int(starts[end]))


def merged(
    old: Postings, numbers: NDArray[np.int32], pages: Iterable[tuple[int, Listed]], room: Room = IN_MEMORY
) -> tuple[Postings, NDArray[np.int32]]:
    """Returns the postings after pages were removed and added, and each old term's new place, -1 for a removed term.

    numbers: for each old chunk its number now, -1 for a chunk that is gone; ascending
    pages:   the new pages, each with the number of its first chunk; ascending
    room:    where runs and postings wait
    """
    import numpy as np

    known = _Numbers(zip(old.terms, range(len(old.terms)), strict=True))
    rows = room.series("<i4"), room.series("<u2")
    runs = [_run(some, known, *rows) for some in _together(pages)]
    left, added = np.zeros((2, len(known)), np.int64)
    for some, part in _ranges(old.frequencies):
        left[some] = sums(numbers[old.chunks[part]] >= 0, old.frequencies[some])
    for run in runs:
        added[run.terms] += run.frequencies
    names = list(known)
    order = np.array(sorted(np.flatnonzero(left + added).tolist(), key=names.__getitem__), np.int64)
    places = np.full(len(known), -1, np.int32)
    places[order] = np.arange(len(order))
    left, added, moved = left[order], added[order], places[: len(old.terms)]
    runs = [replace(run, terms=places[run.terms]) for run in runs]

    chunks, impacts = room.series("<i4"), room.series("<u2")
    for some, _ in _ranges(left + added):
        new = _turned([run.lists(some) for run in runs], added[some])
        both = _joined(_kept(old, numbers, moved, some), left[some], new, added[some])
        chunks.append(both[0])
        impacts.append(both[1])
    return Postings(tuple([names[place] for place in order.tolist()]), left + added, chunks, impacts), moved


class _Numbers(dict[str, int]):
    """Numbers terms in the order in which they are first looked up."""

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self)
        return number


class _Lists(NamedTuple):
    """Postings of some terms, term after term."""

    terms: NDArray[np.int32]
    """Places of the terms among others."""
    frequencies: NDArray[np.unsignedinteger] | NDArray[np.int64]
    chunks: NDArray[np.integer]
    impacts: NDArray[np.unsignedinteger]
    first: int = 0
    """What is added to the number of each chunk."""


ChunksAndImpacts = tuple["NDArray[np.int32]", "NDArray[np.uint16]"]
"""Chunks and impacts of postings, term after term."""


@dataclass(frozen=True, slots=True)
class _Run:
    """The postings of some pages, sorted by term."""

    terms: NDArray[np.int32]
    """Number of each term; once all are known, its place among all, ascending."""
    frequencies: NDArray[np.int64]
    first: int
    """Where its postings begin in `chunks` and `impacts`, which have those of all runs: a file for each is too many."""
    chunks: Series
    impacts: Series

    def lists(self, some: slice) -> _Lists:
        """Returns the postings of some places among all terms."""
        import numpy as np

        begin, end = np.searchsorted(self.terms, [some.start, some.stop]).tolist()
        first = self.first + int(self.frequencies[:begin].sum())
        part = slice(first, first + int(self.frequencies[begin:end].sum()))
        terms = self.terms[begin:end] - np.int32(some.start)
        return _Lists(terms, self.frequencies[begin:end], self.chunks[part], self.impacts[part])


def _together(pages: Iterable[tuple[int, Listed]]) -> Iterator[list[tuple[bytes, _Lists]]]:
    """Yields the terms and postings of some pages at a time, which have about `_AT_ONCE` postings together."""
    import numpy as np

    some: list[tuple[bytes, _Lists]] = []
    size = 0
    for first, page in pages:
        lists = _Lists(np.zeros(0, np.int32), page.frequencies, page.chunks, page.impacts, first)
        some.append((page.terms, lists))
        size += len(lists.chunks)
        if size >= _AT_ONCE:
            yield some
            some, size = [], 0
    if some:
        yield some


def _run(pages: Sequence[tuple[bytes, _Lists]], known: _Numbers, chunks: Series, impacts: Series) -> _Run:
    """Returns the run of some pages, whose postings are added to those of other runs; what `known` does not know of
    their terms is added to it."""
    import numpy as np

    own = _Numbers()
    numbered = [np.array([own[term] for term in terms.decode().split("\n")[:-1]], np.int32) for terms, _ in pages]
    names = list(own)
    order = sorted(range(len(names)), key=names.__getitem__)
    places = np.empty(len(names), np.int32)
    places[order] = np.arange(len(names))
    lists = [page._replace(terms=places[found]) for found, (_, page) in zip(numbered, pages, strict=True)]
    frequencies = np.zeros(len(names), np.int64)
    for page in lists:
        frequencies[page.terms] += page.frequencies
    numbers = np.array([known[names[place]] for place in order], np.int32)
    run = _Run(numbers, frequencies, len(chunks), chunks, impacts)
    turned = _turned(lists, frequencies)
    chunks.append(turned[0])
    impacts.append(turned[1])
    return run


def _turned(parts: Iterable[_Lists], frequencies: NDArray[np.int64]) -> ChunksAndImpacts:
    """Sorts postings by term: a counting sort, in which those of a term stay in the order in which they come.

    frequencies: number of postings of each term
    """
    import numpy as np

    free = starts_of(frequencies)[:-1]
    chunks, impacts = np.empty(int(frequencies.sum()), np.int32), np.empty(int(frequencies.sum()), np.uint16)
    for part in parts:
        lengths = part.frequencies.astype(np.int64)
        target = np.repeat(free[part.terms], lengths) + places_in(lengths)
        chunks[target] = part.chunks + np.int32(part.first)
        impacts[target] = part.impacts
        free[part.terms] += lengths
    return chunks, impacts


def _kept(old: Postings, numbers: NDArray[np.int32], moved: NDArray[np.int32], some: slice) -> ChunksAndImpacts:
    """Returns what is left of the old postings of some terms, given by their new places; `moved` has that of each old
    term, -1 for a removed one."""
    import numpy as np

    stay = np.flatnonzero(moved >= 0)
    own = stay[slice(*np.searchsorted(moved[stay], [some.start, some.stop]).tolist())]
    # Of removed terms between them nothing is left.
    part = (
        slice(int(old.frequencies[: own[0]].sum()), int(old.frequencies[: own[-1] + 1].sum())) if len(own) else slice(0)
    )
    chunks = numbers[old.chunks[part]]
    stays = chunks >= 0
    return chunks[stays], old.impacts[part][stays]


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
