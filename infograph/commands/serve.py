"""`infograph serve`: serves a built tree over HTTP, with `--watch` reloading pages after each build.

serve ─▶ Server, in a thread of its own ◀── browser, clients
  │          ▲ next version
  └──────▶ watch, in the calling thread, so that an interrupt ends it as it ends `infograph watch`
"""

from __future__ import annotations

import errno
import os
import shlex
import socket
import threading
from collections.abc import Callable

import click

from infograph.commands.serving.hosts import NoHostError, normal
from infograph.commands.serving.listing import START, sites_below
from infograph.commands.serving.live import Versions
from infograph.commands.serving.server import Access, Server
from infograph.config.origins import naming_origins
from infograph.config.settings import Settings
from infograph.errors import ConfigError, printable
from infograph.formats.hrefs import encode_path
from infograph.formats.names import EXPLORER, FEDERATION, INDEX

_SITES_NAMED = 10
"""Most sites of a federation whose explorers are named."""
_TICK = 1.0
"""Seconds between checks whether to stop: on Windows, Ctrl-C does not interrupt a wait without a timeout."""


def serve(
    load: Callable[[], Settings],
    *,
    watch: bool = False,
    quiet: bool = False,
    stop: threading.Event | None = None,
    ready: Callable[[Server], None] | None = None,
) -> None:
    """Serves the output tree until interrupted.

    load:  reads the settings; with `watch` called before each build, since the configuration may have changed
    watch: build first and at each change, and make open pages reload
    quiet: print problems only
    stop:  ends serving when set
    ready: called with the server as soon as it answers

    Raises ConfigError when the address cannot be used or there is nothing to serve, and with `watch` what the first
    build raises.
    """
    stop = stop or threading.Event()
    settings = load()
    if not watch and not any((settings.out / name).is_file() for name in (INDEX, FEDERATION)):
        raise _unbuilt(settings)
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


def _unbuilt(settings: Settings) -> ConfigError:
    """The error of a folder that holds no tree, with what to type."""
    folder = shlex.quote(os.path.relpath(settings.out))
    if not settings.out.is_dir():
        hint = f"Build it first: `infograph build DOCS --out {folder}`, or do both: `infograph serve DOCS --watch`."
        return ConfigError(str(settings.out), "is no folder to serve", hint)
    hint = f"Build it first: `infograph build {folder}`, or do both: `infograph serve {folder} --watch`."
    return ConfigError(str(settings.out), "holds no built tree", hint)


def _watch(load: Callable[[], Settings], server: Server, versions: Versions, stop: threading.Event) -> None:
    """Builds until stopped, and tells the server each version and the folder that the settings name now."""
    from infograph.commands.watch import watch

    def load_and_follow() -> Settings:
        settings = load()
        server.root = settings.out
        return settings

    greeted = False

    def looked(changed: bool) -> None:
        nonlocal greeted
        if not greeted:  # after the first build, when there is something to serve
            _greet(server)
            greeted = True
        if changed:
            versions.next()

    watch(load_and_follow, quiet=server.quiet, stop=stop, looked=looked)


@naming_origins
def _open(settings: Settings, versions: Versions | None, quiet: bool) -> Server:
    """A server on the address of the settings. Raises ConfigError with the reason when it cannot be used."""
    host, port = settings.config.serve.host, settings.config.serve.port
    access = Access(_allowed(settings), cors=settings.config.serve.cors)
    try:
        return Server(settings.out, host, port, versions, access=access, quiet=quiet)
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


def _allowed(settings: Settings) -> frozenset[str]:
    """The hosts that requests may be for. Raises ConfigError for one that no request can name."""
    names = set()
    for name in settings.config.serve.allow_hosts:
        try:
            names.add(normal(f"[{name}]" if name.count(":") > 1 and not name.startswith("[") else name))
        except NoHostError as error:
            hint = "Write it as a browser's address bar does: `docs.example`, without `http://`."
            raise ConfigError("serve.allow_hosts", f"{name!r}: {error}", hint) from None
    return frozenset(names | {settings.config.serve.host.lower()})


def _greet(server: Server) -> None:
    """Prints the address to open: the site's own page if there is one, else the explorer, else the index, or what a
    federation is searched by; then the explorers of its sites."""
    if server.quiet:
        return
    start = next((name for name in (START, EXPLORER, INDEX, FEDERATION) if (server.root / name).is_file()), INDEX)
    click.echo(f"serving {printable(str(server.root))} at {server.url}{start.removeprefix(START)}", err=True)
    explorers = [[*names, EXPLORER] for names in sites_below(server.root)]
    for names in sorted(own for own in explorers if server.root.joinpath(*own).is_file())[:_SITES_NAMED]:
        click.echo(f"  {server.url}{encode_path('/'.join(names))}", err=True)
