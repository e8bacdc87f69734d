"""Checks the options of a call before anything is read, as the client in JavaScript does (web/options.js)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence, Set
from numbers import Integral, Real
from typing import Any, NamedTuple

from infograph.client.errors import ClientError
from infograph.search.format.layout import HASH_BITS

MOST_SECONDS = 1e6
"""Longest time limit, eleven days: timers of some systems take not much more."""
MOST_HOPS = 2
"""Most steps along the graph of entities."""
ORDERS = ("conceptual", "technical")
CLASSES = ("factoid", "analytical", "comparative", "exploratory", "multi-hop")
"""Classes of questions, as section 9.11.2 of the specification names them."""
LEVELS = ("passages", "chunks")
"""What a context is made of: pieces of chunks, or whole ones."""
PACKINGS = ("greedy", "ratio", "knapsack")
"""How pieces are chosen for a budget, see `packing.py`."""
MODES = (LEAF, PARENT, SUMMARY_FIRST) = ("leaf", "parent", "summary-first")
"""What a search lists: chunks, or in the place of several of one section that section, or the sections around them in
the order of their summaries."""
SOURCES = ("numbers", "titles", "urls")
"""What stands above each passage of a context: its number, alone, with the headings, or with these and the address."""


class _Kind(NamedTuple):
    """The values that an option may have."""

    takes: Callable[[Any], bool]
    wanted: str
    """Description of these values in an error."""


def _whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_path(value: Any) -> bool:
    return isinstance(value, str | os.PathLike) and isinstance(os.fspath(value), str)


def _are_names(value: Any) -> bool:
    return isinstance(value, list | tuple | Set) and all(isinstance(own, str) for own in value)


def _is_transport(value: Any) -> bool:
    return value is None or callable(getattr(value, "handle_async_request", None))


def _one_of(names: Sequence[str], *, none: bool) -> _Kind:
    """Returns the kind of an option that has to be one of some names; or None, where that is one of its values."""
    wanted = f"one of {', '.join(names)}" + (", or None" if none else "")
    return _Kind(lambda value: (none and value is None) or (isinstance(value, str) and value in names), wanted)


_TEXT = _Kind(lambda value: isinstance(value, str), "a text")
_COUNT = _Kind(lambda value: _whole(value) and value >= 0, "a whole number, 0 at the least")
_ANSWER = _Kind(lambda value: isinstance(value, bool), "True or False")
_KINDS = {
    **dict.fromkeys(("query", "prefix", "word", "text", "question", "id", "topic", "path", "sha256"), _TEXT),
    **dict.fromkeys(("limit", "offset", "n"), _COUNT),
    **dict.fromkeys(("collapse", "exact", "links", "prompts", "texts", "split"), _ANSWER),
    "rerank": _Kind(
        lambda value: value is None or isinstance(value, bool) or callable(value), "True, False, None or a function"
    ),
    "rerank_with": _Kind(lambda value: value is None or callable(value), "a function"),
    "graph": _Kind(lambda value: value is None or (_whole(value) and 0 <= value <= MOST_HOPS), "0, 1 or 2"),
    "max_tokens": _Kind(lambda value: _whole(value) and value > 0, "a whole number, 1 at the least"),
    "distance": _Kind(
        lambda value: value is None or (_whole(value) and 0 <= value <= HASH_BITS),
        f"a whole number from 0 to {HASH_BITS}",
    ),
    "diversity": _Kind(lambda value: _number(value) and 0 <= value <= 1, "a number from 0 to 1"),
    "order": _one_of(ORDERS, none=False),
    "question_class": _one_of(CLASSES, none=True),
    "level": _one_of(LEVELS, none=True),
    "packing": _one_of(PACKINGS, none=True),
    "sources": _one_of(SOURCES, none=False),
    "mode": _one_of(MODES, none=False),
    "filters": _Kind(lambda value: value is None or isinstance(value, Mapping), "fields with their values"),
    "facets": _Kind(_are_names, "a list of fields"),
    "timeout": _Kind(lambda value: _number(value) and value > 0, "a number of seconds above 0"),
    "source": _Kind(_is_path, "an address or a path"),
    "transport": _Kind(_is_transport, "one of httpx2, asynchronous"),
    "cache": _Kind(lambda value: value is None or _is_path(value), "a path"),
    "progress": _Kind(lambda value: value is None or callable(value), "a function"),
}
"""Kinds of values by the name of the option, which is the same in every call."""


def check(**options: Any) -> None:
    """Raises ClientError `unknown` for an option of another type or out of range."""
    for name, value in options.items():
        kind = _KINDS[name]
        if not kind.takes(value):
            raise _refused(name, value, kind.wanted)


def bounded_seconds(timeout: Any) -> float:
    """Returns a time limit that the system's timers take. Raises ClientError `unknown` unless it is above 0."""
    check(timeout=timeout)
    return float(min(timeout, MOST_SECONDS))


def _refused(name: str, value: Any, wanted: str) -> ClientError:
    return ClientError("unknown", name, f"has to be {wanted}, not {repr(value)[:80]}")
