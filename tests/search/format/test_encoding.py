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
    front_coded,
    front_decoded,
    hash32,
    hashes32,
    inflate,
    top_bits,
    varint,
    varints,
)
from infograph.text.language import STEMMERS, stop_words


@given(st.lists(st.integers(0, 2**40)))
def test_varints_are_those_of_each_number(numbers: list[int]) -> None:
    data, starts = varints(np.array(numbers, np.int64))
    assert data == b"".join(map(varint, numbers))
    assert [data[a:b] for a, b in pairwise(starts.tolist())] == list(map(varint, numbers))


@given(st.lists(st.text(max_size=20), max_size=20))
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


EDGES = [0, 1, 126, 127, 128, 129, 255, 256, 16383, 16384, 16385, 2**21 - 1, 2**21, 2**28 - 1, 2**28, 2**35, 2**56]


def test_numbers_at_the_edges_of_bytes() -> None:
    assert [varint(number).hex() for number in (0, 127, 128, 300, 16383, 16384)] == [
        "00",
        "7f",
        "8001",
        "ac02",
        "ff7f",
        "808001",
    ]
    for numbers in (EDGES, EDGES[::-1], [number for number in EDGES for _ in range(2)], [0], [127], [128], []):
        data, starts = varints(np.array(numbers, np.int64))
        assert data == b"".join(map(varint, numbers))
        assert [data[a:b] for a, b in pairwise(starts.tolist())] == list(map(varint, numbers))


def test_hashes_of_texts_of_all_lengths() -> None:
    texts = ["", "a", "b", "ab", "ba", "东京", "cache", "x" * 31, "x" * 32, "y" * 100, "", "é"]
    expected = [hash32(text) for text in texts]
    assert hashes32([text.encode() for text in texts]).tolist() == expected
    assert hashes32([text.encode() for text in texts[::-1]]).tolist() == expected[::-1]
    assert len(set(expected)) == len(texts) - 1
    assert hashes32([]).tolist() == hashes32([]).tolist() == []
    assert [f"{hash32(text):08x}" for text in ("", "cache")] == [f"{fmix(fnv(text)):08x}" for text in ("", "cache")]


def fnv(text: str) -> int:
    value = 2166136261
    for byte in text.encode():
        value = (value ^ byte) * 16777619 % 2**32
    return value


def fmix(value: int) -> int:
    value = (value ^ value // 2**16) * 2246822507 % 2**32
    value = (value ^ value // 2**13) * 3266489909 % 2**32
    return value ^ value // 2**16


@pytest.mark.parametrize(("value", "bits", "shard"), [(2**32 - 1, 1, 1), (2**31 - 1, 1, 0), (5 << 29, 3, 5), (7, 0, 0)])
def test_a_shard_is_the_first_bits(value: int, bits: int, shard: int) -> None:
    assert top_bits(value, bits) == shard


def test_shards_are_deflated_to_the_same_bytes_on_every_build() -> None:
    data = b"".join(b"%d cache %d " % (n * n, n % 7) for n in range(2000))
    made = {level: zlib.compress(data, level) for level in (4, 5, 6)}
    assert len({*made.values()}) == 3
    assert deflate(data) == made[5]


def test_what_inflates_to_the_limit_is_taken() -> None:
    assert inflate(deflate(bytes(100)), 100, "p") == bytes(100)
    assert inflate(deflate(b""), 0, "p") == b""
    with pytest.raises(FormatError, match="more than 99 bytes"):
        inflate(deflate(bytes(100)), 99, "p")


@given(st.sets(st.text(st.characters(exclude_characters="0123456789"), min_size=1)))
def test_front_coded_words_are_read_back(words: set[str]) -> None:
    assert front_decoded(front_coded(words)) == sorted(words)


def test_a_front_coded_word_shares_at_most_nine_characters() -> None:
    assert front_coded(["able", "about", "a"]) == "0a1ble2out"
    assert front_coded(["internationals", "international"]) == "0international9onals"
    with pytest.raises(ValueError, match="'b4' has a digit"):
        front_coded(["a", "b4"])


@pytest.mark.parametrize("language", sorted(STEMMERS))
def test_the_stop_words_of_every_language_can_be_front_coded(language: str) -> None:
    """In JavaScript, too, where a character beyond the first 65,536 counts twice."""
    words = stop_words(language)
    assert front_decoded(front_coded(words)) == sorted(words)
    assert max(map(ord, "".join(words)), default=0) < 1 << 16
