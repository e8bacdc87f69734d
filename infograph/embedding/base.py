"""The one interface every embedding model has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:  # numpy takes 0.1 s to import; naming the interface must not
    import numpy as np
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float32]

Kind = Literal["document", "query"]
"""Some models are asked differently for a passage and for a question; others ignore it."""

Progress = Callable[[int, int], None]
"""Called with (work done, work in all), in the model's own unit, ending with the two equal.

The unit is what time is proportional to (tokens where the model is a transformer), so that the share done
is a fair guess at the share of time gone, in whatever order the texts are taken.
"""


class Embedder(Protocol):
    """Texts in, unit vectors out.

    A vector is a function of the text and the model alone: not of the other texts of the call, their order,
    the batch size or the number of threads.
    """

    @property
    def name(self) -> str:
        """As in the configuration and in `topic-spec.md`, for example `all-MiniLM-L6-v2`."""

    @property
    def revision(self) -> str:
        """First 12 hex digits of the SHA-256 of the weights: other weights, other revision."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    @property
    def cached(self) -> bool:
        """False when computing a vector costs less than reading it from a file."""

    @property
    def chunks_per_second(self) -> float | None:
        """Rough speed on chunks of the default strategy with the threads it was given; None when unknown.

        For the estimate printed before a long build; nothing that is written depends on it.
        """

    def embed(self, texts: Sequence[str], *, kind: Kind = "document", progress: Progress | None = None) -> FloatArray:
        """One row for each text, in the order given: float32, length 1. A text too long for the model is
        embedded as windows and pooled (see `windows.py`), never cut off. No texts give an empty array of
        the right width."""
