from __future__ import annotations

import random
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.chunking.pieces.segments import segment


def worth(
    starts: tuple[int, ...], sizes: tuple[int, ...], gains: tuple[int, ...], minimum: int, maximum: int
) -> tuple[int, int] | None:
    """Returns the number of short segments and the gains; None where a segment of several items is too large."""
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
    best(tuple(size for size, _ in items), tuple(gain for _, gain in items[1:]), minimum, minimum + extra)


def best(sizes: tuple[int, ...], gains: tuple[int, ...], minimum: int, maximum: int) -> None:
    every = ((0, *cuts) for count in range(len(sizes)) for cuts in combinations(range(1, len(sizes)), count))
    values = [value for starts in every if (value := worth(starts, sizes, gains, minimum, maximum)) is not None]
    found = segment(sizes, gains, minimum, maximum)
    assert worth(tuple(found), sizes, gains, minimum, maximum) == max(values)


@pytest.mark.parametrize(("minimum", "maximum"), [(1, 1), (1, 4), (3, 4), (4, 4), (5, 6)])
def test_every_small_sequence_is_cut_in_the_best_way(minimum: int, maximum: int) -> None:
    for count in range(1, 5):
        for sizes in product((1, 3), repeat=count):
            for gains in product((-1, 1, 3), repeat=count - 1):
                best(sizes, gains, minimum, maximum)


def test_of_cuts_that_are_worth_the_same_the_first_is_made() -> None:
    """A segment that may end in several places ends where the next one is the longest."""
    assert segment([1, 1, 1, 1], [0, 0, 0], 2, 3) == [0, 2]
    assert segment([1, 1, 1], [-1, -1], 1, 2) == [0, 1]
    assert segment([1, 1, 1, 1], [-1, -1, -1], 1, 4) == [0]


def test_nothing_has_no_segment() -> None:
    assert segment([], [], 1, 2) == []


def test_equal_gains_are_cut_in_one_way() -> None:
    assert segment([10] * 10, [-1.0] * 9, 20, 40) == segment([10] * 10, [-1.0] * 9, 20, 40)


def test_many_small_items() -> None:
    generator = random.Random(1)
    gains = [generator.uniform(-4, 1) for _ in range(199_999)]
    assert segment([1] * 200_000, gains, 1, 100_000)[0] == 0  # by comparing all pairs this would take hours
