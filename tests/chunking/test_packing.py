"""Units are put together as long as they fit."""

from __future__ import annotations

from infograph.chunking.packing import packed
from infograph.chunking.units import Unit


def test_every_piece_is_filled_alike() -> None:
    pieces = list(packed([Unit(at, at + 5, 5) for at in range(0, 30, 5)], 10))
    assert [(piece.start, piece.end, piece.tokens) for piece in pieces] == [(0, 10, 10), (10, 20, 10), (20, 30, 10)]
