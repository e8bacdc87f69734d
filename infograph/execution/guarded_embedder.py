"""A model of other packages in a process of its own: one that hangs, or takes its process down, ends a build, an
evaluation or a search with an error, and nothing else.

A thread cannot stop another one, least of all in a loop of C that holds the interpreter's lock, and a build that waits
would hold the lock of its tree for ever. Packaged models and those of an endpoint, which has time limits, stay where
they are.
"""

from __future__ import annotations

import contextlib
import math
import sys
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from infograph import embedding
from infograph.embedding.base import ForeignEmbedder, batch_of
from infograph.errors import InfographError, ModelError
from infograph.execution.model_process import ModelSetup, ModelTask
from infograph.execution.pool_worker import Died
from infograph.execution.watched import WatchedProcess
from infograph.progress import amount

if TYPE_CHECKING:
    from infograph.embedding.base import Embedder, FloatArray, Kind, ModelOptions, ProgressCallback

_MODULE = "infograph.execution.model_process"
TEXTS_A_TASK = 64
"""Texts of a batch, where a vector is a function of its text alone: enough that sending them costs nothing beside the
model, few enough that a limit for all of them is one for each."""
_NAMED = 3
"""Documents that an error names."""


def load_guarded(model: str, threads: int | None, options: ModelOptions) -> Embedder:
    """Returns what `embedding.load` does, guarded where it must be. Its process starts when it is first asked for
    something, and ends with this one, or before, see `ended`. Raises ModelError.

    threads: processor cores to use
    """
    embedder = embedding.load(model, threads, options)
    if not isinstance(embedder, ForeignEmbedder):
        return embedder
    return GuardedEmbedder(embedder, setup_of(model, threads, options))


def setup_of(model: str, threads: int | None, options: ModelOptions, *, behind: bool = False) -> ModelSetup:
    """Returns what the process of a model must know.

    threads: processor cores to use
    behind:  let everything else on the machine go before it
    """
    return ModelSetup(model, threads, options, list(sys.path), behind)


@contextlib.contextmanager
def ended(embedder: Embedder) -> Iterator[Embedder]:
    """Gives an embedder, and ends its process, if it has one: it may hold much memory."""
    try:
        yield embedder
    finally:
        if isinstance(embedder, GuardedEmbedder):
            embedder.close()


class ModelStuck(ModelError):
    """A model was not heard of for too long, or took its worker process down."""

    texts: Sequence[str] = ()
    """What it had to embed."""

    def naming(self, documents: Mapping[str, Sequence[str]]) -> ModelStuck:
        """Returns this error with the documents that it is about.

        documents: texts of each document by its path
        """
        stuck = set(self.texts)
        paths = sorted(path for path, texts in documents.items() if not stuck.isdisjoint(texts))
        if not paths:
            return self
        more = f" and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else ""
        named = ", ".join(f"`{path}`" for path in paths[:_NAMED])
        found = ModelStuck(self.place, f"{self.reason}, in the batch with texts of {named}{more}", self.hint)
        found.texts = self.texts
        return found


class GuardedEmbedder:
    """Embedder whose texts a process of its own embeds, which is ended when it takes too long, see `Embedder`. Threads
    take turns.

    embedder: the same model in this process, for what says itself without work
    """

    def __init__(self, embedder: Embedder, setup: ModelSetup) -> None:
        self.name, self.revision, self.cached = embedder.name, embedder.revision, embedder.cached
        self.batch = batch_of(embedder)
        """As `BatchEmbedder.batch`."""
        self._seconds = setup.options.batch_seconds or math.inf
        self._process = WatchedProcess(_MODULE, setup)
        weakref.finalize(self, self._process.close)  # what embeds queries has no end but that of who holds it
        self._dimension: int | None = None
        self._turns = threading.Lock()

    @property
    def dimension(self) -> int:
        if self._dimension is None:
            self._dimension = int(self._ask(ModelTask("dimension", []), "saying how long its vectors are"))
        return self._dimension

    def seconds_for(self, texts: Sequence[str]) -> float | None:
        """Returns how long these texts will take, see `Embedder.seconds_for`. Raises ModelError."""
        seconds: float | None = self._ask(ModelTask("seconds_for", list(texts)), "saying how long it will take")
        return seconds

    def embed(
        self, texts: Sequence[str], *, kind: Kind = "document", progress: ProgressCallback | None = None
    ) -> FloatArray:
        """Returns one unit vector a row, see `Embedder.embed`; progress counts characters. Raises ModelError, and
        ModelStuck where the model takes too long or takes its process down."""
        import numpy as np

        at_once = TEXTS_A_TASK if self.batch == 1 else max(1, len(texts))
        found = []
        done, total = 0, sum(len(text) + 1 for text in texts)
        for start in range(0, max(1, len(texts)), at_once):
            some = list(texts[start : start + at_once])
            share = sum(len(text) + 1 for text in some)

            def told(now: int, full: int, before: int = done, share: int = share) -> None:
                if progress is not None and now < full:
                    progress(before + share * now // max(1, full), total)

            found.append(self._ask(ModelTask("embed", some, kind), f"embedding {amount(len(some), 'text')}", told))
            done += share
            if progress is not None and some:
                progress(done, total)
        return np.concatenate(found)

    def close(self) -> None:
        """Ends the process."""
        self._process.close()

    def kill(self) -> None:
        """Ends the process for good, while another thread waits for it, too, which then learns of it."""
        self._process.kill()

    def _ask(self, task: ModelTask, doing: str, told: ProgressCallback = lambda done, total: None) -> Any:
        with self._turns:
            answer = self._process.ask(task, self._seconds, told)
        if isinstance(answer, Died):
            raise self._stuck(answer, task, doing)
        if isinstance(answer, InfographError):
            raise answer
        return answer

    def _stuck(self, died: Died, task: ModelTask, doing: str) -> ModelStuck:
        place = f"model `{self.name}`"
        if died.timed_out:
            reason = f"was not heard of for {self._seconds:g} seconds while {doing}, and its process was ended"
            hint = "Raise `embedding.batch_seconds` if it is only slow (0: no limit), or take another `model`."
        else:
            reason = f"took its worker process down (status {died.exit_status}) while {doing}"
            hint = "Its machine may have too little memory, or its package is at fault: take another `model`."
        error = ModelStuck(place, reason, hint)
        error.texts = task.texts
        return error
