"""Converts rendered pages.

The parser is selectolax (lexbor, the HTML standard's own algorithm): a page is read as a browser reads it, broken or
not. `html-to-markdown` writes lists, tables, listings and what must be escaped at the start of lines.
"""

from __future__ import annotations

import re

from html_to_markdown import ConversionOptions as LibraryOptions
from html_to_markdown import convert as convert_html
from selectolax.lexbor import LexborHTMLParser

from infograph.errors import DocumentError, Notice
from infograph.source.conversion.interface import ConversionOptions, Converted
from infograph.source.conversion.marks import shown, taken
from infograph.source.conversion.page_content import content_of
from infograph.source.conversion.page_head import PageHead, decoded, page_head, title_of
from infograph.source.conversion.page_walk import DEEPEST, Walk

_DEEP = 5_000
"""Nested elements from which on a page is not parsed: the time that takes grows with the square of their number."""
_FEW = 20_000
"""Tags up to which the time for a page is short in any case."""
_LONG_TAG = re.compile(r"<[A-Za-z][^<>]{50000,}")
_MOST_ATTRIBUTES = 5_000
"""Attributes of one element from which on a page is not parsed, for the same reason."""
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)")
_ENDED_BY_OTHERS = """area base body br col dd dt embed head hr html img input li link meta option p param rp rt source
    tbody td tfoot th thead tr track wbr"""
_CLOSED_BY_OTHERS = frozenset(_ENDED_BY_OTHERS.split())

_LIBRARY_OPTIONS = LibraryOptions(
    autolinks=False, bullets="-", compact_tables=True, extract_metadata=False, code_block_style="backticks"
)


def convert_page(path: str, data: bytes, options: ConversionOptions) -> Converted:
    """Converts a page to Markdown. Raises DocumentError for one that would take minutes to parse."""
    text, unreadable = decoded(data)
    _refuse_endless(path, text)
    page = LexborHTMLParser(text)
    head = page_head(page)
    if head.left_out:
        return Converted("", language=head.language, anchors=(), left_out=head.left_out)
    walk = Walk(base=head.base)
    for node in content_of(page):
        walk.take(node)
    markdown = convert_html("".join(walk.out), _LIBRARY_OPTIONS).content or "" if walk.out else ""
    body, anchors = taken(shown(markdown.strip("\n"), walk.held), walk.ids)
    notices = tuple(_notices(path, page, walk, unreadable, body))
    return Converted(
        text=f"{body}\n" if body else "",
        title=None if walk.heading else title_of(head) or None,
        description=head.description or None,
        language=head.language,
        addresses=_addresses(head),
        anchors=anchors,
        notices=notices,
    )


def _refuse_endless(path: str, text: str) -> None:
    """Raises DocumentError for a page that would take minutes to parse."""
    if text.count("<") > _FEW and _depth(text) > _DEEP:
        reason = f"elements nested more than {_DEEP:,} deep: no page that somebody wrote"
        raise DocumentError(path, reason, "Exclude it, or close its elements")
    if any(len(tag.split()) > _MOST_ATTRIBUTES for tag in _LONG_TAG.findall(text)):
        reason = f"an element with more than {_MOST_ATTRIBUTES:,} attributes: no page that somebody wrote"
        raise DocumentError(path, reason, "Exclude it")


def _depth(text: str) -> int:
    """Returns the largest number of elements that are open at once, as far as tags show it."""
    depth = deepest = 0
    for closing, tag in _TAG.findall(text):
        if tag.lower() not in _CLOSED_BY_OTHERS:
            depth = max(depth - 1, 0) if closing else depth + 1
            deepest = max(deepest, depth)
    return deepest


def _addresses(head: PageHead) -> tuple[tuple[str, str], ...]:
    return (("canonical", head.canonical),) if head.canonical else ()


def _notices(path: str, page: LexborHTMLParser, walk: Walk, unreadable: int, body: str) -> list[Notice]:
    found = []
    if unreadable:
        reason = f"{unreadable:,} places are no text in the page's encoding and are shown as \ufffd"
        found.append(Notice(path, "encoding", reason, unreadable))
    if walk.flattened:
        reason = f"lists, quotes or tables nested more than {DEEPEST} deep are written as if they were not"
        found.append(Notice(path, "nesting", reason, walk.flattened))
    frames = sum(walk.dropped.values()) + len(page.css("frame"))
    if not body.strip():
        what = "shows other pages in frames" if frames else "a script may write it, or its theme is not known"
        reason = f"no content found ({what}): mark the content with `data-pagefind-body` or `<main>`"
        found.append(Notice(path, "no-content", reason))
    elif frames:
        found.append(Notice(path, "frames", f"{frames} frames in it show what is not indexed with it", frames))
    return found
