"""Asks a model one question: from the cache, or by calls that are tried again, checked and repaired.

ModelQuestion ─▶ cache ─▶ call ─▶ retry ─▶ check ─▶ repair ─▶ ModelReply, or a reason why there is none
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any, Generic, TypeVar

from infograph.config.settings import LlmSettings
from infograph.errors import EndpointError
from infograph.llm.answer_cache import AnswerCache, request_digest
from infograph.llm.endpoint import Endpoint
from infograph.llm.pacing import Budget, BudgetReached, Limiter
from infograph.llm.wire import STEPS, Call, ModelAnswer, Usage, answer_of, body_of, estimated_input
from infograph.remote.retries import FATAL, RETRIED, is_tried_again, wait_before
from infograph.remote.transport import Response, Transport

T = TypeVar("T")

FALLBACK_AFTER = 3
"""Failed tries after which another model is asked, where there is one."""
_NOT_YET = 503
"""Status of an endpoint that has no answer to a question yet, where it says that trying again is of no use."""
_WORDS_OF_LENGTH = ("context length", "context_length", "maximum context", "too long", "context window", "n_ctx")
_WORDS_OF_FORM = ("response_format", "json_schema", "json_object", "schema", "tool", "grammar")


@dataclass(frozen=True, slots=True)
class Checked(Generic[T]):
    """What was made of an answer."""

    value: T | None
    """None where nothing can be made of it."""
    violations: tuple[str, ...] = ()
    """What is wrong with it, for the model to mend; a value may stand beside."""


@dataclass(frozen=True, slots=True)
class ModelQuestion(Generic[T]):
    """One thing to ask."""

    task: str
    prompt_version: str
    name: str
    """What it is asked of, in logs: the href of a chunk."""
    call: Call
    check: Callable[[str], Checked[T]]
    """Makes a value of an answer's text."""
    shorter: Callable[[], ModelQuestion[T]] | None = None
    """Makes the same question with less text, for an endpoint that cannot read as much."""


@dataclass(frozen=True, slots=True)
class ModelReply(Generic[T]):
    """The outcome of a question."""

    value: T | None
    model: str = ""
    failed: str = ""
    """Why there is no value; empty where there is one."""
    transient: bool = False
    """Whether the endpoint failed and not the model, so that it is worth to ask again."""
    later: bool = False
    """Whether the endpoint is well and says that this very question has no answer yet."""
    cached: bool = False
    repaired: bool = False


@dataclass(slots=True)
class AskingTally:
    """Numbers of a run."""

    cached: int = 0
    repaired: int = 0
    degraded: int = 0
    retried: int = 0
    seconds: float = 0.0
    """Time spent in calls, summed."""
    tried: int = 0
    """Requests sent, retries included."""

    def add(self, other: AskingTally) -> None:
        """Adds the numbers of another run."""
        for own in fields(self):
            setattr(self, own.name, getattr(self, own.name) + getattr(other, own.name))


