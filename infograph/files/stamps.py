"""How far the clock of a file system may be behind: its ticks are some milliseconds apart."""

from __future__ import annotations

import time

RACY_NANOSECONDS = 50_000_000
"""What was changed this recently may change again without a new time."""


def settled(changed: int) -> bool:
    """Whether any later change will give another time than this one, in nanoseconds."""
    return time.time_ns() - changed > RACY_NANOSECONDS
