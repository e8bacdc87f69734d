"""Communities: seconds and modularity of our Leiden, beside Louvain of networkx.

    python benchmarks/communities.py speed [--edges 10000 100000 1000000] [--peer-until 100000]
    python benchmarks/communities.py gml FILE…          public graphs in GML, such as Newman's: best and worst of seeds
    python benchmarks/communities.py reference          what tests/fixtures/communities.json is (prints it)

`speed` makes its graphs from fixed seeds, with ten edges for each node: `planted` has groups of 50 nodes and a third
of its edges go anywhere, `skewed` has few nodes with very many edges and hardly any communities; `weighted` are the
planted edges with weights from 0 to 3. Seconds are those of the processor, from arrays of edges to labels; the
real seconds stand beside them, on a busy machine they are more. Above `--peer-until` edges the peer is left out: it
takes minutes.

`reference` takes eight graphs of real ties from two packages under the BSD licence, which carry them.

Peers: pip install networkx==3.6.1 scikit-network==0.33.5
"""

from __future__ import annotations

import argparse
import importlib
import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from infograph.graph.communities import communities
from infograph.graph.modularity import modularity
from infograph.graph.weighted import WeightedGraph, weighted_graph

SEEDS = 20
"""Runs of a peer, and of ours, of which the best and the worst count."""
OF_NETWORKX = {
    "karate club": "karate_club_graph",
    "southern women": "davis_southern_women_graph",
    "florentine families": "florentine_families_graph",
    "les miserables": "les_miserables_graph",
}
"""Maps a graph to the function of networkx that returns it."""
OF_SCIKIT_NETWORK = {
    "painters": "painters",
    "star wars": "star_wars",
    "movies and actors": "movie_actor",
    "art, philosophy, science": "art_philo_science",
}
"""Maps a graph to the function of sknetwork.data that returns its adjacency, or which of two sorts meet."""


def made(kind: str, edges: int) -> tuple[int, Any, Any, Any]:
    """Nodes, ends and weights of a made graph."""
    draw = np.random.default_rng(1)
    nodes = edges // 10
    if kind == "skewed":
        sources, targets = nodes * draw.random(edges) ** 3, nodes * draw.random(edges) ** 2
        return nodes, sources.astype(np.int64), targets.astype(np.int64), None
    sources = draw.integers(0, nodes, edges)
    inside = sources // 50 * 50 + draw.integers(0, 50, edges)
    targets = np.where(draw.random(edges) < 1 / 3, draw.integers(0, nodes, edges), np.minimum(inside, nodes - 1))
    return nodes, sources, targets, 3 * draw.random(edges) if kind == "weighted" else None


def speed(sizes: Iterable[int], peer_until: int) -> None:
    """Prints one line for each made graph."""
    print("graph     edges     CPU s  real s  modularity  communities   Louvain CPU s  modularity")
    for edges in sizes:
        for kind in ("planted", "weighted", "skewed"):
            given = made(kind, edges)
            start, real = time.process_time(), time.perf_counter()
            graph = weighted_graph(*given)
            labels = communities(graph)
            took, real = time.process_time() - start, time.perf_counter() - real
            ours = modularity(graph, labels)
            line = f"{kind:9} {edges:8} {took:7.2f} {real:7.2f} {ours:11.4f} {int(labels.max()) + 1:12}"
            print(line + (peer(graph) if edges <= peer_until else ""), flush=True)


def peer(graph: WeightedGraph) -> str:
    """Seconds and modularity of Louvain, on one seed."""
    known = networkx_graph(graph)
    start = time.process_time()
    found = importlib.import_module("networkx").community.louvain_communities(known, seed=1)
    return f" {time.process_time() - start:15.2f} {modularity(graph, labels_of(found, graph.nodes)):11.4f}"


def networkx_graph(graph: WeightedGraph) -> Any:
    """The same graph in networkx."""
    known = importlib.import_module("networkx").Graph()
    known.add_nodes_from(range(graph.nodes))
    known.add_weighted_edges_from(edges_of(graph))
    return known


