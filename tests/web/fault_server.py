"""A web server that publishes a tree well and in every bad way a client has to survive.

The first segment of a path says how: `/site/…` as it lies on disk, `/{fault}~{file}/…` with the fault in the files
whose name begins with `file` (`p-` posting shards, `index.json`). What was asked for is remembered.
"""

from __future__ import annotations

import gzip
import hashlib
import http.server
import json
import re
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from infograph.search.format.layout import joined_names

BOMB = zlib.compress(bytes(1 << 25), 1)
GZIP_BOMB = gzip.compress(bytes(1 << 25))
BOMB_NAME = f"p-{hashlib.sha256(BOMB).hexdigest()[:16]}.z"


class FaultServer(http.server.ThreadingHTTPServer):
    """Of one tree. `elsewhere` is the URL that redirects and bad links lead to."""

    daemon_threads = True
    request_queue_size = 128  # with the usual 5, the sixth file asked for at once waits a second

    def __init__(self, root: Path, elsewhere: str = "") -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.root = root
        self.elsewhere = elsewhere
        self.asked: list[str] = []
        self.stopped = threading.Event()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has had enough goes away, which is no error; everything else is."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


class Handler(http.server.BaseHTTPRequestHandler):
    server: FaultServer

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        if path == "/asked":
            self.answer(json.dumps(self.server.asked).encode())
            return
        self.server.asked.append(self.path)
        mode, _, rest = path.lstrip("/").partition("/")
        fault, _, prefix = mode.partition("~")
        name = rest.rpartition("/")[2]
        file = self.server.root / rest
        data = file.read_bytes() if file.is_file() else None
        if name == BOMB_NAME:
            data = BOMB
        if fault != "site" and name.startswith(prefix) and fault in FAULTS:
            FAULTS[fault](self, data, rest)
        elif data is None:
            self.send_error(404)
        else:
            self.answer(data)

    def answer(self, data: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for header, value in {"Content-Length": str(len(data)), **headers}.items():
            self.send_header(header.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def times_asked(self) -> int:
        return self.server.asked.count(self.path)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on the terminal."""


def _trickle(handler: Handler, data: bytes | None, rest: str) -> None:
    handler.send_response(200)
    handler.end_headers()
    for byte in data or b"":
        if handler.server.stopped.wait(0.05):
            return
        try:
            handler.wfile.write(bytes([byte]))
            handler.wfile.flush()
        except OSError:  # the client has gone, as it should
            return


def _silent(handler: Handler, data: bytes | None, rest: str) -> None:
    handler.server.stopped.wait(30)


def _truncated(handler: Handler, data: bytes | None, rest: str) -> None:
    body = data or b""
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2])
    handler.close_connection = True


def _half(handler: Handler, data: bytes | None, rest: str) -> None:
    """A file without its second half, sent as if it were whole."""
    handler.answer((data or b"")[: len(data or b"") // 2])


def _unavailable(handler: Handler, data: bytes | None, rest: str) -> None:
    handler.send_error(503)


def _page(handler: Handler, data: bytes | None, rest: str) -> None:
    handler.answer(b"<!doctype html><title>Not here</title>", Content_Type="text/html")


def _wrong(handler: Handler, data: bytes | None, rest: str) -> None:
    """Another file of the kind: in postings another shard, in chunks and indexes other text."""
    handler.answer((data or b"").replace(b"the", b"teh") if not rest.endswith(".z") else zlib.compress(b"other"))


def _wrong_once(handler: Handler, data: bytes | None, rest: str) -> None:
    if handler.times_asked() == 1:
        _wrong(handler, data, rest)
    else:
        handler.answer(data or b"")


def _gzip_bomb(handler: Handler, data: bytes | None, rest: str) -> None:
    handler.answer(GZIP_BOMB, Content_Encoding="gzip")


def _shard_bomb(handler: Handler, data: bytes | None, rest: str) -> None:
    """A manifest whose posting shards are whole by their digest, and inflate to 32 MiB."""
    manifest = json.loads(data or b"{}")
    manifest["postings"] = {"bits": 0, "names": joined_names([BOMB_NAME])}
    manifest["largest_shard"] = 1 << 16
    handler.answer(json.dumps(manifest).encode())


def _redirected(handler: Handler, data: bytes | None, rest: str) -> None:
    handler.answer(b"", 302, Location=f"{handler.server.elsewhere}site/{rest}")


def _redirected_here(handler: Handler, data: bytes | None, rest: str) -> None:
    handler.answer(b"", 301, Location=f"/site/{rest}")


def _newer(handler: Handler, data: bytes | None, rest: str) -> None:
    handler.answer(json.dumps({"format": 2, "everything": "else"}).encode())


def _stale_once(handler: Handler, data: bytes | None, rest: str) -> None:
    """First the manifest of a build that has been taken away, then the one that is there."""
    manifest = json.loads(data or b"{}")
    if handler.times_asked() == 1:
        for table in (manifest["postings"], manifest["documents"]):
            if "names" in table:
                table["names"] = table["names"][:2] + re.sub("[0-9a-f]", "0", table["names"][2:])
            else:
                table["directories"] = [f"n-{'0' * 16}.z" for _ in table["directories"]]
    handler.answer(json.dumps(manifest).encode())


def _other_names(handler: Handler, data: bytes | None, rest: str) -> None:
    manifest = json.loads(data or b"{}")
    manifest["postings"] = {"bits": 0, "names": "../../../etc/passw"}  # as long as a list of one name
    handler.answer(json.dumps(manifest).encode())


def _circle(handler: Handler, data: bytes | None, rest: str) -> None:
    """Every topic has the root below it, under another name."""
    index = json.loads(data or b"{}")
    root = {"_links": {"self": {"href": "/".join([".."] * rest.count("/") + ["index.json"])}}, "topics": 1}
    index["_embedded"]["topics"] = [root | {"id": f"{index['id']}/more".lstrip("/"), "title": "More"}]
    index.pop("build_id")
    handler.answer(json.dumps(index).encode())


def _links(href: str) -> Callable[[Handler, bytes | None, str], None]:
    def fault(handler: Handler, data: bytes | None, rest: str) -> None:
        """Links of the root's index that lead elsewhere."""
        index = json.loads(data or b"{}")
        to = href.format(elsewhere=handler.server.elsewhere.split("/")[2])
        for topic in index["_embedded"]["topics"]:
            topic["_links"]["self"]["href"] = to
        index.pop("build_id")
        handler.answer(json.dumps(index).encode())

    return fault


LINKS = {
    "double-slash": "//{elsewhere}/index.json",
    "backslashes": "\\\\{elsewhere}\\index.json",
    "slash-backslash": "/\\{elsewhere}/index.json",
    "tab": "/\t/{elsewhere}/index.json",
    "absolute": "http://{elsewhere}/index.json",
    "blank": " http://{elsewhere}/index.json",
    "user": "http://127.0.0.1@{elsewhere}/index.json",
    "other-scheme": "https://{elsewhere}/index.json",
    "file": "file:///etc/passwd",
    "data": "data:application/json,{{}}",
    "javascript": "javascript:alert(1)",
    "up": "../index.json",
    "encoded-dots": "%2e%2e/index.json",
    "mixed-dots": "guide/.%2E/%2e./index.json",
    "encoded-slash": "guide/..%2f..%2findex.json",
    "encoded-backslash": "guide/..%5c..%5cindex.json",
    "root": "/index.json",
}

FAULTS: dict[str, Callable[[Handler, bytes | None, str], None]] = {
    "trickle": _trickle,
    "silent": _silent,
    "truncated": _truncated,
    "half": _half,
    "unavailable": _unavailable,
    "page": _page,
    "wrong": _wrong,
    "wrong-once": _wrong_once,
    "gzip-bomb": _gzip_bomb,
    "shard-bomb": _shard_bomb,
    "redirected": _redirected,
    "redirected-here": _redirected_here,
    "newer": _newer,
    "stale-once": _stale_once,
    "other-names": _other_names,
    "circle": _circle,
    **{name: _links(href) for name, href in LINKS.items()},
}


@contextmanager
def running(root: Path, elsewhere: str = "") -> Iterator[FaultServer]:
    server = FaultServer(root, elsewhere)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stopped.set()
        server.shutdown()
        server.server_close()
        thread.join()
