"""The child's side of a worker process: runs tasks until the parent closes the pipe.

A worker reads what `Pool.tell` sends (its name and the setup), answers with `"ready"` or an InfographError, and then
calls `serve`.
"""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import IO, Any

from infograph.execution.pipe import receive, send

_PARENT_SECONDS = 0.5
"""Seconds between looks whether the parent is still running."""


def serve(incoming: IO[bytes], outgoing: IO[bytes], work: Callable[[Any], Any]) -> None:
    """Runs tasks until the pipe is closed, each within its time limit, and sends the answers. Raises BrokenPipeError
    when the parent no longer reads them.

    incoming: pairs of a task's longest processor time in seconds and the task
    """
    while True:
        try:
            seconds, task = receive(incoming)
        except EOFError:
            return
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
