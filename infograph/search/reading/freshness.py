"""Freshness: how recent a chunk is, 1 for today. It depends on the clock of who asks, so no site can store it.

    freshness = exp(−0.01 · days since created_at)

A condition on it is one on `created_at`.
"""

from __future__ import annotations

import json
import math

from infograph.errors import FilterError
from infograph.formats.search_fields import number_of
from infograph.search.format.filters import All, Any_, Condition, FilterValue, Node, Not

FRESHNESS = "freshness"
DECAY = 0.01
"""Decay rate, a day."""
_DAY = 86_400
_NEVER = -1e9
"""Days since what has no freshness at all."""


def freshness_as_dates(node: Node, now: float) -> Node:
    """Returns a filter with conditions on dates in the place of those on freshness. Raises FilterError.

    now: seconds since 1970
    """
    if isinstance(node, All):
        return All(tuple(freshness_as_dates(part, now) for part in node.parts))
    if isinstance(node, Any_):
        return Any_(tuple(freshness_as_dates(part, now) for part in node.parts))
    if isinstance(node, Not):
        return Not(freshness_as_dates(node.part, now))
    if node.field != FRESHNESS:
        return node
    if node.values is not None:
        reason = "is compared in ranges only: gt, gte, lt, lte"
        raise FilterError(f"filters.{FRESHNESS}", reason)
    return Condition("created_at", ranges=tuple((how, _day(bound, now)) for how, bound in node.ranges))


class Day(float):
    """A day since 1970-01-01 in the place of a date, and parts of one."""


def _day(bound: FilterValue, now: float) -> Day:
    """Returns the day on which what has a freshness now was created."""
    value = number_of(bound) if isinstance(bound, str) else bound
    if isinstance(value, bool) or value is None:
        raise FilterError(
            f"filters.{FRESHNESS}", f"has to be a number, not {json.dumps(bound, ensure_ascii=False)[:80]}"
        )
    return Day(math.floor(now / _DAY) + (math.log(value) / DECAY if value > 0 else _NEVER))
