"""The pages' postings turned around: for each term the chunks that have it, sorted by slot and chunk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from infograph.search.impact import REFERENCE_LENGTH, saturation
from infograph.search.page import PageIndex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class ChunkIds:
    """Every chunk of the tree, in the order of slot and index; its place in this order is its number in a build."""

    slots: NDArray[np.int64]
    indexes: NDArray[np.int64]
    firsts: Mapping[str, int]
    """Path -> number of the page's first chunk."""


@dataclass(frozen=True, slots=True)
class Postings:
    """The postings of term `t` are the entries from `starts[t]` to `starts[t + 1]`."""

    terms: tuple[str, ...]
    """Sorted by code point."""
    starts: NDArray[np.int64]
    chunks: NDArray[np.int64]
    """Number of the chunk, ascending in each term."""
    impacts: NDArray[np.uint8]


def number_chunks(pages: Sequence[PageIndex], slots: Mapping[str, int]) -> ChunkIds:
    """`pages` in the order of their slots."""
    import numpy as np

    sizes = [len(page.rows) for page in pages]
    firsts = list(accumulate(sizes, initial=0))
    return ChunkIds(
        slots=np.repeat(np.array([slots[page.path] for page in pages], np.int64), sizes),
        indexes=np.concatenate([np.zeros(0, np.int64), *(np.arange(size) for size in sizes)]),
        firsts={page.path: first for page, first in zip(pages, firsts, strict=False)},
    )


def invert(pages: Sequence[PageIndex], ids: ChunkIds) -> Postings:
    """`pages` in the order of their slots."""
    import numpy as np

    terms = sorted(set().union(*(page.terms for page in pages)))
    places = {term: place for place, term in enumerate(terms)}
    term_parts, chunk_parts, impact_parts = [], [], []
    for page in pages:
        numbers = np.array([places[term] for term in page.terms], np.int32)
        term_parts.append(numbers[page.postings[:, 0]])
        chunk_parts.append(page.postings[:, 1].astype(np.int32) + np.int32(ids.firsts[page.path]))
        impact_parts.append(page.postings[:, 2].astype(np.uint8))
    if not pages:
        return Postings((), np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0, np.uint8))
    owner = np.concatenate(term_parts)
    order = np.argsort(owner, kind="stable")  # a page's postings are sorted, and pages come in order
    counts = np.bincount(owner, minlength=len(terms))
    return Postings(
        terms=tuple(terms),
        starts=np.concatenate([[0], np.cumsum(counts)]),
        chunks=np.concatenate(chunk_parts)[order].astype(np.int64),
        impacts=np.concatenate(impact_parts)[order],
    )


def strongest(impacts: NDArray[np.uint8], most: int) -> NDArray[np.intp]:
    """Which postings of one term stay, ascending: the `most` best by BM25 at a fixed average length, so that the
    choice depends on no other term and no total; ties go to the earlier chunk."""
    import numpy as np

    order = np.argsort(-saturation(REFERENCE_LENGTH)[impacts], kind="stable")
    return np.sort(order[:most])
