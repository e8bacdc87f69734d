from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from infograph.chunking.pieces.sentences import sentence_ends
from infograph.evaluate import intrinsic
from infograph.model import Chunk

BASE = Chunk("a.md", 0, 1, "", (), "", "", (1, 1), (0, 0), 10, False, "fixed", "")


def chunk(text: str, **more: object) -> Chunk:
    return replace(BASE, text=text, **more)  # type: ignore[arg-type]


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in pairwise([0, *sentence_ends(text)])]


def by_first_word(texts: Sequence[str]) -> NDArray[np.float32]:
    """Sentences that begin alike are the same, others at right angles."""
    words = sorted({text.split()[0] for text in texts})
    return np.eye(len(words), dtype=np.float32)[[words.index(text.split()[0]) for text in texts]]


def test_sentences() -> None:
    text = "# Head\n\nOne here. Two there!\nWhat now? As e.g. here. Three:\n- item a\n- item b\n\n***\n"
    assert intrinsic.sentences(text, split) == [
        "# Head",
        "One here.",
        "Two there!",
        "What now?",
        "As e.g. here.",
        "Three:",
        "- item a",
        "- item b",
    ]


def test_coherence_is_the_mean_cosine_of_pairs() -> None:
    texts = ["A one. A two. B three.", "A alone.", "", "A x. A y."]
    assert intrinsic.coherence(texts, by_first_word, split) == pytest.approx([1 / 3, 1, 1, 1])


def test_self_containedness_by_hand() -> None:
    chunks = [
        chunk("The Embedding Table (ET) is small. It is quick.\n"),  # two ends, ET, "It": all resolved
        chunk("They read the ET and go"),  # "They" and ET dangle, and the sentence goes on
        chunk(" on. The end.\n", section_path=("About (ET)",), continues=True),
    ]
    assert intrinsic.self_contained(chunks, split) == pytest.approx([1, 1 - 3 / 4, 1 - 1 / 2])


def test_boundaries() -> None:
    chunks = [chunk("One. "), chunk("Two is"), chunk(" cut. Three.\n", continues=True), chunk("- four\n")]
    assert intrinsic.boundary(chunks) == [1, 0.5, 0.5, 1]
    assert intrinsic.boundary([chunk("One\n"), chunk("two.\n", continues=True)]) == [0.5, 0.5]  # a line ends
    assert intrinsic.boundary([]) == []


@pytest.mark.parametrize(
    "piece", ["a", "a-", "-", "a (", "A (A", " ", "\n", "]", ".", "`", "`a", "1.", "1 ", "Aa ", "$", "*_", "“", "\n-"]
)
def test_long_runs_take_linear_time(piece: str, assert_linear: Callable[..., None]) -> None:
    def measured(length: int) -> None:
        chunks = [chunk((piece * length)[:length] + "x", counted=1), chunk("x", continues=True)]
        intrinsic.self_contained(chunks, split)
        intrinsic.boundary(chunks)
        intrinsic.density(chunks[0])

    assert_linear(measured, most=400_000)


def test_density_counts_what_is_distinct() -> None:
    text = "We use Paris and `run` and `run` again, and Paris; 30 files, 30 files, 5%."
    assert intrinsic.density(chunk(text, counted=20)) == pytest.approx(4 / 20)
    assert intrinsic.density(chunk("", counted=0)) == 0
