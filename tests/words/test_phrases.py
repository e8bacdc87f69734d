"""Words of a text and those that stand beside each other, by whichever twin runs."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from infograph.words import pure
from infograph.words.phrases import CLASSED, Phrases, classes
from infograph.words.twins import compounds

PHRASES = Phrases(["the", "of", "don't"])


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("", ""),
        ("cache", "cache"),
        ("the cache of files", "cache\nfiles"),
        ("cache *files* here", "cache files here"),
        ("cache, files\nhere", "cache\nfiles here"),
        ("cache\n\nfiles\n* here", "cache\nfiles\nhere"),
        ("cache 3rd files x here", "cache\nfiles\nhere"),
        ("re-render don't it's", "re-render\nit's"),
        ("naïve café — menu", "naïve café\nmenu"),
        ("設定 ファイル read files", "設定 ファイル read files"),
        ("crab 🦀 read files", "crab\nread files"),
    ],
)
def test_words_and_what_stands_beside_them(text: str, runs: str) -> None:
    assert PHRASES.of(text) == PHRASES.found(text) == runs


def test_a_language_without_stop_words_has_phrases() -> None:
    assert Phrases(()).of("the cache") == "the cache"


@pytest.mark.parametrize(
    ("runs", "found"),
    [
        ("", ""),
        ("cache", ""),
        ("cache\nfiles", ""),
        (
            "cache files\nnaïve\nread files here now",
            "cache files|read files|files here|here now|read files here|files here now",
        ),
    ],
)
def test_compounds_are_pairs_and_then_triples(runs: str, found: str) -> None:
    assert compounds(runs) == pure.compounds(runs) == found.replace("|", "\n")


def test_classes_of_characters_are_those_of_regular_expressions() -> None:
    known = classes()
    for bit, pattern in enumerate((r"[^\W\d_]", r"\w", r"\d", r"\s", r"[^\W_]")):
        classed = zip(chain.from_iterable(CLASSED), known, strict=True)
        wrong = [code for code, bits in classed if bool(bits >> bit & 1) != bool(re.match(pattern, chr(code)))]
        assert wrong == []
