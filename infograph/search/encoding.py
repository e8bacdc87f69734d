"""The bytes that shards are made of: variable-length numbers, a 32-bit hash, zlib."""

from __future__ import annotations

import hashlib
import zlib
from typing import TYPE_CHECKING

from infograph.errors import FormatError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAME_DIGITS = 16
"""Hex digits of SHA-256 in a file's name."""


def hash32(text: str) -> int:
    """FNV-1a over the UTF-8 bytes, 32 bits, mixed by murmur3's finaliser fmix32: what shards are chosen by.

    Two multiplications a byte in JavaScript (`Math.imul`), where 64 bits would need BigInt.
    """
    value = 0x811C9DC5
    for byte in text.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    value = (value ^ value >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    value = (value ^ value >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return value ^ value >> 16


def top_bits(value: int, bits: int) -> int:
    """The shard, of 2^bits, that a 32-bit hash belongs to."""
    return value >> (32 - bits)


def varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first, the high bit set on all but the last (LEB128)."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(value: int) -> int:
    """A signed number as one that is not: 0, -1, 1, -2, 2 … are 0, 1, 2, 3, 4 …"""
    return 2 * value if value >= 0 else -2 * value - 1


def unzigzag(value: int) -> int:
    return value >> 1 if value % 2 == 0 else -(value >> 1) - 1


def varints(values: NDArray[np.int64]) -> tuple[bytes, NDArray[np.int64]]:
    """The varints of many numbers after each other, and where each begins; the last entry is the end."""
    import numpy as np

    widths = np.ones(len(values), np.int64)
    rest = values >> 7
    while rest.any():
        widths += rest > 0
        rest >>= 7
    starts = np.concatenate([[0], np.cumsum(widths)])
    out = np.zeros(int(starts[-1]), np.uint8)
    for place in range(int(widths.max(initial=0))):
        has = widths > place
        more = widths[has] > place + 1
        out[starts[:-1][has] + place] = (values[has] >> (7 * place) & 127) | (more.astype(np.int64) << 7)
    return out.tobytes(), starts


def deflate(data: bytes) -> bytes:
    """The zlib format, which browsers read as `DecompressionStream("deflate")`."""
    return zlib.compress(data, 9)


def inflate(data: bytes, most: int, place: str) -> bytes:
    """`most` bytes at the most: a shard of zeros must not fill a reader's memory. Raises FormatError."""
    decompressor = zlib.decompressobj()
    try:
        out = decompressor.decompress(data, most + 1)
    except zlib.error as error:
        raise FormatError(place, f"not a zlib file: {error}", "Build the site again") from None
    if len(out) > most:
        raise FormatError(place, f"more than {most} bytes when inflated", "Build the site again")
    if not decompressor.eof or decompressor.unused_data:
        raise FormatError(place, "truncated, or followed by other bytes", "Build the site again")
    return out


def content_name(kind: str, data: bytes) -> str:
    """Name of a shard's file, `data` as it lies on disk."""
    return f"{kind}-{hashlib.sha256(data).hexdigest()[:NAME_DIGITS]}.z"
