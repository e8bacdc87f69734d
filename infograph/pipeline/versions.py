"""Versions of the packages that outputs depend on: with another version, earlier outputs are stale."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from infograph.config.settings import Config
from infograph.model import CODE, is_converted

ALWAYS = ("markdown-it-py", "PyStemmer", "PyYAML", "tokenizers")
"""Packages that every build uses: they read documents, hash, stem and count."""

CONVERTING = ("docutils", "html-to-markdown", "mammoth", "nbformat", "pypdfium2", "selectolax")
"""Packages that convert files of other kinds to Markdown."""

_AT_SCOPES = frozenset({"code", "auto"})
"""Names of strategies that cut code at scopes, or may choose the one that does."""


def installed(config: Config) -> dict[str, str | None]:
    """Returns the version of each package that a build under this configuration may use; None for a missing one.

    A missing grammar costs the files in its language, or a page's listings a warning, so that the rest is built; what
    every chunk is asked to have (named entities, languages) ends the build. Both are remembered, and pass, as long as
    this stays the same.
    """
    names = [*ALWAYS]
    if _cuts_code(config):
        from infograph.chunking.code.grammars import GRAMMARS

        names += ["tree-sitter", *(grammar.package for grammar in GRAMMARS)]
    if config.chunks.entities:
        names += ["spacy", config.chunks.entities]
    if "language" in config.chunks.metadata:
        names.append("py3langid")
    return versions_of(names)


def converting(documents: Iterable[str]) -> dict[str, str | None]:
    """Returns the version of each package that may convert documents; nothing for a tree in which none is converted."""
    return versions_of(CONVERTING) if any(map(is_converted, documents)) else {}


def _cuts_code(config: Config) -> bool:
    """Whether some document may be cut at scopes."""
    asked = any(pattern.rstrip().lower().endswith(CODE) for pattern in config.source.include)
    return asked or not _AT_SCOPES.isdisjoint((config.strategy, *(str(target) for _, target in config.routes)))


def versions_of(names: Iterable[str]) -> dict[str, str | None]:
    """Returns the version of each package that is named; None for a missing one.

    Reads them from the names of the folders in which installers describe packages: to read their content would take a
    fifth of the time of a build in which nothing changed.
    """
    wanted = {_normal(name): name for name in sorted(names)}
    found: dict[str, str | None] = {}
    for folder in sys.path:
        with contextlib.suppress(OSError):
            for entry in os.listdir(folder or "."):
                if entry.endswith(".dist-info"):
                    package, _, version = entry.removesuffix(".dist-info").partition("-")
                    if (name := wanted.get(_normal(package))) and version:
                        found.setdefault(name, version)
    return {name: found[name] if name in found else _version(name) for name in wanted.values()}


def _normal(name: str) -> str:
    """Returns a package's name in the form in which PEP 503 compares names."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _version(name: str) -> str | None:
    """Returns the version of a package; of a spaCy pipeline in a folder, the digest of its description."""
    from importlib.metadata import PackageNotFoundError, version  # 10 ms, and only some configurations need it

    try:
        return version(name)
    except (PackageNotFoundError, ValueError):
        meta = Path(name, "meta.json")
        return hashlib.sha256(meta.read_bytes()).hexdigest() if meta.is_file() else None
