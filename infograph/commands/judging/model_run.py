"""A run that asks a model many questions: a budget, redaction, and an end that keeps what was answered."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from infograph.config.settings import Settings
from infograph.errors import EndpointError
from infograph.llm.answer_cache import AnswerCache, alone, cache_folder, request_digest
from infograph.llm.asking import Asker, AskingTally, BudgetReached, ModelQuestion
from infograph.llm.endpoint import endpoint_of
from infograph.llm.pacing import Budget
from infograph.llm.wire import Usage, estimated_input
from infograph.progress import Reporter, amount, money
from infograph.remote.redaction import Redactor
from infograph.remote.transport import Transport
from infograph.source.ignores import patterns_of_setting

DONE, STOPPED, BUDGET = 0, 1, 3
"""Exit statuses, as those of `infograph enrich`."""
STAYS = "a text is of a page that is never sent"

K = TypeVar("K")
V = TypeVar("V")


@dataclass(slots=True)
class ModelOutcome:
    """What a run came to, or what one would cost."""

    without: Counter[str] = field(default_factory=Counter)
    """Cases without an answer, by reason."""
    calls: int = 0
    """Calls that were made; of an estimate those that would be."""
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    redacted: Counter[str] = field(default_factory=Counter)
    models: Counter[str] = field(default_factory=Counter)
    """Cases by the model that answered."""
    status: int = DONE
    reason: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Returns the same as JSON has it."""
        found = {own.name: getattr(self, own.name) for own in fields(self)}
        return {name: dict(value) if isinstance(value, Counter) else value for name, value in found.items()}

    @property
    def spent(self) -> str:
        """Tokens and money, for people."""
        return f"{self.input_tokens:,} tokens in, {self.output_tokens:,} out · cost {money(self.cost)}"

    def lost(self, noun: str) -> list[str]:
        """Lines for people about cases without an answer, which the noun names."""
        return [f"no {noun} on {count:,}: {reason}" for reason, count in self.without.most_common(10)]

    def redactions(self, how: str) -> list[str]:
        """A line for people about what is not sent as it stands."""
        rules = ", ".join(f"{count:,} {name}" for name, count in sorted(self.redacted.items()))
        return [f"{how}: {rules}"] if rules else []


class ModelRun:
    """Asks about cases, several at a time. Of the threads only `locked` changes what they share."""

    def __init__(self, settings: Settings, reporter: Reporter, outcome: ModelOutcome) -> None:
        self.outcome = outcome
        self.llm = settings.config.llm
        self.model = self.llm.model or os.environ.get("LLM_MODEL", "")
        self.sleep: Callable[[float], object] = time.sleep
        """Waits between two tries of a call."""
        self.locked = threading.Lock()
        self.tally = AskingTally()
        self._settings, self._reporter = settings, reporter
        self._excluded = patterns_of_setting(self.llm.exclude, "llm.exclude")
        self._redactor = Redactor(self.llm.redact)
        self._ending = threading.Event()

    def keeps(self, file: str) -> bool:
        """Whether a page of this path is never sent."""
        return bool(self._excluded and self._excluded(file, False))

    def redact(self, text: str) -> str:
        """Returns a text as it is sent."""
        with self.locked:
            return self._redactor.redact(text, self.outcome.redacted)

    def estimate(self, questions: Sequence[ModelQuestion[Any]], answer_tokens: Sequence[int]) -> None:
        """Counts what would be asked, as far as no answer is kept.

        answer_tokens: of each question
        """
        cache, outcome = AnswerCache(cache_folder(self._settings)), self.outcome
        for question, tokens in zip(questions, answer_tokens, strict=True):
            digest = request_digest(question.task, question.prompt_version, question.call)
            if cache.get(question.task, question.call, digest):
                outcome.cached += 1
                continue
            outcome.calls += 1
            outcome.input_tokens += estimated_input(question.call)
            outcome.output_tokens += min(question.call.max_tokens, tokens)
        budget = Budget(self.llm)
        if budget.priced:
            outcome.cost = budget.price(Usage(outcome.input_tokens, outcome.output_tokens))

    def ask(self, phase: str, cases: Mapping[K, V], one: Callable[[Asker, K, V], None]) -> None:
        """Asks a model about each case. Where that ends early, the outcome says why. Raises ConfigError where no model
        is named.

        one: asks about a case and keeps what is answered
        """
        endpoint = endpoint_of(self.llm, os.environ)
        folder = cache_folder(self._settings)
        with alone(folder):
            transport = Transport(endpoint, self.llm.timeout)
            asker = Asker(endpoint, self.llm, AnswerCache(folder), transport, tally=self.tally)
            asker.sleep = self.sleep
            before = self.tally.cached
            try:
                self._all(asker, phase, cases, one)
            finally:
                transport.close()
                self.outcome.cached += self.tally.cached - before
                self._count(asker.budget)

    def _all(self, asker: Asker, phase: str, cases: Mapping[K, V], one: Callable[[Asker, K, V], None]) -> None:
        self._ending.clear()
        with (
            self._reporter.phase(phase, amount(len(cases), "case")) as advance,
            ThreadPoolExecutor(self.llm.concurrency) as pool,
        ):
            try:
                asked = pool.map(lambda item: self._guarded(asker, one, *item), cases.items())
                for number, _ in enumerate(asked, 1):
                    advance(number / len(cases))
            finally:
                self._ending.set()

    def _guarded(self, asker: Asker, one: Callable[[Asker, K, V], None], key: K, case: V) -> None:
        """Asks a model about a case, but for a run that is ending."""
        if self._ending.is_set():
            return
        try:
            one(asker, key, case)
        except BudgetReached as error:
            self._end(BUDGET, f"the budget is reached: {error}")
        except EndpointError as error:
            self._end(STOPPED, str(error))

    def _count(self, budget: Budget) -> None:
        outcome = self.outcome
        outcome.calls += budget.calls
        outcome.input_tokens += budget.usage.input
        outcome.output_tokens += budget.usage.output
        if budget.priced:
            outcome.cost = (outcome.cost or 0.0) + budget.cost

    def _end(self, status: int, reason: str) -> None:
        self._ending.set()
        with self.locked:
            if not self.outcome.status:
                self.outcome.status, self.outcome.reason = status, reason
