"""Filters as the command line takes them, each time one expression, for the clients, which take a mapping.

language=python     the field has the value; given for several values of one field: one of them
tokens>=100         a number or a date in a range: > >= < <=
product             the field has any value
!tags=old           the rest does not hold
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from infograph.search.format.filters import Filters

_EXPRESSION = re.compile(r"(?P<no>!?)(?P<name>[^\W\d][\w. -]*?)(?:(?P<how>>=|<=|=|>|<)(?P<value>.*))?", re.DOTALL)
_RANGES = {">": "gt", ">=": "gte", "<": "lt", "<=": "lte"}


class FilterExpression(NamedTuple):
    """One expression, in its parts."""

    negated: bool
    name: str
    how: str
    """`=`, one of the signs of ranges, or empty for a field that has any value."""
    value: str


def parse_expression(text: str) -> FilterExpression | None:
    """Returns the parts of an expression; None for a text that is none."""
    match = _EXPRESSION.fullmatch(text)
    return (
        FilterExpression(bool(match["no"]), match["name"], match["how"] or "", match["value"] or "") if match else None
    )


def as_filters(expressions: Iterable[FilterExpression]) -> Filters:
    """Returns the filter in which all expressions hold; of several values of one field one will do."""
    found: dict[str, Any] = {}
    others: list[Filters] = []
    for negated, name, how, value in expressions:
        if how == "=" and not negated:
            found.setdefault(name, []).append(value)
            continue
        condition = value if how == "=" else {_RANGES[how]: value} if how else {"exists": True}
        others.append({"not": {name: condition}} if negated else {name: condition})
    return {**found, "all": others} if others else found
