"""How much a web server may send, and how often it may redirect."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from infograph.client.served_folder import NoReplyError
from infograph.commands.check.target import CheckLimits, HttpTarget

LIMITS = CheckLimits(reply_bytes=1000, reply_seconds=60.0, redirects=3)


class Handler(BaseHTTPRequestHandler):
    """`/docs/plain/N` and `/docs/gzip/N` are N bytes, `/docs/again/N` redirects N times."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        _, _, kind, number = self.path.split("/")
        count = int(number)
        body = gzip.compress(bytes(count)) if kind == "gzip" else bytes(count)
        redirects = kind == "again" and count > 0
        self.send_response(302 if redirects else 200)
        if redirects:
            self.send_header("Location", f"/docs/again/{count - 1}")
        if kind == "gzip":
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on the terminal."""


@pytest.fixture
def base() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/docs/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def target(base: str) -> Iterator[HttpTarget]:
    target = HttpTarget(base, LIMITS)
    try:
        yield target
    finally:
        target.close()


@pytest.mark.parametrize("kind", ["plain", "gzip"])
def test_a_reply_may_be_as_large_as_its_limit_and_no_larger(target: HttpTarget, base: str, kind: str) -> None:
    assert target.get(f"{base}{kind}/1000").body == bytes(1000)
    with pytest.raises(NoReplyError, match="is larger than 1000 bytes"):
        target.get(f"{base}{kind}/1001")


def test_so_many_redirects_are_followed_and_no_more(target: HttpTarget, base: str) -> None:
    assert target.get(f"{base}again/3").status == 200
    with pytest.raises(NoReplyError, match="redirects more than 3 times"):
        target.get(f"{base}again/4")