@dataclass(slots=True)
class Asker:
    """Asks questions, from any number of threads."""

    endpoint: Endpoint
    llm: LlmSettings
    cache: AnswerCache
    transport: Transport
    log: Callable[[dict[str, Any]], None] | None = None
    """Called with facts about each request: no text, no key."""
    fresh: bool = False
    """Whether kept answers are not used."""
    sleep: Callable[[float], object] = time.sleep
    patient: bool = False
    """Whether an answer that may still be mended is not taken as it is."""
    budget: Budget = field(init=False)
    limiter: Limiter = field(init=False)
    tally: AskingTally = field(default_factory=AskingTally)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.budget = Budget(self.llm)
        self.limiter = Limiter(self.llm.requests_per_minute, self.llm.tokens_per_minute, sleep=self._wait)

    def _wait(self, seconds: float) -> None:
        self.sleep(seconds)  # which may be set after the limiter was made

    def ask(self, question: ModelQuestion[T]) -> ModelReply[T]:
        """Asks a question. Raises EndpointError for what every other question would meet too, and BudgetReached."""
        reply = self._ask(question, question.call)
        if reply.value is None and not reply.transient and self.endpoint.fallback not in ("", question.call.model):
            reply = self._ask(question, replace(question.call, model=self.endpoint.fallback))
        if reply.value is None:
            self._count(degraded=1)
        return reply

    def _ask(self, question: ModelQuestion[T], call: Call) -> ModelReply[T]:
        answer, cached, failure = self._answer(question, call)
        if answer is None:
            return failure
        checked = question.check(answer.text)
        if not checked.violations:
            return self._taken(question, call, answer, checked, cached=cached)
        listed = "\n".join(f"- {violation}" for violation in checked.violations[:20])
        said = f"Your answer is not valid:\n{listed}\nAnswer again, with the corrected JSON alone."
        mended, again, unmended = self._answer(
            question, replace(call, turns=((*call.turns, ("assistant", answer.text[:20_000]), ("user", said))))
        )
        if mended is not None:
            second = question.check(mended.text)
            better = checked.value is None or len(second.violations) < len(checked.violations)
            if second.value is not None and better:
                if not (cached or again):
                    self._count(repaired=1)
                return replace(self._taken(question, call, answer, second, cached=again), repaired=True)
        if unmended.transient and (self.patient or checked.value is None):
            return unmended
        if checked.value is not None:  # what is amiss was left out of it
            return self._taken(question, call, answer, checked, cached=cached)
        return ModelReply(None, call.model, failed="; ".join(checked.violations[:3])[:300])

    def _taken(
        self, question: ModelQuestion[T], call: Call, answer: ModelAnswer, checked: Checked[T], *, cached: bool
    ) -> ModelReply[T]:
        if checked.value is None:
            return ModelReply(None, call.model, failed="; ".join(checked.violations[:3])[:300] or "nothing was said")
        if cached:
            self._count(cached=1)
        return ModelReply(checked.value, answer.model, cached=cached)

    def _answer(self, question: ModelQuestion[T], call: Call) -> tuple[ModelAnswer | None, bool, ModelReply[T]]:
        """Returns an answer and whether it was kept; else None, with the reply that says why."""
        digest = request_digest(question.task, question.prompt_version, call)
        kept = None if self.fresh else self.cache.get(question.task, call, digest)
        if kept is not None:
            return kept, True, ModelReply(None)
        worst = Usage(estimated_input(call), call.max_tokens)
        self.budget.reserve(worst)
        used = Usage()
        try:
            self.limiter.enter(worst.input + worst.output)
        except BaseException:
            self.budget.release(worst)
            raise
        try:
            answer, failure = self._tried(question, call)
            if answer is not None:
                used = answer.usage
        finally:
            self.budget.settle(worst, used)
        if answer is None:
            return None, False, failure
        if answer.cut:
            limit = f"the answer reached the limit of {call.max_tokens} tokens"
            return None, False, ModelReply(None, call.model, failed=limit)
        self.cache.put(question.task, call, digest, answer)
        return answer, False, failure

    def _tried(self, question: ModelQuestion[T], call: Call) -> tuple[ModelAnswer | None, ModelReply[T]]:
        """Sends a call until it is answered or has failed too often."""
        attempt, waited = 0, 0.0
        while True:
            step = self.step_of(call)
            started = time.monotonic()
            response = self.transport.post(body_of(self.endpoint.form, call, step))
            seconds = time.monotonic() - started
            self._count(seconds=seconds, tried=1)
            reason = response.message
            if response.status == 200 and response.data is not None:
                try:
                    answer = answer_of(self.endpoint.form, call, response.data)
                    self._note(question, call, response, seconds, answer)
                    return answer, ModelReply(None)
                except ValueError as error:
                    reason = str(error)
            self._note(question, call, response, seconds, None)
            if response.status == 400 and self.steps_down(call, step, reason):
                continue
            if response.status == 400 and any(word in reason.lower() for word in _WORDS_OF_LENGTH):
                return self._shortened(question, call, reason)
            self._refuse_fatal(response.status, reason)
            attempt += 1
            status, told = response.status, response.should_retry
            if not is_tried_again(status, told, attempt, self.llm.retries, waited):
                return None, ModelReply(
                    None,
                    call.model,
                    failed=reason or f"status {status}",
                    transient=status in RETRIED or status in (0, 200),
                    later=status == _NOT_YET and told is False,
                )
            self._count(retried=1)
            wait = wait_before(attempt, response.retry_after, random.random())
            waited += wait
            self.sleep(wait)
            if attempt == FALLBACK_AFTER and self.endpoint.fallback:
                call = replace(call, model=self.endpoint.fallback)

    def _shortened(
        self, question: ModelQuestion[T], call: Call, reason: str
    ) -> tuple[ModelAnswer | None, ModelReply[T]]:
        if question.shorter is None:
            return None, ModelReply(None, call.model, failed=f"the endpoint cannot read as much: {reason}")
        less = question.shorter()
        return self._tried(less, replace(less.call, model=call.model))

    def _refuse_fatal(self, status: int, reason: str) -> None:
        """Raises EndpointError for a status that every other call would get as well."""
        if status not in FATAL and not 300 <= status < 400:
            return
        hints = {
            401: "Set the key of this endpoint as INFOGRAPH_LLM_API_KEY.",
            404: f"Is there a model `{self.endpoint.model}`, and is `llm.base_url` right?",
        }
        said = f"answered {status}: {reason}" if reason else f"answered {status}"
        raise EndpointError(self.endpoint.url, said, hints.get(status, "What was answered until now is kept."))

    def step_of(self, call: Call) -> str:
        """Returns how a call asks for JSON."""
        steps = STEPS[self.endpoint.form]
        asked = self.llm.structured
        if asked != "auto":
            return asked if asked in steps else steps[0] if asked != "none" else "none"
        known = self.cache.step(f"{self.endpoint.base} {call.model}")
        return known if known in steps else steps[0]

    def steps_down(self, call: Call, step: str, reason: str) -> bool:
        """Whether the endpoint takes no such way to ask for JSON, so that the next one is tried from now on."""
        steps = STEPS[self.endpoint.form]
        below = steps[steps.index(step) + 1 :]
        if self.llm.structured != "auto" or not below or not any(w in reason.lower() for w in _WORDS_OF_FORM):
            return False
        self.cache.keep_step(f"{self.endpoint.base} {call.model}", below[0])
        return True

    def _count(self, **numbers: float) -> None:
        with self._lock:
            for name, number in numbers.items():
                setattr(self.tally, name, getattr(self.tally, name) + number)

    def _note(
        self, question: ModelQuestion[T], call: Call, response: Response, seconds: float, answer: ModelAnswer | None
    ) -> None:
        if self.log is not None:
            used = answer.usage if answer else Usage()
            self.log(
                {
                    "task": question.task,
                    "chunk": question.name,
                    "model": call.model,
                    "status": response.status,
                    "milliseconds": round(seconds * 1000),
                    "input": used.input,
                    "cached_input": used.cached_input,
                    "output": used.output,
                }
            )


def payload(endpoint: Endpoint, question: ModelQuestion[Any], step: str) -> str:
    """Returns the body that would be sent for a question, as a person reads it: a line in the place of an image."""
    call = replace(question.call, images=tuple(image.shown() for image in question.call.images))
    return json.dumps(body_of(endpoint.form, call, step), indent=2, ensure_ascii=False)


__all__ = ["Asker", "AskingTally", "BudgetReached", "Checked", "ModelQuestion", "ModelReply", "payload"]
