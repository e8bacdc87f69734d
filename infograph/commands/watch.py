"""`infograph watch`: build, and build again whenever the sources or the configuration change.

    look ─▶ wait until something may have changed ─▶ wait until it is quiet ─▶ look …

A look is a whole build: it compares the tree with what the last build saw, and costs next to nothing when they
are equal. The system's change events only say when to look. They may come twice, late or, when its queue
overflows, not at all: that costs time, never a stale file, because a rescan now and then looks without one.
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

from infograph.build import build
from infograph.commands.console import Console, print_summary, print_warnings
from infograph.config import FILE_NAME
from infograph.config.settings import Settings
from infograph.errors import InfographError, Notice, printable
from infograph.files.stamps import RACY_NANOSECONDS
from infograph.formats.names import OWN_FOLDERS, PRIVATE, SPEC, WEB_FOLDERS, is_published, is_table
from infograph.model import MARKDOWN, OTHERS
from infograph.pipeline.summary import Summary
from infograph.progress import Silent, amount

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent
    from watchdog.observers.api import BaseObserver

_TICK = 0.5
"""Seconds between looks at whether the source tree is still there: a deleted one sends no events."""
_DEAF_RESCAN = 2.0
"""Seconds between rescans, at most, where the system has no events to give."""
_PATIENCE = 20
"""Debounce times after which a tree that never gets quiet is built all the same."""

_CONFIGURATION = frozenset({FILE_NAME, "pyproject.toml", ".gitignore"})
_SUFFIXES = (*MARKDOWN, *OTHERS)


def watch(
    load: Callable[[], Settings],
    *,
    quiet: bool = False,
    stop: threading.Event | None = None,
    looked: Callable[[bool], None] | None = None,
) -> None:
    """Builds, and builds again at each change, until interrupted.

    load:   reads the settings; called before each look, since the configuration may have changed
    quiet:  print problems only
    stop:   ends the watch when set
    looked: told after each look whether it wrote or removed anything

    Raises InfographError when the first build cannot be made. What goes wrong later (a configuration that is
    being edited, a full disk) is said once and tried again at the next change or rescan.
    """
    stop = stop or threading.Event()
    looked = looked or (lambda changed: None)
    report = _Report(quiet)
    alarm = _Alarm()
    _hush_watchdog()
    settings = load()
    listener = _Listener(settings, alarm, report)  # before the first build: an edit made during it counts
    try:
        changed = report.first(settings, build(settings, Console(quiet=quiet)))
        looked(changed)
        once_more = False
        while True:
            once_more = changed and not once_more
            if once_more:
                alarm.ring()  # the events of our own writes may have crowded out that of an edit
            _wait(alarm, listener, settings, stop)
            if stop.is_set():
                return
            if not listener.intact():
                listener.stop()
                settings = _wait_for_tree(load, settings, report, stop)
                listener = _Listener(settings, alarm, report)
                alarm.ring()  # look when whoever brings the tree back has finished
                continue
            changed = False
            listener.looking()
            try:
                settings = load()
                if not listener.listens_to(settings):
                    listener.stop()
                    listener = _Listener(settings, alarm, report)
                changed = report.again(settings, build(settings, report))
            except (InfographError, OSError) as error:  # OSError: the tree went away under the build
                if listener.intact():
                    report.failed(error)
            looked(changed)
    finally:
        listener.stop()


def _hush_watchdog() -> None:
    """Keeps off the terminal what watchdog 7 says about itself: that it came upon a new folder twice, that it was
    stopped while it waited, that the system dropped events. None of it loses a change for longer than a rescan."""
    import logging
    import warnings

    warnings.filterwarnings("ignore", "Callback with id .* already exists", RuntimeWarning)
    logging.getLogger("watchdog").addHandler(logging.NullHandler())


def _wait(alarm: _Alarm, listener: _Listener, settings: Settings, stop: threading.Event) -> None:
    """Until something may have changed, or it is time for a rescan, or the tree is gone, or the watch ends."""
    rescan = settings.config.watch.rescan
    end = time.monotonic() + (min(rescan, _DEAF_RESCAN) if listener.deaf else rescan)
    while not stop.is_set() and listener.intact() and (left := end - time.monotonic()) > 0:
        if alarm.wait(settings.config.watch.debounce, min(left, _TICK)):
            return


def _wait_for_tree(
    load: Callable[[], Settings], settings: Settings, report: _Report, stop: threading.Event
) -> Settings:
    """Until the source tree is back, or the configuration names another one that is there."""
    if settings.root.is_dir():
        return settings
    report.say(f"{settings.root} is gone; waiting for it to come back")
    while not stop.wait(_TICK):
        try:
            return load()
        except InfographError:  # it is still gone: that was said, and a broken configuration will be
            continue
    return settings


def matters(path: str, root: str, out: str, *, directory: bool = False) -> bool:
    """Whether a change of this path can change the outputs: a document, a folder that may hold some, a keyword
    table, an ignore file or the configuration; not our own output, an editor's temporary file or anything hidden.

    A wrong yes costs a look that finds nothing, a wrong no waits for the rescan.

    path, root, out: absolute, with slashes
    """
    relative = path.removeprefix(root + "/")
    *folders, name = relative.split("/")
    below = relative != path
    if not directory and name in _CONFIGURATION:
        return True
    if not below:
        return False
    if is_table(relative):
        folders = folders[:-1]  # holds rows that somebody may set by hand
    elif (
        (out != root and f"{path}/".startswith(out + "/"))
        or is_published(relative)
        or (directory and relative in WEB_FOLDERS)
    ):
        return False
    elif directory:
        folders.append(name)
    elif name.startswith(".") or name == SPEC or not name.lower().endswith(_SUFFIXES):
        return False
    return not any(part.startswith(".") or part == "node_modules" or part in OWN_FOLDERS for part in folders)


class _Alarm:
    """Rung by events; wakes the watch once they have been quiet for a while."""

    def __init__(self) -> None:
        self._rung = threading.Event()
        self._last = 0.0

    def ring(self) -> None:
        self._last = time.monotonic()
        self._rung.set()

    def wait(self, quiet: float, longest: float) -> bool:
        """Waits for a ring, then for `quiet` seconds without one; False after `longest` seconds without any."""
        if not self._rung.wait(longest):
            return False
        patience = time.monotonic() + _PATIENCE * quiet
        while (left := min(self._last + quiet, patience) - time.monotonic()) > 0:
            time.sleep(left)
        self._rung.clear()
        return True


class _Listener:
    """Listens to the changes of one source tree, and of the configuration beside it."""

    def __init__(self, settings: Settings, alarm: _Alarm, report: _Report) -> None:
        from watchdog.observers import Observer

        self._settings = settings
        self._alarm = alarm
        self._identity = _identity(settings.root)
        self._looked = time.time_ns()  # whoever makes a listener looks next
        self._observer: BaseObserver | None = None
        try:
            self._observer = Observer()
            self._start(self._observer, settings)
        except OSError as error:  # no room for more inotify watches, or the tree went away
            self.stop()
            if self._identity is not None:
                report.say(f"no change events ({error.strerror}): looking every few seconds instead")

    def _start(self, observer: BaseObserver, settings: Settings) -> None:
        from watchdog import events

        class Handler(events.FileSystemEventHandler):
            on_any_event = staticmethod(self._hear)

        # Named, so that the kernel does not queue the opening and closing of every file that a build reads.
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
        root, out = self._settings.root.as_posix(), self._settings.out.as_posix()
        for place in (event.src_path, event.dest_path):
            path = os.fsdecode(place).replace(os.sep, "/")
            if path and matters(path, root, out, directory=event.is_directory) and not self._published(event, path):
                self._alarm.ring()

    def _published(self, event: FileSystemEvent, path: str) -> bool:
        """Whether a build of ours renamed this keyword table into place. The system may tell only half of that, a
        creation, and late; but a table that came before the last look began was seen by it, whoever made it."""
        if not is_table(path):
            return False
        if event.event_type == "created":
            return _arrival(Path(path)) < self._looked
        return f"{os.sep}{PRIVATE}{os.sep}" in os.fsdecode(event.src_path)

    def looking(self) -> None:
        """To be called when a look begins: it sees whatever is there."""
        self._looked = time.time_ns()

    @property
    def deaf(self) -> bool:
        """Whether the system gives no events."""
        return self._observer is None

    def listens_to(self, settings: Settings) -> bool:
        """Whether these are the places it was made for."""
        ours = self._settings
        return (ours.root, ours.out, ours.file) == (settings.root, settings.out, settings.file)

    def intact(self) -> bool:
        """Whether the tree is still the one it was made for: not gone, nor replaced by another of its name."""
        if self._identity is None or _identity(self._settings.root) != self._identity:
            return False
        # A thread of the observer ends when its folder is deleted; another folder may get the same inode.
        return self._observer is None or all(emitter.is_alive() for emitter in self._observer.emitters)

    def stop(self) -> None:
        if self._observer is None:
            return
        self._observer.stop()
        if self._observer.is_alive():
            self._observer.join()
        self._observer = None


def _configuration_folders(settings: Settings) -> list[Path]:
    """Folders outside of the tree where its configuration lies, or where one made later would be found: above the tree
    as far as its repository goes. Without a repository that would be the whole way up, past folders that never come to
    rest, so then it is the one that the tree lies in, and the working directory above it."""
    above = settings.root.parents
    repository = (n for n, folder in enumerate((settings.root, *above)) if (folder / ".git").exists())
    folders = set(above[: next(repository, 1)])
    if settings.file:
        folders.add(settings.file.parent.resolve())
    elif (here := Path.cwd()) in above:
        folders.add(here)
    # One that may be passed through and not listed cannot be listened to, and must not cost the events of the others.
    return sorted(f for f in folders if not f.is_relative_to(settings.root) and os.access(f, os.R_OK))


def _arrival(path: Path) -> int:
    """When a file came to its place, in nanoseconds, and rather too late: a file that is moved keeps its time of
    modification, but the system notes the change of its name, and of its folder's where that is moved."""
    try:
        statuses = path.lstat(), path.parent.stat()
    except OSError:
        return time.time_ns()
    return max(max(status.st_ctime_ns, status.st_mtime_ns) for status in statuses) + RACY_NANOSECONDS


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        status = folder.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


