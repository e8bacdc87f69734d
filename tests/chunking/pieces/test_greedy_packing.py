"""Units are packed as long as they fit."""

from __future__ import annotations

import pytest

from infograph.chunking.interface import DocumentLayout
from infograph.chunking.pieces.greedy_packing import filled, packed
from infograph.chunking.pieces.units import Unit
from infograph.chunking.tokens import WordPieceCounter
from infograph.source.document import decode


def test_every_piece_is_filled_alike() -> None:
    pieces = list(packed([Unit(at, at + 5, 5) for at in range(0, 30, 5)], 10))
    assert [(piece.start, piece.end, piece.tokens) for piece in pieces] == [(0, 10, 10), (10, 20, 10), (20, 30, 10)]


def spans(parts: list[Unit], maximum: int, borders: frozenset[int] = frozenset()) -> list[tuple[int, int]]:
    return [(piece.start, piece.end) for piece in packed(parts, maximum, borders)]


def test_a_border_cuts_from_a_third_of_the_limit_on() -> None:
    parts = [Unit(at, at + 1, 1) for at in range(12)]
    assert spans(parts, 12) == [(0, 12)]
    assert spans(parts, 12, frozenset({3})) == [(0, 12)]
    assert spans(parts, 12, frozenset({4})) == [(0, 4), (4, 12)]
    assert spans(parts, 12, frozenset({0, 4, 7, 11})) == [(0, 4), (4, 11), (11, 12)]


def test_what_is_larger_than_the_limit_is_a_piece_of_its_own() -> None:
    assert spans([Unit(0, 1, 20), Unit(1, 2, 1), Unit(2, 3, 20)], 10) == [(0, 1), (1, 2), (2, 3)]
    assert spans([], 10) == []


def test_a_piece_is_what_its_first_and_its_last_unit_say() -> None:
    first = Unit(0, 2, 3, continues=True, before="opener", after="x")
    last = Unit(2, 5, 4, before="y", after="closer")
    (piece,) = packed([first, last], 10)
    assert piece == (0, 5, True, "opener", "closer", 7, None, None, (), (), ())
    (piece,) = packed([first, Unit(2, 5, 4, whole_lines=False)], 10)
    assert piece.tokens is None, "parts of lines do not add up"


@pytest.mark.parametrize(("body", "count"), [("", 0), ("\n", 1), ("one two\nthree four\n", 2)])
def test_a_body_that_was_not_parsed_is_filled_up_by_lines(body: str, count: int, counter: WordPieceCounter) -> None:
    pieces = filled(DocumentLayout(decode("a.bin.csv", body.encode()), ()), 3, counter)
    assert "".join(body[piece.start : piece.end] for piece in pieces) == body and len(pieces) == count
