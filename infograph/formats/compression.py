"""How files that one machine keeps for itself are compressed: Zstandard, a quarter of deflating's time and no larger.

What is published is deflated instead, which every browser can undo (`search/format/encoding.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LEVEL = 1
"""Compression level of what each build writes and reads again."""
TEXT_LEVEL = 3
"""Compression level of texts that are few, or that are packed once and then kept: a tenth smaller."""
_AT_ONCE = 1 << 19
"""Bytes that are compressed together."""

CompressionError = zstd.ZstdError
"""What `decompressed` raises for bytes that `compressed` and `compressed_parts` do not return."""


def compressed(data: bytes, level: int = LEVEL) -> bytes:
    """Returns bytes as fewer bytes."""
    return zstd.compress(data, level)


def compressed_parts(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yields the compressed bytes of parts that are made when they are asked for.

    Small ones are joined first: compressing lets go of the interpreter's lock, and whoever wants it back after each of
    thousands of small parts waits thousands of times for the threads beside it.
    """
    packer = zstd.ZstdCompressor(LEVEL)
    held: list[bytes] = []
    size = 0
    for part in parts:
        held.append(part)
        size += len(part)
        if size >= _AT_ONCE:
            yield packer.compress(b"".join(held))
            held, size = [], 0
    yield packer.compress(b"".join(held)) + packer.flush()


def decompressed(data: bytes | memoryview) -> bytes:
    """Returns the bytes that were compressed, at once or in parts. Raises CompressionError."""
    return zstd.decompress(data)
