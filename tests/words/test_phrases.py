"""Words of a text and those that stand beside each other, by whichever twin runs."""

from __future__ import annotations

import re

import pytest

from infograph.words.phrases import Phrases, classes

PHRASES = Phrases(["the", "of", "don't"])


@pytest.mark.parametrize(
    ("text", "words", "phrases"),
    [
        ("", [], []),
        ("cache", ["cache"], []),
        ("the cache of files", ["cache", "files"], []),
        ("cache *files* here", ["cache", "files", "here"], ["cache files", "files here", "cache files here"]),
        ("cache, files\nhere", ["cache", "files", "here"], ["files here"]),
        ("cache\n\nfiles\n* here", ["cache", "files", "here"], []),
        ("cache 3rd files x here", ["cache", "files", "here"], []),
        ("re-render don't it's", ["re-render", "it's"], []),
        ("naïve café — menu", ["naïve", "café", "menu"], ["naïve café"]),
        ("設定 ファイル read files", ["設定", "ファイル", "read", "files"], None),
        ("crab 🦀 read files", ["crab", "read", "files"], ["read files"]),
    ],
)
def test_words_and_what_stands_beside_them(text: str, words: list[str], phrases: list[str] | None) -> None:
    found = PHRASES.of(text)
    assert found[0].split("\n") == (words or [""])
    if phrases is not None:
        assert found[1].split("\n") == (phrases or [""])


def test_a_language_without_stop_words_has_phrases() -> None:
    assert Phrases(()).of("the cache") == ("the\ncache", "the cache")


def test_classes_of_characters_are_those_of_regular_expressions() -> None:
    known = classes()
    for bit, pattern in enumerate((r"[^\W\d_]", r"\w", r"\d", r"\s", r"[^\W_]")):
        wrong = [code for code, bits in enumerate(known) if bool(bits >> bit & 1) != bool(re.match(pattern, chr(code)))]
        assert wrong == []
