"""Arrays of numbers as few bytes, for files that one machine keeps for itself.

Numbers that stand beside each other are often alike in their high bytes. So the bytes are sorted by their place in the
number, all lowest bytes first, and deflated at the fastest level: some two thirds of the numbers deflated as they are.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEVEL = 1
"""Compression level of zlib: these bytes are written and read again by each build."""
_DEFLATED_AT_ONCE = 1 << 19
"""Bytes that are deflated together."""
_LINES_AT_ONCE = 1 << 12
"""Texts that are joined before they are deflated."""
_AT_ONCE = 1 << 18
"""Numbers that are packed together: bounds the memory that this takes."""
TEXT_LEVEL = 4
"""Compression level of texts that are few, or that are packed once and then kept: a tenth smaller."""


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
    return deflated(
        np.ascontiguousarray(part, kind).ravel().view(np.uint8).reshape(-1, size)[:, place].tobytes()
        for place in range(size)
        for part in slices(array)
    )


def deflated(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yields the deflated bytes of parts that are made when they are asked for.

    Small ones are joined first: deflating lets go of the interpreter's lock, and whoever wants it back after each of
    thousands of small parts waits thousands of times for the threads beside it.
    """
    packer = zlib.compressobj(LEVEL)
    held: list[bytes] = []
    size = 0
    for part in parts:
        held.append(part)
        size += len(part)
        if size >= _DEFLATED_AT_ONCE:
            yield packer.compress(b"".join(held))
            held, size = [], 0
    yield packer.compress(b"".join(held)) + packer.flush()


def pack_lines(lines: Sequence[str]) -> bytes:
    """Returns texts without line feeds as bytes. Of one text, orjson would make room for eight times its length, since
    each character may have to be escaped: of the terms of 200,000 chunks, 80 MB."""
    steps = range(0, len(lines), _LINES_AT_ONCE)
    return b"".join(deflated(("\n".join(lines[at : at + _LINES_AT_ONCE]) + "\n").encode() for at in steps))


def unpack_lines(data: bytes | memoryview) -> list[str]:
    """Returns the texts that `pack_lines` packed. Raises zlib.error, and UnicodeDecodeError."""
    return zlib.decompress(data).decode().split("\n")[:-1]


def unpack_array(data: bytes | memoryview, kind: str) -> NDArray[Any]:
    """Returns the numbers that `pack_array` packed, in one row. Raises zlib.error, and ValueError where the number of
    bytes is no multiple of a number's."""
    import numpy as np

    size = np.dtype(kind).itemsize
    planes = np.frombuffer(zlib.decompress(data), np.uint8).reshape(size, -1)
    return np.ascontiguousarray(planes.T).view(kind).ravel()
