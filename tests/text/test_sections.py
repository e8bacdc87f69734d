"""Runs of neighbours below one heading."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from infograph.text.sections import below_headings, common_headings, sections

PATHS = [("A",), ("A", "B"), ("A", "B"), ("A", "C"), ("A", "C", "D"), ("E",), ("A", "B")]


def test_neighbours_below_a_heading_are_a_run() -> None:
    assert below_headings(PATHS, 1) == [(0, 5), (5, 6), (6, 7)]
    assert below_headings(PATHS, 2) == [(1, 3), (3, 5), (6, 7)]
    assert below_headings(PATHS, 3) == [(4, 5)]
    assert below_headings([], 1) == below_headings([()], 1) == []


def test_sections_have_two_pieces_or_more() -> None:
    assert sections(PATHS) == [(1, 0, 5), (2, 1, 3), (2, 3, 5)]
    assert sections([("A", "B"), ("A", "B")]) == [(2, 0, 2)], "the innermost heading names it"
    assert sections([("A",)]) == sections([]) == []


def test_headings_in_common() -> None:
    assert common_headings(PATHS[1:5]) == ("A",)
    assert common_headings(PATHS) == ()
    assert common_headings([("A", "B")]) == common_headings([("A", "B"), ("A", "B")]) == ("A", "B")


PATH = st.lists(st.sampled_from("ab"), max_size=3)


@given(st.lists(PATH, max_size=12))
def test_sections_nest(paths: list[list[str]]) -> None:
    found = sections(paths)
    for level, first, end in found:
        heads = {tuple(path[:level]) for path in paths[first:end]}
        assert len(heads) == 1 and len(next(iter(heads))) == level > 0 and end - first > 1
        assert all(a <= first < end <= b or first <= a < b <= end or b <= first or end <= a for _, a, b in found)
    assert len({own[1:] for own in found}) == len(found)
