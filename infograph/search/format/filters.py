"""What a search is narrowed to: the one definition of filters, as all clients take them.

A filter is a mapping, all of whose entries must hold:

    {"language": "python"}                      the field has the value; of a field with several, one of them is it
    {"tags": ["a", "b"]}                        it has one of the values
    {"tokens": {"gte": 100, "lt": 500}}         a number or a date in a range: gt, gte, lt, lte
    {"product": {"exists": True}}               it has any value, or with False none
    {"tags": {"not": "old"}}                    the condition does not hold: also where the field has no value
    {"not": {...}}                              the filter does not hold
    {"any": [{...}, {...}]}                     one of the filters holds
    {"all": [{...}, {...}]}                     all of them hold: where one field has several conditions

Numbers, dates (`2024-01-31`) and flags may be given as text. Its twin is `web/filters.js`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from numbers import Real
from typing import Any

from infograph.errors import FilterError

MOST_CONDITIONS = 64
"""Most conditions of one filter."""
MOST_VALUES = 256
"""Most values in all of its conditions."""
MOST_DEPTH = 8
"""Deepest nesting of filters."""
RANGES = ("gt", "gte", "lt", "lte")

FilterValue = str | int | float | bool
Filters = Mapping[str, Any]
"""A filter as it is given, see above."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on one field: one of `values`, or a range, or that it has any value at all."""

    field: str
    values: tuple[FilterValue, ...] | None = None
    ranges: tuple[tuple[str, FilterValue], ...] = ()
    """Pairs of one of `RANGES` and a bound; all of them must hold."""


@dataclass(frozen=True, slots=True)
class All:
    """Filters that must all hold."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Any_:
    """Filters of which one must hold."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """A filter that must not hold."""

    part: Node


Node = Condition | All | Any_ | Not


def conditions(node: Node) -> list[Condition]:
    """Returns the conditions of a filter, from left to right."""
    if isinstance(node, Condition):
        return [node]
    parts = (node.part,) if isinstance(node, Not) else node.parts
    return [condition for part in parts for condition in conditions(part)]


def parse_filters(given: Filters) -> All:
    """Returns a filter as it is worked out. Raises FilterError for one that is malformed, whatever the site has."""
    found = _filter("filters", given, 1)
    leaves = conditions(found)
    if len(leaves) > MOST_CONDITIONS:
        raise FilterError("filters", f"{len(leaves)} conditions, more than {MOST_CONDITIONS}", "Give fewer")
    values = sum(len(leaf.values or ()) for leaf in leaves)
    if values > MOST_VALUES:
        raise FilterError("filters", f"{values} values, more than {MOST_VALUES}", "Give fewer")
    return found


def _filter(place: str, given: Any, depth: int) -> All:
    if not isinstance(given, Mapping):
        raise _refused(place, given, "fields with their values")
    if depth > MOST_DEPTH:
        raise FilterError("filters", f"nested deeper than {MOST_DEPTH}", "Give a flatter one")
    parts: list[Node] = []
    for name, value in given.items():
        if not isinstance(name, str):
            raise _refused(place, name, "names of fields")
        if name == "not":
            parts.append(Not(_filter(f"{place}.not", value, depth + 1)))
        elif name in ("any", "all"):
            if not isinstance(value, list | tuple):
                raise _refused(f"{place}.{name}", value, "a list of filters")
            several = tuple(_filter(f"{place}.{name}", own, depth + 1) for own in value)
            parts.append(Any_(several) if name == "any" else All(several))
        else:
            parts.append(_condition(f"{place}.{name}", name, value, depth + 1))
    return All(tuple(parts))


def _condition(place: str, name: str, value: Any, depth: int) -> Node:
    if not isinstance(value, Mapping):
        return Condition(name, _values(place, value))
    if depth > MOST_DEPTH:
        raise FilterError("filters", f"nested deeper than {MOST_DEPTH}", "Give a flatter one")
    parts: list[Node] = []
    ranges: list[tuple[str, FilterValue]] = []
    for key, own in value.items():
        if key in RANGES:
            if not _is_value(own) or isinstance(own, bool):
                raise _refused(f"{place}.{key}", own, "a number or a date")
            ranges.append((key, own))
        elif key == "exists":
            if not isinstance(own, bool):
                raise _refused(f"{place}.exists", own, "True or False")
            parts.append(Condition(name) if own else Not(Condition(name)))
        elif key == "not":
            parts.append(Not(_condition(f"{place}.not", name, own, depth + 1)))
        else:
            raise _refused(place, key, f"made of {', '.join(RANGES)}, exists and not")
    if ranges:
        parts.append(Condition(name, ranges=tuple(ranges)))
    if not parts:
        raise _refused(place, value, "a value, a list of values or a condition")
    return parts[0] if len(parts) == 1 else All(tuple(parts))


def _values(place: str, value: Any) -> tuple[FilterValue, ...]:
    some = tuple(value) if isinstance(value, list | tuple | Set) else (value,)
    if not all(map(_is_value, some)):
        raise _refused(place, value, "a text, a number, true or false, or a list of these")
    return some


def _is_value(value: Any) -> bool:
    return isinstance(value, str | bool) or (isinstance(value, Real) and math.isfinite(value))


def _refused(place: str, value: Any, wanted: str) -> FilterError:
    return FilterError(place, f"has to be {wanted}, not {repr(value)[:80]}")


def nearest(name: str, names: Sequence[str]) -> str:
    """Returns the name that is the likeliest to be meant; empty where none is near: two letters, or a third of them,
    may differ."""
    name = name[:80]
    best = min(((_edits(name.lower(), own.lower()), own) for own in names), default=(len(name), ""))
    return best[1] if best[0] <= max(2, len(name) // 3) else ""


def _edits(first: str, second: str) -> int:
    """Returns the Levenshtein distance."""
    row = list(range(len(second) + 1))
    for place, letter in enumerate(first, 1):
        before, row[0] = row[0], place
        for at, other in enumerate(second, 1):
            before, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, before + (letter != other))
    return row[-1]
