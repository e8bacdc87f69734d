from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.search.format.bundle_manifest import Bm25Parameters
from infograph.search.format.impact import (
    COUNTS,
    FIELDS,
    HEADING,
    K1,
    LENGTHS,
    NAME,
    REFERENCE_LENGTH,
    B,
    impacts,
    saturation,
)


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


def test_fields_are_the_bits_above() -> None:
    fields = np.array([0, HEADING, NAME, HEADING | NAME])
    assert impacts(np.array([2] * 4), np.array([9] * 4), fields).tolist() == [33, 256 + 33, 512 + 33, 768 + 33]
    assert FIELDS == (0.0, 0.8, 0.4, 1.2)


def test_the_scales_of_the_format() -> None:
    """Published bytes are read by them, so they are facts of the format."""
    assert COUNTS == (1, 2, 3, 4, 6, 9, 14, 24)
    assert LENGTHS[:16] == (8, 9, 11, 13, 15, 18, 21, 25, 29, 35, 41, 48, 57, 67, 78, 92)
    assert LENGTHS[16:] == (109, 128, 150, 177, 208, 245, 289, 340, 400, 470, 554, 652, 767, 903, 1063, 1251)
    assert (K1, B, REFERENCE_LENGTH) == (1.2, 0.75, 150)


@pytest.mark.parametrize(("k1", "b", "average"), [(1.2, 0.75, 150.0), (2.0, 0.5, 40.0), (0.9, 0.0, 1.0)])
def test_each_impact_has_its_bm25_and_the_gain_of_its_fields(k1: float, b: float, average: float) -> None:
    expected = [
        gain + count * (k1 + 1) / (count + k1 * (1 - b + b * length / average))
        for gain in FIELDS
        for count in COUNTS
        for length in LENGTHS
    ]
    assert saturation(average, k1, b).tolist() == pytest.approx(expected)
    own = Bm25Parameters(k1, b, average, COUNTS, LENGTHS, FIELDS)
    assert own.saturation() == pytest.approx(expected)


def test_a_number_takes_the_nearest_step_by_ratio() -> None:
    def byte(count: int, length: int) -> int:
        return int(impacts(np.array([count]), np.array([length]))[0])

    assert [byte(count, 1) >> 5 for count in (4, 5, 7, 8, 11, 12, 18, 19)] == [3, 4, 4, 5, 5, 6, 6, 7]
    assert [byte(1, length) & 31 for length in (9, 10, 12, 1153, 1154)] == [1, 2, 3, 30, 31]


def test_a_site_of_no_length_has_a_score() -> None:
    assert Bm25Parameters(1.2, 0.75, 0.0, (1,), (1,), (0.0, 0.5)).saturation() == pytest.approx((2.2 / 2.2, 1.5))
    assert Bm25Parameters(1.2, 0.75, 0.5, (1,), (1,), (0.0, 0.5)).saturation() == pytest.approx((1.0, 1.5))
