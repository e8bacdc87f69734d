"""What is worth a warning, beside the errors of errors.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST_LINES = 5
"""That a message names."""

COMMENT = "html-comment"
KEPT_TABLE = "kept-table"
REMARKS = frozenset({COMMENT, KEPT_TABLE})
"""Kinds that are no fault of a document: told, but not what `strict` fails for. Half of all trees have comments."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a person should know about one file; never silent, never fatal."""

    path: str
    """Posix path relative to the source root."""
    kind: str
    """What happened, as a fixed word: `symlink`, `not-regular`, `unreadable`, `unresolved-include`, `nesting`, …"""
    message: str
    """The reason, for a person."""
    count: int = 1
    """How many times, where one file has several of a kind."""


def lines_named(lines: Sequence[int], count: int | None = None) -> str:
    """`line 3`, or `lines 3, 7, 9, 12, 15, … (40 in all)`.

    lines: 1-based, ascending; the first of them are enough
    count: how many there are; None: those given
    """
    count = len(lines) if count is None else count
    more = f", … ({count:,} in all)" if count > MOST_LINES else ""
    return f"line{'s' * (count > 1)} {', '.join(map(str, lines[:MOST_LINES]))}{more}"
