"""The interface of every embedding model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:  # numpy takes 0.1 s to import
    import numpy as np
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float32]

Kind = Literal["document", "query"]
"""Kind of a text: some models embed passages and questions differently; others ignore it."""

ProgressCallback = Callable[[int, int], None]
"""Called with the work done and the total work in the model's own unit; the last call has both
equal.

The unit is proportional to time (tokens where the model is a transformer), so that the share of work done estimates
the share of time, in whatever order the texts are taken.
"""


@runtime_checkable
class BatchEmbedder(Protocol):
    """A model that can run several texts at once, which changes the last bits of their vectors."""

    batch: int
    """Most texts that are run at once; 1 for a vector that is a function of its text alone."""


@runtime_checkable
class CostlyEmbedder(Protocol):
    """An embedder whose vectors are paid for, or slow: few are lost where it fails."""

    texts_at_once: int
    """Texts that are embedded before their vectors are kept."""


@runtime_checkable
class ForeignEmbedder(Protocol):
    """An embedder that runs code of other packages, which may hang where nothing of this process can stop it: builds,
    evaluations and searches run it in a process of its own, see `execution.guarded_embedder`."""

    foreign: bool
    """True."""


def batch_of(embedder: Embedder) -> int:
    """Returns how many texts a model runs at once."""
    return embedder.batch if isinstance(embedder, BatchEmbedder) else 1


class Embedder(Protocol):
    """An embedding model: texts in, unit vectors out.

    A vector is a function of the text and the model alone: not of the other texts of the call, their order or the
    number of threads; nor of a batch, unless `BatchEmbedder.batch` says that several texts are run at once.
    """

    @property
    def name(self) -> str:
        """Name of the model, as in the configuration and in `topic-spec.md`, for example `all-MiniLM-L6-v2`."""

    @property
    def revision(self) -> str:
        """First 12 hex digits of the SHA-256 of the weights: other weights, other revision."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    @property
    def cached(self) -> bool:
        """Whether vectors are worth caching: False when computing one costs less than reading it from a file."""

    def seconds_for(self, texts: Sequence[str]) -> float | None:
        """Returns how long these texts will take, near enough; None where it cannot be told, or where it is not long.

        For what is said before a long build; nothing that is written depends on it.
        """

    def embed(
        self, texts: Sequence[str], *, kind: Kind = "document", progress: ProgressCallback | None = None
    ) -> FloatArray:
        """Returns one float32 unit vector a row for each text, in the order given.

        A text too long for the model is embedded as windows and pooled (see `windows.py`), never cut off. No texts
        give an empty array of the right width.
        """


class EmbedderFactory(Protocol):
    """Maker of an embedder: what an entry point of the group `infograph.embedders` leads to.

    It is called in each process that embeds, and in those that only ask for the revision: what is heavy waits for the
    first text. The model is named as the entry point is. Where `Embedder.cached` is False, workers embed.
    """

    def __call__(self, threads: int | None) -> Embedder:
        """Returns the embedder.

        threads: processor cores to use; None leaves it to the model's library
        """


class ModelOptions(Protocol):
    """What settings say of how texts are embedded: `EmbeddingSettings`."""

    @property
    def batch(self) -> int:
        """Most texts that a `BatchEmbedder` runs at once."""

    @property
    def batch_seconds(self) -> float:
        """Seconds that a `ForeignEmbedder` may say nothing; 0 for any time."""

    @property
    def endpoint(self) -> str:
        """Address of a server, with `/v1` at its end where the server has that."""

    @property
    def dimensions(self) -> int:
        """Length of vectors that is asked for; 0 for the model's own."""

    @property
    def max_tokens(self) -> int:
        """Most tokens of a text that is sent; longer ones are cut into windows."""

    @property
    def timeout(self) -> float:
        """Seconds that an answer may take."""

    @property
    def retries(self) -> int:
        """How often a request is sent again after the first try."""

    @property
    def allow_http(self) -> bool:
        """Whether texts may go unencrypted to a private address."""

    @property
    def redact(self) -> Sequence[str]:
        """Rules for what is replaced before a text is sent."""
