"""Where lines end: as in CommonMark, at a line feed, a carriage return, or both. `str.splitlines` knows seven more."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import AnyStr

LINE_END = re.compile(r"\r\n?+|\n")
"""Never the first half of one."""
_LONE_RETURN = re.compile(r"\r(?!\n)")


def line_starts(text: str) -> list[int]:
    """Offset of each line, then the length."""
    # `bytes.splitlines` knows the same ends, and here one byte stands for each character.
    lines = text.encode("latin-1", "replace").splitlines(keepends=True)
    return list(accumulate(map(len, lines), initial=0))


def line_ends(text: AnyStr, start: int = 0, end: int | None = None) -> int:
    """How many lines end in a part of a text. Of a line end of two characters, either counts alone."""
    if isinstance(text, bytes):
        return text.count(b"\n", start, end) + text.count(b"\r", start, end) - text.count(b"\r\n", start, end)
    return text.count("\n", start, end) + text.count("\r", start, end) - text.count("\r\n", start, end)


def unified(text: str) -> str:
    """The text with line feeds as its only line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def split_lines(text: str) -> list[str]:
    """The lines without their ends; what stands after the last end is one, too, and may be empty."""
    return unified(text).split("\n")


def lone_returns_fed(text: str) -> str:
    """The text with a line feed for each carriage return that ends a line alone; offsets stay."""
    return _LONE_RETURN.sub("\n", text) if "\r" in text else text


def unified_in_place(text: str) -> str:
    """The same where offsets must stay: `\\r\\n` becomes a space and a line feed."""
    return text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text
