"""Reranking: the head of a ranking is reordered by the query's own vector, for a client that has the site's model.

`benchmarks/search_quality.py` says what it gains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import mul

from infograph.search.ranking.scoring import ChunkPlace

RERANKED = 32
"""Chunks that are reranked. Twice as many gain nothing, and their vectors would have to be fetched."""
WEIGHT = 25.0
"""Weight of the cosine beside the score. Bruch et al., "An Analysis of Fusion Functions for Hybrid Retrieval", 2023, on
sums of a lexical and a semantic score. From 20 to 30 no set of questions tells the weights apart."""
PAYS = {"all-MiniLM-L6-v2": "en"}
"""Models whose reranking finds more than the postings alone, beyond chance, and the language that they know. What
`static` knows of a query is in the postings already: its gain is within chance (`--model static` there)."""


def pays(model: str, language: str) -> bool:
    """Whether a client that has the model should rerank by default; the build writes this to the manifest.

    language: of the chunks, ISO 639-1 code
    """
    return PAYS.get(model) == language


def reranked(
    ranking: Sequence[tuple[ChunkPlace, float]],
    vectors: Mapping[ChunkPlace, Sequence[int]],
    query: Sequence[int],
    weight: float,
) -> list[tuple[ChunkPlace, float]]:
    """Returns the ranking with `weight` × cosine added to the scores of its first chunks, these in their new order.

    vectors: vectors of the first chunks; a chunk without one gets nothing added
    query:   the query's vector in their space
    """
    head = [(chunk, score + weight * cosine(query, vectors.get(chunk, ()))) for chunk, score in ranking[:RERANKED]]
    return sorted(head, key=lambda item: -item[1]) + list(ranking[RERANKED:])


def cosine(a: Sequence[int], b: Sequence[int]) -> float:
    """Returns the cosine of two vectors; 0 where one of them is empty or zero."""
    lengths = sum(map(mul, a, a)) ** 0.5 * sum(map(mul, b, b)) ** 0.5
    return float(sum(map(mul, a, b)) / lengths) if lengths else 0.0
