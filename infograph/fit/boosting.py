"""Gradient boosting of the weight on 25 features, by XGBoost, and its trees as numbers that need no library.

Section 3.3.3.3 of the specification; Chen and Guestrin, "XGBoost: A Scalable Tree Boosting System", 2016.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from infograph.fit.extra import package
from infograph.search.format.fusion_model import LEAF, RegressionTree, TreeSum

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

ROUNDS, DEPTHS, RATES, SAMPLES = (50, 100, 200), (3, 5, 7), (0.01, 0.1, 0.3), (0.8, 1.0)


@dataclass(frozen=True, slots=True)
class BoostingOptions:
    """One point of the grid that is tried."""

    rounds: int = 50
    depth: int = 3
    rate: float = 0.1
    sample: float = 1.0


GRID = tuple(BoostingOptions(*point) for point in product(ROUNDS, DEPTHS, RATES, SAMPLES))
"""All 54 points of the specification."""


class Boosting:
    """Boosted trees, a function of features."""

    def __init__(self, booster: Any) -> None:
        self._booster = booster

    def __call__(self, rows: Matrix) -> Matrix:
        """Returns the value of each row, not clipped. rows: [questions, features]"""
        import numpy as np

        xgboost = package("xgboost")
        found: Matrix = self._booster.predict(xgboost.DMatrix(rows.astype(np.float32))).astype(np.float64)
        return found

    def trees(self) -> TreeSum:
        """Returns the trees as numbers: `sum_of_trees` of them is what the library predicts."""
        learner = json.loads(bytes(self._booster.save_raw("json")))["learner"]
        base = float(learner["learner_model_param"]["base_score"].strip("[]"))
        return TreeSum(base, tuple(_tree(tree) for tree in learner["gradient_booster"]["model"]["trees"]))

    def gains(self, names: tuple[str, ...]) -> dict[str, float]:
        """Returns each feature's share of the gain of all splits, the largest first."""
        found = self._booster.get_score(importance_type="total_gain")
        total = sum(found.values()) or 1.0
        shares = {name: found.get(f"f{place}", 0.0) / total for place, name in enumerate(names)}
        return dict(sorted(shares.items(), key=lambda item: -item[1]))


def fit_boosting(rows: Matrix, targets: Matrix, options: BoostingOptions, seed: int) -> Boosting:
    """Returns trees that are boosted for the least squared error.

    rows:    [questions, features]
    targets: [questions]
    """
    import numpy as np

    xgboost = package("xgboost")
    settings = {
        "objective": "reg:squarederror",
        "max_depth": options.depth,
        "eta": options.rate,
        "subsample": options.sample,
        "tree_method": "exact",
        "nthread": 1,
        "seed": seed,
        "verbosity": 0,
    }
    data = xgboost.DMatrix(rows.astype(np.float32), label=targets.astype(np.float32))
    return Boosting(xgboost.train(settings, data, num_boost_round=options.rounds))


def _tree(tree: Mapping[str, Any]) -> RegressionTree:
    """Returns a tree of the library's JSON with each node followed by all that lies below it on the left."""
    features: list[int] = []
    numbers: list[float] = []
    right: list[int] = []
    waiting = [(0, -1)]
    while waiting:
        node, parent = waiting.pop()
        if parent >= 0:
            right[parent] = len(features)
        left, after = tree["left_children"][node], tree["right_children"][node]
        numbers.append(tree["split_conditions"][node])
        features.append(LEAF if left < 0 else tree["split_indices"][node])
        right.append(0)
        if left >= 0:
            waiting += [(after, len(features) - 1), (left, -1)]
    return RegressionTree(tuple(features), tuple(numbers), tuple(right))
