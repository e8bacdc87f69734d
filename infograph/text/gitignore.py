"""gitignore patterns as regular expressions, with the meaning that git gives them.

    compiled("/docs/**/*.tmp")  ─▶  IgnorePattern.matches("docs/a/b.tmp")

A pattern is read character by character as git's wildmatch reads it, and git is the judge in the tests. What differs
from wildmatch is the time: each part between two stars is matched where it first fits, never again, so that matching
takes polynomial time for any pattern. Letter case counts.

git compares bytes: in an ignore file `?` and `[…]` stand for one byte of a name in UTF-8, and so they do here. In a
setting, which git never reads, they stand for one character.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_LONGEST = 4096
"""Bytes of the longest path that systems open; a pattern with more characters matches nothing."""

_WITHOUT_SPACES = re.compile(r"(?:[^\\ ]|\\.?| +(?! |\Z))*", re.DOTALL)
"""A line without the spaces at its end. A space behind a backslash is part of the pattern."""

_SPECIAL = re.compile(r"[*?\[\\]")

_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \t",
    "cntrl": "\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": " \t\r\n",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
"""git's named classes, which hold ASCII characters only, as sets of a regular expression."""

_ANY_FOLDERS = "(?:.*/)?"
"""`**/`: no folder, or some."""
_SOME_FOLDERS = "(?:.*/)"
_FEWEST = {_ANY_FOLDERS: "(?:.*?/)??", _SOME_FOLDERS: "(?:.*?/)"}
"""Variants of the two expressions above that take as few folders as possible."""


class PatternError(ValueError):
    """A line that is no gitignore pattern."""


class _Hopeless(Exception):
    """The pattern is well formed for git and matches no path."""


@dataclass(frozen=True, slots=True)
class IgnorePattern:
    """One line of an ignore file."""

    keeps: bool
    """The line begins with `!`: matching paths are kept, not ignored."""
    folders_only: bool
    """The line ends with `/`: only folders match."""
    by_name: bool
    """The line has no other slash: the last component of a path is compared, on any level."""
    body: str
    """Regular expression of the component or path, without anchors."""
    fits: Callable[[str], object]
    """Takes the component or path, as `as_bytes` returns it unless the pattern compares characters; true when it
    matches."""

    def matches(self, path: str, name: str, folder: bool) -> bool:
        """Whether the pattern matches this very path, not only a folder above it.

        path: relative to the folder of the ignore file, as `fits` takes it
        name: its last component
        """
        return (folder or not self.folders_only) and bool(self.fits(name if self.by_name else path))


def as_bytes(path: str) -> str:
    """A path with one character for each byte of its UTF-8 form, as patterns compare it."""
    return path if path.isascii() else os.fsencode(path).decode("latin-1")


def compiled(line: str, *, characters: bool = False) -> IgnorePattern | None:
    """The pattern of a line, or None for a comment and for what matches no path.

    characters: compare characters, as a setting does, not bytes, as git does
    Raises PatternError for a lone `!`, a backslash at the end and a range of characters that goes backwards.
    """
    found = _WITHOUT_SPACES.match(line)
    assert found is not None  # the expression matches the empty string too
    text = found[0] if characters else as_bytes(found[0])
    if not text or text.startswith("#"):
        return None
    keeps = text.startswith("!")
    text = text.removeprefix("!")
    if not text:
        raise PatternError("there is nothing after the `!`")
    folders_only = text.endswith("/")
    text = text.removesuffix("/")
    by_name = "/" not in text
    text = text.removeprefix("/")
    if not text or text.endswith("/") or len(text) > _LONGEST:
        return None  # no path is empty, ends with a slash or is as long
    if not _SPECIAL.search(text):
        return IgnorePattern(keeps, folders_only, by_name, re.escape(text), text.__eq__)
    try:
        body = _Translation(text, by_name).body()
    except _Hopeless:
        return None
    return IgnorePattern(keeps, folders_only, by_name, body, re.compile(body, re.DOTALL).fullmatch)


def literal(path: str) -> str:
    """A pattern that matches only this path."""
    escaped = re.sub(r"([\\*?\[\]!#])", r"\\\1", path)
    return re.sub(r"( +)$", lambda spaces: r"\ " * len(spaces[0]), escaped)


def wanted(patterns: Sequence[IgnorePattern]) -> Callable[[str], bool]:
    """A function that tells whether patterns of a setting ask for a file by its path or by a folder above it.

    patterns: those that compare characters
    The last pattern that matches the file itself decides; without one, the last that matches a folder above it.
    """
    rules = [(_covering(pattern), not pattern.keeps) for pattern in reversed(patterns)]

    def asked(path: str) -> bool:
        above: bool | None = None
        for matched, wants in rules:
            if (match := matched(path)) is None:
                continue
            if match["above"] is None:
                return wants
            if above is None:
                above = wants
        return bool(above)

    return asked


def _covering(pattern: IgnorePattern) -> Callable[[str], re.Match[str] | None]:
    """Matches a file's path when the pattern matches the path or a folder above it; the group `above` tells which."""
    start = "(?:.*/)?" if pattern.by_name else ""
    end = "(?P<above>/)" if pattern.folders_only else r"(?:(?P<above>/)|\Z)"
    return re.compile(start + pattern.body + end, re.DOTALL).match


