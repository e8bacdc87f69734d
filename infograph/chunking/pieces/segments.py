"""Finds the best segmentation of a sequence within limits of size."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import accumulate

_COST_OF_SHORT_SEGMENT = 1000.0
"""Cost of a segment below the minimum: more than moving the cuts around it can gain."""


def segment(sizes: Sequence[int], gains: Sequence[float], minimum: int, maximum: int) -> list[int]:
    """Returns the starts of segments, the first at 0, that maximise the sum of the cuts' gains.

    sizes: sizes of the items
    gains: gain of a cut before each item but the first; one fewer than sizes
    minimum, maximum: limits of a segment's size. An item larger than the maximum is a segment of its own; as few
    other segments as possible are below the minimum.

    Dynamic programming over the last cut, in linear time: the possible starts of a segment that ends at a given
    item form two windows, long enough and too short, which only move forwards.
    """
    totals = [0, *accumulate(sizes)]
    best = [0.0]
    previous = [0]
    long_enough, too_short = _Window(), _Window()
    first, middle = 0, 0
    for end in range(1, len(totals)):
        worth = best[end - 1] + (gains[end - 2] if end > 1 else 0.0)
        too_short.append(end - 1, worth)
        while first < end - 1 and totals[end] - totals[first] > maximum:
            first += 1
        while middle < end and totals[end] - totals[middle] >= minimum:
            long_enough.append(middle, best[middle] + (gains[middle - 1] if middle else 0.0))
            middle += 1
        long_enough.drop_before(first)
        too_short.drop_before(max(first, middle))
        place, worth = max(
            (long_enough.best(0.0), too_short.best(-_COST_OF_SHORT_SEGMENT)),
            key=lambda candidate: (candidate[1], -candidate[0]),
        )
        best.append(worth)
        previous.append(place)
    starts = []
    at = len(sizes)
    while at:
        at = previous[at]
        starts.append(at)
    return starts[::-1]


class _Window:
    """Maximum of a sliding window, in amortised constant time; the first of equal values wins."""

    def __init__(self) -> None:
        self._items: deque[tuple[int, float]] = deque()

    def append(self, place: int, value: float) -> None:
        while self._items and self._items[-1][1] < value:
            self._items.pop()
        self._items.append((place, value))

    def drop_before(self, place: int) -> None:
        while self._items and self._items[0][0] < place:
            self._items.popleft()

    def best(self, extra: float) -> tuple[int, float]:
        """Returns place and value of the maximum with `extra` added; minus infinity for an empty window."""
        return (self._items[0][0], self._items[0][1] + extra) if self._items else (-1, float("-inf"))
