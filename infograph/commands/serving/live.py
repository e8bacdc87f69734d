"""Live reload: pages that are open in a browser reload after a build.

Each HTML page is served with a script that knows the page's version. The script listens to server-sent events, each
with the current version, and reloads the page when they differ. So neither a build that ends between the page and the
script's first event nor a restart of the server is missed.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator

EVENTS = "events"
"""Name of the event stream below the reserved folder."""
SCRIPT = "reload.js"
"""Name of the script below the reserved folder."""

HEARTBEAT = 15.0
"""Seconds between comments on an idle stream: only a write shows the server that a connection was closed."""

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
    """The version of the served tree, and the event streams that wait for the next one."""

    def __init__(self) -> None:
        self._run = secrets.token_hex(4)
        self._number = 0
        self._closed = False
        self._changed = threading.Condition()

    @property
    def current(self) -> str:
        """The version as pages carry it; it differs between two runs of the server."""
        with self._changed:
            return f"{self._run}-{self._number}"

    def next(self) -> None:
        """Starts a new version: to be called after a build that changed something, with all of its files in place."""
        with self._changed:
            self._number += 1
            self._changed.notify_all()

    def close(self) -> None:
        """Ends all event streams."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def stream(self) -> Iterator[bytes]:
        """Yields the current version and every later one as server-sent events, until `close`."""
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
    """An HTML page with the script appended.

    A parser moves what follows `</html>` into the body; a script of the same origin passes a content security policy
    that allows `'self'`.
    """
    return page + f'\n<script src="/.infograph/{SCRIPT}?version={version}"></script>\n'.encode()
