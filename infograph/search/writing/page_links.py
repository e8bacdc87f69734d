"""What a page defines and what it uses, as keys: a page leads to another where one uses what the other defines.

A page defines its title's name, the identifiers that are headings of its chunks, and its addresses: the path of its
source and its URL. Its chunks use the names in their text and the targets of their links; its front matter uses what
`FrontMatter.related` lists. Everything of a page is a function of the page alone: so a new title finds the pages that
name it without reading them again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

from infograph.search.format.terms import Language
from infograph.search.writing.names import is_identifier, text_key, text_keys, title_key

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.search.writing.page_index import SearchPage

TITLE, IDENTIFIER, ADDRESS = range(3)
"""What a page defines."""
NAME, LINK, RELATION = range(3)
"""What a chunk uses."""
MOST_TARGETS = 4096
"""Most different link targets of a page that are looked at."""
MOST_ROOTS = 4
"""Most first folders of a path that a link from the root may leave out."""

_TARGET = re.compile(
    r"\]\(\s*<?([^()\s<>]+(?:\([^()\s]*\)[^()\s<>]*)?)"  # [text](target)
    r"|^ {0,3}\[[^\]\n]+\]:\s*<?([^\s<>]+)"  # [label]: target
    r"|href=[\"']([^\"'\s]+)",
    re.MULTILINE,
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_ENDING = re.compile(r"\.(?:md|mdx|markdown|mdown|mkdn|mkd|rst|html?)$", re.IGNORECASE)
_FOLDER = re.compile(r"(?:^|/)(?:_?index|README)$")

KeyRow = tuple[int, int, int]
"""A key, the chunk that defines or uses it, and as what."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Keys of one page, or of several one after the other: arrays of one length."""

    keys: NDArray[np.uint64]
    chunks: NDArray[np.int32]
    """Index of the chunk in its page."""
    kinds: NDArray[np.uint8]

    @classmethod
    def of(cls, rows: Iterable[KeyRow]) -> Keys:
        """Returns rows as arrays, sorted, each once."""
        import numpy as np

        found = sorted(set(rows))
        keys, chunks, kinds = zip(*found, strict=True) if found else ((), (), ())
        return cls(
            np.fromiter(keys, np.uint64, len(found)),
            np.fromiter(chunks, np.int32, len(found)),
            np.fromiter(kinds, np.uint8, len(found)),
        )

    @classmethod
    def joined(cls, parts: Iterable[Keys]) -> Keys:
        """Returns the rows of all parts, in their order."""
        import numpy as np

        some = [part for part in parts if len(part)]
        if len(some) < 2:
            return some[0] if some else cls.of(())
        return cls(
            np.concatenate([part.keys for part in some]),
            np.concatenate([part.chunks for part in some]),
            np.concatenate([part.kinds for part in some]),
        )

    def __len__(self) -> int:
        return len(self.keys)


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The keys of a page: a part that holds for any path, and a part that depends on the path."""

    names: Keys
    """Names that the page defines."""
    named: Keys
    """Names that its chunks use."""
    addresses: Keys
    """Addresses that the page has."""
    targets: Keys
    """Addresses that its chunks link to."""

    @property
    def defined(self) -> Keys:
        return Keys.joined([self.names, self.addresses])

    @property
    def used(self) -> Keys:
        return Keys.joined([self.named, self.targets])


def page_links(page: SearchPage, language: Language) -> PageLinks:
    """Returns what a page defines and uses."""
    import numpy as np

    defined: list[KeyRow] = [(title_key(page.title, language.stop_words), 0, TITLE)]
    for index, chunk in enumerate(page.chunks):
        if is_identifier(chunk.title):
            defined.append((title_key(chunk.title, ()), index, IDENTIFIER))
    keys, chunks = text_keys([chunk.text for chunk in page.chunks])
    names = Keys(keys, chunks, np.full(len(keys), NAME, np.uint8))
    related = [(title_key(text, language.stop_words), 0, RELATION) for text in page.related]
    own, others = (Keys.of(row for row in rows if row[0]) for rows in (defined, related))  # 0 is no name
    return PageLinks(own, Keys.joined([names, others]), *page_addresses(page))


def page_addresses(page: SearchPage) -> tuple[Keys, Keys]:
    """Returns `PageLinks.addresses` and `PageLinks.targets`."""
    path = _as_path(page.path)
    names = [path, *(f"root:{end}" for end in _ends(path.partition(":")[2]))]
    if page.url:  # empty where it is not known how the site is rendered
        names.append(_as_url(page.url))
    own = [(text_key(name), 0, ADDRESS) for name in names]
    targets: dict[str, dict[tuple[int, int], None]] = {text: {(0, RELATION): None} for text in page.related}
    for index, chunk in enumerate(page.chunks):
        text = chunk.text
        if "](" in text or "]:" in text or "href=" in text:
            for match in _TARGET.finditer(text):
                targets.setdefault(match[1] or match[2] or match[3], {})[index, LINK] = None
    some = islice(targets.items(), MOST_TARGETS)
    found = ((tuple(_target_keys(target, page)), places) for target, places in some)
    return Keys.of(own), Keys.of((key, *place) for keys, places in found for key in keys for place in places)


def _target_keys(target: str, page: SearchPage) -> Iterable[int]:
    """Returns the keys of the addresses that a link's target may mean: a path of the source tree, or a URL."""
    bare = target.partition("#")[0].partition("?")[0]
    if not bare:
        return
    try:
        url = _as_url(urljoin(page.url, bare))
    except ValueError:  # brackets that are no IPv6 address
        return
    yield text_key(url)
    if not _SCHEME.match(bare) and not bare.startswith("//"):
        path = unquote(bare)
        if path.startswith("/"):
            yield text_key("root:" + _as_path(normpath(path).strip("/")).partition(":")[2])
            return
        inside = normpath(join(dirname(page.path), path))
        if not inside.startswith(".."):
            yield text_key(_as_path("" if inside == "." else inside))


def _ends(path: str) -> Iterable[str]:
    """Returns what a link may write behind a slash for a path: the whole, or without the first folders, as in
    `src/content`, of which a site may be made; two names at the least."""
    parts = path.split("/")
    for first in range(min(MOST_ROOTS, max(len(parts) - 2, 0)) + 1):
        yield "/".join(parts[first:])


def _as_path(path: str) -> str:
    """Returns a path as links to it are compared: without its extension, the folder for its index."""
    return "path:" + _FOLDER.sub("", _ENDING.sub("", path)).strip("/")


def _as_url(url: str) -> str:
    """Returns a URL as links to it are compared, the same way."""
    parts = urlsplit(url)
    return f"url:{parts.netloc.lower()}/{_FOLDER.sub('', _ENDING.sub('', unquote(parts.path))).strip('/')}"
