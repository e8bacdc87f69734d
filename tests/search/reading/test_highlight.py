"""The spans of a text that give a term of a query."""

from __future__ import annotations

from itertools import pairwise

import pytest

from infograph.search.format.terms import Language
from infograph.search.reading.highlight import spans


@pytest.mark.parametrize(
    ("query", "text", "marked"),
    [
        ("", "the cache", []),
        ("the", "the cache", []),
        ("cache", "Caches and caching, no cached.", ["Caches", "caching", "cached"]),
        (
            "JsonSerializer",
            "a json-serializer, JsonSerializer and a serializer",
            ["json-serializer", "JsonSerializer", "serializer"],
        ),
        ("serializer", "JsonSerializerContext", ["Serializer"]),
        ("json serializer", "JsonSerializerContext", ["JsonSerializer"]),
        ("state", "a use.state.use::state", ["state", "state"]),
        ("東京", "x東京タワー東", ["東京"]),
        ("東京タ", "x東京タワー東", ["東京タ"]),
        ("京", "x東京タワー東", ["京"]),
    ],
)
def test_what_is_marked(language: Language, query: str, text: str, marked: list[str]) -> None:
    found = spans(query, text, language)
    assert [text[start:end] for start, end in found] == marked
    assert found == sorted(found)
    assert all(before[1] < after[0] for before, after in pairwise(found))


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [
        ("cache", "cache", [(0, 5)]),
        ("cache", " cache", [(1, 6)]),
        ("cache remove", "cache-remove x cache", [(0, 5), (6, 12), (15, 20)]),
        ("x86", "a x86_64", [(2, 5)]),
        ("state", "useState setState", [(3, 8), (12, 17)]),
        ("ab bc", "ab.bc", [(0, 2), (3, 5)]),
        ("load state", "loadState", [(0, 9)]),
        ("東京 京タ", "東京タ", [(0, 3)]),
        ("東京 ワー", "東京タワー", [(0, 2), (3, 5)]),
        ("東", "東 東", [(0, 1), (2, 3)]),
        ("東京 cache", "cache東京cache", [(0, 12)]),
        ("aa", "a_aa aa_a", [(2, 4), (5, 7)]),
        ("東京 京タ", "東京 東京タ", [(0, 2), (3, 6)]),
    ],
)
def test_where_it_is_marked(language: Language, query: str, text: str, found: list[tuple[int, int]]) -> None:
    assert spans(query, text, language) == found
