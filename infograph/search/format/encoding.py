"""The bytes that a bundle is made of: variable-length numbers, a 32-bit hash, front-coded words, zlib."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from infograph.errors import FormatError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEVEL = 5
"""Compression level of zlib: half the time of 9 for half a percent more bytes."""


_ASCII_DIGIT = re.compile("[0-9]")
_FRONT_CODED = re.compile("([0-9])([^0-9]*)")


def hash32(text: str) -> int:
    """Returns the hash by which shards are chosen: FNV-1a over the UTF-8 bytes, 32 bits, mixed by murmur3's finaliser
    fmix32.

    In JavaScript it takes two multiplications a byte (`Math.imul`), where 64 bits would need BigInt.
    """
    value = 0x811C9DC5
    for byte in text.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    value = (value ^ value >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    value = (value ^ value >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return value ^ value >> 16


def hashes32(texts: Sequence[bytes]) -> NDArray[np.uint32]:
    """Returns `hash32` of many texts in UTF-8, at once."""
    import numpy as np

    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    order = np.argsort(-lengths, kind="stable")
    data = np.frombuffer(b"".join(texts), np.uint8).astype(np.uint32)
    begins = (np.cumsum(lengths) - lengths)[order]
    longer = len(texts) - np.searchsorted(np.sort(lengths), np.arange(lengths.max(initial=0)), "right")
    mixed = np.full(len(texts), 0x811C9DC5, np.uint32)
    for place, count in enumerate(longer.tolist()):  # of the texts that have so many bytes
        mixed[:count] = (mixed[:count] ^ data[begins[:count] + place]) * np.uint32(0x01000193)
    mixed = (mixed ^ mixed >> np.uint32(16)) * np.uint32(0x85EBCA6B)
    mixed = (mixed ^ mixed >> np.uint32(13)) * np.uint32(0xC2B2AE35)
    found = np.empty_like(mixed)
    found[order] = mixed ^ mixed >> np.uint32(16)
    return found


def top_bits(value: int, bits: int) -> int:
    """Returns the shard, of 2^bits, that a 32-bit hash belongs to."""
    return value >> (32 - bits)


_ONE_BYTE = tuple([bytes([value]) for value in range(128)])


def varint(value: int) -> bytes:
    """Encodes a number as LEB128: seven bits a byte, the lowest first, the high bit set on all bytes but the last."""
    if 0 <= value < 128:  # as most
        return _ONE_BYTE[value]
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def varints(values: NDArray[np.int64]) -> tuple[bytes, NDArray[np.int64]]:
    """Encodes many numbers as varints after each other; also returns where each begins, and last the end."""
    import numpy as np

    widths = np.ones(len(values), np.int64)
    wide = np.flatnonzero(values > 127)
    place = wide
    while len(place):
        widths[place] += 1
        place = place[values[place] >> (7 * widths[place]) > 0]
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(widths)])
    out = np.zeros(int(starts[-1]), np.uint8)
    out[starts[:-1]] = (values & 127) | ((widths > 1) << 7)
    place, byte = wide, 1
    while len(place):
        out[starts[place] + byte] = (values[place] >> (7 * byte) & 127) | ((widths[place] > byte + 1) << 7)
        byte += 1
        place = place[widths[place] > byte]
    return out.tobytes(), starts


def front_coded(words: Iterable[str]) -> str:
    """Returns words as one text: sorted, each after the number of first characters that it shares with the one before
    it, 9 at most. Raises ValueError for a word with an ASCII digit, which would read as such a number."""
    parts, last = [], ""
    for word in sorted(set(words)):
        if _ASCII_DIGIT.search(word):
            raise ValueError(f"{word!r} has a digit")
        kept = next((at for at in range(9) if word[at : at + 1] != last[at : at + 1]), 9)
        parts.append(f"{kept}{word[kept:]}")
        last = word
    return "".join(parts)


def front_decoded(text: str) -> list[str]:
    """Returns the words of a text that `front_coded` made."""
    words, last = [], ""
    for kept, rest in _FRONT_CODED.findall(text):
        last = last[: int(kept)] + rest
        words.append(last)
    return words


def deflate(data: bytes) -> bytes:
    """Compresses to the zlib format, which browsers read as `DecompressionStream("deflate")`."""
    return zlib.compress(data, LEVEL)


def inflate(data: bytes, most: int, place: str) -> bytes:
    """Decompresses a zlib file. Raises FormatError where it is broken, or larger than `most` bytes when inflated: a
    shard of zeros must not fill a reader's memory."""
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
