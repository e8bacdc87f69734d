"""One process that does one task at a time under watch: it is ended, whatever it does, when nothing is heard of it for
too long.

For code that may hang where no thread can stop it: in a loop of C that holds the interpreter's lock, say. `child.py` is
the other side (`serve_watcher`).
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from infograph.execution.pipe import SignOfLife, receive, send
from infograph.execution.pool_worker import Died
from infograph.execution.processes import start_process

_SLACK = 60.0
"""Seconds of processor time beyond those that all cores have in the time limit, after which the system ends the process
if this one, which should have done it, is gone."""


class WatchedProcess:
    """A process that runs a module, from the first task until it is closed or dies; the task after that starts another.

    setup: what it is told before its first task, pickled
    """

    def __init__(self, module: str, setup: Any) -> None:
        self._module = module
        self._setup = setup
        self._process: Any = None
        self._deadline = math.inf
        self._late = False
        self._lock = threading.Lock()
        """Held to start the process, to end it from another thread, and to forget it."""
        self._killed = False

    def ask(self, task: Any, seconds: float, told: Callable[..., None]) -> Any:
        """Returns the answer to a task, or Died. Raises InfographError where no process can be started, and the
        process's own where it can do no task.

        seconds: longest time by the clock without an answer or a word, the start of the process included
        told:    called with what it says meanwhile
        """
        over = threading.Event()
        with self._lock:
            if self._killed:
                return Died(False, -signal.SIGTERM)
            started = self._process is None
            if started:
                self._process = start_process(self._module, {})
        self._late = False
        self._deadline = time.monotonic() + seconds
        watch = threading.Thread(target=self._watch, args=(over,), name="infograph-watch", daemon=True)
        watch.start()
        answered = False
        try:
            if started:
                send(self._process.stdin, ("watched", self._setup))
            send(self._process.stdin, (seconds * (os.cpu_count() or 1) + _SLACK, task))
            answer = self._listen(seconds, told)
            if started and answer == "ready":
                answer = self._listen(seconds, told)
            answered = True
            return answer
        except (BrokenPipeError, EOFError):
            pass
        finally:  # an interrupt, too, leaves no process behind that nobody listens to
            over.set()
            watch.join()
            status = 0 if answered and not self._late else self._end()
        spent = sys.platform != "win32" and status == -signal.SIGPROF
        return Died(self._late or spent, status)

    def close(self) -> None:
        """Ends the process, if there is one; what it does is of no use any more."""
        if self._process is not None:
            self._end()

    def kill(self) -> None:
        """Ends the process for good; may be called while another thread waits for an answer, which then is Died."""
        with self._lock:
            self._killed = True
            if self._process is not None:
                self._kill()

    def _listen(self, seconds: float, told: Callable[..., None]) -> Any:
        while isinstance(answer := receive(self._process.stdout), SignOfLife):
            self._deadline = time.monotonic() + seconds
            told(*answer.values)
        return answer

    def _watch(self, over: threading.Event) -> None:
        """Ends the process when its time is over, or lets it be when the task is."""
        while not over.wait(None if math.isinf(self._deadline) else max(0.0, self._deadline - time.monotonic())):
            if time.monotonic() >= self._deadline:
                self._late = True
                self._kill()
                return

    def _end(self) -> int:
        """Ends the process and returns its exit status."""
        self._kill()
        with self._lock:
            process, self._process = self._process, None
        for stream in (process.stdin, process.stdout):
            with contextlib.suppress(BrokenPipeError):
                stream.close()
        status: int = process.wait()
        return status

    def _kill(self) -> None:
        """Ends the process, and those that it has started: they hold the pipe that is waited at, too."""
        if sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):  # it ended; it is not its group's first yet
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
