"""Describes a table column by column (types, ranges, examples) with statistics that are updated as rows are read."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import accumulate, zip_longest
from typing import Any

MISSING = frozenset({"", "-", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "Null", "null", "None", "none"})
"""Texts of cells that stand for a missing value."""

_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?)?")
"""Matches a date of ISO 8601, whose texts sort in the order of the dates."""
_IDENTIFIER = re.compile(r"^[+-]?0[0-9]|_", re.MULTILINE)
"""Matches texts that Python reads as numbers but are none: codes with leading zeros, digits with underscores."""
_YEAR = re.compile(r"[12][0-9]{3}")

_MOST_VALUES_LISTED = 8
"""Number of distinct values up to which a description lists all of them."""
_EXAMPLE_VALUES = 3
_LONGEST_VALUE = 40
"""Characters of the longest value or column name in a description."""
_LONGEST_DESCRIPTION = 3_000
"""Characters of the longest description of all columns together."""


class Column:
    """The running statistics of one column."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.missing = 0
        self.type = ""
        """Type of the values, `whole number`, `number`, `date` or `text`; empty before the first value."""
        self.values: dict[str, None] = {}
        """The first distinct values, up to one more than a description lists."""
        self.low: tuple[Any, str] | None = None
        """The least number or date, and its text."""
        self.high: tuple[Any, str] | None = None

    def add(self, cells: Sequence[str]) -> None:
        """Adds the next cells, many at once, so that the work for each cell is done in C."""
        values = [cell for cell in map(str.strip, cells) if cell not in MISSING]
        self.missing += len(cells) - len(values)
        if not values:
            return
        if len(self.values) <= _MOST_VALUES_LISTED:
            for value in dict.fromkeys(values):
                self.values[value] = None
                if len(self.values) > _MOST_VALUES_LISTED:
                    break
        if self.type == "text":
            return
        type_, keys = _typed(values)
        self.type = _common_type(self.type, type_)
        if self.type == "text":
            self.low = self.high = None
            return
        low, high = min(zip(keys, values, strict=True)), max(zip(keys, values, strict=True))
        self.low = low if self.low is None else min(self.low, low)
        self.high = high if self.high is None else max(self.high, high)

    def description(self) -> str:
        """Returns a description in one line: `amount: number, 0.5 to 12; 3 empty`."""
        if self.low is not None and self.high is not None:
            what = f"{self.type}, {self.low[1]}" + (f" to {self.high[1]}" if self.low != self.high else "")
        elif not self.type:
            what = "no value"
        elif len(self.values) <= _MOST_VALUES_LISTED:
            what = f"{self.type}, {'one of ' if len(self.values) > 1 else ''}{', '.join(map(short, self.values))}"
        else:
            what = f"{self.type}, such as {', '.join(map(short, list(self.values)[:_EXAMPLE_VALUES]))}"
        empty = f"; {self.missing} empty" if self.missing and self.type else ""
        return f"{short(self.name)}: {what}{empty}"


def _common_type(one: str, two: str) -> str:
    if one == two or not one:
        return two
    return "number" if {one, two} == {"whole number", "number"} else "text"


def _typed(values: list[str]) -> tuple[str, list[Any]]:
    """Returns the type that all values have, and the keys by which they compare."""
    joined = "\n".join(values)
    try:
        numbers = list(map(float, values))
    except ValueError:
        numbers = []
    if numbers and math.isfinite(sum(numbers)) and not _IDENTIFIER.search(joined):
        whole = not any(mark in joined for mark in ".eE")
        return "whole number" if whole else "number", numbers
    if all(map(_DATE.fullmatch, values)):
        return "date", values
    return "text", []


def summary(columns: Sequence[Column], rows: int) -> str:
    """Returns a description of the table in a few lines."""
    lines = [f"Table of {rows} row{'s' * (rows != 1)} and {len(columns)} column{'s' * (len(columns) != 1)}."]
    said = [column.description() for column in columns]
    shown = sum(end <= _LONGEST_DESCRIPTION for end in accumulate(map(len, said)))
    lines += said[:shown]
    if len(columns) > shown:
        lines.append(f"{len(columns) - shown} more columns")
    return "\n".join(lines) + "\n"


def has_header(first: Sequence[str]) -> bool:
    """Whether a table's first record names its columns: no cell is a number or a date.

    Years may be names beside others that are none, as in `country,2019,2020`.
    """
    names = [cell.strip() for cell in first if cell.strip()]
    values = [name for name in names if _typed([name])[0] != "text"]
    return bool(names) and (not values or (len(values) < len(names) and all(map(_YEAR.fullmatch, values))))


def sentence(names: Sequence[str], cells: Sequence[str]) -> str:
    """Returns a row as `column: value; column: value.`, without empty cells; cells beyond the last column have no
    name."""
    named = zip_longest(names, map(" ".join, map(str.split, cells)), fillvalue="")
    return "; ".join(f"{name}: {value}" if name else value for name, value in named if value) + "."


def short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST_VALUE else words[: _LONGEST_VALUE - 1].rstrip() + "…"