class _Report(Silent):
    """What a person sees: each rebuild in one line, each problem once. Writes to standard error.

    As a reporter it draws no progress, but passes on what a build says: whom it waits for, that it takes long.
    """

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._known: set[str] = set()
        """Problems that were shown and still stand."""
        self._warned: set[tuple[str, str, int, str]] = set()
        """Warnings likewise."""

    def first(self, settings: Settings, summary: Summary) -> bool:
        print_summary(settings, summary, self._quiet)
        self._known = {str(error) for error in summary.errors}
        self._warned = set(map(_without_lines, summary.notices))
        self.say(f"watching {settings.root}; Ctrl-C ends")
        return _changed(summary)

    def again(self, settings: Settings, summary: Summary) -> bool:
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
        self._problems(error)

    def say(self, message: str) -> None:
        if not self._quiet:
            click.echo(printable(message), err=True)

    def _problems(self, *errors: Exception) -> None:
        for error in errors:
            if str(error) not in self._known:
                click.echo(f"{click.style('error:', fg='red')} {error}", err=True)
        self._known = {str(error) for error in errors}


def _changed(summary: Summary) -> bool:
    return bool(summary.written or summary.removed)


def _without_lines(notice: Notice) -> tuple[str, str, int, str]:
    """A warning without the numbers in its message: those of its lines change with every line written above them."""
    return notice.path, notice.kind, notice.count, re.sub(r"\d+", "", notice.message)
