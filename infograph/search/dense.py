"""Dense impacts: for each term the chunks whose vectors its row points to.

With a query's vector the sum of its terms' rows over the root of their number n (`table.py`), the cosine part of a
hybrid score is 1/√n times a sum over terms of row · chunk: one number for each (term, chunk), known at build time.
A term keeps its best chunks only, and an absent chunk counts as 0: of what was tried on the question sets (0, the
list's smallest value, half of it) that loses least, and it is what a sparse list means by absence.

Rows and vectors are int8 of 256 dimensions: the sums stay below 2^24, so float32 products are exact integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BLOCK_PRODUCTS = 1 << 25
"""Products of rows and chunks worked out at a time: 128 MB."""


@dataclass(frozen=True, slots=True)
class DenseList:
    """One term's best chunks, by number, ascending."""

    chunks: NDArray[np.int64]
    values: NDArray[np.int64]
    """Row · vector. Negative ones come in where a site has hardly more chunks than a list has room for."""


def dense_lists(rows: NDArray[np.int8], vectors: NDArray[np.int8], most: int) -> Iterator[DenseList]:
    """For each row its list: the `most` best chunks; ties go to the earlier chunk."""
    import numpy as np

    turned = np.ascontiguousarray(vectors.T, dtype=np.float32)
    most = min(most, len(vectors))
    step = max(1, BLOCK_PRODUCTS // max(1, len(vectors)))
    for start in range(0, len(rows), step):
        products = rows[start : start + step].astype(np.float32) @ turned
        if not most:
            nothing = np.zeros(0, np.int64)
            yield from (DenseList(nothing, nothing) for _ in products)
            continue
        # The place of the value that is still in: one below the `most` best.
        bounds = np.partition(products, len(vectors) - most, axis=1)[:, len(vectors) - most]
        for line, bound in zip(products, bounds, strict=True):
            above = np.flatnonzero(line > bound)
            chosen = np.sort(np.concatenate([above, np.flatnonzero(line == bound)[: most - len(above)]]))
            yield DenseList(chosen, line[chosen].astype(np.int64))


def quantised(values: NDArray[np.int64]) -> tuple[int, int, NDArray[np.uint8]]:
    """A list's smallest and largest value, and each value as 255ths of the way between them."""
    import numpy as np

    low, high = int(values.min()), int(values.max())
    steps = ((values - low) * 510 + (high - low)) // (2 * max(1, high - low))
    return low, high, steps.astype(np.uint8)
