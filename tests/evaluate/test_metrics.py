from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.evaluate.corpus import Corpus
from infograph.evaluate.metrics import measure, metric_names, omega, ranking_metrics, size, span_metrics
from infograph.evaluate.questions import Question, Span

spans = st.lists(
    st.builds(lambda start, length: Span("a.md", start, start + length), st.integers(0, 60), st.integers(1, 20)),
    min_size=1,
    max_size=6,
)


def test_characters_by_hand() -> None:
    # Gold: 10 to 30. Retrieved: 0 to 20 and 20 to 25, so 15 of 20 are covered, 25 are read and 5 missed.
    found = span_metrics([Span("a", 10, 30)], [Span("a", 0, 20), Span("a", 20, 25)], 5)
    assert found == pytest.approx({"spans@5": 1.0, "cover@5": 15 / 20, "share@5": 15 / 25, "IoU@5": 15 / 30})


def test_what_is_retrieved_twice_is_read_twice_and_found_once() -> None:
    found = span_metrics([Span("a", 10, 30)], [Span("a", 0, 20), Span("a", 5, 25)], 5)
    assert found == pytest.approx({"spans@5": 1.0, "cover@5": 15 / 20, "share@5": 15 / 40, "IoU@5": 15 / 45})


def test_another_file_covers_nothing() -> None:
    found = span_metrics([Span("a", 0, 5), Span("b", 0, 5)], [Span("b", 0, 10)], 5)
    assert found == pytest.approx({"spans@5": 0.5, "cover@5": 0.5, "share@5": 0.5, "IoU@5": 5 / 15})


def test_nothing_retrieved_is_nothing_found() -> None:
    assert set(span_metrics([Span("a", 0, 5)], [], 5).values()) == {0.0}
    assert omega([Span("a", 0, 5)], []) == 0.0


def test_omega_by_hand() -> None:
    assert omega([Span("a", 8, 12)], [Span("a", 0, 10), Span("a", 10, 20)]) == pytest.approx(4 / 20)


@settings(deadline=None)
@given(spans, spans)
def test_characters_against_sets(gold: list[Span], retrieved: list[Span]) -> None:
    want = {at for span in gold for at in range(span.start, span.end)}
    have = {at for span in retrieved for at in range(span.start, span.end)}
    read = sum(span.length for span in retrieved)
    found = span_metrics(gold, retrieved, 5)
    assert size(gold) == len(want)
    assert found["cover@5"] == pytest.approx(len(want & have) / len(want))
    assert found["share@5"] == pytest.approx(len(want & have) / read)
    assert found["IoU@5"] == pytest.approx(len(want & have) / (read + len(want - have)))
    assert found["IoU@5"] <= min(found["cover@5"], found["share@5"]) + 1e-12


def test_ranking_by_hand() -> None:
    values = ranking_metrics([[7, 3, 9], [1, 2, 3]], [{3, 4}, {8}], 3)
    found = {name: list(array) for name, array in values.items()}
    ideal = 1 / math.log2(2) + 1 / math.log2(3)
    assert found["hit@3"] == [1, 0]
    assert found["MRR@10"] == [0.5, 0]
    assert found["precision@3"] == pytest.approx([1 / 3, 0])
    assert found["recall@3"] == [0.5, 0]
    assert found["nDCG@10"] == pytest.approx([1 / math.log2(3) / ideal, 0])


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.permutations(range(14)), st.sets(st.integers(0, 13), min_size=1)), min_size=1, max_size=4),
    st.integers(1, 12),
)
def test_ranking_against_the_formulas(asked: list[tuple[list[int], set[int]]], k: int) -> None:
    values = ranking_metrics([ranking for ranking, _ in asked], [good for _, good in asked], k)
    for number, (ranking, good) in enumerate(asked):
        hits = [position in good for position in ranking]
        gains = [1 / math.log2(rank + 1) for rank in range(1, 11)]
        assert values[f"hit@{k}"][number] == any(hits[:k])
        assert values[f"precision@{k}"][number] == pytest.approx(sum(hits[:k]) / k)
        assert values[f"recall@{k}"][number] == pytest.approx(sum(hits[:k]) / len(good))
        assert values["MRR@10"][number] == pytest.approx(1 / (hits.index(True) + 1) if any(hits[:10]) else 0)
        gained = sum(gain for gain, hit in zip(gains, hits, strict=False) if hit)
        assert values["nDCG@10"][number] == pytest.approx(gained / sum(gains[: len(good)]))


def test_questions_without_a_ranking_find_nothing() -> None:
    values = ranking_metrics([[], []], [{1}, set()], 5)
    assert all(list(array) == [0, 0] for array in values.values())


def test_every_metric_is_measured_for_every_question(tiling: Callable[..., Corpus]) -> None:
    corpus = tiling(["alpha beta ", "gamma delta ", "epsilon "])
    questions = [Question("1", "?", (Span("a.md", 0, 5),)), Question("2", "?", (Span("a.md", 11, 16),))]
    values = measure(corpus, questions, [[0, 1, 2], [0, 2, 1]], 2)
    assert tuple(values) == metric_names(2)
    assert all(len(array) == 2 for array in values.values())
    assert list(values["hit@2"]) == [1, 0]
    assert list(values["tokens@2"]) == [4, 3]
    assert list(values["share-omega"]) == pytest.approx([5 / 11, 5 / 12])


def test_all_gold_wants_every_span_among_the_first_eight(tiling: Callable[..., Corpus]) -> None:
    corpus = tiling([f"word{number:02} " for number in range(12)])
    question = Question("1", "?", (corpus.units[0].span, corpus.units[11].span))
    near, far, half = [3, 0, 4, 5, 6, 7, 8, 11], [3, 0, 4, 5, 6, 7, 8, 9, 11], [0]
    values = measure(corpus, [question] * 3, [near, far, half], 2)
    assert list(values["all-gold@8"]) == [1, 0, 0]
