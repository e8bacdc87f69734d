"""One file at a time, never through a link and never waiting on a FIFO: what everybody reads with, and the writers of
the machine's own memory and cache. Published files are written by `files.py` alone.
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
"""Whether the system takes a folder's descriptor and a name in it for a path; Windows does not."""


LARGEST_OUTPUT = 1 << 28
"""Bytes. A file of an output's name that somebody else put there may have any size."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of a tree that is held open: somebody who puts a link in its place meanwhile leads nobody astray.

    os.unlink(folder.place(name), dir_fd=folder.descriptor)
    """

    path: str
    descriptor: int | None

    def place(self, name: str) -> str:
        """What a call takes, together with the descriptor, for a name in the folder."""
        return os.path.join(self.path, name) if self.descriptor is None else name

    def names(self) -> list[str]:
        return os.listdir(self.path if self.descriptor is None else self.descriptor)

    def close(self) -> None:
        if self.descriptor is not None:
            os.close(self.descriptor)

    def __enter__(self) -> Folder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_folder(root: str | Path, folder: str) -> Folder:
    """A folder below a root, to which no link led. Raises FileNotFoundError where there is none, NotADirectoryError
    where something else, or a link, is in its place or on the way."""
    path = os.path.join(root, folder)
    if not _DESCRIPTORS:
        if blocked(Path(root), folder):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
        os.stat(path)
        return Folder(path, None)
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    opened = os.open(root, flags)
    for part in folder.split("/") if folder else ():
        above = opened
        try:
            opened = os.open(part, flags | os.O_NOFOLLOW, dir_fd=above)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path) from error
            raise
        finally:
            os.close(above)
    return Folder(path, opened)


def make_folder(root: str | Path, folder: str, touched: set[str] | None = None) -> Folder:
    """The same; what is missing of it is made.

    touched: gets the folder, and each one in which one was made
    """
    touched = set() if touched is None else touched
    try:
        opened = open_folder(root, folder)
    except FileNotFoundError:
        if not folder:
            os.makedirs(root, exist_ok=True)
        else:
            above, _, name = folder.rpartition("/")
            # Another process may be just as far.
            with make_folder(root, above, touched) as parent, contextlib.suppress(FileExistsError):
                os.mkdir(parent.place(name), dir_fd=parent.descriptor)
        opened = open_folder(root, folder)
    touched.add(folder)
    return opened


def move(how: Callable[..., None], source: Folder, name: str, target: Folder, new: str) -> None:
    """Gives a name of one folder to another one; `how` is os.rename or os.replace."""
    how(source.place(name), target.place(new), src_dir_fd=source.descriptor, dst_dir_fd=target.descriptor)


def write_private(root: Path, name: str, data: bytes) -> None:
    """Writes one file of the machine's own memory: whole or not at all, not fsynced; the caller holds the tree's lock.

    A power cut may lose it, which costs a rebuild; its readers check what they read.
    """
    stage_private(root, name, [data])
    keep_private(root, name)


def stage_private(root: Path, name: str, parts: Iterable[bytes | memoryview]) -> None:
    """Writes what `keep_private` gives its name. What nobody does that for goes with the next that is staged."""
    temporary = _temporary(name)
    with _private(root, name, temporary) as folder:
        _create(folder, temporary, parts)


def keep_private(root: Path, name: str) -> None:
    """Puts a file that is staged in the place of the one that has its name."""
    temporary = _temporary(name)
    with _private(root, name, temporary) as folder:
        move(os.replace, folder, temporary, folder, name.rpartition("/")[2])


def remove_private(root: Path, name: str) -> None:
    """Removes one file of the machine's own memory, if it is there."""
    folder, _, base = name.rpartition("/")
    try:
        with contextlib.suppress(FileNotFoundError), open_folder(root, folder) as opened:
            os.unlink(opened.place(base), dir_fd=opened.descriptor)
    except OSError as error:
        raise OutputError(str(root / name), f"cannot be removed: {error.strerror}", "Remove it yourself.") from error


def write_checked(root: Path, name: str, data: bytes) -> None:
    """Writes one file whose readers know a torn one from a whole one (the cache): in place, so that a kill leaves no
    other file behind. Several processes may write the same bytes at once; one of them does."""
    base = name.rpartition("/")[2]
    with _private(root, name, base) as folder, contextlib.suppress(FileExistsError):
        _create(folder, base, [data])


def _temporary(name: str) -> str:
    return f".{name.rpartition('/')[2]}.tmp"


@contextlib.contextmanager
def _private(root: Path, name: str, written: str) -> Iterator[Folder]:
    """The folder of a private file; where it cannot be written, removes `written` in it and raises OutputError."""
    above = name.rpartition("/")[0]
    refuse_links(root, above)
    try:
        with make_folder(root, above) as folder:
            try:
                yield folder
            except OSError:
                with contextlib.suppress(OSError):
                    os.unlink(folder.place(written), dir_fd=folder.descriptor)
                raise
    except OSError as error:
        raise cannot_write(str(root / name), error, "Build again when it can be.") from error


def _create(folder: Folder, name: str, parts: Iterable[bytes | memoryview]) -> None:
    """Writes a file that is not there afterwards but for this: never through a link that waits there."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(folder.place(name), dir_fd=folder.descriptor)
    opener = functools.partial(os.open, mode=0o666, dir_fd=folder.descriptor)
    with open(folder.place(name), "xb", opener=opener) as file:
        file.writelines(parts)


def blocked(root: Path, folder: str) -> OutputError | None:
    """What is wrong with a folder, or one above it: a symbolic link would carry our writes out of the tree."""
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
    """Bytes of a regular file, only the first `most` if told; None when there is none or it cannot be read. Never
    follows a link, never waits on a FIFO."""
    with contextlib.suppress(OSError), _opened(path) as file:
        return None if file is None else file.read(most)
    return None


def read_output(path: Path) -> bytes | None:
    """The same of a published file; None also of one larger than any that is published."""
    data = read_file(path, LARGEST_OUTPUT + 1)
    return None if data is None or len(data) > LARGEST_OUTPUT else data


def unread(path: Path) -> OSError | None:
    """What keeps `read_file` from what is there; None where nothing is, or nothing does."""
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
    """SHA-256, 64 hex digits, of what `read_file` reads, however large it is."""
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
    """The error a person sees when a file cannot be written."""
    return OutputError(place, f"cannot be written: {error.strerror or error}", hint)
