"""Asking a model about many cases, several at a time: within a budget, and what was answered is kept."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields
from typing import Any, Generic, TypeVar

from infograph.config.settings import Settings
from infograph.llm.answer_cache import AnswerCache, alone, cache_folder, request_digest
from infograph.llm.asking import Asker, AskingTally, ModelQuestion
from infograph.llm.endpoint import endpoint_of
from infograph.llm.model_run import DONE, ModelRun, RunOutcome, ending_lines, redaction_lines
from infograph.llm.pacing import Budget
from infograph.llm.wire import Usage, estimated_input
from infograph.progress import Reporter, amount, money
from infograph.remote.transport import Transport
from infograph.source.ignores import patterns_of_setting

STAYS = "a text is of a page that is never sent"

K = TypeVar("K")
V = TypeVar("V")
Outcome = TypeVar("Outcome", bound=RunOutcome)


@dataclass(slots=True)
class CasesOutcome:
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

    def lines(self, noun: str, what: str, kept: str) -> list[str]:
        """Returns what people read of a run that is over.

        noun: what a case lacks that has no answer
        what: what was done
        kept: what of it stays, see `ending_lines`
        """
        return [
            *self._without(noun),
            *redaction_lines(self.redacted, "redacted before sending"),
            f"{what} · {amount(self.calls, 'call')}, {self.cached:,} cached · {self.spent}",
            *ending_lines(self, kept),
        ]

    def estimate_lines(self, noun: str, known: str = "") -> list[str]:
        """Returns what people read of a run that was only estimated.

        known: what nobody has to be asked for
        """
        kept = f", {self.cached:,} kept answers" if self.cached else ""
        return [
            *self._without(noun),
            *redaction_lines(self.redacted, "would be redacted"),
            f"{amount(self.calls, 'call')} to ask{kept}{known} · about {self.spent}",
        ]

    def _without(self, noun: str) -> list[str]:
        return [f"no {noun} on {count:,}: {reason}" for reason, count in self.without.most_common(10)]


class CasesRun(Generic[Outcome]):
    """Asks about cases. Of the threads only `locked` changes what they share."""

    def __init__(self, settings: Settings, reporter: Reporter, outcome: Outcome) -> None:
        self.outcome = outcome
        self.llm = settings.config.llm
        self.model = self.llm.model or os.environ.get("LLM_MODEL", "")
        self.tally = AskingTally()
        self._reporter = reporter
        self._folder = cache_folder(settings)
        self._excluded = patterns_of_setting(self.llm.exclude, "llm.exclude")
        self._run = ModelRun(outcome, self.llm.redact, self._folder)
        self.sleep: Callable[[float], object] = self._run.wait
        """Waits between two tries of a call."""
        self.locked = self._run.lock
        self.redact = self._run.redact

    def keeps(self, file: str) -> bool:
        """Whether a page of this path is never sent."""
        return bool(self._excluded and self._excluded(file, False))

    def estimate(self, questions: Sequence[ModelQuestion[Any]], answer_tokens: Sequence[int]) -> None:
        """Counts what would be asked, as far as no answer is kept.

        answer_tokens: of each question
        """
        cache, outcome = AnswerCache(self._folder), self.outcome
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

    def ask(self, phase: str, cases: Mapping[K, V], one: Callable[[Asker, K, V], None], *, fresh: bool = False) -> None:
        """Asks a model about each case. Where that ends early, the outcome says why. Raises ConfigError where no model
        is named.

        one:   asks about a case and keeps what is answered
        fresh: kept answers are not used
        """
        endpoint = endpoint_of(self.llm, os.environ)
        with alone(self._folder):
            transport = Transport(endpoint, self.llm.timeout)
            asker = Asker(endpoint, self.llm, AnswerCache(self._folder), transport, fresh=fresh)
            asker.sleep = self.sleep
            try:
                self._all(asker, phase, cases, one)
            finally:
                transport.close()
                self._run.count(asker)
                self.tally.add(asker.tally)

    def _all(self, asker: Asker, phase: str, cases: Mapping[K, V], one: Callable[[Asker, K, V], None]) -> None:
        ending = self._run.ending
        ending.clear()

        def guarded(item: tuple[K, V]) -> None:
            if not ending.is_set():
                with self._run.ending_by_errors():
                    one(asker, *item)

        with (
            self._reporter.phase(phase, amount(len(cases), "case")) as advance,
            ThreadPoolExecutor(self.llm.concurrency) as pool,
        ):
            try:
                for number, _ in enumerate(pool.map(guarded, cases.items()), 1):
                    advance(number / len(cases))
            finally:
                ending.set()
