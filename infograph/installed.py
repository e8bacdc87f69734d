"""Packages that outputs depend on, here and there: with another version of one, what was built with it is stale."""

from __future__ import annotations

import hashlib
from pathlib import Path

from infograph import stemming
from infograph.config import Config
from infograph.model import CODE

_AT_SCOPES = frozenset({"code", "auto"})
"""Names of strategies that cut code at scopes, or may choose the one that does."""


def installed(config: Config) -> dict[str, str | None]:
    """The version of each package that a build under this configuration may ask; None for one that is not there.

    A missing grammar costs the files in its language, or a page's listings a warning, so that the rest is built; what
    every chunk is asked to have (named entities, languages) ends the build. Both are remembered, and pass, as long as
    this stays the same.
    """
    names: list[str] = []
    if _cuts_code(config):
        from infograph.chunking.grammars import GRAMMARS

        names += ["tree-sitter", *(grammar.package for grammar in GRAMMARS)]
    if config.chunks.entities:
        names += ["spacy", config.chunks.entities]
    if "language" in config.chunks.metadata:
        names.append("py3langid")
    if config.search.enabled and stemming.is_published(config.keywords.language):
        names += [stemming.INDEXING, stemming.PUBLISHING]
    return {name: _version(name) for name in sorted(set(names))}


def _cuts_code(config: Config) -> bool:
    """Whether some document may be cut at scopes."""
    asked = any(pattern.rstrip().lower().endswith(CODE) for pattern in config.source.include)
    return asked or not _AT_SCOPES.isdisjoint((config.strategy, *(str(target) for _, target in config.routes)))


def _version(name: str) -> str | None:
    """Of a package, or of a spaCy pipeline in a folder: the digest of what it says of itself."""
    from importlib.metadata import PackageNotFoundError, version  # 10 ms, and only some configurations need it

    try:
        return version(name)
    except (PackageNotFoundError, ValueError):
        meta = Path(name, "meta.json")
        return hashlib.sha256(meta.read_bytes()).hexdigest() if meta.is_file() else None
