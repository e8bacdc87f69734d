"""Markdown tables that keep any text, and that a person may edit.

Writing turns every character that Markdown could read as markup into a character reference, which every renderer
shows as that character. Reading undoes references and, because people write them, backslash escapes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html.entities import html5
from itertools import chain
from typing import TypeVar

from infograph.errors import FormatError
from infograph.text.inline import split_bars
from infograph.words.texts import pair_tables
from infograph.words.twins import neighbours, replaced

_T = TypeVar("_T")

# Markup characters, then what is not visible: controls, separators, text-direction marks, the byte order mark.
_MARKUP = r"\\`*\[\]<>&|~"
_RANGES = (
    ("\x80", "\xa0"),
    ("\u1680", "\u1680"),
    ("\u2000", "\u200f"),
    ("\u2028", "\u202f"),
    ("\u205f", "\u206f"),
    ("\u3000", "\u3000"),
    ("\ufeff", "\ufeff"),
)
_BEYOND_ASCII = "".join(f"{first}-{last}" for first, last in _RANGES)
_INVISIBLE = rf"\x01-\x1f\x7f{_BEYOND_ASCII}"
_ESCAPED = re.compile(rf"[{_MARKUP}{_INVISIBLE}]")
_UNDERSCORE = re.compile(r"_(?:(?![^\W_])|(?<![^\W_]_))")
"""An underscore that may be emphasis: one inside a word is none. A pattern that begins with a character is found
fast."""
_PLAIN = re.compile(rf"(?! )[^{_MARKUP}{_INVISIBLE}_\0\ud800-\udfff]*(?<! )")
"""Text that stands in a cell as it is."""
_UNWRITABLE = re.compile("[\\0\ud800-\udfff]")
_NAMED = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_REFERENCE = re.compile(r"\\([!-/:-@\[-`{-~])|&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]*));")
_UNSEEN = re.compile(f"[{_BEYOND_ASCII}]")
_CELL, _ROW, _ITEM, _COMMA, _RISKY = "\x1b\x1c\x1d\x1e\x1f"
_MARKS = {_CELL: " | ", _ROW: " |\n| ", _ITEM: ", ", _COMMA: "&#44;", _RISKY: "&#95;"}
"""What stands, while a whole table is escaped, between cells, rows, and the texts of a cell, for a comma in one of
several texts, and for an underscore that may be emphasis; and what they become."""
_NO_MARKS = bytes({*range(1, 256)} - {*map(ord, _MARKS)})
"""All bytes but these and NUL."""
_BETWEEN = f"{_CELL}{_ROW}{_ITEM}".encode()
_EDGE = 1 | 2
"""Flags of a space at an end of a text."""


def _signs() -> bytes:
    """Returns what `neighbours` looks for in a table: spaces at the ends of texts, and the last two bytes of characters
    that are not seen, which some others end with, too."""
    behind: dict[int, set[int]] = {}
    for first, last in _RANGES:
        for sign in range(ord(first), ord(last) + 1):
            *_, last_but_one, end = chr(sign).encode()
            behind.setdefault(last_but_one, set()).add(end)
    unseen = {4 << number: (bytes([byte]), bytes(behind[byte])) for number, byte in enumerate(behind)}
    return pair_tables({1: (b" ", b" \0" + _BETWEEN), 2: (_BETWEEN, b" "), **unseen})


_SIGNS = _signs()
_BLOCK_START = re.compile(r"[#+=:-]|\d+(?=[.)])")
_RULE = re.compile(r":?-+:?")


def escape(text: str) -> str:
    """A text as it may stand in a cell, on one line. Raises FormatError for a NUL or a lone surrogate, which no text
    file can hold."""
    if is_plain(text):  # most cells
        return text
    if _UNWRITABLE.search(text):
        raise FormatError("", f"{text[:80]!r} holds a NUL byte or half a surrogate pair", "Remove it from the source.")
    escaped = _ESCAPED.sub(_reference, text)
    if "_" in escaped:  # a reference has none, and ends with no letter
        escaped = _UNDERSCORE.sub(_reference, escaped)
    if escaped[:1] == " ":
        escaped = f"&#32;{escaped[1:]}"
    return f"{escaped[:-1]}&#32;" if escaped[-1:] == " " else escaped


def _reference(match: re.Match[str]) -> str:
    return _NAMED.get(match[0]) or f"&#{ord(match[0])};"


_TOGETHER = tuple(
    _MARKS.get(sign) or (_reference(match) if (match := _ESCAPED.match(sign)) else sign)
    for sign in map(chr, range(128))
)
"""What each character of ASCII becomes when a whole table is escaped."""


def is_plain(text: str) -> bool:
    """Whether a text may stand in a cell as it is; at times also False for one that may."""
    return _PLAIN.fullmatch(text) is not None


def escape_line(text: str) -> str:
    """A text as it may stand on a line of its own, as a paragraph."""
    escaped = escape(text)
    if start := _BLOCK_START.match(escaped):
        at = start.end() - 1 if start[0][0] not in "0123456789" else start.end()
        return f"{escaped[:at]}&#{ord(escaped[at])};{escaped[at + 1 :]}"
    return escaped


def unescape(text: str) -> str:
    """The text that a cell or line shows, without escapes."""
    return _REFERENCE.sub(_character, text.strip(" \t"))


def _character(match: re.Match[str]) -> str:
    literal, decimal, hexadecimal, name = match.groups()
    if literal:
        return literal
    if name:
        return html5.get(f"{name};", match[0])
    point = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(point) if 0 < point < 0x110000 and not 0xD800 <= point < 0xE000 else match[0]


def render_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table as Markdown. Its cells are escaped already; the last line has no line break."""
    lines = chain([columns, ["---"] * len(columns)], rows)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def render_texts(columns: Sequence[str], rows: Sequence[Sequence[str | Sequence[str]]]) -> str:
    """A table as Markdown, like `render_table`, of cells that are not escaped yet: a text, or several, which get commas
    between them. Raises FormatError as `escape` does."""
    head = render_table(columns, ())
    if not rows:
        return head
    together = _escaped_together(rows)
    if together is not None:
        return f"{head}\n| {together} |"
    cells = ([escape(cell) if isinstance(cell, str) else joined_texts(cell) for cell in row] for row in rows)
    return render_table(columns, cells)


