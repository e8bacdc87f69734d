from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.evaluate.corpus import Corpus
from infograph.evaluate.questions import Question, Span
from infograph.evaluate.retrievers import Bm25, Bm25Terms, best_of, linear, retrieve, rrf, tm2c2, with_neighbours

WORDS = Bm25Terms(frozenset({"the"}), lambda word: word.removesuffix("s"))
scores = st.lists(st.floats(0, 1), min_size=4, max_size=4).map(np.array)


def test_words_are_lowered_stopped_and_stemmed() -> None:
    assert WORDS.terms(["The Caches, caching!", ""]) == [["cache", "caching"], []]


def test_bm25_by_its_formula() -> None:
    texts = ["cache cache build", "build", "the stripes of a page"]
    index = Bm25(texts, WORDS)
    lengths = [3, 1, 4]
    mean = sum(lengths) / 3
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))  # of "build", in two of three texts
    expected = [idf / (1 + 1.5 * (1 - 0.75 + 0.75 * length / mean)) for length in lengths[:2]]
    # bm25s leaves out the factor k1 + 1, which changes no order.
    assert index.scores("builds") == pytest.approx([*expected, -np.inf], rel=1e-5)
    assert list(index.scores("the unknown")) == [-np.inf] * 3


def test_bm25_without_any_word() -> None:
    assert list(Bm25(["...", ""], WORDS).scores("cache")) == [-np.inf] * 2


def test_tm2c2_by_hand() -> None:
    fused = tm2c2(np.array([0.5, -1.0]), np.array([1.0, 4.0]), 0.25)
    assert fused == pytest.approx([0.25 * 1.5 / 1.5 + 0.75 * 1 / 4, 0 + 0.75])


@settings(deadline=None)
@given(scores, scores)
def test_the_weight_of_one_leaves_that_order(dense: np.ndarray, sparse: np.ndarray) -> None:
    def order(values: np.ndarray) -> list[float]:
        return [float(values[position]) for position in np.argsort(-values, kind="stable")]

    assert order(tm2c2(dense, sparse, 1.0)) == pytest.approx(order((dense + 1) / (dense.max() + 1)))
    assert np.all((tm2c2(dense, sparse, 0.3) >= 0) & (tm2c2(dense, sparse, 0.3) <= 1 + 1e-9))


def test_neighbours_by_hand() -> None:
    vectors = np.eye(3, dtype=np.float32)
    found = with_neighbours(vectors, 0.5)
    assert found[0] == pytest.approx(np.array([1, 0.5, 0]) / math.hypot(1, 0.5))
    assert found[1] == pytest.approx(np.array([0.5, 1, 0.5]) / math.sqrt(1.5))
    assert np.array_equal(with_neighbours(vectors, 0.0), vectors)
    assert with_neighbours(vectors[:0], 0.5).shape == (0, 3)


def test_nothing_matches() -> None:
    assert list(tm2c2(np.array([-1.0]), np.array([0.0]), 0.5)) == [0]
    assert list(tm2c2(np.array([-1.0]), np.array([-np.inf]), 0.5)) == [0]


def test_what_bm25_does_not_retrieve_gets_no_credit(tiling: Callable[..., Corpus]) -> None:
    corpus = tiling(["build ", "cache ", "stripe "])
    question = Question("1", "?", (Span("a.md", 0, 1),))
    sparse, dense = Bm25(corpus.texts, WORDS), np.array([0.1, 0.2, 0.9])
    assert retrieve(corpus, question, sparse.scores("cache"), 5) == [1]
    assert retrieve(corpus, question, sparse.scores("unknown"), 5) == []
    for fused in (rrf(dense, sparse.scores("unknown")), tm2c2(dense, sparse.scores("unknown"), 0.7)):
        assert retrieve(corpus, question, fused, 5) == [2, 1, 0]
    assert rrf(dense, sparse.scores("cache")) == pytest.approx([1 / 63, 1 / 62 + 1 / 61, 1 / 61])
    assert tm2c2(dense, sparse.scores("cache"), 0.5) == pytest.approx([0.55 / 1.9, 0.6 / 1.9 + 0.5, 0.5])


def test_rrf_by_hand() -> None:
    fused = rrf(np.array([3.0, 2.0, 1.0]), np.array([0.0, 9.0, 0.0]))
    assert fused == pytest.approx([1 / 61 + 1 / 62, 1 / 62 + 1 / 61, 1 / 63 + 1 / 63])


def test_equal_scores_keep_the_order_of_the_documents(tiling: Callable[..., Corpus]) -> None:
    question = Question("1", "?", (Span("a.md", 0, 1),))
    assert retrieve(tiling(["a ", "b ", "c "]), question, np.array([0.0, 1.0, 0.0]), 2) == [1, 0]


def test_a_unit_has_the_score_of_its_best_text(tiling: Callable[..., Corpus]) -> None:
    corpus = replace(tiling(["a ", "b ", "c "]), texts=("a", "b", "a2", "b2", "c"), unit_of=(0, 1, 0, 1, 2))
    scores = best_of(corpus, np.array([0.1, 0.5, 0.9, -np.inf, -np.inf]))
    assert list(scores) == [0.9, 0.5, -np.inf]
    assert retrieve(corpus, Question("1", "?", (Span("a.md", 0, 1),)), scores, 5) == [0, 1]


def test_where_the_question_stands_is_not_returned(tiling: Callable[..., Corpus]) -> None:
    question = Question("1", "?", (Span("a.md", 2, 3),), Span("a.md", 0, 1))
    assert retrieve(tiling(["a ", "b "]), question, np.array([1.0, 0.5]), 5) == [1]


def test_a_linear_sum_by_hand() -> None:
    sparse = np.array([3.0, -np.inf, 1.0])
    assert list(linear(np.array([0.5, 0.5, -0.5]), sparse, 10)) == [8, 5, -4]
