"""A small network from the question's vector to the weight, by PyTorch: section 3.3.3.3 of the specification.

It is measured beside the others and not published: its numbers are several times the size of a whole fusion file.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from infograph.fit.extra import package

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]
    Part = tuple[Matrix, Matrix]
    """Rows and targets."""

HIDDEN = ((32, 16), (64, 32), (128, 64))
RATES, BATCHES, DROPOUTS, DECAYS = (1e-3, 1e-4), (32, 64, 128), (0.5, 0.7, 0.8), (0.01, 0.001)
EPOCHS = 100
PATIENCE = 10
"""Epochs without a smaller error on the validation part after which training ends."""


@dataclass(frozen=True, slots=True)
class PerceptronOptions:
    """One point of the grid that is tried."""

    hidden: tuple[int, int] = (64, 32)
    rate: float = 1e-3
    batch: int = 32
    dropout: float = 0.5
    decay: float = 0.01


GRID = tuple(PerceptronOptions(*point) for point in product(HIDDEN, RATES, BATCHES, DROPOUTS, DECAYS))


class Perceptron:
    """A trained network, a function of vectors."""

    def __init__(self, network: Any) -> None:
        self._network = network.eval()

    def __call__(self, rows: Matrix) -> Matrix:
        """Returns the value of each row, 0 to 1. rows: [questions, dimension]"""
        torch = package("torch")
        with torch.no_grad():
            found: Matrix = self._network(torch.tensor(rows, dtype=torch.float32)).squeeze(1).double().numpy()
        return found


def fit_perceptron(train: Part, valid: Part, options: PerceptronOptions, seed: int) -> Perceptron:
    """Returns a network with two hidden layers, trained by AdamW until the error on the validation part falls no more,
    with its weights of the best epoch."""
    torch = package("torch")
    torch.manual_seed(seed)
    rows, targets = (torch.tensor(part, dtype=torch.float32) for part in train)
    others, wanted = (torch.tensor(part, dtype=torch.float32) for part in valid)
    network = _network(torch, rows.shape[1], options)
    optimiser = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=options.decay)
    loss = torch.nn.MSELoss()
    best, kept, since = float("inf"), network.state_dict(), 0
    for _ in range(EPOCHS):
        network.train()
        for some in torch.randperm(len(rows)).split(options.batch):
            optimiser.zero_grad()
            loss(network(rows[some]).squeeze(1), targets[some]).backward()
            optimiser.step()
        network.eval()
        with torch.no_grad():
            error = float(loss(network(others).squeeze(1), wanted))
        since += 1
        if error < best:
            best, since = error, 0
            kept = {name: value.clone() for name, value in network.state_dict().items()}
        if since >= PATIENCE:
            break
    network.load_state_dict(kept)
    return Perceptron(network)


def _network(torch: Any, inputs: int, options: PerceptronOptions) -> Any:
    first, second = options.hidden
    nn = torch.nn
    return nn.Sequential(
        nn.Linear(inputs, first),
        nn.ReLU(),
        nn.Dropout(options.dropout),
        nn.Linear(first, second),
        nn.ReLU(),
        nn.Dropout(options.dropout),
        nn.Linear(second, 1),
        nn.Sigmoid(),
    )
