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
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from infograph.errors import ConfigError, InfographError, missing_extra
from infograph.execution.pool_worker import WATCH_SECONDS, Died, Hire, WorkerLost, replaces_another
from infograph.execution.processes import ProcessWorker

if TYPE_CHECKING:
    from ray.actor import ActorHandle

_CONNECT_SECONDS = 10.0
"""Seconds for the first connection to an address. Ray itself tries for more than three minutes."""


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


@dataclass(frozen=True, slots=True)
class _Refused:
    """The answer of an actor whose worker process can do no task at all."""

    error: InfographError


class _Host:
    """The actor: owns one worker process, on the machine that Ray has put it on."""

    def __init__(self, module: str, name: str) -> None:
        self._process = ProcessWorker(module, name)
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        waiting = threading.Event()
        while not waiting.wait(WATCH_SECONDS):
            self._process.expire()

    def tell(self, setup: Any) -> None:
        self._process.tell(setup)

    def do(self, message: bytes, seconds: float) -> Any:
        try:
            return self._process.ask([message], seconds)
        except InfographError as error:
            return _Refused(error)


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
        self._answers: deque[Any] = deque()
        """References to the answers of the tasks that were sent and are not answered."""

    def tell(self, setup: Any) -> None:
        """Tells the worker what it must know before its first task."""
        self._actor.tell.remote(setup)

    def ask(self, messages: Sequence[bytes], seconds: float) -> Any:
        """Returns the answer to the first task, see `PoolWorker.ask`."""
        import ray
        from ray.exceptions import RayError

        if not self._begun:
            self._waited_since = time.monotonic()
        try:
            for message in messages[len(self._answers) :]:
                self._answers.append(self._actor.do.remote(message, seconds))
            answer = ray.get(self._answers[0])
        except RayError as error:
            raise WorkerLost(str(error).strip().partition("\n")[0]) from error
        finally:
            self._waited_since = math.inf
        self._begun = True
        if isinstance(answer, _Refused):
            raise answer.error
        self._answers.popleft()
        if isinstance(answer, Died):
            self.close()
        return answer

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
