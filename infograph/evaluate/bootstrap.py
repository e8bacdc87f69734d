"""Which differences are more than chance: the paired bootstrap (Efron; Sakai, 2006).

The questions are drawn again with replacement, the same draw for every system: what makes a question easy for all
then leaves the difference between two systems alone. The seed is fixed, so that a report is a function of its input.
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
LEVEL = 0.95
_SEED = 20260101


def interval(values: Values) -> tuple[float, float]:
    """95% interval of the mean, by percentiles; `values` has one entry a question."""
    import numpy as np

    if not len(values):
        return 0.0, 0.0
    drawn = _weights(len(values)) @ values
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(drawn, (tail, 1 - tail))
    return float(low), float(high)


def difference(values: Values, other: Values) -> tuple[float, float]:
    """95% interval of the mean difference of two systems over the same questions."""
    return interval(values - other)


def winner(systems: Mapping[str, Values], *, least: bool = False) -> str | None:
    """The system with the best mean, when it is better than every other beyond chance.

    least: the smallest mean is the best
    """
    if len(systems) < 2:
        return None
    sign = -1.0 if least else 1.0
    best = max(systems, key=lambda name: sign * float(systems[name].mean()))
    others = (values for name, values in systems.items() if name != best)
    return best if all(difference(sign * systems[best], sign * values)[0] > 0 for values in others) else None


@lru_cache(maxsize=4)
def _weights(count: int) -> Values:
    """[draws, questions]: how often each question was drawn, over how many were."""
    import numpy as np

    generator = np.random.default_rng(_SEED)
    draws = generator.multinomial(count, np.full(count, 1 / count), size=DRAWS)
    weights: Values = draws / count
    return weights
