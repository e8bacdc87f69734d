"""The lock of an output tree, which the kernel releases when the process that holds it dies."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from infograph.errors import LockedError


def take_lock(descriptor: int, *, wait: bool) -> bool:
    """Takes the lock; returns False when another process holds it and `wait` is off."""
    if sys.platform == "win32":
        import msvcrt

        while True:
            try:
                msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
                return True
            except OSError:  # LK_LOCK gives up after ten seconds
                if not wait:
                    return False
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


def locked_error(descriptor: int, root: Path) -> LockedError:
    """The error for a tree that is locked; it names the process whose number stands in the lock file."""
    holder = os.read(descriptor, 20).decode(errors="replace").strip() or "unknown"
    return LockedError(
        str(root), f"another infograph (process {holder}) is building this tree", "Wait for it or stop it."
    )
