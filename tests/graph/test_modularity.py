"""Modularity: against its definition, term by term."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.graph.modularity import modularity
from infograph.graph.weighted import WeightedGraph, weighted_graph


def by_definition(graph: WeightedGraph, labels: Any, resolution: Fraction) -> float:
    """Q = 1/2m Σ_ij [A_ij − γ k_i k_j / 2m] δ(c_i, c_j), in fractions."""
    table = np.diag(2 * graph.loops)
    table[graph.sources, graph.neighbours] = graph.weights
    degrees = table.sum(axis=1).tolist()
    whole = sum(degrees)
    pairs = [(i, j) for i in range(graph.nodes) for j in range(graph.nodes) if labels[i] == labels[j]]
    terms = (int(table[i, j]) - resolution * Fraction(degrees[i] * degrees[j], whole) for i, j in pairs)
    return float(sum(terms) / whole) if whole else 0.0


@given(st.data(), st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(3, 2)]))
def test_it_is_what_the_formula_says(data: st.DataObject, resolution: Fraction) -> None:
    node = st.integers(0, 6)
    edges = data.draw(st.lists(st.tuples(node, node, st.integers(0, 5)), min_size=1))
    graph = weighted_graph(7, *zip(*edges, strict=True))
    labels = np.array(data.draw(st.lists(st.integers(-2, 3), min_size=7, max_size=7)))
    assert modularity(graph, labels, float(resolution)) == by_definition(graph, labels, resolution)


def test_known_values() -> None:
    two = weighted_graph(6, [0, 1, 2, 3, 4, 5, 2], [1, 2, 0, 4, 5, 3, 3])
    assert modularity(two, [0, 0, 0, 1, 1, 1]) == pytest.approx(5 / 14)
    assert modularity(two, [3] * 6) == 0
    assert modularity(weighted_graph(2, [0], [1]), [0, 1]) == -0.5
    assert modularity(weighted_graph(3, [], []), [0, 1, 2]) == modularity(weighted_graph(0, [], []), []) == 0


@pytest.mark.parametrize("labels", [[0], [0, 1, 2], [0.0, 1.0], [[0, 1]]])
def test_labels_that_are_none_are_refused(labels: Any) -> None:
    with pytest.raises(ValueError, match="labels: "):
        modularity(weighted_graph(2, [0], [1]), labels)
