"""Opens a tree to check: a folder, or a web server."""

from __future__ import annotations

import re
import time
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urldefrag, urljoin

from infograph.client.scope import RefusedError, Scope
from infograph.client.served_folder import NoReplyError, Reply, ServedFolder, root_folder
from infograph.errors import ConfigError

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True, slots=True)
class CheckLimits:
    """Limits of one reply and of the whole tree."""

    reply_bytes: int = 16_000_000
    """Largest reply, decompressed."""
    reply_seconds: float = 30.0
    """Longest time for one file, redirects included."""
    total_seconds: float = 3600.0
    """Longest time for a tree."""
    connections: int = 8
    """Most requests at the same time."""
    redirects: int = 5
    """Most redirects that are followed for one file."""


class Target(Protocol):
    """A tree that can be asked for files."""

    scope: Scope

    def get(self, url: str) -> Reply:
        """Returns the answer to a request. Raises RefusedError or NoReplyError."""

    def close(self) -> None:
        """Closes connections."""


class HttpTarget:
    """A tree behind a web server. May be used from several threads."""

    def __init__(self, base: str, limits: CheckLimits) -> None:
        import httpx2  # here, because it costs every other command its start-up time

        self.scope = Scope(base)
        self._limits = limits
        self._client = httpx2.Client(
            timeout=httpx2.Timeout(limits.reply_seconds, connect=min(10.0, limits.reply_seconds)),
            limits=httpx2.Limits(max_connections=limits.connections),
            headers={"Accept-Encoding": "gzip", "User-Agent": "infograph"},
            follow_redirects=False,
        )

    def get(self, url: str) -> Reply:
        import httpx2

        deadline = time.monotonic() + self._limits.reply_seconds
        for _ in range(self._limits.redirects + 1):
            try:
                reply, location = self._once(url, deadline)
            except httpx2.TransportError:
                # A kept-alive connection that the server has closed looks like this; a second failure is a real one.
                try:
                    reply, location = self._once(url, deadline)
                except httpx2.TransportError as error:
                    raise NoReplyError(f"does not answer: {error or type(error).__name__}") from None
            if location is None:
                return reply
            try:
                url = self.scope.resolve(url, location)
            except RefusedError as error:
                raise RefusedError(f"redirects to where no client may follow: {error}", error.outside) from None
        raise NoReplyError(f"redirects more than {self._limits.redirects} times")

    def close(self) -> None:
        self._client.close()

    def _once(self, url: str, deadline: float) -> tuple[Reply, str | None]:
        """Sends one request; returns its reply, and where that redirects to."""
        with self._client.stream("GET", url) as response:
            if response.has_redirect_location:
                return Reply(response.status_code), response.headers["Location"]
            reply = Reply(
                status=response.status_code,
                body=self._body(response, deadline) if response.status_code == 200 else b"",
                media_type=response.headers.get("Content-Type", "").partition(";")[0].strip().lower(),
                allow_origin=response.headers.get("Access-Control-Allow-Origin", ""),
            )
        return reply, None

    def _body(self, response: httpx2.Response, deadline: float) -> bytes:
        """Returns the body, decompressed here because httpx2 has no limit: a small reply can unpack to gigabytes."""
        limit = self._limits.reply_bytes
        encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
        if encoding not in {"identity", "gzip", "x-gzip"}:
            raise NoReplyError(f"is sent in the encoding {encoding}, which was not asked for")
        unpacker = None if encoding == "identity" else zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
        body = bytearray()
        for raw in response.iter_raw():
            try:
                body += unpacker.decompress(raw, limit + 1 - len(body)) if unpacker else raw
            except zlib.error as error:
                raise NoReplyError(f"does not unpack: {error}") from None
            if len(body) > limit:
                raise NoReplyError(f"is larger than {limit} bytes")
            if time.monotonic() > deadline:
                raise NoReplyError(f"takes longer than {self._limits.reply_seconds:g} s")
        if unpacker is not None and not unpacker.eof:
            raise NoReplyError("is cut off")
        return bytes(body)


def open_target(target: str, directory_base: str, limits: CheckLimits) -> Target:
    """Opens a tree by its URL or path; either may name the root's index file instead of its folder.

    directory_base: URL that a folder stands for
    Raises ConfigError when there is no such tree.
    """
    if re.match(r"https?://", target, re.IGNORECASE):
        url = urldefrag(target).url
        base = urljoin(url, ".") if url.endswith(".json") else url.rstrip("/") + "/"
        try:
            return HttpTarget(base, limits)
        except ValueError as error:
            # The address itself is not repeated: it may hold a password.
            raise ConfigError("the address to check", f"cannot be used: {error}") from None
    return ServedFolder(root_folder(target), directory_base, limits.reply_bytes)
