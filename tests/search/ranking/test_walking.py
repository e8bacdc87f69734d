"""Walks along entities: who leads, what is followed, how far a chunk rises, and where it stands then."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.search.ranking.scoring import ChunkPlace
from infograph.search.ranking.walking import (
    MOST_CHUNKS,
    Reached,
    Step,
    WalkLead,
    first_leads,
    inserted,
    next_leads,
    reached,
    steps,
)

RANKING: list[tuple[ChunkPlace, float]] = [((1, 0), 10.0), ((2, 1), 8.0), ((1, 3), 7.0), ((3, 0), 6.0), ((4, 2), 0.0)]
A, B = WalkLead((1, 0), 10.0), WalkLead((2, 1), 8.0, ("way",))


def test_the_best_chunks_of_the_first_pages_lead() -> None:
    assert first_leads(RANKING, 2) == [WalkLead((1, 0), 10.0), WalkLead((2, 1), 8.0)]
    assert first_leads(RANKING, 9) == [WalkLead((1, 0), 10.0), WalkLead((2, 1), 8.0), WalkLead((3, 0), 6.0)]
    assert first_leads(RANKING, 0) == first_leads([], 3) == []
    assert first_leads([((1, 0), 0.5), ((2, 0), 0.0)], 9) == [WalkLead((1, 0), 0.5)]


def test_no_more_of_a_ranking_is_read_than_pages_lead() -> None:
    def ranking() -> Iterator[tuple[ChunkPlace, float]]:
        yield from RANKING[:3]
        raise AssertionError("read on")

    assert first_leads(cast(Sequence[tuple[ChunkPlace, float]], ranking()), 2) == first_leads(RANKING, 2)


def test_a_step_gains_less_the_more_chunks_name_its_entity() -> None:
    found = steps([A], {(1, 0): [("rare", 1), ("pair", 2), ("five", 5)]}, set(), 0.8, 9)
    assert [(step.key, step.gain) for step in found] == [("pair", 8.0), ("rare", 8.0), ("five", 4.0)]
    assert {step.lead for step in found} == {A}


def test_common_entities_and_those_of_the_query_are_not_followed() -> None:
    entities = {(1, 0): [("common", MOST_CHUNKS + 1), ("asked", 2), ("last", MOST_CHUNKS)]}
    found = steps([A], entities, {"asked"}, 0.8, 9)
    assert [step.key for step in found] == ["last"]
    assert found[0].gain == 8.0 / math.sqrt(MOST_CHUNKS - 1)


def test_the_best_lead_of_an_entity_counts_and_only_some_are_taken() -> None:
    entities = {(1, 0): [("both", 2)], (2, 1): [("both", 2), ("own", 2), ("a", 2)]}
    assert [(step.key, step.lead) for step in steps([B, A], entities, set(), 0.8, 2)] == [("both", A), ("a", B)]
    assert [step.lead for step in steps([A, B], entities, set(), 0.8, 1)] == [A]
    assert steps([A, B], {}, set(), 0.8, 9) == []
    alike = [WalkLead((6, 0), 4.0), WalkLead((7, 0), 4.0)]
    assert steps(alike, {(6, 0): [("both", 2)], (7, 0): [("both", 2)]}, set(), 0.8, 9)[0].lead == alike[0]


def test_a_chunk_rises_to_its_lead_at_most_and_not_above_the_bound() -> None:
    places = {"e": [(5, 0), (1, 7), (2, 2)]}
    own = {(2, 2): 7.5}
    found = reached(own, [Step("e", 2.0, B)], places, 9.0, 1)
    assert found == {(5, 0): Reached(2.0, 2.0, 1, ("way", "e")), (1, 7): Reached(2.0, 2.0, 1, ("way", "e"))}
    assert reached(own, [Step("e", 2.0, A)], places, 9.0, 2)[2, 2] == Reached(9.0, 9.5, 2, ("e",))
    assert reached(own, [Step("e", 20.0, B)], {"e": [(5, 0)]}, 99.0, 1)[5, 0].score == 8.0
    assert list(reached({}, [Step("e", 2.0, A)], {"e": [(1, 5), (5, 1)]}, 9.0, 1)) == [(5, 1)]


def test_a_chunk_that_would_not_rise_stays() -> None:
    assert reached({(5, 0): 9.0}, [Step("e", 3.0, A)], {"e": [(5, 0)]}, 9.0, 1) == {}
    assert reached({}, [Step("unknown", 3.0, A)], {}, 9.0, 1) == {}


def test_the_better_of_two_ways_is_told() -> None:
    weak, strong = Step("weak", 1.0, A), Step("strong", 2.0, A)
    places = {"weak": [(5, 0)], "strong": [(5, 0)]}
    for order in ([weak, strong], [strong, weak]):
        assert reached({}, order, places, 9.0, 1)[5, 0].path == ("strong",)
    above, over = Step("above", 9.0, A), Step("over", 9.5, A)  # both reach the bound: the larger sum is told
    places = {"above": [(5, 0)], "over": [(5, 0)]}
    for order in ([above, over], [over, above]):
        assert reached({}, order, places, 9.0, 1)[5, 0] == Reached(9.0, 9.5, 1, ("over",))
    again = reached({}, [Step("a", 1.0, A), Step("b", 1.0, A)], {"a": [(5, 0)], "b": [(5, 0)]}, 9.0, 1)
    assert again[5, 0].path == ("a",)


def test_the_best_that_were_reached_lead_on() -> None:
    found = {
        (5, 0): Reached(3.0, 3.0, 1, ("x",)),
        (4, 1): Reached(3.0, 4.0, 1, ("y",)),
        (4, 0): Reached(3.0, 3.0, 1, ("z",)),
        (9, 9): Reached(5.0, 5.0, 1, ("w",)),
    }
    wanted = [WalkLead((9, 9), 5.0, ("w",)), WalkLead((4, 1), 3.0, ("y",)), WalkLead((4, 0), 3.0, ("z",))]
    assert next_leads(found, 3) == wanted


def test_what_gains_stands_behind_chunks_of_the_same_score() -> None:
    gains = {
        (9, 0): Reached(8.0, 8.0, 1, ("a",)),
        (3, 0): Reached(7.5, 7.5, 1, ()),
        (8, 1): Reached(0.5, 0.5, 1, ()),
        (8, 0): Reached(8.0, 9.0, 1, ()),
        (7, 0): Reached(8.0, 8.0, 1, ("b",)),
    }
    found = inserted(RANKING, gains)
    order: list[ChunkPlace] = [(1, 0), (2, 1), (8, 0), (7, 0), (9, 0), (3, 0), (1, 3), (8, 1), (4, 2)]
    assert [chunk for chunk, _ in found] == order
    assert dict(found)[3, 0] == 7.5
    assert inserted([], {(1, 1): Reached(1.0, 1.0, 0, ()), (1, 0): Reached(1.0, 1.0, 0, ())}) == [
        ((1, 0), 1.0),
        ((1, 1), 1.0),
    ]


chunk_places = st.tuples(st.integers(0, 4), st.integers(0, 2))
scores = st.sampled_from([0.5, 1.0, 2.0, 3.0])


@pytest.mark.parametrize("empty", [False, True])
@given(ranking=st.dictionaries(chunk_places, scores), gains=st.dictionaries(chunk_places, scores))
def test_each_chunk_stands_once_and_scores_fall(
    empty: bool, ranking: dict[ChunkPlace, float], gains: dict[ChunkPlace, float]
) -> None:
    own = [] if empty else sorted(ranking.items(), key=lambda item: (-item[1], item[0]))
    found = inserted(own, {chunk: Reached(score, score, 1, ()) for chunk, score in gains.items()})
    assert dict(found) == dict(own) | gains
    assert len(found) == len(dict(found))
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
