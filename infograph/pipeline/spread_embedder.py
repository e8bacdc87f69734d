"""An embedding model whose texts are embedded by the workers of a pool: on the machines of a cluster."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from infograph.embedding.base import CostlyEmbedder, batch_of
from infograph.errors import InfographError, ModelError
from infograph.execution.pool_worker import Died
from infograph.pipeline.worker.tasks import EmbedTexts

if TYPE_CHECKING:
    from infograph.config.settings import Config
    from infograph.embedding.base import Embedder, FloatArray, Kind, ProgressCallback
    from infograph.execution.pool import Pool

TEXTS_A_TASK = 64
"""Texts that a worker embeds in one task: enough that sending them costs nothing beside the model, few enough that
workers end at about the same time."""


def spread(embedder: Embedder, pool: Pool, config: Config) -> Embedder:
    """Returns an embedder with the same vectors that has the pool's workers embed, where these run on other machines,
    too. The embedder itself, where that would change a vector (texts run in batches), cost more than it saves (workers
    embed what they cut already) or multiply requests that are paid for.
    """
    asked_once = isinstance(embedder, CostlyEmbedder)
    if not pool.elsewhere or not embedder.cached or batch_of(embedder) > 1 or asked_once:
        return embedder
    return SpreadEmbedder(embedder, pool, config)


class SpreadEmbedder:
    """Embedder whose vectors the workers of a pool compute, see `Embedder`.

    embedder: the same model in this process, for what is no vector and for a few texts
    """

    cached = True
    texts_a_task = TEXTS_A_TASK
    """Texts of a task."""
    few = TEXTS_A_TASK
    """Texts up to which this process embeds."""

    def __init__(self, embedder: Embedder, pool: Pool, config: Config) -> None:
        self._embedder = embedder
        self._pool = pool
        self._config = config

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def revision(self) -> str:
        return self._embedder.revision

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def seconds_for(self, texts: Sequence[str]) -> float | None:
        """Returns how long these texts will take on all workers, see `Embedder.seconds_for`."""
        seconds = self._embedder.seconds_for(texts)
        return None if seconds is None else seconds / self._pool.jobs

    def embed(
        self, texts: Sequence[str], *, kind: Kind = "document", progress: ProgressCallback | None = None
    ) -> FloatArray:
        """Returns one unit vector a row, see `Embedder.embed`. Raises ModelError."""
        if len(texts) <= self.few:
            return self._embedder.embed(texts, kind=kind, progress=progress)
        import numpy as np

        vectors = np.zeros((len(texts), self.dimension), np.float32)
        starts = range(0, len(texts), self.texts_a_task)
        model, options = self._config.model, self._config.embedding
        tasks = [EmbedTexts(model, options, list(texts[at : at + self.texts_a_task]), kind) for at in starts]
        done = 0
        for position, answer in self._pool.run(tasks, [[at] for at in range(len(tasks))], seconds=math.inf):
            if isinstance(answer, InfographError):
                raise answer
            if isinstance(answer, Died):
                reason = f"took its worker process down (status {answer.exit_status})"
                raise ModelError(f"model `{self.name}`", reason, "Its machine may have too little memory.")
            vectors[position * self.texts_a_task :][: len(answer)] = answer
            done += len(answer)
            if progress is not None:
                progress(done, len(texts))
        return vectors
