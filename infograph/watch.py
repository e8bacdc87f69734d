"""`infograph watch`: build, and build again whenever the sources or the configuration change.

The system's change events only say when to look; what changed is always decided by comparing the tree with
what the last build saw. So a lost event costs time, never a stale file: a rescan now and then finds the rest.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from infograph.build import build
from infograph.config import FILE_NAME, Settings
from infograph.console import Console, print_summary
from infograph.errors import InfographError
from infograph.files import KEYWORDS, SPEC

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent
    from watchdog.observers.api import BaseObserver

SUFFIXES = (".md", ".markdown", ".mdx")
_RETRY_SECONDS = 1.0
"""Between looks for a source tree that was deleted."""


def matters(path: str, root: str, out: str) -> bool:
    """Whether a change of this path can change the outputs: a document, a keyword table, an ignore file or the
    configuration; not our own output, an editor's temporary file or anything hidden."""
    name = path.rpartition("/")[2]
    if name in (FILE_NAME, "pyproject.toml", ".gitignore"):
        return True
    if not path.startswith(root + "/"):
        return False
    relative = path[len(root) + 1 :]
    parts = relative.split("/")
    if any(part.startswith(".") for part in parts) or "node_modules" in parts:
        return False
    if out != root and (path == out or path.startswith(out + "/")):
        return False
    if "/" + relative == "/" + KEYWORDS or relative.endswith("/" + KEYWORDS):
        return True
    if parts[-1] == SPEC or any(part in ("_chunks", "_keywords", "_schema", "_search") for part in parts):
        return False
    return name.lower().endswith(SUFFIXES) and not name.startswith("#")


class _Alarm:
    """Rings once the events have been quiet for a while."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._last = 0.0

    def ring(self) -> None:
        self._last = time.monotonic()
        self._event.set()

    def wait(self, quiet: float, longest: float) -> bool:
        """Waits for an event and then for `quiet` seconds without one; False after `longest` seconds without any."""
        if not self._event.wait(longest):
            return False
        while (left := self._last + quiet - time.monotonic()) > 0:
            time.sleep(left)
        self._event.clear()
        return True


class _Watched:
    """The observer of one source tree."""

    def __init__(self, settings: Settings, alarm: _Alarm) -> None:
        from watchdog.events import FileSystemEventHandler
        from watchdog.observers import Observer

        root, out = str(settings.root), str(settings.out)
        reads_only = {"opened", "closed_no_write"}

        class Handler(FileSystemEventHandler):
            def on_any_event(self, event: FileSystemEvent) -> None:
                if event.event_type in reads_only:
                    return
                for path in (event.src_path, event.dest_path):
                    place = path.decode(errors="surrogateescape") if isinstance(path, bytes) else path
                    if place and (matters(place, root, out) or (event.is_directory and _moves(event, place, root))):
                        alarm.ring()

        self.observer: BaseObserver = Observer()
        self.observer.schedule(Handler(), root, recursive=True)
        if settings.file is not None and not settings.file.is_relative_to(settings.root):
            self.observer.schedule(Handler(), str(settings.file.parent), recursive=False)
        self.observer.start()

    def stop(self) -> None:
        self.observer.stop()
        self.observer.join()


def _moves(event: FileSystemEvent, place: str, root: str) -> bool:
    """Whether a folder that may hold documents came, went or moved."""
    if event.event_type not in ("moved", "deleted", "created"):
        return False
    relative = place[len(root) :] if place.startswith(root) else ""
    return not any(part.startswith((".", "_")) for part in relative.split("/"))


def watch(
    load: Callable[[], Settings],
    *,
    quiet: bool = False,
    stop: threading.Event | None = None,
    built: Callable[[bool], None] | None = None,
) -> None:
    """Builds until interrupted.

    load:  reads the settings; called again before each build, since the configuration is watched too
    stop:  ends the watch when set
    built: told after each look whether anything was written or removed
    """
    stop = stop or threading.Event()
    settings = load()
    alarm = _Alarm()
    watched: _Watched | None = None
    first = True
    try:
        while not stop.is_set():
            if not settings.root.is_dir():
                if watched is not None:
                    click.echo(f"{settings.root} is gone; waiting for it to come back", err=True)
                    watched.stop()
                    watched = None
                stop.wait(_RETRY_SECONDS)
                continue
            if watched is None:
                watched = _Watched(settings, alarm)
            changed = False
            try:
                settings = load()
                changed = _build(settings, quiet, first)
            except InfographError as error:
                # A half-written configuration, a full disk: say so and try again at the next change.
                if settings.root.is_dir():
                    click.echo(f"{click.style('error:', fg='red')} {error}", err=True)
            if first and not quiet:
                click.echo(f"watching {settings.root}; Ctrl-C ends", err=True)
            first = False
            if built is not None:
                built(changed)
            _sleep(alarm, settings, stop)
    finally:
        if watched is not None:
            watched.stop()


def _sleep(alarm: _Alarm, settings: Settings, stop: threading.Event) -> None:
    """Until something changed, or it is time for a rescan, or the tree is gone, or the watch ends."""
    end = time.monotonic() + settings.config.watch.rescan
    while not stop.is_set() and time.monotonic() < end:
        if alarm.wait(settings.config.watch.debounce, min(0.5, settings.config.watch.rescan)):
            return
        if not settings.root.is_dir():
            return


def _build(settings: Settings, quiet: bool, first: bool) -> bool:
    summary = build(settings, Console(quiet=quiet or not first))
    changed = bool(summary.written or summary.removed)
    if first or changed or summary.embedded:
        stamp = "" if first else time.strftime("%H:%M:%S ")
        if stamp and not quiet:
            click.echo(f"{stamp}{summary.written} written, {summary.removed} removed in {summary.seconds:.1f} s", err=True)
        if first or summary.errors:
            print_summary(settings, summary, quiet)
    return changed
