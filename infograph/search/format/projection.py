"""The maps of a model's vectors into the space of the chunk vectors: whole numbers, the same bytes everywhere.

A map is a matrix of whole numbers, [inputs + 1, dimension], whose last row is added. The writer maps the chunks with
it; a client that has the model finds it among the bundle's files and maps the query.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from infograph.errors import FormatError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAP_BITS = 8
"""Binary places of a map's weights."""
INPUT_BITS = 14
"""Binary places that a unit vector is rounded to before it is mapped."""


def project(weights: NDArray[np.float64], vectors: NDArray[np.float32]) -> NDArray[np.int8]:
    """Maps unit vectors, [texts, inputs], to [texts, dimension]. All sums stay below 2^53, so they are exact."""
    import numpy as np

    rounded = np.rint(vectors.astype(np.float64) * (1 << INPUT_BITS))
    sums = rounded @ weights[:-1] + weights[-1] * (1 << INPUT_BITS)
    projected: NDArray[np.int8] = np.clip(np.rint(sums / (1 << (INPUT_BITS + MAP_BITS))), -127, 127).astype(np.int8)
    return projected


def plain_map(dimension: int) -> NDArray[np.float64]:
    """Returns the map that keeps every number of a model's unit vectors: six times their usual size fits in a byte."""
    import numpy as np

    weights = np.zeros((dimension + 1, dimension))
    np.fill_diagonal(weights, round(plain_scale(dimension) * (1 << MAP_BITS)))
    return weights


def plain_scale(dimension: int) -> float:
    """Returns what `plain_map` multiplies numbers with."""
    return 127 / 6 * math.sqrt(dimension)


def encode_map(weights: NDArray[np.float64]) -> bytes:
    """Encodes a map as its file holds it, before deflation."""
    return weights.astype("<i4").tobytes()


def decode_map(data: bytes, dimension: int, place: str) -> NDArray[np.float64]:
    """Decodes a map from an inflated file. Raises FormatError where its size is not a number of whole rows."""
    import numpy as np

    if not data or len(data) % (4 * dimension):
        raise FormatError(place, f"{len(data)} bytes are no rows of {dimension} numbers", "Build the site again")
    return np.frombuffer(data, np.dtype(("<i4", dimension))).astype(np.float64)
