"""Options at their limits, and which pages a path lets pass."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from infograph.client import ClientError, Hit
from infograph.client.options import MOST_SECONDS, bounded_seconds, check
from infograph.client.query import asked, choice, parsed
from infograph.search.format.layout import HASH_BITS

HIT = Hit("guide/a.md", "A", "a/", 0, "A", ("A", "B"), "a", "", 10, "_chunks/a-0.md", "0" * 32, 1.0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("distance", 0),
        ("distance", HASH_BITS),
        ("diversity", 0),
        ("diversity", 1),
        ("limit", 0),
        ("n", 0),
        ("timeout", 1e-9),
    ],
)
def test_limits_themselves_are_taken(name: str, value: Any) -> None:
    assert check(**{name: value}) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("distance", -1),
        ("distance", HASH_BITS + 1),
        ("diversity", -0.01),
        ("diversity", 1.01),
        ("limit", -1),
        ("n", True),
    ],
)
def test_what_is_past_them_is_not(name: str, value: Any) -> None:
    with pytest.raises(ClientError, match=f"^{name}: has to be ") as caught:
        check(**{name: value})
    assert caught.value.code == "unknown"


def test_a_time_is_bounded() -> None:
    assert bounded_seconds(MOST_SECONDS - 1) == MOST_SECONDS - 1
    assert bounded_seconds(MOST_SECONDS + 1) == bounded_seconds(float("inf")) == MOST_SECONDS <= 2**31 / 1000


@pytest.mark.parametrize("path", ["guide", "guide/", "./guide", "guide/a.md", "/guide/a.md/"])
def test_a_path_lets_its_pages_pass(path: str) -> None:
    passes = choice(path)
    assert passes is not None
    assert passes((0, 0), HIT)
    assert not passes((0, 0), replace(HIT, page="guide-more/a.md"))
    assert not passes((0, 0), replace(HIT, page="guide/a.md.txt" if path.endswith("a.md") else "guid/a.md"))


def test_no_path_and_no_filters_are_no_test() -> None:
    assert choice("") is choice("./") is parsed(None) is parsed({}) is None


def test_pages_are_searched_one_hit_each() -> None:
    (query, rerank, *_), (pages, *_) = asked("search", "cache", {"rerank": False}), asked("pages", "cache", {})
    assert (query.one_per_page, pages.one_per_page, rerank) == (False, True, False)


class Transport:
    def handle_async_request(self) -> None:
        """Enough to be taken for one."""


@pytest.mark.parametrize(
    ("name", "values", "others"),
    [
        ("query", ["", "a"], [None, 1, b"a", ["a"]]),
        ("path", [""], [None, 1]),
        ("limit", [3], [1.0, "1", True, None, -1]),
        ("offset", [0], [-1, False]),
        ("collapse", [True, False], [None, 1, 0, "yes"]),
        ("rerank", [True, False, None], [0, 1, "yes"]),
        ("max_tokens", [1, 9], [0, -5, 1.5, True, None, "9"]),
        ("question_class", ["factoid", "multi-hop", None], ["", "fact", 1, ["factoid"]]),
        ("level", ["passages", "chunks", None], ["", "section", 1]),
        ("packing", ["greedy", "ratio", "knapsack", None], ["", "best", True]),
        ("split", [True, False], [None, 1]),
        ("distance", [12, None], [True, 1.5, "3"]),
        ("diversity", [0.5, 1], [True, "1", None, float("nan")]),
        ("order", ["conceptual", "technical"], ["random", ["technical"], None, ""]),
        ("filters", [None, {}, {"page": "a"}], [[], "page", 0]),
        ("timeout", [1, 0.1], [0, 0.0, -1, True, "1", None]),
        ("source", ["a", Path("a")], [b"a", 1, None]),
        ("cache", ["a", Path("a"), None], [b"a", 1, False]),
        ("progress", [print, None], [1, False]),
        ("transport", [Transport(), None], [1, False, "x", SimpleNamespace(handle_async_request=1)]),
    ],
)
def test_each_option_takes_its_kind_only(name: str, values: list[Any], others: list[Any]) -> None:
    for value in values:
        check(**{name: value})
    for value in others:
        with pytest.raises(ClientError, match=f"^{name}: has to be "):
            check(**{name: value})


@pytest.mark.parametrize("value", [None, [["a"]], ["a", None], float("nan"), {"a": 1}, {}])
def test_what_no_field_can_be_is_refused(value: Any) -> None:
    with pytest.raises(ClientError, match=r"^filters\.page: has to be .*, not ") as caught:
        parsed({"page": value})
    assert caught.value.code == "unknown"


def test_a_long_value_is_cut_in_an_error() -> None:
    with pytest.raises(ClientError) as caught:
        check(order="x" * 100)
    assert caught.value.reason.endswith(f", not {repr('x' * 100)[:80]}")
    with pytest.raises(ClientError) as caught:
        parsed({"page": ["y" * 300, None]})
    assert len(caught.value.reason) < 230
