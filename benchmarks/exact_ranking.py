"""The same ranking worked out in memory: no cut lists, no classes of counts and lengths.

What the files lose against this is a measured number (`benchmarks/search_quality.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from infograph.search.format.impact import FIELDS, HEADING, K1, NAME, B
from infograph.search.format.terms import Language, cut, index_terms, plain
from infograph.search.ranking.scoring import IDENTIFIER, idf, term_weights
from infograph.search.writing.bundle_options import SearchOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.search.writing.page_index import SearchChunk

    Scores = NDArray[np.float64]


class Exact:
    """Scores of chunks for a query, in parts.

    chunks: a page's chunks stand together, in their order
    pages:  path of the page of each
    """

    def __init__(
        self, chunks: Sequence[SearchChunk], pages: Sequence[str], language: Language, options: SearchOptions
    ) -> None:
        import numpy as np

        self.identifier = IDENTIFIER
        """Weight of the whole of an identifier."""
        self._language = language
        self._options = options
        self._size = len(chunks)
        self._joined = np.array([a == b for a, b in pairwise(pages)], bool)
        """Whether a chunk and the next one are of one page."""
        counts = [Counter(index_terms(plain(chunk.text), language)) for chunk in chunks]
        lengths = np.array([sum(count.values()) for count in counts], np.float64)
        self._norm = K1 * (1 - B + B * lengths / (lengths.mean() if len(lengths) else 1.0))
        postings: dict[str, list[tuple[int, int, int]]] = {}
        for place, (chunk, page, count) in enumerate(zip(chunks, pages, counts, strict=True)):
            headings = set(index_terms(plain("\n".join((*chunk.section_path, *chunk.headings))), language))
            is_first = not place or pages[place - 1] != page
            name = set(index_terms(page.rpartition("/")[2].rpartition(".")[0], language)) if is_first else set()
            for term, times in count.items():
                fields = HEADING * (term in headings) + NAME * (term in name)
                postings.setdefault(term, []).append((place, times, fields))
        self._postings = {term: np.array(found, np.int64) for term, found in postings.items()}

    def bm25(self, query: str) -> Scores:
        """Returns BM25 of each chunk."""
        import numpy as np

        total = np.zeros(self._size)
        for chunks, times, _, rarity in self._lists(query):
            total[chunks] += rarity * times * (K1 + 1) / (times + self._norm[chunks])
        return total

    def fields(self, query: str) -> Mapping[int, Scores]:
        """Returns for each field the sum of *idf* over the query's terms that stand in it, of each chunk."""
        import numpy as np

        found = {field: np.zeros(self._size) for field in (HEADING, NAME)}
        for chunks, _, fields, rarity in self._lists(query):
            for field, total in found.items():
                total[chunks] += rarity * (fields & field > 0)
        return found

    def with_neighbours(self, own: Scores, share: float) -> Scores:
        """Returns each chunk's score and its share of the better neighbour's on the same page."""
        import numpy as np

        around = np.zeros((2, len(own)))
        around[0, 1:] = np.where(self._joined, own[:-1], 0)
        around[1, :-1] = np.where(self._joined, own[1:], 0)
        total: Scores = own + share * around.max(axis=0)
        return total

    def scores(self, query: str) -> Scores:
        """Returns the score of each chunk."""
        own = self.bm25(query)
        for field, part in self.fields(query).items():
            own = own + FIELDS[field] * part
        return self.with_neighbours(own, self._options.neighbour)

    def _lists(self, query: str) -> list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], float]]:
        """Returns for each term of the query that the chunks have: chunks, occurrences, fields, and *idf* times how
        much the term counts."""
        weights = term_weights(cut(query, self._language), self.identifier)
        known = {term: (self._postings[term], weight) for term, weight in weights.items() if term in self._postings}
        return [(*found.T, weight * idf(self._size, len(found))) for found, weight in known.values()]
