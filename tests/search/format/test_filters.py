"""What a filter may be, whatever a site has."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.errors import FilterError
from infograph.search.format.filters import (
    MOST_CONDITIONS,
    MOST_DEPTH,
    MOST_VALUES,
    All,
    Any_,
    Condition,
    Not,
    conditions,
    nearest,
    parse_filters,
)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({}, ()),
        ({"a": "x"}, (Condition("a", ("x",)),)),
        ({"a": ["x", 1, True]}, (Condition("a", ("x", 1, True)),)),
        ({"a": []}, (Condition("a", ()),)),
        ({"a": {"gte": 1, "lt": "2"}}, (Condition("a", None, (("gte", 1), ("lt", "2"))),)),
        ({"a": {"exists": True}}, (Condition("a"),)),
        ({"a": {"exists": False}}, (Not(Condition("a")),)),
        ({"a": {"not": "x"}}, (Not(Condition("a", ("x",))),)),
        ({"a": {"not": {"gt": 1}}}, (Not(Condition("a", None, (("gt", 1),))),)),
        ({"a": {"exists": True, "gt": 1}}, (All((Condition("a"), Condition("a", None, (("gt", 1),)))),)),
        ({"not": {"a": 1}}, (Not(All((Condition("a", (1,)),))),)),
        ({"any": [{"a": 1}, {}]}, (Any_((All((Condition("a", (1,)),)), All(()))),)),
        ({"all": [{"a": 1}]}, (All((All((Condition("a", (1,)),)),)),)),
    ],
)
def test_a_filter_is_parsed(given: Any, found: Any) -> None:
    assert parse_filters(given) == All(found)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"a": None}, r"filters\.a: has to be a text, a number, true or false, or a list of these, not None"),
        ({"a": float("inf")}, r"filters\.a: has to be a text, a number"),
        ({"a": [["x"]]}, r"filters\.a: has to be a text, a number"),
        ({"a": {}}, r"filters\.a: has to be a value, a list of values or a condition, not \{\}"),
        ({"a": {"is": 1}}, r"filters\.a: has to be made of gt, gte, lt, lte, exists and not, not 'is'"),
        ({"a": {"gt": True}}, r"filters\.a\.gt: has to be a number or a date, not True"),
        ({"a": {"gt": None}}, r"filters\.a\.gt: has to be a number or a date, not None"),
        ({"a": {"exists": 1}}, r"filters\.a\.exists: has to be True or False, not 1"),
        ({"not": "a"}, r"filters\.not: has to be fields with their values, not 'a'"),
        ({"any": {"a": 1}}, r"filters\.any: has to be a list of filters"),
        ({"all": [1]}, r"filters\.all: has to be fields with their values, not 1"),
        ({1: "a"}, "filters: has to be names of fields, not 1"),
    ],
)
def test_what_is_no_filter_is_refused(given: Any, said: str) -> None:
    with pytest.raises(FilterError, match=said):
        parse_filters(given)


def test_a_hundred_predicates_are_too_many() -> None:
    parse_filters({f"a{n}": 1 for n in range(MOST_CONDITIONS)})
    with pytest.raises(FilterError, match=r"^filters: 100 conditions, more than 64"):
        parse_filters({f"a{n}": 1 for n in range(100)})
    parse_filters({"a": list(range(MOST_VALUES))})
    with pytest.raises(FilterError, match=r"^filters: 257 values, more than 256"):
        parse_filters({"a": list(range(MOST_VALUES + 1))})


@pytest.mark.parametrize("wrap", [lambda own: {"not": own}, lambda own: {"any": [own]}, lambda own: {"all": [own]}])
def test_filters_lie_in_others_to_a_depth(wrap: Any) -> None:
    own: Any = {}
    for _ in range(MOST_DEPTH - 1):
        own = wrap(own)
    parse_filters(own)
    for _ in range(5000):
        own = wrap(own)
    with pytest.raises(FilterError, match="nested deeper than 8"):
        parse_filters(own)


def test_conditions_lie_in_others_to_a_depth() -> None:
    own: Any = "x"
    for _ in range(5000):
        own = {"not": own}
    with pytest.raises(FilterError, match="nested deeper than 8"):
        parse_filters({"a": own})


def test_the_conditions_of_a_filter_are_found() -> None:
    node = parse_filters({"a": 1, "not": {"b": 2, "any": [{"c": 3}, {"d": {"exists": False}}]}})
    assert [own.field for own in conditions(node)] == ["a", "b", "c", "d"]


def test_the_nearest_name_is_the_one_that_is_meant() -> None:
    names = ["language", "tags", "title", "chunk_type"]
    assert nearest("langage", names) == nearest("LANGUAGES", names) == "language"
    assert nearest("titel", names) == "title" and nearest("tag", names) == "tags"
    assert nearest("colour", names) == nearest("anything", []) == nearest("x" * 10_000, names) == ""
    assert nearest("tas", ["tags", "tabs"]) == nearest("tas", ["tabs", "tags"]) == "tabs", "of equals the first by name"
    assert nearest("title", ["tile", "title"]) == "title"
    for name, own in (("tag", "xytag"), ("tag", "tagxy"), ("tagxy", "tag"), ("abtag", "xytag"), ("tagxy", "xtagx")):
        assert nearest(name, [own]) == own, "two letters more, less or other"
    for name, own in (("tag", "xyztag"), ("xyztag", "tag"), ("abctag", "xyztag")):
        assert nearest(name, [own]) == ""


words = st.text(alphabet="abC", max_size=7)


@given(words, words)
def test_a_name_is_near_that_differs_in_two_letters_or_a_third(name: str, own: str) -> None:
    near = edits(name.lower(), own.lower()) <= max(2, len(name) // 3)
    assert nearest(name, [own]) == (own if near else "")


@pytest.mark.parametrize(("size", "near"), [(53, False), (54, True), (106, True), (107, False)])
def test_eighty_letters_of_a_name_are_looked_at(size: int, near: bool) -> None:
    assert nearest("a" * 200, ["a" * size]) == ("a" * size if near else "")


def edits(first: str, second: str) -> int:
    """Returns the Levenshtein distance, by its definition."""
    if not first or not second:
        return len(first) + len(second)
    if first[0] == second[0]:
        return edits(first[1:], second[1:])
    return 1 + min(edits(first[1:], second), edits(first, second[1:]), edits(first[1:], second[1:]))
