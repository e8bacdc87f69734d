"""The contract of every embedder, whatever its model."""

from __future__ import annotations

import random

import numpy as np
import pytest

from infograph.embedding import identify, load
from infograph.embedding.base import Embedder

ODD = [
    "",
    " \n\t ",
    "a",
    "\x00\x01\x7f\x1b[0m",
    "\ufeff\u200b\u202e\U000e0041",
    "e\u0301 é ﬁ Å \u0345" * 3,
    "日本語のテキスト、句読点なし",
    "🏳️‍🌈👩‍👩‍👧‍👦",
    "[CLS] [SEP] [MASK] [PAD]",
    "x" * 5000,
    "\U0010ffff\uffff",
    "a\r\nb\rc\x0bd\x85e\u2028f",
]
PROSE = [
    "An index is a file that any web server can serve.",
    "Chunks are slices of a document; joining them gives the document back, byte for byte.",
    "def main() -> None:\n    print('hello')\n",
    "| name | value |\n| --- | --- |\n| cache | 7 |\n",
]
LONG = " ".join(f"Sentence {number} speaks of windows, and of what is pooled from them." for number in range(60))


def bits(vectors: np.ndarray) -> list[bytes]:
    return [row.tobytes() for row in vectors]


def test_vectors_are_unit_rows_of_float32(embedder: Embedder) -> None:
    texts = [*ODD, *PROSE, LONG]
    vectors = embedder.embed(texts)
    assert vectors.shape == (len(texts), embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    assert np.abs(np.linalg.norm(vectors.astype(np.float64), axis=1) - 1).max() < 1e-6


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    for kind in ("document", "query"):
        empty = embedder.embed([], kind=kind)
        assert (empty.shape, empty.dtype) == ((0, embedder.dimension), np.float32)


def test_a_vector_depends_on_its_own_text_alone(embedder: Embedder) -> None:
    texts = [*ODD, *PROSE, *PROSE, LONG]
    together = bits(embedder.embed(texts))
    assert [bits(embedder.embed([text]))[0] for text in texts] == together
    order = random.Random(1).sample(range(len(texts)), len(texts))
    assert bits(embedder.embed([texts[at] for at in order])) == [together[at] for at in order]
    assert bits(embedder.embed(texts[3:7])) == together[3:7]


def test_threads_do_not_change_the_bits(model: str, embedder: Embedder) -> None:
    texts = [*PROSE, LONG]
    assert bits(load(model, 2).embed(texts)) == bits(embedder.embed(texts))


def test_equal_texts_have_equal_vectors(embedder: Embedder) -> None:
    first, other, again = bits(embedder.embed([PROSE[0], PROSE[1], PROSE[0]]))
    assert first == again != other


def test_nothing_of_a_long_text_is_cut_off(embedder: Embedder) -> None:
    changed = LONG + " Penguins sing opera in the rain."
    long, end = embedder.embed([LONG, changed])
    assert bits(long[None]) != bits(end[None])
    assert 0.9 < float(long @ end) < 1 - 1e-5


def test_meaning_shows(embedder: Embedder) -> None:
    cat, kitten, tax = embedder.embed(["A cat sleeps on the sofa.", "The kitten naps on a couch.", "Tax law reform"])
    assert float(cat @ kitten) > float(cat @ tax) + 0.2


@pytest.mark.parametrize("kind", ["document", "query"])
def test_progress_ends_with_all_of_the_work(embedder: Embedder, kind: str) -> None:
    seen: list[tuple[int, int]] = []
    embedder.embed([*PROSE, LONG, LONG], kind=kind, progress=lambda done, total: seen.append((done, total)))
    assert seen
    assert seen == sorted(seen)
    assert len({total for _, total in seen}) == 1
    assert seen[-1][0] == seen[-1][1]


def test_the_time_that_it_tells_is_that_of_many_texts(embedder: Embedder) -> None:
    assert embedder.seconds_for(["A text."] * 20) is None, "a moment is not worth a word"
    texts = [f"Entry {number} stays warm in the cache for an hour. " * 4 for number in range(200)]
    told, twice = embedder.seconds_for(texts), embedder.seconds_for(texts * 4)
    if told is None:
        assert twice is None
    else:
        assert 0 < told < 60 and twice is not None
        assert 1 < twice / told < 16, "four times as much, give or take what else the machine does"


def test_the_embedder_is_who_identify_says(model: str, embedder: Embedder) -> None:
    assert identify(model) == (embedder.name, embedder.revision)
    assert len(embedder.revision) == 12
    assert int(embedder.revision, 16) >= 0
    assert not embedder.name.startswith(("/", "."))
