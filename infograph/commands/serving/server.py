"""The HTTP server: a thread for each connection, a file opened once for each reply.

The standard library's server is enough for one developer's browser and clients, and leaves reading the file to us:
frameworks for static files take length and ETag from one look at a path, and the bytes from another.
"""

from __future__ import annotations

import socket
import socketserver
import sys
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from email.errors import FirstHeaderLineIsContinuationDefect, MissingHeaderBodySeparatorDefect
from http import HTTPStatus
from http.client import HTTPMessage
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import click

from infograph.commands.serving.addresses import RESERVED, BadAddressError, folder_address, may_be_served, split_target
from infograph.commands.serving.files import IsFolderError, read_below, resolved
from infograph.commands.serving.hosts import NoHostError, asked_host, may_ask
from infograph.commands.serving.listing import START, is_listed
from infograph.commands.serving.live import EVENTS, SCRIPT, SCRIPT_TEXT, Versions, with_script
from infograph.commands.serving.representation import asked_range, represent, unchanged
from infograph.errors import printable
from infograph.formats.media_types import media_type

_METHODS = "GET, HEAD, OPTIONS"
_EVENT_STREAM = "text/event-stream; charset=utf-8"
_NONE: Mapping[str, str] = {}
_OWN_ORIGIN = {"Cross-Origin-Resource-Policy": "same-origin", "X-Content-Type-Options": "nosniff"}
"""Headers of every reply: no page of another origin reads it, not even as an image or a script."""
_EVERY_ORIGIN = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Content-Range",
    "X-Content-Type-Options": "nosniff",
}
"""Headers of every reply where pages of every origin may read."""
_DEFECTS = (FirstHeaderLineIsContinuationDefect, MissingHeaderBodySeparatorDefect)
"""Faults of headers. The parser of the standard library knows those of bodies, too, which are not read."""
_UNLISTED = "the tree publishes no such file and lists none"
_NOT_OURS = "this server does not answer for that host; `infograph serve --allow-host NAME` lets it"


@dataclass(frozen=True, slots=True)
class Access:
    """Who may read."""

    hosts: Collection[str] = ()
    """Hosts that requests may be for besides those that only ever mean this machine, see `hosts`."""
    cors: bool = False
    """Whether pages of every origin may read."""


