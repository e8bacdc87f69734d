"""Names of outputs, and the only writer of them.

A build stages every changed file in a folder of its own under `.infograph/staging/`, makes the staged bytes durable,
and only then renames them into place: chunks first, the root index last. A crash, a full disk or a kill before that
leaves the published tree as it was; the next run throws away what is staged.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from infograph import web
from infograph.disk import blocked, cannot_write, refuse_links, same_bytes
from infograph.durable import Ahead, make_directories_durable, make_durable
from infograph.errors import OutputError
from infograph.lock import locked_error, take_lock

CHUNKS = "_chunks"
KEYWORDS = "_keywords/words.md"
SPEC = "topic-spec.md"
INDEX = "index.json"
SCHEMA = "_schema/index.schema.json"
LLMS = "llms.txt"
NO_JEKYLL = ".nojekyll"
NO_JEKYLL_TEXT = b"Written by infograph: Jekyll would leave out folders such as _chunks.\n"
CACHE = ".embedding-cache"
SEARCH = "_search"
"""The search bundle."""
SEARCH_MANIFEST = f"{SEARCH}/manifest.json"

OWN_FOLDERS = (CHUNKS, "_keywords", "_schema", SEARCH)
"""Folders that hold nothing but outputs."""

PRIVATE = ".infograph"
"""What one machine remembers of its last build. Never published, safe to delete."""
LOCK = f"{PRIVATE}/lock"
STAGING = f"{PRIVATE}/staging"
OUTPUT_MARK = f"{PRIVATE}/output"
"""Present in an `--out` tree only: discovery never takes such a tree for sources."""


def join(topic: str, name: str) -> str:
    """Path of a file of a topic, relative to the root; the root topic is the empty string."""
    return f"{topic}/{name}" if topic else name


class Staged(NamedTuple):  # they travel between processes by the ten thousand, a tuple faster than a dataclass
    """One file that waits in the staging folder."""

    target: str
    """Posix path relative to the output root."""
    staged: str
    """Path inside the build's staging folder."""


@dataclass(slots=True)
class Stage:
    """Writes files beside the tree, ready to be renamed into it.

    Worker processes each have one with a prefix of their own, so that names never clash. The files of an own folder
    that is not there yet gather in one folder, whoever stages them: a single rename then publishes all of them.
    """

    root: Path
    prefix: str
    build: str
    """`Output.build` of the build it writes for."""
    dry: bool = False
    """Only say what would change."""
    count: int = 0
    written: int = 0
    """Bytes staged."""
    _safe: set[str] = field(default_factory=set)
    """Folders that are no links."""
    _absent: dict[str, str] = field(default_factory=dict)
    """Folders that are not there yet, so that no file can be, and where files for them are staged."""

    def put(self, target: str, data: bytes) -> Staged | None:
        """Stages `data` for `target`; None when the file already holds these bytes."""
        folder, _, base = target.rpartition("/")
        if folder not in self._safe:
            self._look_at(folder)
        gathered = self._absent.get(folder)
        if gathered is None and same_bytes(os.path.join(self.root, target), data):
            return None
        name = f"{gathered}/{base}" if gathered else f"{self.prefix}-{self.count}"
        self.count += 1
        self.written += len(data)
        if self.dry:
            return Staged(target, name)
        try:
            place = f"{self.root}/{STAGING}/{self.build}/{name}"
            descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
            try:
                _write_all(descriptor, data)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise cannot_write(target, error) from error
        return Staged(target, name)

    def _look_at(self, folder: str) -> None:
        """An output folder that is a symbolic link would carry our writes out of the tree."""
        refuse_links(self.root, folder)
        self._safe.add(folder)
        if os.path.isdir(os.path.join(self.root, folder)):
            return
        self._absent[folder] = ""
        if folder.rpartition("/")[2] in OWN_FOLDERS:
            gathered = hashlib.sha256(folder.encode("utf-8", "surrogateescape")).hexdigest()[:24]
            self._absent[folder] = gathered
            if not self.dry:
                try:  # only this one: the build's own folder is gone when another build has taken over
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(f"{self.root}/{STAGING}/{self.build}/{gathered}")
                except OSError as error:
                    raise cannot_write(folder, error) from error


