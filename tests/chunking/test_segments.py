from __future__ import annotations

import random
from itertools import combinations, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.chunking.segments import segment


def worth(
    starts: tuple[int, ...], sizes: list[int], gains: list[int], minimum: int, maximum: int
) -> tuple[int, int] | None:
    """Short segments, fewest first, then gains; None where a segment of several items is too large."""
    runs = [(sum(sizes[begin:end]), end - begin) for begin, end in pairwise((*starts, len(sizes)))]
    if any(size > maximum and items > 1 for size, items in runs):
        return None
    return -sum(size < minimum for size, _ in runs), sum(gains[start - 1] for start in starts[1:])


@given(
    items=st.lists(st.tuples(st.integers(0, 9), st.integers(-5, 5)), min_size=1, max_size=9),
    minimum=st.integers(1, 8),
    extra=st.integers(0, 10),
)
@settings(max_examples=150, deadline=None)
def test_no_other_cuts_are_better(items: list[tuple[int, int]], minimum: int, extra: int) -> None:
    sizes = [size for size, _ in items]
    gains = [gain for _, gain in items[1:]]
    maximum = minimum + extra
    every = ((0, *cuts) for count in range(len(sizes)) for cuts in combinations(range(1, len(sizes)), count))
    values = [value for starts in every if (value := worth(starts, sizes, gains, minimum, maximum)) is not None]
    found = segment(sizes, gains, minimum, maximum)
    assert worth(tuple(found), sizes, gains, minimum, maximum) == max(values)


def test_nothing_has_no_segment() -> None:
    assert segment([], [], 1, 2) == []


def test_equal_gains_are_cut_in_one_way() -> None:
    assert segment([10] * 10, [-1.0] * 9, 20, 40) == segment([10] * 10, [-1.0] * 9, 20, 40)


def test_many_small_items() -> None:
    generator = random.Random(1)
    gains = [generator.uniform(-4, 1) for _ in range(199_999)]
    assert segment([1] * 200_000, gains, 1, 100_000)[0] == 0  # by comparing all pairs this would take hours
