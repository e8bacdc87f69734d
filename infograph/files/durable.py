"""Forces written files and renames to disk, so that a power cut does not lose them."""

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
"""Most files or directories that are forced to disk one by one; more of them are, with their whole file system."""


class Ahead:
    """Starts to force many files to disk while others are still written, so that there is less to wait for at the
    end."""

    def __init__(self) -> None:
        self._running: Future[bool] | None = None

    def start(self, folder: str, count: int) -> None:
        """Starts to force the file system of a folder to disk, unless its files are so few that each is forced by
        itself."""
        if count > _ONE_BY_ONE:
            from concurrent.futures import ThreadPoolExecutor  # a build of few files does without

            self._running = ThreadPoolExecutor(1).submit(_sync_all, folder)

    def worked(self) -> bool:
        """Waits for what was started; False if it failed. The system reports a failure once, so a later call of its own
        does not see it."""
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
    """Forces the whole file system of a folder to disk by one syncfs; False where it failed or is no Linux."""
    if sys.platform != "linux":
        return False
    import ctypes

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        return bool(ctypes.CDLL(None, use_errno=True).syncfs(descriptor) == 0)
    finally:
        os.close(descriptor)
