"""Communities: their quality beside others', and what is promised of every graph."""

from __future__ import annotations

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.graph import leiden as phases
from infograph.graph.communities import communities, numbered
from infograph.graph.modularity import modularity
from infograph.graph.weighted import WeightedGraph, weighted_graph

REAL = json.loads((Path(__file__).parents[1] / "fixtures" / "communities.json").read_text("utf-8"))
"""Graphs of real ties, each with the best modularity of 20 seeds of Louvain (benchmarks/communities.py reference)."""
PLANTED_LOUVAIN = {(40, 25, 0.2): 0.778413, (20, 50, 0.5): 0.479005}
"""Best modularity of 20 seeds of networkx 3.6.1's Louvain on `planted` graphs."""
RECORDED = "b2ce892c8b39bcee2dc421b1bdd8f57195221ccd50519398fe4ba86723b1a718"
"""The hash of the labels that this release finds."""
DIGEST = """
import sys; sys.path.insert(0, {tests!r})
from test_communities import labels_digest; print(labels_digest())
"""


def real(name: str, weighted: bool = True) -> WeightedGraph:
    sources, targets, weights = zip(*REAL[name]["edges"], strict=True)
    return weighted_graph(REAL[name]["nodes"], sources, targets, weights if weighted else None)


def planted(groups: int, size: int, out: float, edges_of_node: int = 8) -> WeightedGraph:
    """Groups of one size; a share of the edges goes anywhere. Made with the generator whose draws never change."""
    nodes, count = groups * size, groups * size * edges_of_node
    draws = phases.shuffled(4 * count, 1).reshape(4, count)
    sources = draws[0] % nodes
    leaves = draws[1] < 4 * count * out
    targets = np.where(leaves, draws[2] % nodes, sources // size * size + draws[3] % size)
    return weighted_graph(nodes, sources, targets)


def cliques(count: int, size: int) -> WeightedGraph:
    """A ring of cliques, neighbours tied by one edge."""
    inside = [(c * size + i, c * size + j) for c in range(count) for i in range(size) for j in range(i)]
    ring = [(c * size, (c + 1) % count * size + 1) for c in range(count)]
    return weighted_graph(count * size, *zip(*inside, *ring, strict=True))


def connected(graph: WeightedGraph, labels: Any) -> bool:
    """Whether every community holds together by edges of its own: counted by union and find."""
    root = list(range(graph.nodes))

    def find(node: int) -> int:
        while root[node] != node:
            root[node] = root[root[node]]
            node = root[node]
        return node

    for source, target in zip(graph.sources.tolist(), graph.neighbours.tolist(), strict=True):
        if labels[source] == labels[target]:
            root[find(source)] = find(target)
    return len({find(node) for node in range(graph.nodes)}) == len(set(labels.tolist()))


def labels_digest() -> str:
    """One hash of the labels of graphs of all sorts: it never changes, here or on any machine."""
    graphs = [real(name) for name in sorted(REAL)] + [planted(40, 25, 0.2), planted(100, 50, 0.4), cliques(30, 5)]
    seen = sha256()
    for graph in graphs:
        for seed in (0, 7):
            seen.update(communities(graph, seed=seed).astype("<i8").tobytes())
    return seen.hexdigest()


def test_numbers_may_be_those_of_numpy() -> None:
    graph = real("karate club", weighted=False)
    plain = communities(graph, seed=5, resolution=0.5).tolist()
    assert communities(graph, seed=np.int64(5), resolution=np.float32(0.5)).tolist() == plain  # type: ignore[arg-type]


def test_the_karate_club() -> None:
    """The best that is known is 0.4198 (Brandes and others, 2008); unweighted, as in the literature."""
    graph = real("karate club", weighted=False)
    for seed in range(10):
        assert modularity(graph, communities(graph, seed=seed)) >= 0.41
    assert modularity(graph, communities(graph)) == pytest.approx(0.4198, abs=1e-4)


@pytest.mark.parametrize("name", REAL)
def test_real_graphs_are_within_a_percent_of_the_best_of_louvain(name: str) -> None:
    graph = real(name)
    assert modularity(graph, communities(graph)) >= 0.99 * REAL[name]["louvain"]


@pytest.mark.parametrize("made", PLANTED_LOUVAIN)
def test_planted_groups_are_within_a_percent_of_the_best_of_louvain(made: tuple[int, int, float]) -> None:
    graph = planted(*made)
    for seed in range(3):
        assert modularity(graph, communities(graph, seed=seed)) >= 0.99 * PLANTED_LOUVAIN[made]


@pytest.mark.slow
def test_labels_are_the_same_in_every_process_and_year() -> None:
    """The hash is recorded. A change of it changes published files: say so in CHANGELOG.md."""
    code = DIGEST.format(tests=str(Path(__file__).parent))
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == labels_digest() == RECORDED


def test_the_order_and_direction_of_edges_mean_nothing() -> None:
    graph = real("les miserables")
    sources, targets, weights = (np.array(column) for column in zip(*REAL["les miserables"]["edges"], strict=True))
    for seed in range(5):
        order, turned = phases.shuffled(len(sources), seed), phases.shuffled(len(sources), seed + 9) % 2 == 0
        first, second = np.where(turned, targets, sources)[order], np.where(turned, sources, targets)[order]
        again = weighted_graph(graph.nodes, first, second, weights[order] * 0.1)
        assert communities(again).tolist() == communities(graph).tolist()


@st.composite
def any_graph(draw: st.DrawFn) -> WeightedGraph:
    nodes = draw(st.integers(1, 24))
    node = st.integers(0, nodes - 1)
    edges = draw(st.lists(st.tuples(node, node, st.sampled_from([0, 1, 1, 2, 0.5, 0.3, 7, 1e-6, 1e6])), max_size=90))
    sources, targets, weights = zip(*edges, strict=True) if edges else ((), (), ())
    return weighted_graph(nodes, sources, targets, weights)


@pytest.mark.slow
@pytest.mark.parametrize("worth_sweeping", [0, 2**15])
@settings(max_examples=150, deadline=None)
@given(graph=any_graph(), seed=st.integers(0, 2**70), resolution=st.sampled_from([1.0, 0.5, 2.0, 0.1]))
def test_every_community_is_connected(worth_sweeping: int, graph: WeightedGraph, seed: int, resolution: float) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(phases, "_WORTH_SWEEPING", worth_sweeping)
        labels = communities(graph, seed=seed, resolution=resolution)
        assert connected(graph, labels)
        assert labels.tolist() == communities(graph, seed=seed, resolution=resolution).tolist()
        single = modularity(graph, np.arange(graph.nodes), resolution)
        assert modularity(graph, labels, resolution) >= single
        assert numbered(labels).tolist() == labels.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("made", [(100, 50, 0.4), (60, 60, 0.9)])
def test_large_graphs_that_are_swept_are_as_good_and_as_connected(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = planted(*made)
    swept = communities(graph)
    assert len(graph.neighbours) > phases._WORTH_SWEEPING and connected(graph, swept)
    monkeypatch.setattr(phases, "_WORTH_SWEEPING", 2**60)
    assert modularity(graph, swept) >= 0.99 * modularity(graph, communities(graph))


@pytest.mark.slow
def test_no_level_is_repeated_for_ever() -> None:
    """Dense, with weights that differ by much: nodes here are better off alone, which sweeps cannot do."""
    ends = [(i, j) for i in range(260) for j in range(i)]
    sources, targets = (np.array(column) for column in zip(*ends, strict=True))
    for seed in range(5):
        weights = (phases.shuffled(len(ends), seed) + 1.0) ** 3 / 7
        graph = weighted_graph(260, sources, targets, weights)
        assert connected(graph, communities(graph, seed=seed))


def test_small_graphs() -> None:
    assert communities(weighted_graph(0, [], [])).tolist() == []
    assert communities(weighted_graph(1, [], [])).tolist() == [0]
    assert communities(weighted_graph(1, [0], [0])).tolist() == [0]
    assert communities(weighted_graph(3, [], [])).tolist() == [0, 1, 2]
    assert communities(weighted_graph(2, [0], [1])).tolist() == [0, 0]


def test_isolated_nodes_and_nodes_with_nothing_but_a_loop_are_alone() -> None:
    labels = communities(weighted_graph(6, [1, 2, 3, 5], [2, 3, 1, 5]))
    assert labels.tolist() == [1, 0, 0, 0, 2, 3]


def test_parts_that_nothing_ties_are_never_joined() -> None:
    labels = communities(weighted_graph(7, [0, 1, 2, 3, 4, 5, 6], [1, 2, 0, 4, 5, 6, 3]))
    assert set(labels[:3].tolist()) & set(labels[3:].tolist()) == set()


def test_a_clique_is_one_community() -> None:
    assert set(communities(cliques(1, 2)).tolist()) == {0}
    clique = weighted_graph(30, *zip(*[(i, j) for i in range(30) for j in range(i)], strict=True))
    assert set(communities(clique).tolist()) == {0}


def test_a_ring_of_cliques_up_to_the_resolution_limit() -> None:
    """Cliques of 5 are found up to a ring of 22; beyond, modularity is higher where neighbours are joined."""
    for count in (5, 12, 21):
        assert np.bincount(communities(cliques(count, 5))).tolist() == [5] * count
    joined = communities(cliques(40, 5))
    assert int(joined.max()) + 1 < 40 and connected(cliques(40, 5), joined)
    assert np.bincount(communities(cliques(40, 5), resolution=4)).tolist() == [5] * 40


def test_numbers_go_by_size_then_by_first_node() -> None:
    assert numbered(np.array([4, 9, 9, 2, 2, 7, 7, 7])).tolist() == [3, 1, 1, 2, 2, 0, 0, 0]


def test_heavier_edges_decide() -> None:
    square = ([0, 1, 2, 3], [1, 2, 3, 0])
    assert communities(weighted_graph(4, *square, [9, 1, 9, 1])).tolist() == [0, 0, 1, 1]
    assert communities(weighted_graph(4, *square, [0.1, 0.9, 0.1, 0.9])).tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize("resolution", [0, -1, float("nan"), float("inf"), 1e-9])
def test_impossible_resolutions_are_refused(resolution: float) -> None:
    with pytest.raises(ValueError, match="resolution: "):
        communities(weighted_graph(2, [0], [1]), resolution=resolution)


def test_order_and_mixing_are_of_whole_numbers_alone() -> None:
    """SplitMix64's published first output for state 0."""
    assert phases.mixed(0) == 0xE220A8397B1DCDAF
    assert sorted(phases.shuffled(1000, 5).tolist()) == list(range(1000))
    assert phases.shuffled(10, 5).tolist() != phases.shuffled(10, 6).tolist()
