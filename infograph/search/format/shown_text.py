"""The text that a reader sees of a chunk's Markdown, line by line: for snippets and passages.

`infograph/web/passage.js` has the same. Not a parser: what it does not know stays as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from infograph.search.format.terms import UNSEEN
from infograph.text.inline import split_bars

_LISTING = r"(?<![^\n])[ \t]*(?P<mark>`{3}|~{3})[^\n]*(?:\n(?![ \t]*(?P=mark))[^\n]*)*(?:\n[^\n]*)?"
_ANGLED = r"\((?<=\]\()<[^<>\n]{0,2000}>(?:\s+\"[^\"\n]*\")?\)"
_UNSEEN = re.compile(f"{_ANGLED}|{UNSEEN.pattern}", re.DOTALL)
"""Also an address between angle brackets, which may hold spaces; for what is indexed it is a tag."""
_UNSEEN_OR_LISTING = re.compile(f"{_LISTING}|{_UNSEEN.pattern}", re.DOTALL)
"""In a listing a reader sees tags, as all else of it."""
_ESCAPED = re.compile(
    r"(?<!`)(?P<ticks>`++)(?P<code>(?:[^`]++|(?!(?P=ticks)(?!`))`++)+)(?P=ticks)(?!`)"  # code is as it is
    r"|\\(?P<sign>[!-/:-@\[-`{-~])|(?P<entity>&(?:amp|lt|gt|quot|#39|nbsp);)"
)


_EMPHASIS = re.compile(
    r"(?<![*\w])\*(?=[^\s*])(?P<stars>[^*]{1,200})(?<=\S)\*(?![*\w])"
    r"|(?<![_\w])_(?=[^\s_])(?P<lines>[^_]{1,200})(?<=\S)_(?![_\w])"
)
_IMAGE = re.compile(r"(?<![A-Za-z0-9_])!(?=\[)(?:\[\] ?)?")
"""The sign before the text of an image, with its brackets where it has none; `vec![1]` is code."""
_LEADING = re.compile(r"^(?:> ?)*(?:[-*+] +)?")
_RULE = re.compile(r"[|:\- ]+")
"""The line between the head of a table and its rows."""
_HELD = "\ue000"
"""Stands for a sign that is no mark, or for code, while marks are taken out: a private-use character."""


_CLOSING = tuple(".,;:!?)")


def _gap(unseen: re.Match[str]) -> str:
    """Returns what stands in the place of a link's target, a tag or a comment: a space for what may part words."""
    closes = unseen.string.startswith(_CLOSING, unseen.end())
    return "" if closes or unseen[0].startswith("(") else " "


def _seen(markdown: str) -> str:
    """Returns Markdown without what a reader of the page does not see."""
    if "```" not in markdown and "~~~" not in markdown:
        return _UNSEEN.sub(_gap, markdown)
    return _UNSEEN_OR_LISTING.sub(lambda found: found[0] if found["mark"] else _gap(found), markdown)


def _unmarked(line: str) -> str:
    """Returns the text of a line without its marks, and with signs in the place of what escapes them."""
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        held.append(match["code"] or match["sign"] or unescape(match["entity"]).replace("\xa0", " "))
        return _HELD

    text = _without_marks(_ESCAPED.sub(hold, line.replace(_HELD, "")))
    first, *others = text.split(_HELD)
    return "".join([first, *(part for pair in zip(held, others, strict=True) for part in pair)])


def _without_signs(line: str) -> str:
    """Returns a line of a quote or a list without the sign it begins with, and the cells of a row without its bars."""
    line = _LEADING.sub("", line)
    if line.startswith("|"):
        return "" if _RULE.fullmatch(line) else " · ".join(filter(None, split_bars(line))).replace(r"\|", "|")
    return line


def _without_marks(text: str) -> str:
    if "![" in text:
        text = _IMAGE.sub("", text)
    text = text.replace("**", "").replace("`", "").replace("[", "").replace("]", "")
    return _EMPHASIS.sub(lambda match: match["stars"] or match["lines"], text) if "*" in text or "_" in text else text


def shown_lines(markdown: str) -> Iterator[str]:
    """Yields the lines that are neither heading nor markup, with one space between words. What is escaped stands as a
    reader sees it: `\\*` as `*`, `&lt;` as `<`."""
    fence = ""
    for line in map(str.strip, _seen(markdown).splitlines()):
        if line.startswith(("```", "~~~")):
            fence = "" if line[:3] == fence else fence or line[:3]
        elif line and not line.startswith(":::") and (fence or not line.startswith("#")):
            words = " ".join(line.split())
            yield words if fence else _unmarked(_without_signs(words))
