"""Entries of terms and blocks of vectors, read back by their bytes."""

from __future__ import annotations

import numpy as np
import pytest

from infograph.errors import FormatError
from infograph.search.format.posting_shards import Columns, Cursor, TermEntry, encode_entries, find_entries
from infograph.search.format.vector_shards import encode_vectors, find_vectors


def test_a_number_has_nine_bytes_at_most() -> None:
    assert Cursor(bytes([255] * 8 + [127]), "p").number() == (1 << 63) - 1
    with pytest.raises(FormatError, match="cut off at byte 9"):
        Cursor(bytes([255] * 9 + [1]), "p").number()
    with pytest.raises(FormatError, match="cut off at byte 1"):
        Cursor(bytes([128]), "p").number()


def test_a_slice_ends_with_the_bytes() -> None:
    cursor = Cursor(b"abc", "p")
    assert (cursor.bytes(1), cursor.bytes(2), cursor.bytes(0), cursor.at) == (b"a", b"bc", b"", 3)
    with pytest.raises(FormatError, match="1 bytes are missing at byte 3"):
        cursor.bytes(1)


def columns(*lists: list[tuple[int, int, int]]) -> Columns:
    rows = np.array([row for found in lists for row in found], np.int64).reshape(-1, 3)
    return Columns(
        np.array([len(found) for found in lists], np.int64), rows[:, 0], rows[:, 1], rows[:, 2].astype(np.uint16)
    )


def test_entries_come_back() -> None:
    lists = (
        [(0, 0, 7), (0, 2, 256 + 9), (5, 1, 1023), (900, 0, 512), (901, 0, 768)],
        [(3, 200, 0)],
        [(0, 4, 255), (1, 0, 256), (1, 1, 512), (1, 2, 768)],
    )
    made = encode_entries([b"a", b"b", b"c"], np.array([7, 1, 4]), columns(*lists))
    found = find_entries(b"".join(made), {"a", "b", "c", "d"}, "p")
    assert found == {
        "a": TermEntry(7, tuple(lists[0])),
        "b": TermEntry(1, tuple(lists[1])),
        "c": TermEntry(4, tuple(lists[2])),
    }
    assert find_entries(b"".join(made), {"b"}, "p") == {"b": found["b"]}


def test_the_vectors_of_a_block_are_found_by_slot_and_block() -> None:
    first, second = np.array([[1, -2], [3, 127]], np.int8), np.array([[-127, 0]], np.int8)
    shard = encode_vectors(300, 0, first) + encode_vectors(300, 1, second)
    assert [row.tolist() for row in find_vectors(shard, (300, 0), 2, "v")] == first.tolist()
    assert [row.tolist() for row in find_vectors(shard, (300, 1), 2, "v")] == second.tolist()
    assert find_vectors(shard, (301, 0), 2, "v") == []
    with pytest.raises(FormatError, match="bytes are missing"):
        find_vectors(shard, (300, 1), 3, "v")
