"""Weighted undirected graphs whose weights are whole numbers, so that every sum of them is exact.

A sum of floats depends on the order of its terms, and numpy chooses that order by the machine. Weights are therefore
turned into fixed point once, here: whole numbers stay as they are, others are multiplied by the power of two that
leaves their sum just below 2⁵⁰. From there on everything is integers, and edges may come in any order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]

MOST_NODES = 2**31
"""Bound of the number of nodes: a pair of them is packed into 64 bits."""
_TOTAL_BITS = 50
"""Bits of the sum of all weights: twice the sum still is exact in a float, which `numpy.bincount` adds in."""


@dataclass(frozen=True, slots=True)
class WeightedGraph:
    """An undirected graph. The neighbours of node `v` are `neighbours[starts[v]:starts[v + 1]]`, in ascending order."""

    starts: Integers
    """One more entry than there are nodes."""
    neighbours: Integers
    """Every edge stands here twice, from each of its ends; loops are not among them."""
    weights: Integers
    """Weight of the edge to each of `neighbours`, at least 1."""
    loops: Integers
    """Weight of the edge of each node to itself, 0 without one."""

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.loops)

    @property
    def sources(self) -> Integers:
        """The node whose neighbour stands at each place of `neighbours`."""
        return np.repeat(np.arange(self.nodes, dtype=np.int64), np.diff(self.starts))

    @property
    def adjacency(self) -> tuple[Integers, Integers, Integers]:
        """All of it but the loops: `starts`, `neighbours`, `weights`."""
        return self.starts, self.neighbours, self.weights

    def degrees(self) -> Integers:
        """Sum of the weights at each node; a loop has both of its ends there and counts twice."""
        return sums_by(self.sources, self.weights, self.nodes) + 2 * self.loops

    def part(self, nodes: Integers) -> WeightedGraph:
        """The graph of some nodes (ascending) and the edges between them; they are numbered anew in their order."""
        number = np.full(self.nodes, -1, np.int64)
        number[nodes] = np.arange(len(nodes))
        lengths = self.starts[nodes + 1] - self.starts[nodes]
        ends = np.cumsum(lengths)
        places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(self.starts[nodes] - (ends - lengths), lengths)
        sources = np.repeat(np.arange(len(nodes), dtype=np.int64), lengths)
        targets = number[self.neighbours[places]]
        kept = targets >= 0
        return WeightedGraph(
            starts_of(sources[kept], len(nodes)), targets[kept], self.weights[places][kept], self.loops[nodes]
        )


def weighted_graph(nodes: int, sources: Any, targets: Any, weights: Any = None) -> WeightedGraph:
    """Makes a graph of edges given as three arrays of one length; without `weights`, every edge weighs 1.

    The direction of an edge means nothing. Edges that occur several times are added up, edges of weight 0 are left
    out, as are those so light beside the sum of all (less than one part in 2⁵⁰, roughly) that fixed point has no
    digit for them. Raises ValueError for a node that is not in 0 … nodes − 1, for weights that are negative or not
    finite, and for arrays that are not of one length.
    """
    if not 0 <= nodes < MOST_NODES:
        raise ValueError(f"nodes: {nodes} is not in 0 … {MOST_NODES - 1}")
    first, second = _ends(sources, nodes, "sources"), _ends(targets, nodes, "targets")
    if len(first) != len(second):
        raise ValueError(f"targets: {len(second)} entries, but sources has {len(first)}")
    whole = _fixed_point(weights, len(first))
    pairs, whole = added_up(np.minimum(first, second) * nodes + np.maximum(first, second), whole)
    pairs, whole = pairs[whole > 0], whole[whole > 0]
    if len(whole):
        whole //= np.gcd.reduce(whole)  # small numbers are quick in Python, and no comparison depends on the unit
    low, high = pairs // max(nodes, 1), pairs % max(nodes, 1)
    is_loop = low == high
    loops = np.zeros(nodes, np.int64)
    loops[low[is_loop]] = whole[is_loop]
    low, high, whole = low[~is_loop], high[~is_loop], whole[~is_loop]
    both = np.concatenate((low * nodes + high, high * nodes + low))
    order = np.argsort(both, kind="stable")
    both = both[order]
    starts = starts_of(both // max(nodes, 1), nodes)
    return WeightedGraph(starts, both % max(nodes, 1), np.concatenate((whole, whole))[order], loops)


def sums_by(labels: Integers, values: Integers, count: int) -> Integers:
    """Sum of the values of each label in 0 … count − 1. Exact: no sum of weights exceeds what a float holds."""
    return np.bincount(labels, values, count).astype(np.int64)


def added_up(keys: Integers, values: Integers) -> tuple[Integers, Integers]:
    """Each key once, ascending, with the sum of its values."""
    if not len(keys):
        return keys, values
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], values[order]
    firsts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return keys[firsts], np.add.reduceat(values, firsts)


def starts_of(rows: Integers, count: int) -> Integers:
    """Where each row starts among ascending row numbers; the last entry is their length."""
    return np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=count)))).astype(np.int64)


def _ends(given: Any, nodes: int, name: str) -> Integers:
    """One end of each edge as integers. Raises ValueError for whatever names no node."""
    array = np.asarray(given)
    if array.ndim != 1:
        raise ValueError(f"{name}: {array.ndim} dimensions, expected one")
    if not len(array):
        return np.zeros(0, np.int64)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name}: numbers of nodes are integers, not {array.dtype}")
    wrong = (array < 0) | (array >= nodes)
    if wrong.any():
        raise ValueError(f"{name}: {array[wrong][0]} is no node: expected 0 … {nodes - 1}")
    return array.astype(np.int64)


def _fixed_point(given: Any, count: int) -> Integers:
    """The weights as whole numbers whose sum is below 2⁵⁰. Raises ValueError for what is no weight."""
    if given is None:
        return np.ones(count, np.int64)
    weights = np.asarray(given)
    if weights.shape != (count,):
        raise ValueError(f"weights: shape {weights.shape}, expected ({count},) as for sources")
    if count and weights.dtype.kind not in "biuf":
        raise ValueError(f"weights: expected numbers, not {weights.dtype}")
    weights = weights.astype(np.float64)
    wrong = ~np.isfinite(weights) | (weights < 0)
    if wrong.any():
        raise ValueError(f"weights: {weights[wrong][0]} is no weight: expected finite numbers from 0")
    if not weights.any():
        return np.zeros(count, np.int64)
    count = int(np.count_nonzero(weights))  # an edge of weight 0 must not change the digits of the others
    # The largest weight is below 2**exponent, the sum of all below 2**(exponent + bits of their number).
    exponent = int(np.frexp(weights.max())[1])
    shift = _TOTAL_BITS - exponent - count.bit_length()
    if shift >= 0 and (weights == np.rint(weights)).all():
        shift = 0
    whole: Integers = np.rint(np.ldexp(weights, shift)).astype(np.int64)
    return whole
