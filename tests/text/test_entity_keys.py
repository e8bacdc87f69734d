"""Keys of entities: names that differ in case, number or joints are one."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.text.entity_keys import LONGEST_KEY, MOST_WORDS, joined, key_of, words_of


@pytest.mark.parametrize(
    ("names", "key"),
    [
        (("Path parameters", "path-parameter", "PATH  PARAMETER", "path_parameters"), "path parameter"),
        (("Get-ChildItem", "get-childitems"), "get childitem"),
        (("Libraries", "library"), "library"),
        (("boxes", "Box"), "box"),
        (("classes", "class"), "class"),
        (("bus", "status", "analysis", "DNS", "gas"), None),
        (("C++",), "c++"),
        (("C#",), "c#"),
        (("Straße", "STRASSE"), "strasse"),
        (("Alice's cat", "alice cats"), "alice cat"),
        (("Café", unicodedata.normalize("NFD", "Café")), "café"),
        (("東京タワー",), "東京タワー"),
    ],
)
def test_spellings_of_one_name_share_a_key(names: tuple[str, ...], key: str | None) -> None:
    assert {key_of(name) for name in names} == ({key} if key else {name.lower() for name in names} - {"gas"} | {"gas"})


def test_what_is_no_name_has_no_key() -> None:
    assert key_of("") == key_of("—…!") == key_of("a b c d e f g") == key_of("x" * (LONGEST_KEY + 1)) == ""
    assert key_of("x" * 10**7) == ""


@given(st.text())
def test_a_key_is_found_in_the_words_of_its_name(name: str) -> None:
    key = key_of(name)
    assert key_of(key) in (key, "") or key_of(key) == joined(words_of(key))
    if key:
        assert len(key) <= LONGEST_KEY and 1 <= len(key.split(" ")) <= MOST_WORDS
        assert key == unicodedata.normalize("NFC", key)
