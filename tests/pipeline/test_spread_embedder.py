"""Vectors that the workers of a cluster compute are those of the model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from infograph.config.settings import Config, EmbeddingSettings
from infograph.errors import ModelError
from infograph.execution.pool_worker import Died
from infograph.pipeline.spread_embedder import TEXTS_A_TASK, spread
from infograph.pipeline.worker.tasks import EmbedTexts


class Workers:
    """The pool, of which a test says what it answers; the last task is answered first."""

    jobs = 3
    elsewhere = True

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.tasks: list[EmbedTexts] = []

    def run(self, tasks: Sequence[EmbedTexts], groups: Sequence[Sequence[int]], **_: Any) -> Iterator[tuple[int, Any]]:
        self.tasks += tasks
        for position in reversed(range(len(tasks))):
            yield position, self.answer(tasks[position])


TEXTS = [f"text {number} of the tree" for number in range(3 * TEXTS_A_TASK + 5)]


def test_vectors_are_those_of_the_model_in_the_order_of_the_texts(words_model: Any) -> None:
    workers = Workers(lambda task: words_model.embed(task.texts, kind=task.kind))
    seen: list[tuple[int, int]] = []
    embedder = spread(words_model, workers, Config())  # type: ignore[arg-type]
    found = embedder.embed(TEXTS, kind="query", progress=lambda done, total: seen.append((done, total)))
    assert np.array_equal(found, words_model.embed(TEXTS))
    assert [len(task.texts) for task in workers.tasks] == [TEXTS_A_TASK] * 3 + [5]
    assert {task.kind for task in workers.tasks} == {"query"}
    assert seen == sorted(seen) and seen[-1] == (len(TEXTS), len(TEXTS))
    assert (embedder.name, embedder.revision, embedder.dimension) == (
        words_model.name,
        words_model.revision,
        words_model.dimension,
    )


def test_few_texts_stay_here(words_model: Any) -> None:
    workers = Workers(lambda task: pytest.fail("sent"))
    embedder = spread(words_model, workers, Config())  # type: ignore[arg-type]
    assert len(embedder.embed(TEXTS[:TEXTS_A_TASK])) == TEXTS_A_TASK


def test_an_error_of_the_model_and_a_worker_that_dies_of_it_end_the_build(words_model: Any) -> None:
    workers = Workers(lambda task: ModelError("model `x`", "is damaged"))
    with pytest.raises(ModelError, match="is damaged"):
        spread(words_model, workers, Config()).embed(TEXTS)  # type: ignore[arg-type]
    workers = Workers(lambda task: Died(timed_out=False, exit_status=-9))
    with pytest.raises(ModelError, match=r"took its worker process down \(status -9\)"):
        spread(words_model, workers, Config()).embed(TEXTS)  # type: ignore[arg-type]


def test_what_spreading_would_change_or_multiply_is_not_spread(words_model: Any) -> None:
    workers = Workers(None)
    for name, value in (("batch", 8), ("texts_at_once", 256), ("cached", False)):
        model = type("Model", (type(words_model),), {name: value})()
        assert spread(model, workers, Config(embedding=EmbeddingSettings(batch=8))) is model  # type: ignore[arg-type]
    workers.elsewhere = False
    assert spread(words_model, workers, Config()) is words_model  # type: ignore[arg-type]
