"""Embedders of other packages: what they return is checked, since what follows from it is published."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from infograph.errors import InfographError, ModelError
from infograph.plugins.entry_points import Plugin, said

if TYPE_CHECKING:
    from infograph.embedding.base import Embedder, FloatArray, Kind, ProgressCallback

_REVISION = re.compile("[0-9a-f]{12}")
_SLACK = 1e-3
"""How far from 1 the length of a vector may be."""


class PluginEmbedder:
    """Embedder that an entry point leads to, under the entry point's name. Raises ModelError where it is none."""

    foreign = True

    def __init__(self, plugin: Plugin, threads: int | None) -> None:
        self.name = plugin.name
        self._package = plugin.package
        try:
            self._own: Embedder = plugin.value(threads)
            self.revision = self._own.revision
            self.cached = self._own.cached
        except InfographError:
            raise
        except Exception as error:  # whatever the package raises
            raise self._wrong(f"cannot be made ({said(error)})") from error
        if not isinstance(self.revision, str) or not _REVISION.fullmatch(self.revision):
            raise self._wrong(f"its revision is {self.revision!r}, and not 12 hex digits")
        if not isinstance(self.cached, bool):
            raise self._wrong(f"its `cached` is {self.cached!r}, and neither True nor False")

    @property
    def dimension(self) -> int:
        try:
            return self._own.dimension
        except InfographError:
            raise
        except Exception as error:  # as above
            raise self._wrong(f"has no dimension ({said(error)})") from error

    def seconds_for(self, texts: Sequence[str]) -> float | None:
        """Returns the seconds that the package expects, as `Embedder.seconds_for` states. Raises ModelError where it
        fails."""
        try:
            return self._own.seconds_for(texts)
        except InfographError:
            raise
        except Exception as error:  # as above
            raise self._wrong(f"cannot say how long it takes ({said(error)})") from error

    def embed(
        self, texts: Sequence[str], *, kind: Kind = "document", progress: ProgressCallback | None = None
    ) -> FloatArray:
        """Embeds texts as `Embedder.embed` states. Raises ModelError where the package fails, or returns anything but
        finite unit vectors, one for each text."""
        import numpy as np

        try:
            found = self._own.embed(list(texts), kind=kind, progress=progress)
            wanted = (len(texts), self.dimension)
        except InfographError:
            raise
        except Exception as error:  # as above
            raise self._wrong(f"failed ({said(error)})") from error
        if not isinstance(found, np.ndarray) or found.dtype != np.float32:
            raise self._wrong("returned something else than an array of float32")
        if found.shape != wanted:
            raise self._wrong(f"returned an array of {found.shape} in the place of {wanted}")
        lengths = np.linalg.norm(found.astype(np.float64), axis=1)
        if not (np.abs(lengths - 1) < _SLACK).all():  # so NaN is refused, too
            raise self._wrong("returned vectors whose length is not 1, or not even a number")
        return found

    def _wrong(self, reason: str) -> ModelError:
        hint = "Tell its authors: `infograph.embedding.base.Embedder` says what an embedder is."
        return ModelError(f"model `{self.name}` of {self._package}", reason, hint)
