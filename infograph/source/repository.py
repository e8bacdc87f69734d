"""The repository that a source tree lies in, and the files of it that pages include."""

from __future__ import annotations

import os
from pathlib import Path

from infograph.files.stamps import NO_STAMP, Stamp, stamp, trusted

MISSING: Stamp = [-2, 0, 0]
"""The stamp of a file that is not there."""

_ROOTS = (".git", "infograph.toml", "pyproject.toml")
"""Names that mark the root of a repository or project: git's own first, wherever it lies."""


def repository_of(root: Path) -> Path:
    """The folder that includes may not leave: the git repository's, else the project's, else the source tree itself."""
    for name in _ROOTS:
        for folder in (root, *root.parents):
            if (folder / name).exists():
                return folder
    return root


def looked_at(repository: Path, path: str) -> Stamp:
    """The stamp of an included file as it is now."""
    try:
        taken = stamp(os.lstat(repository / path))
    except OSError:
        return MISSING
    return taken if trusted(taken) else NO_STAMP
