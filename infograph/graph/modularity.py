"""Modularity: how much more weight lies within communities than a random graph of the same degrees would have there.

    Q = 1/2m Σ_ij [A_ij − γ k_i k_j / 2m] δ(c_i, c_j)

A_ij is the weight between i and j, k_i the sum of the weights at i, 2m the sum of all k, γ the resolution (1 in
Newman, "Analysis of weighted networks", Physical Review E 70, 056131, 2004; above 1 communities are smaller). A loop
is two of its node's ends, so A_ii is twice its weight. Multiplied by (2m)² and by the denominator of γ, everything in
it is a whole number, and two partitions compare exactly.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from infograph.graph.weighted import Integers, WeightedGraph, sums_by

_LARGEST_DENOMINATOR = 10**6
"""A resolution is taken as the closest fraction with a denominator of at most this."""


def modularity(graph: WeightedGraph, labels: Any, resolution: float = 1.0) -> float:
    """Modularity of a partition, from −½ to below 1; 0 for a graph without weight.

    `labels` has one integer for each node; nodes of one label are a community. Raises ValueError for labels that are
    not so, or a resolution that is not finite and above 0.
    """
    checked = np.asarray(labels)
    if checked.shape != (graph.nodes,) or (len(checked) and checked.dtype.kind not in "iu"):
        raise ValueError(f"labels: {checked.dtype} of shape {checked.shape}, expected {graph.nodes} integers")
    ratio = resolution_as_fraction(resolution)
    if not graph.nodes:
        return 0.0
    numbers = np.unique(checked, return_inverse=True)[1].astype(np.int64)
    degrees = graph.degrees()
    whole = int(degrees.sum())
    times = whole_modularity(graph, degrees, numbers, ratio)
    return float(Fraction(times, ratio.denominator * whole**2)) if whole else 0.0


def whole_modularity(graph: WeightedGraph, degrees: Integers, labels: Integers, resolution: Fraction) -> int:
    """Modularity times (2m)² times the denominator of the resolution: a whole number, exact at any size."""
    same = labels[graph.sources] == labels[graph.neighbours]
    inside = int(graph.weights[same].sum()) + 2 * int(graph.loops.sum())
    totals: list[int] = sums_by(labels, degrees, int(labels.max()) + 1).tolist()
    squares = sum(total * total for total in totals)
    return int(degrees.sum()) * resolution.denominator * inside - resolution.numerator * squares


def resolution_as_fraction(resolution: float) -> Fraction:
    """The resolution as a fraction of small terms. Raises ValueError unless it is finite and above 0."""
    if not np.isfinite(resolution) or resolution <= 0:
        raise ValueError(f"resolution: {resolution} is not a finite number above 0")
    ratio = Fraction(float(resolution)).limit_denominator(_LARGEST_DENOMINATOR)
    if not ratio:
        raise ValueError(f"resolution: {resolution} is below {1 / _LARGEST_DENOMINATOR:g}")
    return ratio
