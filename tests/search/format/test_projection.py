"""The arithmetic of a map, by numbers that show each of its roundings."""

from __future__ import annotations

import numpy as np
import pytest

from infograph.errors import FormatError
from infograph.search.format.projection import INPUT_BITS, MAP_BITS, decode_map, encode_map, project


def projected(weight: int, added: int, number: float) -> int:
    """One number through a map of one weight, which adds another."""
    return int(project(np.array([[weight], [added]], np.float64), np.array([[number]], np.float32))[0, 0])


def test_weights_have_eight_binary_places_and_inputs_fourteen() -> None:
    assert (MAP_BITS, INPUT_BITS) == (8, 14)
    assert projected(1 << 8, 0, 1.0) == 1
    assert projected(5 << 8, 3 << 8, 1.0) == 8
    assert projected(5 << 8, -(3 << 8), -1.0) == -8
    assert projected(5 << 22, 0, 0.6 / (1 << 14)) == 5, "an input is rounded to so many places"
    assert projected(5 << 22, 0, 0.4 / (1 << 14)) == 0


@pytest.mark.parametrize(("sum", "value"), [(127, 127), (128, 127), (-127, -127), (-128, -127), (1000, 127)])
def test_what_a_byte_has_no_room_for_is_cut(sum: int, value: int) -> None:
    assert projected(0, sum << 8, 0.0) == value
    assert projected(sum << 8, 0, 1.0) == value


def test_sums_are_rounded_to_even() -> None:
    assert [projected(0, halves << 7, 0.0) for halves in (1, 3, 5, -1, -3)] == [0, 2, 2, 0, -2]


def test_a_map_is_rows_of_little_endian_numbers() -> None:
    weights = np.array([[1, -2], [3, 1 << 20], [0, 5]], np.float64)
    data = encode_map(weights)
    assert data == b"".join(int(number).to_bytes(4, "little", signed=True) for number in weights.ravel())
    assert np.array_equal(decode_map(data, 2, "m"), weights)
    assert decode_map(data, 6, "m").shape == (1, 6)
    for broken in (b"", data[:-1], data[:-4]):
        with pytest.raises(FormatError, match=f"{len(broken)} bytes are no rows of 2 numbers"):
            decode_map(broken, 2, "m")
