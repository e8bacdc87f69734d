from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from infograph.errors import FormatError
from infograph.evaluate.gate import check, render
from infograph.evaluate.metrics import metric_names
from infograph.evaluate.report import Chunking, Report, System


def report(quality: float = 0.8, tokens: float = 500.0, questions: int = 40, name: str = "fixed") -> Report:
    generator = np.random.default_rng(7)
    noise = generator.uniform(-0.1, 0.1, questions)
    names = metric_names(5)
    values = dict.fromkeys(names, quality + noise) | {"tokens@5": tokens + 100 * noise}
    system = System(Chunking(name, 10, 10, 10, 100.0), "bm25", values)
    return Report(3, "q.jsonl", tuple(str(number) for number in range(questions)), 5, None, (system,))


def test_the_same_run_passes() -> None:
    assert check("gate.json", render(report()), report()) == []


def test_a_baseline_is_a_function_of_the_report() -> None:
    assert render(report()) == render(report())
    assert set(json.loads(render(report()))["systems"]["fixed / bm25"]) == set(report().main)


def test_better_passes_and_worse_fails_on_every_metric() -> None:
    better, worse = report(0.85, 450), report(0.7, 560)
    assert check("gate.json", render(report()), better) == []
    drops = check("gate.json", render(report()), worse)
    assert {drop.metric for drop in drops} == set(report().main)
    assert all(drop.low <= drop.now - drop.before <= drop.high for drop in drops)
    assert "fixed / bm25: hit@5 went from 0.794 to 0.694" in str(next(drop for drop in drops if drop.metric == "hit@5"))


def test_noise_passes() -> None:
    before = report()
    values = dict(before.systems[0].values)
    values["hit@5"] = values["hit@5"] + np.where(np.arange(40) % 2, 0.2, -0.21)  # a lower mean, by chance
    after = replace(before, systems=(replace(before.systems[0], values=values),))
    assert values["hit@5"].mean() < before.systems[0].values["hit@5"].mean()
    assert check("gate.json", render(before), after) == []


def test_questions_that_were_added_or_removed_do_not_count() -> None:
    assert check("gate.json", render(report(questions=40)), report(questions=41)) == []
    before, after = report(), report()
    after = replace(after, ids=tuple(f"new {number}" if number > 20 else str(number) for number in range(40)))
    assert check("gate.json", render(before), after) == []


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"{", "is not a baseline"),
        (b"[]", "is not a baseline"),
        (b'{"format": 1, "k": 5, "systems": {"a": {"b": {"c": "d"}}}}', "is not a baseline"),
        (b'{"format": 1, "k": 5, "systems": {"fixed / bm25": {"hit@5": {"1": NaN}}}}', "nan is no value of a metric"),
        (b'{"format": 1, "k": 5, "systems": {"fixed / bm25": {}}}', "holds a system without metrics"),
        (b'{"format": 2, "k": 5, "systems": {}}', "has the format 2, not 1"),
        (b'{"format": 1, "k": 3, "systems": {}}', "was measured at k = 3, not 5.*Run with `-k 3`"),
        (b'{"format": 1, "k": 5, "systems": {}}', "holds no system"),
        (render(report(name="structural")), "holds 'structural / bm25', which was not measured now"),
        (b'{"format": 1, "k": 5, "systems": {"fixed / bm25": {"hit@5": {"x": 1}}}}', "has nothing to compare 'hit@5'"),
        (b'{"format": 1, "k": 5, "systems": {"fixed / bm25": {"new@5": {"1": 1}}}}', "has nothing to compare 'new@5'"),
    ],
)
def test_a_baseline_that_compares_nothing_is_an_error(data: bytes, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        check("gate.json", data, report())


def test_a_cost_may_rise_by_a_tenth_and_time_is_not_gated() -> None:
    def costing(kilobytes: float) -> Report:
        before = report()
        costs = {"cold KB": np.full(40, kilobytes), "ms": np.full(40, kilobytes)}
        return replace(before, systems=(replace(before.systems[0], costs=costs),))

    baseline = render(costing(50))
    assert "ms" not in json.loads(baseline)["systems"]["fixed / bm25"]
    assert check("gate.json", baseline, costing(30)) == []
    assert check("gate.json", baseline, costing(54.9)) == []
    (drop,) = check("gate.json", baseline, costing(56))
    assert "cold KB went from 50.000 to 56.000" in str(drop)
