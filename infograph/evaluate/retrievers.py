"""Retrievers: functions from a question to a score of every text.

A unit of retrieval has the best score of its texts, and the units with the best scores are retrieved.

bm25      words, Robertson's BM25 (k1 1.5, b 0.75, Lucene's idf) as `bm25s` computes it
dense     cosine of the embeddings
tm2c2     convex sum of both, each scaled by its theoretical minimum and its maximum (Bruch et al., 2023)
rrf       sum of reciprocal ranks (Cormack et al., 2009)
linear    BM25 plus a fixed weight times the cosine, as a sum of both is written in textbooks

A score of minus infinity means that a text is not retrieved: for BM25, a text without any word of the question. Such
a text has no rank, adds nothing to a sum of reciprocal ranks, and counts in a convex sum with the lowest score.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from infograph.evaluate.corpus import Corpus, hidden
from infograph.evaluate.extra import missing_package
from infograph.evaluate.questions import Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Scores = NDArray[np.float64]

RETRIEVERS = ("bm25", "dense", "fusion", "rrf", "linear")
"""Names of retrievers for `--retriever`; `fusion` is TM2C2."""

_K = 60
"""Smoothing constant of reciprocal rank fusion, as in its paper."""
LINEAR = 25.0
"""Weight of the cosine in the plain sum."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Bm25Terms:
    """How a text is cut into the terms that BM25 compares."""

    stop: frozenset[str]
    """Stop words, which are left out, in lower case."""
    stem: Callable[[str], str]
    """A function from a word in lower case to its stem."""

    def terms(self, texts: Sequence[str]) -> list[list[str]]:
        """The terms of each text, in order."""
        known: dict[str, str] = {}
        found = []
        for text in texts:
            words = [word for word in _WORD.findall(text.lower()) if word not in self.stop]
            for word in words:
                if word not in known:
                    known[word] = self.stem(word)
            found.append([known[word] for word in words])
        return found


class Bm25:
    """An index of texts that scores all of them by BM25; texts without a word of the question are not retrieved."""

    def __init__(self, texts: Sequence[str], words: Bm25Terms) -> None:
        bm25s = _bm25s()
        self._words = words
        self._count = len(texts)
        terms = words.terms(texts)
        self._index = bm25s.BM25() if any(terms) else None
        """The index of `bm25s`; None where no text has a word."""
        if self._index is not None:
            self._index.index(terms, show_progress=False)

    def scores(self, question: str) -> Scores:
        """The score of each text for a question."""
        import numpy as np

        (terms,) = self._words.terms([question])
        if self._index is None or not terms:
            return np.full(self._count, -np.inf)
        scores: Scores = self._index.get_scores(terms).astype(np.float64)
        return np.where(scores > 0, scores, -np.inf)  # the idf is positive: 0 means that no term occurs


def with_neighbours(vectors: NDArray[np.float32], weight: float) -> NDArray[np.float32]:
    """The vectors of one document's chunks with a share of the adjacent chunks' vectors, normalized to length 1.

    A small chunk is found more reliably when its surroundings count a little.

    vectors: [chunks, dimension], in the order of the document
    weight:  weight of each adjacent chunk, relative to 1 for the chunk itself; 0 changes nothing
    """
    import numpy as np

    if not weight or len(vectors) < 2:
        return vectors
    mixed = vectors.copy()
    mixed[1:] += weight * vectors[:-1]
    mixed[:-1] += weight * vectors[1:]
    lengths = np.linalg.norm(mixed, axis=1, keepdims=True)
    return (mixed / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def tm2c2(dense: Scores, sparse: Scores, alpha: float) -> Scores:
    """A convex combination of scores: `alpha` times the cosine plus `1 - alpha` times the BM25 score.

    Each score is scaled so that its theoretical minimum (-1 for cosines, 0 for BM25) becomes 0 and its maximum over
    the texts 1. Every text has both scores here, so that all texts are candidates.
    """
    return alpha * _scaled(dense, -1.0) + (1 - alpha) * _scaled(sparse, 0.0)


def _scaled(scores: Scores, least: float) -> Scores:
    """Scores scaled to 0 for `least` and 1 for the greatest."""
    scores = scores.clip(least)
    most = scores.max(initial=least)
    return (scores - least) / (most - least) if most > least else scores * 0.0


def rrf(*rankings: Scores) -> Scores:
    """Sums of reciprocal ranks over several scorings; texts with equal scores rank in their order."""
    import numpy as np

    fused = np.zeros(len(rankings[0]))
    for scores in rankings:
        ranks = np.empty(len(scores))
        ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
        fused += np.where(np.isneginf(scores), 0, 1 / (_K + ranks))
    return fused


def linear(dense: Scores, sparse: Scores, weight: float) -> Scores:
    """BM25 plus `weight` times the cosine; a text without a word of the question counts with 0 for BM25."""
    return sparse.clip(0.0) + weight * dense


def best_of(corpus: Corpus, scores: Scores) -> Scores:
    """The score of each unit: the best score of its texts."""
    import numpy as np

    found = np.full(len(corpus.units), -np.inf)
    np.maximum.at(found, np.array(corpus.unit_of, dtype=np.intp), scores)
    return found


def retrieve(corpus: Corpus, question: Question, scores: Scores, depth: int) -> list[int]:
    """Positions of the best units, best first, at most `depth`; equal scores in the order of the documents.

    Units that are not retrieved are left out, as are those that contain the question itself.

    scores: one score for each unit
    """
    import numpy as np

    outside = hidden(corpus, question)
    found: list[int] = []
    for unit in np.argsort(-scores, kind="stable").tolist():
        if len(found) == depth or np.isneginf(scores[unit]):
            break
        if unit not in outside:
            found.append(unit)
    return found


def _bm25s() -> Any:
    """The module `bm25s`. Raises ConfigError where it is missing."""
    try:
        import bm25s
    except ImportError as error:
        raise missing_package("bm25s", error) from None
    return bm25s
