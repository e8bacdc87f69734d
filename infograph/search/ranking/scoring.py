"""Scores of chunks from the postings of a query's terms: the arithmetic that every reader repeats.

    own(chunk)   = Σ over terms of weight(term) · idf(term) · tf(impact)
    score(chunk) = own(chunk) + neighbour · max(own(chunk before), own(chunk after))       in the same page

over the distinct terms of the query that have an entry; idf = ln(1 + (N - df + ½) / (df + ½)); the weight is that of
`term_weights`; a chunk outside of a list adds 0. An answer often runs over a cut, and what stands beside it is seldom
wrong: hence the neighbour. BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009, with
Lucene's idf.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from infograph.search.format.posting_shards import TermEntry
from infograph.search.format.terms import Terms

IDENTIFIER = 2.0
"""Weight of an identifier's whole beside 1 of every other term: of "what is the purpose of `max_bytes`" it is the
point, and "purpose" is as rare on many sites. `benchmarks/code_questions.py` says what it gains."""

ABSENT = 0.0
"""Own score of a chunk that no list names, or that is not there."""

ChunkPlace = tuple[int, int]
"""Place of a chunk: the slot of its page, and its index in the page."""


def idf(chunks: int, df: int) -> float:
    """Returns the inverse document frequency of a term that `df` of all `chunks` have."""
    return math.log(1 + (chunks - df + 0.5) / (df + 0.5))


def chosen_terms(query: Iterable[Terms]) -> list[str]:
    """Returns the distinct terms to look up, in the query's order: the whole of each word and its parts. A page on
    `faq` answers a query for `FAQ-style`, though another page has the whole."""
    every = (term for found in query for term in (found.whole, *found.parts) if term)
    return list(dict.fromkeys(every))


def term_weights(query: Iterable[Terms], identifier: float) -> dict[str, float]:
    """Returns `chosen_terms`, each with how much it counts.

    identifier: weight of the whole of an identifier
    """
    query = list(query)
    wholes = {found.whole for found in query if found.identifier}
    return {term: identifier if term in wholes else 1.0 for term in chosen_terms(query)}


def scores(entries: Mapping[str, TermEntry], tf: Sequence[float], chunks: int) -> dict[ChunkPlace, float]:
    """Returns the own score of every chunk that a term's list names.

    tf:     term frequency part of BM25 for each impact byte
    chunks: number of all chunks
    """
    found: dict[ChunkPlace, float] = {}
    for entry in entries.values():
        rarity = entry.weight * idf(chunks, entry.df)
        for slot, index, impact in entry.postings:
            found[slot, index] = found.get((slot, index), ABSENT) + rarity * tf[impact]
    return found


def with_neighbours(found: Mapping[ChunkPlace, float], share: float) -> dict[ChunkPlace, float]:
    """Returns the own score of each chunk plus a share of the better neighbour's."""

    def around(slot: int, index: int) -> float:
        return max(found.get((slot, index - 1), ABSENT), found.get((slot, index + 1), ABSENT))

    return {chunk: score + share * around(*chunk) for chunk, score in found.items()}


def ranked(found: Mapping[ChunkPlace, float]) -> list[tuple[ChunkPlace, float]]:
    """Sorts chunks, the best first; equal scores in the order of slot and index."""
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))


def most_score(entries: Iterable[TermEntry], chunks: int, most: float, neighbour: float) -> float:
    """Returns the most that a score can be: that of a chunk which says every term without end, in every field, beside
    another one like it.

    most: `Bm25Parameters.most`
    """
    return sum(entry.weight * idf(chunks, entry.df) * most for entry in entries) * (1 + neighbour)
