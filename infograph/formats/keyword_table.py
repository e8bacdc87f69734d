"""Keyword tables, `_keywords/words.md`: the authority table of a topic, which people can edit and pin rows of."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import dropwhile

from infograph.errors import FormatError
from infograph.formats.markdown_table import (
    Row,
    escape,
    format_number,
    numbered_lines,
    read_count,
    read_number,
    read_table,
    render_table,
)
from infograph.model import KeywordRow

LARGEST_SCORE = 1e12
"""Largest score that is read: more than a formula of counts gives and, rounded, a whole number of 64 bits, so that it
can be published."""

_COLUMNS = ("Term", "Type", "Count", "Header", "Global", "Score", "Pinned")
_TYPES = ("word", "compound", "code")
_PINNED = "yes"
_EXPLANATION = (
    "Score = Count × Header × Global × 1.5 for a compound. Header: 1.5 when a compound stands in an H1, 1.25 in an "
    "H2, 1.1 deeper. Global: 2 when no other topic or fewer than 10% of them have the term, 1.5 under 25%, otherwise "
    "1. Write `yes` under Pinned to keep a row and its score in every rebuild; at score 0 it keeps the term out."
)


def render_words(title: str, rows: Iterable[KeywordRow]) -> bytes:
    """Bytes of the table of a topic, with its rows in the given order."""
    cells = (
        (
            escape(row.term),
            row.type,
            str(row.count),
            format_number(row.header),
            format_number(row.globality),
            format_number(row.score),
            _PINNED if row.pinned else "",
        )
        for row in rows
    )
    table = render_table(_COLUMNS, cells)
    return f"# Keywords: {escape(title)}\n\n{_EXPLANATION}\n\n{table}\n".encode()


def may_have_pins(data: bytes) -> bool:
    """Whether a table that `render_words` made may have rows set by hand; False where it has none. Takes a hundredth of
    the time of `parse_words`."""
    return f"| {_PINNED} |".encode() in data


def parse_words(name: str, data: bytes) -> tuple[KeywordRow, ...]:
    """Rows of a keyword table, in the order of the file. Raises FormatError; `name` is the file's name in errors.

    A row written by hand needs a term, a score and `yes` under Pinned; the other cells may be empty.
    """
    lines = numbered_lines(data, name)
    table = [line for line in dropwhile(lambda line: not line[1].lstrip().startswith("|"), lines) if line[1].strip()]
    rows = tuple(_read(row) for row in read_table(name, table, _COLUMNS))
    seen: set[str] = set()
    for (line_number, _), row in zip(table[2:], rows, strict=True):
        if row.term in seen:
            raise FormatError(f"{name}:{line_number}", f"the term {row.term!r} has two rows", "Remove one of them.")
        seen.add(row.term)
    return rows


def _read(row: Row) -> KeywordRow:
    term = row.text("Term")
    if not term:
        raise row.error("Term", "a term")
    kind = row.text("Type").lower() or ("compound" if " " in term else "word")
    if kind not in _TYPES:
        raise row.error("Type", "word, compound or code")
    pinned = row.text("Pinned").lower()
    if pinned not in ("", "no", "yes"):
        raise row.error("Pinned", "yes, no or nothing")
    return KeywordRow(
        term=term,
        type=kind,
        count=row.value("Count", lambda text: read_count(text or "0"), "a whole number"),
        header=row.value("Header", _factor, "a number such as 1.25"),
        globality=row.value("Global", _factor, "a number such as 1.5"),
        score=row.value("Score", _score, f"a number from 0 to {LARGEST_SCORE:,.0f}, such as 7.5"),
        pinned=pinned == "yes",
    )


def _factor(text: str) -> float:
    return _positive(text or "1")


def _score(text: str) -> float:
    value = _positive(text)
    if value > LARGEST_SCORE:
        raise ValueError(text)
    return value


def _positive(text: str) -> float:
    value = read_number(text)
    if value < 0:
        raise ValueError(text)
    return value
