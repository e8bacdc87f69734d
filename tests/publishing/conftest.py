"""A real S3 server on this machine, behind a door that lets requests fail as stores and networks do."""

from __future__ import annotations

import itertools
import json
import logging
import socket
import threading
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from infograph.publishing import store as stores
from infograph.publishing.store import Store

Fault = Callable[[str, str], str | None]
"""Says what becomes of a request, by its method and path: `cut` (it is lost), `lost` (its answer is), `unconditional`
(its conditions are ignored), a status with an error's code (`503 SlowDown`), or None: nothing."""

_JSON = {"Content-Type": "application/json"}
_OPEN = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::*/*"}],
}


@dataclass
class S3Server:
    """The server: its address, what it was asked for, and what it does wrong."""

    application: Any
    url: str = ""
    fault: Fault | None = None
    asked: list[tuple[str, str]] = field(default_factory=list)
    """Method and path of each request, in order."""
    numbers: Iterator[int] = field(default_factory=itertools.count)
    one_at_a_time: threading.Lock = field(default_factory=threading.Lock)
    """moto closes what a key held when it is written anew, also under a reader's hands; a store does not."""

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        self.asked.append((method, path))
        fault = self.fault and self.fault(method, path)
        if fault == "cut":
            environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
            return []
        if fault == "unconditional":
            for name in ("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH"):
                environ.pop(name, None)
        elif fault and fault != "lost":
            status, _, code = fault.partition(" ")
            start_response(f"{status} {code}", [("Content-Type", "application/xml")])
            return [f"<?xml version='1.0'?><Error><Code>{code}</Code><Region>eu-west-3</Region></Error>".encode()]
        with self.one_at_a_time:
            body = b"".join(self.application(environ, start_response))
        if fault == "lost":
            environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
            return []
        return [body]

    def bucket(self) -> str:
        """Makes a bucket that everybody may read, and returns its name."""
        name = f"bucket-{next(self.numbers)}"
        for query, body in (("", b""), ("?policy", json.dumps(_OPEN).encode())):
            request = urllib.request.Request(f"{self.url}/{name}{query}", data=body, method="PUT", headers=_JSON)
            urllib.request.urlopen(request).close()
        return name

    def sent(self) -> list[str]:
        """Paths that were written since the last call, with the name of their bucket."""
        paths = [path.lstrip("/") for method, path in self.asked if method == "PUT"]
        self.asked.clear()
        return paths


@pytest.fixture(scope="session")
def server() -> Iterator[S3Server]:
    reason = "needs obstore, moto[s3], flask and flask-cors"
    pytest.importorskip("obstore", reason=reason)
    app = pytest.importorskip("moto.moto_server.werkzeug_app", reason=reason)
    serving = pytest.importorskip("werkzeug.serving", reason=reason)
    server = S3Server(app.DomainDispatcherApplication(app.create_backend_app))
    listening = serving.make_server("127.0.0.1", 0, server, threaded=True, request_handler=app.MotoRequestHandler)
    server.url = f"http://127.0.0.1:{listening.server_port}"
    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # a line for each of some ten thousand requests
    thread = threading.Thread(target=listening.serve_forever, daemon=True)
    thread.start()
    yield server
    listening.shutdown()
    thread.join()
    listening.server_close()


@pytest.fixture
def s3(server: S3Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    """The server without faults, and an environment that leads to it."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    monkeypatch.setenv("AWS_ENDPOINT_URL", server.url)
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setattr(stores, "PATIENCE", timedelta(seconds=20))
    server.asked.clear()
    yield server
    server.fault = None


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests that fail at once, where a test is about what is said then."""
    monkeypatch.setattr(stores, "RETRIES", 1)


@pytest.fixture
def store(s3: S3Server) -> Store:
    """A store below a prefix of a new bucket."""
    return Store(f"s3://{s3.bucket()}/docs")
