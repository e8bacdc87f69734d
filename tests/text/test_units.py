"""Units by where they stand."""

from __future__ import annotations

from typing import Any

import pytest

from infograph.text.units import (
    PlacedUnit,
    chunks_of,
    derived_units,
    grouped,
    misplaced,
    placed_unit,
    runs,
    said_units,
)

PATHS = [("A",), ("A", "B"), ("A", "B"), ("A", "C"), ("D",)]


def test_sections_keys_and_propositions_follow_from_chunks() -> None:
    claims: list[list[tuple[int, int]]] = [[], [(0, 9), (4, 12)], [], [], [(3, 3)]]
    assert derived_units(PATHS, ["k", "", "j", "k", "k"], claims) == [
        PlacedUnit("section", 1, ((0, 4),)),
        PlacedUnit("section", 2, ((1, 3),)),
        PlacedUnit("key", 0, ((0, 1), (3, 5))),
        PlacedUnit("proposition", 2, ((1, 0, 9),)),
        PlacedUnit("proposition", 2, ((1, 4, 12),)),
    ], "a key of one chunk is none, and so is a claim that rests on nothing"
    assert derived_units([], [], []) == []
    keys = ["k", "", "j", "k", "k"]
    assert said_units(PATHS, keys, claims) == derived_units(PATHS, keys, claims)[2:], "the same without sections"


def test_units_are_grouped_by_type_and_level() -> None:
    units = [PlacedUnit(*own, ((at, at + 1),)) for at, own in enumerate([("b", 2), ("a", 1), ("b", 1), ("a", 1)])]
    found = [(kind, [unit.slices[0][0] for unit in own]) for kind, own in grouped(units)]
    assert found == [(("b", 1), [2]), (("b", 2), [0]), (("a", 1), [1, 3])]
    assert placed_unit("a", 1, [[1, 2], [3, 0, 4]]) == PlacedUnit("a", 1, ((1, 2), (3, 0, 4)))


def test_ranges() -> None:
    assert runs([1, 2, 5]) == [(1, 3), (5, 6)]
    assert chunks_of([(4, 9, 12), (1, 3), (4, 20, 22)]) == [1, 2, 4]


@pytest.mark.parametrize(
    "slices", [((0, 3),), ((0, 1), (2, 3)), ((0, 0, 4), (0, 4, 9), (2, 0, 1)), ((0, 1), (1, 0, 2)), ((0, 1, 2), (1, 3))]
)
def test_slices_in_order_are_well_placed(slices: Any) -> None:
    assert misplaced(slices, 3) == ""


@pytest.mark.parametrize(
    ("slices", "wrong"),
    [
        ((), "has no slice"),
        (((0,),), "[0] is neither a range of chunks nor one of bytes in a chunk"),
        (((0, 1, 2, 3),), "[0, 1, 2, 3] is neither a range of chunks nor one of bytes in a chunk"),
        (((0, 4),), "[0, 4] lies outside of the 3 chunks"),
        (((3, 0, 1),), "[3, 0, 1] lies outside of the 3 chunks"),
        (((1, -5, 10),), "[1, -5, 10] lies outside of the 3 chunks"),
        (((-1, 1),), "[-1, 1] lies outside of the 3 chunks"),
        (((1, 1),), "[1, 1] is empty"),
        (((1, 9, 9),), "[1, 9, 9] is empty"),
        (((1, 2), (0, 1)), "[0, 1] is not behind the slice before it"),
        (((1, 0, 9), (1, 8, 12)), "[1, 8, 12] is not behind the slice before it"),
        (((1, 0, 9), (1, 2)), "[1, 2] is not behind the slice before it"),
        (((0, 2), (1, 0, 4)), "[1, 0, 4] is not behind the slice before it"),
    ],
)
def test_others_are_named(slices: Any, wrong: str) -> None:
    assert misplaced(slices, 3) == wrong
