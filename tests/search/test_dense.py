from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from infograph.search.dense import dense_lists, quantised


@given(st.integers(0, 2**32 - 1), st.integers(0, 30), st.integers(0, 12))
def test_a_list_holds_the_best_chunks(seed: int, chunks: int, most: int) -> None:
    random = np.random.default_rng(seed)
    rows = random.integers(-3, 4, (5, 256), np.int8)
    vectors = random.integers(-3, 4, (chunks, 256), np.int8)
    products = rows.astype(int) @ vectors.astype(int).T
    for line, found in zip(products, dense_lists(rows, vectors, most), strict=True):
        best = sorted(range(chunks), key=lambda chunk: (-line[chunk], chunk))[:most]
        assert found.chunks.tolist() == sorted(best)
        assert found.values.tolist() == line[found.chunks].tolist()


def test_products_are_exact_at_their_largest() -> None:
    row = np.full((1, 256), 127, np.int8)
    (found,) = dense_lists(row, np.vstack([row, row - 1]), 2)
    assert found.values.tolist() == [256 * 127 * 127, 256 * 127 * 126]


@given(st.lists(st.integers(-(2**22), 2**22), min_size=1, max_size=50))
def test_a_byte_is_within_half_a_step(values: list[int]) -> None:
    low, high, steps = quantised(np.array(values, np.int64))
    assert (low, high) == (min(values), max(values))
    for value, step in zip(values, steps.tolist(), strict=True):
        assert abs(low + step * (high - low) / 255 - value) <= (high - low) / 510 + 1e-9
