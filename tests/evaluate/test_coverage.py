from __future__ import annotations

from collections.abc import Callable

import pytest

from infograph.evaluate.corpus import Corpus
from infograph.evaluate.coverage import WORD_METRICS, text_of, word_metrics
from infograph.evaluate.questions import Span


def test_by_hand(tiling: Callable[..., Corpus]) -> None:
    corpus = tiling(["One two. ", "Three four ", "five six."])
    gold = [Span("a.md", 9, 24)]  # "Three four five"… of which the last word lies in the next unit
    assert text_of(corpus, gold[0]) == "Three four five"[:15]
    found = word_metrics(gold, [corpus.units[0], corpus.units[1]], corpus)
    assert found == pytest.approx(
        {
            "T1EM": 0,
            "T5EM": 0,
            "T1C": 0,
            "BC": 2 / 3,
            "AC": 1 / 3,
            "MC": 2 / 3,
            "T1O": 0,
            "BO": 2 * 2 / 5,
            "AO": 2 * 2 / 5 / 2,
        }
    )
    both = word_metrics(gold, corpus.units[1:], corpus)
    assert (both["MC"], both["BC"]) == pytest.approx((1, 2 / 3))


def test_an_exact_match_holds_the_whole_span(tiling: Callable[..., Corpus]) -> None:
    corpus = tiling(["One two. ", "Three four ", "five six."])
    gold = [Span("a.md", 0, 12), Span("a.md", 9, 14)]
    found = word_metrics(gold, corpus.units[:2], corpus)
    assert (found["T1EM"], found["T5EM"]) == (0, 1)
    assert found["BC"] <= 1


def test_the_first_five_count_however_many_are_returned(tiling: Callable[..., Corpus]) -> None:
    corpus = tiling([f"word{number} " for number in range(7)])
    for place, found in ((4, 1), (5, 0)):
        gold = [corpus.units[place].span]
        assert [word_metrics(gold, corpus.units, corpus, k)["T5EM"] for k in (1, 3, 7)] == [found] * 3
    assert word_metrics([corpus.units[4].span], corpus.units, corpus, 3)["BC"] == 0


def test_case_and_punctuation_do_not_count(tiling: Callable[..., Corpus]) -> None:
    corpus = tiling(["Use `THE` cache!"])
    found = word_metrics([Span("a.md", 0, 16)], corpus.units, corpus)
    assert set(found.values()) == {1.0}
    assert tuple(found) == WORD_METRICS


def test_nothing_retrieved(tiling: Callable[..., Corpus]) -> None:
    corpus = tiling(["a b"])
    assert set(word_metrics([Span("a.md", 0, 3)], [], corpus).values()) == {0.0}


def test_a_span_without_words_is_covered_by_nothing(tiling: Callable[..., Corpus]) -> None:
    corpus = tiling(["-- a"])
    found = word_metrics([Span("a.md", 0, 2)], corpus.units, corpus)
    assert found["T1C"] == 0
    assert found["T1EM"] == 1


def test_words_beyond_the_first_5000_of_a_span_do_not_count(tiling: Callable[..., Corpus]) -> None:
    corpus = tiling(["a " * 5000, "end"])
    gold = [Span("a.md", 0, 10_003)]
    assert word_metrics(gold, corpus.units[:1], corpus)["T1C"] == 1
    assert word_metrics(gold, corpus.units[1:], corpus)["T1C"] == 0
