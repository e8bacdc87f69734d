"""The outcome of an evaluation, as a table for a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from infograph.evaluate.bootstrap import FEWEST, difference, interval, winner
from infograph.evaluate.metrics import DEPTH, MILLISECONDS, THESIS, TOP_SCORE, means, metric_names, smaller_is_better

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STEPS = (f"MRR@{DEPTH}", f"nDCG@{DEPTH}")
"""Metrics by which a row is compared with the one before it."""
WEIGHTS = {"nDCG": 0.4, "coherence": 0.3, "self-contained": 0.3}
"""Weights of the composite metric, which add up to 1, where no answers were written."""
WHOLE_WEIGHTS = {"nDCG": 0.3, "faithfulness": 0.2, "completeness": 0.2, "coherence": 0.15, "self-contained": 0.15}
"""Weights of all five parts of the specification's formula (section 9.12.5)."""


@dataclass(frozen=True, slots=True)
class Chunking:
    """One strategy, with figures of the chunks that it makes."""

    name: str
    """Name of the strategy, with its options."""
    chunks: int
    """Number of chunks."""
    passages: int
    """Number of texts that are matched: more than chunks, where these are larger than a passage."""
    units: int
    """Number of units that are returned: fewer than chunks, where these have parents."""
    tokens: float
    """Mean number of tokens of a unit."""
    intrinsic: Mapping[str, float] = field(default_factory=dict)
    """Means of the intrinsic figures over the chunks; empty when not measured."""


@dataclass(frozen=True, slots=True)
class System:
    """One strategy under one retriever."""

    chunking: Chunking
    """The strategy and its chunks."""
    retriever: str
    """Name of the retriever."""
    values: Mapping[str, NDArray[np.float64]]
    """Values by metric, one for each question."""
    costs: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    """What each question costs a reader of the published search, by name; empty for other retrievers."""
    synthesis: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    """Whether what is retrieved supports written answers, by metric: a value for each question, NaN for one without an
    answer; empty where there are none."""
    judged: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    """Whether a language model says that it supports them, by metric; empty where none was asked. No part of the
    composite and of the gate, which are to be had without one."""
    tops: NDArray[np.float64] | None = None
    """Score of the first unit of each question, in what the retriever counts in; NaN where nothing is found. None where
    nobody looked."""

    @property
    def name(self) -> str:
        """The name of the system in tables and baselines."""
        return f"{self.chunking.name} / {self.retriever}"

    @property
    def composite(self) -> float | None:
        """The weighted sum of nDCG, coherence and self-containedness, with written answers also of faithfulness and
        completeness; None unless all were measured."""
        said = {name.partition("@")[0]: known(values) for name, values in self.synthesis.items()}
        parts = {"nDCG": float(self.values[f"nDCG@{DEPTH}"].mean()), **self.chunking.intrinsic}
        parts |= {name: float(values.mean()) for name, values in said.items() if len(values)}
        weights = WHOLE_WEIGHTS if WHOLE_WEIGHTS.keys() <= parts.keys() else WEIGHTS
        if not weights.keys() <= parts.keys():
            return None
        return sum(weight * parts[name] for name, weight in weights.items())


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of an evaluation."""

    documents: int
    """Number of documents."""
    questions: str
    """Origin of the questions: names of files, or how they were made."""
    ids: tuple[str, ...]
    """Ids of the questions, in the order of every system's values."""
    k: int
    """Number of units that are returned for a question."""
    model: str | None
    """`name@revision` of the embedding model; None when no retriever needed one."""
    systems: tuple[System, ...]
    """Systems in the order of the request: by strategy, then by retriever."""
    left_out: tuple[str, ...] = ()
    """Documents that could not be read, each with the reason, and answers without a question."""
    thesis: bool = False
    """Whether the table has the columns of the specification in the place of its own."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the metrics in the table."""
        return THESIS if self.thesis else self.main

    @property
    def scope(self) -> str:
        """One line with the numbers of questions and documents, and the model."""
        counts = [
            f"{count:,} {noun}{'' if count == 1 else 's'}"
            for count, noun in ((len(self.ids), "question"), (self.documents, "document"))
        ]
        counts[0] += f" ({self.questions})"
        return ", ".join(counts if self.model is None else [*counts, self.model])

    @property
    def main(self) -> tuple[str, ...]:
        """The names of the metrics in the gate, and in the table where nothing else is asked for."""
        return metric_names(self.k)[:9]

    def winners(self) -> dict[str, str]:
        """The systems that are better than every other beyond chance, by metric; only metrics with such a system."""
        best = {}
        for metric in self.systems[0].values:
            values = {system.name: system.values[metric] for system in self.systems}
            name = winner(values, least=smaller_is_better(metric))
            if name is not None:
                best[metric] = name
        return best


