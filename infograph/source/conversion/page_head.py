"""What a rendered page says of itself outside of its content: title, description, language, address, whether it is to
be found at all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from infograph.source.conversion.marks import clean
from infograph.text.inline import short_title

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

REDIRECT = "leads to another page at once"
NO_INDEX = "asks not to be indexed (noindex)"
NOT_FOUND = "is what a server shows for pages that are missing"
LISTING = "is an index of names that the generator made"

_ROBOTS = frozenset({"robots", "infograph"})
_NOT_FOUND = re.compile(r"(?:^|/)404(?:/index)?\.x?html?$", re.IGNORECASE)
_REFRESH = re.compile(r"\s*\d*\.?\d*\s*[;,]?\s*url\s*=", re.IGNORECASE)
_SEPARATED = re.compile(r"\s+[|—–·•»:-]{1,2}\s+")
_CHARSET = re.compile(rb"""<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]+)""", re.IGNORECASE)
_BYTE_ORDER = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_HEAD_BYTES = 4096
"""Bytes at the start of a page that its encoding is looked for in."""


@dataclass(frozen=True, slots=True)
class PageHead:
    """What the head of a page says."""

    title: str = ""
    """Text of the title, with the site's name if it has that."""
    site: str = ""
    """Name of the site."""
    description: str = ""
    language: str = ""
    canonical: str = ""
    """Address under which the page wants to be known."""
    base: str = ""
    """Address that links are relative to, where that is not the page's own."""
    left_out: str = ""
    """Why the page is no document; empty for a document."""


def decoded(data: bytes) -> tuple[str, int]:
    """Returns the text of a page, and the number of places whose bytes are no text in its encoding.

    The encoding is that of a byte order mark, else what the page declares, else UTF-8.
    """
    mark = next((mark for mark in _BYTE_ORDER if data.startswith(mark)), b"")
    data = data[len(mark) :]
    encoding = _BYTE_ORDER.get(mark, "")
    if not mark:
        declared = _CHARSET.search(data, 0, _HEAD_BYTES)
        encoding = declared[1].decode("ascii").lower() if declared else "utf-8"
        if encoding.startswith(("utf-16", "utf-32")):  # what was read as ASCII is neither
            encoding = "utf-8"
        if encoding in ("iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii"):
            encoding = "windows-1252"  # as browsers read them
    try:
        return data.decode(encoding), 0
    except UnicodeDecodeError:
        text = data.decode(encoding, "replace")
    except (LookupError, ValueError):  # an encoding that nobody knows, or none of text
        text = data.decode("utf-8", "replace")
    return text, text.count("\ufffd")


def page_head(page: LexborHTMLParser) -> PageHead:
    """Reads the head of a page. It is looked for in the whole page, since broken pages have its parts in the body."""
    metas = [_attributes(node) for node in page.css("meta[content]")]
    named = {(meta.get("name") or meta.get("property") or "").lower(): meta.get("content", "") for meta in metas}
    root = page.root
    canonical = page.css_first('link[rel~="canonical" i][href]')
    base = page.css_first("base[href]")
    title = page.css_first("head title") or page.css_first("body > title")
    return PageHead(
        title=_line(title.text() if title else ""),
        site=_line(named.get("og:site_name") or named.get("application-name") or ""),
        description=_line(named.get("description") or named.get("og:description") or ""),
        language=_attributes(root).get("lang", "").strip()[:35] if root else "",
        canonical=_attributes(canonical).get("href", "").strip() if canonical else "",
        base=_attributes(base).get("href", "").strip() if base else "",
        left_out=_left_out(page, metas),
    )


def title_of(head: PageHead) -> str:
    """Returns the title of a page without the site's name, which stands at its end, or at its start where the page says
    what the name is."""
    parts = [part for part in _SEPARATED.split(head.title) if part]
    if len(parts) > 1:
        separators = _SEPARATED.findall(head.title)
        if head.site and parts[0] == head.site:
            return short_title(head.title[len(parts[0]) + len(separators[0]) :].strip())
        return short_title(head.title[: head.title.rindex(separators[-1])].strip())
    return short_title(head.title)


def left_out_by_name(path: str) -> str:
    """Returns why a page of this path is no document; empty for a document."""
    return NOT_FOUND if _NOT_FOUND.search(path) else ""


def _left_out(page: LexborHTMLParser, metas: list[dict[str, str]]) -> str:
    for meta in metas:
        content = meta["content"].lower()
        if meta.get("http-equiv", "").lower() == "refresh" and _REFRESH.match(content):
            return REDIRECT
        directives = {word.strip() for word in content.split(",")}
        if meta.get("name", "").lower() in _ROBOTS and directives & {"noindex", "none"}:
            return NO_INDEX
    return LISTING if page.css_first("table.genindextable, table.indextable") else ""


def _attributes(node: LexborNode) -> dict[str, str]:
    """Returns the attributes of an element; one without a value is empty."""
    return {name: value or "" for name, value in node.attributes.items()}


def _line(text: str) -> str:
    return " ".join(clean(text).split())
