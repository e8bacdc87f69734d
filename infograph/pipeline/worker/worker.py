"""The main loop of a worker process, which cuts documents, then makes the files of topics.

`python -m infograph.pipeline.worker.worker` reads a `Setup` and then tasks from its standard input, and answers each;
see `infograph.execution`.
"""

from __future__ import annotations

import gc
import os
import traceback
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from infograph import embedding
from infograph.chunking.tokens import WordPieceCounter
from infograph.embedding.base import ForeignEmbedder
from infograph.errors import DocumentError, InfographError
from infograph.execution.child import serve_parent
from infograph.execution.guarded_embedder import load_guarded
from infograph.execution.memory import give_back
from infograph.pipeline.worker.cutter import Cutter
from infograph.pipeline.worker.outcomes import Outcomes
from infograph.pipeline.worker.streaming import is_streamed, stream, texts_of
from infograph.pipeline.worker.tasks import EmbedTexts, Result, Setup
from infograph.words.phrases import classes
from infograph.words.twins import WHY_PURE

if TYPE_CHECKING:
    from infograph.config.settings import Config
    from infograph.embedding.base import Embedder, FloatArray
    from infograph.pipeline.worker.topic_files import Made, TopicFiles, TopicTask


class Worker:
    """Runs the tasks of one build, one after the other; every argument and result pickles."""

    def __init__(self, number: str, setup: Setup) -> None:
        if setup.elsewhere is not None:
            setup.elsewhere.check(setup.root)
        self.setup = setup
        self.cutter = Cutter(number, setup)
        self.outcomes: Outcomes | None = Outcomes(self.cutter)
        """Makes the results of documents; None while topics are made."""
        self._topic_files: TopicFiles | None = None
        self._embedder: Embedder | None = None
        """Model of the tasks that embed; None before the first and while topics are made."""

    def do(self, task: str | EmbedTexts | TopicTask) -> Result | FloatArray | Made | InfographError:
        """Cuts the document of a path, embeds texts or does a task of a topic; returns the error where that fails."""
        if isinstance(task, str):
            return self.process(task)
        if isinstance(task, EmbedTexts):
            return self._embed(task)
        try:
            return self._topics().do(task)
        except InfographError as error:
            return error
        except Exception as error:  # noqa: BLE001 - a fault of ours must name the topic
            traceback.print_exc()
            reason = f"made infograph fail: {type(error).__name__}: {error}"
            return InfographError(task.topic or ".", reason, "Please report it, with the lines above.")

    def _embed(self, task: EmbedTexts) -> FloatArray | InfographError:
        try:
            if self._embedder is None:
                self._embedder = load_guarded(task.model, 1, task.options)
            return self._embedder.embed(task.texts, kind=task.kind)
        except InfographError as error:
            return error

    def _topics(self) -> TopicFiles:
        if self._topic_files is None:
            from infograph.pipeline.worker.topic_files import TopicFiles  # a worker that only cuts does without

            assert self.setup.manner is not None
            self.unload()
            self._topic_files = TopicFiles(self.setup.manner, self.cutter.stage, self.texts)
        return self._topic_files

    def unload(self) -> None:
        """Frees what only documents need; a document that comes later loads it again."""
        if self.outcomes is not None:
            self.outcomes.close()
        self.outcomes = None
        self._embedder = None

    def process(self, path: str) -> Result:
        """Reads, cuts and stages one document. Its error is in the result, never raised."""
        result = Result(path)
        if self.outcomes is None:
            self.outcomes = Outcomes(self.cutter)
        try:
            if is_streamed(self.cutter, path):
                stream(self.cutter, self.outcomes.embedder, path, result)
            else:
                self.outcomes.put(self.cutter.read(path, result), result)
        except InfographError as error:
            result.error = error
            if isinstance(error.__cause__, (OSError, ImportError)):
                result.stamp = None  # a fault of the machine, a package missing: may pass while the file stays as it is
        except Exception as error:  # noqa: BLE001 - a fault of ours must cost this document only, and not in silence
            traceback.print_exc()
            reason = f"made infograph fail: {type(error).__name__}: {error}"
            result.error = DocumentError(path, reason, "Please report it, with the lines above.")
            result.stamp = None  # not the file's doing: try again at the next build
        if result.error is not None:
            result = Result(path, result.stamp, result.error, included=result.included)  # what was staged stays behind
        return result

    def texts(self, path: str) -> Iterable[str]:
        """Returns the texts of a document's chunks."""
        return texts_of(self.cutter, path)


class Builds:
    """The workers of builds that follow one another in this process."""

    def __init__(self) -> None:
        self._worker: Worker | None = None

    def begin(self, name: str, setup: Setup) -> Callable[[Any], Any]:
        """Returns what does the tasks of a build."""
        self._worker = Worker(name, setup)
        return self._worker.do

    def rest(self) -> None:
        """Frees what the last build needed."""
        if self._worker is not None:
            self._worker.unload()
            self._worker = None
        gc.collect()
        give_back()


def preload(config: Config) -> None:
    """Imports and loads what a worker needs for its first document: what this process has, its copies have."""
    from infograph.pipeline.worker import topic_files  # noqa: F401

    WordPieceCounter().count([""])
    if not WHY_PURE:
        classes()
    if config.search.enabled:
        from infograph.pipeline.worker import pages  # noqa: F401
        from infograph.search.format.terms import compound_pattern

        compound_pattern()
    embedder = embedding.load(config.model, 1, config.embedding)
    if not embedder.cached and not isinstance(embedder, ForeignEmbedder):  # then the workers embed
        embedder.embed([""])


def main() -> None:
    """Serves tasks until the parent closes the pipe or ends."""
    gc.disable()  # see `pipeline.run`; a document leaves hardly a cycle behind
    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # the parent runs one worker a processor already
    builds = Builds()
    serve_parent(builds.begin, builds.rest)


if __name__ == "__main__":
    # The classes of `__main__` have other names than those that the parent pickles.
    from infograph.pipeline.worker.worker import main as importable_main

    importable_main()
