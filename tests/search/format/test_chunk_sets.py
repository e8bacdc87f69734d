"""Sets of chunks as bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.errors import FormatError
from infograph.search.format.chunk_sets import WHOLE, ChunkSet, encode_set
from infograph.search.format.posting_shards import Cursor

MASKS = st.dictionaries(st.integers(0, 1 << 30), st.integers(0, 1 << 40), max_size=20)


def read(data: bytes) -> ChunkSet:
    found, cursor = ChunkSet(), Cursor(data, "c")
    found.add(cursor)
    assert cursor.at == len(data)
    return found


@given(MASKS)
def test_a_set_comes_back(masks: dict[int, int]) -> None:
    found = read(encode_set(masks))
    for slot, mask in masks.items():
        assert [(slot, index) in found for index in range(50)] == [
            mask == WHOLE or bool(mask >> index & 1) for index in range(50)
        ]
        assert (slot + 1, 0) not in found or slot + 1 in masks


def test_the_bytes_are_those_that_the_page_describes() -> None:
    assert encode_set({}) == b"\0"
    assert encode_set({300: WHOLE, 3: 0b101, 4: 1 << 7}) == bytes([3, 3, 1, 0xA8, 2, 0b101, 0x80, 1, 0])


def test_sets_are_united() -> None:
    found = read(encode_set({1: 1}))
    found.add(Cursor(encode_set({1: 2, 2: WHOLE}), "c"))
    assert [chunk in found for chunk in ((1, 0), (1, 1), (1, 2), (2, 99), (3, 0))] == [True, True, False, True, False]


@given(MASKS, st.data())
def test_a_set_that_is_cut_off_is_refused(masks: dict[int, int], data: st.DataObject) -> None:
    whole = encode_set(masks)
    part = whole[: data.draw(st.integers(0, len(whole) - 1))]
    with pytest.raises(FormatError):
        ChunkSet().add(Cursor(part, "c"))


def test_a_number_of_pages_that_is_a_lie_is_refused_at_once() -> None:
    with pytest.raises(FormatError):
        ChunkSet().add(Cursor(b"\xff\xff\xff\xff\xff\xff\xff\x7f", "c"))
