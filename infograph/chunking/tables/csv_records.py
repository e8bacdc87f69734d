"""Reads CSV and TSV as records with their place in the text, in one pass and constant memory.

The rules are those of Python's csv module: line breaks and delimiters inside of double quotes, a doubled quote for
one quote. An unclosed quote must not swallow the rest of a file, so the record in which it opens is read as a
single line, with its quotes as text.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

DELIMITERS = ",;\t|"
"""Delimiters that are tried, most likely first."""

SAMPLE = 100
"""Number of lines used to find the delimiter and the table's first record."""


@dataclass(slots=True)
class CsvRecord:
    """A record and the blank lines after it. Mutable for speed: a file has millions."""

    start: int
    """Offset of the first character in the text."""
    end: int
    """Offset after the last character, blank lines included."""
    line: int
    """Number of the record's first line, 0-based."""
    text: str
    """The record's text without the blank lines."""
    cells: list[str]
    broken: bool = False
    """Whether the record's quotes do not close, or close inside of a cell."""


class _Lines(Iterator[str]):
    """Iterates over lines and keeps those of the current record."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = iter(lines)
        self.back: deque[str] = deque()
        self.taken: list[str] = []

    def __next__(self) -> str:
        line = self.back.popleft() if self.back else next(self.lines)
        self.taken.append(line)
        return line

    def keep_first(self) -> str:
        """Puts back all lines of the current record but the first."""
        first, *rest = self.taken
        self.back.extendleft(reversed(rest))
        self.taken = [first]
        return first


def records(lines: Iterable[str], delimiter: str) -> Iterator[CsvRecord]:
    """Yields the records of a text. Blank lines are no records.

    lines: lines with their ends: a line feed, a carriage return or both
    """
    source = _Lines(lines)
    reader = csv.reader(source, delimiter=delimiter, strict=True)
    held: CsvRecord | None = None
    at = line = 0
    while True:
        broken = False
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error:
            cells = source.keep_first().rstrip("\r\n").split(delimiter)
            reader = csv.reader(source, delimiter=delimiter, strict=True)
            broken = True
        text = "".join(source.taken)
        end = at + len(text)
        if len(cells) < 2 and not text.strip():
            if held is not None:
                held.end = end
        else:
            if held is not None:
                yield held
            held = CsvRecord(at, end, line, text, cells, broken)
        at = end
        line += len(source.taken)
        source.taken.clear()
    if held is not None:
        yield held


def sniff(sample: Sequence[str]) -> str:
    """Returns the delimiter that cuts the most of the first lines into the same number of cells, at least two; else
    a comma."""

    return max(DELIMITERS, key=lambda delimiter: _evenness(sample, delimiter))


def preamble(sample: Sequence[str], delimiter: str) -> int:
    """Returns the number of records above the table: comments, or a title in a single cell where there are columns."""
    _, usual = _evenness(sample, delimiter)
    for above, record in enumerate(records(sample, delimiter)):
        if len(record.cells) >= usual or not (len(record.cells) == 1 or record.text.lstrip().startswith("#")):
            return above
    return 0


def _evenness(sample: Sequence[str], delimiter: str) -> tuple[float, int]:
    """Returns the share of records that have the most common number of cells, and that number."""
    widths = [len(record.cells) for record in records(sample, delimiter)]
    usual = max(widths, key=widths.count, default=1)  # the first of equally common ones
    return (widths.count(usual) / len(widths), usual) if usual > 1 else (0.0, 0)
