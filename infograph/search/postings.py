"""The pages' postings turned around: for each term the chunks that have it, in the order of slot and index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from infograph.search.impact import REFERENCE_LENGTH, saturation
from infograph.search.page import PageIndex
from infograph.search.ragged import owners_of, starts_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Postings:
    """Chunks are numbers in one build, ascending in each term. Terms may have none."""

    terms: tuple[str, ...]
    """Sorted by code point."""
    frequencies: NDArray[np.int64]
    """Chunks that have the term, for each term."""
    chunks: NDArray[np.int32]
    impacts: NDArray[np.uint8]

    @classmethod
    def none(cls) -> Postings:
        import numpy as np

        return cls((), np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.uint8))


def merged(
    old: Postings, numbers: NDArray[np.int32], pages: Sequence[tuple[int, PageIndex]], always: Iterable[str]
) -> tuple[Postings, NDArray[np.int64]]:
    """The postings with other pages, and for each old term its place in them, -1 for one that is gone.

    numbers: old number of a chunk to its number now, -1 for a chunk that is gone; ascending
    pages:   new ones, each after the number of its first chunk
    always:  terms that are there even where no chunk has them
    """
    import numpy as np

    kept = numbers[old.chunks] >= 0
    owners = owners_of(old.frequencies)[kept]
    left = np.flatnonzero(np.bincount(owners, minlength=len(old.terms)))
    added = [page.terms.decode().split("\n")[:-1] for _, page in pages]
    terms = tuple(sorted(set(always).union((old.terms[place] for place in left.tolist()), *added)))
    places = {term: place for place, term in enumerate(terms)}
    moved = np.fromiter((places.get(term, -1) for term in old.terms), np.int64, len(old.terms))

    owner_parts, chunk_parts, impact_parts = [moved[owners]], [numbers[old.chunks[kept]]], [old.impacts[kept]]
    for (first, page), found in zip(pages, added, strict=True):
        numbered = np.fromiter(map(places.__getitem__, found), np.int64, len(found))
        owner_parts.append(np.repeat(numbered, page.frequencies))
        chunk_parts.append(page.chunks.astype(np.int32) + np.int32(first))
        impact_parts.append(page.impacts)
    owners, chunks = np.concatenate(owner_parts), np.concatenate(chunk_parts)
    frequencies = np.bincount(owners, minlength=len(terms))
    # Few sorted runs, which a stable sort merges.
    order = np.argsort(owners * (int(chunks.max(initial=0)) + 1) + chunks, kind="stable")
    return Postings(terms, frequencies, chunks[order], np.concatenate(impact_parts)[order]), moved


def strongest(postings: Postings, most: int) -> NDArray[np.bool_]:
    """Which postings stay: of each term the `most` best by BM25 at a fixed average length, so that the choice depends
    on no other term and no total; ties go to the earlier chunk."""
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
