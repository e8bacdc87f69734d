"""Wilson's interval, against statsmodels where that is installed and by its properties everywhere."""

from __future__ import annotations

import math
import warnings

import pytest

from infograph.search.ranking.wilson import wilson


@pytest.mark.slow
def test_the_interval_is_that_of_statsmodels() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # packages' own, of versions that do not go together
        proportion = pytest.importorskip("statsmodels.stats.proportion")
        normal = pytest.importorskip("scipy.stats").norm
    alpha = 2 * normal.sf(1.96)
    for trials in (1, 2, 5, 10, 30, 31, 100, 665, 12_054, 10**6):
        for successes in {0, 1, trials // 3, trials // 2, trials - 1, trials}:
            expected = proportion.proportion_confint(successes, trials, alpha, method="wilson")
            assert wilson(successes, trials) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("successes", "trials"), [(0, 30), (16, 30), (30, 30), (362, 665)])
def test_the_bounds_are_the_roots_of_their_equation(successes: int, trials: int) -> None:
    """Both ends are as far from the share as 1.96 standard deviations of theirs."""
    share = successes / trials
    for bound in wilson(successes, trials):
        assert abs(share - bound) == pytest.approx(1.96 * math.sqrt(bound * (1 - bound) / trials), abs=1e-9)


def test_without_trials_nothing_is_known() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("trials", range(1, 60))
def test_no_bound_is_beyond_what_a_share_can_be(trials: int) -> None:
    """Rounding takes the upper bound of 5 in 5 beyond 1."""
    assert wilson(trials, trials)[1] <= 1.0
    assert wilson(0, trials)[0] >= 0.0


def test_what_the_specification_reports() -> None:
    """Of 12,054 skipped questions 39.8% are right, at least 38.9% with 95% confidence."""
    low, _ = wilson(round(0.398 * 12_054), 12_054)
    assert low == pytest.approx(0.389, abs=5e-4)
