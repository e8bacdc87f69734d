"""The stripe table, the 12-chunk example and the retrieval behaviour of the specification, section 4."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.index.stripes import stripe_factor, stripe_order

EXAMPLE = [(index, 1 - index / 100) for index in range(1, 13)]
"""Twelve chunks numbered by their similarity, as in the specification."""


@pytest.mark.parametrize(("chunks", "factor"), [(0, 1), (1, 1), (7, 1), (8, 3), (12, 3), (16, 4), (25, 5), (400, 20)])
def test_factor_by_the_formula(chunks: int, factor: int) -> None:
    assert stripe_factor(chunks) == factor


def test_factor_given_reproduces_the_table_where_it_leaves_the_formula() -> None:
    assert stripe_factor(12, 4) == 4


@pytest.mark.parametrize(("chunks", "override", "factor"), [(7, 4, 1), (8, 1, 1), (9, 100, 9)])
def test_factor_given_keeps_the_minimum_and_the_number_of_chunks(chunks: int, override: int, factor: int) -> None:
    assert stripe_factor(chunks, override) == factor


def test_twelve_chunks_in_four_stripes() -> None:
    assert stripe_order(EXAMPLE, 4) == [1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12]


@pytest.mark.parametrize(
    ("wanted", "chunks"),
    [(3, [1, 5, 9]), (6, [1, 5, 9, 2, 6, 10]), (12, [1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12])],
)
def test_a_request_for_n_takes_whole_stripes(wanted: int, chunks: list[int]) -> None:
    assert stripe_order(EXAMPLE, 4)[:wanted] == chunks


def test_factor_one_is_plain_similarity_order() -> None:
    assert stripe_order([(3, 0.1), (1, 0.9), (2, 0.5)], 1) == [1, 2, 3]


def test_equal_similarities_keep_document_order() -> None:
    assert stripe_order([(5, 0.5), (2, 0.5), (9, 0.5)], 1) == [2, 5, 9]


similarities = st.dictionaries(st.integers(1, 500), st.floats(-1, 1), max_size=120).map(lambda d: list(d.items()))


@given(similarities, st.integers(1, 130))
def test_every_chunk_once(pairs: list[tuple[int, float]], factor: int) -> None:
    assert sorted(stripe_order(pairs, factor)) == sorted(index for index, _ in pairs)


@given(similarities)
def test_stripes_fall_in_similarity_and_start_with_the_nearest(pairs: list[tuple[int, float]]) -> None:
    factor = stripe_factor(len(pairs))
    similarity = dict(pairs)
    values = [similarity[index] for index in stripe_order(pairs, factor)]
    rises = sum(later > earlier for earlier, later in itertools.pairwise(values))
    assert rises < factor
    assert values[:1] == sorted(values, reverse=True)[:1]


@given(similarities, st.randoms())
def test_order_of_the_input_does_not_matter(pairs: list[tuple[int, float]], random: object) -> None:
    shuffled = list(pairs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert stripe_order(shuffled, 3) == stripe_order(pairs, 3)
