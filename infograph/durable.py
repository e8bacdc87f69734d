"""Forcing what was written to disk, so that a power cut does not take it back."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

_ONE_BY_ONE = 64
"""Files or directories forced to disk each by itself; more of them with their whole file system at once."""


def make_durable(folder: str, paths: list[str]) -> None:
    """Forces the bytes of files in a folder to disk."""
    if len(paths) > _ONE_BY_ONE and _sync_all(folder):
        return
    for path in paths:
        descriptor = os.open(path, os.O_RDWR)
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
