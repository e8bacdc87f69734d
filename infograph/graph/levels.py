"""Communities within communities, as deep as there is something to divide."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from infograph.graph.communities import communities, numbered
from infograph.graph.leiden import mixed
from infograph.graph.weighted import Integers, WeightedGraph

LARGEST = 200
"""Nodes of a community up to which it is left as it is."""


@dataclass(frozen=True, slots=True)
class CommunityLevel:
    """One level of communities, each of which lies within one of the level above."""

    labels: Integers
    """Community of each node, numbered as `communities` does."""
    parents: Integers
    """Community of the level above that each community of this level lies in; empty on the first level."""


def community_levels(
    graph: WeightedGraph, *, largest: int = LARGEST, seed: int = 0, resolution: float = 1.0
) -> list[CommunityLevel]:
    """The communities of a graph, then those within every community of more than `largest` nodes, and so on.

    A community is looked into by itself: edges that leave it do not count, so modularity sees groups that were too
    small beside the whole graph. One that is small enough, or that does not divide, is on the next level again, as the
    only child of its own. It ends where nothing divides; the last level then has all communities that are not divided
    further. Raises ValueError for `largest` below 1, or a resolution that is not above 0.
    """
    if largest < 1:
        raise ValueError(f"largest: {largest} is below 1")
    labels = communities(graph, seed=seed, resolution=resolution)
    levels = [CommunityLevel(labels, np.zeros(0, np.int64))]
    looked_into: set[int] = set()  # first nodes of communities that do not divide
    while True:
        divided = _divided(graph, levels, looked_into, largest, seed, resolution)
        if divided is None:
            return levels
        levels.append(divided)


def _divided(
    graph: WeightedGraph,
    levels: list[CommunityLevel],
    looked_into: set[int],
    largest: int,
    seed: int,
    resolution: float,
) -> CommunityLevel | None:
    """The level below the last one; None where no community divides."""
    labels = levels[-1].labels
    sizes = np.bincount(labels)
    members = np.split(np.argsort(labels, kind="stable"), np.cumsum(sizes)[:-1])
    found, count = labels.copy(), len(sizes)
    for number in np.flatnonzero(sizes > largest).tolist():
        nodes = members[number]
        if int(nodes[0]) in looked_into:
            continue
        within = communities(graph.part(nodes), seed=mixed(seed, len(levels), number), resolution=resolution)
        parts = int(within.max()) + 1
        if parts == 1:
            looked_into.add(int(nodes[0]))
        found[nodes[within > 0]] = within[within > 0] + count - 1  # the first part keeps the community's number
        count += parts - 1
    if count == len(sizes):
        return None
    found = numbered(found)
    _, firsts = np.unique(found, return_index=True)
    return CommunityLevel(found, labels[firsts])
