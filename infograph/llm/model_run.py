"""How a run that asks a model ends, what it leaves out of texts, and what it has spent: the same for every command."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from infograph.errors import EndpointError, OutputError
from infograph.llm.asking import Asker, ModelReply
from infograph.llm.pacing import BudgetReached
from infograph.remote.redaction import Redactor

DONE, STOPPED, BUDGET = 0, 1, 3
"""Exit statuses: all asked, ended early by the endpoint, ended by the budget."""
FAILED_IN_A_ROW = 5
"""Calls of which nothing came one after the other, after which a run ends: the endpoint is at fault. A question that
the endpoint has no answer to yet says nothing of the next one, and does not count."""


class RunEnded(Exception):
    """The run is ending, so what was about to be sent is not."""


class RunOutcome(Protocol):
    """What every run says at its end, beside what it made."""

    status: int
    reason: str
    """Why it ended early."""
    calls: int
    cached: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    redacted: Counter[str]


class ModelRun:
    """The part of a run that does not depend on what is asked. Its methods may be called from any number of threads."""

    def __init__(self, outcome: RunOutcome, rules: Sequence[str], folder: Path) -> None:
        """rules:  what is redacted, see `LlmSettings.redact`
        folder: of the answers that are kept
        """
        self._outcome, self._folder = outcome, folder
        self.redactor = Redactor(rules)
        self.ending = threading.Event()
        """Set once the run ends: nothing more is asked."""
        self.lock = threading.Lock()
        """The lock that is held to change the outcome."""
        self._in_a_row = 0

    def end(self, status: int, reason: str) -> None:
        """Ends the run; the first reason counts."""
        self.ending.set()
        with self.lock:
            if not self._outcome.status:
                self._outcome.status, self._outcome.reason = status, reason

    def wait(self, seconds: float) -> None:
        """Waits, as an asker does before a call. Raises RunEnded once the run ends: a call that waits for its turn is
        not in flight, and would be paid for."""
        if self.ending.wait(seconds):
            raise RunEnded

    @contextmanager
    def ending_by_errors(self) -> Iterator[None]:
        """Ends the run where asking within meets what every other question would meet too: the budget, an endpoint that
        refuses, a folder of answers that cannot be written. Leaves what is within where the run ends meanwhile."""
        try:
            yield
        except RunEnded:
            pass
        except BudgetReached as error:
            self.end(BUDGET, f"the budget is reached: {error}")
        except EndpointError as error:
            self.end(STOPPED, str(error))
        except OSError as error:
            self.end(STOPPED, str(OutputError(str(self._folder), f"cannot be written: {error}")))

    def took(self, reply: ModelReply[Any]) -> None:
        """Ends the run after `FAILED_IN_A_ROW` replies without a value."""
        with self.lock:
            if not reply.later:
                self._in_a_row = self._in_a_row + 1 if reply.value is None else 0
            in_a_row = self._in_a_row
        if in_a_row >= FAILED_IN_A_ROW:
            self.end(STOPPED, f"{in_a_row} calls in a row failed, the last one: {reply.failed}")

    def redact(self, text: str) -> str:
        """Returns a text without secrets; what was taken out is counted."""
        with self.lock:
            return self.redactor.redact(text, self._outcome.redacted)

    def count(self, asker: Asker) -> None:
        """Adds what an asker has spent."""
        outcome, budget = self._outcome, asker.budget
        outcome.calls += budget.calls
        outcome.cached += asker.tally.cached
        outcome.input_tokens += budget.usage.input
        outcome.output_tokens += budget.usage.output
        if budget.priced:
            outcome.cost = (outcome.cost or 0.0) + budget.cost


def rules_text(redacted: Mapping[str, int]) -> str:
    """Returns which rules took something out of texts, and how often."""
    return ", ".join(f"{count:,} {name}" for name, count in sorted(redacted.items()))


def redaction_lines(redacted: Mapping[str, int], how: str) -> list[str]:
    """Returns the line that says what was redacted, or would be; none where nothing is.

    how: `redacted before sending`, `would be redacted`
    """
    return [f"{how}: {rules_text(redacted)}"] if redacted else []


def ending_lines(outcome: RunOutcome, kept: str) -> list[str]:
    """Returns the line that says why a run ended early; none where it did not.

    kept: what of it stays: `What was answered is kept`
    """
    return [f"stopped: {outcome.reason}. {kept}; the next run goes on from there."] if outcome.reason else []
