"""Where a passage may end: a stretch of whole lines that the parser takes apart as it would within the whole text.

The parser is slow, so it gets only what is not simple (`simple.py`), up to a blank line with a line below it that
ends every list and quote: one at the margin that is no list item. Only a fence or an HTML block at the top level
goes on across such a line. The parser then finds no end of it, and is given a longer passage.

All text here has `\\n` as its only line end.
"""

from __future__ import annotations

import re

from infograph.source.simple import BLANK

_BLANK_LINES = re.compile(r"\n(?:[ \t]*+\n)++")
_MARGIN = re.compile(r"[^ \t\n*+0-9-]|[*+-][^ \t\n]|[0-9]++[^.)\n]")
"""A line that is neither indented nor a list item. A pattern of its own: looked for below each of ten thousand blank
lines, it would be looked for ten thousand times."""

_LEADING = re.compile(BLANK)


def leading_blank(text: str) -> int:
    """Offset of the first line that is not blank."""
    match = _LEADING.match(text)
    assert match is not None  # it matches nothing, too
    return match.end()


def break_after(text: str, offset: int) -> int:
    """Where, below `offset`, everything has ended but a fence or an HTML block."""
    for blank in _BLANK_LINES.finditer(text, offset):
        if _MARGIN.match(text, blank.end()):
            return blank.end()
    return len(text)


def line_count(text: str, start: int, end: int) -> int:
    """Lines of a span that begins where a line begins and ends where one ends."""
    return text.count("\n", start, end) + (end > start and text[end - 1] != "\n")
