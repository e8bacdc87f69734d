"""Waits, limits and budgets, on a clock of the test's own."""

from __future__ import annotations

import pytest

from infograph.config.settings import LlmSettings
from infograph.llm.pacing import Budget, BudgetReached, Limiter
from infograph.llm.wire import Usage
from infograph.model import UserTable


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
    budget.release(Usage())
    budget.reserve(Usage())
    assert budget.calls == 1
