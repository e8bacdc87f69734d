"""Reads and writes of single files, which never follow a link and never wait on a FIFO.

Every part of infograph reads with these functions. The writers are for the machine's own memory and cache: published
files are written by `pipeline.staging` alone.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from types import TracebackType

from infograph.errors import OutputError

_DESCRIPTORS = os.open in os.supports_dir_fd
"""Whether system calls take the descriptor of a folder and a name in it; on Windows they do not."""


LARGEST_OUTPUT = 1 << 28
"""Most bytes of a published file. A file that another program wrote under the name of an output may have any size."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of a tree that is held open, so that a link put in its place meanwhile has no effect.

    os.unlink(folder.place(name), dir_fd=folder.descriptor)
    """

    path: str
    descriptor: int | None
    """None where the system cannot use one: then names are joined to the path."""

    def place(self, name: str) -> str:
        """The path to pass to a system call, beside the descriptor, for a name in the folder."""
        return os.path.join(self.path, name) if self.descriptor is None else name

    @property
    def listed(self) -> str | int:
        """What to pass to `os.listdir` or `os.scandir`."""
        return self.path if self.descriptor is None else self.descriptor

    def names(self) -> list[str]:
        """Names of everything in the folder."""
        return os.listdir(self.listed)

    def close(self) -> None:
        """Releases the descriptor."""
        if self.descriptor is not None:
            os.close(self.descriptor)

    def __enter__(self) -> Folder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_folder(root: str | Path, folder: str) -> Folder:
    """Opens a folder below a root without following links, the root's own name included. Raises FileNotFoundError where
    it is missing, NotADirectoryError where something else, or a link, is in its place or on the way."""
    path = os.path.join(root, folder)
    if not _DESCRIPTORS:
        if os.path.islink(root) or blocked(Path(root), folder):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
        os.stat(path)
        return Folder(path, None)
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        opened = os.open(root, flags)
        for part in folder.split("/") if folder else ():
            above = opened
            try:
                opened = os.open(part, flags, dir_fd=above)
            finally:
                os.close(above)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path) from error
        raise
    return Folder(path, opened)


def names_in(root: str | Path, folder: str) -> list[str]:
    """Returns the names of everything in a folder below a root: none where it is missing, or where something else, or a
    link, is in its place or on the way."""
    try:
        with open_folder(root, folder) as opened:
            return opened.names()
    except (FileNotFoundError, NotADirectoryError):
        return []


def make_folder(root: str | Path, folder: str, touched: set[str] | None = None) -> Folder:
    """Opens a folder below a root as `open_folder` does, and makes the folders that are missing.

    touched: gets the folder, and each one in which a folder was made
    """
    touched = set() if touched is None else touched
    try:
        opened = open_folder(root, folder)
    except FileNotFoundError:
        if not folder:
            os.makedirs(root, exist_ok=True)
        else:
            above, _, name = folder.rpartition("/")
            # Another process may make it at the same time.
            with make_folder(root, above, touched) as parent, contextlib.suppress(FileExistsError):
                os.mkdir(parent.place(name), dir_fd=parent.descriptor)
        opened = open_folder(root, folder)
    touched.add(folder)
    return opened


def move(how: Callable[..., None], source: Folder, name: str, target: Folder, new: str) -> None:
    """Moves a file from a name in one folder to a name in another; `how` is os.rename or os.replace."""
    how(source.place(name), target.place(new), src_dir_fd=source.descriptor, dst_dir_fd=target.descriptor)


def write_private(root: Path, name: str, data: bytes) -> None:
    """Writes one file of the machine's own memory: whole or not at all, not fsynced; the caller holds the tree's lock.

    A power cut may lose it, which costs a rebuild; its readers check what they read.
    """
    stage_private(root, name, [data])
    keep_private(root, name)


def stage_private(root: Path, name: str, parts: Iterable[bytes | memoryview], of: str = "") -> None:
    """Writes a file under a temporary name, until `keep_private` gives it its own. The next one that is staged
    overwrites a file that was not kept.

    of: a part of the temporary name, where one process stages what another keeps: so nothing is kept that a process
        staged whose parent is gone
    """
    temporary = _temporary(name, of)
    with _private(root, name, temporary) as folder:
        _create(folder, temporary, parts)


def keep_private(root: Path, name: str, of: str = "") -> None:
    """Renames a file that was staged to its own name, over the old one.

    of: as when it was staged; others of that name that were never kept are removed
    """
    temporary, base = _temporary(name, of), name.rpartition("/")[2]
    with _private(root, name, temporary) as folder:
        move(os.replace, folder, temporary, folder, base)
        for other in os.listdir(folder.listed) if of else ():
            if other.startswith(f".{base}.") and other.endswith(".tmp"):
                os.remove(folder.place(other), dir_fd=folder.descriptor)


def write_durable(root: Path, name: str, data: bytes) -> None:
    """Writes one file whole or not at all, and has it on disk when it returns. Raises OutputError."""
    write_streamed(root, name, [data])


def write_streamed(root: Path, name: str, parts: Iterable[bytes | memoryview]) -> None:
    """Writes one file as `write_durable` does, part by part as they come. What the parts raise ends it, and nothing of
    the file is left."""
    temporary = _temporary(name)
    base = name.rpartition("/")[2]
    with _private(root, name, temporary) as folder:
        _create(folder, temporary, parts)
        descriptor = os.open(folder.place(temporary), os.O_RDWR, dir_fd=folder.descriptor)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        move(os.replace, folder, temporary, folder, base)
        if folder.descriptor is not None:
            os.fsync(folder.descriptor)


def remove_private(root: Path, name: str) -> None:
    """Removes one file of the machine's own memory, if it exists."""
    folder, _, base = name.rpartition("/")
    try:
        with contextlib.suppress(FileNotFoundError), open_folder(root, folder) as opened:
            os.unlink(opened.place(base), dir_fd=opened.descriptor)
    except OSError as error:
        raise OutputError(str(root / name), f"cannot be removed: {error.strerror}", "Remove it yourself.") from error


