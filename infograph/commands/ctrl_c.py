"""Ends what runs until Ctrl-C, also where Python drops the exception that Ctrl-C raises."""

from __future__ import annotations

import _thread
import contextlib
import signal
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from types import FrameType
from typing import cast

_MOMENT = 0.01
"""Seconds after which an interruption is tried again."""


@contextlib.contextmanager
def ended_by_ctrl_c() -> Iterator[threading.Event]:
    """Yields an event that Ctrl-C sets, besides raising KeyboardInterrupt. Python drops what is raised while it frees
    something: where the exception was lost, it is raised once what runs has ended by the event."""
    stop = threading.Event()
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # ignored, as in a shell's background
        yield stop
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        _thread.start_new_thread(stop.set, ())  # not here: the event may be locked by what this interrupts
        # The end of a build runs many callbacks of `weakref`, which would drop the exception with a message.
        if frame is not None and frame.f_globals.get("__name__") == weakref.__name__:
            _thread.start_new_thread(_interrupt_soon, ())
            return
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield stop
        if stop.is_set():
            raise KeyboardInterrupt
    finally:
        signal.signal(signal.SIGINT, before)


def _interrupt_soon() -> None:
    """Interrupts the main thread in a moment."""
    time.sleep(_MOMENT)
    if sys.platform != "win32":  # so that it wakes from what it waits for
        signal.pthread_kill(cast("int", threading.main_thread().ident), signal.SIGINT)
    else:
        _thread.interrupt_main()
