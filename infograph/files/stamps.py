"""How far the clock of a file system may be behind: its ticks are some milliseconds apart."""

from __future__ import annotations

import os
import time
from pathlib import Path

RACY_NANOSECONDS = 50_000_000
"""What was changed this recently may change again without a new time."""


def settled(changed: int) -> bool:
    """Whether any later change will give another time than this one, in nanoseconds."""
    return time.time_ns() - changed > RACY_NANOSECONDS


Stamp = list[int]
"""Size, modification and change time in nanoseconds: equal stamps mean the same bytes."""


NO_STAMP: Stamp = [-1, 0, 0]
"""Equal to no file's stamp."""


def stamp(status: os.stat_result) -> Stamp:
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns]


def as_left(known: Stamp, taken: Stamp) -> bool:
    """Whether an output is as the last build left it. Its change time does not count: it is another one after a
    change of its owner or its links."""
    return known[1] == taken[1] and known[0] == taken[0]


def trusted(taken: Stamp) -> bool:
    """Whether a stamp just taken will differ from that of any later change: others say nothing at the next build."""
    return settled(max(taken[1], taken[2]))


def stamp_of(path: Path) -> Stamp:
    """Returns a file's stamp, and `NO_STAMP` where the file is missing: the next build then finds it changed."""
    try:
        return stamp(os.lstat(path))
    except OSError:
        return NO_STAMP
