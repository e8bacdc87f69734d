"""Listings as fences."""

from __future__ import annotations

import re

_TICKS = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)


def fenced(text: str, language: str) -> str:
    """Returns a text as a fence that nothing in it ends."""
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
