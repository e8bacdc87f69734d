"""Arrays of numbers as few bytes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.formats import packed_arrays
from infograph.formats.compression import CompressionError, compressed, compressed_parts
from infograph.formats.packed_arrays import pack_array, pack_lines, unpack_array, unpack_lines


@pytest.mark.parametrize("kind", ["<i1", "<u2", "<i4", "<u8", "<f8"])
@pytest.mark.parametrize("count", [0, 1, 2, 1000])
def test_an_array_comes_back(kind: str, count: int) -> None:
    numbers = np.random.default_rng(7).integers(0, 100, count).astype(kind)
    found = unpack_array(pack_array(numbers, kind), kind)
    assert found.dtype == np.dtype(kind)
    assert found.tolist() == numbers.tolist()


def test_the_extremes_come_back() -> None:
    wide = np.array([0, 1, 2**64 - 1, 2**63], np.uint64)
    assert unpack_array(memoryview(pack_array(wide, "<u8")), "<u8").tolist() == wide.tolist()
    real = np.array([-0.0, np.inf, 5e-324, -1.5])
    assert unpack_array(pack_array(real, "<f8"), "<f8").tobytes() == real.tobytes()


def test_rows_come_back_one_after_the_other() -> None:
    rows = np.arange(6, dtype=np.int8).reshape(2, 3)
    assert unpack_array(pack_array(rows, "<i1"), "<i1").tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("rows", [0, 1, 600, 3000])
def test_bytes_do_not_depend_on_what_is_packed_at_once(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.random.default_rng(7).integers(0, 9, (rows, 3)).astype("<i4")
    whole = b"".join(compressed_parts([numbers.reshape(-1).view(np.uint8).reshape(-1, 4).T.tobytes()]))
    for at_once in (1, 100, 1 << 18):
        monkeypatch.setattr(packed_arrays, "_AT_ONCE", at_once)
        assert pack_array(numbers, "<i4") == whole


def test_numbers_of_few_different_high_bytes_take_a_fraction() -> None:
    places = np.sort(np.random.default_rng(7).choice(2_000_000, 20_000, replace=False))
    steps = np.diff(places).astype(np.int32)
    assert len(pack_array(steps, "<i4")) < min(steps.nbytes / 3, 0.9 * len(compressed(steps.tobytes())))


def test_what_is_no_packed_array_is_an_error() -> None:
    with pytest.raises(CompressionError):
        unpack_array(b"torn", "<i4")
    with pytest.raises(ValueError, match="reshape"):
        unpack_array(pack_array(np.zeros(3, np.uint8), "<u1"), "<i4")


@given(st.lists(st.text(st.characters(exclude_characters="\n", codec="utf-8")), max_size=9))
def test_lines_come_back(lines: list[str]) -> None:
    assert unpack_lines(pack_lines(lines)) == lines


def test_many_lines_come_back() -> None:
    lines = [f"line {number} 字" for number in range(9_000)]
    assert unpack_lines(pack_lines(lines)) == lines
