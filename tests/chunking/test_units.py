"""The last resort for a line without words."""

from __future__ import annotations

import pytest

from infograph.chunking.units import _halves


@pytest.mark.parametrize("text", ["ab", "a" * 9, "a" + "\u0301" * 9, "ab\u0301", "\r\n", "\u200d" * 5])
def test_halves_are_two_and_none_is_empty(text: str) -> None:
    middle, end = _halves(text)
    assert 0 < middle < end == len(text)
