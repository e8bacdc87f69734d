"""A package that brings infograph an embedding model and a chunking strategy, as small as they can be."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from infograph.chunking.interface import ChunkPiece, Cutting, DocumentLayout, StrategyTools


class LettersEmbedder:
    """Counts pairs of letters. A vector is a function of its text."""

    name = "letters"
    revision = "eb1662b2a688"
    dimension = 64
    cached = True

    def __init__(self, threads: int | None = None) -> None:
        pass

    def seconds_for(self, texts: Sequence[str]) -> float | None:
        return None

    def embed(
        self, texts: Sequence[str], *, kind: str = "document", progress: Callable[[int, int], None] | None = None
    ) -> Any:
        found = np.full((len(texts), self.dimension), 0.5)
        for row, text in zip(found, texts, strict=True):
            data = text.encode("utf-8", "surrogatepass")
            for place in range(len(data)):
                row[zlib.crc32(data[place : place + 2]) % self.dimension] += 1
        if progress:
            progress(len(texts), len(texts))
        return (found / np.sqrt((found * found).sum(axis=1, keepdims=True))).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Lines:
    """Cuts after so many lines, whatever they say."""

    count: int = 5
    """Lines of a chunk."""

    embeds: ClassVar[bool] = False
    extensions: ClassVar[tuple[str, ...]] = ()

    @property
    def chunk_type(self) -> str:
        return "lines"

    @property
    def key(self) -> str:
        return f"lines-{self.count}"

    def __call__(self, layout: DocumentLayout, tools: StrategyTools) -> Cutting:
        body = layout.body
        cuts = [start for start in layout.starts[:: self.count] if start < len(body)]
        ends = [*cuts[1:], len(body)]
        return Cutting([ChunkPiece(start, end) for start, end in zip(cuts, ends, strict=False)])
