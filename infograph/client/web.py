"""Reads the files of a tree over HTTP: never from elsewhere, never more than allowed, never longer than allowed."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from infograph.client.asks import Asks, File, Freshness, Tally, drive_async, refused
from infograph.client.errors import ClientError
from infograph.client.file_cache import Cached, FileCache
from infograph.client.place import Place
from infograph.errors import FormatError

if TYPE_CHECKING:
    import httpx2

CONNECTIONS = 8
"""Most requests at the same time."""
FILE_SHARE = 0.25
"""Share of a call's time that one file may take, so that an answer without it can still be given."""
PACKED_MORE = 1 << 16
"""Bytes that a compressed reply may exceed the limit of what it holds."""

T = TypeVar("T")


class WebSource:
    """Reads a web server, from the one event loop in which the first call is made.

    timeout:   seconds for a call
    cache:     where files are kept from one process to the next
    transport: instead of httpx2's own: for tests, or where requests need more than an address
    """

    def __init__(
        self, place: Place, timeout: float, cache: FileCache | None, transport: httpx2.AsyncBaseTransport | None
    ) -> None:
        import httpx2  # here, because reading a folder takes none of it

        try:
            host = httpx2.URL(place.base).host
        except httpx2.InvalidURL as error:
            raise ClientError("outside", place.shown, f"is no address: {error}") from None
        if not host:
            raise ClientError("outside", place.shown, "is no address: it names no server")
        self._place = place
        self._timeout = timeout
        self._cache = cache
        self._transport = transport
        self._client: httpx2.AsyncClient | None = None
        self._http()  # now: loading certificates would take some tenths of a second of the first call
        self._free = asyncio.Semaphore(CONNECTIONS)

    async def answer_async(self, asks: Asks[T], tally: Tally) -> T:
        try:
            async with asyncio.timeout(self._timeout):
                return await drive_async(asks, lambda files: self._read(files, tally), self._timeout, tally)
        except TimeoutError:
            raise ClientError("timeout", self._place.shown, f"no answer within {self._timeout:g} s") from None

    async def close(self) -> None:
        """Closes connections. A later call opens new ones."""
        client, self._client = self._client, None
        if client:
            await client.aclose()

    async def _read(self, files: Sequence[File], tally: Tally) -> list[Any]:
        tally.wanted(files)
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._one(file, tally)) for file in files]
        except BaseExceptionGroup as errors:  # raised by the caller's own code: `progress`, a transport
            raise errors.exceptions[0] from None
        return [task.result() for task in tasks]

    async def _one(self, file: File, tally: Tally) -> Any:
        """Returns what `accept` makes of a file, or the error of a missing or broken one."""
        where = self._place.relative(file.address)
        seconds = self._timeout * FILE_SHARE
        async with self._free:  # waiting for the others is not this file's time
            try:
                async with asyncio.timeout(seconds):
                    return await self._twice(file, where, tally)
            except TimeoutError:
                return ClientError("timeout", where, f"not read within {seconds:g} s")
            except (FormatError, ClientError) as error:
                return refused(error, where)

    async def _twice(self, file: File, where: str, tally: Tally) -> Any:
        import httpx2

        if file.freshness is not Freshness.RELOADED:
            try:
                return await self._once(file, where, tally, self._cache.get(file.address) if self._cache else None)
            except httpx2.HTTPError:
                pass  # a broken connection is tried once more, and so is a refused one
            except (FormatError, ClientError) as error:
                if refused(error, where).code != "broken":
                    raise
        try:
            return await self._once(file, where, tally, None, {"Cache-Control": "no-cache"})
        except httpx2.HTTPError as error:
            raise ClientError("missing", where, f"no answer: {str(error) or type(error).__name__}") from None

    async def _once(
        self, file: File, where: str, tally: Tally, cached: Cached | None, headers: dict[str, str] | None = None
    ) -> Any:
        if cached and file.freshness is Freshness.FOREVER:
            found = file.accept(cached.body)
            tally.cache_hits += 1
            tally.had(len(cached.body))
            return found
        headers = dict(headers or {})
        if file.freshness is Freshness.VALIDATED:  # by caches on the way, too
            headers.setdefault("Cache-Control", "max-age=0")
        if cached and cached.etag:
            headers["If-None-Match"] = cached.etag
        tally.requests += 1
        async with self._http().stream("GET", file.address, headers=headers) as response:
            status = response.status_code
            if status == 304 and cached and cached.etag:
                tally.cache_hits += 1
                body, etag = cached.body, None
            elif 300 <= status < 400:
                reason = "the server redirects, which is not followed"
                raise ClientError("outside", where, reason, "Give the final address")
            elif status != 200:
                raise ClientError("missing", where, f"the server answers {status}")
            else:
                body, etag = await _body(response, file.most, where, tally), response.headers.get("ETag", "")
        found = file.accept(body)
        tally.had(len(body))
        if self._cache and etag is not None and (etag or file.freshness is Freshness.FOREVER):
            self._cache.put(file.address, body, etag)
        return found

    def _http(self) -> httpx2.AsyncClient:
        import httpx2

        if self._client is None:
            client = httpx2.AsyncClient(
                timeout=None,  # the call's own, which also ends what trickles
                limits=httpx2.Limits(max_connections=CONNECTIONS),
                headers={"Accept-Encoding": "gzip", "User-Agent": "infograph"},
                follow_redirects=False,
                transport=self._transport,
            )
            self._client = client
        return self._client


async def _body(response: httpx2.Response, most: int, where: str, tally: Tally) -> bytes:
    """Returns the body, decompressed here because httpx2 has no limit: a small reply can unpack to gigabytes."""
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in {"identity", "gzip", "x-gzip"}:
        raise ClientError("broken", where, f"is sent in the encoding {encoding[:40]}, which was not asked for")
    unpacker = None if encoding == "identity" else zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    body = bytearray()
    packed = 0
    async for raw in response.aiter_raw():
        packed += len(raw)
        tally.received += len(raw)
        try:
            body += unpacker.decompress(raw, most + 1 - len(body)) if unpacker else raw
        except zlib.error as error:
            raise ClientError("broken", where, f"does not unpack: {error}") from None
        if len(body) > most or packed > most + PACKED_MORE:
            raise ClientError("large", where, f"more than {most} bytes")
    if unpacker and not unpacker.eof:
        raise ClientError("broken", where, "is cut off")
    return bytes(body)
