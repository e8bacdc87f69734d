"""The Leiden algorithm: communities that are each connected, found by raising modularity.

Written from V. A. Traag, L. Waltman, N. J. van Eck, "From Louvain to Leiden: guaranteeing well-connected
communities", Scientific Reports 9, 5233 (2019). A run goes through levels, each a graph whose nodes are groups of
nodes of the level below:

    move       every node to the community where modularity gains most; a queue holds the nodes to look at again
    refine     each community is built anew from single nodes, merged only within it and only where well connected
    aggregate  the refined communities become the nodes of the next level; the communities of `move` its start

A run ends when every community is one node, and is repeated from its result until modularity no longer rises.

Three things differ from the paper. Of the merges that refinement may choose, it takes the best instead of drawing one
by exp(gain/θ), since `exp` differs in its last bit between machines. Ties go to the community met first, in the order
of ascending neighbours. And nothing is a float: with weights as whole numbers and the resolution as a fraction p/q,
the gain of a move times 2m·q is the whole number w·2m·q − p·k·K, where w is the weight from the node to the
community, k the node's degree, K the community's.

Exact gains also mean that a run ends. On each level either modularity rises, which it can do only so often, or `move`
has looked at all nodes and none would gain. Then the first node that `refine` visits in a community of two or more has
a neighbour there to merge with, and the next level is smaller.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from infograph.graph.modularity import whole_modularity
from infograph.graph.sweeps import Sweeps
from infograph.graph.weighted import Integers, WeightedGraph, added_up, starts_of, sums_by

_WORTH_SWEEPING = 2**15
"""Neighbours of a graph from which sweeps come before single moves; below, single moves are as quick and finer."""


@dataclass(slots=True)
class _Level:
    """The graph of one level, and what its gains are made of."""

    graph: WeightedGraph
    degrees: Integers
    """Sum of the weights at each node, in the graph at the bottom."""
    resolution: Fraction
    whole: int
    """Weight 2m of the graph at the bottom, times the denominator of the resolution."""

    def quality(self, labels: Integers) -> int:
        """Modularity of a partition in a whole number, for comparison with others on this level."""
        return whole_modularity(self.graph, self.degrees, labels, self.resolution)


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to look for a better partition."""

    runs: int
    """Runs of one start, at most; the first that gains nothing is the last."""
    starts: int
    """Starts from single nodes, each in orders of its own; the best counts, of equal ones the first."""


def leiden(graph: WeightedGraph, seed: int, resolution: Fraction, effort: Effort) -> Integers:
    """Community of each node, numbered in no particular order."""
    single = np.arange(graph.nodes, dtype=np.int64)
    if not len(graph.neighbours):
        return single
    degrees = graph.degrees()
    base = _Level(graph, degrees, resolution, int(degrees.sum()) * resolution.denominator)
    best, most = single, base.quality(single)
    for start in range(effort.starts):
        labels, quality = single, base.quality(single)
        for run in range(effort.runs):
            found = _run(base, labels, mixed(seed, start, run))
            better = base.quality(found)
            if better <= quality:
                break
            labels, quality = found, better
        if quality > most:
            best, most = labels, quality
    return best


def mixed(*numbers: int) -> int:
    """A 64-bit number made of others: SplitMix64 (Steele, Lea, Flood 2014) over each in turn."""
    state = 0
    for number in numbers:
        state = int(_splitmix(np.array([(state ^ int(number)) & 0xFFFFFFFFFFFFFFFF], np.uint64))[0])
    return state


def shuffled(count: int, seed: int) -> Integers:
    """The numbers 0 … count − 1 in an order that depends on nothing but `seed`.

    They are sorted by SplitMix64 of their place: it maps no two 64-bit numbers to one, so there are no ties.
    """
    return np.argsort(_splitmix(np.arange(count, dtype=np.uint64) + np.uint64(mixed(seed))), kind="stable")


