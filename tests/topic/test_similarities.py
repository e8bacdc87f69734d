"""Similarities to baselines and between topics."""

import math
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.model import Keyword, RelatedTopic
from infograph.topic.similarities import VECTOR_STEPS, near, related, rounded, similarities, topic_vector, vector_sum

_VECTORS = st.lists(st.lists(st.floats(-1, 1), min_size=4, max_size=4), min_size=1, max_size=6)


def no_table(_: str) -> Mapping[str, float]:
    return {}


def unit(rows: list[list[float]]) -> np.ndarray:
    array = np.array(rows, dtype=np.float32) + np.float32(1e-3)
    return array / np.linalg.norm(array, axis=1, keepdims=True)


@pytest.mark.parametrize(
    ("value", "expected"), [(1.0000001, 1.0), (-2.0, -1.0), (-1e-9, 0.0), (0.12345678, 0.123457), (0.5, 0.5)]
)
def test_rounded(value: float, expected: float):
    assert rounded(value) == expected
    assert math.copysign(1, rounded(-1e-9)) == 1.0


@given(_VECTORS, st.data())
@settings(deadline=None)
def test_similarities(rows: list[list[float]], data: st.DataObject):
    vectors = unit(rows)
    baseline = data.draw(st.integers(0, len(rows) - 1))
    values = similarities(vectors, baseline)
    assert len(values) == len(rows) and values[baseline] == 1.0
    for value, vector in zip(values, vectors, strict=True):
        assert -1 <= value <= 1 and value == round(value, 6)
        assert value == pytest.approx(float(vector @ vectors[baseline]), abs=2e-6)
        assert f"{value:.6f}" != "-0.000000"


def test_topic_vector_is_the_normalised_mean_of_all_chunks():
    first, second = unit([[1, 0], [1, 1]]), unit([[0, 1]])
    mean = np.concatenate([first, second]).astype(np.float64).mean(axis=0)
    assert topic_vector([vector_sum(first), vector_sum(second)]) == pytest.approx(mean / np.linalg.norm(mean))
    assert topic_vector([np.array([1.0, 0.0]), np.array([-1.0, 0.0])]).tolist() == [0.0, 0.0]


def test_related_topics_carry_similarity_and_shared_authority():
    ids, titles = ["b", "a", "c", ""], ["B", "A", "C", "Root"]
    vectors = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0], [0.8, 0.6]])
    tables = {
        "b": {"cache": 3.0, "build": 1.0, "only b": 9.0},
        "a": {"cache": 2.0, "build": 5.0},
        "c": {},
        "": {},
    }
    edges = related(ids, titles, vectors, tables.__getitem__, limit=2, minimum=0.5)
    shared = (Keyword("cache", 2.0), Keyword("build", 1.0))
    assert edges == {
        "b": (RelatedTopic("", "Root", 0.8), RelatedTopic("a", "A", 0.8, shared)),  # a tie, by id
        "a": (RelatedTopic("", "Root", 1.0), RelatedTopic("b", "B", 0.8, shared)),
        "c": (RelatedTopic("", "Root", 0.6), RelatedTopic("a", "A", 0.6)),
        "": (RelatedTopic("a", "A", 1.0), RelatedTopic("b", "B", 0.8)),
    }


def test_shared_keywords_are_the_five_highest_of_the_lower_scores():
    table = {term: float(score) for score, term in enumerate("abcdefg", 1)}
    edges = related(["x", "y"], ["X", "Y"], np.ones((2, 1)), {"x": table, "y": table}.__getitem__, limit=5)
    assert [keyword.name for keyword in edges["x"][0].shared] == list("gfedc")


def test_one_topic_has_nobody():
    assert related(["x"], ["X"], np.ones((1, 3)), no_table, limit=5) == {"x": ()}


@given(st.permutations(range(5)))
@settings(deadline=None)
def test_the_order_of_topics_does_not_matter(order: list[int]):
    ids = list("abcde")
    vectors = unit([[1, 0], [1, 0.1], [1, 1], [0, 1], [1, 0]]).astype(np.float64)
    expected = related(ids, ids, vectors, no_table, limit=3)
    assert related([ids[i] for i in order], [ids[i] for i in order], vectors[order], no_table, limit=3) == expected


def test_many_topics_are_done_in_blocks():
    vectors = np.random.default_rng(1).normal(size=(600, 8))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    ids = [f"t{index:03}" for index in range(600)]
    edges = related(ids, ids, vectors, no_table, limit=5, minimum=-1.0)
    cosines = vectors @ vectors.T - 3 * np.eye(600)
    for index in (0, 255, 256, 599):
        assert [edge.id for edge in edges[ids[index]]] == [ids[i] for i in np.argsort(-cosines[index])[:5]]


def test_sums_of_vectors_are_alike_in_any_order():
    vectors = np.random.default_rng(1).normal(size=(40, 7)).astype(np.float32) / 3
    whole = vector_sum(vectors)
    assert (vector_sum(vectors[::-1]) == whole).all()
    assert (vector_sum(np.concatenate([vector_sum(vectors[:9])[None], vectors[9:]])) == whole).all()
    assert whole == pytest.approx(vectors.sum(axis=0), abs=40 / (2 * VECTOR_STEPS))


def test_cosines_of_topics_are_exact_whatever_is_added_up_first():
    """One topic compared with all gives the bits of all compared with all, in any order of the numbers."""
    sums = np.random.default_rng(2).integers(-(2**20), 2**20, (300, 384)) / VECTOR_STEPS
    vectors = np.stack([topic_vector([row]) for row in sums])
    whole = vectors @ vectors.T
    assert (np.stack([vectors @ row for row in vectors]) == whole).all()
    assert (vectors[:, ::-1] @ vectors[:, ::-1].T == whole).all()
    assert (np.array([math.fsum(vectors[0] * row) for row in vectors]) == whole[0]).all()


def test_some_topics_are_compared_as_all_are():
    vectors = np.stack([topic_vector([row]) for row in np.random.default_rng(3).normal(size=(300, 16))])
    ids = [f"t{index:03}" for index in range(300)]
    whole = related(ids, ids, vectors, no_table, limit=5)
    assert related(ids, ids, vectors, no_table, limit=5, wanted={"t007", "t290"}) == {
        i: whole[i] for i in ("t007", "t290")
    }
    least = np.array([whole[i][-1].similarity for i in ids])
    reached = {i for i in ids if any(edge.id == "t007" for edge in whole[i])}
    found = {ids[row] for row in np.flatnonzero(near(vectors, [7], least)).tolist()}
    assert reached <= found and "t007" in found and len(found) < 100
