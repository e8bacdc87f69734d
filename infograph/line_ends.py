"""Line ends as CommonMark knows them: a line feed, a carriage return, or both. `str.splitlines` knows seven more."""

from __future__ import annotations

import re

LINE_END = re.compile(r"\r\n?|\n")
_RETURN = re.compile(r"\r\n?")


def with_line_feeds(text: str) -> str:
    """The text with a line feed for each line end: itself where there is no other."""
    return _RETURN.sub("\n", text) if "\r" in text else text


def with_line_feeds_in_place(text: str) -> str:
    """The same where offsets must stay: `\\r\\n` becomes a space and a line feed."""
    return text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text
