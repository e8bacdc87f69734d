"""The arithmetic of a ranking, by hand."""

from __future__ import annotations

import math

import pytest

from infograph.search.format.posting_shards import TermEntry
from infograph.search.format.terms import Language, Terms, cut
from infograph.search.ranking.scoring import (
    chosen_terms,
    idf,
    most_score,
    ranked,
    scores,
    term_weights,
    with_neighbours,
)


def test_a_rare_term_weighs_more() -> None:
    assert idf(10, 1) == pytest.approx(math.log(1 + 9.5 / 1.5))
    assert idf(10, 10) == pytest.approx(math.log(1 + 0.5 / 10.5))
    assert idf(10, 1) > idf(10, 2) > idf(10, 10) > 0


def test_a_compound_is_looked_up_as_a_whole_and_by_its_parts() -> None:
    asked = [Terms("ab", ("a", "b")), Terms("c"), Terms("ab", ("a", "b")), Terms("", ("d", "c"))]
    assert chosen_terms(asked) == ["ab", "a", "b", "c", "d"]


def test_the_whole_of_an_identifier_counts_more(language: Language) -> None:
    asked = list(cut("the purpose of max_bytes, state-of-art useState and os.path", language))
    weights = term_weights(asked, 2.0)
    assert {term for term, weight in weights.items() if weight != 1} == {"maxbyt", "usest", "ospath"}
    assert list(weights) == chosen_terms(asked)
    assert weights["stateofart"] == weights["max"] == weights["purpos"] == 1
    twice = {"a": TermEntry(1, ((0, 0, 1),), 2.0)}
    once = {"a": TermEntry(1, ((0, 0, 1),))}
    assert scores(twice, [0.0, 3.0], 8)[0, 0] == 2 * scores(once, [0.0, 3.0], 8)[0, 0]
    assert most_score(once.values(), 8, 3.4, 0.15) == idf(8, 1) * 3.4 * 1.15
    assert most_score(twice.values(), 8, 3.4, 0.15) == 2 * most_score(once.values(), 8, 3.4, 0.15)


def test_a_score_adds_what_every_term_has() -> None:
    tf = [0.0, 2.0, 3.0]
    entries = {"a": TermEntry(1, ((0, 0, 1),)), "b": TermEntry(3, ((0, 0, 2), (5, 1, 1)))}
    assert scores(entries, tf, 8) == {
        (0, 0): pytest.approx(idf(8, 1) * 2 + idf(8, 3) * 3),
        (5, 1): pytest.approx(idf(8, 3) * 2),
    }
    assert scores({}, tf, 8) == {}


def test_a_chunk_gains_from_the_better_neighbour_of_its_page() -> None:
    own = {(0, 0): 1.0, (0, 1): 2.0, (0, 2): 4.0, (0, 4): 8.0, (1, 3): 16.0}
    assert with_neighbours(own, 0.5) == {(0, 0): 2.0, (0, 1): 4.0, (0, 2): 5.0, (0, 4): 8.0, (1, 3): 16.0}


def test_equal_scores_are_in_the_order_of_slot_and_index() -> None:
    found = {(2, 0): 1.0, (1, 5): 1.0, (9, 9): 2.0, (1, 2): 1.0}
    assert ranked(found) == [((9, 9), 2.0), ((1, 2), 1.0), ((1, 5), 1.0), ((2, 0), 1.0)]
