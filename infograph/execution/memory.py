"""Memory of a process that goes on for hours and needs much of it for a second at a time."""

from __future__ import annotations

import contextlib
import ctypes
import sys


def give_back() -> None:
    """Gives the system what this process has freed, where the C library is glibc: it keeps what the threads of a build
    had for the threads of the next one, which take from others. Takes a few hundredths of a second."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library
            ctypes.CDLL(None).malloc_trim(0)
