"""What the own folders of a tree held when a build left them: one digest for each, of names, sizes and times.

A file that is changed in place does not change the time of its folder. So a build looks at every file, which takes as
long as a bare loop of `stat`, and remembers 64 digits of a folder instead of a stamp for each of its files.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Mapping

from infograph.formats.names import ALIASES, join

Rows = dict[str, tuple[int, int]]
"""Size in bytes and modification time in nanoseconds of each file of a folder, by name."""

CHANGED_MEANWHILE = ""
"""Digest of a folder that somebody changed during a build: no folder has it, so the next build looks into it."""


def rows_of(out: str | os.PathLike[str], folder: str) -> Rows | None:
    """Returns what lies in a folder; None where it cannot be listed or is a link. The table of aliases is left out: it
    is made to be edited, and has a stamp of its own."""
    place = os.path.join(out, folder)
    try:
        if not stat.S_ISDIR(os.lstat(place).st_mode):
            return None
        rows: Rows = {}
        with os.scandir(place) as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                rows[entry.name] = status.st_size, status.st_mtime_ns
    except OSError:
        return None
    if folder == ALIASES.rpartition("/")[0]:
        rows.pop(ALIASES.rpartition("/")[2], None)
    return rows


def digest(rows: Rows | None) -> str:
    """Returns 64 hex digits that tell what lies in a folder; an empty folder and a missing one have the same."""
    return hashlib.sha256(ascii(sorted((rows or {}).items())).encode()).hexdigest()


def digests(out: str | os.PathLike[str], folders: Iterable[str]) -> dict[str, str]:
    """Returns the digest of each folder as it is."""
    return {folder: digest(rows_of(out, folder)) for folder in folders}


def as_published(
    out: str | os.PathLike[str],
    folders: Iterable[str],
    before: Mapping[str, str],
    staged: Mapping[str, tuple[int, int]],
    removed: Iterable[str],
) -> dict[str, str]:
    """Returns the digest that each folder has after a publication that is about to happen; `CHANGED_MEANWHILE` where a
    folder is no longer as it was when the build began.

    To look afterwards instead would take for ours what somebody writes while files are renamed.

    before:  digests when the build began
    staged:  size and modification time of each file that is published, by path
    removed: paths of the files that are removed
    """
    gone = set(removed)
    new: dict[str, Rows] = {}
    for path, row in staged.items():
        folder, _, name = path.rpartition("/")
        new.setdefault(folder, {})[name] = row
    found = {}
    for folder in sorted(folders):
        rows = rows_of(out, folder) or {}
        same = before.get(folder, digest(None)) == digest(rows)
        kept = {name: row for name, row in rows.items() if join(folder, name) not in gone}
        found[folder] = digest(kept | new.get(folder, {})) if same else CHANGED_MEANWHILE
    return found
