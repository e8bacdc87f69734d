from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from infograph.search.ragged import owners_of, places_in, spread, starts_of

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
