"""The lines of the pages of a PDF, as PDFium reads them: their text, where they stand and in which letters."""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

import pypdfium2
from pypdfium2 import raw

_HYPHEN = 2
"""What PDFium gives for a hyphen at the end of a line, behind which the word goes on."""
_FIXED = re.compile(rb"mono|courier|consol|typewriter|menlo|cmtt|inconsolata", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_LEADERS = re.compile(r"(?:\s?\.){4,}\s*")
"""Dots that lead to the number of a page in a table of contents."""
_FIRST, _LAST = re.compile(r"^\d{1,5}(?=\s)"), re.compile(r"(?<=\s)\d{1,5}$")
_NUMBER = re.compile(r"[\s\d.\-–—/|]*|[ivxlc]{1,7}")
_MOST_PAGES_ALONE = 2
"""Pages that may begin or end with the same line without it being a running head."""
_BLANK = 0.6
"""Space between two lines of a listing, in sizes of their letters, from which on a blank line parts them."""
_MOST_SPACES = 100
_MARGIN = 0.15
"""Share of a page's height, above and below, where running heads stand."""
_EDGE = 2
"""Lines at the top and the bottom of a page that may be running heads."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page. Lengths are points, counted from the page's lower left corner."""

    text: str
    left: float
    right: float
    bottom: float
    top: float
    size: float
    """Size of its letters."""
    fixed: bool
    """Whether all its letters are of one width, as in listings."""
    margin: bool = False
    """Whether it stands where running heads do."""


def lines_of(page: pypdfium2.PdfPage) -> list[Line]:
    """Returns the lines of a page in the order in which PDFium reads them, without the empty ones."""
    text_page = page.get_textpage()
    try:
        codes = [raw.FPDFText_GetUnicode(text_page, place) for place in range(text_page.count_chars())]
        rows = _rows(_lines(text_page, codes))
        height = page.get_height() or 1.0
        return [replace(row, margin=not _MARGIN < row.bottom / height < 1 - _MARGIN) for row in rows]
    finally:
        text_page.close()


def _lines(text_page: pypdfium2.PdfTextPage, codes: Sequence[int]) -> Iterator[Line]:
    start = 0
    for place, code in enumerate([*codes, 10]):
        if code in (10, 13):
            seen = [at for at in range(start, place) if codes[at] > 32]
            if seen:
                yield _line(text_page, _text(codes[start:place]), seen)
            start = place + 1


def _rows(lines: Iterable[Line]) -> list[Line]:
    """Joins what PDFium takes for two lines though it stands in one row, such as the text behind a raised sign."""
    rows: list[Line] = []
    for line in lines:
        last = rows[-1] if rows else None
        if last and not last.fixed and _beside(last, line):
            space = " " if line.left - last.right > 0.15 * last.size else ""
            rows[-1] = replace(
                last,
                text=f"{last.text}{space}{line.text}",
                right=line.right,
                bottom=min(last.bottom, line.bottom),
                top=max(last.top, line.top),
                size=max(last.size, line.size),
            )
        else:
            rows.append(line)
    return rows


def _beside(last: Line, line: Line) -> bool:
    overlap = min(last.top, line.top) - max(last.bottom, line.bottom)
    return overlap > 0.4 * min(last.size, line.size) and -0.2 * last.size < line.left - last.right < 2 * last.size


def _line(text_page: pypdfium2.PdfTextPage, text: str, seen: Sequence[int]) -> Line:
    """Makes a line of its text and the places of its visible characters."""
    samples = sorted({seen[0], seen[len(seen) // 2], seen[-1]})
    boxes = [text_page.get_charbox(at, loose=True) for at in samples]
    return Line(
        text=text.strip(),
        left=boxes[0][0],
        right=boxes[-1][2],
        bottom=min(box[1] for box in boxes),
        top=max(box[3] for box in boxes),
        size=round(max(raw.FPDFText_GetFontSize(text_page, at) for at in samples), 1),
        fixed=all(_is_fixed(text_page, at) for at in samples),
    )


def _is_fixed(text_page: pypdfium2.PdfTextPage, at: int) -> bool:
    name, flags = ctypes.create_string_buffer(128), ctypes.c_int()
    raw.FPDFText_GetFontInfo(text_page, at, name, 128, flags)
    return bool(flags.value & 1) or _FIXED.search(name.value) is not None


def _text(codes: Sequence[int]) -> str:
    """Returns the text of characters. A hyphen that only parts a word at the end of a line is none of it."""
    text = "".join(map(chr, (code for code in codes if code not in (0, _HYPHEN, 0xAD, 0xFFFE))))
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _LEADERS.sub(" … ", text)


def without_running_heads(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """Returns pages without the lines at their edges that stand at the same height of many of them, with the same text
    but for its numbers or with the number of each page, and without bare page numbers there."""
    keys = [{at: _keys(number, lines[at]) for at in _edges(lines)} for number, lines in enumerate(pages)]
    seen = Counter(key for found in keys for key in {key for own in found.values() for key in own})
    kept: list[list[Line]] = []
    for lines, found in zip(pages, keys, strict=True):
        running = {
            at
            for at, own in found.items()
            if any(seen[key] > _MOST_PAGES_ALONE for key in own)
            or (len(pages) > 1 and _NUMBER.fullmatch(lines[at].text))
        }
        kept.append([line for at, line in enumerate(lines) if at not in running])
    return kept


def _edges(lines: Sequence[Line]) -> list[int]:
    """Places of the lines that stand highest and lowest on a page, in its margins."""
    by_height = sorted(range(len(lines)), key=lambda at: -lines[at].bottom)
    return sorted(at for at in {*by_height[:_EDGE], *by_height[-_EDGE:]} if lines[at].margin)


def _keys(page: int, line: Line) -> list[tuple[int, str | int]]:
    """What running heads of several pages have in common: their height, and their text but for its numbers, or how far
    the number at an end of it is from the page's."""
    height = round(line.bottom / 3)
    ends = {int(found) - page for pattern in (_FIRST, _LAST) for found in pattern.findall(line.text)}
    return [(height, _DIGITS.sub("#", line.text)), *((height, end) for end in sorted(ends))]


def listing(lines: Sequence[Line]) -> str:
    """Returns the text of the lines of a listing with the spaces at their start and the blank lines between them, which
    PDFium leaves out."""
    width = median((line.right - line.left) / len(line.text) for line in lines)
    edge = min(line.left for line in lines)
    out: list[str] = []
    for at, line in enumerate(lines):
        if at and lines[at - 1].bottom - line.top > _BLANK * line.size:
            out.append("")
        spaces = round((line.left - edge) / width) if width > 0 else 0
        out.append(" " * min(spaces, _MOST_SPACES) + line.text)
    return "\n".join(out)
