"""Forcing what was written to disk, so that a power cut does not take it back."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Future

_ONE_BY_ONE = 64
"""Files or directories forced to disk each by itself; more of them with their whole file system at once."""


class Ahead:
    """Begins to force many files to disk while others are still made: at the end there is less to wait for."""

    def __init__(self) -> None:
        self._running: Future[bool] | None = None

    def start(self, folder: str, count: int) -> None:
        """For so many files in a folder: not for few, which are forced one by one."""
        if count > _ONE_BY_ONE:
            from concurrent.futures import ThreadPoolExecutor  # a build of few files does without

            self._running = ThreadPoolExecutor(1).submit(_sync_all, folder)

    def worked(self) -> bool:
        """Whether nothing failed. The system tells of a failure once: who asks again does not hear of it."""
        return self._running is None or self._running.result()


def make_durable(folder: str, names: Sequence[str], ahead: Ahead) -> None:
    """Forces the bytes of files in a folder to disk."""
    if ahead.worked() and len(names) > _ONE_BY_ONE and _sync_all(folder):
        return
    for name in names:
        descriptor = os.open(os.path.join(folder, name), os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def make_directories_durable(root: Path, folders: list[Path]) -> None:
    """Forces the renames and removals in folders to disk; some of the folders may be gone."""
    if os.name == "nt" or (len(folders) > _ONE_BY_ONE and _sync_all(os.fspath(root))):
        return  # directories cannot be opened on Windows
    for folder in folders:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def _sync_all(folder: str) -> bool:
    """One syncfs for the file system of a folder, where Linux has it."""
    if sys.platform != "linux":
        return False
    import ctypes

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        return bool(ctypes.CDLL(None, use_errno=True).syncfs(descriptor) == 0)
    finally:
        os.close(descriptor)
