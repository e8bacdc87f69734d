"""Finds text that readers of a page do not see but a model reads in its chunks, where instructions may hide."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from infograph.errors import COMMENT, MOST_LINES, Notice, lines_named
from infograph.model import Block, Document, is_markdown
from infograph.text.lines import line_ends, line_starts
from infograph.text.unseen import unseen

INVISIBLE = "invisible-text"
"""Kind of notice for characters without a shape and a known use."""

_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)([^\r\n|]{1,400}?)(?<!`)\1(?!`)")
"""A code span within one line and one table cell: backticks of two paragraphs are no pair."""

_MOST_SAID = 80
"""Length limit of the text that tag characters spell in a notice."""


def hidden_text(document: Document, blocks: tuple[Block, ...]) -> tuple[Notice, ...]:
    """Returns at most one notice for characters without a shape and one for HTML comments outside of code.

    Characters that emoji, ideographs, and scripts with joiners or from right to left are written with do not count.
    """
    found: list[Notice] = []
    front = "\n".join(filter(None, (document.title, document.description, *document.keywords)))
    if not (document.body.isascii() and front.isascii()):
        invisible = InvisibleText(document.first_line)
        invisible.add_front(front)
        invisible.add(document.body)
        found += invisible.notices(document.path)
    if "<!--" in document.body and is_markdown(document.path):
        starts = line_starts(document.body)
        if comments := list(_comments(document.body, blocks, starts)):
            first = document.first_line
            lines = lines_named(sorted({first + line for line in comments}))
            reason = f"not on the rendered page, but in the chunks that a model is given: {lines}"
            found.append(Notice(document.path, COMMENT, reason, len(comments)))
    return tuple(found)


class InvisibleText:
    """Finds invisible characters in a text that comes in parts, and reports all of them in one notice.

    line: 1-based line where the text begins
    """

    def __init__(self, line: int = 1) -> None:
        self._line = line
        self._open: list[str] = []
        """Parts of a line that has not ended yet: the rest may show what a character is used for."""
        self._signs = 0
        self._said = ""
        self._in_front = False
        self._lines: list[int] = []
        self._count = 0
        """Number of lines with findings, of which `_lines` keeps the first."""

    def add_front(self, front: str) -> None:
        """Adds the text of the front matter that reaches the outputs."""
        runs = [match[0] for match in unseen(front)]
        self._in_front = bool(runs)
        self._add(runs)

    def add(self, text: str) -> None:
        """Adds the next part of the body."""
        end = _end_of_lines(text)
        if end:
            self._look("".join((*self._open, text[:end])))
            self._open.clear()
        self._open.append(text[end:])

    def notices(self, path: str) -> tuple[Notice, ...]:
        """Returns at most one notice; call it after all parts are added."""
        self._look("".join(self._open))
        self._open.clear()
        if not self._signs:
            return ()
        places = ["the front matter"] if self._in_front else []
        if self._lines:
            places.append(lines_named(self._lines, self._count))
        what = f"tag characters that say `{self._said}`" if self._said else "characters without a shape"
        reason = f"{what}: not to be seen on the page, but in the chunks that a model is given: {', '.join(places)}"
        return (Notice(path, INVISIBLE, reason, self._signs),)

    def _look(self, text: str) -> None:
        """Searches whole lines."""
        found = [] if text.isascii() else list(unseen(text))
        if found:
            self._add(match[0] for match in found)
            lines = sorted(set(_lines_of(line_starts(text), (match.start() for match in found))))
            self._lines += (self._line + line for line in lines[: MOST_LINES - len(self._lines)])
            self._count += len(lines)
        self._line += line_ends(text)

    def _add(self, runs: Iterable[str]) -> None:
        for run in runs:
            self._signs += len(run)
            if len(self._said) < _MOST_SAID:
                said = "".join(letter for letter in map(_untagged, run) if letter.isprintable())
                self._said = (self._said + said)[:_MOST_SAID]


def _end_of_lines(text: str) -> int:
    """The offset of the last line. A carriage return at the end of a part may be half of a line end."""
    last = len(text) - text.endswith("\r")
    return max(text.rfind("\n", 0, last), text.rfind("\r", 0, last)) + 1


def _untagged(sign: str) -> str:
    """The ASCII character that a tag character stands for; empty for any other character."""
    return chr(ord(sign) - 0xE0000) if "\U000e0000" <= sign <= "\U000e007f" else ""


def _comments(body: str, blocks: Iterable[Block], starts: list[int]) -> Iterator[int]:
    """Yields the 0-based first lines of comments outside of code."""
    for block in blocks:
        start, end = starts[block.start], starts[block.end] if block.end < len(starts) else len(body)
        if block.kind in ("fence", "code") or body.find("<!--", start, end) < 0:
            continue
        if block.children:
            yield from _comments(body, block.children, starts)
            continue
        text = body[start:end]
        offsets = list(_openings(text, block.kind == "html"))
        if block.kind != "html":
            shown = [match.span(2) for match in _CODE_SPAN.finditer(text)]
            # The last one that begins before a comment is the only one that may hold it.
            before = (bisect_right(shown, (offset, len(text))) - 1 for offset in offsets)
            offsets = [o for o, at in zip(offsets, before, strict=True) if at < 0 or o >= shown[at][1]]
        yield from _lines_of(starts, (start + offset for offset in offsets))


def _openings(text: str, html: bool) -> Iterator[int]:
    """Yields where comments begin. An unclosed comment hides the rest of a block of HTML; elsewhere it is text."""
    opening = text.find("<!--")
    while opening >= 0:
        closing = text.find("-->", opening + 2)
        if closing >= 0 or html:
            yield opening
        opening = text.find("<!--", closing) if closing >= 0 else -1


def _lines_of(starts: list[int], offsets: Iterable[int]) -> Iterator[int]:
    """Returns the 0-based line of each offset."""
    return (bisect_right(starts, offset) - 1 for offset in offsets)
