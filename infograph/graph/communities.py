"""Communities of a graph, numbered so that the same graph and seed give the same labels."""

from __future__ import annotations

import numpy as np

from infograph.graph.leiden import Effort, leiden
from infograph.graph.modularity import resolution_as_fraction
from infograph.graph.weighted import Integers, WeightedGraph

_MOST_RUNS, _FEWEST_RUNS = 10, 2
"""Runs after which it ends even if modularity still rises: of a small graph, and of one however large."""
_EDGES_OF_RUNS = 2_000_000
"""Edges, or nodes where these are more, that all runs together look at, roughly: a graph of a million gets two runs,
of 200,000 or fewer ten."""
_MOST_STARTS, _EDGES_OF_STARTS = 10, 20_000
"""How often a small graph is begun anew, in other orders, for the best of all; and the edges of all starts together."""


def communities(graph: WeightedGraph, *, seed: int = 0, resolution: float = 1.0) -> Integers:
    """Community of each node: the larger the community, the smaller its number; of two of one size, the one with the
    smaller first node comes first.

    Every community is connected; a node without edges is a community of its own. A higher `resolution` gives smaller
    communities. Modularity cannot see groups that are small beside the graph (Fortunato, Barthélemy, "Resolution limit
    in community detection", PNAS 104, 2007): in a ring of `n` cliques of `s` nodes, neighbouring cliques are joined
    where n > s(s − 1) + 2. `levels.community_levels` looks into large communities again. Raises ValueError for a
    resolution that is not above 0.
    """
    edges = max(len(graph.neighbours) // 2, graph.nodes, 1)  # to look at a node without edges takes time, too
    runs = min(_MOST_RUNS, max(_FEWEST_RUNS, _EDGES_OF_RUNS // edges))
    starts = min(_MOST_STARTS, max(1, _EDGES_OF_STARTS // edges))
    return numbered(leiden(graph, seed, resolution_as_fraction(resolution), Effort(runs, starts)))


def numbered(labels: Integers) -> Integers:
    """Labels of communities in the order of size, largest first, then of their first node."""
    if not len(labels):
        return labels
    _, firsts, numbers, sizes = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
    rank = np.empty(len(sizes), np.int64)
    rank[np.lexsort((firsts, -sizes))] = np.arange(len(sizes))
    return rank[numbers]
