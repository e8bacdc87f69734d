"""Cuts where the topic changes: at valleys of the similarity between the text before and after a gap.

The document is split into atoms: the sentences of its paragraphs, and every other block whole (a list by its
items), a heading with the block below it. Each atom is embedded. The similarity at a gap is the cosine between the
mean of the `smooth` atoms before it and the mean of those after it, fewer at the document's ends. A local minimum
of this curve below mean - sensitivity × standard deviation, or below a percentile of the curve, is a breakpoint.

`segment` keeps the sizes by finding the best cuts of the document as a whole: no rule merges or splits afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from infograph.chunking.interface import ChunkPiece, Cutting, DocumentLayout, StrategyTools
from infograph.chunking.pieces.atoms import document_atoms
from infograph.chunking.pieces.segments import segment
from infograph.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DIGITS = 6
"""Digits of similarities that remain equal when machines add in different orders."""


@dataclass(frozen=True, slots=True)
class SemanticEmbedding:
    """The `semantic-embedding` strategy with its sizes in tokens and its rule for breakpoints."""

    minimum: int = 100
    """Smallest size of a chunk, unless the document is smaller, or the chunk's neighbours are full."""
    maximum: int = 512
    """Largest size of a chunk, unless a single block with its heading is larger."""
    smooth: int = 3
    """Number of atoms averaged on each side of a gap; 1 compares single neighbours."""
    sensitivity: float = 1.0
    """Standard deviations below the mean at which a minimum becomes a breakpoint; usual values are 1 to 2."""
    percentile: float | None = None
    """Replaces `sensitivity`: a minimum is a breakpoint where its distance, 1 - similarity, is above this
    percentile."""

    embeds: ClassVar[bool] = True
    extensions: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.minimum <= self.maximum:
            raise _error(f"minimum {self.minimum} and maximum {self.maximum} are not in ascending order")
        if self.smooth < 1:
            raise _error(f"smooth {self.smooth} is not at least 1")
        if self.percentile is not None and not 0 <= self.percentile <= 100:
            raise _error(f"percentile {self.percentile:g} is not from 0 to 100")

    @property
    def chunk_type(self) -> str:
        return "semantic"

    @property
    def key(self) -> str:
        rule = f"s{self.sensitivity:g}" if self.percentile is None else f"p{self.percentile:g}"
        return f"semantic-embedding-{rule}-w{self.smooth}-{self.minimum}-{self.maximum}"

    def __call__(self, layout: DocumentLayout, tools: StrategyTools) -> Cutting:
        if tools.embed is None:
            raise ConfigError(
                "strategies.semantic-embedding",
                "it compares sentences by their embeddings, and no embedding model was given to it",
                "`infograph build` and `infograph chunk` bring one; "
                "from Python, pass `StrategyTools(counter, embed=…)`",
            )
        atoms = document_atoms(layout, self.maximum, tools.counter)
        if not atoms:
            return Cutting([])
        vectors = tools.embed([layout.body[atom.start : atom.end] for atom in atoms])
        curve = similarities(vectors, self.smooth)
        cuts = segment([atom.tokens for atom in atoms], self._gains(curve), self.minimum, self.maximum)
        scores = coherence(vectors, cuts)
        pieces = []
        for (begin, end), score in zip(pairwise((*cuts, len(atoms))), scores, strict=True):
            first, last = atoms[begin], atoms[end - 1]
            facts = (("coherence", score),)
            pieces.append(ChunkPiece(first.start, last.end, first.continues, first.before, last.after, facts=facts))
        return Cutting(pieces)

    def _gains(self, curve: NDArray[np.float64]) -> list[float]:
        """Returns the gain of a cut at each gap: above 0 at breakpoints.

        Elsewhere it is so low that a cut is made only for the sake of sizes, and then first at minima.
        """
        import numpy as np

        if not len(curve):
            return []
        if self.percentile is None:
            threshold = float(curve.mean() - self.sensitivity * curve.std())
        else:
            threshold = 1 - float(np.percentile(1 - curve, self.percentile))
        minimum = np.ones(len(curve), bool)
        minimum[1:] &= curve[1:] < curve[:-1]
        minimum[:-1] &= curve[:-1] <= curve[1:]
        gains: list[float] = np.round(threshold - curve - np.where(minimum, 0.0, 4.0), _DIGITS).tolist()
        return gains


def similarities(vectors: NDArray[np.float32], smooth: int) -> NDArray[np.float64]:
    """Returns for each gap between unit vectors the cosine of the means of up to `smooth` vectors on each side: n -
    1 values."""
    import numpy as np

    count = len(vectors)
    if count < 2:
        return np.empty(0)
    width = min(smooth, count)
    padded = np.zeros((count + 2 * (width - 1), vectors.shape[1]), np.float32)
    padded[width - 1 : width - 1 + count] = vectors
    sums = padded[: count + width - 1].copy()  # row i: the vectors from i - (width - 1) to i
    for shift in range(1, width):
        sums += padded[shift : shift + count + width - 1]
    # The float32 sums above have a fixed order; products are added in float64, so that rounding hides their order.
    norms = np.sqrt(np.einsum("ij,ij->i", sums, sums, dtype=np.float64))
    dots = np.einsum("ij,ij->i", sums[: count - 1], sums[width:], dtype=np.float64)
    lengths = norms[: count - 1] * norms[width:]
    curve: NDArray[np.float64] = np.round(dots / np.maximum(lengths, 1e-12), _DIGITS)
    return curve


def coherence(vectors: NDArray[np.float32], starts: Sequence[int]) -> list[float]:
    """Returns for each run of unit vectors the mean cosine over its pairs; 1 for a single vector.

    From the sum S of n unit vectors: |S|² is n and twice the sum over pairs, so no pair is computed.
    """
    import numpy as np

    counts = np.diff([*starts, len(vectors)])
    sums = np.add.reduceat(vectors, starts, axis=0, dtype=np.float64)
    pairs = np.maximum(counts * (counts - 1), 1)
    means = np.where(counts > 1, ((sums * sums).sum(axis=1) - counts) / pairs, 1.0)
    scores: list[float] = means.tolist()
    return scores


def _error(reason: str) -> ConfigError:
    return ConfigError("strategies.semantic-embedding", reason)
