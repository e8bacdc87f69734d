"""Links from the rendered pages of a site to what a build has written of them as Markdown, for agents that ask."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path

from infograph.formats.hrefs import encode_path
from infograph.formats.names import page_path

_TYPE = 'rel="alternate" type="text/markdown"'
_END = re.compile(rb"</head\s*>", re.IGNORECASE)


def link_to_markdown(site: Path, pages: Iterable[tuple[str, str]]) -> int:
    """Adds `<link rel="alternate" type="text/markdown">` to the head of each page that a build has written as Markdown
    and that has no such link yet. Returns the number of pages that were changed.

    site:  folder of the site, which is also that of the graph
    pages: path of each rendered page in the site, and path of its document
    """
    changed = 0
    for rendered, document in pages:
        file, target = site / rendered, page_path(document)
        if not ((site / target).is_file() and file.is_file()):
            continue
        data = file.read_bytes()
        href = encode_path(posixpath.relpath(target, posixpath.dirname(rendered) or "."))
        if (linked := _linked(data, href)) is not None:
            file.write_bytes(linked)
            changed += 1
    return changed


def _linked(page: bytes, href: str) -> bytes | None:
    """The page with the link at the end of its head; None for one without a head, or that has such a link."""
    end = _END.search(page)
    if end is None or _TYPE.encode() in page[: end.start()]:
        return None
    return page[: end.start()] + f'<link {_TYPE} href="{escape(href)}">'.encode() + page[end.start() :]
