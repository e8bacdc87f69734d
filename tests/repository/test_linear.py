"""The fixture that compares growth tells quadratic work from linear."""

from __future__ import annotations

from collections.abc import Callable

import pytest


def test_linear_work_passes(assert_linear: Callable[..., None]) -> None:
    sizes: list[int] = []
    assert_linear(lambda size: sizes.append(size) or sum(range(size * 100)))
    assert max(sizes) == 8 * sorted(set(sizes))[-2]


@pytest.mark.slow
def test_quadratic_work_fails(assert_linear: Callable[..., None]) -> None:
    with pytest.raises(AssertionError, match=r"8 times .* take .* times as long"):
        assert_linear(lambda size: [sum(range(size)) for _ in range(size)])


@pytest.mark.slow
def test_a_pattern_that_goes_back_fails(assert_linear: Callable[..., None]) -> None:
    import re

    with pytest.raises(AssertionError):
        assert_linear(lambda size: re.search(r"(a+)b", "a" * size))
