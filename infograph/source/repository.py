"""The repository that a source tree lies in, and the files of it that pages include."""

from __future__ import annotations

import os
from pathlib import Path

from infograph.files.stamps import NO_STAMP, Stamp, stamp, trusted

MISSING: Stamp = [-2, 0, 0]
"""The stamp of a file that is not there."""

_JS = ("ts", "mts", "js", "mjs", "cjs")
GENERATORS = {
    "mkdocs": ("mkdocs.yml", "mkdocs.yaml"),
    "docusaurus": tuple(f"docusaurus.config.{end}" for end in _JS),
    "vitepress": tuple(f".vitepress/config.{end}" for end in _JS),
    "astro": tuple(f"astro.config.{end}" for end in _JS),
    "mdbook": ("book.toml",),
    "hugo": ("hugo.toml", "hugo.yaml", "hugo.yml", "config.toml", "config.yaml"),
    "sphinx": ("conf.py",),
    "jekyll": ("_config.yml",),
}
"""Names of the configurations of site generators, relative to a folder."""
_OF_OTHERS_TOO = ("config.toml", "config.yaml", "conf.py")
"""Names of configurations that other programs have, too: any folder above the sources may hold one."""

_ROOTS = (
    (".git",),
    ("infograph.toml",),
    ("pyproject.toml",),
    tuple(name for names in GENERATORS.values() for name in names if name not in _OF_OTHERS_TOO),
)
"""Names that mark the root of a repository or project: git's own first, wherever it lies."""


def repository_of(root: Path) -> Path:
    """The folder that includes may not leave: the git repository's, else the project's, else that of the site's
    generator, as in an image that has no `.git`, else the source tree itself."""
    for names in _ROOTS:
        for folder in (root, *root.parents):
            if any((folder / name).exists() for name in names):
                return folder
    return root


def looked_at(repository: Path, path: str) -> Stamp:
    """The stamp of an included file as it is now."""
    try:
        taken = stamp(os.lstat(repository / path))
    except OSError:
        return MISSING
    return taken if trusted(taken) else NO_STAMP
