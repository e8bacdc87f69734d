"""`infograph fit rerank`: from which confidence on a ranking may stay as it is, and whether a second look pays.

    τ* = the least τ such that Wilson's lower bound of the share of right rankings with confidence ≥ τ is at least β,
         and there are 30 or more of them

A ranking is right where one of its first five chunks holds a whole gold span. Section 3.4.2 of the specification.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from infograph.fit.candidates import FIRST_FIVE, Candidates, FitData
from infograph.fit.fusion import order
from infograph.search.format.fusion_model import Fusion, TreeSum
from infograph.search.format.rerank_policy import (
    RERANK_FORMAT,
    PairedOutcomes,
    RerankFile,
    RerankPolicy,
    Threshold,
)
from infograph.search.ranking.fusion import fused
from infograph.search.ranking.wilson import LEAST_TRIALS, wilson

BETA = 0.5
"""Default of the least share of right rankings among those that stay."""
FUSED_GRID = tuple(round(0.5 + 0.05 * step, 2) for step in range(11))
"""Thresholds that are tried with the query's vector."""
WORDS_GRID = tuple(round(0.05 * step, 2) for step in range(1, 21))
"""Thresholds that are tried without it: a ranking by words alone is nowhere near the most that it could score."""
CANDIDATES = 20
"""Most chunks that a language model is shown."""

Reordering = Callable[[Candidates, Sequence[int]], Sequence[int]]
"""Puts the places of a question's first chunks in a new order."""


@dataclass(frozen=True, slots=True)
class RankedQuestion:
    """One question with the ranking of its chunks and how sure that is."""

    row: Candidates
    ranking: tuple[int, ...]
    """Places of chunks, best first."""
    confidence: float
    right: bool
    """Whether one of the first five holds a whole gold span."""


@dataclass(frozen=True, slots=True)
class ThresholdRow:
    """One threshold and what it means for the questions: a column of Table 5."""

    tau: float | None
    """None: a model is always asked."""
    skipped: int
    right: int
    """Skipped questions whose ranking is right."""
    low: float
    high: float
    """Wilson's interval of their share."""
    calls: int
    first: float
    """T1EM, where the model ranks as the judge does."""


def by_fusion(
    rows: Sequence[Candidates], fusion: Fusion, weight: float, trees: TreeSum | None = None
) -> list[RankedQuestion]:
    """Returns each question ranked by words and its vector; `trees` are those of a fusion that has some."""
    found = []
    for row in rows:
        scores, confidence = fused(fusion, trees, row.question, row.head, weight)
        ranking = tuple(order(scores))
        found.append(RankedQuestion(row, ranking, confidence, any(row.exact[at] for at in ranking[:FIRST_FIVE])))
    return found


def by_words(rows: Sequence[Candidates]) -> list[RankedQuestion]:
    """Returns each question as a search without its vector ranks it."""
    return [RankedQuestion(row, (), row.plain.confidence, row.plain.right) for row in rows if row.plain]


def gold_judge(row: Candidates, places: Sequence[int]) -> list[int]:
    """Puts chunks with a whole gold span first, then those with a part: no model can do better."""
    return sorted(places, key=lambda place: (not row.exact[place], not row.holds[place]))


def threshold_rows(
    ranked: Sequence[RankedQuestion], grid: Sequence[float], judge: Reordering | None, shown: int = CANDIDATES
) -> list[ThresholdRow]:
    """Returns a row for each threshold, and one for a model that is always asked.

    judge: stands for the language model; None: the ranking stays as it is, whatever is asked
    shown: most chunks that it is shown
    """
    rows = []
    for tau in (*grid, None):
        skipped = [own for own in ranked if tau is not None and own.confidence >= tau]
        right = sum(own.right for own in skipped)
        low, high = wilson(right, len(skipped))
        first = sum(_first(own, tau, judge, shown) for own in ranked) / max(1, len(ranked))
        rows.append(ThresholdRow(tau, len(skipped), right, low, high, len(ranked) - len(skipped), first))
    return rows


def _first(own: RankedQuestion, tau: float | None, judge: Reordering | None, shown: int) -> float:
    """Returns T1EM of one question under a threshold."""
    ranking: Sequence[int] = own.ranking
    if judge is not None and (tau is None or own.confidence < tau):
        ranking = judge(own.row, own.ranking[:shown])
    return float(bool(ranking) and own.row.exact[ranking[0]])


def best_threshold(rows: Sequence[ThresholdRow], beta: float) -> Threshold | None:
    """Returns τ*; None where no threshold is sure enough."""
    for row in rows:
        if row.tau is not None and row.skipped >= LEAST_TRIALS and row.low >= beta:
            return Threshold(row.tau, beta, row.skipped)
    return None


def outcomes(rows: Sequence[Candidates], ranked: Sequence[RankedQuestion]) -> PairedOutcomes:
    """Returns for how many questions the first five chunks by words and vector reach more of the answer, and less, than
    the first five of a search without the vector."""
    better = worse = 0
    for row, own in zip(rows, ranked, strict=True):
        if row.plain is not None:
            reached = len(frozenset().union(*(row.reaches[at] for at in own.ranking[:FIRST_FIVE])))
            better += reached > row.plain.reached
            worse += reached < row.plain.reached
    return PairedOutcomes(better, worse)


def rerank_file(data: FitData, ranked: Sequence[RankedQuestion], kind: str, beta: float) -> RerankFile:
    """Returns the policy that the questions of a tree give.

    ranked: the questions as they are ranked by words and their vectors
    kind:   of the fusion, for people

    Of fewer than `LEAST_TRIALS` questions it says nothing of the vectors, so that what the release knows of the model
    holds.
    """
    policy = RerankPolicy(
        best_threshold(threshold_rows(ranked, FUSED_GRID, None), beta),
        best_threshold(threshold_rows(by_words(data.rows), WORDS_GRID, None), beta),
    )
    about = f"{len(data.rows)} questions, fusion {kind}"
    vectors = outcomes(data.rows, ranked) if len(data.rows) >= LEAST_TRIALS else None
    return RerankFile(RERANK_FORMAT, data.model, policy, vectors, about)