class Output:
    """One output tree: its lock, its staging, its publication."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.build = secrets.token_hex(8)
        """Name of this build's staging folder. No other build has it: a worker that outlives its own harms none."""
        self._staging = os.path.join(root, STAGING, self.build)
        self._ahead = Ahead()

    @contextlib.contextmanager
    def locked(self, on_wait: Callable[[str], None] | None = None) -> Iterator[None]:
        """Holds the tree's lock, which the kernel lets go of when the process dies; removes what one that died staged.

        on_wait: told who holds the lock before waiting for it; without it, LockedError is raised instead
        """
        descriptor = self._acquire(on_wait)
        try:
            with contextlib.suppress(OSError):  # the number is for people only, and a full disk has no room for it
                os.lseek(descriptor, 0, os.SEEK_SET)
                os.ftruncate(descriptor, 0)
                os.write(descriptor, str(os.getpid()).encode())
            self._clear_staging()
            yield
        finally:
            os.close(descriptor)

    def _acquire(self, on_wait: Callable[[str], None] | None) -> int:
        """The descriptor of the lock file, locked."""
        path = self.root / LOCK
        refuse_links(self.root, STAGING)
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
        while True:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                descriptor = os.open(path, flags, 0o666)
            except OSError as error:
                raise cannot_write(str(path), error) from error
            try:
                if not take_lock(descriptor, wait=False):
                    busy = locked_error(descriptor, self.root)
                    if on_wait is None:
                        raise busy
                    on_wait(f"{busy.place}: {busy.reason}; waiting for it.")
                    take_lock(descriptor, wait=True)
                # Whoever held it may have removed the file (`clean`): a lock on that one excludes nobody.
                with contextlib.suppress(FileNotFoundError):
                    if os.path.samestat(os.fstat(descriptor), os.lstat(path)):
                        return descriptor
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)

    def forget(self) -> None:
        """Removes everything this machine remembers of the tree; the caller holds the lock, whose file goes last."""
        folder = self.root / PRIVATE
        try:
            for entry in list(os.scandir(folder)):
                if entry.is_dir(follow_symlinks=False):
                    _remove_tree(entry.path)
                elif entry.name != LOCK.rpartition("/")[2]:
                    os.unlink(entry.path)
            with contextlib.suppress(PermissionError):  # an open file cannot be removed on Windows
                os.unlink(self.root / LOCK)
                folder.rmdir()
        except OSError as error:
            raise OutputError(PRIVATE, f"cannot be removed: {error.strerror}") from error

    def open_stage(self) -> None:
        """Makes this build's staging folder and removes those of interrupted builds; the caller holds the lock."""
        self._clear_staging()
        try:
            os.makedirs(self._staging)
        except OSError as error:
            raise cannot_write(STAGING, error) from error

    def _clear_staging(self) -> None:
        folder = self.root / STAGING
        try:
            if stale := os.listdir(folder):
                dead = folder / f"{self.build}-dead"
                dead.mkdir()
                for name in stale:  # renamed, a folder cannot get new files from a worker that outlived its build
                    os.rename(folder / name, dead / name)
                _remove_tree(dead)
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError as error:
            raise OutputError(STAGING, f"cannot be removed: {error.strerror}", "Remove it yourself.") from error

    def flush(self, count: int) -> None:
        """Begins to make the bytes of `count` staged files durable; `publish` sees to the rest."""
        self._ahead.start(self._staging, count)

    def publish(self, staged: list[Staged], removed: list[str]) -> None:
        """Makes the staged bytes durable, renames them into place in the order given, removes the rest.

        Raises OutputError naming the file; nothing is renamed unless every staged byte is on disk.
        """
        try:
            make_durable(self._staging, [item.staged for item in staged], self._ahead)
        except OSError as error:
            raise cannot_write(STAGING, error) from error
        target = ""
        touched: set[str] = set()
        emptied: set[str] = set()
        whole = self._whole_folders(staged)
        try:
            for item in staged:
                target = item.target
                folder = target.rpartition("/")[0]
                if folder in whole:
                    if whole[folder]:
                        self._make_folder(folder.rpartition("/")[0], touched)
                        os.rename(os.path.join(self._staging, whole[folder]), os.path.join(self.root, folder))
                        touched.add(folder)
                        whole[folder] = ""
                    continue
                if folder not in touched:
                    self._make_folder(folder, touched)
                os.replace(os.path.join(self._staging, item.staged), os.path.join(self.root, target))
            for target in removed:
                folder = target.rpartition("/")[0]
                if not (folder in touched or folder in emptied) and blocked(self.root, folder):  # it leads out of here
                    continue
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(os.path.join(self.root, target))
                emptied.add(folder)
            touched |= emptied
            for target in sorted(emptied, key=lambda folder: (-folder.count("/"), folder)):
                self._remove_if_empty(target, touched)
            make_directories_durable(self.root, [self.root / folder for folder in sorted(touched)])
        except OSError as error:
            hint = "Part of the outputs is new already; the next build completes them."
            raise cannot_write(target, error, hint) from error

    def _make_folder(self, folder: str, touched: set[str]) -> None:
        """Makes a folder and notes it, and each one above that had to be made, as touched."""
        path = os.path.join(self.root, folder)
        if folder and not os.path.isdir(path):
            self._make_folder(folder.rpartition("/")[0], touched)
            os.mkdir(path)
        touched.add(folder)

    def _whole_folders(self, staged: list[Staged]) -> dict[str, str]:
        """Folders that one rename publishes, and where they are staged: those that are not in the tree, staged with
        exactly the files that are to be published. (A worker that was killed leaves more.)"""
        counts: dict[tuple[str, str], int] = {}
        for item in staged:
            gathered = item.staged.rpartition("/")[0]
            if gathered:
                key = (item.target.rpartition("/")[0], gathered)
                counts[key] = counts.get(key, 0) + 1
        return {
            folder: gathered
            for (folder, gathered), count in counts.items()
            if not os.path.lexists(os.path.join(self.root, folder))
            and len(os.listdir(os.path.join(self._staging, gathered))) == count
        }

    def _remove_if_empty(self, folder: str, touched: set[str]) -> None:
        """Removes a folder when it is one of ours and empty, and then the one above it."""
        path = self.root / folder
        ours = (
            folder.rpartition("/")[2] in OWN_FOLDERS
            or folder in web.FOLDERS
            or (folder and (self.root / OUTPUT_MARK).exists())
        )
        if ours and path.is_dir() and not any(path.iterdir()):
            path.rmdir()
            above = folder.rpartition("/")[0]
            touched.add(above)
            self._remove_if_empty(above, touched)

    def close_stage(self) -> None:
        """Removes what was staged and not published."""
        with contextlib.suppress(OSError):
            _remove_tree(self._staging)
            os.rmdir(self.root / STAGING)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _remove_tree(path: str | Path) -> None:
    import shutil  # 5 ms, and a build with nothing to do removes nothing

    shutil.rmtree(path)