def edges_of(graph: WeightedGraph) -> list[tuple[int, int, int]]:
    """Each edge once, loops among them."""
    ends = zip(graph.sources.tolist(), graph.neighbours.tolist(), graph.weights.tolist(), strict=True)
    loops = [(node, node, weight) for node, weight in enumerate(graph.loops.tolist()) if weight]
    return [edge for edge in ends if edge[0] < edge[1]] + loops


def labels_of(found: Iterable[Iterable[int]], nodes: int) -> Any:
    """Labels of communities that are given as sets of nodes."""
    labels = np.zeros(nodes, np.int64)
    for number, members in enumerate(found):
        labels[list(members)] = number
    return labels


def best_of_seeds(graph: WeightedGraph) -> tuple[float, list[float]]:
    """The best modularity of Louvain, and all of ours in ascending order."""
    louvain = importlib.import_module("networkx").community.louvain_communities
    known = networkx_graph(graph)
    theirs = [modularity(graph, labels_of(louvain(known, seed=seed), graph.nodes)) for seed in range(SEEDS)]
    return max(theirs), sorted(modularity(graph, communities(graph, seed=seed)) for seed in range(SEEDS))


def from_networkx(known: Any) -> WeightedGraph:
    """A graph of networkx, with its weights; directions are dropped."""
    number = {node: place for place, node in enumerate(known)}
    ends = [(number[a], number[b], data.get("weight", 1)) for a, b, data in known.edges(data=True)]
    sources, targets, weights = zip(*ends, strict=True)
    return weighted_graph(len(number), sources, targets, weights)


def from_matrix(matrix: Any) -> WeightedGraph:
    """A graph of a sparse matrix; where it is not square, of the rows and the columns that meet."""
    cells = matrix.tocoo()
    rows, columns = cells.shape
    shift = 0 if rows == columns else rows
    return weighted_graph(max(rows, columns + shift), cells.row, cells.col + shift, cells.data.astype(float))


def gml(paths: Iterable[Path]) -> None:
    """Prints modularities of graphs in files."""
    print("graph                         nodes   edges  Louvain, best  ours, best  ours, worst  worst/Louvain")
    for path in paths:
        graph = from_networkx(importlib.import_module("networkx").read_gml(path, label="id"))
        theirs, ours = best_of_seeds(graph)
        sizes = f"{graph.nodes:8} {len(graph.neighbours) // 2:7}"
        print(f"{path.stem:27} {sizes} {theirs:14.4f} {ours[-1]:11.4f} {ours[0]:12.4f} {ours[0] / theirs:14.4f}")


def reference() -> None:
    """Prints the real graphs of the tests, with the best modularity of Louvain."""
    networkx, data = importlib.import_module("networkx"), importlib.import_module("sknetwork.data")
    graphs = {name: (from_networkx(getattr(networkx, source)()), source) for name, source in OF_NETWORKX.items()}
    graphs |= {name: (from_matrix(getattr(data, source)()), source) for name, source in OF_SCIKIT_NETWORK.items()}
    found = {}
    for name, (graph, source) in graphs.items():
        package = "networkx 3.6.1" if name in OF_NETWORKX else "scikit-network 0.33.5"
        found[name] = {
            "source": f"{source} of {package} (BSD)",
            "louvain": round(best_of_seeds(graph)[0], 6),
            "nodes": graph.nodes,
            "edges": edges_of(graph),
        }
    lines = [f"{json.dumps(name)}: {json.dumps(fields)}" for name, fields in found.items()]
    print("{\n" + ",\n".join(lines) + "\n}")


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    of_speed = commands.add_parser("speed")
    of_speed.add_argument("--edges", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    of_speed.add_argument("--peer-until", type=int, default=100_000)
    commands.add_parser("gml").add_argument("files", type=Path, nargs="+")
    commands.add_parser("reference")
    given = parser.parse_args()
    if given.command == "speed":
        speed(given.edges, given.peer_until)
    elif given.command == "gml":
        gml(given.files)
    else:
        reference()


if __name__ == "__main__":
    main()
