"""The names and types of fields, and what their values may be."""

from __future__ import annotations

from typing import Any

import pytest

from infograph.formats.search_fields import (
    BUILT_IN,
    LONGEST_VALUE,
    MOST_FIELDS,
    MOST_VALUES,
    SearchField,
    day_of,
    number_of,
    parse_fields,
    typed,
)


def test_a_field_is_a_text_unless_it_says_otherwise() -> None:
    found = parse_fields(["tags", "Module Name", "weight:number", "is_code", "tokens:number", "ms.date:date"])
    assert [(own.name, own.type) for own in found] == [
        ("tags", "text"),
        ("Module Name", "text"),
        ("weight", "number"),
        ("is_code", "flag"),
        ("tokens", "number"),
        ("ms.date", "date"),
    ]
    assert SearchField("Module Name").key == "module name"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["a=b"], "is no name"),
        ([""], "is no name"),
        (["9"], "is no name"),
        (["tags "], "is no name"),
        (["tags", "Tags"], "stands there twice"),
        (["not"], "meaning of its own"),
        (["any"], "meaning of its own"),
        (["all"], "meaning of its own"),
        (["title"], "meaning of its own"),
        (["a:colour"], "there is no type 'colour': text, number, date, flag"),
        (["is_code:text"], "is a flag, and no text"),
        ([f"a{n}" for n in range(MOST_FIELDS + 1)], "more than 32"),
    ],
)
def test_what_is_no_field_is_refused(given: list[str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse_fields(given)


def test_every_built_in_field_can_be_named() -> None:
    assert {own.name: own.type for own in parse_fields(sorted(BUILT_IN))} == BUILT_IN


def test_dates_are_days() -> None:
    assert day_of("1970-01-01") == 0
    assert day_of("1969-12-31") == -1
    assert day_of("2024-02-29") == day_of("2024-02-29T23:59:59Z") == day_of("2024-02-29 10:00:00 +01:00") == 19782
    for text in ("2023-02-29", "2024-13-01", "0000-01-01", "01/31/2024", "2024-01-31x", "2024", "٢٠٢٤-01-01", ""):
        assert day_of(text) is None


def test_numbers_are_decimal() -> None:
    assert [number_of(text) for text in ("7", "-7", "+7.50", "007")] == [7, -7, 7.5, 7]
    for text in ("", "1e3", "0x1", "nan", "inf", "1.", ".5", "1_000", "٣", "1" * 16):
        assert number_of(text) is None


@pytest.mark.parametrize(
    ("values", "kind", "found"),
    [
        (("a", "b", "a"), "text", ("a", "b")),
        ((7, 7.5), "text", ("7", "7.5")),
        (("7",), "number", (7,)),
        ((0.25,), "number", (0.25,)),
        (("TRUE",), "flag", ("true",)),
        ((True,), "flag", ("true",)),
        (("2024-01-31",), "date", (19753,)),
        ((), "number", ()),
    ],
)
def test_values_become_those_of_the_type(values: Any, kind: str, found: Any) -> None:
    assert typed(values, kind) == found


@pytest.mark.parametrize(
    ("values", "kind", "said"),
    [
        (("x",), "number", "'x' is no number"),
        ((float("nan"),), "number", "'nan' is no number"),
        ((True,), "number", "is no number"),
        ((1, 2), "number", "2 values; a number is one"),
        (("maybe",), "flag", "'maybe' is neither true nor false"),
        (("May 1",), "date", "'May 1' is no date like 2024-01-31"),
        (("x" * (LONGEST_VALUE + 1),), "text", "has 201 characters, more than 200"),
        (tuple(map(str, range(MOST_VALUES + 1))), "text", "1,001 values, more than 1,000"),
    ],
)
def test_values_of_another_type_are_refused(values: Any, kind: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        typed(values, kind)
