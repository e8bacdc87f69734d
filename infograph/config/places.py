"""Places of a build: where outputs go, and what is no output, the memory of the last build and the cache of vectors."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from infograph.config.settings import Config, Settings, is_store
from infograph.errors import ConfigError
from infograph.formats.names import CACHE, PRIVATE, STORED_COPY

FILE_NAME = "infograph.toml"
"""Name of the configuration file."""
_PROJECT_MARKS = (FILE_NAME, "pyproject.toml", ".git")
"""What marks the folder of a project."""


def placed(config: Config, root: Path, project: Path, out_from: Path, home: Path) -> Settings:
    """The settings with the places of outputs, cache and memory.

    project:  the folder that the file's paths are relative to
    out_from: the folder that `out` is relative to
    home:     the folder that keeps what is no output, where the outputs lie apart from the sources
    """
    home = home.resolve()
    out = _out_of(config.out, root, out_from, home)
    # With `out` the sources stay untouched, so neither does anything of ours go beside them.
    apart = out != root and not home.is_relative_to(root) and os.access(home, os.W_OK)
    if config.cache is not None:
        cache = (project / config.cache).resolve()
    else:
        cache = _cache_home(root, out, home if apart else None) / CACHE
    memory = (root if out == root else out) / PRIVATE
    if apart:
        place = hashlib.sha256(os.path.relpath(out, home).encode("utf-8", "surrogateescape")).hexdigest()
        memory = home / PRIVATE / place[:16]
    records = (project / config.enrich.dir).resolve() if config.enrich.dir else None
    return Settings(config, root, out, cache, memory, file=None, enrichment=records)


def _out_of(out: str | None, root: Path, out_from: Path, home: Path) -> Path:
    """The output tree. What goes to an object store is built into a folder first, which stays: so a build does only
    what changed, whatever machine published last, and nothing is sent of one that fails."""
    if out is None or not is_store(out):
        return root if out is None else (out_from / out).resolve()
    return home / f"{STORED_COPY}{hashlib.sha256(out.rstrip('/').encode()).hexdigest()[:16]}"


def refuse_store(settings: Settings, what: str) -> None:
    """Raises ConfigError for a command that does not publish, where the outputs go to an object store.

    what: what was called, as it is written
    """
    if settings.store is not None:
        reason = f"names an object store, and `{what}` works on a folder"
        raise ConfigError("out", reason, "`infograph build` alone publishes to a store; name a folder for this.")


def home_of(root: Path) -> Path:
    """The folder of the project that a source tree without a configuration file belongs to: the nearest one that is
    marked, else the working directory where the tree lies in it, else the folder above the tree."""
    here = Path.cwd()
    return _marked(root) or (here if root.is_relative_to(here) else root.parent)


def _marked(root: Path) -> Path | None:
    """The nearest marked folder at or above a source tree."""
    folders = (root, *root.parents)
    return next((folder for folder in folders if any((folder / mark).exists() for mark in _PROJECT_MARKS)), None)


def _cache_home(root: Path, out: Path, project: Path | None) -> Path:
    """The folder that the embedding cache lies in: never one that is published, if another can be told.

    project: the project's folder, where the outputs lie apart from the sources
    """
    if project is not None:
        return project
    home = _marked(root) or root
    # Where the release before put it stays in use while it stands there.
    kept = (root / CACHE).is_dir() and not (home / CACHE).is_dir()
    published = out != root and home.is_relative_to(out)
    return root if kept or published or not os.access(home, os.W_OK) else home
