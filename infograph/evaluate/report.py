"""The outcome of a measurement: as a table for a terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from infograph.evaluate.bootstrap import interval, winner
from infograph.evaluate.metrics import DEPTH, means, metric_names, smaller_is_better

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WEIGHTS = {"nDCG": 0.4, "coherence": 0.3, "self-contained": 0.3}
"""Of the composite. The specification's formula (section 9.12.5) has faithfulness and completeness too, which take an
LLM that answers; the weights of what is measured add up to 1 without them."""


@dataclass(frozen=True, slots=True)
class Chunking:
    """One strategy and what it makes of the documents."""

    name: str
    """With its options."""
    chunks: int
    passages: int
    """What is matched with a question: more, where chunks are larger than a passage."""
    units: int
    """What is returned: fewer, where chunks have parents."""
    tokens: float
    """Mean of a unit."""
    intrinsic: Mapping[str, float] = field(default_factory=dict)
    """Means over the chunks; empty when not measured."""


@dataclass(frozen=True, slots=True)
class System:
    """One strategy under one retriever."""

    chunking: Chunking
    retriever: str
    values: Mapping[str, NDArray[np.float64]]
    """By metric, one value a question."""

    @property
    def name(self) -> str:
        return f"{self.chunking.name} / {self.retriever}"

    @property
    def composite(self) -> float | None:
        """Weighted sum of nDCG, coherence and self-containedness; None unless all were measured."""
        parts = {"nDCG": float(self.values[f"nDCG@{DEPTH}"].mean()), **self.chunking.intrinsic}
        if not WEIGHTS.keys() <= parts.keys():
            return None
        return sum(weight * parts[name] for name, weight in WEIGHTS.items())


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that was measured."""

    documents: int
    questions: str
    """Where they came from."""
    ids: tuple[str, ...]
    """Of the questions, in the order of every system's values."""
    k: int
    model: str | None
    """`name@revision` of the embedding model; None when no retriever needed one."""
    systems: tuple[System, ...]
    left_out: tuple[str, ...] = ()
    """Documents that could not be read, with the reason."""

    @property
    def scope(self) -> str:
        """What was measured on, in a line."""
        counts = [
            f"{count:,} {noun}{'' if count == 1 else 's'}"
            for count, noun in ((len(self.ids), "question"), (self.documents, "document"))
        ]
        counts[0] += f" ({self.questions})"
        return ", ".join(counts if self.model is None else [*counts, self.model])

    @property
    def main(self) -> tuple[str, ...]:
        """The metrics of the table and of the gate."""
        return metric_names(self.k)[:8]

    def winners(self) -> dict[str, str]:
        """By metric the system that is better than every other beyond chance; a metric without one is left out."""
        best = {}
        for metric in self.systems[0].values:
            values = {system.name: system.values[metric] for system in self.systems}
            name = winner(values, least=smaller_is_better(metric))
            if name is not None:
                best[metric] = name
        return best


def table(report: Report) -> str:
    """Strategy by retriever. Beside each mean half the width of its 95% interval; a star marks a column's winner."""
    winners = report.winners()
    head = ["strategy", "retriever", "chunks", "tokens", *report.main]
    rows = [head]
    for system in report.systems:
        chunking = system.chunking
        row = [chunking.name, system.retriever, f"{chunking.chunks:,}", f"{chunking.tokens:.0f}"]
        for metric in report.main:
            star = "*" if winners.get(metric) == system.name else " "
            row.append(cell(metric, system.values[metric]) + star)
        rows.append(row)
    lines = [report.scope, *aligned(rows)]
    if winners.keys() & set(report.main):
        lines.append("* better than every other beyond chance (paired bootstrap, 95%)")
    elif len(report.systems) > 1:
        lines.append("No system is better than every other beyond chance (paired bootstrap, 95%).")
    return "\n".join([*lines, *_intrinsic(report)])


def _intrinsic(report: Report) -> Iterable[str]:
    """The chunkings without any question, where that was measured, and the composite under each retriever."""
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
    """A mean and half the width of its interval: shares to three places, tokens whole."""
    low, high = interval(values)
    places = 0 if smaller_is_better(metric) else 3
    return f"{values.mean():.{places}f} ±{(high - low) / 2:.{places}f}"


def aligned(rows: Sequence[Sequence[str]], left: int = 2) -> list[str]:
    """Rows as lines, columns two spaces apart, all but the first `left` flush right; a star hangs over."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            text.ljust(width) if column < left else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def as_dict(report: Report) -> dict[str, Any]:
    """For `--json`: every metric with its mean and interval, to six places."""
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
                "intrinsic": {name: round(value, 6) for name, value in system.chunking.intrinsic.items()},
                "composite": None if system.composite is None else round(system.composite, 6),
            }
            for system in report.systems
        ],
        "winners": report.winners(),
    }
