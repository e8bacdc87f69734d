"""A worker process on a machine of a Ray cluster, and the actor that owns it: several tasks and answers travel at once.

A call of an actor costs both sides about a millisecond, as much as a small document. So a call has as many tasks as are
done in a moment, and while some answers are on their way the actor has others to work at. What the worker process says
is passed on as it came: only the process that asked for it unpacks it.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from infograph.errors import InfographError
from infograph.execution.pipe import unpacked
from infograph.execution.pool_worker import WATCH_SECONDS, Died, WorkerLost, replaces_another
from infograph.execution.processes import ProcessWorker

if TYPE_CHECKING:
    from ray.actor import ActorHandle

_MOST_AHEAD = 16
"""Tasks at most that one worker has and has not answered."""
_AHEAD_SECONDS = 0.25
"""Seconds of work that one worker has."""
_ANSWER_BYTES = 64_000
"""Size of answers from which on they are sent. Up to 100,000 bytes Ray sends them with the end of the call; larger ones
go through the object store of both machines."""


@dataclass(slots=True)
class _Answers:
    """What a call of an actor gives."""

    packed: list[bytes] = field(default_factory=list)
    """Answers to tasks, in their order, as the worker process has sent them."""
    end: Died | InfographError | None = None
    """What came in place of the next one, after which there is none: the worker process is gone, or can do no task."""
    seconds: float = 0.0
    """How long that took."""


class _Host:
    """The actor: owns one worker process, on the machine that Ray has put it on, and the tasks that wait for it."""

    def __init__(self, module: str, name: str) -> None:
        self._process = ProcessWorker(module, name)
        self._waiting: deque[bytes] = deque()
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        waiting = threading.Event()
        while not waiting.wait(WATCH_SECONDS):
            self._process.expire()

    def tell(self, setup: Any) -> None:
        self._process.tell(setup)

    def do(self, messages: Sequence[bytes], seconds: float) -> _Answers:
        """Takes tasks and returns the answers to the next that wait: no more than were given, fewer where they are
        large, one at least."""
        self._waiting.extend(messages)
        answers, started = _Answers(), time.monotonic()
        size = 0
        while self._waiting and size < _ANSWER_BYTES:
            try:
                answer = self._process.ask_packed(list(islice(self._waiting, self._process.ahead)), seconds)
            except InfographError as error:
                answers.end = error
                break
            if isinstance(answer, Died):
                answers.end = answer
                break
            self._waiting.popleft()
            answers.packed.append(answer)
            size += len(answer)
        answers.seconds = time.monotonic() - started
        return answers


class RayWorker:
    """One actor of Ray with its worker process, see `PoolWorker`. It takes a processor of the cluster; one that takes
    the place of another shares one, where none is free: a cluster that has lost a machine has fewer.
    """

    may_be_lost = True

    def __init__(self, module: str, name: str) -> None:
        import ray

        processors = 0 if replaces_another(name) else 1
        kind = ray.remote(num_cpus=processors, max_restarts=0, scheduling_strategy="SPREAD")(_Host)
        self._actor: ActorHandle = kind.remote(module, name)
        self._name = name
        self._begun = False
        self._waited_since = math.inf
        """When its first answer began to be waited for; infinite before and after that."""
        self._calls: deque[Any] = deque()
        """References to the answers of the calls that are not answered, at most two."""
        self._sent = 0
        """Number of tasks that were sent and whose answers `ask` has not returned."""
        self._answers: deque[bytes] = deque()
        """Answers, as the worker process has sent them, to the first of these tasks."""
        self._end: Died | InfographError | None = None
        """What came in place of the answer after those."""
        self._pace = math.inf
        """Seconds that a task takes, as the last ones did."""

    @property
    def ahead(self) -> int:
        """Number of tasks for a moment: few where each takes long, so that workers end at about the same time."""
        return max(2, min(_MOST_AHEAD, int(_AHEAD_SECONDS / self._pace)))

    def tell(self, setup: Any) -> None:
        """Tells the worker what it must know before its first task."""
        self._actor.tell.remote(setup)

    def ask(self, messages: Sequence[bytes], seconds: float) -> Any:
        """Returns the answer to the first task of `messages`, see `PoolWorker.ask`."""
        if not self._begun:
            self._waited_since = time.monotonic()
        try:
            while not self._answers and self._end is None:
                self._fetch(messages, seconds)
        finally:
            self._waited_since = math.inf
        self._begun = True
        if self._answers:
            self._sent -= 1
            return unpacked(self._answers.popleft())
        if isinstance(self._end, InfographError):
            raise self._end
        self.close()
        return self._end

    def _fetch(self, messages: Sequence[bytes], seconds: float) -> None:
        """Sends what is to be sent and takes the answers to one call. Raises WorkerLost."""
        import ray
        from ray.exceptions import RayError

        try:
            while len(self._calls) < 2 and (self._sent < len(messages) or not self._calls):
                half = max(1, len(messages) // 2)
                sent = list(messages[self._sent : self._sent + half])
                self._calls.append(self._actor.do.remote(sent, seconds))
                self._sent += len(sent)
            answers: _Answers = ray.get(self._calls.popleft())
        except RayError as error:
            raise WorkerLost(str(error).strip().partition("\n")[0]) from error
        if answers.packed:
            self._pace = max(answers.seconds / len(answers.packed), 1e-6)
        self._answers.extend(answers.packed)
        self._end = answers.end

    def expire(self) -> None:
        """Does nothing: the actor looks by itself how long its task takes."""

    def late_start(self, seconds: float) -> str:
        """Says which actor it is, where its first answer has been waited for for longer."""
        if time.monotonic() - self._waited_since < seconds:
            return ""
        return f"worker {self._name} of the cluster (it may wait for a free processor: see `ray status`)"

    def kill(self) -> None:
        """Ends the actor at once, and its process with it."""
        self.close()

    def leave(self) -> None:
        """Does nothing: an actor that is idle costs nothing to end."""

    def close(self) -> None:
        """Ends the actor; its worker process ends with it."""
        import ray

        with contextlib.suppress(ValueError):  # not connected any more: all of them have ended
            ray.kill(self._actor)
