"""Wilson's score interval of a proportion: how sure a share of successes is, also where trials are few."""

from __future__ import annotations

import math

Z = 1.96
"""Standard deviations to both sides that hold 95% of a normal distribution."""
LEAST_TRIALS = 30
"""Trials below which nothing is decided, section 3.4.2.2 of the specification."""


def wilson(successes: int, trials: int, z: float = Z) -> tuple[float, float]:
    """Returns the interval of the true share of successes; (0, 1) without trials. Wilson, "Probable inference, the law
    of succession, and statistical inference", 1927."""
    if trials == 0:
        return 0.0, 1.0
    share, part = successes / trials, z * z / trials
    middle = share + part / 2
    wide = z * math.sqrt(share * (1 - share) / trials + part / trials / 4)
    return max(0.0, (middle - wide) / (1 + part)), min(1.0, (middle + wide) / (1 + part))
