"""Arrays of numbers as few bytes, for files that one machine keeps for itself.

Numbers that stand beside each other are often alike in their high bytes. So the bytes are sorted by their place in the
number, all lowest bytes first, and deflated at the fastest level: some two thirds of the numbers deflated as they are.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEVEL = 1
"""Compression level of zlib: these bytes are written and read again by each build."""
TEXT_LEVEL = 4
"""Compression level of texts that are few, or that are packed once and then kept: a tenth smaller."""


def pack_array(array: NDArray[Any], kind: str) -> bytes:
    """Returns an array as bytes, its numbers one row after the other.

    kind: type of the numbers in the array interface of numpy, with the order of bytes: `<i4`
    """
    import numpy as np

    rows = np.ascontiguousarray(array, kind).ravel()
    return zlib.compress(rows.view(np.uint8).reshape(len(rows), rows.itemsize).T.tobytes(), LEVEL)


def unpack_array(data: bytes | memoryview, kind: str) -> NDArray[Any]:
    """Returns the numbers that `pack_array` packed, in one row. Raises zlib.error, and ValueError where the number of
    bytes is no multiple of a number's."""
    import numpy as np

    size = np.dtype(kind).itemsize
    planes = np.frombuffer(zlib.decompress(data), np.uint8).reshape(size, -1)
    return np.ascontiguousarray(planes.T).view(kind).ravel()
