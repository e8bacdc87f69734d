"""The SimHash of a chunk's terms, see `words.simhash`: near-duplicates differ in few of its 64 bits.

Readers only compare: what is hashed how may change without them. Charikar, "Similarity estimation techniques from
rounding algorithms", 2002.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from infograph.words.simhash import BYTES
from infograph.words.twins import sim_hashes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@lru_cache(maxsize=1 << 16)  # most terms of a page are those of many
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
    return sim_hashes(b"".join(map(_feature, terms)), owners, chunks, counts, size)
