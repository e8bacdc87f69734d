"""`infograph watch`: build, and build again whenever the sources or the configuration change.

    build ─▶ wait until something may have changed ─▶ wait until changes pause ─▶ build …

Each build compares the tree with the memory of the last one, and costs next to nothing when they are equal; a worker
process is kept from one to the next. The system's change events only say when to build. They may come twice, late or,
when its queue overflows, not at all: that costs time, never a stale file, because there is also a build, a rescan, at
regular intervals. While the model of a first build has minutes of work before it, `early.py` publishes without it.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from infograph.commands.console import Console, MessagePrinter, print_summary, print_warnings
from infograph.commands.early import EarlyBuilds
from infograph.config import FILE_NAME
from infograph.config.settings import Settings
from infograph.errors import InfographError, Notice
from infograph.files.stamps import RACY_NANOSECONDS
from infograph.formats.names import ENRICHMENT, OWN_FOLDERS, PRIVATE, WEB_FOLDERS, is_published, is_spec, is_table
from infograph.model import MARKDOWN, OTHERS
from infograph.pipeline.summary import Summary
from infograph.progress import amount
from infograph.source.conversion.table import CONVERTERS

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent
    from watchdog.observers.api import BaseObserver

_TICK = 0.5
"""Seconds between checks whether the source tree still exists: a deleted one sends no events."""
_DEAF_RESCAN = 2.0
"""Most seconds between rescans where the system gives no events."""
_PATIENCE = 20
"""Number of debounce times after which the tree is built even if changes do not pause."""
_SLICE = 1.0
"""Seconds that are waited for an event at a stretch."""

_CONFIGURATION = frozenset({FILE_NAME, "pyproject.toml", ".gitignore"})
"""Names of files that change what is built, wherever they lie."""
_SUFFIXES = (*MARKDOWN, *OTHERS, *CONVERTERS)
"""Suffixes of documents."""


def watch(
    load: Callable[[], Settings],
    *,
    quiet: bool = False,
    stop: threading.Event | None = None,
    looked: Callable[[bool], None] | None = None,
) -> None:
    """Builds, and builds again at each change, until interrupted.

    load:   reads the settings; called before each build, since the configuration may have changed
    quiet:  print problems only
    stop:   ends the watch when set
    looked: called after each build with whether it wrote or removed anything

    Raises InfographError when the first build fails. What goes wrong later (a configuration that is being edited, a
    full disk) is printed once and tried again at the next change or rescan.
    """
    stop = stop or threading.Event()
    looked = looked or (lambda changed: None)
    reporter = _Reporter(quiet)
    alarm = _Alarm()
    builds = EarlyBuilds(alarm.ring)
    _hush_watchdog()
    settings = load()
    listener = _Listener(settings, alarm, reporter)  # before the first build, so that an edit during it is heard
    try:
        changed = reporter.first(settings, builds.build(settings, Console(quiet=quiet)))
        looked(changed)
        builds.rest(settings)
        once_more = False
        while True:
            once_more = changed and not once_more
            if once_more:
                alarm.ring()  # events of our own writes may have displaced that of an edit
            _wait(alarm, listener, settings, stop)
            if stop.is_set():
                return
            if not listener.intact():
                listener.stop()
                settings = _wait_for_tree(load, settings, reporter, stop)
                listener = _Listener(settings, alarm, reporter)
                alarm.ring()  # build once the tree has been restored completely
                continue
            changed = False
            listener.looking()
            try:
                settings = load()
                if not listener.listens_to(settings):
                    listener.stop()
                    listener = _Listener(settings, alarm, reporter)
                changed = reporter.again(settings, builds.build(settings, reporter))
            except (InfographError, OSError) as error:  # OSError: the tree vanished during the build
                if listener.intact():
                    reporter.failed(error)
            looked(changed)
            if changed:
                builds.rest(settings)
    finally:
        builds.close()
        listener.stop()


def _hush_watchdog() -> None:
    """Silences watchdog 7's messages: a new folder found twice, a stop during a wait, events that the system dropped.

    None of these loses a change for longer than a rescan.
    """
    import logging
    import warnings

    warnings.filterwarnings("ignore", "Callback with id .* already exists", RuntimeWarning)
    logging.getLogger("watchdog").addHandler(logging.NullHandler())


def _wait(alarm: _Alarm, listener: _Listener, settings: Settings, stop: threading.Event) -> None:
    """Waits until something may have changed, a rescan is due, the tree is gone, or the watch is stopped."""
    rescan = settings.config.watch.rescan
    end = time.monotonic() + (min(rescan, _DEAF_RESCAN) if listener.deaf else rescan)
    while not stop.is_set() and listener.intact() and (left := end - time.monotonic()) > 0:
        if alarm.wait(settings.config.watch.debounce, min(left, _TICK)):
            return


def _wait_for_tree(
    load: Callable[[], Settings], settings: Settings, reporter: _Reporter, stop: threading.Event
) -> Settings:
    """Waits until the source tree is back, or the configuration names another one; returns the settings then."""
    if settings.root.is_dir():
        return settings
    reporter.say(f"{settings.root} is gone; waiting for it to come back")
    while not stop.wait(_TICK):
        try:
            return load()
        except InfographError:  # still gone, or a broken configuration, which the next build reports
            continue
    return settings


def matters(path: str, root: str, out: str, *, directory: bool = False) -> bool:
    """Whether a change of this path can change the outputs.

    True for a document, a folder that may hold documents, a keyword table, an ignore file and the configuration; False
    for our own outputs, an editor's temporary files and everything hidden. Where it is wrongly True, a build finds
    nothing to do; where wrongly False, the change waits for the rescan.

    path, root, out: absolute paths with slashes
    """
    relative = path.removeprefix(root + "/")
    *folders, name = relative.split("/")
    below = relative != path
    if not directory and name in _CONFIGURATION:
        return True
    if not below:
        return False
    if is_table(relative):
        folders = folders[:-1]  # its rows may be edited by hand
    elif folders[-1:] == [ENRICHMENT] and name.endswith((".json", ".jsonl")) and not directory:
        folders = folders[:-1]  # what a language model said is an input
    elif (
        (out != root and f"{path}/".startswith(out + "/"))
        or is_published(relative)
        or (directory and relative in WEB_FOLDERS)
    ):
        return False
    elif directory:
        folders.append(name)
    elif name.startswith(".") or is_spec(name) or not name.lower().endswith(_SUFFIXES):
        return False
    return not any(part.startswith(".") or part == "node_modules" or part in OWN_FOLDERS for part in folders)


class _Alarm:
    """Wakes the watch once events have come and then paused for a while."""

    def __init__(self) -> None:
        self._rung = threading.Event()
        self._last = 0.0

    def ring(self) -> None:
        """Notes an event; may be called from any thread."""
        self._last = time.monotonic()
        self._rung.set()

    def wait(self, quiet: float, longest: float) -> bool:
        """Waits for an event and then for `quiet` seconds without one; False after `longest` seconds without any."""
        until = time.monotonic() + longest
        # In slices: a signal that arrives just before Python begins to wait is seen only when it stops.
        while not self._rung.wait(min(_SLICE, max(0.0, until - time.monotonic()))):
            if time.monotonic() >= until:
                return False
        patience = time.monotonic() + _PATIENCE * quiet
        while (left := min(self._last + quiet, patience) - time.monotonic()) > 0:
            time.sleep(left)
        self._rung.clear()
        return True


class _Listener:
    """Rings the alarm at changes of one source tree and of the configuration beside it."""

    def __init__(self, settings: Settings, alarm: _Alarm, reporter: _Reporter) -> None:
        from watchdog.observers import Observer

        self._settings = settings
        self._alarm = alarm
        self._identity = _identity(settings.root)
        self._looked = time.time_ns()  # a listener is made just before a build
        self._observer: BaseObserver | None = None
        try:
            self._observer = Observer()
            self._start(self._observer, settings)
        except OSError as error:  # no room for more inotify watches, or the tree vanished
            self.stop()
            if self._identity is not None:
                reporter.say(f"no change events ({error.strerror}): looking every few seconds instead")

    def _start(self, observer: BaseObserver, settings: Settings) -> None:
        from watchdog import events

        class Handler(events.FileSystemEventHandler):
            on_any_event = staticmethod(self._hear)

        # Only these, so that the kernel does not queue the opening and closing of every file that a build reads.
        wanted: list[type[FileSystemEvent]] = [
            events.FileCreatedEvent,
            events.FileModifiedEvent,
            events.FileClosedEvent,
            events.FileMovedEvent,
            events.FileDeletedEvent,
            events.DirCreatedEvent,
            events.DirMovedEvent,
            events.DirDeletedEvent,
        ]
        observer.schedule(Handler(), str(settings.root), recursive=True, event_filter=wanted)
        for folder in _configuration_folders(settings):
            observer.schedule(Handler(), str(folder), event_filter=wanted)
        observer.start()

    def _hear(self, event: FileSystemEvent) -> None:
        """Rings the alarm for an event that matters; called from the observer's threads."""
        root, out = self._settings.root.as_posix(), self._settings.out.as_posix()
        for place in (event.src_path, event.dest_path):
            path = os.fsdecode(place).replace(os.sep, "/")
            if path and matters(path, root, out, directory=event.is_directory) and not self._published(event, path):
                self._alarm.ring()

    def _published(self, event: FileSystemEvent, path: str) -> bool:
        """Whether the event is a build of ours renaming a keyword table into place.

        The system may report only half of a renaming, a creation, and late. A table that arrived before the last build
        began was seen by that build, whether it is ours or not.
        """
        if not is_table(path):
            return False
        if event.event_type == "created":
            return _arrival(Path(path)) < self._looked
        return f"{os.sep}{PRIVATE}{os.sep}" in os.fsdecode(event.src_path)

    def looking(self) -> None:
        """Notes that a build begins, which sees every change made so far."""
        self._looked = time.time_ns()

    @property
    def deaf(self) -> bool:
        """Whether the system gives no events."""
        return self._observer is None

    def listens_to(self, settings: Settings) -> bool:
        """Whether the settings name the tree, outputs and configuration that this listener was made for."""
        ours = self._settings
        return (ours.root, ours.out, ours.file) == (settings.root, settings.out, settings.file)

    def intact(self) -> bool:
        """Whether the tree is still the one this listener was made for: neither gone nor replaced by another."""
        if self._identity is None or _identity(self._settings.root) != self._identity:
            return False
        # A thread of the observer ends when its folder is deleted; a new folder may get the same inode.
        return self._observer is None or all(emitter.is_alive() for emitter in self._observer.emitters)

    def stop(self) -> None:
        """Ends the observer's threads; may be called twice."""
        if self._observer is None:
            return
        self._observer.stop()
        if self._observer.is_alive():
            self._observer.join()
        self._observer = None


