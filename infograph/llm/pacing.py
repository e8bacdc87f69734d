"""When a call may go out: waits between tries, calls and tokens in a minute, calls and money of a run."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping

from infograph.config.settings import LlmSettings
from infograph.llm.wire import Usage

_MINUTE = 60.0


class Limiter:
    """Lets through so many calls and tokens in a minute."""

    def __init__(
        self,
        calls: int,
        tokens: int,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """calls, tokens: most in any minute; 0 for no limit"""
        self._calls, self._tokens, self._clock, self._sleep = calls, tokens, clock, sleep
        self._passed: deque[tuple[float, int]] = deque()
        self._lock = threading.Lock()

    def enter(self, tokens: int) -> None:
        """Waits until a call of so many tokens may go out."""
        if not (self._calls or self._tokens):
            return
        while True:
            with self._lock:
                wait = self._wait(tokens)
                if wait <= 0:
                    self._passed.append((self._clock(), tokens))
                    return
            self._sleep(wait)

    def _wait(self, tokens: int) -> float:
        now = self._clock()
        while self._passed and self._passed[0][0] <= now - _MINUTE:
            self._passed.popleft()
        if self._calls and len(self._passed) >= self._calls:
            return self._passed[-self._calls][0] + _MINUTE - now
        if self._tokens and self._passed:
            over = sum(count for _, count in self._passed) + tokens - self._tokens
            for moment, count in self._passed:
                if over <= 0:
                    break
                over -= count
                if over <= 0 or moment == self._passed[-1][0]:
                    return moment + _MINUTE - now
        return 0.0


class BudgetReached(Exception):
    """The next call could go beyond what a run may cost."""


class Budget:
    """What a run has spent, and whether another call fits."""

    def __init__(self, llm: LlmSettings, share: float = 1.0) -> None:
        """share: what a call costs of the prices that are set"""
        self._prices: Mapping[str, float] = {name: price * share for name, price in dict(llm.prices).items()}
        self._most_cost, self._most_calls = llm.max_cost, llm.max_calls
        self._lock = threading.Lock()
        self._held = 0.0
        self.calls = 0
        """Calls sent; a call that is tried again counts once."""
        self.cost = 0.0
        self.usage = Usage()

    @property
    def priced(self) -> bool:
        """Whether any price is set."""
        return any(self._prices.values())

    def price(self, usage: Usage) -> float:
        """Returns what tokens cost; kept ones cost as others do where they have no price of their own."""
        price = self._prices.get
        cached = price("cached_input", price("input", 0.0))
        fresh = usage.input - usage.cached_input
        return (fresh * price("input", 0.0) + usage.cached_input * cached + usage.output * price("output", 0.0)) / 1e6

    def reserve(self, worst: Usage) -> None:
        """Sets the worst cost of a call aside. Raises BudgetReached where it does not fit."""
        cost = self.price(worst)
        with self._lock:
            if self._most_calls and self.calls >= self._most_calls:
                raise BudgetReached(f"{self.calls:,} of {self._most_calls:,} calls")
            if self._most_cost and self.cost + self._held + cost > self._most_cost:
                raise BudgetReached(f"{self.cost:.2f} of {self._most_cost:.2f}")
            self.calls += 1
            self._held += cost

    def release(self, worst: Usage) -> None:
        """Takes back what was set aside for a call that is not sent after all."""
        with self._lock:
            self.calls -= 1
            self._held = max(0.0, self._held - self.price(worst))

    def settle(self, worst: Usage, used: Usage) -> None:
        """Takes what a call did cost in the place of what was set aside."""
        with self._lock:
            self._held = max(0.0, self._held - self.price(worst))
            self.cost += self.price(used)
            self.usage = self.usage.plus(used)
