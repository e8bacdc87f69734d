"""Boosted trees as numbers: what the library predicts, in Python and in JavaScript."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from javascript import NODE, run_node

from infograph.fit.boosting import GRID, BoostingOptions, fit_boosting
from infograph.formats.codec import dump
from infograph.search.format.fusion_model import FEATURES, read_tree_sum
from infograph.search.ranking.fusion import sum_of_trees

# Not loaded here: every process that collects this file would wait for it.
pytestmark = pytest.mark.skipif(find_spec("xgboost") is None, reason="needs infograph[fit]")
MODULE = Path(__file__).parents[2] / "infograph" / "web" / "fusion.js"
SCRIPT = """
const { sumOfTrees } = await import(process.argv[1]);
let text = "";
for await (const part of process.stdin) text += part;
const { trees, rows } = JSON.parse(text);
console.log(JSON.stringify(rows.map((row) => sumOfTrees(trees, row))));
"""


def data(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    rows = random.random((count, len(FEATURES)))
    rows[:, 0] = random.integers(1, 20, count)
    rows[:, 1:4] = random.integers(0, 2, (count, 3))
    targets = (rows[:, 5] > rows[:, 15]) * 0.5 + 0.3 * rows[:, 1] + 0.2 * random.random(count)
    return rows, targets.clip(0, 1)


@pytest.mark.slow
@pytest.mark.parametrize("options", [BoostingOptions(), BoostingOptions(200, 7, 0.3, 0.8)])
def test_the_exported_trees_are_the_library_on_1000_queries(options: BoostingOptions) -> None:
    model = fit_boosting(*data(400, 1), options, 42)
    trees = model.trees()
    assert len(trees.trees) == options.rounds and all(tree.sound() for tree in trees.trees)
    rows, _ = data(1000, 2)
    rows[::7, 4:14] = rows[::7, 14:24] = 0.0
    expected = model(rows)
    assert np.ptp(expected) > 0.3
    written = json.loads(json.dumps(dump(trees)))
    assert read_tree_sum("f", written) == trees
    found = [sum_of_trees(trees, row) for row in rows.tolist()]
    assert np.abs(np.array(found) - expected).max() <= 1e-6
    if NODE is None:
        pytest.skip("needs Node.js for the other half")
    given = {"trees": written, "rows": rows.tolist()}
    assert run_node(SCRIPT, MODULE, given=given) == found, "to the same number"


def test_all_options_of_the_specification_are_tried() -> None:
    assert len(GRID) == len(set(GRID)) == 54


@pytest.mark.slow
def test_features_that_say_something_have_the_gain() -> None:
    model = fit_boosting(*data(400, 1), BoostingOptions(), 42)
    gains = model.gains(FEATURES)
    assert {name for name, _ in list(gains.items())[:3]} == {"digit", "cosine_2", "bm25_2"}
    assert sum(gains.values()) == pytest.approx(1)
