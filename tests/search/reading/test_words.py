"""Completion, and the stems of a language whose stemmer is not at hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from infograph.errors import ConfigError
from infograph.search.format.term_table import load_table
from infograph.search.format.terms import Language
from infograph.search.reading.reader import Reader
from infograph.search.reading.words import bare
from infograph.search.writing.bundle import bundle
from infograph.search.writing.page_index import PageIndex
from infograph.text.language import stemmer

Files = dict[str, bytes]
WORDS = "zone zoned zoning zonal zoot zoom zap zapping naïveté straße x86 x86_64 configurations"


@pytest.fixture(scope="module")
def files(make_page: Callable[..., PageIndex], language: Language) -> Files:
    pages = [make_page("a.md", 1, WORDS), make_page("b.md", 2, "zoom")]
    return dict(bundle(pages, language, load_table()).files)


def none(language: str) -> Callable[[str], str]:
    raise ConfigError("search.language", f"no stemmer for {language}")


def test_words_come_in_the_order_of_their_chunks_and_then_of_their_terms(files: Files) -> None:
    reader = Reader(files.__getitem__, stemmer)
    assert reader.complete("zo") == [("zoom", 3), ("zonal", 1), ("zone", 1), ("zoot", 1)]
    assert reader.complete("zo", 2) == [("zoom", 3), ("zonal", 1)]
    assert reader.complete("zo", -1) == []
    assert reader.complete("z" * 65) == []


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("zap", "zap"),
        ("zaps", "zap"),
        ("zäp", "zap"),
        ("configuring", "configur"),
        ("zo", "zo"),
        ("zoomifications", "zoomifications"),
        ("x86ing", "x86ing"),
        ("straßenbahn", "straßenbahn"),
    ],
)
def test_without_a_stemmer_a_word_is_the_longest_term_that_it_begins_with(files: Files, word: str, stem: str) -> None:
    reader = Reader(files.__getitem__, none)
    found = reader.entries(word)
    assert list(found) == ([stem] if stem not in ("zo", "zoomifications", "x86ing", "straßenbahn") else [])
    assert reader.notes == ['no stemmer for "en" is at hand: words are matched by their beginnings']


@pytest.mark.parametrize(
    ("word", "plain"), [("naïveté", "naivete"), ("Øre", "Øre"), ("straße", "strasse"), ("łódź", "lodz"), ("e", "e")]
)
def test_marks_are_removed(word: str, plain: str) -> None:
    assert bare(word) == plain
