"""What a caller asks for: refused before anything is read, alike in the client in JavaScript (web/options.js)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Set
from numbers import Integral, Real
from typing import Any, NamedTuple

from infograph.client.errors import ClientError

MOST_SECONDS = 1e6
"""Eleven days; timers of some systems take not much more."""
BITS = 64
"""Of a question's hash."""
ORDERS = ("conceptual", "technical")


class _Kind(NamedTuple):
    """What an option may be."""

    takes: Callable[[Any], bool]
    wanted: str
    """What those values are called that it takes."""


def _whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_path(value: Any) -> bool:
    return isinstance(value, str | os.PathLike) and isinstance(os.fspath(value), str)


def _is_transport(value: Any) -> bool:
    return value is None or callable(getattr(value, "handle_async_request", None))


_TEXT = _Kind(lambda value: isinstance(value, str), "a text")
_COUNT = _Kind(lambda value: _whole(value) and value >= 0, "a whole number, 0 at the least")
_ANSWER = _Kind(lambda value: isinstance(value, bool), "True or False")
_KINDS = {
    **dict.fromkeys(("query", "prefix", "word", "text", "question", "id", "topic", "path", "sha256"), _TEXT),
    **dict.fromkeys(("limit", "offset", "n"), _COUNT),
    **dict.fromkeys(("collapse", "exact"), _ANSWER),
    "rerank": _Kind(lambda value: value is None or isinstance(value, bool), "True, False or None"),
    "max_tokens": _Kind(_whole, "a whole number"),
    "distance": _Kind(lambda value: _whole(value) and 0 <= value <= BITS, f"a whole number from 0 to {BITS}"),
    "diversity": _Kind(lambda value: _number(value) and 0 <= value <= 1, "a number from 0 to 1"),
    "order": _Kind(lambda value: isinstance(value, str) and value in ORDERS, f"one of {', '.join(ORDERS)}"),
    "filters": _Kind(lambda value: value is None or isinstance(value, Mapping), "fields with their values"),
    "timeout": _Kind(lambda value: _number(value) and value > 0, "a number of seconds above 0"),
    "source": _Kind(_is_path, "an address or a path"),
    "transport": _Kind(
        lambda value: value is None or callable(getattr(value, "handle_async_request", None)),
        "one of httpx2, asynchronous",
    ),
    "cache": _Kind(lambda value: value is None or _is_path(value), "a path"),
    "progress": _Kind(lambda value: value is None or callable(value), "a function"),
}
"""By the name of the option, which is of one kind in whatever call."""


def check(**options: Any) -> None:
    """Raises ClientError `unknown` for an option that is not what it has to be."""
    for name, value in options.items():
        kind = _KINDS[name]
        if not kind.takes(value):
            raise _refused(name, value, kind.wanted)


def bounded_seconds(timeout: Any) -> float:
    """A time limit that the system's timers take. Raises ClientError `unknown` for what is no positive number."""
    check(timeout=timeout)
    return float(min(timeout, MOST_SECONDS))


def listed(name: str, value: Any) -> tuple[str | int, ...]:
    """The texts and whole numbers of an option that is one, or some. Raises ClientError `unknown` for others."""
    some = tuple(value) if isinstance(value, list | tuple | Set) else (value,)
    if not all(isinstance(own, str | Integral) and not isinstance(own, bool) for own in some):
        raise _refused(name, value, "a text, a whole number or a list of these")
    return some


def _refused(name: str, value: Any, wanted: str) -> ClientError:
    return ClientError("unknown", name, f"has to be {wanted}, not {repr(value)[:80]}")
