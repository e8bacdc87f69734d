"""`infograph serve`: look at a graph over HTTP, and see each build the moment it is there.

serve ─▶ Server, in a thread ◀── browser, clients
  │          ▲ next version
  └──────▶ watch, in this one: an interrupt ends it as it ends `infograph watch`
"""

from __future__ import annotations

import errno
import socket
import threading
from collections.abc import Callable

import click

from infograph.commands.serving.live import Versions
from infograph.commands.serving.server import INDEX_PAGE, Server
from infograph.config.origins import naming_origins
from infograph.config.settings import Settings
from infograph.errors import ConfigError, printable
from infograph.formats.names import EXPLORER, INDEX

_TICK = 1.0
"""Seconds between looks at whether to stop: Windows interrupts no wait that has no end."""


def serve(
    load: Callable[[], Settings],
    *,
    watch: bool = False,
    quiet: bool = False,
    stop: threading.Event | None = None,
    ready: Callable[[Server], None] | None = None,
) -> None:
    """Serves the output tree until interrupted.

    load:  reads the settings; with `watch` called before each look, since the configuration may have changed
    watch: build first and at each change, and have open pages load again
    quiet: print problems only
    stop:  ends it when set
    ready: given the server as soon as it answers

    Raises ConfigError when the address cannot be had or there is nothing to serve, and with `watch` what a first
    build raises.
    """
    stop = stop or threading.Event()
    settings = load()
    if not watch and not settings.out.is_dir():
        raise ConfigError(str(settings.out), "is no folder to serve", "Build it first, or build and serve: --watch.")
    versions = Versions() if watch else None
    server = _open(settings, versions, quiet)
    thread = threading.Thread(target=server.serve_forever, name="infograph-serve", kwargs={"poll_interval": 0.1})
    thread.start()
    try:
        if ready is not None:
            ready(server)
        if versions is None:
            _greet(server)
            while not stop.wait(_TICK):
                pass
        else:
            _watch(load, server, versions, stop)
    finally:
        server.close()
        thread.join()


def _watch(load: Callable[[], Settings], server: Server, versions: Versions, stop: threading.Event) -> None:
    from infograph.commands.watch import watch

    def load_and_follow() -> Settings:
        settings = load()
        server.root = settings.out
        return settings

    greeted = False

    def looked(changed: bool) -> None:
        nonlocal greeted
        if not greeted:  # when there is something to look at
            _greet(server)
            greeted = True
        if changed:
            versions.next()

    watch(load_and_follow, quiet=server.quiet, stop=stop, looked=looked)


@naming_origins
def _open(settings: Settings, versions: Versions | None, quiet: bool) -> Server:
    host, port = settings.config.serve.host, settings.config.serve.port
    try:
        return Server(settings.out, host, port, versions, quiet=quiet)
    except socket.gaierror as error:
        raise ConfigError("serve.host", f"{host!r} is no address of this machine: {error.strerror}") from None
    except OSError as error:
        reasons = {
            errno.EADDRINUSE: ("another program uses this port", "Choose another: `--port N`; 0 takes any free one."),
            errno.EACCES: ("this port is not for everybody", "Choose one above 1023: `--port N`."),
            errno.EADDRNOTAVAIL: ("is no address of this machine", "Leave `--host` out, or name one that is."),
        }
        reason, hint = reasons.get(error.errno or 0, (error.strerror or str(error), ""))
        raise ConfigError(f"{host}:{port}", reason, hint) from None


def _greet(server: Server) -> None:
    """Says where to look: the site's own page, or the explorer, or the index."""
    if not server.quiet:
        start = next((name for name in (INDEX_PAGE, EXPLORER) if (server.root / name).is_file()), INDEX)
        click.echo(f"serving {printable(str(server.root))} at {server.url}{start.removeprefix(INDEX_PAGE)}", err=True)
