"""The same ranking worked out in memory: no cut lists, no classes of counts and lengths, no bytes for values.

What the files lose against this is a measured number (`benchmarks/search_quality.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from infograph.search.format.impact import K1, B
from infograph.search.format.term_table import TermTable
from infograph.search.format.terms import Language, cut, index_terms, plain
from infograph.search.ranking.scoring import chosen_terms, idf
from infograph.search.writing.bundle_options import SearchOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Exact:
    """texts: what is searched of each chunk; vectors: theirs, projected; pages: the page of each."""

    def __init__(
        self,
        texts: Sequence[str],
        vectors: NDArray[np.int8],
        pages: Sequence[str],
        language: Language,
        table: TermTable,
        options: SearchOptions,
    ) -> None:
        import numpy as np

        self._language = language
        self._table = table
        self._options = options
        self._joined = np.array([a == b for a, b in pairwise(pages)], bool)
        """Whether a chunk and the next one are of one page."""
        self._vectors = vectors.astype(np.float64)
        counts = [Counter(index_terms(plain(text), language)) for text in texts]
        lengths = np.array([sum(count.values()) for count in counts], np.float64)
        self._norm = K1 * (1 - B + B * lengths / (lengths.mean() if len(lengths) else 1.0))
        postings: dict[str, list[tuple[int, int]]] = {}
        for chunk, count in enumerate(counts):
            for term, times in count.items():
                postings.setdefault(term, []).append((chunk, times))
        self._postings = {term: np.array(found, np.int64) for term, found in postings.items()}

    def sparse(self, query: str) -> NDArray[np.float64]:
        """BM25 of each chunk."""
        import numpy as np

        total = np.zeros(len(self._vectors))
        for term in self._terms(query):
            if term in self._postings:
                chunks, times = self._postings[term].T
                rarity = idf(len(self._vectors), len(chunks))
                total[chunks] += rarity * times * (K1 + 1) / (times + self._norm[chunks])
        return total

    def dense(self, query: str) -> NDArray[np.float64]:
        """The query's row sum over the root of its terms, times each chunk's vector."""
        import numpy as np

        terms = self._terms(query)
        if not terms or self._table.language != self._language.name:
            return np.zeros(len(self._vectors))
        row = self._table.rows(terms).astype(np.float64).sum(axis=0) / np.sqrt(len(terms))
        product: NDArray[np.float64] = self._vectors @ row * self._table.unit
        return product

    def scores(self, query: str) -> NDArray[np.float64]:
        import numpy as np

        own = self.sparse(query) + self._options.alpha * self.dense(query)
        around = np.zeros((2, len(own)))
        around[0, 1:] = np.where(self._joined, own[:-1], 0)
        around[1, :-1] = np.where(self._joined, own[1:], 0)
        total: NDArray[np.float64] = own + self._options.neighbour * around.max(axis=0)
        return total

    def _terms(self, query: str) -> list[str]:
        known = self._postings.keys() | (self._table.terms if self._table.language == self._language.name else ())
        return [term for term in chosen_terms(cut(query, self._language)) if term in known]