def write_checked(root: Path, name: str, data: bytes) -> None:
    """Writes one file whose readers can tell that it is incomplete (the cache): in place, so that a kill leaves no
    temporary file behind. Several processes may write the same bytes at once; one of them does."""
    base = name.rpartition("/")[2]
    with _private(root, name, base) as folder, contextlib.suppress(FileExistsError):
        _create(folder, base, [data])


def _temporary(name: str, of: str = "") -> str:
    return f".{name.rpartition('/')[2]}.{of + '.' if of else ''}tmp"


@contextlib.contextmanager
def _private(root: Path, name: str, written: str) -> Iterator[Folder]:
    """Opens the folder of a private file; when writing fails, removes `written` from it and raises OutputError."""
    above = name.rpartition("/")[0]
    refuse_links(root, above)
    try:
        with make_folder(root, above) as folder:
            try:
                yield folder
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(folder.place(written), dir_fd=folder.descriptor)
                raise
    except OSError as error:
        raise cannot_write(str(root / name), error, "Build again when it can be.") from error


def _create(folder: Folder, name: str, parts: Iterable[bytes | memoryview]) -> None:
    """Writes a new file in the place of what has its name, never through a link there."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(folder.place(name), dir_fd=folder.descriptor)
    opener = functools.partial(os.open, mode=0o666, dir_fd=folder.descriptor)
    with open(folder.place(name), "xb", opener=opener) as file:
        file.writelines(parts)


def blocked(root: Path, folder: str) -> OutputError | None:
    """The error for a folder that is no real folder, or lies below one; None where writes below it stay in the tree.

    A symbolic link would carry them out of it.
    """
    while folder:
        try:
            mode = os.lstat(os.path.join(root, folder)).st_mode
        except OSError as error:
            # Not there yet is in order; below a link to itself or no directory, the next round finds that.
            if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
                return cannot_write(folder, error)
        else:
            if not stat.S_ISDIR(mode):
                what = "a symbolic link" if stat.S_ISLNK(mode) else "not a directory"
                return OutputError(folder, f"is {what}, so nothing is written below it", "Move it away.")
        folder = folder.rpartition("/")[0]
    return None


def refuse_links(root: Path, folder: str) -> None:
    """Raises OutputError when writing into a folder would leave the tree."""
    error = blocked(root, folder)
    if error is not None:
        raise error


def same_bytes(path: str, data: bytes) -> bool:
    """Whether a regular file holds exactly these bytes. Links and other things do not count."""
    with contextlib.suppress(OSError), _opened(path) as file:
        return file is not None and os.fstat(file.fileno()).st_size == len(data) and file.read() == data
    return False


def read_file(path: Path, most: int = -1) -> bytes | None:
    """Bytes of a regular file, only the first `most` if given; None when it is missing or cannot be read. Never follows
    a link, never waits on a FIFO."""
    with contextlib.suppress(OSError), _opened(path) as file:
        if file is None:
            return None
        small = most < 0 or os.fstat(file.fileno()).st_size <= most
        data = file.read(-1 if small else most)  # which takes so much memory first, however little there is
        return data if most < 0 else data[:most]
    return None


def read_output(path: Path) -> bytes | None:
    """Bytes of a published file as `read_file` returns them; None also for one larger than `LARGEST_OUTPUT`."""
    data = read_file(path, LARGEST_OUTPUT + 1)
    return None if data is None or len(data) > LARGEST_OUTPUT else data


def unread(path: Path) -> OSError | None:
    """The error that keeps `read_file` from reading an existing path; None where it is missing or can be read."""
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return OSError(errno.EINVAL, "not a regular file", os.fspath(path))
        os.close(_open(path))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return error
    return None


def digest_file(path: Path) -> str | None:
    """SHA-256 of a regular file, 64 hex digits, whatever its size; None where `read_file` returns None."""
    with contextlib.suppress(OSError), _opened(path) as file:
        return None if file is None else hashlib.file_digest(file, "sha256").hexdigest()
    return None


def _open(path: str | Path) -> int:
    return os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


@contextlib.contextmanager
def _opened(path: str | Path) -> Iterator[BufferedReader | None]:
    try:
        descriptor = _open(path)
    except OSError:
        yield None
        return
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        yield None
        return
    with open(descriptor, "rb") as file:
        yield file


def cannot_write(place: str, error: OSError, hint: str = "Nothing of this build was published.") -> OutputError:
    """The error for a file or folder that cannot be written."""
    return OutputError(place, f"cannot be written: {error.strerror or error}", hint)
