"""What `infograph fit` prints: Table 4 and Table 5 of the specification, for the questions of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from infograph.evaluate.bootstrap import difference
from infograph.evaluate.report import aligned
from infograph.fit.boosting import Boosting
from infograph.fit.fusion import FIRST, METRICS, FusionReport
from infograph.fit.learning import XGBOOST
from infograph.fit.ridge import Ridge
from infograph.fit.thresholds import ThresholdRow
from infograph.progress import amount
from infograph.search.format.fusion_model import FEATURES, QUERY_FEATURES
from infograph.search.format.rerank_policy import Threshold

SPECIFIED_R2 = {"Ridge": 0.002, XGBOOST: 0.589, "MLP": 0.215}
"""R² that the specification reports, of 34,647 questions on another corpus with another embedder."""
_GAINS_SHOWN = 8


@dataclass(frozen=True, slots=True)
class CallPrice:
    """What one call of a language model costs; None: not said."""

    dollars: float | None = None
    seconds: float | None = None


def predictors_text(report: FusionReport) -> str:
    """Returns R² of each predictor, the coefficients of ridge and the gains of the trees."""
    rows = [["predictor", "options", "R² train", "validation", "held out", "specification"]]
    for own in report.fitted:
        rows.append([own.name, own.options, *(f"{value:.3f}" for value in own.r2), f"{SPECIFIED_R2[own.name]:.3f}"])
    lines = aligned(rows)
    for own in report.fitted:
        if isinstance(own.model, Ridge):
            weights = zip(QUERY_FEATURES, own.model.weights, strict=True)
            said = ", ".join(f"{name} {weight:+.4f}" for name, weight in weights)
            lines.append(f"{own.name}: α = {own.model.bias:.4f}, {said}")
        elif isinstance(own.model, Boosting):
            gains = list(own.model.gains(FEATURES).items())[:_GAINS_SHOWN]
            lines.append(f"{own.name}, share of gain: " + ", ".join(f"{name} {gain:.3f}" for name, gain in gains))
    return "\n".join(lines)


def fusion_text(report: FusionReport, *, held_out: bool = False) -> str:
    """Returns Table 4: every way to fuse by kind of question, and what it gains over the best fixed one.

    held_out: of the questions that are held out alone; else of all, those that were learned from among them
    """
    import numpy as np

    places = report.parts.test if held_out else np.arange(len(report.data.rows))
    kinds = np.array([row.kind for row in report.data.rows])[places]
    base = next(row for row in report.rows if row.name == report.best).values[FIRST][places]
    which = "held out" if held_out else "all, those that were learned from among them"
    lines: list[str] = []
    for kind in (None, *dict.fromkeys(kinds.tolist())):
        some = places if kind is None else places[kinds == kind]
        heading = f"{amount(len(some), 'question')}, {which if kind is None else kind}"
        table = [[heading, *METRICS, *([f"{FIRST}, gain (95%)"] if kind is None else [])]]
        for row in report.rows:
            cells = [row.name, *(f"{row.values[metric][some].mean():.3f}" for metric in METRICS)]
            if kind is None:
                mine = row.values[FIRST][places]
                low, high = difference(mine, base)
                gain = f"{(mine - base).mean():+.3f} ({low:+.3f} to {high:+.3f})"
                cells.append("the best fixed" if row.name == report.best else gain)
            table.append(cells)
        lines += [*aligned(table, left=1), ""]
    return "\n".join(lines[:-1])


def verdict(report: FusionReport) -> str:
    """Returns in a sentence whether the learned fusion pays."""
    gain, low, high = report.gain
    said = f"{FIRST} {gain:+.3f} ({low:+.3f} to {high:+.3f})"
    count = amount(len(report.parts.test), "held-out question")
    if report.pays:
        return f"{report.chosen.name} is better than `{report.best}` beyond chance: {said} on {count}"
    return f"{report.chosen.name} is not better than `{report.best}` beyond chance: {said} on {count}"


def thresholds_text(
    rows: Sequence[ThresholdRow],
    plain: float | None,
    chosen: Threshold | None,
    price: CallPrice,
    how: str = "T1EM at best",
) -> str:
    """Returns Table 5: what each threshold skips, how sure that is, and what it costs.

    plain:  T1EM of rankings that stay as they are; None where `rows` know nothing of it
    chosen: τ*
    how:    heading of the column of what a model makes of them
    """
    head = ["τ", "skipped", "right", "precision", "Wilson 95%", "calls"]
    head += ["T1EM as it is", how] if plain is not None else []
    head += ["$ a query"] if price.dollars is not None else []
    head += ["s a query"] if price.seconds is not None else []
    table = [head]
    total = max(1, max(row.skipped + row.calls for row in rows))
    for row in rows:
        share = f"{row.right / row.skipped:.3f}" if row.skipped else "–"
        between = f"{row.low:.3f} to {row.high:.3f}" if row.skipped else "–"
        mark = " *" if chosen is not None and row.tau == chosen.tau else ""
        cells = [
            "always" if row.tau is None else f"{row.tau:.2f}{mark}",
            str(row.skipped),
            str(row.right),
            share,
            between,
        ]
        cells.append(f"{row.calls} ({row.calls / total:.0%})")
        cells += [f"{plain:.3f}", f"{row.first:.3f}"] if plain is not None else []
        cells += [f"{value * row.calls / total:.4f}" for value in (price.dollars, price.seconds) if value is not None]
        table.append(cells)
    said = "no τ is sure enough: a model is always asked"
    if chosen is not None:
        said = f"τ* = {chosen.tau:g}: of {chosen.n} skipped rankings at least {chosen.beta:g} are right, 95% sure"
    return "\n".join([*aligned(table, left=1), said])
