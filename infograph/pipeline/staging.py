"""The only writer of outputs.

A build stages every changed file in a folder of its own under `.infograph/staging/`, makes the staged bytes durable,
and only then renames them into place: chunks first, the root index last. A crash, a full disk or a kill before that
leaves the published tree as it was; the next run throws away what is staged.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from infograph.errors import OutputError
from infograph.files.disk import Folder, cannot_write, make_folder, move, open_folder, refuse_links, same_bytes
from infograph.files.durable import Ahead, make_directories_durable, make_durable
from infograph.files.lock import locked_error, take_lock
from infograph.formats.names import (
    CHUNKS,
    GRAPH_MANIFEST,
    INDEX,
    LLMS,
    LOCK,
    OUTPUT_MARK,
    OWN_FOLDERS,
    PRIVATE,
    SEARCH_MANIFEST,
    SPEC,
    STAGING,
    WEB_FOLDERS,
    is_index,
    is_versioned,
)


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
    that is not there yet gather in one folder, from all processes: a single rename then publishes all of them.
    """

    root: Path
    prefix: str
    build: str
    """Name of the build's staging folder, see `Output.build`."""
    dry: bool = False
    """Whether nothing is written, and results only say what would change."""
    count: int = 0
    """Number of files staged."""
    written: int = 0
    """Bytes staged."""
    _safe: set[str] = field(default_factory=set)
    """Folders of targets that are no links."""
    _absent: dict[str, str] = field(default_factory=dict)
    """Folders that do not exist yet, so that no file in them does, and where files for them are staged."""

    def put(self, target: str, data: bytes) -> Staged | None:
        """Stages `data` for `target`; returns None when the file already holds these bytes. Raises OutputError."""
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
            staging = f"{self.root}/{STAGING}/{self.build}"
            try:
                _write_new(f"{staging}/{name}", data)
            except FileExistsError:  # by a worker that was lost before it answered: this one takes its place
                own = f"{staging}/{self.prefix}-{self.count}"
                _write_new(own, data)
                os.replace(own, f"{staging}/{name}")
        except OSError as error:
            raise cannot_write(target, error) from error
        return Staged(target, name)

    def put_all(self, files: Mapping[str, bytes]) -> list[Staged]:
        """Stages files by target; returns those that differ from what is there. Raises OutputError."""
        staged = (self.put(target, data) for target, data in files.items())
        return [item for item in staged if item is not None]

    def _look_at(self, folder: str) -> None:
        """Refuses a folder that is a symbolic link, which would carry writes out of the tree; notes a missing one."""
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
        self.build = os.urandom(8).hex()
        """Name of this build's staging folder. No other build has it: a worker that outlives its own harms none."""
        self.staging = os.path.join(root, STAGING, self.build)
        self._secured: set[str] = set()
        self._ahead = Ahead()

    @contextlib.contextmanager
    def locked(self, on_wait: Callable[[str], None] | None = None) -> Iterator[None]:
        """Holds the tree's lock, which the kernel releases when the process dies; removes what such a process staged.

        on_wait: told which process holds the lock before waiting for it; without it, LockedError is raised instead
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
        """Opens the lock file, locks it, and returns its descriptor."""
        path = self.root / LOCK
        refuse_links(self.root, STAGING)
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
        while True:
            try:
                with make_folder(self.root, PRIVATE) as folder:
                    descriptor = os.open(folder.place(path.name), flags, 0o666, dir_fd=folder.descriptor)
            except OSError as error:
                raise cannot_write(str(path), error) from error
            try:
                if not take_lock(descriptor, wait=False):
                    busy = locked_error(descriptor, self.root)
                    if on_wait is None:
                        raise busy
                    on_wait(f"{busy.place}: {busy.reason}; waiting for it.")
                    take_lock(descriptor, wait=True)
                # The process that held it may have removed the file (`clean`), and its lock excludes no one.
                with contextlib.suppress(FileNotFoundError):
                    if os.path.samestat(os.fstat(descriptor), os.lstat(path)):
                        return descriptor
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)

    def forget(self) -> None:
        """Removes everything this machine remembers of the tree; the caller holds the lock, whose file goes last."""
        lock = LOCK.rpartition("/")[2]
        try:
            with open_folder(self.root, PRIVATE) as folder:
                for name in folder.names():
                    if stat.S_ISDIR(os.lstat(folder.place(name), dir_fd=folder.descriptor).st_mode):
                        _remove_tree(folder, name)
                    elif name != lock:
                        os.unlink(folder.place(name), dir_fd=folder.descriptor)
                with contextlib.suppress(PermissionError):  # an open file cannot be removed on Windows
                    os.unlink(folder.place(lock), dir_fd=folder.descriptor)
                    (self.root / PRIVATE).rmdir()
        except OSError as error:
            raise OutputError(PRIVATE, f"cannot be removed: {error.strerror}") from error

    def open_stage(self) -> None:
        """Makes this build's staging folder and removes those of interrupted builds; the caller holds the lock."""
        self._clear_staging()
        try:
            make_folder(self.root, f"{STAGING}/{self.build}").close()
        except OSError as error:
            raise cannot_write(STAGING, error) from error

    def _clear_staging(self) -> None:
        try:
            with open_folder(self.root, STAGING) as folder:
                if stale := folder.names():
                    dead = f"{self.build}-dead"
                    os.mkdir(folder.place(dead), dir_fd=folder.descriptor)
                    for name in stale:  # renamed, a folder cannot get new files from a worker that outlived its build
                        move(os.rename, folder, name, folder, os.path.join(dead, name))
                    _remove_tree(folder, dead)
            (self.root / STAGING).rmdir()
        except FileNotFoundError:
            return
        except OSError as error:
            raise OutputError(STAGING, f"cannot be removed: {error.strerror}", "Remove it yourself.") from error

    def flush(self, count: int) -> None:
        """Begins to make the bytes of `count` staged files durable; `secure` sees to the rest."""
        self._ahead.start(self.staging, count)

    def secure(self, staged: Sequence[Staged]) -> None:
        """Makes staged bytes durable, which may take seconds. Raises OutputError."""
        names = [item.staged for item in staged if item.staged not in self._secured]
        try:
            make_durable(self.staging, names, self._ahead)
        except OSError as error:
            raise cannot_write(STAGING, error) from error
        self._secured.update(names)

    def publish(self, staged: list[Staged], removed: list[str]) -> None:
        """Makes staged bytes durable, renames the files into place in the order given, and removes others.

        Raises OutputError naming the file; nothing is renamed unless every staged byte is on disk.
        """
        self.secure(staged)
        target = STAGING
        touched: set[str] = set()
        emptied: set[str] = set()
        whole = self._whole_folders(staged)
        try:
            # Where nothing is staged there may be no stage.
            with open_folder(self.root, f"{STAGING}/{self.build}" if staged else "") as stage:
                for folder, group in itertools.groupby(staged, lambda item: _folder(item.target)):
                    items = list(group)
                    target = items[0].target
                    if folder in whole:
                        if gathered := whole[folder]:
                            above, _, name = folder.rpartition("/")
                            with make_folder(self.root, above, touched) as opened:
                                move(os.rename, stage, gathered, opened, name)
                            touched.add(folder)
                            whole[folder] = ""
                        continue
                    with make_folder(self.root, folder, touched) as opened:
                        for target, name in items:
                            move(os.replace, stage, name, opened, target.rpartition("/")[2])
            for folder, names in itertools.groupby(removed, _folder):
                try:
                    opened = open_folder(self.root, folder)
                except (FileNotFoundError, NotADirectoryError):  # it is gone, or leads out of here
                    continue
                with opened:
                    for target in names:
                        with contextlib.suppress(FileNotFoundError):
                            os.unlink(opened.place(target.rpartition("/")[2]), dir_fd=opened.descriptor)
                emptied.add(folder)
            touched |= emptied
            for target in sorted(emptied, key=lambda folder: (-folder.count("/"), folder)):
                self._remove_if_empty(target, touched)
            make_directories_durable(self.root, [self.root / folder for folder in sorted(touched)])
        except OSError as error:
            hint = "Part of the outputs is new already; the next build completes them."
            raise cannot_write(target, error, hint) from error

    def _whole_folders(self, staged: list[Staged]) -> dict[str, str]:
        """Returns folders that one rename publishes, and where they are staged: they are not in the tree, and staged
        with exactly the files that are to be published. (A worker that was killed leaves more.)"""
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
            and len(os.listdir(os.path.join(self.staging, gathered))) == count
        }

    def _remove_if_empty(self, folder: str, touched: set[str]) -> None:
        """Removes a folder when it is one of ours and empty, and then the folder above it likewise."""
        path = self.root / folder
        ours = (
            folder.rpartition("/")[2] in OWN_FOLDERS
            or folder in WEB_FOLDERS
            or (folder and (self.root / OUTPUT_MARK).exists())
        )
        if ours and path.is_dir() and not any(path.iterdir()):
            above, _, name = folder.rpartition("/")
            with open_folder(self.root, above) as opened:
                os.rmdir(opened.place(name), dir_fd=opened.descriptor)
            touched.add(above)
            self._remove_if_empty(above, touched)

    def close_stage(self) -> None:
        """Removes what was staged and not published."""
        with contextlib.suppress(OSError):
            with open_folder(self.root, STAGING) as folder:
                _remove_tree(folder, self.build)
            os.rmdir(self.root / STAGING)