def _configuration_folders(settings: Settings) -> list[Path]:
    """Folders outside of the tree whose changes may change its configuration.

    These are the folder of the configuration file, and those where one made later would be found: the folders above
    the tree as far as its repository reaches. Without a repository these would be all folders up to the root of the
    file system, some of which change all the time; then only the tree's parent and the working directory count.
    """
    above = settings.root.parents
    repository = (n for n, folder in enumerate((settings.root, *above)) if (folder / ".git").exists())
    folders = set(above[: next(repository, 1)])
    if settings.file:
        folders.add(settings.file.parent.resolve())
    elif (here := Path.cwd()) in above:
        folders.add(here)
    # A folder that cannot be listed cannot be observed either, and must not make the others fail.
    return sorted(f for f in folders if not f.is_relative_to(settings.root) and os.access(f, os.R_OK))


def _arrival(path: Path) -> int:
    """When a file arrived at its path, in nanoseconds since the epoch, rounded up.

    A file that is moved keeps its time of modification, but not its time of change, nor its folder's where that moves.
    """
    try:
        statuses = path.lstat(), path.parent.stat()
    except OSError:
        return time.time_ns()
    return max(max(status.st_ctime_ns, status.st_mtime_ns) for status in statuses) + RACY_NANOSECONDS


def _identity(folder: Path) -> tuple[int, int] | None:
    """Device and inode of a folder; None where it is missing."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


class _Reporter(MessagePrinter):
    """Prints each rebuild as one line and each problem once, on standard error.

    During a build it shows no progress bar, only the messages of the build: that it waits for a lock, or takes long.
    """

    def __init__(self, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self._known: set[str] = set()
        """Errors that were printed and still stand."""
        self._warned: set[tuple[str, str, int, str]] = set()
        """Warnings that were printed and still stand, without line numbers."""

    def first(self, settings: Settings, summary: Summary) -> bool:
        """Prints the first build in full; returns whether it changed anything."""
        print_summary(settings, summary, self._quiet)
        self._known = {str(error) for error in summary.errors}
        self._warned = set(map(_without_lines, summary.notices))
        self.say(f"watching {settings.root}; Ctrl-C ends")
        return _changed(summary)

    def again(self, settings: Settings, summary: Summary) -> bool:
        """Prints what is new since the last build; returns whether this one changed anything."""
        mended = bool(self._known) and not summary.errors
        self._problems(*summary.errors)
        print_warnings(settings, [n for n in summary.notices if _without_lines(n) not in self._warned], self._quiet)
        self._warned = set(map(_without_lines, summary.notices))
        if _changed(summary):
            done = f"{amount(summary.written, 'file')} written, {summary.removed:,} removed"
            self.say(f"{time.strftime('%H:%M:%S')} {done} in {summary.seconds:.1f} s")
        elif mended:
            self.say(f"{time.strftime('%H:%M:%S')} no problem left, nothing to write")
        return _changed(summary)

    def failed(self, error: Exception) -> None:
        """Prints why a build failed, unless the last one failed for the same reason."""
        self._problems(error)

    def _problems(self, *errors: Exception) -> None:
        for error in errors:
            if str(error) not in self._known:
                click.echo(f"{click.style('error:', fg='red')} {error}", err=True)
        self._known = {str(error) for error in errors}


def _changed(summary: Summary) -> bool:
    return bool(summary.written or summary.removed)


def _without_lines(notice: Notice) -> tuple[str, str, int, str]:
    """A warning as a key, without the line numbers in its message, which change with every line added above."""
    return notice.path, notice.kind, notice.count, re.sub(r"\d+", "", notice.message)
