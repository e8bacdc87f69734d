"""Retrievers: for a question, a score of every text; a unit has the best score of its texts, and the best units are
what is retrieved.

bm25      words, Robertson's BM25 (k1 1.5, b 0.75, Lucene's idf) as `bm25s` computes it
dense     cosine of the embeddings
tm2c2     convex sum of both, each scaled by its theoretical minimum and its maximum (Bruch et al., 2023)
rrf       sum of reciprocal ranks (Cormack et al., 2009)

A score of minus infinity stands for what is not retrieved: for BM25 a text without any word of the question. It ranks
nowhere, adds nothing to a sum of reciprocal ranks, and counts in a convex sum as the least score there is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from infograph.errors import ConfigError, missing_extra
from infograph.evaluate.corpus import Corpus, hidden
from infograph.evaluate.questions import Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Scores = NDArray[np.float64]

RETRIEVERS = ("bm25", "dense", "fusion", "rrf")
"""By name; `fusion` is TM2C2."""

_K = 60
"""Smoothing constant of reciprocal rank fusion, as in its paper."""

_PACKAGES = ("bm25s", "ir_measures", "rapidfuzz")
"""Of the extra `infograph[eval]`."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Words:
    """Text to the terms that BM25 compares."""

    stop: frozenset[str]
    """Words left out, in lower case."""
    stem: Callable[[str], str]
    """Lower-case word to its stem."""

    def terms(self, texts: Sequence[str]) -> list[list[str]]:
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
    """Scores of all texts by BM25; those that share no word with the question are not retrieved."""

    def __init__(self, texts: Sequence[str], words: Words) -> None:
        bm25s = _bm25s()
        self._words = words
        self._count = len(texts)
        terms = words.terms(texts)
        self._index = bm25s.BM25() if any(terms) else None
        """None where no text has a word: there is nothing to index."""
        if self._index is not None:
            self._index.index(terms, show_progress=False)

    def scores(self, question: str) -> Scores:
        import numpy as np

        (terms,) = self._words.terms([question])
        if self._index is None or not terms:
            return np.full(self._count, -np.inf)
        scores: Scores = self._index.get_scores(terms).astype(np.float64)
        return np.where(scores > 0, scores, -np.inf)  # its idf is positive: 0 is a text without any of the terms


def with_neighbours(vectors: NDArray[np.float32], weight: float) -> NDArray[np.float32]:
    """The vectors of one document's chunks, each with a share of the ones before and after it: a small chunk is found
    more surely when what surrounds it counts a little. Of length 1 again.

    vectors: [chunks, dimension], in the order of the document
    weight:  of each neighbour, beside 1 for the chunk itself; 0 changes nothing
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
    """Convex combination: `alpha` of the cosines, the rest of the BM25 scores.

    Each is scaled so that its theoretical minimum (-1 for cosines, 0 for BM25) becomes 0 and its maximum over the
    texts 1. Every text has both scores here, so that the candidates are all of them.
    """
    return alpha * _scaled(dense, -1.0) + (1 - alpha) * _scaled(sparse, 0.0)


def _scaled(scores: Scores, least: float) -> Scores:
    scores = scores.clip(least)
    most = scores.max(initial=least)
    return (scores - least) / (most - least) if most > least else scores * 0.0


def rrf(*rankings: Scores) -> Scores:
    """Reciprocal rank fusion of several scorings; texts with equal scores rank in their order."""
    import numpy as np

    fused = np.zeros(len(rankings[0]))
    for scores in rankings:
        ranks = np.empty(len(scores))
        ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
        fused += np.where(np.isneginf(scores), 0, 1 / (_K + ranks))
    return fused


def best_of(corpus: Corpus, scores: Scores) -> Scores:
    """For each unit the best score of its texts."""
    import numpy as np

    found = np.full(len(corpus.units), -np.inf)
    np.maximum.at(found, np.array(corpus.unit_of, dtype=np.intp), scores)
    return found


def retrieve(corpus: Corpus, question: Question, scores: Scores, depth: int) -> list[int]:
    """Positions of the best units, best first, at most `depth`; equal scores in the order of the documents.

    Units that are not retrieved are left out, as are those that the question itself stands in.

    scores: one a unit
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
    try:
        import bm25s
    except ImportError as error:
        raise missing("bm25s", error) from None
    return bm25s


def check_installed() -> None:
    """Raises ConfigError where a package of the extra is not installed."""
    for package in _PACKAGES:
        try:
            import_module(package)
        except ImportError as error:
            raise missing(package.replace("_", "-"), error) from None


def missing(package: str, error: ImportError) -> ConfigError:
    """What to say when a package of the extra is not installed."""
    return missing_extra("eval", "eval", f"needs {package}", error)
