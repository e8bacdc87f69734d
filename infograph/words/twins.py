"""Chooses between the compiled extension and its twin in Python. Results are the same; only the time differs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from infograph.words import pure

SWITCH = "INFOGRAPH_PURE"
"""Environment variable that chooses the twin in Python, unless it is empty or 0. Set while infograph is installed, it
has no extension compiled; 0 makes it an error if that fails (hatch_build.py)."""


def _why_not() -> str:
    """Returns why the extension does not run; empty when it does."""
    if os.environ.get(SWITCH, "0") not in ("", "0"):
        return f"{SWITCH} is set"
    try:
        from infograph.words import _compiled
    except ModuleNotFoundError:
        return "no extension was compiled when infograph was installed"
    except ImportError as error:  # of another system, in a folder that two share
        return f"the extension does not load: {error}"
    return "" if _compiled.INTERFACE == pure.INTERFACE else "the extension is of another version"


WHY_PURE = _why_not()
"""Why the twin in Python runs; empty when the extension does."""

if TYPE_CHECKING or WHY_PURE:
    from infograph.words.pure import Memo, compounds, sum_rows
    from infograph.words.runs import run_keys
    from infograph.words.simhash import sim_hashes
    from infograph.words.texts import neighbours, replaced, text_flags
else:
    from infograph.words._compiled import (
        Memo,
        compounds,
        neighbours,
        replaced,
        run_keys,
        sim_hashes,
        sum_rows,
        text_flags,
    )

__all__ = [
    "SWITCH",
    "WHY_PURE",
    "Memo",
    "compounds",
    "neighbours",
    "replaced",
    "run_keys",
    "sim_hashes",
    "sum_rows",
    "text_flags",
]
