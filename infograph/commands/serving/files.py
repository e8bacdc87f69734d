"""Opens and reads one file below a root, through a single descriptor.

A build replaces files while they are served, so that a path looked at twice may be two files. Here a path is opened
once, and length and ETag are those of the bytes that were read.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
"""Flags for opening a file: a FIFO must not block, and a link that replaced the resolved path must not be followed."""
_NOT_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENXIO})
"""Errors that mean there is no file of this name."""


class IsFolderError(Exception):
    """The names lead to a folder."""


def resolved(root: Path, names: list[str]) -> list[str] | None:
    """Returns the names below the root that a file or folder has once links are followed, none for the root itself.

    None where nothing is there, and where a link leads out of the root. Raises OSError.
    """
    try:
        base = os.path.realpath(root)
        path = os.path.realpath(os.path.join(base, *names), strict=True)
    except OSError as error:
        if error.errno in _NOT_THERE:
            return None
        raise
    if path == base:
        return []
    inside = os.path.join(base, "")
    return path[len(inside) :].split(os.sep) if path.startswith(inside) else None


def read_below(root: Path, names: list[str]) -> bytes | None:
    """The bytes of a regular file; None when there is none, or when a symbolic link leads out of the root.

    Raises IsFolderError, and OSError when the file is there but cannot be read.
    """
    found = resolved(root, names)
    if found is None:
        return None
    path = os.path.join(os.path.realpath(root), *found)
    if os.path.isdir(path):
        raise IsFolderError
    try:
        descriptor = os.open(path, _FLAGS)
    except OSError as error:
        if error.errno in _NOT_THERE:
            return None
        raise
    with open(descriptor, "rb") as file:
        return file.read() if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
