"""Vectors that are made in the background: a process of its own embeds what a tree lacks, into the cache, while this
one goes on publishing.

Nothing of a tree is written here. What is in the cache at the end, or when it is cut short, the next build finds there.
"""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from infograph import embedding
from infograph.embedding.base import ForeignEmbedder
from infograph.embedding.vectors import Texts, Vectors
from infograph.execution.guarded_embedder import GuardedEmbedder, setup_of
from infograph.execution.pool import Pool
from infograph.pipeline.keys import strategy_key
from infograph.pipeline.spread_embedder import SpreadEmbedder

if TYPE_CHECKING:
    from infograph.config.settings import Settings
    from infograph.embedding.base import Embedder

_WORKER = "infograph.pipeline.worker.embedding_worker"
"""Module that the process runs."""
TEXTS_KEPT = 64
"""Texts whose vectors are put into the cache together, which is what the end loses: seconds of work, on a busy machine
minutes."""


class BackgroundEmbedding:
    """Embeds texts into the cache, from the moment it is made until `close`.

    files: whose texts are embedded; entries of the cache are theirs
    ended: called, from a thread, when everything is embedded or embedding failed; not after `close`

    Raises ModelError, and InfographError where no process can be started.
    """

    def __init__(self, settings: Settings, files: Sequence[Texts], ended: Callable[[], None]) -> None:
        config = settings.config
        self.failure: Exception | None = None
        """Why not everything was embedded, or not kept."""
        self.hashes = frozenset(file.file_hash for file in files)
        """SHA-256 of the files."""
        self._files = files
        self._ended = ended
        self._over, self._closed = threading.Event(), threading.Event()
        self._model = _model_elsewhere(settings)
        self._vectors = Vectors(self._model, settings.cache, strategy_key(config))
        self._thread = threading.Thread(target=self._run, name="infograph-embed", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether there is something left to embed, and nothing failed; False before `ended` is called."""
        return not self._over.is_set()

    def close(self) -> None:
        """Ends it at once; what is in the cache stays."""
        self._closed.set()
        self._model.kill()
        self._thread.join()

    def _run(self) -> None:
        try:
            with contextlib.closing(self._model):
                self._vectors.plan(self._files)
                for _ in self._vectors.run(self._files, lambda share: None):
                    if self._closed.is_set() or self._vectors.failure:
                        break
            self.failure = self._vectors.failure
        except Exception as error:  # noqa: BLE001 - the thread that goes on raises it, or says it
            self.failure = error
        self._over.set()
        if not self._closed.is_set():
            self._ended()


def _model_elsewhere(settings: Settings) -> _Elsewhere | _Guarded:
    """Returns the model in a process of its own, which lets everything else go before it. One of other packages may
    hang, so it is watched besides."""
    config = settings.config
    embedder = embedding.load(config.model, 1, config.embedding)
    if isinstance(embedder, ForeignEmbedder):
        setup = setup_of(config.model, settings.jobs, config.embedding, behind=True)
        return _Guarded(embedder, setup)
    return _Elsewhere(embedder, settings)


class _Guarded(GuardedEmbedder):
    """Model in a process that is watched."""

    texts_at_once = TEXTS_KEPT


class _Elsewhere(SpreadEmbedder):
    """Model in the process of the pool; in this one there is none."""

    few = 0
    texts_at_once = TEXTS_KEPT
    texts_a_task = 64 * TEXTS_KEPT
    """More than are asked for at once, so that windows are shared over all of these."""

    def __init__(self, embedder: Embedder, settings: Settings) -> None:
        super().__init__(embedder, Pool(_WORKER, settings.jobs, 1, math.inf), settings.config)
        self._pool.start()  # here, so that `kill` finds it however early that comes

    def kill(self) -> None:
        """Ends the process at once."""
        self._pool.kill()

    def close(self) -> None:
        """Ends the process."""
        self._pool.close()
