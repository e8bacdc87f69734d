"""What a worker on another machine must find there: the same packages, and the same folders by the same names."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from infograph.errors import InfographError
from infograph.pipeline.versions import versions_of

COMPUTING = ("infograph", "numpy", "onnxruntime")
"""Packages that outputs depend on where several machines make them, beside those that a build remembers."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What the machine that asks for a build has."""

    versions: Mapping[str, str | None]
    """Versions of the packages that outputs depend on; None for one that is missing."""
    sources: Sequence[tuple[str, int, int]]
    """A few documents: path, size in bytes, time of change in nanoseconds."""
    staging: str | None
    """The build's staging folder; None for a build that writes nothing."""

    @classmethod
    def here(cls, names: Iterable[str], root: Path, documents: Sequence[str], staging: str | None) -> Elsewhere:
        """Describes this machine.

        names:     packages that outputs depend on
        documents: some documents of the tree, by path
        """
        stats = [os.stat(root / path) for path in documents]
        sources = [(path, found.st_size, found.st_mtime_ns) for path, found in zip(documents, stats, strict=True)]
        return cls(versions_of(names), sources, staging)

    def check(self, root: Path) -> None:
        """Compares this machine with that one. Raises InfographError, which names the machine and what differs."""
        where = f"machine `{platform.node()}`"
        for name, found in versions_of(self.versions).items():
            if found != (wanted := self.versions[name]):
                reason = f"has {_said(name, found)}, and the machine that builds {_said(name, wanted)}"
                raise InfographError(where, reason, "Install the same versions on every machine of the cluster.")
        hint = "Sources and outputs lie in folders that every machine of the cluster has under the same name."
        for path, size, changed in self.sources:
            try:
                stat = os.stat(root / path)
            except OSError as error:
                raise InfographError(where, f"cannot read `{root / path}` ({error.strerror})", hint) from error
            if (stat.st_size, stat.st_mtime_ns) != (size, changed):
                raise InfographError(where, f"has another file as `{root / path}`", hint)
        if self.staging is not None and not os.path.isdir(self.staging):
            raise InfographError(where, f"has no folder `{self.staging}`", hint)


def _said(name: str, found: str | None) -> str:
    return f"no {name}" if found is None else f"{name} {found}"
