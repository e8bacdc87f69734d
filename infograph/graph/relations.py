"""Relations between entities: which stand in the same chunks more often than chance would have it.

    PPMI(a, b) = max(0, log₂(N · n_ab / (n_a · n_b)))      Church, Hanks, "Word association norms, mutual information,
                                                           and lexicography", Computational Linguistics 16, 1990

N is the number of chunks, n_a that of those with a, n_ab that of those with both. A weight is a whole number of
sixteenths of a bit, rounded down by comparing with powers of two: the same on every machine.

The chunks that a relation comes from are those that both entities stand in: it needs no list of its own, and where
they go, the relation goes with the next build.
"""

from __future__ import annotations

import numpy as np

from infograph.graph.entities import Entities
from infograph.graph.weighted import Integers, WeightedGraph, added_up, weighted_graph

FEWEST_TOGETHER = 3
"""Chunks that two related entities share at the least."""
STEPS = 16
"""Steps of a weight in one bit."""
_PAIRS_AT_ONCE = 4_000_000
"""Most pairs that are held at once, roughly: 32 MB each of keys and counts."""
_POWERS = 2.0 ** (np.arange(1, STEPS) / STEPS)
"""The sixteenths between 1 and 2. Correctly rounded or not, no quotient of such counts is as near to one of them."""


def relations(entities: Entities, linked: tuple[Integers, Integers, Integers] | None = None) -> WeightedGraph:
    """Returns the graph of entities that co-occur, weighted by PPMI in sixteenths of a bit.

    linked: pairs of titles that links relate, with weights that are added, see `linked_titles`
    """
    sources, targets, together = _pairs(entities)
    frequency = entities.frequencies().astype(np.float64)
    ratio = entities.distinct * together / (frequency[sources] * frequency[targets])
    weights = sixteenths(ratio)
    kept = weights > 0
    edges = [sources[kept], targets[kept], weights[kept]]
    if linked is not None:
        edges = [np.concatenate(column) for column in zip(edges, linked, strict=True)]
    return weighted_graph(len(entities.keys), *edges)


def sixteenths(ratio: np.typing.NDArray[np.float64]) -> Integers:
    """Returns 16 · log₂ of positive numbers, rounded down; 0 for those up to 1."""
    fraction, exponent = np.frexp(np.maximum(ratio, 1.0))
    steps = np.searchsorted(_POWERS, 2 * fraction, "right")
    found: Integers = (exponent.astype(np.int64) - 1) * STEPS + steps
    return found


def _pairs(entities: Entities) -> tuple[Integers, Integers, Integers]:
    """Returns pairs of entities that share enough chunks, the lower number first, and how many they share."""
    starts, members = _candidates(entities)
    sizes = np.diff(starts)
    count = len(entities.keys)
    # A member with those after it in its chunk: `later` of them.
    later = np.repeat(sizes, sizes) - 1 - (np.arange(len(members)) - np.repeat(starts[:-1], sizes))
    found = [(np.zeros(0, np.int64), np.zeros(0, np.int64))]
    for part in _parts(members, later, count):
        of = np.flatnonzero(part)
        lengths = later[of]
        ends = np.cumsum(lengths)
        others = (
            np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths) + np.repeat(of, lengths) + 1
        )
        keys = np.repeat(members[of], lengths) * count + members[others]
        keys, times = added_up(keys, np.ones(len(keys), np.int64))
        often = times >= FEWEST_TOGETHER
        found.append((keys[often], times[often]))
    whole: Integers = np.concatenate([own for own, _ in found])
    shared: Integers = np.concatenate([times for _, times in found])
    return whole // max(1, count), whole % max(1, count), shared


def _candidates(entities: Entities) -> tuple[Integers, Integers]:
    """Returns the entities of each chunk that stand in enough chunks to be related at all."""
    starts, members = entities.by_chunk()
    enough = entities.frequencies() >= FEWEST_TOGETHER
    kept = enough[members]
    before = np.concatenate((np.zeros(1, np.int64), np.cumsum(kept, dtype=np.int64)))
    return before[starts], members[kept]


def _parts(members: Integers, later: Integers, count: int) -> list[np.typing.NDArray[np.bool_]]:
    """Returns masks of members whose pairs are counted together: all of one first entity in one part."""
    pairs = np.cumsum(np.bincount(members, later, count)).astype(np.int64)
    part = pairs // _PAIRS_AT_ONCE
    return [part[members] == number for number in np.unique(part).tolist()]
