"""The child's side of a worker process: runs tasks until the parent closes the pipe.

A worker reads what `Pool.tell` sends (its name and the setup), answers with `"ready"` or an InfographError, and then
does tasks: `serve_parent` is all of that. One that is kept is told to rest then, and reads another name and setup.
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
from pathlib import Path
from typing import IO, Any, NoReturn

from infograph.errors import InfographError
from infograph.execution.pipe import Rest, SignOfLife, receive, send

_PARENT_SECONDS = 0.5
"""Seconds between looks whether the parent is still running."""

_NICE = 10
"""Priority of a process that others go before, as POSIX systems count: it has a tenth of what a busy one has. With the
greatest, 19, it would have next to nothing."""
_BELOW_NORMAL = 0x4000
"""Priority of a process that others go before, as Windows calls it."""


def _nothing() -> None:
    """Does nothing."""


def serve_parent(make: Callable[[str, Any], Callable[[Any], Any]], rest: Callable[[], None] = _nothing) -> NoReturn:
    """Does the tasks of the process that started this one, until that closes the pipe or ends; then this one ends, too.

    make: returns what does a task, from the worker's name and its setup; raises InfographError where it can do none
    rest: called when what `make` returned is needed no more, but the process is
    """
    serve_watcher(lambda name, setup, _: make(name, setup), rest)


def serve_watcher(
    make: Callable[[str, Any, Callable[..., None]], Callable[[Any], Any]], rest: Callable[[], None] = _nothing
) -> NoReturn:
    """Does what `serve_parent` does, for a parent that also listens to what is said in the middle of a task.

    make: is given, besides, a function that tells the parent some values, see `SignOfLife`
    """
    end_with_parent()
    incoming = sys.stdin.buffer
    outgoing = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a stray print must not land among the answers
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent too, which ends us
    try:
        while True:
            name, setup = receive(incoming)
            try:
                work = make(name, setup, lambda *values: send(outgoing, SignOfLife(values)))
            except InfographError as error:
                send(outgoing, error)
                break
            send(outgoing, "ready")
            if not serve(incoming, outgoing, work):
                break
            del work
            rest()
    except (EOFError, BrokenPipeError):
        pass  # the parent ended meanwhile: no process is left to tell, not even at exit
    os._exit(0)  # the parent waits, and to take apart all that this process holds needs a tenth of a second


def give_way() -> None:
    """Lets other processes go before this one, as far as the system can."""
    if sys.platform == "win32":
        import ctypes

        kernel = ctypes.windll.kernel32
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), _BELOW_NORMAL)
        return
    os.nice(_NICE)
    # Linux shares the processor among sessions first, and a worker has one of its own.
    with contextlib.suppress(OSError):  # a system without such groups
        Path("/proc/self/autogroup").write_text(str(_NICE))


def serve(incoming: IO[bytes], outgoing: IO[bytes], work: Callable[[Any], Any]) -> bool:
    """Runs tasks, each within its time limit, and sends the answers, until the pipe is closed or there is to be a rest;
    returns whether it is a rest. Raises BrokenPipeError when the parent no longer reads the answers.

    incoming: pairs of a task's longest processor time in seconds and the task, or `Rest`
    """
    while True:
        try:
            message = receive(incoming)
        except EOFError:
            return False
        if isinstance(message, Rest):
            return True
        seconds, task = message
        _limit(seconds)
        answer = work(task)
        _limit(math.inf)
        send(outgoing, answer)


def _limit(seconds: float) -> None:
    """Lets the system end this process after some more processor time, in seconds, whatever it is doing then."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds if math.isfinite(seconds) else 0)


def end_with_parent() -> None:
    """Makes this process end soon after the one that started it, even in the middle of a task. (Linux could send a
    signal instead, but does so when the thread ends that started the worker.)"""
    parent = os.getppid()

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(_PARENT_SECONDS)
        os._exit(0)

    threading.Thread(target=look, daemon=True).start()
