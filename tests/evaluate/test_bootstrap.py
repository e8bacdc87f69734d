from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.evaluate.bootstrap import better, difference, interval, winner

values = st.lists(st.floats(0, 1), min_size=1, max_size=50).map(np.array)


@settings(deadline=None)
@given(values)
def test_the_interval_holds_the_mean_and_is_the_same_every_time(sample: np.ndarray) -> None:
    low, high = interval(sample)
    assert sample.min() - 1e-9 <= low <= high <= sample.max() + 1e-9
    assert low - 0.2 <= sample.mean() <= high + 0.2
    assert interval(sample) == (low, high)


def test_the_interval_is_that_of_the_normal_distribution_for_many_questions() -> None:
    sample = np.arange(400) % 2 * 1.0
    low, high = interval(sample)
    assert (high - low) / 2 == pytest.approx(1.96 * 0.5 / 20, rel=0.1)


def test_pairs_cancel_what_questions_have_in_common() -> None:
    hard = np.linspace(0, 1, 60)
    assert difference(hard + 0.01, hard) == pytest.approx((0.01, 0.01))


def test_a_winner_is_better_than_every_other() -> None:
    good, bad = np.full(30, 0.9), np.full(30, 0.5)
    noisy = good + np.where(np.arange(30) % 2, 0.1, -0.11)
    assert winner({"a": bad, "b": good}) == "b"
    assert winner({"a": bad, "b": good}, least=True) == "a"
    assert winner({"a": bad, "b": good, "c": noisy}) is None
    assert winner({"a": good, "b": good}) is None
    assert winner({"a": good}) is None


@pytest.mark.parametrize(("count", "told"), [(1, False), (5, False), (6, True)])
def test_five_questions_that_go_one_way_may_be_chance(count: int, told: bool) -> None:
    values, other = np.array([1.0] * count + [0.5] * 94), np.full(count + 94, 0.5)
    assert better(values, other) is told and not better(other, values)
    assert (winner({"a": values, "b": other}) == "a") is told
    assert (winner({"a": values[:count], "b": other[:count]}) == "a") is told


def test_no_questions() -> None:
    assert interval(np.array([])) == (0, 0)
