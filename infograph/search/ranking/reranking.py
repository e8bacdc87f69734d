"""Reranking: the head of a ranking is reordered by the query's own vector, for a client that has the site's model.

`benchmarks/search_quality.py` says what it gains.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

from infograph.search.ranking.scoring import ChunkPlace

RERANKED = 32
"""Chunks that are reranked. Twice as many gain nothing, and their vectors would have to be fetched."""
WEIGHT = 30.0
"""Weight of the cosine beside the score. Bruch et al., "An Analysis of Fusion Functions for Hybrid Retrieval", 2023, on
sums of a lexical and a semantic score. Chosen with the share below by `benchmarks/rerank_constants.py`; from 20 to 35
no set of questions tells the weights apart."""
FIELDS_SHARE = 0.5
"""Share of what fields add to a score that counts beside the cosine, which hears headings, too: a chunk's text is
embedded below its breadcrumb. With all of it, a page whose title the question names goes before the page that
answers."""


def reranked(ranking: Sequence[tuple[ChunkPlace, float]], scores: Sequence[float]) -> list[tuple[ChunkPlace, float]]:
    """Returns the ranking with its first chunks in the order of their new scores, of which there are as many."""
    head = [(chunk, score) for (chunk, _), score in zip(ranking[: len(scores)], scores, strict=True)]
    return sorted(head, key=lambda item: -item[1]) + list(ranking[len(scores) :])


def cosine(a: Sequence[int], b: Sequence[int]) -> float:
    """Returns the cosine of two vectors; 0 where one of them is empty or zero."""
    lengths = sum(map(mul, a, a)) ** 0.5 * sum(map(mul, b, b)) ** 0.5
    return float(sum(map(mul, a, b)) / lengths) if lengths else 0.0
