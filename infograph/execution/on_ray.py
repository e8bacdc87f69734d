"""Workers on the machines of a Ray cluster: the same worker processes, each started by an actor of Ray.

An actor owns one worker process of its machine (`ProcessWorker`) and passes tasks and answers on. So a task that takes
too long, or takes its worker down, costs here what it costs on one machine; an actor that is lost with its machine is
replaced elsewhere. Needs the extra `ray`.
"""

from __future__ import annotations

import contextlib
import math
import os
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from infograph.errors import ConfigError, InfographError, missing_extra
from infograph.execution.pipe import unpacked
from infograph.execution.pool_worker import WATCH_SECONDS, Died, Hire, WorkerLost, replaces_another
from infograph.execution.processes import ProcessWorker

if TYPE_CHECKING:
    from ray.actor import ActorHandle

_CONNECT_SECONDS = 10.0
"""Seconds for the first connection to an address. Ray itself tries for more than three minutes."""


_MOST_AHEAD = 16
"""Tasks at most that one worker has and has not answered."""
_AHEAD_SECONDS = 0.25
"""Seconds of work that one worker has."""
_ANSWER_BYTES = 64_000
"""Size of answers from which on they are sent. Up to 100,000 bytes Ray sends them with the end of the call; larger ones
go through the object store of both machines."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A Ray cluster that this process is connected to."""

    processors: int
    """Processors that are free, at least one."""
    hire: Hire
    """Starts a worker on one of its machines."""


@contextlib.contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """Connects to a Ray cluster, until the end of the block; one that this process is connected to already is used and
    left as it is. Raises ConfigError where it cannot be reached.

    address: `HOST:PORT` of the head, `ray://HOST:PORT` of a Ray Client server, `auto` for the cluster that this machine
             belongs to, `local` for one of this machine alone
    """
    try:
        import ray
    except ImportError as error:
        raise missing_extra("ray", "ray", "needs Ray", error) from error

    with contextlib.ExitStack() as stack:
        if not ray.is_initialized():
            _reach(address)
            # Ray prints what it hears of machines among the answers of a command: `--json` could not be read.
            stack.enter_context(contextlib.redirect_stdout(sys.stderr))
            _connect(address)
            stack.callback(ray.shutdown)
        free = ray.available_resources().get("CPU", 0.0)
        yield Cluster(max(1, int(free)), RayWorker)


def _connect(address: str) -> None:
    """Connects this process to a cluster. Raises ConfigError."""
    import ray

    options = {"include_dashboard": False} if address == "local" else {}
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a build tells nobody anything
    try:
        ray.init(address=address, configure_logging=False, **options)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise _unreached(address, str(error).strip().partition("\n")[0]) from error


def _reach(address: str) -> None:
    """Opens a connection to an address and closes it again. Raises ConfigError."""
    if address in ("auto", "local"):
        return
    try:
        parts = urlsplit(address if "://" in address else f"//{address}")
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise _unreached(address, str(error)) from error
    if parts.scheme not in ("", "ray") or not host or not port:
        raise _unreached(address, "is no address of a cluster")
    try:
        socket.create_connection((host, port), _CONNECT_SECONDS).close()
    except OSError as error:
        raise _unreached(address, f"does not answer ({error.strerror or error})") from error


def _unreached(address: str, reason: str) -> ConfigError:
    hint = "Give the head as `HOST:6379`, a Ray Client server as `ray://HOST:10001`, or `auto` on one of its machines."
    return ConfigError(f"ray = `{address}`", reason, hint)


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

    A call of an actor costs both sides about a millisecond, as much as a small document: tasks and answers travel
    several at a time, and while some answers are on their way the actor has others to work at.
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
