"""The process of a model whose code is not infograph's: it embeds, and says how far it is.

`python -m infograph.execution.model_process` reads a `ModelSetup` and then tasks from its standard input, and
answers each; see `guarded_embedder.py`, which is the parent's side.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from infograph import embedding
from infograph.errors import InfographError, ModelError
from infograph.execution.child import give_way, serve_watcher
from infograph.plugins.entry_points import said

if TYPE_CHECKING:
    from infograph.embedding.base import Kind, ModelOptions

_SAID_SECONDS = 0.1
"""Seconds between two words of how far it is."""


@dataclass(frozen=True, slots=True)
class ModelSetup:
    """What the process must know of a model."""

    model: str
    threads: int | None
    options: ModelOptions
    path: list[str]
    """Where the parent looks for modules: the model's package may be found nowhere else."""
    behind: bool
    """Whether all other processes go first."""


@dataclass(frozen=True, slots=True)
class ModelTask:
    """Task of a model. Its answer is what the method of this name returns, or an InfographError."""

    asked: Literal["dimension", "seconds_for", "embed"]
    texts: list[str]
    kind: Kind = "document"


class ModelProcess:
    """Does tasks by one model, which it loads.

    tell: tells the parent how much of a task is done, and of how much
    """

    def __init__(self, setup: ModelSetup, tell: Callable[..., None]) -> None:
        sys.path.extend(place for place in setup.path if place not in sys.path)
        if setup.behind:
            give_way()
        self._setup = setup
        self._tell = tell
        self._told = 0.0
        self._embedder = embedding.load(setup.model, setup.threads, setup.options)

    def do(self, task: ModelTask) -> Any:
        """Returns the answer to a task; the error of the model where that fails."""
        try:
            if task.asked == "dimension":
                return self._embedder.dimension
            if task.asked == "seconds_for":
                return self._embedder.seconds_for(task.texts)
            return self._embedder.embed(task.texts, kind=task.kind, progress=self._progress)
        except InfographError as error:
            return error
        except Exception as error:  # noqa: BLE001 - whatever a library raises: the parent says it
            return ModelError(f"model `{self._setup.model}`", f"failed ({said(error)})")

    def _progress(self, done: int, total: int) -> None:
        if time.monotonic() - self._told >= _SAID_SECONDS:
            self._told = time.monotonic()
            self._tell(done, total)


def main() -> None:
    """Serves tasks until the parent closes the pipe or ends."""
    serve_watcher(lambda name, setup, tell: ModelProcess(setup, tell).do)


if __name__ == "__main__":
    # The classes of `__main__` have other names than those that the parent pickles.
    from infograph.execution.model_process import main as importable_main

    importable_main()
