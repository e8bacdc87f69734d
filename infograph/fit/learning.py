"""The split of questions, cross-validation, and the predictors that are chosen by it.

70% of the questions train, 15% validate and 15% are held out, each with the same share of every kind. Options are
chosen by 5-fold cross-validation within the first part, by R²; those of the network by R² on the second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from infograph.fit import boosting, perceptron
from infograph.fit.boosting import BoostingOptions, fit_boosting
from infograph.fit.candidates import Candidates
from infograph.fit.perceptron import Perceptron, PerceptronOptions, fit_perceptron
from infograph.fit.ridge import LAMBDAS, fit_ridge
from infograph.search.format.fusion_model import QUERY_FEATURES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]
    Places = NDArray[np.int64]

SEED = 42
FOLDS = 5
SHARES = (0.70, 0.15)
"""Shares of the questions that train and that validate; the rest is held out."""
RIDGE, XGBOOST, MLP = "Ridge", "XGBoost", "MLP"
"""Names of the predictors."""

Predictor = Callable[["Matrix"], "Matrix"]


@dataclass(frozen=True, slots=True)
class Split:
    """Places of the questions of each part, ascending."""

    train: Places
    valid: Places
    test: Places

    @property
    def known(self) -> Places:
        """Places of all questions that are not held out."""
        import numpy as np

        return np.sort(np.concatenate([self.train, self.valid]))


@dataclass(frozen=True, slots=True)
class Fitted:
    """A predictor and how well it does."""

    name: str
    options: str
    """The options that were chosen, for people."""
    model: Any
    """`Ridge`, `Boosting` or `Perceptron`."""
    alphas: Matrix
    """The weight of every question, 0 to 1."""
    r2: tuple[float, float, float]
    """R² on the part that trained, that validated, and that is held out."""


def split(kinds: Sequence[str], seed: int = SEED) -> Split:
    """Parts questions at random, those of each kind alike."""
    import numpy as np

    random = np.random.default_rng(seed)
    parts: tuple[list[int], list[int], list[int]] = ([], [], [])
    for kind in sorted(set(kinds)):
        own = random.permutation([place for place, other in enumerate(kinds) if other == kind])
        first, second = (round(len(own) * share) for share in (SHARES[0], sum(SHARES)))
        for part, some in zip(parts, (own[:first], own[first:second], own[second:]), strict=True):
            part += some.tolist()
    return Split(*(np.array(sorted(part), np.int64) for part in parts))


def folds(count: int, seed: int = SEED) -> Iterator[tuple[Places, Places]]:
    """Yields `FOLDS` times the places that train and those that are left out; every place is left out once."""
    import numpy as np

    order = np.random.default_rng(seed).permutation(count)
    for number in range(FOLDS):
        left = order[number::FOLDS]
        yield np.sort(np.setdiff1d(order, left)), np.sort(left)


def r2(targets: Matrix, found: Matrix) -> float:
    """Returns the share of the targets' variance that a prediction explains; 0 where they have none."""
    total = float(((targets - targets.mean()) ** 2).sum()) if len(targets) else 0.0
    return 1 - float(((targets - found) ** 2).sum()) / total if total > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Table:
    """Questions as arrays."""

    features: Matrix
    """[questions, 25]"""
    vectors: Matrix
    """[questions, dimension]"""
    targets: Matrix
    """Best weights, [questions]; NaN where every weight does alike."""

    @classmethod
    def of(cls, rows: Sequence[Candidates]) -> Table:
        import numpy as np

        alphas = [np.nan if row.alpha is None else row.alpha for row in rows]
        features = np.array([row.features for row in rows], np.float64)
        return cls(features, np.array([row.vector for row in rows], np.float64), np.array(alphas, np.float64))

    def taught(self, places: Places) -> Places:
        """The places among some whose best weight is known."""
        import numpy as np

        return places[~np.isnan(self.targets[places])]

    def inputs(self, name: str) -> Matrix:
        """What a predictor is given, [questions, numbers]."""
        return {RIDGE: self.features[:, : len(QUERY_FEATURES)], XGBOOST: self.features, MLP: self.vectors}[name]


def learn(name: str, table: Table, parts: Split, *, quick: bool = False) -> Fitted:
    """Fits one predictor with the options that do best.

    quick: try one point of each grid only, for tests
    """
    train, valid = table.taught(parts.train), table.taught(parts.valid)
    rows, targets = table.inputs(name), table.targets
    if name == RIDGE:
        chosen: Any = _best(LAMBDAS[:1] if quick else LAMBDAS, lambda o, a, b: fit_ridge(a, b, o), rows, targets, train)
        model: Any = fit_ridge(rows[train], targets[train], chosen)
        said = f"λ {chosen:g}"
    elif name == XGBOOST:
        grid = [BoostingOptions()] if quick else boosting.GRID
        chosen = _best(grid, lambda o, a, b: fit_boosting(a, b, o, SEED), rows, targets, train)
        model = fit_boosting(rows[train], targets[train], chosen, SEED)
        said = f"{chosen.rounds} trees of depth {chosen.depth}, rate {chosen.rate:g}, sample {chosen.sample:g}"
    else:
        options = [PerceptronOptions()] if quick else perceptron.GRID
        model, chosen = _best_network(options, rows, targets, train, valid)
        said = f"{chosen.hidden}, rate {chosen.rate:g}, batch {chosen.batch}, dropout {chosen.dropout:g}, "
        said += f"decay {chosen.decay:g}"
    found = model(rows)
    parted = (train, valid, table.taught(parts.test))
    train_r2, valid_r2, test_r2 = (r2(targets[own], found[own]) for own in parted)
    return Fitted(name, said, model, found.clip(0, 1), (train_r2, valid_r2, test_r2))


def _best(
    grid: Sequence[Any],
    fit: Callable[[Any, Matrix, Matrix], Predictor],
    rows: Matrix,
    targets: Matrix,
    places: Places,
) -> Any:
    """Returns the options with the best mean R² over folds; of equal ones the first."""
    if len(grid) == 1:
        return grid[0]
    rows, targets = rows[places], targets[places]

    def score(options: Any) -> float:
        values = []
        for train, left in folds(len(targets)):
            values.append(r2(targets[left], fit(options, rows[train], targets[train])(rows[left])))
        return sum(values) / len(values)

    return max(grid, key=score)


def _best_network(
    grid: Sequence[PerceptronOptions], rows: Matrix, targets: Matrix, train: Places, valid: Places
) -> tuple[Perceptron, PerceptronOptions]:
    """Returns the network with the best R² on the validation part, and its options."""
    best: tuple[float, Perceptron, PerceptronOptions] | None = None
    for options in grid:
        model = fit_perceptron((rows[train], targets[train]), (rows[valid], targets[valid]), options, SEED)
        value = r2(targets[valid], model(rows[valid]))
        if best is None or value > best[0]:
            best = (value, model, options)
    assert best is not None
    return best[1], best[2]
