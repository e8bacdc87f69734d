"""The gate: compares a report with a stored baseline and finds the metrics that dropped by more than chance.

The baseline has the value of each metric for each question, so that the paired bootstrap can tell a drop from noise: a
metric has dropped when the whole 95% interval of the difference lies below zero (for tokens, above). A cost, such as
the kilobytes that a question takes, may rise by a tenth: every page that is added to a site raises it a little.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from infograph.errors import FormatError
from infograph.evaluate.bootstrap import difference
from infograph.evaluate.metrics import COSTS, smaller_is_better
from infograph.evaluate.report import Report, System

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORMAT = 1
"""Version of the baseline's format."""
COST_SLACK = 0.1
"""Share of the baseline's mean by which a cost may rise."""
_PLACES = 6
"""Decimal places of a stored value; new values are rounded alike, or the rounding would count as a drop."""
_HINT = "`infograph eval --save-gate FILE` writes one."


@dataclass(frozen=True, slots=True)
class Drop:
    """A metric that dropped below the baseline."""

    system: str
    """Name of the system: strategy and retriever."""
    metric: str
    """Name of the metric."""
    before: float
    """Mean in the baseline, over the questions that both runs have."""
    now: float
    """Mean in this run, over the same questions."""
    low: float
    """Lower end of the 95% interval of the difference."""
    high: float
    """Upper end of that interval."""

    def __str__(self) -> str:
        change = f"{self.before:.3f} to {self.now:.3f}"
        return f"{self.system}: {self.metric} went from {change} (95% interval {self.low:+.3f} to {self.high:+.3f})"


def gated(report: Report, system: System) -> dict[str, NDArray[np.float64]]:
    """The metrics of a system that a baseline has: those of the table, and costs that every run counts alike."""
    main = {metric: array for metric, array in system.values.items() if metric in report.main}
    return main | {name: array for name, array in system.costs.items() if name in COSTS}


def render(report: Report) -> bytes:
    """The bytes of a baseline: the gated metrics of every system of a report, by question."""
    systems = {
        system.name: {
            metric: {question: round(float(value), _PLACES) for question, value in zip(report.ids, array, strict=True)}
            for metric, array in gated(report, system).items()
        }
        for system in report.systems
    }
    text = json.dumps({"format": FORMAT, "k": report.k, "systems": systems}, indent=1, sort_keys=True)
    return f"{text}\n".encode()


def check(place: str, data: bytes, report: Report) -> list[Drop]:
    """The drops of a report below a baseline, in the order of the baseline.

    place: name of the baseline's file, for errors

    Raises FormatError when the baseline does not parse, holds a system that was not run, or shares no question with
    the report: a gate that compares nothing would always pass.
    """
    import numpy as np

    now = {system.name: system for system in report.systems}
    position = {question: number for number, question in enumerate(report.ids)}
    drops = []
    for name, metrics in _baseline(place, data, report.k).items():
        if name not in now:
            reason = f"holds {name!r}, which was not measured now"
            raise FormatError(place, reason, "Run the same strategies, retrievers and model.")
        for metric, before in metrics.items():
            shared = [question for question in before if question in position]
            values = gated(report, now[name])
            if not shared or metric not in values:
                reason = f"has nothing to compare {metric!r} of {name!r} with"
                raise FormatError(place, reason, "The questions or metrics have changed: save a new baseline.")
            old = np.array([before[question] for question in shared])
            new = values[metric][[position[question] for question in shared]].round(_PLACES)
            low, high = difference(new, old)
            if metric in COSTS:
                low -= COST_SLACK * float(old.mean())
            if low > 0 if smaller_is_better(metric) else high < 0:
                drops.append(Drop(name, metric, float(old.mean()), float(new.mean()), low, high))
    return drops


def _baseline(place: str, data: bytes, k: int) -> Mapping[str, Mapping[str, Mapping[str, float]]]:
    """The values of a baseline by system, metric and question. Raises FormatError."""
    try:
        stored: Any = json.loads(data)
        version, depth, systems = stored["format"], stored["k"], stored["systems"]
        found = {
            str(name): {
                str(metric): {str(question): _number(value) for question, value in values.items()}
                for metric, values in metrics.items()
            }
            for name, metrics in systems.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise FormatError(place, f"is not a baseline ({error!r})", _HINT) from None
    if version != FORMAT:
        raise FormatError(place, f"has the format {version!r}, not {FORMAT}", _HINT)
    if depth != k:
        raise FormatError(place, f"was measured at k = {depth}, not {k}", f"Run with `-k {depth}`.")
    if not found or not all(found.values()):
        raise FormatError(place, "holds no system" if not found else "holds a system without metrics", _HINT)
    return found


def _number(value: Any) -> float:
    """The value of a baseline. Raises ValueError for one that nothing is below, as nothing is below NaN."""
    if not math.isfinite(number := float(value)):
        raise ValueError(f"{value} is no value of a metric")
    return number
