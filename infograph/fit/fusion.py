"""`infograph fit fusion`: learns how words and meaning become one score, and says what that is worth.

questions ─candidates▶ both scores of each chunk ─learning▶ a weight for each question ─▶ Table 4, `fusion.json`

The file is written only where the learned fusion finds more than the best fixed one on the questions that are held out,
beyond chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from infograph.errors import ConfigError
from infograph.evaluate.bootstrap import better, difference
from infograph.evaluate.metrics import DEPTH
from infograph.fit.boosting import Boosting
from infograph.fit.candidates import Candidates, FitData
from infograph.fit.learning import FOLDS, MLP, RIDGE, XGBOOST, Fitted, Split, Table, learn, split
from infograph.fit.ridge import Ridge
from infograph.progress import amount
from infograph.search.format import fusion_model
from infograph.search.format.fusion_model import FEATURES, FUSION_FORMAT, QUERY_FEATURES, Fusion, FusionFile
from infograph.search.ranking.fusion import fused, tm2c2_values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

FIXED = (0.0, 0.3, 0.5, 0.7, 1.0)
"""Weights of the cosine that are the same for every question."""
METRICS = ("T1EM", "T1C", "T1O", "MRR")
"""Whether the first chunk holds the answer, how much of it, how much else; and 1 / rank of the first that has some."""
FIRST = "MRR"
"""The metric that decides."""
SUM, RRF, ORACLE = "sum, as by default", "RRF", "Oracle"

PerMetric = Mapping[str, "Values"]


@dataclass(frozen=True, slots=True)
class FusionRow:
    """One way to fuse, with what it gives for every question."""

    name: str
    values: PerMetric
    """Metric to a value for each question, 0 to 1."""
    learned: bool = False


@dataclass(frozen=True, slots=True)
class FusionReport:
    """Everything that `infograph fit fusion` prints."""

    data: FitData
    parts: Split
    fitted: tuple[Fitted, ...]
    rows: tuple[FusionRow, ...]
    """The rows of Table 4."""
    best: str
    """The fixed way that does best on the questions that are not held out."""
    chosen: Fitted
    """The learned way that does best on the part that validates, of those that a site can publish."""
    gain: tuple[float, float, float]
    """What the chosen one gains over the best fixed one on the held-out questions, with its 95% interval."""
    pays: bool
    """Whether that is beyond chance."""


def fit(data: FitData, predictors: Sequence[str] = (RIDGE, XGBOOST, MLP), *, quick: bool = False) -> FusionReport:
    """Learns all predictors and measures them beside fixed weights.

    quick: try one point of each grid only, for tests

    Raises ConfigError for so few questions that none are held out, or that there is nothing to cross-validate.
    """
    table, parts = Table.of(data.rows), split([row.kind for row in data.rows])
    taught, tested = len(table.taught(parts.train)), min(len(parts.valid), len(parts.test))
    if taught < FOLDS or not tested:
        reason = f"of {amount(len(data.rows), 'question')} {taught} teach something and {len(parts.test)} are held out"
        raise ConfigError(data.said, f"too few questions to learn from: {reason}", "Some hundred are needed.")
    fitted = tuple(learn(name, table, parts, quick=quick) for name in predictors)
    fixed = [*(FusionRow(f"α = {alpha:g}", by_alpha(data.rows, [alpha] * len(data.rows))) for alpha in FIXED)]
    fixed += [FusionRow(SUM, by_fusion(data.rows, Fusion(), data.weight))]
    fixed += [FusionRow(RRF, by_fusion(data.rows, Fusion(fusion_model.RRF), data.weight))]
    learned = [FusionRow(f"Learned {own.name}", by_alpha(data.rows, own.alphas.tolist()), True) for own in fitted]
    oracle = FusionRow(ORACLE, by_alpha(data.rows, [0.5 if row.alpha is None else row.alpha for row in data.rows]))
    best = max(fixed, key=lambda row: float(row.values[FIRST][parts.known].mean()))
    chosen = max((own for own in fitted if own.name != MLP), key=lambda own: own.r2[1])
    ours = next(row for row in learned if row.name == f"Learned {chosen.name}")
    mine, theirs = (row.values[FIRST][parts.test] for row in (ours, best))
    gain = (float((mine - theirs).mean()), *difference(mine, theirs))
    rows = (*fixed, *learned, oracle)
    return FusionReport(data, parts, fitted, rows, best.name, chosen, gain, better(mine, theirs))


def by_alpha(rows: Sequence[Candidates], alphas: Sequence[float]) -> PerMetric:
    """Measures the order that TM2C2 gives with a weight for each question."""
    return measured(rows, [tm2c2_values(row.head, alpha) for row, alpha in zip(rows, alphas, strict=True)])


def by_fusion(rows: Sequence[Candidates], fusion: Fusion, weight: float) -> PerMetric:
    """Measures the order that a fusion without trees gives."""
    return measured(rows, [fused(fusion, None, row.question, row.head, weight)[0] for row in rows])


def order(scores: Sequence[float]) -> list[int]:
    """Returns places, the best score first; of equal ones the earlier."""
    return sorted(range(len(scores)), key=lambda place: -scores[place])


def measured(rows: Sequence[Candidates], scores: Sequence[Sequence[float]]) -> PerMetric:
    """Returns the metrics of Table 4, each with one value for each question."""
    import numpy as np

    found: dict[str, list[float]] = {name: [] for name in METRICS}
    for row, own in zip(rows, scores, strict=True):
        ranking = order(own)
        first = ranking[0]
        found["T1EM"].append(float(row.exact[first]))
        found["T1C"].append(row.covers[first])
        found["T1O"].append(row.overlaps[first])
        found["MRR"].append(next((1 / rank for rank, at in enumerate(ranking[:DEPTH], 1) if row.holds[at]), 0.0))
    return {name: np.array(values) for name, values in found.items()}


def fusion_file(report: FusionReport) -> FusionFile:
    """Returns the chosen predictor as the file that a build takes."""
    chosen = report.chosen
    about = f"{chosen.name}, {chosen.options}; {len(report.data.rows)} questions, R² {chosen.r2[2]:.3f} held out"
    if isinstance(chosen.model, Ridge):
        weights, bias = chosen.model.weights, chosen.model.bias
        return FusionFile(
            FUSION_FORMAT,
            fusion_model.RIDGE,
            report.data.model,
            QUERY_FEATURES,
            weights=weights,
            bias=bias,
            about=about,
        )
    assert isinstance(chosen.model, Boosting)
    found = chosen.model.trees()
    return FusionFile(
        FUSION_FORMAT, fusion_model.TREES, report.data.model, FEATURES, base=found.base, trees=found.trees, about=about
    )
