"""The first moves of a large graph, many nodes at a time: what a queue of single nodes does, in numpy.

Nodes are looked at in blocks. All nodes of a block choose at once, from the communities as the block found them, so a
block is small beside the graph; whoever has a neighbour that moved is looked at again. That a choice raises
modularity holds for one node that moves alone: of several, the sum may fall. So the caller compares, and lets single
nodes have the last word.

Gains are floats here, each computed for itself by the four operations that every machine rounds alike; sums are of
whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from infograph.graph.weighted import Integers, WeightedGraph

BLOCK = 2**15
"""Neighbours that one block looks at, roughly."""
_MOST_SWEEPS = 12
"""Times that all waiting nodes are looked at, at most."""
_FEW = 0.02
"""Share of waiting nodes below which single moves are quicker."""


@dataclass(slots=True)
class Sweeps:
    """Communities while nodes move between them."""

    graph: WeightedGraph
    degrees: Integers
    community: Integers
    totals: Integers
    """Sum of the degrees of each community."""
    share: float
    """Resolution divided by 2m: a degree times this times a total is the weight that chance would have there."""
    waiting: npt.NDArray[np.bool_]
    """Nodes to look at, since they were not yet or a neighbour has moved."""

    def run(self, order: Integers) -> None:
        """Sweeps over the waiting nodes in a given order until few are left. These still wait."""
        for _ in range(_MOST_SWEEPS):
            nodes = order[self.waiting[order]]
            if len(nodes) < _FEW * len(order):
                break
            lengths = np.diff(self.graph.starts)[nodes]
            blocks = np.cumsum(lengths) // BLOCK
            for block in np.split(nodes, np.flatnonzero(np.diff(blocks)) + 1):
                self._look_at(block)

    def _look_at(self, nodes: Integers) -> None:
        """Moves each of some nodes to the neighbouring community where it gains most, if anywhere."""
        self.waiting[nodes] = False
        lengths, places = self._places(nodes)
        neighbours = self.graph.neighbours[places]
        count = len(self.community)
        rows = np.repeat(np.arange(len(nodes)), lengths)
        own = self.community[nodes]
        # A pair of a row and its own community, of weight 0, makes staying one of the choices.
        keys = np.concatenate((rows * count + self.community[neighbours], np.arange(len(nodes)) * count + own))
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        firsts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        weights = np.concatenate((self.graph.weights[places], np.zeros(len(nodes), np.int64)))[order]
        weights, keys = np.add.reduceat(weights, firsts), keys[firsts]
        rows_of, choices = keys // count, keys % count
        degrees = self.degrees[nodes]
        staying = choices == own[rows_of]
        rest = self.totals[choices] - np.where(staying, degrees[rows_of], 0)
        gains = weights - degrees[rows_of] * self.share * rest
        most = np.maximum.reduceat(gains, np.flatnonzero(np.concatenate(([True], rows_of[1:] != rows_of[:-1]))))
        best = np.flatnonzero(gains == most[rows_of])
        best = best[np.concatenate(([True], rows_of[best[1:]] != rows_of[best[:-1]]))]
        moves = most > gains[staying]
        self.waiting[nodes[most < 0]] = True  # better off alone, which is for single moves to see to
        self._apply(nodes[moves], choices[best][moves])

    def _apply(self, nodes: Integers, targets: Integers) -> None:
        """Moves nodes; their neighbours outside of the community they come to wait."""
        np.subtract.at(self.totals, self.community[nodes], self.degrees[nodes])
        np.add.at(self.totals, targets, self.degrees[nodes])
        self.community[nodes] = targets
        lengths, places = self._places(nodes)
        neighbours = self.graph.neighbours[places]
        self.waiting[neighbours[self.community[neighbours] != np.repeat(targets, lengths)]] = True

    def _places(self, nodes: Integers) -> tuple[Integers, Integers]:
        """How many neighbours each node has, and where all of them stand."""
        firsts = self.graph.starts[nodes]
        lengths = self.graph.starts[nodes + 1] - firsts
        ends = np.cumsum(lengths)
        return lengths, np.arange(ends[-1] if len(ends) else 0) + np.repeat(firsts - (ends - lengths), lengths)
