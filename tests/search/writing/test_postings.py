"""Which postings of a term are kept, and the numbers by which pages are merged."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from infograph.search.format.impact import COUNTS, K1, LENGTHS, B
from infograph.search.writing import postings as module
from infograph.search.writing.page_index import PageForms
from infograph.search.writing.postings import Postings, merged, strongest


def postings(*lists: list[int]) -> Postings:
    """Of terms whose chunks have such impacts, from chunk 0 on."""
    lengths = np.array([len(impacts) for impacts in lists], np.int64)
    chunks = [place for impacts in lists for place in range(len(impacts))]
    flat = np.array([impact for impacts in lists for impact in impacts], np.uint8)
    return Postings(tuple(f"t{n}" for n in range(len(lists))), lengths, np.array(chunks, np.int32), flat)


def weight(impact: int) -> float:
    count, length = COUNTS[impact >> 5], LENGTHS[impact & 31]
    return round(count * (K1 + 1) / (count + K1 * (1 - B + B * length / 150)), 12)


@given(st.lists(st.lists(st.integers(0, 255), max_size=12), max_size=4), st.integers(0, 6))
@example(lists=[[32, 32, 114, 184]], most=3)  # the last two differ in the last bit alone
def test_the_strongest_of_each_term_stay_and_of_equals_the_earlier(lists: list[list[int]], most: int) -> None:
    flags = iter(strongest(postings(*lists), most).tolist())
    for impacts in lists:
        kept = [place for place in range(len(impacts)) if next(flags)]
        weights = sorted(map(weight, impacts), reverse=True)
        assert sorted((weight(impacts[place]) for place in kept), reverse=True) == weights[:most]
        for impact in set(impacts):
            places = [place for place, own in enumerate(impacts) if own == impact]
            of_it = [place for place in kept if impacts[place] == impact]
            assert of_it == places[: len(of_it)]


def page(**impacts: int) -> PageForms:
    return PageForms(
        "\n".join([*sorted(impacts), ""]).encode(), np.array([impacts[t] for t in sorted(impacts)], np.uint8)
    )


def lists_of(found: Postings) -> dict[str, list[tuple[int, int]]]:
    ends = np.cumsum(found.frequencies).tolist()
    rows = list(zip(found.chunks[:].tolist(), found.impacts[:].tolist(), strict=True))
    return {
        term: rows[end - count : end] for term, end, count in zip(found.terms, ends, found.frequencies, strict=True)
    }


@pytest.mark.parametrize("at_once", [1, 2, 1 << 20])
def test_pages_are_merged_into_what_is_left(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_AT_ONCE", at_once)
    first = [(n, page(a=n, b=10 + n) if n % 2 else page(a=n, c=20 + n)) for n in range(5)]
    old, places = merged(Postings.none(), np.zeros(0, np.int32), first)
    assert places.tolist() == []
    assert lists_of(old) == {
        "a": [(n, n) for n in range(5)],
        "b": [(1, 11), (3, 13)],
        "c": [(0, 20), (2, 22), (4, 24)],
    }
    numbers = np.array([1, -1, 3, -1, 5], np.int32)  # of the five, three are left, and others come between
    new = [(0, page(a=100, d=101)), (2, page(d=102)), (4, page(a=104, c=105))]
    found, places = merged(old, numbers, new)
    assert lists_of(found) == {
        "a": [(0, 100), (1, 0), (3, 2), (4, 104), (5, 4)],
        "c": [(1, 20), (3, 22), (4, 105), (5, 24)],
        "d": [(0, 101), (2, 102)],
    }
    assert places.tolist() == [0, -1, 1]
    assert found.having(np.array([False, True, False, False, True, False])).tolist() == [0, 1]
    taken = found.taken(np.array([0, 2]))
    assert lists_of(taken) == {"a": lists_of(found)["a"], "d": [(0, 101), (2, 102)]}
    nothing, _ = merged(found, np.full(6, -1, np.int32), [])
    assert lists_of(nothing) == {}


def test_postings_without_terms_have_nothing() -> None:
    none = Postings.none()
    assert (none.terms, none.frequencies.size, none.chunks.size, none.impacts.size) == ((), 0, 0, 0)