def _splitmix(state: np.ndarray) -> np.ndarray:
    """SplitMix64's output for each state: additions and products wrap around."""
    mixing = state + np.uint64(0x9E3779B97F4A7C15)
    mixing = (mixing ^ (mixing >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixing = (mixing ^ (mixing >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixing ^ (mixing >> np.uint64(31))


def _run(level: _Level, labels: Integers, seed: int) -> Integers:
    """One run through all levels, from given communities."""
    membership = np.arange(len(labels), dtype=np.int64)
    depth = 0
    while True:
        order = shuffled(len(labels), mixed(seed, depth, 0))
        labels, order = _swept(level, labels, order)
        labels = _move(level, labels, order)
        count = len(np.unique(labels))
        if count == len(labels):
            return labels[membership]
        refined = _refine(level, labels, mixed(seed, depth, 1))
        numbers, refined = np.unique(refined, return_inverse=True)
        membership = refined[membership]
        # A part bears the number of one of its nodes, which says of what community it is.
        labels = np.unique(labels[numbers], return_inverse=True)[1].astype(np.int64)
        level = _aggregate(level, refined, len(numbers))
        depth += 1


def _swept(level: _Level, labels: Integers, order: Integers) -> tuple[Integers, Integers]:
    """Communities after the sweeps over a large graph, and the nodes still to look at, in the given order."""
    if len(level.graph.neighbours) < _WORTH_SWEEPING:
        return labels, order
    totals = sums_by(labels, level.degrees, len(labels))
    share = level.resolution.numerator / level.whole
    waiting = np.ones(len(labels), np.bool_)
    sweeps = Sweeps(level.graph, level.degrees, labels.copy(), totals, share, waiting)
    sweeps.run(order)
    if level.quality(sweeps.community) <= level.quality(labels):
        return labels, order  # all nodes: that a run ends depends on it
    return sweeps.community, order[waiting[order]]


def _move(level: _Level, labels: Integers, order: Integers) -> Integers:
    """Moves single nodes, those of `order` first: to a neighbour's community, or out into one of their own."""
    community, count = labels.tolist(), len(labels)
    totals = sums_by(labels, level.degrees, count).tolist()
    sizes = np.bincount(labels, minlength=count).tolist()
    empty = [number for number, size in enumerate(sizes) if not size]
    starts, neighbours, weights = (array.tolist() for array in level.graph.adjacency)
    degrees, whole, numerator = level.degrees.tolist(), level.whole, level.resolution.numerator
    queue = order.tolist()
    waiting = bytearray(count)
    for node in queue:
        waiting[node] = 1
    for node in queue:  # grows while it is read
        waiting[node] = 0
        own, start, end = community[node], starts[node], starts[node + 1]
        row = neighbours[start:end]
        links = {own: 0}
        for neighbour, weight in zip(row, weights[start:end], strict=True):
            other = community[neighbour]
            links[other] = links.get(other, 0) + weight
        degree = degrees[node]
        totals[own] -= degree
        scaled = numerator * degree
        best, most = own, links[own] * whole - scaled * totals[own]
        for other, weight in links.items():
            gain = weight * whole - scaled * totals[other]
            if gain > most:
                best, most = other, gain
        if most < 0 and sizes[own] > 1:
            best = empty.pop()
        totals[best] += degree
        if best == own:
            continue
        community[node] = best
        sizes[best] += 1
        sizes[own] -= 1
        if not sizes[own]:
            empty.append(own)
        for neighbour in row:
            if not waiting[neighbour] and community[neighbour] != best:
                waiting[neighbour] = 1
                queue.append(neighbour)
    return np.array(community, np.int64)


def _refine(level: _Level, labels: Integers, seed: int) -> Integers:
    """Splits each community into parts that are connected, and well so: its nodes are merged anew, inside of it.

    A part bears the number of the node that it grew from.
    """
    count = len(labels)
    degrees, whole, numerator = level.degrees.tolist(), level.whole, level.resolution.numerator
    sources, neighbours, weights = level.graph.sources, level.graph.neighbours, level.graph.weights
    inside = labels[sources] == labels[neighbours]
    sources, neighbours, weights = sources[inside], neighbours[inside], weights[inside]
    out = sums_by(sources, weights, count).tolist()  # weight from each part to the rest of its community
    around = sums_by(labels, level.degrees, count)[labels].tolist()
    cuts, ends, row_weights = (array.tolist() for array in (starts_of(sources, count), neighbours, weights))
    part, totals = list(range(count)), list(degrees)
    alone = bytearray(b"\1") * count
    for node in shuffled(count, seed).tolist():
        degree, limit = degrees[node], around[node]
        if not alone[node] or out[node] * whole < numerator * degree * (limit - degree):
            continue
        links: dict[int, int] = {}
        start, end = cuts[node], cuts[node + 1]
        for neighbour, weight in zip(ends[start:end], row_weights[start:end], strict=True):
            other = part[neighbour]
            links[other] = links.get(other, 0) + weight
        best, most, scaled = node, -1, numerator * degree
        for other, weight in links.items():
            total = totals[other]
            gain = weight * whole - scaled * total
            if gain > most and out[other] * whole >= numerator * total * (limit - total):
                best, most = other, gain
        if best != node:
            part[node] = best
            totals[best] += degree
            out[best] += out[node] - 2 * links[best]
            alone[best] = alone[node] = 0
    return np.array(part, np.int64)


def _aggregate(level: _Level, labels: Integers, count: int) -> _Level:
    """The level whose nodes are the groups that `labels` gives to the nodes of this one."""
    first, second = labels[level.graph.sources], labels[level.graph.neighbours]
    between = first != second
    keys, weights = added_up(first[between] * count + second[between], level.graph.weights[between])
    # Weights inside of a node change no gain: only degrees carry them on.
    graph = WeightedGraph(starts_of(keys // count, count), keys % count, weights, np.zeros(count, np.int64))
    return _Level(graph, sums_by(labels, level.degrees, count), level.resolution, level.whole)
