"""A corpus of a few words, for metrics that can be worked out by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from infograph.evaluate.corpus import Corpus, RetrievalUnit
from infograph.evaluate.questions import Span


def tiling(texts: Sequence[str], file: str = "a.md") -> Corpus:
    """Units that lie one after the other in one document; each is its own text."""
    units = []
    start = 0
    for text in texts:
        units.append(RetrievalUnit(Span(file, start, start + len(text)), text, len(text.split())))
        start += len(text)
    return Corpus(tuple(texts), tuple(range(len(texts))), tuple(units))


@pytest.fixture(name="tiling")
def tiling_fixture() -> Callable[..., Corpus]:
    return tiling
