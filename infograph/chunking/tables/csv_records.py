"""CSV and TSV as records with their place in the text, read in one pass and constant memory.

The rules are those of Python's csv module: line breaks and delimiters inside of double quotes, a doubled quote for
one quote. A quote that never closes must not swallow the rest of a file, so the record it begins in is taken as the
line it is, with the quotes as text.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

DELIMITERS = ",;\t|"
"""Those that are looked for, the likelier first."""

SAMPLE = 100
"""Lines that tell the delimiter, and where the table begins."""


@dataclass(slots=True)
class CsvRecord:
    """A record and the blank lines after it. Not frozen: a file has millions."""

    start: int
    """First character, in the text that the lines make up."""
    end: int
    """Character after the last one, blank lines included."""
    line: int
    """0-based, of the record's first line."""
    text: str
    """Without the blank lines."""
    cells: list[str]
    broken: bool = False
    """Its quotes do not close or close inside of a cell."""


class _Lines(Iterator[str]):
    """The lines of a text, with those of the record that is being read at hand."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = iter(lines)
        self.back: deque[str] = deque()
        self.taken: list[str] = []

    def __next__(self) -> str:
        line = self.back.popleft() if self.back else next(self.lines)
        self.taken.append(line)
        return line

    def keep_first(self) -> str:
        """Give all lines back but the first."""
        first, *rest = self.taken
        self.back.extendleft(reversed(rest))
        self.taken = [first]
        return first


def records(lines: Iterable[str], delimiter: str) -> Iterator[CsvRecord]:
    """The records of a text. A blank line is no record; a text of blank lines has none.

    lines: with their ends; they end at a line feed, a carriage return or both
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
    """The delimiter that cuts the first lines of a text into the same number of cells most often, and into several;
    a comma where none does."""

    return max(DELIMITERS, key=lambda delimiter: _evenness(sample, delimiter))


def preamble(sample: Sequence[str], delimiter: str) -> int:
    """How many records stand above the table: comments, or a title in a single cell where there are columns."""
    _, usual = _evenness(sample, delimiter)
    for above, record in enumerate(records(sample, delimiter)):
        if len(record.cells) >= usual or not (len(record.cells) == 1 or record.text.lstrip().startswith("#")):
            return above
    return 0


def _evenness(sample: Sequence[str], delimiter: str) -> tuple[float, int]:
    """How many of the records have the most usual number of cells, and that number."""
    widths = [len(record.cells) for record in records(sample, delimiter)]
    usual = max(widths, key=widths.count, default=1)  # of several, the first
    return (widths.count(usual) / len(widths), usual) if usual > 1 else (0.0, 0)