def joined_texts(texts: Iterable[str]) -> str:
    """Several texts as they may stand in a cell, escaped, with commas between them."""
    return ", ".join([escape(text).replace(",", _MARKS[_COMMA]) for text in texts])


def _escaped_together(rows: Sequence[Sequence[str | Sequence[str]]]) -> str | None:
    """Returns the rows of a table without the bars at its ends, at a fraction of what it costs to escape each text.

    None where a text has characters that are not seen, or a space at one of its ends.
    """
    lines, marks = [], sum(map(len, rows)) - 1
    for row in rows:
        cells = []
        for cell in row:
            if not cell:
                cells.append("")
            elif isinstance(cell, str):
                cells.append(cell)
            else:
                text = _ITEM.join(cell)
                marks += len(cell) - 1
                if "," in text:
                    marks += text.count(",")
                    text = text.replace(",", _COMMA)
                cells.append(text)
        lines.append(_CELL.join(cells))
    joined = _ROW.join(lines)
    try:
        if len(joined.encode().translate(None, _NO_MARKS)) != marks:  # a text has one of them
            return None
        seen = neighbours(joined, _SIGNS)
        if seen & _EDGE or joined[:1] == " " or (seen and _UNSEEN.search(joined)):
            return None
    except UnicodeEncodeError:  # `escape` says where
        return None
    return replaced(_UNDERSCORE.sub(_RISKY, joined) if "_" in joined else joined, _TOGETHER)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table that was read."""

    place: str
    """Place of the row for errors, `file:line`."""
    cells: dict[str, str]
    """Raw cells by the name of the column in lower case."""

    def raw(self, column: str) -> str:
        """A cell as it is written, without the spaces around it; empty when the row or the table is too short."""
        return self.cells.get(column.lower(), "")

    def text(self, column: str) -> str:
        """The text that a cell shows."""
        return unescape(self.raw(column))

    def value(self, column: str, read: Callable[[str], _T], expected: str) -> _T:
        """The value of a cell by `read`, whose ValueError becomes a FormatError that says what was `expected`."""
        try:
            return read(self.text(column))
        except ValueError:
            raise self.error(column, expected) from None

    def error(self, column: str, expected: str) -> FormatError:
        """The error for a cell that is not as expected."""
        return FormatError(self.place, f"column {column!r} is {self.raw(column)!r}", f"Expected {expected}.")


def read_table(
    place: str, lines: Sequence[tuple[int, str]], required: Sequence[str], optional: Sequence[str] = ()
) -> list[Row]:
    """Reads the rows of the one table in some lines. Raises FormatError.

    `place` is the file's name; each line comes with its number. Columns may stand in any order and be aligned in
    any way, cells at the end of a row may be missing. Anything but one table is an error.
    """
    table = [(line_number, line) for line_number, line in lines if line.strip()]
    wanted = " | ".join([*required, *optional])
    header, rule = (split_cells(line) for _, line in table[:2]) if len(table) > 1 else ([], [])
    if not rule or len(header) != len(rule) or not all(map(_RULE.fullmatch, rule)):
        at = f"{place}:{table[0][0] if table else lines[0][0] if lines else 1}"
        raise FormatError(at, "there is no table here", f"Expected one with the columns | {wanted} |.")
    names = [unescape(cell).lower() for cell in header]
    known = {name.lower() for name in (*required, *optional)}
    if len(set(names)) < len(names) or set(names) - known or {name.lower() for name in required} - set(names):
        raise FormatError(f"{place}:{table[0][0]}", "these are not the table's columns", f"Expected | {wanted} |.")
    rows = []
    for line_number, line in table[2:]:
        cells = split_cells(line)
        if "|" not in line or len(cells) > len(names):
            raise FormatError(
                f"{place}:{line_number}",
                f"this is not a row of {len(names)} cells",
                "Write a bar inside a cell as &#124; and keep other text out of the table's section.",
            )
        rows.append(Row(f"{place}:{line_number}", dict(zip(names, cells, strict=False))))
    return rows


def split_cells(line: str) -> list[str]:
    """Raw cells of a row, with or without bars at its ends."""
    cells = split_bars(line.strip())
    if len(cells) > 1 and not cells[0]:
        del cells[0]
    if len(cells) > 1 and not cells[-1]:
        del cells[-1]
    return cells


def numbered_lines(data: bytes, place: str) -> Iterator[tuple[int, str]]:
    """Lines of a file with their numbers, from 1. A byte order mark and CRLF, which editors add, are dropped. Raises
    FormatError for bytes that are not UTF-8."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(f"{place}:{line}", "this is not UTF-8", "Save the file as UTF-8.") from error
    for line_number, content in enumerate(text.split("\n"), 1):
        yield line_number, content.removesuffix("\r")


def format_number(value: float) -> str:
    """A number as text that reads back as the same float, without `.0` for a whole one."""
    return repr(float(value)).removesuffix(".0")


def read_number(text: str) -> float:
    """Reads a finite number; raises ValueError for any other text."""
    value = float(text)
    if not abs(value) < float("inf"):
        raise ValueError(text)
    return value


def read_count(text: str) -> int:
    """Reads a whole number from 0; raises ValueError for any other text."""
    if not text.isdecimal():
        raise ValueError(text)
    return int(text)
