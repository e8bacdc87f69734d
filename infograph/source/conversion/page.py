"""Converts rendered pages.

The parser is selectolax (lexbor, the HTML standard's own algorithm): a page is read as a browser reads it, broken or
not. `html-to-markdown` writes lists, tables, listings and what must be escaped at the start of lines.
"""

from __future__ import annotations

from html_to_markdown import ConversionOptions as LibraryOptions
from html_to_markdown import convert as convert_html
from selectolax.lexbor import LexborHTMLParser

from infograph.errors import Notice
from infograph.source.conversion.interface import ConversionOptions, Converted
from infograph.source.conversion.marks import shown, taken
from infograph.source.conversion.page_content import content_of
from infograph.source.conversion.page_head import PageHead, decoded, page_head, title_of
from infograph.source.conversion.page_walk import DEEPEST, Walk

_LIBRARY_OPTIONS = LibraryOptions(
    autolinks=False, bullets="-", compact_tables=True, extract_metadata=False, code_block_style="backticks"
)


def convert_page(path: str, data: bytes, options: ConversionOptions) -> Converted:
    """Converts a page to Markdown."""
    text, unreadable = decoded(data)
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
