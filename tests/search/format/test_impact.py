from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from infograph.search.format.impact import COUNTS, K1, LENGTHS, B, impacts, saturation


@given(st.integers(1, 24), st.floats(50, 400), st.floats(0.25, 3))
def test_a_byte_stays_near_the_exact_bm25(count: int, average: float, ratio: float) -> None:
    length = max(8, round(average * ratio))
    byte = int(impacts(np.array([count]), np.array([length]))[0])
    exact = count * (K1 + 1) / (count + K1 * (1 - B + B * length / average))
    assert abs(saturation(average)[byte] / exact - 1) < 0.16


def test_numbers_on_the_scales_are_exact() -> None:
    for high, count in enumerate(COUNTS):
        for low, length in enumerate(LENGTHS):
            assert impacts(np.array([count]), np.array([length]))[0] == high * len(LENGTHS) + low


def test_what_lies_beyond_the_scales_takes_their_ends() -> None:
    assert impacts(np.array([1, 10**6]), np.array([1, 10**6])).tolist() == [0, 255]
