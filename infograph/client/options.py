"""What a caller asks for in numbers and texts: refused before anything is read, alike in the client in JavaScript."""

from __future__ import annotations

from collections.abc import Mapping, Set
from numbers import Integral, Real
from typing import Any

from infograph.client.errors import ClientError

MOST_SECONDS = 1e6
"""Eleven days; timers of some systems take not much more."""
BITS = 64
"""Of a question's hash."""
ORDERS = ("conceptual", "technical")


def check_counts(**options: Any) -> None:
    """Raises ClientError `unknown` for an option that is no whole number from 0 on."""
    for name, value in options.items():
        if not isinstance(value, Integral) or isinstance(value, bool) or int(value) < 0:
            raise _refused(name, value, "a whole number, 0 at the least")


def check_bits(**options: Any) -> None:
    """Raises ClientError `unknown` for an option that is no number of bits of a question's hash."""
    for name, value in options.items():
        if not isinstance(value, Integral) or isinstance(value, bool) or not 0 <= int(value) <= BITS:
            raise _refused(name, value, f"a whole number from 0 to {BITS}")


def check_whole(**options: Any) -> None:
    """Raises ClientError `unknown` for an option that is no whole number."""
    for name, value in options.items():
        if not isinstance(value, Integral) or isinstance(value, bool):
            raise _refused(name, value, "a whole number")


def check_share(**options: Any) -> None:
    """Raises ClientError `unknown` for an option that is no number from 0 to 1."""
    for name, value in options.items():
        if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= float(value) <= 1:
            raise _refused(name, value, "a number from 0 to 1")


def check_answer(**options: Any) -> None:
    """Raises ClientError `unknown` for an option that is neither yes, no nor None."""
    for name, value in options.items():
        if value is not None and not isinstance(value, bool):
            raise _refused(name, value, "True, False or None")


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


def check_order(**options: Any) -> None:
    """Raises ClientError `unknown` for an option that is no order of a sample."""
    for name, value in options.items():
        if value not in ORDERS:
            raise _refused(name, value, f"one of {', '.join(ORDERS)}")


def check_fields(**options: Any) -> None:
    """Raises ClientError `unknown` for an option that is neither None nor a mapping."""
    for name, value in options.items():
        if value is not None and not isinstance(value, Mapping):
            raise _refused(name, value, "fields with their values")


def listed(name: str, value: Any) -> tuple[str | int, ...]:
    """The texts and whole numbers of an option that is one, or some. Raises ClientError `unknown` for others."""
    some = tuple(value) if isinstance(value, list | tuple | Set) else (value,)
    if not all(isinstance(own, str | Integral) and not isinstance(own, bool) for own in some):
        raise _refused(name, value, "a text, a whole number or a list of these")
    return some


def _refused(name: str, value: Any, wanted: str) -> ClientError:
    return ClientError("unknown", name, f"has to be {wanted}, not {repr(value)[:80]}")
