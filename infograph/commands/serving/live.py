"""Live reload: pages that are open in a browser load again after a build.

A page gets a script that knows the version it was made of. The script listens to server-sent events, each a version,
and reloads the page at the first that is another one. So a build that ends between the page and the script's first
event is not missed, nor is a restart of the server.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator

EVENTS = "events"
SCRIPT = "reload.js"

HEARTBEAT = 15.0
"""Seconds between signs of life: writing to a connection is how the server learns that it was closed."""

SCRIPT_TEXT = b"""\
// Loads the page again when what it shows was built again. Only `infograph serve --watch` adds this.
const script = new URL(document.currentScript.src);
const version = script.searchParams.get("version");
let events;

function listen() {
  events?.close();
  // A hidden page lets go of its connection: a browser has six of them for all its pages of one server.
  if (document.hidden) return;
  events = new EventSource(new URL("events", script));
  events.onmessage = (event) => {
    if (event.data !== version) location.reload();
  };
}

document.addEventListener("visibilitychange", listen);
addEventListener("pagehide", () => events?.close());
addEventListener("pageshow", listen);
listen();
"""


class Versions:
    """The version of what is served, and those who wait for the next one."""

    def __init__(self) -> None:
        self._run = secrets.token_hex(4)
        self._number = 0
        self._closed = False
        self._changed = threading.Condition()

    @property
    def current(self) -> str:
        with self._changed:
            return f"{self._run}-{self._number}"

    def next(self) -> None:
        """Called after each build that changed something, when the last of its files is in place."""
        with self._changed:
            self._number += 1
            self._changed.notify_all()

    def close(self) -> None:
        """Ends all streams."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def stream(self) -> Iterator[bytes]:
        """The current version and every later one as server-sent events, until `close`."""
        told = -1
        while True:
            with self._changed:
                if self._number == told and not self._closed:
                    self._changed.wait(HEARTBEAT)
                if self._closed:
                    return
                news, told = self._number != told, self._number
            yield f"retry: 1000\ndata: {self._run}-{told}\n\n".encode() if news else b":\n\n"


def with_script(page: bytes, version: str) -> bytes:
    """An HTML page with the script at its end. A parser puts what follows `</html>` into the body; a script of the
    same origin passes a content security policy that allows `'self'`."""
    return page + f'\n<script src="/.infograph/{SCRIPT}?version={version}"></script>\n'.encode()
