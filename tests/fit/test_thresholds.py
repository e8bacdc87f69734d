"""Thresholds of confidence: Table 5 by its definition, and what a model behind them would do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from infograph.fit.candidates import Candidates, FitData, PlainOutcome
from infograph.fit.thresholds import (
    BETA,
    FUSED_GRID,
    WORDS_GRID,
    RankedQuestion,
    ThresholdRow,
    best_threshold,
    by_fusion,
    by_words,
    gold_judge,
    outcomes,
    rerank_file,
    threshold_rows,
)
from infograph.search.format.fusion_model import Fusion
from infograph.search.format.rerank_policy import read_rerank, rerank_bytes
from infograph.search.ranking.fusion import FusedHead, all_features
from infograph.search.ranking.wilson import wilson


def question(number: int, chunks: int = 20) -> Candidates:
    """One right chunk among some, which the scores find the better the more they agree."""
    random = np.random.default_rng(number)
    right = int(random.integers(chunks))
    words = random.random(chunks) * 10
    cosines = random.random(chunks) * 0.6
    words[right] += 6 * random.random()
    cosines[right] += 0.4 * random.random()
    order = np.argsort(-words)
    head = FusedHead(words[order].tolist(), cosines[order].tolist())
    exact = tuple((order == right).tolist())
    plain = PlainOutcome(float(head.words[0] / 20), any(exact[:5]), int(any(exact[:5])))
    return Candidates(
        question="why?",
        kind="one span",
        head=head,
        features=tuple(all_features("why?", head)),
        alpha=0.5,
        similar=tuple(map(float, exact)),
        exact=exact,
        holds=exact,
        reaches=tuple(frozenset({0}) if own else frozenset() for own in exact),
        covers=tuple(map(float, exact)),
        overlaps=tuple(map(float, exact)),
        vector=np.zeros(3, np.float32),
        plain=plain,
    )


ROWS = tuple(question(number) for number in range(400))
RANKED = by_fusion(ROWS, Fusion(), 25.0)


def t1em(ranked: Sequence[RankedQuestion]) -> float:
    return sum(own.row.exact[own.ranking[0]] for own in ranked) / len(ranked)


def t5em(ranked: Sequence[RankedQuestion]) -> float:
    return sum(own.right for own in ranked) / len(ranked)


def test_a_model_that_ranks_by_gold_lifts_the_first_to_the_first_five() -> None:
    rows = threshold_rows(RANKED, FUSED_GRID, gold_judge, shown=5)
    always = rows[-1]
    assert always.tau is None and always.calls == 400
    assert always.first == t5em(RANKED) > t1em(RANKED)
    assert [row.first for row in rows] == sorted(row.first for row in rows)
    assert [row.calls for row in rows] == sorted(row.calls for row in rows), "calls fall with τ"
    assert rows[0].calls < rows[-2].calls < 400
    # At τ = 1 what is not asked is the best in both; asked about those too, it finds what there is.
    sure = [own for own in RANKED if own.confidence >= 1]
    assert rows[-2].skipped == len(sure)
    assert always.first - rows[-2].first == pytest.approx(
        sum(own.right - own.row.exact[own.ranking[0]] for own in sure) / 400
    )
    assert threshold_rows(RANKED, FUSED_GRID, gold_judge)[-1].first > always.first, "20 hold more than 5"


def test_a_model_that_changes_nothing_costs_and_gains_nothing() -> None:
    for judge in (None, lambda row, places: list(places)):
        rows = threshold_rows(RANKED, FUSED_GRID, judge)
        assert {row.first for row in rows} == {t1em(RANKED)}


def test_each_row_is_its_definition() -> None:
    for row in threshold_rows(RANKED, FUSED_GRID, None)[:-1]:
        assert row.tau is not None
        skipped = [own for own in RANKED if own.confidence >= row.tau]
        assert (row.skipped, row.calls) == (len(skipped), 400 - len(skipped))
        assert row.right == sum(own.right for own in skipped)
        assert (row.low, row.high) == wilson(row.right, row.skipped)


def test_grids() -> None:
    assert FUSED_GRID == (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0)
    assert WORDS_GRID[0] == 0.05 and WORDS_GRID[-1] == 1.0 and len(WORDS_GRID) == 20


def row(tau: float | None, skipped: int, low: float) -> ThresholdRow:
    return ThresholdRow(tau, skipped, skipped, low, 1.0, 0, 0.0)


def test_the_least_threshold_that_is_sure_enough_is_taken() -> None:
    rows = [row(0.5, 90, 0.49), row(0.6, 80, 0.5), row(0.7, 60, 0.9), row(None, 0, 0.0)]
    found = best_threshold(rows, BETA)
    assert found is not None and (found.tau, found.beta, found.n) == (0.6, 0.5, 80)
    surer = best_threshold(rows, 0.8)
    assert surer is not None and surer.tau == 0.7
    assert best_threshold([row(0.5, 29, 0.9)], 0.5) is None, "too few to know"
    assert best_threshold(rows, 0.95) is None


def test_outcomes_count_questions_that_differ() -> None:
    found = outcomes(ROWS, RANKED)
    reached = [any(own.row.exact[at] for at in own.ranking[:5]) for own in RANKED]
    plain = [bool(one.plain and one.plain.reached) for one in ROWS]
    assert found.better == sum(a and not b for a, b in zip(reached, plain, strict=True)) > 0
    assert found.worse == sum(b and not a for a, b in zip(reached, plain, strict=True)) > 0


def test_the_file_is_read_as_it_was_written() -> None:
    found = rerank_file(FitData(ROWS, "static-256@1", 25.0, "made"), RANKED, "sum", 0.5)
    assert found.policy.fused is not None and found.policy.fused.beta == 0.5 and found.vectors is not None
    data = rerank_bytes(found)
    assert read_rerank("rerank.json", data) == found
    assert data.startswith(b'{\n  "format": 1,\n') and data.endswith(b"\n}\n")  # to be reviewed in a diff


def test_few_questions_say_nothing_of_the_vectors() -> None:
    """A file of one question had overruled what the release counted on hundreds."""
    for count, said in ((29, False), (30, True)):
        found = rerank_file(FitData(ROWS[:count], "static-256@1", 25.0, "made"), RANKED[:count], "sum", 0.5)
        assert (found.vectors is not None) is said


def test_rankings_by_words_have_their_own() -> None:
    ranked = by_words(ROWS)
    assert [own.confidence for own in ranked] == [one.plain.confidence for one in ROWS if one.plain]
    assert t5em(ranked) == sum(bool(one.plain and one.plain.right) for one in ROWS) / 400
