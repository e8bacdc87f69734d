"""Ridge regression of the weight on the four features of a query: section 3.3.3.3 of the specification."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

LAMBDAS = (0.01, 0.1, 1.0, 10.0, 100.0)
"""Strengths of the penalty that are tried."""


@dataclass(frozen=True, slots=True)
class Ridge:
    """A linear function of features."""

    weights: tuple[float, ...]
    bias: float

    def __call__(self, rows: Matrix) -> Matrix:
        """Returns the value of each row, not clipped. rows: [questions, features]"""
        import numpy as np

        found: Matrix = rows @ np.array(self.weights) + self.bias
        return found


def fit_ridge(rows: Matrix, targets: Matrix, strength: float) -> Ridge:
    """Returns the linear function with the least squared error plus `strength` · |weights|²; the bias is free.

    rows:    [questions, features]
    targets: [questions]

    Closed form on centred data: w = (XᵀX + λI)⁻¹ Xᵀy.
    """
    import numpy as np

    centre, level = rows.mean(axis=0), float(targets.mean())
    centred = rows - centre
    squares = centred.T @ centred + strength * np.eye(rows.shape[1])
    weights = np.linalg.solve(squares, centred.T @ (targets - level))
    return Ridge(tuple(weights.tolist()), level - float(centre @ weights))
