"""Reads the JSON of an answer: strictly, else what is clearly meant by it."""

from __future__ import annotations

import json
import re
from typing import Any

LARGEST_ANSWER = 1 << 20
"""Most characters of an answer that are looked at."""

_FENCE = re.compile(r"```[a-zA-Z]*\s*\n(.*?)```", re.DOTALL)
_COMMA = re.compile(r",(\s*[\]}])")


def read_answer(text: str) -> Any:
    """Returns the value in an answer: the whole, what stands in a fence, or the first balanced object; commas before a
    closing bracket are left out. Raises ValueError where there is none."""
    text = text[:LARGEST_ANSWER].strip()
    fenced = _FENCE.search(text)
    readings = [text, fenced[1].strip() if fenced else "", balanced(text)]
    for reading in filter(None, readings):
        for candidate in (reading, _COMMA.sub(r"\1", reading)):
            try:
                return json.loads(candidate, parse_constant=_refuse)
            except (ValueError, RecursionError):
                continue
    raise ValueError("the answer holds no JSON object")


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def balanced(text: str) -> str:
    """Returns the first object whose braces match, strings respected; empty where none does."""
    start = text.find("{")
    depth, quoted, escaped = 0, False, False
    for place in range(max(start, 0), len(text) if start >= 0 else 0):
        char = text[place]
        if quoted:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                quoted = False
        elif char == '"':
            quoted = True
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return text[start : place + 1]
    return ""
