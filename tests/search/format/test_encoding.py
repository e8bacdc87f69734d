from __future__ import annotations

import zlib
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.errors import FormatError
from infograph.search.format.encoding import (
    deflate,
    hash32,
    hashes32,
    inflate,
    top_bits,
    unzigzag,
    varint,
    varints,
    zigzags,
)


@given(st.lists(st.integers(0, 2**40)))
def test_varints_are_those_of_each_number(numbers: list[int]) -> None:
    data, starts = varints(np.array(numbers, np.int64))
    assert data == b"".join(map(varint, numbers))
    assert [data[a:b] for a, b in pairwise(starts.tolist())] == list(map(varint, numbers))


@given(st.lists(st.integers(-(2**40), 2**40)))
def test_signed_numbers_come_back(numbers: list[int]) -> None:
    assert list(map(unzigzag, zigzags(np.array(numbers, np.int64)).tolist())) == numbers
    assert zigzags(np.array([0, -1, 1, -2, 2])).tolist() == [0, 1, 2, 3, 4]


@given(st.lists(st.text()))
def test_many_texts_are_hashed_as_each(texts: list[str]) -> None:
    assert hashes32([text.encode() for text in texts]).tolist() == list(map(hash32, texts))


@given(st.binary())
def test_inflating_gives_back_what_was_deflated(data: bytes) -> None:
    assert inflate(deflate(data), len(data), "x.z") == data


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"plain", "not a zlib file"),
        (deflate(b"a" * 101), "more than 100 bytes"),
        (deflate(b"a" * 1000)[:-5], "truncated|more than"),
        (deflate(b"abc")[:-2], "truncated"),
        (deflate(b"abc") + b"x", "followed by other bytes"),
        (b"", "truncated"),
    ],
)
def test_a_bad_shard_is_named(data: bytes, reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as caught:
        inflate(data, 100, "p-0.z")
    assert caught.value.place == "p-0.z"


def test_a_bomb_is_not_inflated() -> None:
    with pytest.raises(FormatError, match="more than 1000 bytes"):
        inflate(zlib.compress(bytes(10_000_000)), 1000, "p-0.z")


@given(st.text(), st.integers(0, 12))
def test_a_shard_is_one_of_2_to_the_bits(text: str, bits: int) -> None:
    assert 0 <= top_bits(hash32(text), bits) < 1 << bits
