"""Worker processes of this machine, which can be killed: a task that takes too long costs itself and nothing else.

Time is processor time where the system can limit it, so that a busy machine changes no output; a task that waits
for ever is ended by the clock.

Each worker is a plain `python -m MODULE` fed through pipes, so nothing of the parent (threads, open files, an unguarded
`__main__`) leaks into it; or, where that is as good and cheaper, a copy of the parent (`forked.py`). `child.py` is the
worker's side.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from infograph.errors import InfographError
from infograph.execution import forked
from infograph.execution.forked import Forked
from infograph.execution.pipe import Rest, receive, receive_packed, send, unpacked
from infograph.execution.pool_worker import Died, WorkerLost

_AHEAD_BYTES = 4096
"""Size of the largest task that is sent to a worker while it does another. It fits into every system's pipe: a process
that waits for room in one pipe while the other process waits for room in the way back would wait for ever."""

_PIPE_BYTES = 1 << 19
"""Size of the pipe for the answers of a worker; Linux gives 64 KB, less than one answer."""

_PATIENCE = 1 if sys.platform == "win32" else 10
"""Seconds by the clock for a second of processor time, which Windows has no timer for."""

_ONE_THREAD = dict.fromkeys(
    ("MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)
"""Environment of a worker, which multiplies small matrices one after the other: threads would only wait for each other,
busily."""


class ProcessWorker:
    """One worker process and its pipes, see `PoolWorker`.

    module: what it runs
    name:   distinguishes it from all others of its pool
    first:  called there before the module's `main`, where it is a copy of this process
    """

    may_be_lost = False
    ahead = 2

    def __init__(self, module: str, name: str, first: Callable[[], object] | None = None) -> None:
        self._name = name
        self._process = start_process(module, _ONE_THREAD, first)
        _widen(self._process.stdout)
        self._deadline = math.inf
        self._late = False
        self._sent = 0
        """Number of tasks that it was sent and has not answered."""
        self._lock = threading.Lock()
        assert self._process.stdin is not None and self._process.stdout is not None
        self._to: IO[bytes] = self._process.stdin
        self._from: IO[bytes] = self._process.stdout
        self._ready = False
        self._kept = False
        """Whether it waited for its setup in another's keeping, where anything may have become of it."""
        self._killed = False
        self._waited_since = math.inf
        """When it began to be waited for at its start; infinite before and after that."""

    def tell(self, setup: Any) -> None:
        """Tells the worker what it must know before its first task."""
        with contextlib.suppress(BrokenPipeError):  # it ended at once, which the first task will find
            send(self._to, (self._name, setup))

    def _wait(self) -> None:
        """Waits until the worker is ready for tasks. Raises InfographError, the worker's own where it cannot do any;
        WorkerLost where it was kept and ended while it waited."""
        self._waited_since = time.monotonic()
        try:
            answer = receive(self._from)
        except EOFError:
            status = self._process.wait()
            if self._kept:
                raise WorkerLost(f"it ended while it waited (status {status})") from None
            reason = f"a worker process ended before its first task (status {status})"
            killed = "It was killed, perhaps for want of memory: build with `--jobs 1`."
            raise InfographError("", reason, killed if status < 0 else "Its own message stands above.") from None
        finally:
            self._waited_since = math.inf
        if isinstance(answer, InfographError):
            raise answer
        self._ready = True

    def ask(self, messages: Sequence[bytes], seconds: float) -> Any:
        """Returns the answer to the first task of `messages`, or Died. The next task is sent along, so that the worker
        goes on while this process is busy with the answer; if it dies, only the first task was its fault."""
        answer = self.ask_packed(messages, seconds)
        return answer if isinstance(answer, Died) else unpacked(answer)

    def ask_packed(self, messages: Sequence[bytes], seconds: float) -> bytes | Died:
        """Does what `ask` does, and leaves the answer as the worker has sent it."""
        if not self._ready:
            self._wait()
        self._deadline = time.monotonic() + seconds * _PATIENCE
        try:
            for message in messages[self._sent :]:
                if self._sent and len(message) > _AHEAD_BYTES:
                    break
                self._to.write(message)
                self._to.flush()
                self._sent += 1
            answer = receive_packed(self._from)
        except (BrokenPipeError, EOFError):
            answer = None
        with self._lock:  # if it is being killed in this moment, then the answer comes too late
            self._deadline = math.inf
        if answer is None or self._late:
            self.close()
            status = self._process.wait()
            spent = sys.platform != "win32" and status == -signal.SIGPROF
            return Died(self._late or spent, status)
        self._sent -= 1
        return answer

    def expire(self) -> None:
        """Ends the worker if its task takes too long."""
        with self._lock:
            if time.monotonic() > self._deadline:
                self._late = True
                self._process.kill()

    def late_start(self, seconds: float) -> str:
        """Says which process it is, where it has been waited for at its start for longer."""
        if time.monotonic() - self._waited_since < seconds:
            return ""
        return f"worker process {self._process.pid} (it may wait for its disk, or for memory)"

    def kill(self) -> None:
        """Ends the worker at once. The thread that waits for its answer learns of it, and closes it."""
        self._killed = True
        self._process.kill()

    def rest(self) -> bool:
        """Tells the worker to wait for another setup, and returns whether it can: it did all its tasks and was not
        ended."""
        if not self._ready or self._sent or self._late or self._killed:
            return False
        try:
            send(self._to, Rest())
        except BrokenPipeError:
            return False
        self._ready = False
        return True

    def renamed(self, name: str) -> ProcessWorker:
        """Returns the worker, which rests or has only been started, under the name that its next setup goes with."""
        self._name, self._kept = name, True
        return self

    def leave(self) -> None:
        """Tells the worker that there is nothing more to do."""
        with contextlib.suppress(BrokenPipeError):
            self._to.close()

    def close(self) -> None:
        """Tells the worker to end and waits for that."""
        self.leave()
        self._from.close()
        self._process.wait()


def start_process(
    module: str, environment: Mapping[str, str], first: Callable[[], object] | None = None
) -> Forked | subprocess.Popen[bytes]:
    """Starts a process that runs a module, in a session of its own, with pipes for its input and output. Raises
    InfographError.

    environment: variables that are set there, unless they are set here
    first:       called there before the module's `main`, where it is a copy of this process
    """
    try:
        if forked.can_fork():
            return Forked(module, {**environment, **os.environ}, first)
        return _interpreter(module, environment)
    except OSError as error:
        raise InfographError("", f"a worker process cannot be started: {error.strerror}") from error


def _interpreter(module: str, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Starts an interpreter that runs a module. Raises OSError."""
    # This package before all others, and never the working directory (-P): it may be a tree of strangers.
    path = os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH"))))
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**environment, **os.environ, "PYTHONPATH": path},
        start_new_session=True,  # Ctrl-C is for the parent: workers end when it closes their pipe
    )


def _widen(pipe: IO[bytes] | None) -> None:
    """Lets a pipe hold several answers where the system can, so that a worker need not wait until one is taken."""
    if pipe is not None and sys.platform == "linux":
        import fcntl

        with contextlib.suppress(OSError):  # this user has many wide pipes already
            fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
