"""Tells which addresses belong to a published tree: those under the folder that the reader was given.

Nothing outside that origin and path is ever requested, redirects included.
"""

from __future__ import annotations

import os
import re
from urllib.parse import quote, unquote_to_bytes, urldefrag, urljoin, urlsplit

_URL_CHARACTERS = re.compile(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*")
_PORTS = {"http": 80, "https": 443}


class RefusedError(Exception):
    """An address that is not requested."""

    def __init__(self, reason: str, outside: bool) -> None:
        super().__init__(reason)
        self.outside = outside
        """Whether the address is well formed but lies outside the tree."""


class Scope:
    """An origin and a path on it: the only addresses that may be requested."""

    def __init__(self, base: str) -> None:
        """Takes the absolute URL of the root folder, with its final slash. Raises ValueError for any other text."""
        self.base = base
        self._base = self._canonical(base)

    def resolve(self, here: str, href: str) -> str:
        """Returns the address that a link leads to, without its fragment. Raises RefusedError."""
        if not _URL_CHARACTERS.fullmatch(href):
            # Browsers drop tabs and line breaks and read a backslash as a slash; urljoin does not.
            raise RefusedError(f"{href!r} is no percent-encoded address", outside=False)
        try:
            url = urldefrag(urljoin(here, href)).url
            canonical = self._canonical(url)
        except ValueError as error:
            raise RefusedError(f"{href!r} is no address: {error}", outside=False) from None
        if canonical[:2] != self._base[:2] or not canonical[2].startswith(self._base[2]):
            raise RefusedError(f"{url} lies outside of {self.base}", outside=True)
        return url

    def key(self, url: str) -> str:
        """Returns a key that is the same for all spellings of one address."""
        return self._canonical(url)[2]

    def segments(self, url: str) -> list[str]:
        """Returns the segments of the path below the root, decoded as a server does."""
        path = urlsplit(url).path[len(urlsplit(self.base).path) :]
        return [os.fsdecode(unquote_to_bytes(segment)) for segment in path.split("/")]

    @staticmethod
    def _canonical(url: str) -> tuple[str, str, str]:
        parts = urlsplit(url)
        scheme = parts.scheme.lower()
        if parts.username is not None:  # empty where there is only a password
            raise ValueError("it holds a user name")
        origin = f"{(parts.hostname or '').lower()}:{parts.port or _PORTS.get(scheme)}"
        segments = [unquote_to_bytes(segment) for segment in parts.path.split("/")]
        # `%2e%2e` is `..` to browsers, and `%2f` is a slash to many servers.
        if any(segment in (b".", b"..") or b"/" in segment or b"\0" in segment for segment in segments):
            raise ValueError("a segment of its path is not a name")
        path = "/".join(quote(segment, safe="") for segment in segments)
        return scheme, origin, path + (f"?{parts.query}" if parts.query else "")
