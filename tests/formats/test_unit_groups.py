"""Units as files have them."""

from __future__ import annotations

import pytest

from infograph.formats.index_json import EnrichedItem, IndexItem, PlacedClaim, UnitGroup
from infograph.formats.unit_groups import (
    groups_of_items,
    groups_of_source,
    read_slices,
    units_of_groups,
    written_slices,
)
from infograph.model import SpecChunk, SpecSource
from infograph.text.units import PlacedUnit

SAID = {"by": "m", "key": "k", "propositions": ("It is so. (2-9)",)}
PATHS = (("A",), ("A", "B"), ("A", "B"))
ROWS = (PlacedUnit("rows", 0, ((0, 0, 4), (1, 0, 2)), "a, b"), PlacedUnit("rows", 0, ((0, 0, 4), (1, 2, 3)), "c"))
UNITS = (PlacedUnit("parent", 1, ((0, 3),)), PlacedUnit("table", 2, ((1, 2, 40), (2, 0, 9))), *ROWS)
FOLLOW = (
    UnitGroup(type="section", level=1, count=1),
    UnitGroup(type="section", level=2, count=1),
    UnitGroup(type="key", level=2, count=1),
    UnitGroup(type="proposition", level=2, count=2),
)


def test_those_that_follow_are_counted_and_others_listed() -> None:
    chunks = tuple(
        SpecChunk(at, "t", path, False, 3, "0" * 64, 1.0, enriched=SAID if at else {}) for at, path in enumerate(PATHS)
    )
    groups = groups_of_source(SpecSource("a.md", "A", "0" * 16, chunks, units=UNITS))
    assert groups == (
        *FOLLOW,
        UnitGroup(type="parent", level=1, count=1, slices=(((0, 3),),)),
        UnitGroup(type="table", level=2, count=1, slices=(((1, 2, 40), (2, 0, 9)),)),
        UnitGroup(type="rows", level=0, count=2, slices=tuple(unit.slices for unit in ROWS), names=("a, b", "c")),
    )
    assert units_of_groups(groups) == list(UNITS)


def test_an_index_tells_the_same() -> None:
    said = EnrichedItem(by="m", key="k", propositions=(PlacedClaim(claim="It is so.", start=2, end=9),))
    items = [
        IndexItem(
            index=at,
            href="",
            title="",
            section_path=path,
            is_code=False,
            similarity_conceptual=1.0,
            enriched=said if at else None,
        )
        for at, path in enumerate(PATHS)
    ]
    assert groups_of_items(items) == FOLLOW


def test_slices_are_read_as_they_are_written() -> None:
    slices = [unit.slices for unit in UNITS[:2]]
    assert written_slices(slices) == "0-3; 1:2-40, 2:0-9"
    assert read_slices(written_slices(slices)) == tuple(slices)
    assert read_slices("") == ()


@pytest.mark.parametrize(
    "text", ["a", "1", "1-", "-1", "1-2-3", "1:2", "1:2-", ":1-2", "1-2;", "1-2,,3-4", "1:2-3-4", "²-3"]
)
def test_other_texts_are_no_slices(text: str) -> None:
    with pytest.raises(ValueError):
        read_slices(text)
