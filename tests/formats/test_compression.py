"""Compression of what one machine keeps for itself."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.formats import compression
from infograph.formats.compression import TEXT_LEVEL, CompressionError, compressed, compressed_parts, decompressed


@given(st.binary(max_size=300))
def test_bytes_come_back(data: bytes) -> None:
    assert decompressed(compressed(data)) == decompressed(memoryview(compressed(data, TEXT_LEVEL))) == data


@given(st.lists(st.binary(max_size=40), max_size=9))
def test_parts_come_back_joined(parts: list[bytes]) -> None:
    assert decompressed(b"".join(compressed_parts(parts))) == b"".join(parts)


def test_large_parts_are_compressed_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "_AT_ONCE", 1000)
    chance = random.Random(7)
    parts = [chance.randbytes(400) for _ in range(2000)]
    taken = 0

    def counted() -> object:
        nonlocal taken
        for part in parts:
            taken += 1
            yield part

    found = compressed_parts(counted())  # type: ignore[arg-type]
    first = next(piece for piece in found if piece)
    assert taken < len(parts)
    assert decompressed(first + b"".join(found)) == b"".join(parts)


@pytest.mark.parametrize("data", [b"", b"torn", compressed(b"whole")[:-1], b"\x78\x9c\x03\x00\x00\x00\x00\x01"])
def test_other_bytes_are_an_error(data: bytes) -> None:
    with pytest.raises(CompressionError):
        decompressed(data)
