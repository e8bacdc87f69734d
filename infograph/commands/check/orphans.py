"""Finds files of a published folder that nothing links to."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from infograph.commands.check.findings import Problem
from infograph.formats.names import CHUNKS, is_index, is_spec, is_table, version_of
from infograph.pipeline.kept import read_kept
from infograph.pipeline.ours import is_ours, is_tree


def orphans(root: Path, linked: Collection[tuple[str, ...]]) -> Iterator[Problem]:
    """Warnings about files that only infograph writes and that nothing links to, but for those that stay for readers of
    earlier publications.

    linked: the parts of the paths of all files that something links to
    """
    kept = {path for paths in read_kept(root) for path in paths}
    current = {_unversioned(parts) for parts in linked if is_index(parts[-1]) or is_spec(parts[-1])}
    for folder, folders, files in os.walk(root):
        parts = Path(folder).relative_to(root).parts
        if parts and is_tree(root, "/".join(parts), folders, files):  # a tree of its own
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        for name in sorted(files):
            path = "/".join((*parts, name))
            if (
                (*parts, name) not in linked
                and path not in kept
                and (*parts, name) not in current
                and (
                    parts[-1:] == (CHUNKS,)
                    or is_table(path)
                    or is_spec(name)
                    or (is_index(name) and is_ours(root, path))  # other programs write files of this name too
                )
            ):
                yield Problem(path, "orphan", "nothing links to it", "")


def _unversioned(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the path of the newest copy of an index page or a specification, to which nothing need link."""
    return *parts[:-1], parts[-1].replace(f".{version_of(parts[-1])}.", ".")
