"""What a caller asks for in numbers and texts: refused before anything is read, alike in the client in JavaScript."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

from infograph.client.errors import ClientError

MOST_SECONDS = 1e6
"""Eleven days; timers of some systems take not much more."""


def check_counts(**options: Any) -> None:
    """Raises ClientError `unknown` for an option that is no whole number from 0 on."""
    for name, value in options.items():
        if not isinstance(value, Integral) or isinstance(value, bool) or int(value) < 0:
            raise _refused(name, value, "a whole number, 0 at the least")


def check_share(**options: Any) -> None:
    """Raises ClientError `unknown` for an option that is no number from 0 to 1."""
    for name, value in options.items():
        if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= float(value) <= 1:
            raise _refused(name, value, "a number from 0 to 1")


def bounded_seconds(timeout: Any) -> float:
    """A time limit that the system's timers take. Raises ClientError `unknown` for what is no positive number."""
    if not isinstance(timeout, Real) or isinstance(timeout, bool) or not float(timeout) > 0:
        raise _refused("timeout", timeout, "a number of seconds above 0")
    return min(float(timeout), MOST_SECONDS)


def check_text(**options: Any) -> None:
    """Raises ClientError `unknown` for an option that is no text."""
    for name, value in options.items():
        if not isinstance(value, str):
            raise _refused(name, value, "a text")


def _refused(name: str, value: Any, wanted: str) -> ClientError:
    return ClientError("unknown", name, f"has to be {wanted}, not {repr(value)[:80]}")
