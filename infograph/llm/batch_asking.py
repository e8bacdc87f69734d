"""Asks questions by batches: what is answered is taken, what is not goes into a batch, and no call is sent by itself.

ModelQuestion ─▶ cache ─▶ check, or ─▶ lines of a batch ─▶ .llm-cache/batch.json ─collect▶ cache
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from infograph.errors import FormatError
from infograph.files.disk import read_file, remove_private, write_durable
from infograph.llm.answer_cache import request_digest
from infograph.llm.asking import Asker, ModelQuestion, ModelReply
from infograph.llm.batches import MOST_BYTES, MOST_CALLS, PRICE, Batches, batch_line
from infograph.llm.pacing import Budget
from infograph.llm.wire import Call, ModelAnswer, Usage, answer_of, estimated_input

T = TypeVar("T")

FILE = "batch.json"
"""What was submitted and not collected yet, in the folder of raw answers."""
_LARGEST = 1 << 20
_WAITS = "waits for its batch"
_PASSING = frozenset({0, 408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses of calls that go into the next batch."""


@dataclass(frozen=True, slots=True)
class WaitingBatch:
    """A batch that was submitted."""

    id: str
    calls: int
    task: str
    model: str
    step: str
    """How its calls ask for JSON."""
    address: str
    """Where the endpoint has its batches."""


def waiting(folder: Path) -> list[WaitingBatch]:
    """Returns the batches that were submitted and not collected. Raises FormatError."""
    data = read_file(folder / FILE, _LARGEST)
    if data is None:
        return []
    try:
        return [WaitingBatch(**item) for item in json.loads(data)["batches"]]
    except (ValueError, KeyError, TypeError) as error:
        hint = "Remove it where its batches are of no interest: they are lost then, and paid for."
        raise FormatError(str(folder / FILE), f"is no list of batches: {error}", hint) from None


def remember(folder: Path, batches: Sequence[WaitingBatch]) -> None:
    """Writes the batches that were submitted, on disk when this returns. Raises OutputError."""
    if not batches:
        remove_private(folder, FILE)
        return
    items = [{name: getattr(batch, name) for name in WaitingBatch.__slots__} for batch in batches]
    write_durable(folder, FILE, json.dumps({"batches": items}, indent=1).encode() + b"\n")


@dataclass(slots=True)
class BatchAsker(Asker):
    """Asks by batches, from one thread."""

    folder: Path = field(kw_only=True)
    """Folder of raw answers."""
    submitted: list[WaitingBatch] = field(default_factory=list)
    collected: set[str] = field(default_factory=set)
    """Digests of calls whose answer came with the batches of this run."""
    refused: dict[str, str] = field(default_factory=dict)
    """Why a call has no answer and never will, by its digest."""
    _waiting: set[str] = field(default_factory=set)
    _lines: list[bytes] = field(default_factory=list)
    _bytes: int = 0
    _task: str = ""
    _step: str = ""
    _model: str = ""

    def __post_init__(self) -> None:
        Asker.__post_init__(self)
        self.budget = Budget(self.llm, PRICE)
        self.patient = True

    def collect(self, batches: Sequence[WaitingBatch]) -> int:
        """Takes the answers of batches if all of them have ended; returns the number of calls still to be answered.

        Raises EndpointError, OutputError.
        """
        service = Batches(self.endpoint, self.transport)
        states = [service.state(batch.id) for batch in batches]
        left = sum(
            max(0, batch.calls - state.answered - state.failed) or 1
            for batch, state in zip(batches, states, strict=True)
            if not state.ended
        )
        if left:
            return left
        for batch, state in zip(batches, states, strict=True):
            call = Call(batch.model, "", "", "", None, 0, self.llm.temperature)
            for digest, response in service.results(state):
                if response.status == 200:
                    self._take(batch, call, digest, response.data)
                elif response.status not in _PASSING and not self.steps_down(call, batch.step, response.message):
                    self.refused[digest] = response.message or f"status {response.status}"
        return 0

    def _take(self, batch: WaitingBatch, call: Call, digest: str, data: object) -> None:
        try:
            answer = answer_of(self.endpoint.form, call, data)
        except ValueError as error:
            self.refused[digest] = str(error)
            return
        self.budget.settle(Usage(), answer.usage)
        self.budget.calls += 1
        if answer.cut:
            self.refused[digest] = "the answer reached its limit of tokens"
            return
        self.cache.put(batch.task, call, digest, answer)
        self.collected.add(digest)

    def _answer(self, question: ModelQuestion[T], call: Call) -> tuple[ModelAnswer | None, bool, ModelReply[T]]:
        digest = request_digest(question.task, question.prompt_version, call)
        if digest in self.collected or not self.fresh:
            kept = self.cache.get(question.task, call, digest)
            if kept is not None:
                return kept, True, ModelReply(None)
        if digest in self.refused:
            return None, False, ModelReply(None, call.model, failed=self.refused[digest])
        if digest not in self._waiting:
            self.budget.reserve(Usage(estimated_input(call), call.max_tokens))
            self._add(question.task, call, digest)
        return None, False, ModelReply(None, call.model, failed=_WAITS, transient=True)

    def _add(self, task: str, call: Call, digest: str) -> None:
        self._waiting.add(digest)
        step = self.step_of(call)
        line = batch_line(self.endpoint.form, call, step, digest)
        full = len(self._lines) >= MOST_CALLS or self._bytes + len(line) > MOST_BYTES
        if self._lines and (full or (task, step, call.model) != (self._task, self._step, self._model)):
            self.submit()
        self._task, self._step, self._model = task, step, call.model
        self._lines.append(line)
        self._bytes += len(line)

    def submit(self) -> None:
        """Submits what is to ask, and remembers it before anything else. Raises EndpointError, OutputError."""
        if not self._lines:
            return
        batch = Batches(self.endpoint, self.transport).submit(self._lines)
        self.submitted.append(
            WaitingBatch(batch, len(self._lines), self._task, self._model, self._step, self.endpoint.batches)
        )
        remember(self.folder, self.submitted)
        self._lines, self._bytes = [], 0


__all__ = ["BatchAsker", "WaitingBatch", "remember", "waiting"]
