"""Options at their limits, and which pages a path lets pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from infograph.client import ClientError, Hit
from infograph.client.options import BITS, MOST_SECONDS, bounded_seconds, check
from infograph.client.query import asked, choice

HIT = Hit("guide/a.md", "A", "a/", 0, "A", ("A", "B"), "a", "", 10, "_chunks/a-0.md", "0" * 32, 1.0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("distance", 0),
        ("distance", BITS),
        ("diversity", 0),
        ("diversity", 1),
        ("limit", 0),
        ("n", 0),
        ("timeout", 1e-9),
    ],
)
def test_limits_themselves_are_taken(name: str, value: Any) -> None:
    check(**{name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [("distance", -1), ("distance", BITS + 1), ("diversity", -0.01), ("diversity", 1.01), ("limit", -1), ("n", True)],
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
    passes = choice(path, None)
    assert passes is not None
    assert passes(HIT)
    assert not passes(replace(HIT, page="guide-more/a.md"))
    assert not passes(replace(HIT, page="guide/a.md.txt" if path.endswith("a.md") else "guid/a.md"))


def test_all_filters_must_hold() -> None:
    passes = choice("guide", {"index": [0, 1], "section_path": "B"})
    assert passes is not None
    assert passes(HIT)
    for other in ({"index": 2}, {"section_path": ("A",)}, {"page": "other/a.md"}):
        assert not passes(replace(HIT, **other))
    assert choice("", None) is choice("./", {}) is None


def test_pages_are_searched_one_hit_each() -> None:
    (query, rerank), (pages, _) = asked("search", "cache", {"rerank": False}), asked("pages", "cache", {})
    assert (query.one_per_page, pages.one_per_page, rerank) == (False, True, False)
