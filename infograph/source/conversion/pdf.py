"""Converts PDF: PDFium, which Chrome shows such files with, reads the text of the pages, and the file's own outline
says which lines are headings.

Libraries that promise Markdown were weighed: those with models (docling) bring gigabytes, the best of the small ones
(pymupdf4llm) is under the AGPL, and the rest lose signs, part columns where there are none or take lines of listings
for headings. PDFium's text is the page's, and what is made of it here can be read below.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import pypdfium2
from pypdfium2 import PdfiumError, raw

from infograph.errors import DocumentError, Notice
from infograph.source.conversion.fences import fenced
from infograph.source.conversion.interface import ConversionOptions, Converted
from infograph.source.conversion.marks import clean, hidden, shown
from infograph.source.conversion.pdf_lines import Line, lines_of, listing, without_running_heads

_MOST_CHARACTERS = 20_000_000
"""Most characters of one file. A book of 1,000 pages has 3 million; a file can unpack to any number."""
_LARGER = 1.15
"""Letters that are larger than most by this factor are a heading's, where a file has no outline."""
_LONGEST_HEADING = 150
_LEVELS = 4
"""Most levels of headings that sizes of letters tell apart."""
_GAP = 0.45
"""Space between two lines, in sizes of their letters, from which on they are two paragraphs."""
_LISTING_GAP = 1.8
"""Space between two lines of a listing from which on they are two listings, in the same measure."""
_BULLET = re.compile(r"[•◦▪‣●○∙]\s*")
_WORD = re.compile(r"\w+")
_NUMBERING = re.compile(r"(?:(?:chapter|appendix|part|section)?\W*(?:\d+|[A-Z])(?:\.\d+)*\.?\W*)?", re.IGNORECASE)
_FILE_TITLE = re.compile(r"(?i)untitled.*|microsoft word\b.*|.*\.(?:docx?|html?|tex|dvi|odt|rtf|pdf|md|indd)|file:.*")

_Outline = dict[int, list[tuple[int, str]]]
"""Level and title of the headings of each page."""


def convert_pdf(path: str, data: bytes, options: ConversionOptions) -> Converted:
    """Converts a PDF. Raises DocumentError for one that is broken, locked by a password or far too large."""
    try:
        document = pypdfium2.PdfDocument(data)
    except PdfiumError as error:
        raise _unreadable(path, error) from None
    try:
        pages, lost = _pages(path, document)
        outline, title = _outline(document), _title(document)
    finally:
        document.close()
    count = len(pages)
    if not any(pages):
        reason = f"{count:,} {'page' if count == 1 else 'pages'} without text: pictures, as scanners make them"
        return Converted("", title, left_out=f"{reason}; a program for text recognition, such as OCRmyPDF, adds it")
    empty = [number for number, lines in enumerate(pages, 1) if not lines]
    pages = without_running_heads(pages)
    headings = [_headings(lines, outline.get(at, ())) for at, lines in enumerate(pages)]
    if not any(headings):
        headings = _by_size(pages)
    elif title is not None or sum(level == 1 for found in headings for level in found.values()) > 1:
        headings = [{at: level + 1 for at, level in found.items()} for found in headings]
        if title is None and (first := _first_title(pages[0])) is not None:
            headings[0].setdefault(first, 1)
    out: list[str] = []
    places: list[tuple[int, int]] = []
    for number, (lines, found) in enumerate(zip(pages, headings, strict=True), 1):
        blocks = list(_blocks(lines, found))
        if blocks:
            places.append((len(out), number))
            out += [*"\n\n".join(blocks).split("\n"), ""]
    return Converted(
        "\n".join(out),
        title,
        anchors=tuple((line, f"page={number}") for line, number in places),  # what viewers of PDF open a page by
        unit="page",
        places=tuple(places),
        notices=tuple(_notices(path, count, empty, lost)),
    )


def _unreadable(path: str, error: PdfiumError) -> DocumentError:
    if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
        return DocumentError(path, "locked by a password", "Save it without one, or exclude it")
    return DocumentError(path, f"no PDF that can be read: {str(error).rstrip('.')}", "Mend it, or exclude it")


def _pages(path: str, document: pypdfium2.PdfDocument) -> tuple[list[list[Line]], list[int]]:
    """Returns the lines of each page, and the numbers of the pages that are broken."""
    pages: list[list[Line]] = []
    lost: list[int] = []
    size = 0
    for at in range(len(document)):
        try:
            page = document[at]
            try:
                lines = lines_of(page)
            finally:
                page.close()
        except PdfiumError:
            lost.append(at + 1)
            lines = []
        size += sum(len(line.text) for line in lines)
        if size > _MOST_CHARACTERS:
            reason = f"more than {_MOST_CHARACTERS:,} characters of text on its first {at + 1:,} pages"
            raise DocumentError(path, reason, "Split it, or exclude it")
        pages.append(lines)
    if not pages or len(lost) == len(pages):
        raise DocumentError(path, "no PDF that can be read: no page of it opens", "Mend it, or exclude it")
    return pages, lost


