"""The bits of a chunk's hash, worked out one by one."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.search.writing import simhash as writing
from infograph.search.writing.simhash import chunk_hashes
from infograph.words import simhash
from infograph.words.simhash import BYTES


def by_hand(chunk: dict[str, int]) -> bytes:
    """A bit is 1 where the terms that have it weigh more than those that do not."""
    sums = [0] * 64
    for term, count in chunk.items():
        value = int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8).digest())
        for bit in range(64):
            sums[bit] += count.bit_length() * (1 if value >> (63 - bit) & 1 else -1)
    return int("".join("1" if total > 0 else "0" for total in sums), 2).to_bytes(8)


CHUNKS = st.lists(st.dictionaries(st.sampled_from(["a", "b", "cache", "d e", "é"]), st.integers(1, 40)), max_size=40)


@pytest.mark.parametrize("at_once", [1, 3, 16])
@given(chunks=CHUNKS)
def test_hashes_are_those_of_each_chunk(at_once: int, chunks: list[dict[str, int]]) -> None:
    terms = sorted({term for chunk in chunks for term in chunk})
    rows = [
        (place, n, chunk[term]) for place, term in enumerate(terms) for n, chunk in enumerate(chunks) if term in chunk
    ]
    owners, places, counts = np.ascontiguousarray(np.array(sorted(rows), np.int64).reshape(-1, 3).T)
    before, simhash._AT_ONCE = simhash._AT_ONCE, at_once
    try:
        features = b"".join(map(writing._feature, terms))
        found = simhash.sim_hashes(features, owners, places, counts, len(chunks))
    finally:
        simhash._AT_ONCE = before
    assert BYTES == 8
    assert found == chunk_hashes(terms, owners, places, counts, len(chunks)) == b"".join(map(by_hand, chunks))
