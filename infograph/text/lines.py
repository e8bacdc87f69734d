"""Lines as in CommonMark: each ends at a line feed, a carriage return, or both. `str.splitlines` knows seven more."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import accumulate
from typing import AnyStr

LINE_END = re.compile(r"\r\n?+|\n")
"""One line end; of a carriage return and a line feed, never the first half alone."""
_LONE_RETURN = re.compile(r"\r(?!\n)")


def line_starts(text: str) -> list[int]:
    """Offsets of the lines of a text, then its length."""
    return list(_line_starts(text))


@lru_cache(maxsize=2)  # each stage of a document asks once more
def _line_starts(text: str) -> tuple[int, ...]:
    # `bytes.splitlines` knows the same ends, and here one byte stands for each character.
    lines = text.encode("latin-1", "replace").splitlines(keepends=True)
    return tuple(accumulate(map(len, lines), initial=0))


def line_ends(text: AnyStr, start: int = 0, end: int | None = None) -> int:
    """Number of line ends in a part of a text. Of a line end of two characters, either counts alone."""
    if isinstance(text, bytes):
        return text.count(b"\n", start, end) + text.count(b"\r", start, end) - text.count(b"\r\n", start, end)
    return text.count("\n", start, end) + text.count("\r", start, end) - text.count("\r\n", start, end)


def unified(text: str) -> str:
    """The text with line feeds as its only line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def split_lines(text: str) -> list[str]:
    """The lines of a text without their ends; the text after the last end is a line, too, and may be empty."""
    return unified(text).split("\n")


def lone_returns_fed(text: str) -> str:
    """The text with a line feed for each carriage return that ends a line alone; all offsets stay."""
    return _LONE_RETURN.sub("\n", text) if "\r" in text else text


def unified_in_place(text: str) -> str:
    """The text with line feeds as its only line ends, all offsets kept: `\\r\\n` becomes a space and a line feed."""
    return text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text
