"""The side of a worker process: it does tasks until its parent closes the pipe."""

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
"""How often a worker looks whether its parent is still there."""


def serve(incoming: IO[bytes], outgoing: IO[bytes], work: Callable[[Any], Any]) -> None:
    """In a worker: does the tasks it is given until there are no more, each within its time. Raises BrokenPipeError
    when nobody takes the answers."""
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
    """Lets the system end this process after so much more processor time, whatever it is doing then."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds if math.isfinite(seconds) else 0)


def end_with_parent() -> None:
    """In a worker: ends this process soon after the one that started it, even in the middle of a task. (Linux could
    send a signal instead, but does so when the thread ends that started the worker.)"""
    parent = os.getppid()

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(_PARENT_SECONDS)
        os._exit(0)

    threading.Thread(target=look, daemon=True).start()
