"""A model of another package that hangs or dies in a build: an error that says what to do, and nothing is published."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from moody_model import PLUGIN

from infograph import embedding
from infograph.build import build
from infograph.config import Settings, load
from infograph.config.settings import EmbeddingSettings
from infograph.errors import ModelError
from infograph.execution.guarded_embedder import TEXTS_A_TASK, GuardedEmbedder, ModelStuck, ended, load_guarded
from infograph.plugins.entry_points import EMBEDDERS


@pytest.fixture
def moody(install: Any) -> EmbeddingSettings:
    install("moody", {EMBEDDERS: {"moody": "moody:Moody"}}, PLUGIN)
    return EmbeddingSettings(batch_seconds=60.0)


def test_packaged_models_stay_in_this_process() -> None:
    for model in ("static", "all-MiniLM-L6-v2-int8"):
        assert not isinstance(load_guarded(model, 1, EmbeddingSettings()), GuardedEmbedder)


def test_the_vectors_are_those_of_the_model_itself_batch_after_batch(example: Path) -> None:
    texts = [f"text {number} of many" for number in range(2 * TEXTS_A_TASK + 5)]
    said: list[tuple[int, int]] = []
    with ended(load_guarded("letters", 1, EmbeddingSettings())) as embedder:
        assert isinstance(embedder, GuardedEmbedder) and embedder.dimension == 64
        assert embedder.seconds_for(texts) is None
        found = embedder.embed(texts, progress=lambda done, total: said.append((done, total)))
        assert embedder.embed([]).shape == (0, 64)
    assert np.array_equal(found, embedding.load("letters", 1).embed(texts))
    total = sum(len(text) + 1 for text in texts)
    assert said == sorted(said) and said[-1] == (total, total) and {full for _, full in said} == {total}


@pytest.mark.slow
def test_one_that_says_how_far_it_is_may_take_longer(moody: EmbeddingSettings) -> None:
    options = EmbeddingSettings(batch_seconds=3.0)
    with ended(load_guarded("moody", 1, options)) as embedder:
        assert len(embedder.embed(["slow"] * 30)) == 30


@pytest.mark.parametrize("mood", [pytest.param("sleeping", marks=pytest.mark.slow), "looping"])
def test_one_that_hangs(mood: str, moody: EmbeddingSettings) -> None:
    with ended(load_guarded("moody", 1, EmbeddingSettings(batch_seconds=0.5))) as embedder:
        with pytest.raises(ModelStuck, match=r"was not heard of for 0\.5 seconds while embedding 2 texts"):
            embedder.embed(["well", mood])
        assert isinstance(embedder, GuardedEmbedder)


def test_one_that_takes_its_process_down_or_fails(moody: EmbeddingSettings) -> None:
    with ended(load_guarded("moody", 1, moody)) as embedder:
        with pytest.raises(ModelStuck, match=r"took its worker process down \(status 7\) while embedding 1 text\."):
            embedder.embed(["dying"])
        with pytest.raises(ModelError, match=r"model `moody` of moody 1\.2: failed .OSError: no such letter"):
            embedder.embed(["failing"])
        assert len(embedder.embed(["well"])) == 1


def test_the_documents_of_a_batch_are_named() -> None:
    error = ModelStuck("model `m`", "was not heard of", "Wait.")
    error.texts = ["a", "b", "c"]
    documents = {"z.md": ["c"], "x.md": ["a", "d"], "o.md": ["e"]}
    assert (
        str(error.naming(documents)) == "model `m`: was not heard of, in the batch with texts of `x.md`, `z.md`. Wait."
    )
    many = {f"{number}.md": ["a"] for number in range(5)}
    assert "texts of `0.md`, `1.md`, `2.md` and 2 more. Wait." in str(error.naming(many))
    assert error.naming({}) is error


@pytest.mark.slow
@pytest.mark.parametrize("mood", ["sleeping", "looping", "dying"])
def test_a_build_ends_with_an_error_and_publishes_nothing(
    mood: str, moody: EmbeddingSettings, tmp_path: Path, write_tree: Callable[..., Path], snapshot: Any
) -> None:
    docs = write_tree(tmp_path / "docs", {"a.md": "# A\n\nWell.\n", "deep/b.md": "# B\n\nAlso well.\n"})
    build(_settings(docs, 60.0))
    settings = _settings(docs, 1.5)
    before = {path: data for path, data in snapshot(docs).items() if ".infograph" not in path}
    (docs / "deep/b.md").write_text(f"# B\n\nNow {mood}.\n")
    with pytest.raises(ModelStuck, match=r"model `moody`.*in the batch with texts of `deep/b\.md`\.") as caught:
        build(settings)
    assert "\n" not in str(caught.value)
    after = {path: data for path, data in snapshot(docs).items() if ".infograph" not in path}
    assert after.pop("deep/b.md") != before.pop("deep/b.md") and after == before
    assert not [thread for thread in threading.enumerate() if thread.name == "infograph-watch"]
    (docs / "deep/b.md").write_text("# B\n\nWell again.\n")  # the lock is free
    assert not build(_settings(docs, 60.0)).errors


def _settings(docs: Path, seconds: float) -> Settings:
    (docs.parent / "infograph.toml").write_text(f'model = "moody"\n[embedding]\nbatch_seconds = {seconds}\n')
    return load(str(docs), flags={"jobs": 1}, environment={"PATH": os.environ["PATH"]})
