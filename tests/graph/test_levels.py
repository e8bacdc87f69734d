"""Levels of communities: each lies within one above, and none that divides is large."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from infograph.graph.communities import communities
from infograph.graph.levels import community_levels
from infograph.graph.weighted import WeightedGraph, weighted_graph


def ring(count: int, size: int) -> WeightedGraph:
    """A ring of cliques, neighbours tied by one edge."""
    inside = [(c * size + i, c * size + j) for c in range(count) for i in range(size) for j in range(i)]
    return weighted_graph(
        count * size, *zip(*inside, *((c * size, (c + 1) % count * size + 1) for c in range(count)), strict=True)
    )


@pytest.mark.slow
def test_large_communities_are_divided_until_they_are_small() -> None:
    graph = ring(200, 5)
    levels = community_levels(graph, largest=6)
    assert levels[0].labels.tolist() == communities(graph).tolist() and levels[0].parents.tolist() == []
    assert len(levels) >= 2 and np.bincount(levels[-1].labels).max() == 5
    for above, level in pairwise(levels):
        assert len(level.parents) == int(level.labels.max()) + 1
        assert level.parents[level.labels].tolist() == above.labels.tolist()
        sizes = np.bincount(level.labels).tolist()
        assert sizes == sorted(sizes, reverse=True)


def test_small_communities_have_one_child_that_is_the_same() -> None:
    """A pair beside a ring that is divided."""
    graph = ring(60, 5)
    beside = weighted_graph(302, [*graph.sources, 300], [*graph.neighbours, 301])
    levels = community_levels(beside, largest=6)
    assert len(levels) > 1
    for level in levels:
        assert np.flatnonzero(level.labels == level.labels[300]).tolist() == [300, 301]


def test_what_does_not_divide_ends_it() -> None:
    clique = weighted_graph(12, *zip(*[(i, j) for i in range(12) for j in range(i)], strict=True))
    assert len(community_levels(clique, largest=3)) == 1
    assert len(community_levels(ring(200, 5))) == 1


@pytest.mark.slow
def test_levels_are_the_same_again() -> None:
    first, second = (community_levels(ring(150, 4), largest=5, seed=3) for _ in range(2))
    assert [level.labels.tolist() for level in first] == [level.labels.tolist() for level in second]


def test_an_empty_graph_has_one_empty_level() -> None:
    assert [level.labels.tolist() for level in community_levels(weighted_graph(0, [], []))] == [[]]


def test_a_bound_that_nothing_can_meet_is_refused() -> None:
    with pytest.raises(ValueError, match="largest: 0 is below 1"):
        community_levels(weighted_graph(0, [], []), largest=0)
