"""Whether differences are more than chance: the paired bootstrap (Efron; Sakai, 2006).

Questions are resampled with replacement, with the same draws for every system, so that a question that is easy for all
systems does not affect their difference. The seed is fixed: a report is a function of its input.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

DRAWS = 2000
"""Number of bootstrap samples."""
LEVEL = 0.95
"""Confidence level of intervals."""
FEWEST = 6
"""Questions on which two systems differ at the least where that is more than chance: of five that all go one way a sign
test still says 6%, and the bootstrap, which draws from these alone, that none could have gone the other."""
_SEED = 20260101


def interval(values: Values) -> tuple[float, float]:
    """The 95% interval of the mean, by percentiles; (0, 0) without questions.

    values: one entry for each question
    """
    import numpy as np

    if not len(values):
        return 0.0, 0.0
    drawn = _weights(len(values)) @ values
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(drawn, (tail, 1 - tail))
    return float(low), float(high)


def difference(values: Values, other: Values) -> tuple[float, float]:
    """The 95% interval of the mean difference of two systems over the same questions."""
    return interval(values - other)


def better(values: Values, other: Values) -> bool:
    """Whether a system is better than another over the same questions beyond chance."""
    import numpy as np

    return int(np.count_nonzero(values != other)) >= FEWEST and difference(values, other)[0] > 0


def winner(systems: Mapping[str, Values], *, least: bool = False) -> str | None:
    """The system with the best mean if it is better than every other beyond chance, else None.

    least: the smallest mean is the best
    """
    if len(systems) < 2:
        return None
    sign = -1.0 if least else 1.0
    best = max(systems, key=lambda name: sign * float(systems[name].mean()))
    others = (values for name, values in systems.items() if name != best)
    return best if all(better(sign * systems[best], sign * values) for values in others) else None


@lru_cache(maxsize=4)
def _weights(count: int) -> Values:
    """Weights of shape [draws, questions]: how often a question was drawn, divided by the number of questions."""
    import numpy as np

    generator = np.random.default_rng(_SEED)
    draws = generator.multinomial(count, np.full(count, 1 / count), size=DRAWS)
    weights: Values = draws / count
    return weights
