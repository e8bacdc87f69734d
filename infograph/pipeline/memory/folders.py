"""What the own folders of a tree held when a build left them: one digest for each, of names, sizes and times.

A file that is changed in place does not change the time of its folder. So a build looks at every file, which takes as
long as a bare loop of `stat`, and remembers 64 digits of a folder instead of a stamp for each of its files.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from infograph.files.disk import open_folder
from infograph.formats.names import ALIASES, join

CHANGED_MEANWHILE = ""
"""Digest of a folder that somebody changed during a build: no folder has it, so the next build looks into it."""


def row(name: str, status: os.stat_result) -> str:
    """Returns what is remembered of a file: its name, size and modification time. No name has a slash."""
    return f"{name}/{status.st_size}/{status.st_mtime_ns}"


def rows_of(out: str | Path, folder: str) -> list[str]:
    """Returns the row of everything in a folder, sorted; none where it cannot be listed or is a link. The table of
    aliases is left out: it is made to be edited, and has a stamp of its own."""
    rows = []
    edited = ALIASES.removeprefix(f"{folder}/")  # its name, in its own folder
    try:
        # By its descriptor, the system looks up one name for a file and not its whole path.
        with open_folder(out, folder) as opened, os.scandir(opened.listed) as entries:
            for entry in entries:
                if entry.name != edited:
                    rows.append(row(entry.name, entry.stat(follow_symlinks=False)))
    except OSError:
        return []
    return sorted(rows)


def digest(rows: Iterable[str]) -> str:
    """Returns 64 hex digits that tell what lies in a folder; an empty folder and a missing one have the same.

    rows: sorted
    """
    return hashlib.sha256("\n".join(rows).encode("utf-8", "surrogateescape")).hexdigest()


def digests(out: str | Path, folders: Iterable[str]) -> dict[str, str]:
    """Returns the digest of each folder as it is."""
    return {folder: digest(rows_of(out, folder)) for folder in folders}


def as_published(
    out: str | Path,
    folders: Iterable[str],
    before: Mapping[str, str],
    staged: Mapping[str, str],
    removed: Iterable[str],
) -> dict[str, str]:
    """Returns the digest that each folder has after a publication that is about to happen; `CHANGED_MEANWHILE` where a
    folder that it changes is no longer as it was when the build began. The others are not looked into again: what
    somebody changes of them meanwhile differs from the digest when the build began, which the next build finds.

    To look afterwards instead would take for ours what somebody writes while files are renamed.

    before:  digests when the build began
    staged:  row of each file that is published, by path
    removed: paths of the files that are removed
    """
    gone = {*removed, *staged}
    touched = {path.rpartition("/")[0] for path in gone}
    new: dict[str, list[str]] = {}
    for path, known in staged.items():
        if path == ALIASES:
            continue
        new.setdefault(path.rpartition("/")[0], []).append(known)
    found = {}
    for folder in sorted(folders):
        found[folder] = known = before.get(folder, digest([]))
        if folder not in touched:
            continue
        rows = rows_of(out, folder)
        same = known == digest(rows)
        kept = [one for one in rows if join(folder, one.partition("/")[0]) not in gone]
        found[folder] = digest(sorted(kept + new.get(folder, []))) if same else CHANGED_MEANWHILE
    return found
