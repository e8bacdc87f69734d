"""The ranking with what links add: whose chunk comes where, and what does not move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.search.format.links import PageLists
from infograph.search.ranking.linking import AFTER, LEADERS, SHARE, Lead, leading, linked
from infograph.search.ranking.scoring import ChunkPlace

Ranking = list[tuple[ChunkPlace, float]]
RANKING: Ranking = [((1, 0), 10.0), ((2, 1), 8.0), ((1, 3), 7.0), ((3, 0), 6.0), ((4, 2), 5.0), ((5, 0), 1.0)]


def follow(
    lists: dict[int, PageLists], ranking: Ranking = RANKING, share: float = 0.6, after: int = 3
) -> tuple[Ranking, dict[ChunkPlace, Lead]]:
    return linked(ranking, leading(ranking, 4), lists, share, after)


def to(*links: tuple[int, int, int, int]) -> PageLists:
    return PageLists(to=links)


def test_the_first_pages_lead_with_their_best_chunks() -> None:
    assert leading(RANKING, 3) == [((1, 0), 10.0), ((2, 1), 8.0), ((3, 0), 6.0)]
    assert leading([((1, 0), 1.0), ((2, 0), 0.0)], 3) == [((1, 0), 1.0)]
    assert leading([], 3) == []


def test_no_more_of_a_ranking_is_read_than_pages_lead() -> None:
    def ranking() -> Iterator[tuple[ChunkPlace, float]]:
        yield from RANKING[:5]
        raise AssertionError("read on")

    assert leading(cast(Ranking, ranking()), 3) == leading(RANKING, 3)


def test_without_links_nothing_moves() -> None:
    assert follow({1: PageLists(), 2: to()}) == (RANKING, {})
    assert linked([], [], {}, 0.6, 3) == ([], {})


def test_a_page_without_any_of_the_words_comes_in() -> None:
    found, leads = follow({1: to((0, 9, 4, 2))})
    assert leads == {(9, 4): Lead((1, 0), 2, back=False)}
    assert found == [*RANKING[:4], ((9, 4), 6.0), *RANKING[4:]]  # 0.6 · 10, and behind the third page all the same


def test_the_best_chunk_of_a_page_is_shown() -> None:
    found, leads = follow({1: to((0, 5, 7, 0))})
    assert list(leads) == [(5, 0)]
    assert found == [*RANKING[:4], ((5, 0), 6.0), ((4, 2), 5.0)]  # 1 + 6 is more than the third page has


def test_a_gain_below_the_bounds_is_added() -> None:
    found, _ = follow({3: to((0, 5, 7, 0))})
    assert found == [*RANKING[:4], ((4, 2), 5.0), ((5, 0), 1.0 + 0.6 * 6.0)]


def test_only_links_of_the_best_chunk_count() -> None:
    assert follow({1: to((3, 9, 0, 2))}) == (RANKING, {})


def test_pages_that_name_a_page_share_its_score() -> None:
    found, leads = follow({1: PageLists(come=((5, 2, 2), (8, 0, 1)))})
    assert leads == {(5, 2): Lead((1, 0), 2, back=True), (8, 0): Lead((1, 0), 1, back=True)}
    assert found[5:] == [((5, 2), 3.0), ((8, 0), 3.0), ((5, 0), 1.0)]


def test_a_page_does_not_fall() -> None:
    assert follow({4: to((2, 1, 0, 0)), 2: to((1, 3, 0, 0))}, share=0.0) == (RANKING, {})
    assert follow({2: to((1, 1, 0, 0))}) == (RANKING, {})  # the first page is above the bounds


def test_the_better_of_two_leaders_counts() -> None:
    _, leads = follow({2: to((1, 9, 0, 0)), 1: to((0, 9, 0, 2))}, after=1)
    assert leads[9, 0].chunk == (1, 0)
    _, leads = follow({3: to((0, 9, 0, 0)), 4: to((2, 9, 0, 2))})
    assert leads[9, 0].chunk == (3, 0)


def test_chunks_that_reach_the_same_bound_keep_the_order_of_their_sums() -> None:
    found, _ = follow({1: to((0, 9, 0, 0), (0, 5, 0, 0), (0, 4, 0, 0), (0, 8, 0, 0))})
    assert [chunk for chunk, _ in found[4:]] == [(4, 2), (5, 0), (8, 0), (9, 0)]


def test_a_ranking_of_fewer_pages_than_are_kept() -> None:
    found, _ = follow({1: to((0, 2, 0, 0))}, [((1, 0), 3.0)])
    assert found == [((1, 0), 3.0), ((2, 0), 0.6 * 3.0)]


def test_chunks_of_a_page_that_gain_alike_stand_in_their_order() -> None:
    found, _ = follow({1: PageLists(come=((9, 0, 0), (9, 1, 0)))})
    assert found[5:] == [((9, 0), 3.0), ((9, 1), 3.0), ((5, 0), 1.0)]
    found, _ = follow({1: to((0, 9, 2, 0)), 2: to((1, 9, 1, 0), (1, 9, 0, 0))}, share=1.0)
    assert [chunk for chunk, _ in found[4:]] == [(9, 2), (9, 0), (9, 1), (4, 2), (5, 0)]


def test_a_small_gain_brings_a_page_in() -> None:
    assert follow({1: to((0, 9, 0, 0))}, [((1, 0), 1.0)])[0] == [((1, 0), 1.0), ((9, 0), 0.6)]


def test_of_two_leaders_that_give_as_much_the_first_is_told() -> None:
    lists = {1: PageLists(come=((9, 0, 0), (8, 0, 0))), 2: to((1, 9, 0, 0))}
    found, leads = follow(lists, [((1, 0), 8.0), ((2, 1), 4.0)], share=0.5)
    assert dict(found)[9, 0] == 2.0 and leads[9, 0] == Lead((1, 0), 0, back=True)


def test_what_stands_behind_a_chunk_that_gains_stays() -> None:
    found, _ = follow({1: to((0, 4, 0, 0))})
    assert found == [*RANKING[:4], ((4, 2), 6.0), ((5, 0), 1.0)]
    found, _ = follow({1: to((0, 9, 0, 0)), 3: to((0, 8, 0, 0))})
    assert found == [*RANKING[:4], ((9, 0), 6.0), ((4, 2), 5.0), ((8, 0), 0.6 * 6.0), ((5, 0), 1.0)]


def test_the_shipped_numbers() -> None:
    assert (SHARE, LEADERS, AFTER) == (0.6, 8, 5)  # benchmarks/links.py


PLACES = st.tuples(st.integers(0, 6), st.integers(0, 3))
RANKINGS = st.dictionaries(PLACES, st.floats(0, 30), max_size=20).map(
    lambda found: sorted(found.items(), key=lambda item: (-item[1], item[0]))
)
LISTS = st.dictionaries(
    st.integers(0, 6),
    st.builds(
        PageLists,
        to=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9), st.integers(0, 3), st.integers(0, 3))).map(tuple),
        come=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.integers(0, 3)), max_size=8).map(tuple),
    ),
)


@given(RANKINGS, LISTS, st.floats(0, 3), st.integers(1, 5))
def test_any_ranking_keeps_its_chunks_and_its_first_pages(
    ranking: Ranking, lists: dict[int, PageLists], share: float, after: int
) -> None:
    leaders = leading(ranking, LEADERS)
    found, leads = linked(ranking, leaders, lists, share, after)
    own, now = dict(ranking), dict(found)
    assert len(now) == len(found)
    assert own.keys() <= now.keys()
    assert now.keys() - own.keys() <= leads.keys()
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    for chunk, score in found:
        assert score == own.get(chunk, 0.0) if chunk not in leads else score > own.get(chunk, 0.0)
    if leads:
        kept = leading(ranking, after)
        assert [chunk for chunk, _ in leading(found, len(kept))][: len(kept)] == [chunk for chunk, _ in kept]
        for chunk, lead in leads.items():
            assert now[chunk] <= own[lead.chunk]
            if lead.chunk not in leads:
                assert found.index((chunk, now[chunk])) > found.index((lead.chunk, own[lead.chunk]))


@pytest.mark.parametrize("share", [0.0, 0.6])
def test_circles_of_links_end(share: float) -> None:
    lists = {n: PageLists(tuple((0, m, 0, 0) for m in range(7)), tuple((m, 0, 0) for m in range(7))) for n in range(7)}
    ranking: Ranking = [((n, 0), 9.0 - n) for n in range(7)]
    found, _ = linked(ranking, leading(ranking, 8), lists, share, 3)
    assert [chunk for chunk, _ in found][:3] == [(0, 0), (1, 0), (2, 0)]
    assert len(found) == 7