class _Translation:
    """Reads one pattern, without its `!` and the slashes at its ends."""

    def __init__(self, text: str, by_name: bool) -> None:
        self._text = text
        self._by_name = by_name
        self._at = 0
        self._groups = 0

    def body(self) -> str:
        """The regular expression: parts between `**`, each of which consists of pieces between `*`."""
        parts: list[str] = []
        between: list[str] = []  # what stands for the folders after each part but the last
        part = _Part(self._once)
        while self._at < len(self._text):
            sign = self._text[self._at]
            if sign == "*":
                folders = self._stars()
                if folders is None:
                    part.star()
                elif not self._left():
                    part.add(".*")
                else:
                    parts.append(part.expression())
                    between.append(folders)
                    part = _Part(self._once)
            elif sign == "?":
                self._at += 1
                part.add("[^/]")
            elif sign == "[":
                part.add(self._set())
            else:
                part.add(re.escape(self._literal()), ends_name=self._text[self._at - 1] == "/")
        parts.append(part.expression())
        if not between:
            return parts[0]
        first, *middle, last = parts
        *before, final = between
        fixed = (self._once(_FEWEST[folders] + inner) for folders, inner in zip(before, middle, strict=True))
        return "".join([first, *fixed, final, last])

    def _left(self) -> bool:
        return self._at < len(self._text)

    def _once(self, inside: str) -> str:
        """Matches where it first fits and is not tried again: an atomic group.

        Python 3.11.0 to 3.11.4 match some of its own atomic groups wrongly.
        """
        self._groups += 1
        return f"(?=(?P<q{self._groups}>{inside}))(?P=q{self._groups})"

    def _stars(self) -> str | None:
        """Reads stars; the expression of the folders that they stand for, or None where they stay within a name."""
        text, start = self._text, self._at
        while self._left() and text[self._at] == "*":
            self._at += 1
        alone = start == 0 or text[start - 1] == "/"
        if self._by_name or self._at - start < 2 or not alone:
            return None
        if not self._left():
            return _ANY_FOLDERS
        if text[self._at] == "/":
            self._at += 1
            return _ANY_FOLDERS
        if text.startswith("\\/", self._at):  # git looks for a slash here, where it passes over one above
            self._at += 2
            return _SOME_FOLDERS
        return None

    def _literal(self) -> str:
        sign = self._text[self._at]
        if sign == "\\":
            self._at += 1
            if not self._left():
                raise PatternError("there is nothing after the backslash")
            sign = self._text[self._at]
        self._at += 1
        return sign

    def _set(self) -> str:
        """Reads `[…]`; the expression of the one character that it stands for, never a slash."""
        negated = self._text[self._at + 1 : self._at + 2] in ("!", "^")
        self._at += 2 if negated else 1
        items: list[str] = []
        first, before = True, ""  # the character that a range may begin with
        while first or self._sign() != "]":
            first = False
            if named := self._named():
                items.append(named)
                before = ""
            elif before and self._sign() == "-" and self._text[self._at + 1 : self._at + 2] not in ("", "]"):
                self._at += 1
                items.append(_range(before, self._member()))
                before = ""
            else:
                before = self._member()
                items.append(re.escape(before))
        self._at += 1
        sign = "^" if negated else ""
        return f"(?!/)[{sign}{''.join(items)}]"

    def _sign(self) -> str:
        """The next character of a set. Raises _Hopeless where the set has no end."""
        if not self._left():
            raise _Hopeless
        return self._text[self._at]

    def _member(self) -> str:
        """Reads one character of a set."""
        sign = self._sign()
        self._at += 1
        if sign == "\\":
            sign = self._sign()
            self._at += 1
        return sign

    def _named(self) -> str | None:
        """Reads `[:digit:]` within a set. Raises _Hopeless for a name that there is not."""
        if not self._text.startswith("[:", self._at):
            return None
        end = self._text.find("]", self._at + 2)
        if end < 0:
            raise _Hopeless
        if end < self._at + 3 or self._text[end - 1] != ":":
            return None
        name = self._text[self._at + 2 : end - 1]
        self._at = end + 1
        if name not in _CLASSES:
            raise _Hopeless
        return _CLASSES[name]


class _Part:
    """Collects the expressions between two `**`."""

    def __init__(self, once: Callable[[str], str]) -> None:
        self._once = once
        self._done: list[str] = []
        self._piece = ""
        """What was read since the last star or slash."""
        self._after_star = False
        """A star of the same name stands before the piece."""

    def add(self, expression: str, ends_name: bool = False) -> None:
        """Adds what matches a fixed number of characters, or the rest of the path."""
        self._piece += expression
        if ends_name:
            self._end_name()

    def star(self) -> None:
        """Adds a star. A piece between two stars may stay where it first fits: the second takes the rest."""
        if self._after_star and self._piece:
            self._done.append(self._once(f"[^/]*?{self._piece}"))
        else:
            self._done.append(self._piece)
        self._piece, self._after_star = "", True

    def expression(self) -> str:
        self._end_name()
        return "".join(self._done)

    def _end_name(self) -> None:
        self._done.append(f"[^/]*{self._piece}" if self._after_star else self._piece)
        self._piece, self._after_star = "", False


def _range(first: str, last: str) -> str:
    """A range of a set. Raises PatternError for one that goes backwards."""
    if first > last:
        raise PatternError(f"bad character range {first}-{last}")
    return f"{re.escape(first)}-{re.escape(last)}"
