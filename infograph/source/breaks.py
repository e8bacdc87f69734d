"""Finds places to cut a text into passages: whole lines that parse alone as they do within the text.

The parser is slow, so it gets only what is not simple (`simple.py`), up to a blank line with a line below it that
ends every list and quote: one at the margin that is no list item. Only a fence or an HTML block at the top level
goes on across such a line. The parser then finds no end of it and gets a longer passage.

All text here has `\\n` as its only line end.
"""

from __future__ import annotations

import re

from infograph.source.simple import BLANK

_BLANK_LINES = re.compile(r"\n(?:[ \t]*+\n)++")
_MARGIN = re.compile(r"[^ \t\n*+0-9-]|[*+-][^ \t\n]|[0-9]++[^.)\n]")
"""The start of a line that is neither indented nor a list item. As a lookahead within the pattern above it would be
tried again below each of ten thousand blank lines."""

_LEADING = re.compile(BLANK)


def leading_blank(text: str) -> int:
    """Returns the offset of the first line that is not blank."""
    match = _LEADING.match(text)
    assert match is not None  # the expression matches the empty string too
    return match.end()


def break_after(text: str, offset: int) -> int:
    """Returns the first offset below `offset` where every block but a fence or an HTML block has ended."""
    for blank in _BLANK_LINES.finditer(text, offset):
        if _MARGIN.match(text, blank.end()):
            return blank.end()
    return len(text)


def line_count(text: str, start: int, end: int) -> int:
    """Counts the lines of a span that begins where a line begins and ends where one ends."""
    return text.count("\n", start, end) + (end > start and text[end - 1] != "\n")