def table(report: Report) -> str:
    """The report as a table: a row for each system, a column for each main metric.

    Each mean stands with half the width of its 95% interval; a star marks the winner of a column.
    """
    winners = report.winners()
    head = ["strategy", "retriever", "chunks", "tokens", *report.columns, *([TOP_SCORE] if report.thesis else [])]
    rows = [head]
    for system in report.systems:
        chunking = system.chunking
        row = [chunking.name, system.retriever, f"{chunking.chunks:,}", f"{chunking.tokens:.0f}"]
        for metric in report.columns:
            star = "*" if winners.get(metric) == system.name else " "
            row.append(cell(metric, system.values[metric]) + star)
        if report.thesis:
            row.append(_top_score(system))
        rows.append(row)
    lines = [report.scope, *aligned(rows)]
    if winners.keys() & set(report.columns):
        lines.append("* better than every other beyond chance (paired bootstrap, 95%)")
    elif len(report.systems) > 1:
        lines.append("No system is better than every other beyond chance (paired bootstrap, 95%).")
    if 0 < len(report.ids) < FEWEST:
        lines.append(f"Of fewer than {FEWEST} questions no difference is more than chance, whatever its interval.")
    return "\n".join([*lines, *_steps(report), *_costs(report), *_synthesis(report), *_intrinsic(report)])


def _top_score(system: System) -> str:
    """The mean score of the first unit; a dash where no question has one."""
    tops = known(system.tops) if system.tops is not None else None
    return cell(TOP_SCORE, tops) if tops is not None and len(tops) else "–"


