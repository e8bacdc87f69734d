from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.search.format.ragged import owners_at, owners_of, parts_of, places_in, spread, starts_of, sums

LISTS = st.lists(st.lists(st.integers(), max_size=4), max_size=6)


@given(LISTS, st.data())
def test_lists_are_where_they_are_said_to_be(lists: list[list[int]], data: st.DataObject) -> None:
    lengths = np.array(list(map(len, lists)), np.int64)
    flat = [element for one in lists for element in one]
    starts = starts_of(lengths).tolist()
    assert [flat[a:b] for a, b in pairwise(starts)] == lists
    owners, places = owners_of(lengths).tolist(), places_in(lengths).tolist()
    assert [lists[owner][place] for owner, place in zip(owners, places, strict=True)] == flat
    chosen = data.draw(st.lists(st.sampled_from(range(len(lists))))) if lists else []
    which, index = spread(lengths, np.array(chosen, np.int64))
    expected = [(n, element) for n, one in enumerate(chosen) for element in lists[one]]
    assert list(zip(which.tolist(), [flat[place] for place in index.tolist()], strict=True)) == expected


@pytest.mark.parametrize("at_once", [1, 3, 1 << 20])
def test_sums_in_parts_are_those_of_all_at_once(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infograph.search.format.ragged._AT_ONCE", at_once)
    lengths, values = np.array([0, 3, 0, 0, 9, 1, 2, 0]), np.arange(200, 215).astype(np.uint8)
    lists = np.split(values.astype(np.int64), np.cumsum(lengths)[:-1])
    assert sums(values, lengths).tolist() == [part.sum() for part in lists]
    flags = values % 5 == 0
    assert sums(flags, lengths).tolist() == [part.sum() for part in np.split(flags, np.cumsum(lengths)[:-1])]
    assert owners_at(lengths, flags).tolist() == np.flatnonzero(sums(flags, lengths)).tolist()
    none = np.zeros(0, np.int64)
    assert sums(none.astype(bool), none).tolist() == owners_at(none, none.astype(bool)).tolist() == []
    assert owners_at(np.array([0, 0]), none.astype(bool)).tolist() == []


@given(st.lists(st.integers(0, 9), max_size=12), st.integers(1, 30))
def test_parts_tile_the_lists(lengths: list[int], size: int) -> None:
    parts = list(parts_of(np.array(lengths, np.int64), size))
    assert [place for begin, end in parts for place in range(begin, end)] == list(range(len(lengths)))
    assert all(sum(lengths[begin:end]) < 2 * size + max(lengths) for begin, end in parts)
    assert all(begin < end for begin, end in parts)
