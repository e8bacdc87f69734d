"""Vectors that a process of its own makes: they are in the cache, and who ends it waits for nothing."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from infograph import embedding
from infograph.config import Settings, load
from infograph.embedding.vectors import Texts, Vectors
from infograph.errors import ModelError
from infograph.pipeline.background import BackgroundEmbedding
from infograph.pipeline.keys import strategy_key

PATIENCE = 120.0
"""Seconds until a test gives up; never a measure."""
FILES = [Texts(f"{number:02x}" * 32, [f"text {number} of {part}" for part in range(40)]) for number in range(20)]
"""Three times as many texts as are kept together."""

LETTERS = """
import os, time, zlib
from pathlib import Path

import numpy as np

PLACE = Path(os.environ["PLACE"])


class Letters:
    revision, dimension, cached = "0123456789ab", 8, True

    def __init__(self, threads):
        self.threads = threads

    def seconds_for(self, texts):
        return None

    def embed(self, texts, *, kind="document", progress=None):
        with open(PLACE / "calls", "a") as file:
            file.write(f"{os.getpid()} {len(texts)} {self.threads}\\n")
        while (PLACE / "gate").exists():
            time.sleep(0.01)
        if (PLACE / "broken").exists():
            raise ValueError("no such letter")
        found = np.full((len(texts), 8), 0.5)
        for row, text in zip(found, texts, strict=True):
            for letter in text.encode():
                row[letter % 8] += 1
        return (found / np.sqrt((found * found).sum(axis=1, keepdims=True))).astype(np.float32)
"""


@pytest.fixture
def settings(tmp_path: Path, install: Any, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Of a tree whose model is of another package, which the process finds as this one does."""
    installed = install("letters", {"infograph.embedders": {"letters": "letters:Letters"}}, LETTERS)
    monkeypatch.setenv("PYTHONPATH", str(installed))
    monkeypatch.setenv("PLACE", str(tmp_path))
    (tmp_path / "docs").mkdir()
    flags = {"model": "letters", "cache": str(tmp_path / "cache"), "jobs": 3}
    return load(str(tmp_path / "docs"), flags=flags, environment={})


def calls(folder: Path) -> list[list[int]]:
    """Process, number of texts and of threads of each call."""
    path = folder / "calls"
    return [[int(number) for number in line.split()] for line in path.read_text().splitlines()] if path.exists() else []


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def left(settings: Settings) -> tuple[Vectors, int]:
    """Vectors as the next build looks for them, and how many texts it would embed."""
    model = embedding.load("letters", 1, settings.config.embedding)
    vectors = Vectors(model, settings.cache, strategy_key(settings.config))
    return vectors, vectors.plan(FILES)


def test_every_vector_is_in_the_cache_when_it_says_so(settings: Settings, tmp_path: Path) -> None:
    ended = threading.Event()
    background = BackgroundEmbedding(settings, FILES, ended.set)
    assert ended.wait(PATIENCE)
    assert not background.running and background.failure is None
    assert background.hashes == {file.file_hash for file in FILES}
    background.close()
    vectors, missing = left(settings)
    assert not missing
    for position, found in vectors.run(FILES, lambda share: None):
        assert np.array_equal(found, vectors.embedder.embed(FILES[position].texts))
    process, _, threads = calls(tmp_path)[0]
    assert process != os.getpid() and threads == 3


@pytest.mark.slow
def test_closed_in_the_middle_it_keeps_what_it_has(settings: Settings, tmp_path: Path) -> None:
    ended = threading.Event()
    background = BackgroundEmbedding(settings, FILES, ended.set)
    until(lambda: left(settings)[1] < len(FILES) * 40)
    (tmp_path / "gate").touch()
    background.close()
    known = left(settings)[1]
    assert known < len(FILES) * 40
    with pytest.raises(ProcessLookupError):
        os.kill(calls(tmp_path)[0][0], 0)
    (tmp_path / "gate").unlink()
    asked = sum(count for _, count, _ in calls(tmp_path))
    again = BackgroundEmbedding(settings, FILES, ended.set)
    assert ended.wait(PATIENCE)
    again.close()
    assert left(settings)[1] == 0
    assert sum(count for _, count, _ in calls(tmp_path)) - asked == known


@pytest.mark.slow
def test_a_process_that_waits_is_ended_at_once(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "gate").touch()
    background = BackgroundEmbedding(settings, FILES, lambda: pytest.fail("it was closed"))
    until(lambda: calls(tmp_path))
    background.close()
    with pytest.raises(ProcessLookupError):
        os.kill(calls(tmp_path)[0][0], 0)


@pytest.mark.slow
def test_a_model_that_fails_and_one_that_is_killed(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "broken").touch()
    ended = threading.Event()
    background = BackgroundEmbedding(settings, FILES, ended.set)
    assert ended.wait(PATIENCE)
    assert isinstance(background.failure, ModelError) and "no such letter" in str(background.failure)
    background.close()

    (tmp_path / "gate").touch()
    before = len(calls(tmp_path))
    ended.clear()
    background = BackgroundEmbedding(settings, FILES, ended.set)
    until(lambda: len(calls(tmp_path)) > before)
    os.kill(calls(tmp_path)[before][0], signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
    assert ended.wait(PATIENCE)
    assert isinstance(background.failure, ModelError) and "worker process down" in str(background.failure)
    background.close()


def test_a_cache_that_cannot_be_written_ends_it(settings: Settings, tmp_path: Path) -> None:
    """What it goes on to embed would be lost."""
    settings.cache.write_text("no folder")
    ended = threading.Event()
    background = BackgroundEmbedding(settings, FILES, ended.set)
    assert ended.wait(PATIENCE)
    assert background.failure is not None and "cache" in str(background.failure)
    background.close()
    assert sum(count for _, count, _ in calls(tmp_path)) < len(FILES) * 40
