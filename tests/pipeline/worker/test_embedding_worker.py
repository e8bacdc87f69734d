"""The worker that embeds: one model for all of its tasks, whose errors are answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from infograph import embedding
from infograph.config.settings import Config, EmbeddingSettings
from infograph.errors import ModelError
from infograph.pipeline.worker.embedding_worker import EmbeddingWorker
from infograph.pipeline.worker.tasks import EmbedTexts

TASK = EmbedTexts(Config().model, EmbeddingSettings(), ["a kettle", "a lamp"], "document")


def test_it_loads_the_model_once_with_the_cores_it_is_given(words_model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[int | None] = []

    def load(model: str, threads: int | None, options: Any) -> Any:
        loaded.append(threads)
        return words_model

    monkeypatch.setattr(embedding, "load", load)
    worker = EmbeddingWorker(3)
    for _ in range(2):
        assert np.array_equal(worker.do(TASK), words_model.embed(TASK.texts))
    assert loaded == [3]


def test_an_error_of_the_model_is_the_answer(words_model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    error = ModelError("model `words`", "is damaged")

    def fail(texts: Any, **options: Any) -> Any:
        raise error

    monkeypatch.setattr(words_model, "embed", fail)
    assert EmbeddingWorker(1).do(TASK) is error
