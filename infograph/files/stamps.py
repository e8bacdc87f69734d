"""Stamps of files, which say without reading a file whether it has changed.

A clock of a file system ticks some milliseconds apart, so a file that changed just now may change again without another
time: its stamp is not to be trusted.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

RACY_NANOSECONDS = 50_000_000
"""Age up to which a change may be followed by another one with the same time."""

Stamp = list[int]
"""Size in bytes, modification time and change time in nanoseconds. Equal stamps mean the same bytes."""

NO_STAMP: Stamp = [-1, 0, 0]
"""A stamp that equals no file's."""


def stamp(status: os.stat_result) -> Stamp:
    """The stamp of a file by its status."""
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns]


def settled(changed: int) -> bool:
    """Whether any later change will have another time than `changed`, in nanoseconds."""
    return time.time_ns() - changed > RACY_NANOSECONDS


def trusted(taken: Stamp) -> bool:
    """Whether a stamp just taken differs from that of any later change; only then may the next build rely on it."""
    return settled(max(taken[1], taken[2]))


def as_left(known: Stamp, taken: Stamp) -> bool:
    """Whether an output is as the last build left it. Its change time does not count: a change of its owner or its
    links sets it, too."""
    return known[1] == taken[1] and known[0] == taken[0]


def stamp_of(path: Path) -> Stamp:
    """Returns a file's stamp, and `NO_STAMP` where the file is missing: the next build then finds it changed."""
    try:
        return stamp(os.lstat(path))
    except OSError:
        return NO_STAMP