def known(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values that are there: a question without an answer has none."""
    there: NDArray[np.float64] = values[values == values]
    return there


def over(system: System, other: System, metric: str) -> str:
    """How far a system lies above another on the same questions, with the 95% interval."""
    low, high = difference(system.values[metric], other.values[metric])
    gap = float((system.values[metric] - other.values[metric]).mean())
    return f"{gap:+.3f} [{low:+.3f}, {high:+.3f}]"


def _steps(report: Report) -> Iterable[str]:
    """Lines of a table with what each retriever gains over the one in the row before it."""
    pairs = [(a, b) for a, b in pairwise(report.systems) if a.chunking.name == b.chunking.name]
    if not pairs or not report.ids:
        return
    rows = [["strategy", "retriever", "over", *STEPS]]
    for before, system in pairs:
        gains = [over(system, before, metric) for metric in STEPS]
        rows.append([system.chunking.name, system.retriever, before.retriever, *gains])
    yield ""
    yield "Over the row before, with the 95% interval of a paired bootstrap; one that holds 0 is chance:"
    yield from aligned(rows, 3)


def _costs(report: Report) -> Iterable[str]:
    """Lines of a table with the mean costs of a question, for the retrievers that read published files."""
    import numpy as np

    systems = [system for system in report.systems if system.costs]
    if not systems:
        return
    names = list(systems[0].costs)
    rows = [["strategy", "retriever", *names, f"{MILLISECONDS}, p95"]]
    for system in systems:
        cells = [f"{system.costs[name].mean():.1f}" for name in names]
        cells.append(f"{np.quantile(system.costs[MILLISECONDS], 0.95):.1f}" if len(report.ids) else "–")
        rows.append([system.chunking.name, system.retriever, *cells])
    yield ""
    yield "A question costs a reader, beside the code and the texts of its results:"
    yield from aligned(rows)


def _synthesis(report: Report) -> Iterable[str]:
    """Lines of the tables with how far what is retrieved supports written answers."""
    by_words = "Written answers to {} of the questions, by the words of their claims (no model judges):"
    yield from _supported(by_words, [(system, system.synthesis) for system in report.systems])
    by_model = "The same of {} of the questions, as a language model judges which text supports which claim:"
    yield from _supported(by_model, [(system, system.judged) for system in report.systems])


def _supported(title: str, rows: Sequence[tuple[System, Mapping[str, NDArray[np.float64]]]]) -> Iterable[str]:
    """Lines of a table, below a title with the number of questions that have a value; none where nothing has one."""
    measured = [
        (system, {name: own for name, every in values.items() if len(own := known(every))}) for system, values in rows
    ]
    names = list(dict.fromkeys(name for _, values in measured for name in values))
    if not names:
        return
    table = [["strategy", "retriever", *names]]
    for system, values in measured:
        cells = (cell(name, values[name]) if name in values else "" for name in names)
        table.append([system.chunking.name, system.retriever, *cells])
    yield ""
    yield title.format(f"{max(len(own) for _, values in measured for own in values.values()):,}")
    yield from aligned(table)


def _intrinsic(report: Report) -> Iterable[str]:
    """Lines of a table with the intrinsic figures of each strategy and the composite under each retriever."""
    chunkings = {system.chunking.name: system.chunking for system in report.systems if system.chunking.intrinsic}
    if not chunkings:
        return
    names = list(next(iter(chunkings.values())).intrinsic)
    retrievers = list(dict.fromkeys(system.retriever for system in report.systems))
    composite = {(system.chunking.name, system.retriever): system.composite for system in report.systems}
    rows = [["strategy", *names, *(f"composite, {retriever}" for retriever in retrievers)]]
    for name, chunking in chunkings.items():
        values = [*chunking.intrinsic.values(), *(composite[name, retriever] for retriever in retrievers)]
        rows.append([name, *("" if value is None else f"{value:.3f}" for value in values)])
    yield ""
    yield from aligned(rows)


def cell(metric: str, values: NDArray[np.float64]) -> str:
    """A mean with half the width of its interval: shares with three decimal places, tokens with none."""
    low, high = interval(values)
    places = 0 if smaller_is_better(metric) else 3
    return f"{values.mean():.{places}f} ±{(high - low) / 2:.{places}f}"


def aligned(rows: Sequence[Sequence[str]], left: int = 2) -> list[str]:
    """Rows as lines of aligned columns, two spaces apart: the first `left` columns flush left, the others right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            text.ljust(width) if column < left else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def _mean_of(values: NDArray[np.float64] | None) -> dict[str, Any] | None:
    """A mean with its interval, with six decimal places; None where there is no value."""
    own = known(values) if values is not None else None
    if own is None or not len(own):
        return None
    return {"mean": round(float(own.mean()), 6), "interval": [round(end, 6) for end in interval(own)]}


def as_dict(report: Report) -> dict[str, Any]:
    """The report for `--json`: every metric with its mean and interval, with six decimal places."""
    return {
        "documents": report.documents,
        "questions": {"from": report.questions, "count": len(report.ids)},
        "left_out": list(report.left_out),
        "k": report.k,
        "model": report.model,
        "systems": [
            {
                "strategy": system.chunking.name,
                "retriever": system.retriever,
                "chunks": system.chunking.chunks,
                "passages": system.chunking.passages,
                "returned": system.chunking.units,
                "tokens": round(system.chunking.tokens, 6),
                "metrics": {
                    metric: {"mean": round(mean, 6), "interval": [round(end, 6) for end in interval(values)]}
                    for (metric, mean), values in zip(means(system.values).items(), system.values.values(), strict=True)
                },
                TOP_SCORE: _mean_of(system.tops),
                "costs": {name: round(float(values.mean()), 6) for name, values in system.costs.items()},
                "synthesis": _means_of(system.synthesis),
                **({"judged": _means_of(system.judged)} if system.judged else {}),
                "intrinsic": {name: round(value, 6) for name, value in system.chunking.intrinsic.items()},
                "composite": None if system.composite is None else round(system.composite, 6),
            }
            for system in report.systems
        ],
        "winners": report.winners(),
    }


def _means_of(metrics: Mapping[str, NDArray[np.float64]]) -> dict[str, Any]:
    """Means and intervals of the values that are there, by metric."""
    return {name: found for name, values in metrics.items() if (found := _mean_of(values)) is not None}
