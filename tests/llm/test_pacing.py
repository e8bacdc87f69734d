"""Waits, limits and budgets, on a clock of the test's own."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from infograph.config.settings import LlmSettings
from infograph.llm.pacing import Budget, BudgetReached, Limiter, is_tried_again, wait_before
from infograph.llm.wire import Usage
from infograph.model import UserTable

NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("attempt", "header", "share", "seconds"),
    [
        (1, "", 1.0, 1.0),
        (2, "", 0.5, 1.0),
        (9, "", 1.0, 30.0),
        (1, "7", 0.0, 7.0),
        (1, "9999", 0.0, 300.0),
        (1, "-5", 0.0, 0.0),
        (1, "Thu, 01 Jan 2026 12:00:20 GMT", 0.0, 20.0),
        (1, "Thu, 01 Jan 2026 11:00:00 GMT", 0.0, 0.0),
        (3, "soon", 1.0, 4.0),
        (1, "nan", 1.0, 1.0),
    ],
)
def test_waits(attempt: int, header: str, share: float, seconds: float) -> None:
    assert wait_before(attempt, header, share, NOW) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("status", "told", "tries"),
    [
        (503, None, 5),
        (0, None, 5),
        (429, None, 21),  # it is well, and will answer
        (418, None, 1),
        (503, False, 1),
        (429, False, 1),
        (418, True, 5),
    ],
)
def test_how_often_a_call_goes_out(status: int, told: bool | None, tries: int) -> None:
    again = [is_tried_again(status, told, attempt, 4, 0.0) for attempt in range(1, 40)]
    assert again.index(False) + 1 == tries
    assert not any(again[tries:])


def test_a_busy_endpoint_is_waited_for_five_minutes_at_most() -> None:
    assert is_tried_again(429, None, 1, 4, 299.0)
    assert not is_tried_again(429, None, 1, 4, 300.0)
    assert not is_tried_again(429, None, 1, 0, 0.0)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.now += seconds


@pytest.mark.parametrize(("calls", "tokens"), [(60, 0), (7, 0), (0, 1000), (5, 900)])
def test_no_minute_has_more_than_the_limit(calls: int, tokens: int) -> None:
    clock, passed = Clock(), []
    limiter = Limiter(calls, tokens, lambda: clock.now, clock.sleep)
    for number in range(200):
        size = 50 + number % 100
        limiter.enter(size)
        passed.append((clock.now, size))
        clock.now += 0.01
    for start, _ in passed:
        minute = [size for moment, size in passed if start <= moment < start + 60]
        assert not calls or len(minute) <= calls
        assert not tokens or sum(minute) <= tokens


def test_without_limits_nobody_waits() -> None:
    clock = Clock()
    limiter = Limiter(0, 0, lambda: clock.now, clock.sleep)
    for _ in range(1000):
        limiter.enter(10**6)
    assert clock.now == 0


def test_a_budget_counts_what_may_still_come() -> None:
    prices = UserTable((("input", 1.0), ("output", 10.0), ("cached_input", 0.1)))
    budget = Budget(LlmSettings(prices=prices, max_cost=0.05))
    worst = Usage(10_000, 1_000)
    budget.reserve(worst)
    budget.reserve(worst)
    with pytest.raises(BudgetReached, match=r"0\.00 of 0\.05"):
        budget.reserve(worst)
    budget.settle(worst, Usage(10_000, 100, cached_input=9_000))
    assert budget.cost == pytest.approx((1_000 + 900 + 1_000) / 1e6)
    budget.reserve(worst)
    assert budget.calls == 3


def test_a_limit_of_calls() -> None:
    budget = Budget(LlmSettings(max_calls=1))
    budget.reserve(Usage())
    with pytest.raises(BudgetReached, match="1 of 1 calls"):
        budget.reserve(Usage())
    assert not budget.priced
