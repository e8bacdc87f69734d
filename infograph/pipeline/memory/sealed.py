"""How the files of records are written: JSON and arrays below a digest, and vectors as whole numbers.

A file is the digest of all that follows, the JSON compressed, and what is bytes already. What is torn, of another
format or of another build raises RecordsLost.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from infograph.formats.compression import TEXT_LEVEL, CompressionError, compressed, decompressed
from infograph.formats.packed_arrays import pack_array, unpack_array
from infograph.pipeline.memory.state import FORMAT, RecordsLost
from infograph.topic.similarities import VECTOR_STEPS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LENGTH = struct.Struct("<Q")
_DIGEST = 32
DAMAGED = (KeyError, IndexError, TypeError, ValueError, AttributeError, struct.error, CompressionError)
"""What reading a file raises that is not as it was written, though its digest is right."""


def sealed(parts: Iterable[bytes]) -> bytes:
    """Returns a file's content: the digest of its parts, and these."""
    data = b"".join(parts)
    return hashlib.sha256(data).digest() + data


def opened(data: bytes, name: str) -> memoryview:
    """Returns what `sealed` was given. Raises RecordsLost.

    name: of the file, for the error
    """
    if hashlib.sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
        raise RecordsLost(name)
    return memoryview(data)[_DIGEST:]


def packed_json(value: Any) -> bytes:
    """Returns a value as JSON, compressed, with the number of the format."""
    import orjson

    return compressed(orjson.dumps({"format": FORMAT, "value": value}), TEXT_LEVEL)


def unpacked_json(data: memoryview, name: str) -> Any:
    """Returns the value that `packed_json` was given. Raises RecordsLost where the format is another, and
    CompressionError.

    name: of the file, for the error
    """
    import orjson

    try:
        found = orjson.loads(decompressed(data))
    except ValueError as error:
        raise RecordsLost(name) from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise RecordsLost(name)
    return found["value"]


def size_of(vector: NDArray[np.float64] | None) -> int:
    """Returns the number of components of a vector; -1 for none."""
    return -1 if vector is None else len(vector)


def pack_vectors(vectors: Iterable[NDArray[np.float64] | None]) -> bytes:
    """Packs sums of vectors, one after the other."""
    import numpy as np

    every = np.concatenate([np.zeros(0), *(vector for vector in vectors if vector is not None)])
    steps = (every * VECTOR_STEPS).astype(np.int64)
    # The sign last: so the higher bytes of most numbers are 0.
    return pack_array(steps << 1 ^ steps >> 63, "<u8")


def unpack_vectors(packed: bytes | memoryview, sizes: Sequence[int]) -> list[NDArray[np.float64] | None]:
    """Returns the vectors that `pack_vectors` packed; arguments as `size_of` returned them."""
    steps = unpack_array(packed, "<u8").astype("<i8")
    every = (steps >> 1 ^ -(steps & 1)) / VECTOR_STEPS
    ends = accumulate(max(size, 0) for size in sizes)
    return [None if size < 0 else every[end - size : end] for size, end in zip(sizes, ends, strict=True)]
