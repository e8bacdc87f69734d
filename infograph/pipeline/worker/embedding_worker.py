"""The main loop of a worker process that embeds texts and lets everything else on the machine go first.

`python -m infograph.pipeline.worker.embedding_worker` reads the number of processor cores to use and then tasks from
its standard input, and answers each with vectors; see `infograph.execution` and `pipeline.background`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from infograph import embedding
from infograph.errors import InfographError
from infograph.execution.child import give_way, serve_parent

if TYPE_CHECKING:
    from infograph.embedding.base import Embedder, FloatArray
    from infograph.pipeline.worker.tasks import EmbedTexts


class EmbeddingWorker:
    """Embeds the texts of tasks, all by the model of the first.

    threads: processor cores to use
    """

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._embedder: Embedder | None = None

    def do(self, task: EmbedTexts) -> FloatArray | InfographError:
        """Returns the vectors of a task, [texts, dimension], or the error of the model."""
        try:
            if self._embedder is None:
                self._embedder = embedding.load(task.model, self._threads, task.options)
            return self._embedder.embed(task.texts, kind=task.kind)
        except InfographError as error:
            return error


def main() -> None:
    """Serves tasks until the parent closes the pipe or ends."""
    give_way()
    serve_parent(lambda name, threads: EmbeddingWorker(threads).do)


if __name__ == "__main__":
    main()
