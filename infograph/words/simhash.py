"""SimHashes of chunks: near-duplicates differ in few of their 64 bits. Twin of `_simhash.h`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BYTES = 8
"""Bytes of a hash."""
_AT_ONCE = 16
"""Chunks that are hashed together: bounds the memory that a page of very many takes."""


def sim_hashes(
    features: bytes, owners: NDArray[np.int64], chunks: NDArray[np.int64], counts: NDArray[np.int64], size: int
) -> bytes:
    """Returns the hashes of chunks, one after the other. A bit is 1 where the terms whose feature has it weigh more
    than half of all, a term with *n* occurrences weighing ⌊log2 n⌋ + 1. Raises IndexError for a place that is none.

    features:               of each term, `BYTES` each
    owners, chunks, counts: of each posting the place of its term, the chunk and the number of occurrences; of a term
                            and a chunk there is one
    size:                   number of chunks
    """
    import numpy as np

    terms = len(features) // BYTES
    for places, most in ((owners, terms), (chunks, size)):
        if places.min(initial=0) < 0 or places.max(initial=-1) >= most:
            raise IndexError("there is no term, chunk or count of this number")
    signs = 2 * np.unpackbits(np.frombuffer(features, np.dtype((np.uint8, BYTES))), axis=1).astype(np.float32) - 1
    weights = np.frexp(counts)[1].astype(np.float32)
    order = np.argsort(chunks, kind="stable")
    ends = np.searchsorted(chunks[order], np.arange(0, size + _AT_ONCE, _AT_ONCE))
    sums = np.zeros((size, 8 * BYTES), np.float32)
    for number, (begin, end) in enumerate(pairwise(ends.tolist())):
        first, part = number * _AT_ONCE, order[begin:end]
        weighed = np.zeros((min(_AT_ONCE, size - first), terms), np.float32)
        weighed[chunks[part] - first, owners[part]] = weights[part]
        # Small whole numbers, so that every order of summing them up gives the same.
        sums[first : first + _AT_ONCE] = weighed @ signs
    return np.packbits(sums > 0, axis=1).tobytes()