class Server(socketserver.ThreadingTCPServer):
    """Serves a folder until `close`.

    root:     the folder; may be changed while the server runs, and need not exist yet
    versions: versions of the tree for live reload; None: pages do not reload
    access:   who may read; without it, what asks for this machine by a name of its own, on pages of this origin
    quiet:    do not print requests that fail

    Raises OSError when the address cannot be used.
    """

    daemon_threads = True
    request_queue_size = 128
    allow_reuse_address = sys.platform != "win32"  # there it would share a port that is in use

    def __init__(
        self,
        root: Path,
        host: str,
        port: int,
        versions: Versions | None = None,
        *,
        access: Access | None = None,
        quiet: bool = False,
    ) -> None:
        self.root = root
        self.versions = versions
        self.access = access or Access()
        self.quiet = quiet
        self._host = host
        self.address_family, _, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE | socket.AI_NUMERICSERV
        )[0]
        super().__init__((str(address[0]), int(address[1])), _Handler)

    @property
    def url(self) -> str:
        """The address for a browser on this machine."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self._host, self._host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.server_address[1]}/"

    def close(self) -> None:
        """Ends `serve_forever`, which must be running in another thread, and frees the address."""
        if self.versions is not None:
            self.versions.close()
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores a client that closes its connection; prints every other error."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: Server
    raw_requestline: bytes
    protocol_version = "HTTP/1.1"
    server_version = "infograph"
    sys_version = ""
    timeout = 60.0
    """Seconds that a connection may be idle."""
    disable_nagle_algorithm = True
    wbufsize = -1
    """Writes are buffered, so that head and body leave in one packet."""

    def do_GET(self) -> None:
        self._answer()

    do_HEAD = do_GET

    def do_OPTIONS(self) -> None:
        """Answers the preflight request of browsers (Fetch, "CORS-preflight request")."""
        asked = {
            "Access-Control-Allow-Methods": _METHODS,
            "Access-Control-Allow-Headers": "*",
            "Access-Control-Max-Age": "600",
        }
        self._reply(HTTPStatus.NO_CONTENT, {"Allow": _METHODS} | (asked if self.server.access.cors else {}))

    def parse_request(self) -> bool:
        """Parses the request; False where there is none that is answered, which is then said."""
        self._forget()
        if len(self.raw_requestline.split()) < 3:  # the base class would wait for the headers of HTTP/0.9, or be silent
            self.send_error(HTTPStatus.BAD_REQUEST, "the request line is no method, target and version")
            return False
        if not super().parse_request():
            return False
        if reason := self._malformed():
            self.send_error(HTTPStatus.BAD_REQUEST, reason)
            return False
        try:
            host = asked_host(self.path, self.headers.get_all("Host", []), self.request_version)
        except NoHostError as error:
            self.send_error(HTTPStatus.BAD_REQUEST, str(error))
            return False
        here = str(self.connection.getsockname()[0]).lower()
        if not may_ask(host, {*self.server.access.hosts, here}):
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST, _NOT_OURS)
            return False
        return True

    def _forget(self) -> None:
        """Forgets the last request of the connection, so that no reply to one that cannot be parsed is made of it."""
        self.command, self.path, self.headers = "", "", HTTPMessage()
        self.request_version = self.protocol_version

    def _malformed(self) -> str:
        """What is wrong with the headers; empty where nothing is."""
        lengths = [length.strip() for length in self.headers.get_all("Content-Length", [])]
        if any(isinstance(defect, _DEFECTS) for defect in self.headers.defects):
            return "a header is malformed"
        if len(set(lengths)) > 1 or not all(length.isascii() and length.isdecimal() for length in lengths):
            return "Content-Length is no number of bytes"
        if lengths and "Transfer-Encoding" in self.headers:
            return "Content-Length and Transfer-Encoding exclude each other"
        return ""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Replies to what cannot be parsed or is not for this server, and ends the connection: what follows may be
        anything."""
        if not self.command:
            self._forget()
        self.close_connection = True
        self._say(HTTPStatus(code), printable(message or ""), {"Connection": "close"})

    def _refuse_method(self) -> None:
        self._say(HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": _METHODS})

    do_POST = do_PUT = do_PATCH = do_DELETE = do_TRACE = do_CONNECT = _refuse_method

    def _answer(self) -> None:
        try:
            segments, query = split_target(self.path)
            if segments[0] == RESERVED:
                self._answer_reserved(segments[1:])
            elif not may_be_served(segments):
                self._say(HTTPStatus.NOT_FOUND)
            else:
                self._answer_file(segments, query)
        except BadAddressError as error:
            self._say(HTTPStatus.BAD_REQUEST, str(error))

    def _answer_file(self, segments: list[str], query: str) -> None:
        """Replies with a file, a redirect to a folder's address with its slash, or the reason why there is neither."""
        *folders, last = segments
        name = last or START
        # Read before the file, so that the version is never newer than the page.
        version = self.server.versions.current if self.server.versions else None
        try:
            data = read_below(self.server.root, [*folders, name])
        except IsFolderError:
            self._say(HTTPStatus.TEMPORARY_REDIRECT, headers={"Location": folder_address(segments, query)})
        except PermissionError as error:
            self._say(HTTPStatus.FORBIDDEN, f"the file cannot be read: {error.strerror}")
        except OSError as error:
            self._say(HTTPStatus.INTERNAL_SERVER_ERROR, f"the file cannot be read: {error.strerror}")
        else:
            if data is None or not self._is_public([*folders, name], data):
                self._say(HTTPStatus.NOT_FOUND, _UNLISTED)
                return
            if version is not None and media_type(name).startswith("text/html"):
                data = with_script(data, version)
            self._send_file(data, name)

    def _is_public(self, names: list[str], data: bytes) -> bool:
        """Whether a file may be served under its names, and under those that it has once links are followed."""
        if not is_listed(self.server.root, names, data):
            return False
        real = resolved(self.server.root, names)
        if real is None:
            return False
        return real == names or (may_be_served(real) and is_listed(self.server.root, real, data))

    def _answer_reserved(self, names: list[str]) -> None:
        """Replies with the script or the events of live reload."""
        if self.server.versions is None:
            self._say(HTTPStatus.NOT_FOUND)
        elif names == [SCRIPT]:
            self._send_file(SCRIPT_TEXT, SCRIPT)
        elif names == [EVENTS]:
            self._send_events(self.server.versions)
        else:
            self._say(HTTPStatus.NOT_FOUND)

    def _send_file(self, data: bytes, name: str) -> None:
        found = represent(data, name, self.headers.get("Accept-Encoding", ""))
        headers = {"ETag": found.etag, "Cache-Control": "no-cache"}  # caches revalidate each time
        if found.varies:
            headers["Vary"] = "Accept-Encoding"
        if unchanged(found.etag, self.headers.get("If-None-Match")):
            self._reply(HTTPStatus.NOT_MODIFIED, headers)
            return
        if found.encoding:
            headers["Content-Encoding"] = found.encoding
        headers |= {"Content-Type": found.media_type, "Accept-Ranges": "bytes"}
        size = len(found.body)
        asked = self.headers.get("Range") if self.command == "GET" else None
        part = asked_range(size, found.etag, asked, self.headers.get("If-Range"))
        if part is None:
            self._reply(HTTPStatus.OK, headers, found.body)
        elif part.start == part.end:
            whole = {"Content-Range": f"bytes */{size}"}
            self._say(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, f"the file has {size} bytes", whole)
        else:
            headers["Content-Range"] = f"bytes {part.start}-{part.end - 1}/{size}"
            self._reply(HTTPStatus.PARTIAL_CONTENT, headers, found.body[part.start : part.end])

    def _send_events(self, versions: Versions) -> None:
        self.close_connection = True  # without a length, the end of the stream is the end of the connection
        headers = {"Content-Type": _EVENT_STREAM, "Cache-Control": "no-store", "Connection": "close"}
        self._reply(HTTPStatus.OK, headers)
        if self.command == "HEAD":
            return
        for event in versions.stream():
            self.wfile.write(event)
            self.wfile.flush()

    def _say(self, status: HTTPStatus, reason: str = "", headers: Mapping[str, str] = _NONE) -> None:
        """Replies with a status and its reason as a line of text."""
        text = f"{status.value} {status.phrase}{f': {reason}' if reason else ''}\n"
        self._reply(status, {"Content-Type": "text/plain; charset=utf-8", **headers}, text.encode())

    def _reply(self, status: HTTPStatus, headers: Mapping[str, str], body: bytes | None = None) -> None:
        if self._has_body():  # it is not read, and would be parsed as the next request
            self.close_connection = True
            headers = {**headers, "Connection": "close"}
        self.send_response(status)
        for name, value in {**headers, **(_EVERY_ORIGIN if self.server.access.cors else _OWN_ORIGIN)}.items():
            self.send_header(name, value)
        if body is not None:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if body is not None and self.command != "HEAD":
            self.wfile.write(body)

    def _has_body(self) -> bool:
        return self.headers.get("Content-Length", "0") != "0" or "Transfer-Encoding" in self.headers

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        if not self.server.quiet and isinstance(code, int) and code >= HTTPStatus.BAD_REQUEST:
            asked = f"{self.command} {self.path}" if self.command else "(malformed)"
            click.echo(printable(f"{time.strftime('%H:%M:%S')} {code} {asked}"), err=True)

    def log_message(self, format: str, *args: Any) -> None:
        """Prints nothing: the base class reports timeouts and malformed requests of clients."""
