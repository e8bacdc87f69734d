"""What the reader of a web server asks for, and how much it takes."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import httpx2
import pytest

from infograph.client.asks import Asks, File, Freshness, Tally
from infograph.client.errors import ClientError
from infograph.client.file_cache import FileCache
from infograph.client.place import Place
from infograph.client.web import CONNECTIONS, PACKED_MORE, WebSource
from infograph.errors import FormatError

BASE = "https://example.org/docs/"
ADDRESS = f"{BASE}file"
TIMEOUT = 60.0

Answer = Callable[[httpx2.Request], httpx2.Response]


class Server(httpx2.AsyncBaseTransport):
    """Answers by a function, and keeps the requests."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked: list[httpx2.Request] = []
        self.most_at_once = self.at_once = 0
        self.closed = 0

    async def aclose(self) -> None:
        self.closed += 1

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        return self.answer(request)

    def headers(self, name: str) -> list[str | None]:
        return [request.headers.get(name) for request in self.asked]


class Stream(httpx2.AsyncByteStream):
    def __init__(self, parts: Sequence[bytes]) -> None:
        self.parts = parts

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self.parts:
            yield part


def sent(*parts: bytes, status: int = 200, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda request: httpx2.Response(status, headers=named, stream=Stream(parts))


def read(server: Server, *files: File, cache: Path | None = None, timeout: float = TIMEOUT) -> list[Any]:
    """What a client of its own is sent for files that it asks for at once."""

    def asks() -> Asks[list[Any]]:
        return (yield files)

    async def answer() -> list[Any]:
        source = WebSource(Place(BASE, BASE), timeout, FileCache(cache) if cache else None, server)
        try:
            return await source.answer_async(asks(), Tally(None))
        finally:
            await source.close()

    return asyncio.run(answer())


def file(most: int = 1000, freshness: Freshness = Freshness.VALIDATED, accept: Callable[[bytes], Any] = bytes) -> File:
    return File(ADDRESS, most, accept, freshness)


def code(found: Any) -> str:
    assert isinstance(found, ClientError), found
    return found.code


def test_connections_are_closed_once() -> None:
    async def use(server: Server) -> None:
        source = WebSource(Place(BASE, BASE), TIMEOUT, None, server)
        assert server.closed == 0
        await source.close()
        await source.close()

    server = Server(sent(b"body"))
    asyncio.run(use(server))
    assert server.closed == 1


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("cut", [1, 7, 1000])
def test_a_file_may_be_as_large_as_its_limit_and_no_larger(packed: bool, cut: int) -> None:
    def ask(size: int) -> Any:
        data = gzip.compress(bytes(size)) if packed else bytes(size)
        parts = [data[start : start + cut] for start in range(0, len(data), cut)]
        (found,) = read(Server(sent(*parts, **({"Content_Encoding": "gzip"} if packed else {}))), file(1000))
        return found

    assert ask(999) == bytes(999)
    assert ask(1000) == bytes(1000)
    assert code(ask(1001)) == "large"


def test_a_packed_reply_that_holds_nothing_ends(most: int = 1000) -> None:
    """Blocks without contents: gigabytes may be sent that unpack to no byte."""
    packer = zlib.compressobj(wbits=31)
    begin = packer.compress(b"body") + packer.flush(zlib.Z_FULL_FLUSH)
    empty = b"\0\0\0\xff\xff"
    end = packer.flush()
    room = most + PACKED_MORE - len(begin) - len(end)
    fits = sent(begin, empty * (room // 5), end, Content_Encoding="gzip")
    assert read(Server(fits), file(most)) == [b"body"]
    parts = [begin, *[empty] * (room // 5 + 1), end]
    (found,) = read(Server(sent(*parts, Content_Encoding="gzip")), file(most))
    assert code(found) == "large"


def test_the_packed_reply_may_be_longer_by_a_number_of_bytes() -> None:
    """The header's name fills the reply up to the byte."""
    plain = gzip.compress(b"body", mtime=0)
    for more, expected in ((0, [b"body"]), (1, "large")):
        name = b"n" * (1000 + PACKED_MORE - len(plain) - 1 + more) + b"\0"
        data = plain[:3] + b"\x08" + plain[4:10] + name + plain[10:]
        found = read(Server(sent(data, Content_Encoding="x-gzip")), file(1000))
        assert (code(found[0]) if more else found) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (sent(gzip.compress(b"body")[:-1], Content_Encoding="gzip"), "broken"),
        (sent(gzip.compress(b"body"), Content_Encoding="br"), "broken"),
        (sent(b"body", Content_Encoding="gzip"), "broken"),
        (sent(b"", status=299), "missing"),
        (sent(b"", status=300), "outside"),
        (sent(b"", status=304), "outside"),
        (sent(b"", status=399), "outside"),
        (sent(b"", status=400), "missing"),
        (sent(b"body", status=206), "missing"),
        (sent(b"body", status=404), "missing"),
    ],
)
def test_replies_that_are_refused(answer: Answer, expected: str) -> None:
    (found,) = read(Server(answer), file())
    assert code(found) == expected


def test_encodings_are_asked_for_that_are_taken() -> None:
    server = Server(sent(gzip.compress(b"body"), Content_Encoding=" GZIP "))
    assert read(server, file()) == [b"body"]
    assert server.headers("Accept-Encoding") == ["gzip"]


@pytest.mark.parametrize(
    ("freshness", "control"),
    [(Freshness.VALIDATED, "max-age=0"), (Freshness.FOREVER, None), (Freshness.RELOADED, "no-cache")],
)
def test_caches_on_the_way_are_told_what_is_fresh(freshness: Freshness, control: str | None) -> None:
    server = Server(sent(b"body"))
    assert read(server, file(freshness=freshness)) == [b"body"]
    assert server.headers("Cache-Control") == [control]


@pytest.mark.parametrize("freshness", [Freshness.VALIDATED, Freshness.FOREVER])
def test_a_file_that_is_refused_is_read_once_more_past_all_caches(freshness: Freshness, tmp_path: Path) -> None:
    taken: list[bytes] = []

    def accept(data: bytes) -> bytes:
        taken.append(data)
        if len(taken) == 1:
            raise FormatError("file", "not the one")
        return data

    FileCache(tmp_path).put(ADDRESS, b"old", '"1"')
    server = Server(sent(b"new", ETag='"2"'))
    assert read(server, file(freshness=freshness, accept=accept), cache=tmp_path) == [b"new"]
    first = [] if freshness is Freshness.FOREVER else ["max-age=0"]
    assert server.headers("Cache-Control") == [*first, "no-cache"]
    assert server.headers("If-None-Match")[-1] is None


def test_an_entry_is_revalidated_by_its_etag(tmp_path: Path) -> None:
    FileCache(tmp_path).put(ADDRESS, b"kept", '"1"')
    server = Server(sent(b"", status=304))
    assert read(server, file(), cache=tmp_path) == [b"kept"]
    assert (server.headers("If-None-Match"), server.headers("Cache-Control")) == (['"1"'], ["max-age=0"])
    reloaded = Server(sent(b"new"))
    assert read(reloaded, file(freshness=Freshness.RELOADED), cache=tmp_path) == [b"new"]
    assert reloaded.headers("If-None-Match") == [None]


def test_an_entry_without_etag_is_not_what_a_server_has_not_changed(tmp_path: Path) -> None:
    FileCache(tmp_path).put(ADDRESS, b"kept", "")
    server = Server(sent(b"", status=304))
    (found,) = read(server, file(), cache=tmp_path)
    assert code(found) == "outside"
    assert server.headers("If-None-Match") == [None]


def test_a_file_without_etag_is_kept_where_its_digest_is_known(tmp_path: Path) -> None:
    read(Server(sent(b"body")), file(), cache=tmp_path)
    assert FileCache(tmp_path).get(ADDRESS) is None
    read(Server(sent(b"body")), file(freshness=Freshness.FOREVER), cache=tmp_path)
    assert FileCache(tmp_path).get(ADDRESS) is not None
    silent = Server(sent(b"", status=500))
    assert read(silent, file(freshness=Freshness.FOREVER), cache=tmp_path) == [b"body"]
    assert silent.asked == []


def test_so_many_files_are_read_at_once() -> None:
    server = Server(sent(b"body"))
    assert read(server, *[file()] * 30) == [b"body"] * 30
    assert server.most_at_once == CONNECTIONS


def test_a_file_may_take_a_quarter_of_the_calls_time() -> None:
    class Silent(Server):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            await asyncio.sleep(60)
            raise AssertionError

    (found,) = read(Silent(sent(b"")), file(), timeout=0.4)
    assert str(found) == "file: not read within 0.1 s"


def test_a_connection_that_breaks_off_is_tried_once_more() -> None:
    def broken(times: int) -> Server:
        def answer(request: httpx2.Request) -> httpx2.Response:
            if len(server.asked) <= times:
                raise httpx2.ReadError("gone")
            return sent(b"body")(request)

        server = Server(answer)
        return server

    assert read(broken(1), file()) == [b"body"]
    (found,) = read(broken(2), file())
    assert str(found) == "file: no answer: gone"
