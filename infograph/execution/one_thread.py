"""numpy on one thread.

What a build multiplies is small: OpenBLAS gives each product to all processors, whose threads then wait for each other,
busily, and take the processors from workers. That was a fifth of the processor time of an edit among 24,000 chunks.
"""

from __future__ import annotations

import os
import sys

_VARIABLE = "OPENBLAS_NUM_THREADS"
"""Read when numpy is imported, and never again."""


def import_numpy() -> None:
    """Imports numpy so that it multiplies on one thread; where it is imported already, or the variable is set, it stays
    as it is. No other library, here or in a process that is started later, learns of it."""
    if "numpy" in sys.modules or _VARIABLE in os.environ:
        return
    os.environ[_VARIABLE] = "1"
    try:
        import numpy  # noqa: F401
    finally:
        del os.environ[_VARIABLE]
