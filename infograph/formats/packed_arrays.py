"""Arrays of numbers as few bytes, for files that one machine keeps for itself.

Numbers that stand beside each other are often alike in their high bytes. So the bytes are sorted by their place in the
number, all lowest bytes first, and compressed at a fast level: some five sixths of the numbers compressed as they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from infograph.formats.compression import compressed_parts, decompressed

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LINES_AT_ONCE = 1 << 12
"""Texts that are joined before they are compressed."""
_AT_ONCE = 1 << 18
"""Numbers that are packed together: bounds the memory that this takes."""


class Numbers(Protocol):
    """An array, or what is read like one, slice by slice."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, part: slice, /) -> NDArray[Any]: ...


def slices(numbers: Numbers) -> Iterator[NDArray[Any]]:
    """Yields numbers, or rows of them, some at a time."""
    rows = max(1, _AT_ONCE // max(1, math.prod(numbers.shape[1:])))
    for first in range(0, len(numbers), rows):
        yield numbers[first : first + rows]


def pack_array(array: Numbers, kind: str) -> bytes:
    """Returns an array as bytes, its numbers one row after the other.

    kind: type of the numbers in the array interface of numpy, with the order of bytes: `<i4`
    """
    return b"".join(packed_array(array, kind))


def packed_array(array: Numbers, kind: str) -> Iterator[bytes]:
    """Yields the bytes of `pack_array` in parts; of the array one slice is held."""
    import numpy as np

    size = np.dtype(kind).itemsize
    return compressed_parts(
        np.ascontiguousarray(part, kind).ravel().view(np.uint8).reshape(-1, size)[:, place].tobytes()
        for place in range(size)
        for part in slices(array)
    )


def pack_lines(lines: Sequence[str]) -> bytes:
    """Returns texts without line feeds as bytes. Of one text, orjson would make room for eight times its length, since
    each character may have to be escaped: of the terms of 200,000 chunks, 80 MB."""
    steps = range(0, len(lines), _LINES_AT_ONCE)
    return b"".join(compressed_parts(("\n".join(lines[at : at + _LINES_AT_ONCE]) + "\n").encode() for at in steps))


def unpack_lines(data: bytes | memoryview) -> list[str]:
    """Returns the texts that `pack_lines` packed. Raises CompressionError, and UnicodeDecodeError."""
    return decompressed(data).decode().split("\n")[:-1]


def unpack_array(data: bytes | memoryview, kind: str) -> NDArray[Any]:
    """Returns the numbers that `pack_array` packed, in one row. Raises CompressionError, and ValueError where the
    number of bytes is no multiple of a number's."""
    import numpy as np

    size = np.dtype(kind).itemsize
    planes = np.frombuffer(decompressed(data), np.uint8).reshape(size, -1)
    return np.ascontiguousarray(planes.T).view(kind).ravel()
