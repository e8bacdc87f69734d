"""A worker that begins as a copy of this process: what is imported and loaded here, it need not load again.

Only where a copy is exact, on Linux in a process of a single thread: of several threads a copy has one, and whatever
lock another one held stays locked in it for ever. Elsewhere workers are interpreters of their own, see `processes.py`.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from typing import NoReturn

_HANDLED = ("SIGHUP", "SIGINT", "SIGPROF", "SIGTERM", "SIGUSR1", "SIGUSR2")
"""Signals that a program may handle; its handlers are none of a worker's."""


def can_fork() -> bool:
    """Whether a copy of this process is whole: it has one thread, those that libraries started for themselves
    counted."""
    if sys.platform != "linux":
        return False
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:  # no /proc, as in some containers
        return False


class Forked:
    """A copy of this process that runs a worker module's `main`, with pipes for its input and output; nothing else that
    is open here is open there. Has what `processes.py` uses of `subprocess.Popen`. Raises OSError.

    module:      whose `main` it runs
    environment: variables that are set there
    first:       called there before `main`
    """

    def __init__(self, module: str, environment: Mapping[str, str], first: Callable[[], object] | None = None) -> None:
        _flush()  # or both would write what waits
        incoming, to = os.pipe()
        from_, outgoing = os.pipe()
        try:
            self.pid = os.fork()
        except OSError:
            for descriptor in (incoming, to, from_, outgoing):
                os.close(descriptor)
            raise
        if not self.pid:
            _become(module, environment, incoming, outgoing, first)
        os.close(incoming)
        os.close(outgoing)
        self.stdin, self.stdout = os.fdopen(to, "wb"), os.fdopen(from_, "rb")
        self._status: int | None = None
        self._lock = threading.Lock()

    def kill(self) -> None:
        """Ends the process at once, if it is still there."""
        with self._lock:
            if self._status is None:  # so the number is its own until `wait` gives it back
                os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """Waits for the end of the process; returns its exit status, negative for a signal."""
        with contextlib.suppress(ChildProcessError):  # another thread took its status meanwhile
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        with self._lock:
            if self._status is None:
                self._status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            return self._status


def _become(
    module: str, environment: Mapping[str, str], incoming: int, outgoing: int, first: Callable[[], object] | None
) -> NoReturn:
    """Makes this copy a worker; whatever happens, it never returns to what the process was doing."""
    status = 1
    try:
        os.setsid()  # Ctrl-C is for the parent: workers end when it closes their pipe
        signal.set_wakeup_fd(-1)
        for name in _HANDLED:
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        os.dup2(incoming, 0)
        os.dup2(outgoing, 1)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
        # Not the parent's stream, which may write to a file that is closed here. None where the process has none.
        sys.stderr = None
        with contextlib.suppress(OSError):
            sys.stderr = os.fdopen(2, "w", closefd=False)
        os.environ.update(environment)
        program = importlib.import_module(module)
        if first is not None:
            first()
        program.main()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - what the interpreter would do at its end
        traceback.print_exc()
    finally:
        _flush()
        os._exit(status)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # closed, or none, as in a windowed program
            stream.flush()
