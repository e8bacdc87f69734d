"""Vector shards: the chunks' vectors, int8, one block after the other.

An entry: varint slot, varint block, varint number of chunks, and of each chunk as many signed bytes as the table has
dimensions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from infograph.search.format.encoding import varint
from infograph.search.format.posting_shards import Cursor

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def encode_vectors(slot: int, block: int, vectors: NDArray[np.int8]) -> bytes:
    """Encodes the vectors of one block."""
    return b"".join([*map(varint, (slot, block, len(vectors))), vectors.tobytes()])


def find_vectors(data: bytes, key: tuple[int, int], dimension: int, place: str) -> list[memoryview]:
    """Returns the vectors of a block from an inflated shard; an empty list where it does not have the block.

    key: slot and block

    Raises FormatError.
    """
    return next((vectors(rows, dimension) for found, rows in blocks_in(data, dimension, place) if found == key), [])


def blocks_in(data: bytes, dimension: int, place: str) -> Iterator[tuple[tuple[int, int], memoryview]]:
    """Yields the blocks of an inflated shard: slot and block, and the signed bytes of all its vectors. Raises
    FormatError."""
    cursor = Cursor(data, place)
    while cursor.at < len(data):
        key = cursor.number(), cursor.number()
        yield key, memoryview(cursor.bytes(cursor.number() * dimension)).cast("b")


def vectors(rows: memoryview, dimension: int) -> list[memoryview]:
    """Returns the vectors of a block, one by one."""
    return [rows[start : start + dimension] for start in range(0, len(rows), dimension)]
