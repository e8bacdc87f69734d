"""The split, the folds, and the predictors on data whose answer is known."""

from __future__ import annotations

import warnings
from collections import Counter

import numpy as np
import pytest

from infograph.fit.learning import FOLDS, MLP, RIDGE, XGBOOST, Table, folds, learn, r2, split
from infograph.fit.perceptron import GRID as NETWORKS
from infograph.fit.ridge import fit_ridge


def test_the_parts_have_the_same_share_of_every_kind() -> None:
    kinds = ["a"] * 472 + ["b"] * 100 + ["c"] * 93
    parts = split(kinds)
    every = np.concatenate([parts.train, parts.valid, parts.test])
    assert sorted(every.tolist()) == list(range(665))
    for part, share in ((parts.train, 0.7), (parts.valid, 0.15), (parts.test, 0.15)):
        found = Counter(kinds[place] for place in part.tolist())
        for kind, count in Counter(kinds).items():
            assert abs(found[kind] - share * count) <= 1
    assert np.array_equal(split(kinds).test, parts.test), "the same at every call"
    assert not np.array_equal(split(kinds, 43).test, parts.test)
    assert len(parts.known) == len(parts.train) + len(parts.valid)


def test_every_place_is_left_out_once() -> None:
    found = list(folds(23))
    assert len(found) == FOLDS
    assert sorted(place for _, left in found for place in left.tolist()) == list(range(23))
    for train, left in found:
        assert sorted([*train.tolist(), *left.tolist()]) == list(range(23))


def test_r2() -> None:
    targets = np.array([0.0, 1.0, 2.0])
    assert r2(targets, targets) == 1.0
    assert r2(targets, np.full(3, 1.0)) == 0.0
    assert r2(np.ones(3), np.zeros(3)) == r2(np.zeros(0), np.zeros(0)) == 0.0


@pytest.mark.parametrize("strength", [0.01, 1.0, 100.0])
def test_ridge_is_the_minimum_of_its_own_error(strength: float) -> None:
    random = np.random.default_rng(3)
    rows, targets = random.random((60, 4)) * [20, 1, 1, 1], random.random(60)
    found = fit_ridge(rows, targets, strength)

    def error(weights: np.ndarray, bias: float) -> float:
        return float(((targets - rows @ weights - bias) ** 2).sum() + strength * (weights**2).sum())

    own = error(np.array(found.weights), found.bias)
    for _ in range(200):
        change = random.normal(size=5) * 1e-3
        assert own <= error(np.array(found.weights) + change[:4], found.bias + change[4])


def test_ridge_is_that_of_scikit_learn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # packages' own, of versions that do not go together
        linear = pytest.importorskip("sklearn.linear_model")
    random = np.random.default_rng(4)
    rows, targets = random.random((80, 4)), random.random(80)
    for strength in (0.01, 1.0, 100.0):
        theirs = linear.Ridge(alpha=strength).fit(rows, targets)
        ours = fit_ridge(rows, targets, strength)
        assert ours.weights == pytest.approx(theirs.coef_.tolist(), abs=1e-9)
        assert ours.bias == pytest.approx(float(theirs.intercept_), abs=1e-9)


def table(count: int) -> Table:
    """Weights that follow from one feature of the query, one of the scores and one direction of the vector."""
    random = np.random.default_rng(5)
    features, vectors = random.random((count, 25)), random.normal(size=(count, 16))
    features[:, 1:4] = random.integers(0, 2, (count, 3))
    vectors[:, 0] = features[:, 1] * 2 - 1
    targets = 0.2 + 0.6 * features[:, 1] + 0.1 * (features[:, 14] > 0.5)
    targets[::10] = np.nan
    return Table(features, vectors, targets)


@pytest.mark.parametrize(
    ("name", "module"), [(RIDGE, "numpy"), (XGBOOST, "xgboost"), pytest.param(MLP, "torch", marks=pytest.mark.slow)]
)
def test_a_predictor_finds_what_there_is_to_find(name: str, module: str) -> None:
    pytest.importorskip(module)
    own = table(400)
    fitted = learn(name, own, split(["a"] * 400), quick=True)
    train, valid, test = fitted.r2
    assert min(train, valid, test) > 0.7
    assert fitted.alphas.shape == (400,) and fitted.alphas.min() >= 0 and fitted.alphas.max() <= 1
    assert np.isfinite(fitted.alphas).all(), "also of questions that teach nothing"
    again = learn(name, own, split(["a"] * 400), quick=True)
    assert np.array_equal(fitted.alphas, again.alphas)


def test_all_networks_of_the_specification_are_tried() -> None:
    assert len(NETWORKS) == len(set(NETWORKS)) == 108
