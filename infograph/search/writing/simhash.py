"""The SimHash of a chunk's terms: near-duplicates differ in few of its 64 bits.

A chunk's bit is 1 where the terms whose hash has it weigh more than half of all, a term with *n* occurrences weighing
⌊log2 n⌋ + 1. Readers only compare: what is hashed how may change without them. Charikar, "Similarity estimation
techniques from rounding algorithms", 2002.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BYTES = 8
"""Bytes of a hash."""
_AT_ONCE = 16
"""Chunks that are hashed together: bounds the memory that a page of very many takes."""


@lru_cache(maxsize=1 << 14)  # most terms of a page are those of many
def _feature(term: str) -> bytes:
    return hashlib.blake2b(term.encode(), digest_size=BYTES).digest()


def chunk_hashes(
    terms: Sequence[str], owners: NDArray[np.int64], chunks: NDArray[np.int64], counts: NDArray[np.int64], size: int
) -> bytes:
    """Returns the hashes of a page's chunks, one after the other.

    terms:                  distinct terms of the page
    owners, chunks, counts: of each posting the place of its term, the chunk and the number of occurrences
    size:                   number of chunks
    """
    import numpy as np

    features = b"".join(map(_feature, terms))
    signs = 2 * np.unpackbits(np.frombuffer(features, np.dtype((np.uint8, BYTES))), axis=1).astype(np.float32) - 1
    weights = np.frexp(counts)[1].astype(np.float32)
    order = np.argsort(chunks, kind="stable")
    ends = np.searchsorted(chunks[order], np.arange(0, size + _AT_ONCE, _AT_ONCE))
    sums = np.zeros((size, 8 * BYTES), np.float32)
    for number, (begin, end) in enumerate(pairwise(ends.tolist())):
        first, part = number * _AT_ONCE, order[begin:end]
        weighed = np.zeros((min(_AT_ONCE, size - first), len(terms)), np.float32)
        weighed[chunks[part] - first, owners[part]] = weights[part]
        # Small whole numbers, so that every order of summing them up gives the same.
        sums[first : first + _AT_ONCE] = weighed @ signs
    return np.packbits(sums > 0, axis=1).tobytes()
