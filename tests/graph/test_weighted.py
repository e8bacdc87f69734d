"""Weighted graphs: what edges become, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from infograph.graph.weighted import weighted_graph


def edges(nodes: int, sources: Any, targets: Any, weights: Any = None) -> list[tuple[int, int, int]]:
    graph = weighted_graph(nodes, sources, targets, weights)
    return list(zip(graph.sources.tolist(), graph.neighbours.tolist(), graph.weights.tolist(), strict=True))


def test_each_edge_stands_at_both_ends_in_order() -> None:
    assert edges(4, [3, 0], [1, 3]) == [(0, 3, 1), (1, 3, 1), (3, 0, 1), (3, 1, 1)]


def test_edges_that_occur_again_are_added_up_whatever_their_direction() -> None:
    assert edges(3, [0, 1, 0, 1], [1, 0, 1, 2], [1, 2, 3, 1]) == [(0, 1, 6), (1, 0, 6), (1, 2, 1), (2, 1, 1)]


def test_loops_are_kept_apart_and_count_twice_in_degrees() -> None:
    graph = weighted_graph(2, [0, 0, 1], [0, 1, 1], [1, 2, 3])
    assert graph.loops.tolist() == [1, 3] and graph.degrees().tolist() == [4, 8]


def test_edges_of_weight_zero_do_not_change_the_others() -> None:
    few = edges(3, [0, 1, 0], [1, 2, 2], [0.1, 0.7, 0.1])
    assert edges(3, [0, 1, 0, *[0] * 9], [1, 2, 2, *[1] * 9], [0.1, 0.7, 0.1, *[0.0] * 9]) == few


def test_weights_have_no_unit() -> None:
    assert (
        edges(3, [0, 1], [1, 2], [0.25, 0.75])
        == edges(3, [0, 1], [1, 2], [1, 3])
        == edges(3, [0, 1], [1, 2], [2e9, 6e9])
    )


def test_edges_without_weight_are_no_edges() -> None:
    assert edges(2, [0], [1], [0]) == edges(2, [0], [1], [0.0]) == []
    assert edges(3, [0, 1], [1, 2], [1e-300, 1e300]) == [(1, 2, 1), (2, 1, 1)]


@pytest.mark.parametrize("weights", [[5e-324, 1e-323], [1e308, 1.7e308], [0.1, 0.3], [2**60, 2**61]])
def test_weights_of_any_size_are_exact_in_sum(weights: list[float]) -> None:
    graph = weighted_graph(3, [0, 1], [1, 2], weights)
    assert 0 < int(graph.degrees().sum()) < 2**51
    assert graph.degrees().tolist() == [graph.weights[0], graph.weights[0] + graph.weights[3], graph.weights[3]]


def test_the_sum_of_many_weights_stays_within_bounds() -> None:
    graph = weighted_graph(2, np.zeros(5000, int), np.ones(5000, int), np.full(5000, 0.7))
    assert graph.weights.tolist() == [1, 1]


def test_a_part_of_a_graph_has_its_nodes_and_the_edges_between_them() -> None:
    graph = weighted_graph(5, [0, 1, 2, 4, 4], [1, 2, 4, 0, 4], [1, 2, 3, 4, 5])
    part = graph.part(np.array([0, 2, 4]))
    assert part.loops.tolist() == [0, 0, 5]
    assert list(zip(part.sources.tolist(), part.neighbours.tolist(), part.weights.tolist(), strict=True)) == [
        (0, 2, 4),
        (1, 2, 3),
        (2, 0, 4),
        (2, 1, 3),
    ]
    assert graph.part(np.array([], np.int64)).nodes == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((-1, [], []), "nodes: -1 is not in 0 … 2147483647"),
        ((2**31, [], []), "nodes: 2147483648 is not in"),
        ((2, [0], [2]), "targets: 2 is no node: expected 0 … 1"),
        ((2, [-1], [1]), "sources: -1 is no node"),
        ((0, [0], [0]), "sources: 0 is no node"),
        ((2, [0.0], [1]), "sources: numbers of nodes are integers, not float64"),
        ((2, [[0]], [1]), "sources: 2 dimensions"),
        ((2, [0], [1, 1]), "targets: 2 entries, but sources has 1"),
        ((2, [0], [1], [1, 2]), r"weights: shape \(2,\), expected \(1,\)"),
        ((2, [0], [1], [-0.5]), "weights: -0.5 is no weight"),
        ((2, [0], [1], [float("nan")]), "weights: nan is no weight"),
        ((2, [0], [1], [float("inf")]), "weights: inf is no weight"),
        ((2, [0], [1], ["1"]), "weights: expected numbers, not <U1"),
    ],
)
def test_what_is_no_graph_is_refused(given: tuple[Any, ...], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        weighted_graph(*given)
