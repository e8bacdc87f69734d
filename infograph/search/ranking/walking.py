"""Walks from the first chunks of a ranking to chunks that name the same entities: the arithmetic of local search.

    gain(b) = max over entities e of A and b of  weight · score(A) / √(n_e − 1)
    score(b) = min(own(b) + gain(b),  score(A),  own(the second page))

A is the best chunk of one of the first pages, n_e the number of chunks that name e. Entities that the query names are
passed over: the words have found these chunks already. Where a language model said what chunks state of them, the
entities that they are related to so are followed, too, as if they stood in the first chunk. A second hop starts from
the best chunks that the first one raised. So an answer that takes two pages comes into sight, and what the words found
by themselves stays first.

The graph of Edge et al., "From Local to Global" (2024), walks from the query's entities along relations alone and ranks
what it finds by its own score. Of 200 questions that take several pages that found all of them in half as many cases
as this did, and in fewer than plain search does (`benchmarks/graph.py`, `relations 1`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from infograph.search.ranking.scoring import ChunkPlace

WEIGHT = 0.8
LEADS = 4
"""First pages whose entities are followed."""
AFTER = 2
"""First pages that nothing passes."""
MOST_FOLLOWED = 12
"""Most entities that are followed in a hop."""
MOST_ASKED = 8
"""Most words of a query that entities are looked up by."""
MOST_CHUNKS = 16
"""Chunks of an entity up to which it is followed: one that stands in more says little of any."""

RELATED = 1.0
"""Share of a gain that an entity gives which is related to one of the query by what a language model said."""

ScoredChunks = Sequence[tuple[ChunkPlace, float]]


@dataclass(frozen=True, slots=True)
class WalkLead:
    """A chunk that leads on."""

    chunk: ChunkPlace
    score: float
    path: tuple[str, ...] = ()
    """Keys of the entities by which it was reached."""
    share: float = 1.0
    """Share of the gain that its entities give."""


@dataclass(frozen=True, slots=True)
class Step:
    """An entity that is followed, and from where."""

    key: str
    gain: float
    lead: WalkLead


@dataclass(frozen=True, slots=True)
class Reached:
    """Why a chunk stands where it does."""

    score: float
    whole: float
    """The score without its bounds, which orders chunks that have the same one."""
    hops: int
    path: tuple[str, ...]
    """Keys of the entities that led to it."""


def first_leads(ranking: ScoredChunks, count: int) -> list[WalkLead]:
    """Returns the best chunks of the first pages whose score is above 0."""
    found: dict[int, WalkLead] = {}
    for chunk, score in ranking:
        if len(found) == count or score <= 0:
            break
        found.setdefault(chunk[0], WalkLead(chunk, score))
    return list(found.values())


def steps(
    leads: Iterable[WalkLead],
    entities: Mapping[ChunkPlace, Sequence[tuple[str, int]]],
    passed: AbstractSet[str],
    weight: float,
    most: int,
) -> list[Step]:
    """Returns the entities to follow, those of the largest gain first.

    entities: of each lead's chunk, with the number of chunks that name it
    passed:   keys that are not followed
    """
    found: dict[str, Step] = {}
    for lead in leads:
        for key, chunks in entities.get(lead.chunk, ()):
            if key in passed or chunks > MOST_CHUNKS:
                continue
            gain = weight * lead.share * lead.score / math.sqrt(max(1, chunks - 1))
            if key not in found or gain > found[key].gain:
                found[key] = Step(key, gain, lead)
    return sorted(found.values(), key=lambda step: (-step.gain, step.key))[:most]


def reached(
    own: Mapping[ChunkPlace, float],
    taken: Iterable[Step],
    places: Mapping[str, Sequence[ChunkPlace]],
    most: float,
    hops: int,
) -> dict[ChunkPlace, Reached]:
    """Returns the chunks that gain, those of another page than the lead's.

    own:    scores of the ranking
    places: chunks that name each entity
    most:   no score rises above it
    """
    found: dict[ChunkPlace, Reached] = {}
    for step in taken:
        for chunk in places.get(step.key, ()):
            if chunk[0] == step.lead.chunk[0]:
                continue
            before = own.get(chunk, 0.0)
            whole = before + step.gain
            score = min(whole, step.lead.score, most)
            known = found.get(chunk)
            if score > before and (known is None or (score, whole) > (known.score, known.whole)):
                found[chunk] = Reached(score, whole, hops, (*step.lead.path, step.key))
    return found


def next_leads(found: Mapping[ChunkPlace, Reached], count: int) -> list[WalkLead]:
    """Returns the best chunks that were reached."""
    best = sorted(found.items(), key=lambda item: (-item[1].score, -item[1].whole, item[0]))
    return [WalkLead(chunk, own.score, own.path) for chunk, own in best[:count]]


def inserted(ranking: ScoredChunks, gains: Mapping[ChunkPlace, Reached]) -> list[tuple[ChunkPlace, float]]:
    """Returns the ranking with each chunk that gains behind the last one, of those that do not, whose score is as
    high."""
    waiting = sorted(gains.items(), key=lambda item: (-item[1].score, -item[1].whole, item[0]), reverse=True)
    found: list[tuple[ChunkPlace, float]] = []
    for chunk, score in ranking:
        if chunk in gains:
            continue
        while waiting and waiting[-1][1].score > score:
            raised, gain = waiting.pop()
            found.append((raised, gain.score))
        found.append((chunk, score))
    return found + [(chunk, gain.score) for chunk, gain in reversed(waiting)]
