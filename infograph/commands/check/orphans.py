"""Finds files of a published folder that nothing links to."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator
from pathlib import Path

from infograph.commands.check.findings import Problem
from infograph.files.disk import read_file
from infograph.formats.names import CHUNKS, KEPT, SPEC, is_index, is_table
from infograph.pipeline.ours import is_ours, is_tree


def orphans(root: Path, linked: Container[tuple[str, ...]]) -> Iterator[Problem]:
    """Warnings about files that only infograph writes and that nothing links to, but for those that stay for readers of
    earlier publications.

    linked: the parts of the paths of all files that something links to
    """
    kept = set((read_file(root / KEPT) or b"").decode("utf-8", "surrogateescape").splitlines())
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
                and (
                    parts[-1:] == (CHUNKS,)
                    or is_table(path)
                    or name == SPEC
                    or (is_index(name) and is_ours(root, path))  # other programs write files of this name too
                )
            ):
                yield Problem(path, "orphan", "nothing links to it", "")
