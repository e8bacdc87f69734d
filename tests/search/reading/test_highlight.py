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
