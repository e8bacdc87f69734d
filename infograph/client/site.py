"""Reading a published tree the way a client does: over HTTP, or from the folder a server would serve.

    href ─Scope.resolve▶ URL ─Site.get▶ Reply

Nothing outside the origin and path the tree was given as is ever requested, redirects included; every reply has
a limit in bytes and in seconds.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from urllib.parse import quote, unquote_to_bytes, urldefrag, urljoin, urlsplit

from infograph.errors import ConfigError
from infograph.formats.names import INDEX

if TYPE_CHECKING:
    pass

_URL_CHARACTERS = re.compile(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*")
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one reply, or the whole tree, may ask of the reader."""

    reply_bytes: int = 16_000_000
    """Largest reply, decompressed."""
    reply_seconds: float = 30.0
    """Longest time for one file, redirects included."""
    total_seconds: float = 3600.0
    """Longest time for a tree."""
    connections: int = 8
    """Requests at once."""
    redirects: int = 5
    """Redirects followed for one file."""


class RefusedError(Exception):
    """An address that is not requested."""

    def __init__(self, reason: str, outside: bool) -> None:
        super().__init__(reason)
        self.outside = outside
        """The address is well formed but lies outside the tree."""


class NoReplyError(Exception):
    """A request that got no usable answer: no connection, too slow, too large, cut off."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server says to one request."""

    status: int
    body: bytes = b""
    media_type: str = ""
    """Without parameters; empty where a folder is read."""
    allow_origin: str = ""
    """Access-Control-Allow-Origin."""


class Scope:
    """An origin and a path on it: the only addresses that may be requested."""

    def __init__(self, base: str) -> None:
        """base: absolute URL of the root folder, with its final slash."""
        self.base = base
        self._base = self._canonical(base)

    def resolve(self, here: str, href: str) -> str:
        """The address a link leads to, without its fragment. Raises RefusedError."""
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
        """The same for all spellings of one address."""
        return self._canonical(url)[2]

    def segments(self, url: str) -> list[str]:
        """The path below the root, decoded as a server does."""
        path = urlsplit(url).path[len(urlsplit(self.base).path) :]
        return [os.fsdecode(unquote_to_bytes(segment)) for segment in path.split("/")]

    @staticmethod
    def _canonical(url: str) -> tuple[str, str, str]:
        parts = urlsplit(url)
        scheme = parts.scheme.lower()
        if parts.username is not None or parts.password is not None:
            raise ValueError("it holds a user name")
        origin = f"{(parts.hostname or '').lower()}:{parts.port or _PORTS.get(scheme)}"
        segments = [unquote_to_bytes(segment) for segment in parts.path.split("/")]
        # `%2e%2e` is `..` to browsers, and `%2f` is a slash to many servers.
        if any(segment in (b".", b"..") or b"/" in segment or b"\0" in segment for segment in segments):
            raise ValueError("a segment of its path is not a name")
        path = "/".join(quote(segment, safe="") for segment in segments)
        return scheme, origin, path + (f"?{parts.query}" if parts.query else "")


class Site(Protocol):
    """A tree that can be asked for files."""

    scope: Scope

    def get(self, url: str) -> Reply:
        """The answer to a request. Raises RefusedError or NoReplyError."""

    def close(self) -> None:
        """Ends connections."""


def _open_without_waiting(path: str, flags: int) -> int:
    """A FIFO would otherwise hang the check."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


class DirectorySite:
    """A folder as a plain web server would serve it."""

    def __init__(self, root: Path, base: str, limits: Limits) -> None:
        """base: URL the folder stands for, as absolute links in it say."""
        self.scope = Scope(base)
        self._root = Path(os.path.realpath(root))
        self._limits = limits

    def get(self, url: str) -> Reply:
        segments = self.scope.segments(url)
        if os.name == "nt" and any(re.search(r'[\\:*?"<>|]', segment) for segment in segments):
            return Reply(404)
        path = Path(os.path.realpath(self._root.joinpath(*segments)))
        if not path.is_relative_to(self._root):
            raise RefusedError(f"{url} is a symbolic link out of the tree", outside=False)
        try:
            with open(path, "rb", opener=_open_without_waiting) as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    return Reply(404)
                body = file.read(self._limits.reply_bytes + 1)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return Reply(404)
        except OSError as error:
            raise NoReplyError(f"cannot be read: {error.strerror}") from None
        if len(body) > self._limits.reply_bytes:
            raise NoReplyError(f"is larger than {self._limits.reply_bytes} bytes")
        return Reply(200, body)

    def close(self) -> None:
        """Nothing is open."""


def site_root(target: str) -> Path:
    """The folder a path names. Raises ConfigError."""
    path = Path(target)
    if path.name == INDEX:
        path = path.parent
    if "://" in target or not path.is_dir():
        raise ConfigError(target, "is neither a folder nor an http(s) address", "Name the published tree's root.")
    return path