def in_order(staged: Iterable[Staged], out: Path) -> list[Staged]:
    """Returns files in the order of publication: what is linked to before what links to it. Files whose names say which
    bytes they have go first, and replace none. Indexes link to each other: those of new topics go before the others,
    since no link leads there yet, and then come these from the leaves to the root, which is the last of all files."""

    ranks: dict[Rank, Rank] = {}
    """One of each: a tree of a million chunks has a few."""

    def rank(item: Staged) -> tuple[Rank, str]:
        folder = _folder(item.target)
        found = publication_rank(item.target, replaces=os.path.lexists(out / folder / INDEX))
        return ranks.setdefault(found, found), item.target

    return sorted(staged, key=rank)


def _write_new(path: str, data: bytes) -> None:
    """Writes a file that is not there yet. Raises OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        _write_all(descriptor, data)
    finally:
        os.close(descriptor)


Rank = tuple[bool | int, ...]
"""Place of a file in the order of publication. Files of one rank lead to none of each other."""


def publication_rank(target: str, *, replaces: bool) -> Rank:
    """Returns the place of a file in the order of publication, see `in_order`.

    replaces: whether the topic of the file has an index already
    """
    name = target.rpartition("/")[2]
    index = is_index(target)
    return (
        target == INDEX,  # it and the next lead to each other, and readers start at the index
        target == LLMS,
        not is_versioned(target),
        index and replaces,
        index,
        name == SPEC or target in (SEARCH_MANIFEST, GRAPH_MANIFEST),
        f"/{CHUNKS}/" not in f"/{target}",
        index and -target.count("/"),
        name == INDEX,  # of a topic the first page last: it leads to the others
    )


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _folder(target: str) -> str:
    return target.rpartition("/")[0]


def _remove_tree(folder: Folder, name: str) -> None:
    import shutil  # 5 ms, and a build with nothing to do removes nothing

    shutil.rmtree(folder.place(name), dir_fd=folder.descriptor)
