"""One file at a time, never through a link and never waiting on a FIFO: what everybody reads with, and the writers of
the machine's own memory and cache. Published files are written by `files.py` alone.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path

from infograph.errors import OutputError


def write_private(root: Path, name: str, data: bytes) -> None:
    """Writes one file of the machine's own memory: whole or not at all, not fsynced; the caller holds the tree's lock.

    A power cut may lose it, which costs a rebuild; its readers check what they read.
    """
    path = root / name
    temporary = path.with_name(f".{path.name}.tmp")  # the next writer's too: what a kill leaves there goes with it
    with _private(root, name, temporary):
        _create(temporary, data)
        os.replace(temporary, path)


def remove_private(root: Path, name: str) -> None:
    """Removes one file of the machine's own memory, if it is there."""
    try:
        (root / name).unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(str(root / name), f"cannot be removed: {error.strerror}", "Remove it yourself.") from error


def write_checked(root: Path, name: str, data: bytes) -> None:
    """Writes one file whose readers know a torn one from a whole one (the cache): in place, so that a kill leaves no
    other file behind. Several processes may write the same bytes at once; one of them does."""
    path = root / name
    with _private(root, name, path), contextlib.suppress(FileExistsError):
        _create(path, data)


@contextlib.contextmanager
def _private(root: Path, name: str, opened: Path) -> Iterator[None]:
    """Makes the folder of a private file; where it cannot be written, removes `opened` and raises OutputError."""
    refuse_links(root, name.rpartition("/")[0])
    try:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        with contextlib.suppress(OSError):
            opened.unlink()
        raise cannot_write(str(root / name), error, "Build again when it can be.") from error


def _create(path: Path, data: bytes) -> None:
    """Writes a file that is not there afterwards but for this: never through a link that waits there."""
    path.unlink(missing_ok=True)
    with path.open("xb") as file:
        file.write(data)


def blocked(root: Path, folder: str) -> OutputError | None:
    """What is wrong with a folder, or one above it: a symbolic link would carry our writes out of the tree."""
    while folder:
        try:
            mode = os.lstat(os.path.join(root, folder)).st_mode
        except OSError as error:
            # Not there yet is in order; below a link to itself or no directory, the next round finds that.
            if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
                raise
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


def digest_file(path: Path) -> str | None:
    """SHA-256, 64 hex digits, of what `read_file` reads, however large it is."""
    with contextlib.suppress(OSError), _opened(path) as file:
        return None if file is None else hashlib.file_digest(file, "sha256").hexdigest()
    return None


@contextlib.contextmanager
def _opened(path: str | Path) -> Iterator[BufferedReader | None]:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
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
