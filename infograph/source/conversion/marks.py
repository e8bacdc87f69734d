"""Marks that stand for parts of a text while a library works on it, which must neither see nor change them.

Noncharacters of Unicode, which no text has: what a page has of them is removed first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_SIGNS = "\\`*_[]<~&"
_SIGN_MARKS = "".join(chr(0xFDD0 + place) for place in range(len(_SIGNS)))
START_MARK = "\ufdda"
"""Stands before a sign that is escaped in any case: at the start of a line it would begin a block."""
GAP_MARK = "\ufddd"
"""Alone in a paragraph, stands for the blank line that must part what comes before from a quote."""
_ANCHOR, _HELD, _END = "\ufdde", "\ufddf", "\ufde0"

_NONCHARACTERS = re.compile("[\ufdd0-\ufdef]")
_SPECIAL = re.compile(r"[\\`*_\[\]<~&]")
_HIDE = str.maketrans(_SIGNS, _SIGN_MARKS)
_SHOW = dict(zip(_SIGN_MARKS, _SIGNS, strict=True))
_MARKED = re.compile(f"[{_SIGN_MARKS}{START_MARK}]")
_BEGINS_BLOCK = re.compile(r"(?:#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|[-=]+\s*$|:::)|(\d{1,9})[.)](?=\s|$)")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_OPENS_TAG = re.compile(r"<[A-Za-z/!?]")
_GAP = re.compile(f"^[ >]*{GAP_MARK}\n", re.MULTILINE)
_HELD_PART = re.compile(f"{_HELD}(\\d+){_END}")
_ANCHOR_PART = re.compile(f"{_ANCHOR}(\\d+){_END}")


def clean(text: str) -> str:
    """Removes noncharacters from a text."""
    return _NONCHARACTERS.sub("", text)


def hidden(text: str, *, starts: bool, linked: bool = False) -> str:
    """Returns a text in which marks stand for the signs that Markdown may take for markup.

    starts: whether the text begins a line
    linked: whether it stands in a link, which a bracket would end
    """
    if starts and (match := _BEGINS_BLOCK.match(text)):
        place = len(match[1] or "")
        text = f"{text[:place]}{START_MARK}{text[place:]}"
    if not _SPECIAL.search(text):
        return text
    if linked:
        text = text.replace("[", f"{START_MARK}[").replace("]", f"{START_MARK}]")
    return text.translate(_HIDE)


def anchor_mark(number: int) -> str:
    """The mark of an anchor, behind the text that it belongs to."""
    return f"{_ANCHOR}{number}{_END}"


def held_mark(number: int) -> str:
    """The mark of a text that is put in as it is."""
    return f"{_HELD}{number}{_END}"


def shown(text: str, held: Sequence[str]) -> str:
    """Returns a text with signs in the place of their marks, each escaped where it would be markup."""

    def sign(match: re.Match[str]) -> str:
        if match[0] == START_MARK:
            return "\\"
        own, at = _SHOW[match[0]], match.start()
        before, after = text[at - 1 : at], text[at + 1 : at + 2]
        if before == START_MARK:
            return own
        before, after = _SHOW.get(before, before), _SHOW.get(after, after)
        return f"\\{own}" if _matters(own, before, after) else own

    if _MARKED.search(text):
        # Entities and tags first: what they are is seen only in their signs.
        plain = _MARKED.sub(lambda match: _SHOW.get(match[0], match[0]), text)
        parts = [match.start() for match in _ENTITY.finditer(plain)] if "&" in plain else []
        tags = [match.start() for match in _OPENS_TAG.finditer(plain)] if "<" in plain else []
        if parts or tags:
            text = _with_entities(text, {*parts}, {*tags})
        text = _MARKED.sub(sign, text)
    text = _GAP.sub("", text) if GAP_MARK in text else text
    return _HELD_PART.sub(lambda match: held[int(match[1])], text) if held else text


def _with_entities(text: str, entities: set[int], tags: set[int]) -> str:
    """Returns a text with `&amp;` and `&lt;` at offsets where these signs, as marks, would begin an entity or a tag."""
    ampersand, less = _SIGN_MARKS[_SIGNS.index("&")], _SIGN_MARKS[_SIGNS.index("<")]
    parts: list[str] = []
    last = 0
    for at in sorted(entities | tags):
        if text[at] in (ampersand, less):  # and not one in code, where it stands for itself
            parts += text[last:at], "&amp;" if text[at] == ampersand else "&lt;"
            last = at + 1
    return "".join([*parts, text[last:]])


def _matters(sign: str, before: str, after: str) -> bool:
    """Whether a sign between two others would be markup."""
    if sign == "\\":
        return not after or not (after.isalnum() or after.isspace())
    if sign == "`":
        return True
    if sign == "*":
        return not (before.isspace() and after.isspace())
    if sign == "_":
        return not ((before.isalnum() and after.isalnum()) or (before.isspace() and after.isspace()))
    if sign == "[":
        return False
    if sign == "]":
        return after in ("(", "[", ":")
    return sign == "~" and "~" in (before, after)


def taken(text: str, ids: Sequence[str]) -> tuple[str, tuple[tuple[int, str], ...]]:
    """Returns a text without the marks of anchors, and the line and id of each."""
    if _ANCHOR not in text:
        return text, ()
    anchors: list[tuple[int, str]] = []
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if _ANCHOR in line:
            anchors += ((number, ids[int(found)]) for found in _ANCHOR_PART.findall(line))
            lines[number] = _ANCHOR_PART.sub("", line)
    return "\n".join(lines), tuple(anchors)
