"""Locates a tree, and resolves the links in it."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

import orjson

from infograph.client.errors import ClientError
from infograph.client.scope import RefusedError, Scope
from infograph.client.served_folder import root_folder
from infograph.errors import ConfigError
from infograph.formats.names import FEDERATION, INDEX

LONGEST_HREF = 4096
"""Most characters of a link."""
FOLDER_BASE = "http://localhost/"
"""Base URL of a folder whose links are relative; never requested."""

_FILE = re.compile(r"(?:/|\.json|\.html?)\Z")
_FRAGMENT_SAFE = "!$&'()*+,;=:@/?-._~%"


class Place:
    """The folder of a tree: `base` as a URL, `shown` as the caller named it."""

    def __init__(self, base: str, shown: str, *, published: bool = True) -> None:
        """Raises ClientError where the URL is none, or holds a password.

        published: whether the tree is known to lie at `base`; False where that only stands for a folder
        """
        try:
            self._scope = Scope(base)
        except ValueError as error:
            # The address itself is not repeated: it may hold a password.
            raise ClientError("outside", "the address of the site", f"cannot be used: {error}") from None
        self.base = base
        self._published = published
        self._depth = urlsplit(base).path.count("/")
        self.shown = shown

    def resolve(self, href: object, here: str | None = None) -> str:
        """Returns the address that a link leads to, under the base. Raises ClientError `outside` for any other.

        here: address of the file that the link stands in
        """
        shown = repr(href)[:200]
        if not isinstance(href, str) or len(href) > LONGEST_HREF:
            raise ClientError("outside", shown, "is no link")
        try:
            parts = urlsplit(self._scope.resolve(here or self.base, href))
            # In the base's own spelling: the link may write the port, or encode what need not be.
            address = self.base + parts.path.split("/", self._depth)[-1] + (f"?{parts.query}" if parts.query else "")
            segments = self._scope.segments(address)
        except (RefusedError, ValueError) as error:
            raise ClientError("outside", self.shown, f"a link is not followed: {str(error)[:300]}") from None
        # A server may take `\\` for a slash once it has decoded the path.
        if any(".." in segment.split("\\") for segment in segments if "\\" in segment):
            raise ClientError("outside", shown, "hides a path")
        return address

    def relative(self, address: str) -> str:
        """Returns the href of an address, relative to the base: the inverse of `resolve`."""
        path = address[len(self.base) :]
        return f"./{path}" if ":" in path.partition("/")[0] else path

    def rendered(self, page_url: str, anchor: str) -> str:
        """Returns the address of the rendered page at the heading. It is for a person's browser, so it may be anywhere;
        empty where it is no address of the web, as in a folder."""
        try:
            url = urljoin(self.base if self._published else "", page_url)
            known = urlsplit(url).scheme in {"http", "https"}
        except ValueError:
            return ""
        url = quote(url, safe=_FRAGMENT_SAFE + "#[]")
        return "" if not known else f"{url.partition('#')[0]}#{quote(anchor, safe=_FRAGMENT_SAFE)}" if anchor else url


def is_url(source: str) -> bool:
    return re.match(r"https?://", source, re.IGNORECASE) is not None


def is_federation(source: str) -> bool:
    """Whether an address, or a path, is that of a federation's manifest: of a folder, where it has one and no
    `index.json`."""
    if is_url(source):
        return source.endswith(f"/{FEDERATION}")
    path = Path(source)
    return path.name == FEDERATION or ((path / FEDERATION).is_file() and not (path / INDEX).exists())


def root_of(source: str) -> str:
    """Returns the folder of a tree, or of a federation, by its path or that of its manifest."""
    path = Path(source)
    return str(path.parent) if path.name == FEDERATION else source


def web_place(url: str) -> Place:
    """Returns the place of the folder that a URL names, with or without the name of a file in it."""
    try:
        parts = urlsplit(url)
        # `…/docs` is a folder without its slash, whose parent must not be asked.
        path = parts.path if _FILE.search(parts.path) else f"{parts.path}/"
        base = urljoin(f"{parts.scheme.lower()}://{parts.netloc}{path}", ".")
    except ValueError as error:
        raise ClientError("outside", "the address of the site", f"cannot be used: {error}") from None
    return Place(base, base)


def folder_place(source: str) -> tuple[Path, Place]:
    """Returns the folder and its place, for a path to it or to the `index.json` in it. Raises ConfigError where there
    is none.

    Where links are absolute, since a base URL is configured, the root's link to itself says what the folder stands for.
    """
    root = root_folder(source)
    base = FOLDER_BASE
    try:
        href = orjson.loads((root / INDEX).read_bytes())["_links"]["self"]["href"]
        own, published = urljoin(FOLDER_BASE, href), is_url(href)
    except (OSError, ValueError, KeyError, TypeError):
        own, published = base, False  # the first call that needs the index says what is wrong with it
    if is_url(own) and urlsplit(own).username is None:
        base = urljoin(own, ".")
    return root, Place(base, source, published=published)


def check_source(source: str) -> None:
    """Raises ConfigError for a URL of another scheme than clients read."""
    if "://" in source and not is_url(source):
        raise ConfigError(source, "is neither a folder nor an http(s) address", "Name the published tree's root.")
