"""Progress of a run, as it is reported. The command line draws it; a program may pass a reporter of its own."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Protocol

Advance = Callable[[float], None]
"""Function that is called with the share of the work that is done, from 0 to 1, never falling."""


class Reporter(Protocol):
    """Receiver of the progress of a run."""

    def phase(self, name: str, amount: str) -> contextlib.AbstractContextManager[Advance]:
        """Context of one phase of the work; `name` says what is done and `amount` to how much: `155 documents`."""

    def say(self, message: str) -> None:
        """Shows one line to a person while the run goes on."""


class Silent:
    """Reporter that shows nothing, for programs and tests."""

    @contextlib.contextmanager
    def phase(self, name: str, amount: str) -> Iterator[Advance]:
        yield lambda share: None

    def say(self, message: str) -> None:
        return


def amount(number: int, noun: str) -> str:
    """A number with its noun: `1 document`, `3,667 documents`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


class TimeLeft:
    """Tells how long a phase will still take, from the shares of it that are done.

    It goes by the speed of the last half of the time: a phase begins with work that does not come again, such as
    loading a model, and its speed changes with what is at hand.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._start = clock()
        self._seen: deque[tuple[float, float]] = deque()

    def at(self, share: float) -> float | None:
        """Returns the seconds left when a share is done; None where nothing can be said yet."""
        now = self._clock()
        if share > 0 and (not self._seen or share > self._seen[-1][1]):
            self._seen.append((now, share))
        middle = self._start + (now - self._start) / 2
        while len(self._seen) > 2 and self._seen[1][0] <= middle:
            self._seen.popleft()
        if now - self._start < _SILENT_SECONDS or len(self._seen) < 2:
            return None
        (first, done), (last, latest) = self._seen[0], self._seen[-1]
        # A step that is under way counts from its start, so that a slow one does not let the time stand still.
        return max((1.0 - latest) * (last - first) / (latest - done) - (now - last), 0.0)


_SILENT_SECONDS = 1.0
"""Seconds before the time left is told."""


def clock_time(seconds: float) -> str:
    """A time as it is told: `7 s`, `1:30 min`, `2:05 h`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    unit, small = ("min", whole) if whole < 3600 else ("h", whole // 60)
    return f"{small // 60}:{small % 60:02} {unit}"


def money(cost: float | None) -> str:
    """Returns an amount of money as text, `–` where no prices are set."""
    return "–" if cost is None else f"{cost:.4f}" if cost < 1 else f"{cost:,.2f}"