def _outline(document: pypdfium2.PdfDocument) -> _Outline:
    """Returns the headings that the outline of a file names, by the page that each leads to, counted from 0."""
    found: _Outline = {}
    for bookmark in document.get_toc(max_depth=5):
        try:
            to = bookmark.get_dest()
            page = to.get_index() if to else None
            title = bookmark.get_title()
        except PdfiumError:  # an entry that leads nowhere is no heading
            continue
        if page is not None and title.strip():
            found.setdefault(page, []).append((bookmark.level + 1, title))
    return found


def _title(document: pypdfium2.PdfDocument) -> str | None:
    """Returns the title that a file says it has; None for one that is the name of the file it was made of."""
    title = " ".join(clean(document.get_metadata_value("Title") or "").split())
    return title if title and not _FILE_TITLE.fullmatch(title) else None


def _first_title(lines: Sequence[Line]) -> int | None:
    """Returns the place of the line on the first page that has the largest letters, where one line alone has them."""
    largest = max((line.size for line in lines), default=0.0)
    places = [at for at, line in enumerate(lines) if line.size == largest]
    short = len(places) == 1 and len(lines[places[0]].text) <= _LONGEST_HEADING and len(lines) > 1
    return places[0] if short and _WORD.search(lines[places[0]].text) else None


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text)).casefold()


def _headings(lines: Sequence[Line], entries: Sequence[tuple[int, str]]) -> dict[int, int]:
    """Finds the lines of a page that entries of the outline name. Returns the level of each by its place."""
    found: dict[int, int] = {}
    for level, title in entries:
        wanted = _words(title)
        for at, line in enumerate(lines):
            if at not in found and _is_title(line.text, wanted):
                found[at] = level
                break
    return found


def _is_title(text: str, wanted: str) -> bool:
    """Whether a line is a title, with or without a number before it."""
    words = _words(text)
    if words == wanted or (wanted.endswith(f" {words}") and _NUMBERING.fullmatch(wanted[: -len(words)].strip())):
        return bool(words)
    if not words.endswith(f" {wanted}"):
        return False
    return _NUMBERING.fullmatch(words[: -len(wanted)].strip().replace(" ", ".")) is not None


def _by_size(pages: Sequence[Sequence[Line]]) -> list[dict[int, int]]:
    """Finds headings by the size of their letters. Returns the level of each by its place, for each page."""
    sizes: Counter[float] = Counter()
    for lines in pages:
        for line in lines:
            sizes[line.size] += len(line.text)
    body = sizes.most_common(1)[0][0] if sizes else 0.0
    larger = sorted((size for size in sizes if size > body * _LARGER), reverse=True)[:_LEVELS]
    levels = {size: level for level, size in enumerate(larger, 1)}
    return [
        {
            at: levels[line.size]
            for at, line in enumerate(lines)
            if line.size in levels and not line.fixed and len(line.text) <= _LONGEST_HEADING and _WORD.search(line.text)
        }
        for lines in pages
    ]


def _blocks(lines: Sequence[Line], headings: dict[int, int]) -> Iterator[str]:
    """Yields the Markdown of the headings, paragraphs, items and listings of a page."""
    held: list[Line] = []
    level = 0
    for at, line in enumerate(lines):
        own = headings.get(at, 0)
        if held and (own != level or not _goes_on(held[-1], line, bool(own))):
            yield _block(held, level)
            held = []
        held.append(line)
        level = own
    if held:
        yield _block(held, level)


def _goes_on(before: Line, line: Line, heading: bool) -> bool:
    """Whether a line belongs to the same block as the one before it."""
    gap = before.bottom - line.top
    near = -line.size <= gap <= line.size * (_LISTING_GAP if before.fixed else _GAP)
    if before.fixed != line.fixed or not near:
        return False
    if heading:
        return before.size == line.size
    return not _BULLET.match(line.text) and abs(before.size - line.size) < 0.15 * line.size


def _block(lines: Sequence[Line], level: int) -> str:
    if level:
        return f"{'#' * min(level, 6)} {_plain(' '.join(line.text for line in lines), starts=False)}"
    if all(line.fixed for line in lines):
        return fenced(clean(listing(lines)), "")
    first, *rest = (line.text for line in lines)
    bullet = _BULLET.match(first)
    if bullet:
        first = first[bullet.end() :]
        return "- " + "\n  ".join(_plain(text, starts=True) for text in (first, *rest) if text)
    return "\n".join(_plain(text, starts=True) for text in (first, *rest))


def _plain(text: str, *, starts: bool) -> str:
    """Returns text as Markdown that shows it as it is."""
    return shown(hidden(clean(text), starts=starts), ())


def _notices(path: str, count: int, empty: Sequence[int], lost: Sequence[int]) -> Iterator[Notice]:
    if lost:
        yield Notice(path, "unreadable", f"{_numbers(lost)} of {count:,} cannot be read and are missing", len(lost))
    pictures = [number for number in empty if number not in lost]
    if pictures:
        reason = f"{_numbers(pictures)} of {count:,} without text, such as pictures of text, are not indexed"
        yield Notice(path, "no-content", reason, len(pictures))


def _numbers(pages: Sequence[int]) -> str:
    named = ", ".join(map(str, pages[:5]))
    return f"{'page' if len(pages) == 1 else 'pages'} {named}{', …' if len(pages) > 5 else ''}"
