"""Completion, and the stems of a language whose stemmer is not at hand."""

from __future__ import annotations

import json
import zlib
from bisect import bisect_left
from collections.abc import Callable
from itertools import pairwise

import pytest

from infograph.errors import ConfigError
from infograph.search.format.bundle_manifest import read_manifest
from infograph.search.format.results import Remarks
from infograph.search.format.search_space import load_space
from infograph.search.format.terms import Language
from infograph.search.reading.reader import Reader
from infograph.search.reading.words import DictionaryRow, _beginning, _between, bare, files_of, known_of
from infograph.search.writing.bundle import bundle
from infograph.search.writing.page_index import PageIndex
from infograph.text.language import stemmer

Files = dict[str, bytes]
WORDS = "zone zoned zoning zonal zoot zoom zap zapping naïveté straße x86 x86_64 configurations"


@pytest.fixture(scope="module")
def files(make_page: Callable[..., PageIndex], language: Language) -> Files:
    pages = [make_page("a.md", 1, WORDS), make_page("b.md", 2, "zoom")]
    return dict(bundle(pages, language, load_space()).files)


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


def made_of(make_page: Callable[..., PageIndex], language: Language, words: str) -> Files:
    return dict(bundle([make_page("a.md", 1, words)], language, load_space()).files)


def test_a_prefix_may_be_as_long_as_a_term(make_page: Callable[..., PageIndex], language: Language) -> None:
    long = "z" * 63 + "q"
    reader = Reader(made_of(make_page, language, long).__getitem__, stemmer)
    assert reader.complete(long) == [(long, 1)]
    assert reader.complete("zz", 0) == []


def test_a_word_of_three_letters_is_no_form_of_one_of_two(
    make_page: Callable[..., PageIndex], language: Language
) -> None:
    reader = Reader(made_of(make_page, language, "zo zap").__getitem__, none)
    assert list(reader.entries("zox")) == []
    assert list(reader.entries("zap")) == ["zap"]
    assert list(reader.entries("zo")) == ["zo"]


LAST = "\U0010ffff"
"""Behind every sign of a term."""


@pytest.mark.slow
def test_of_several_files_those_with_the_prefix_are_read(
    make_page: Callable[..., PageIndex], language: Language
) -> None:
    files = made_of(make_page, language, " ".join(f"{chr(97 + n % 26)}{n:x}zq" for n in range(6000)))
    manifest = json.loads(files["manifest.json"])
    directory = json.loads(zlib.decompress(files[manifest["dictionary"]["directory"]]))
    rows_of = {name: json.loads(zlib.decompress(files[name])) for _, name in directory}
    rows = [row for _, name in directory for row in rows_of[name]]
    assert len(directory) > 4
    firsts = [begin for begin, _ in directory]
    lasts = [before[0] for before, row in pairwise(rows) if row[0] in firsts]
    terms = [*firsts, *lasts, *(row[0] for row in rows[::977])]
    parsed = read_manifest(files["manifest.json"])
    own_terms = {name: [row[0] for row in own] for name, own in rows_of.items()}
    for prefix in {prefix for term in terms for prefix in (term, term[:3], term[:2])}:
        having = {}
        for name, own in rows_of.items():
            first, after = (bisect_left(own_terms[name], end) for end in (prefix, prefix + LAST))
            having[name] = [(term, chunks) for term, chunks, *_ in own[first:after]]
            assert all(term.startswith(prefix) for term, _ in having[name])
        fetched: list[str] = []

        def fetch(name: str, fetched: list[str] = fetched) -> bytes:
            fetched.append(name)
            return files[name]

        found = Reader(fetch, stemmer)._answer(
            lambda remarks, prefix=prefix: _between(parsed, prefix, prefix, remarks)  # type: ignore[misc]
        )
        assert {row.term for row in found} == {term for own in having.values() for term, chunks in own if chunks}
        # From each file's first term to the next one's, which only a term that is there can tell apart.
        reaching = zip(directory, [*firsts[1:], None], strict=True)
        may_hold = {name for (begin, name), end in reaching if begin < prefix + LAST and (end is None or end >= prefix)}
        assert (
            {name for name in fetched if name.startswith("w")} == may_hold >= {name for name in having if having[name]}
        )


@pytest.mark.parametrize(
    ("contents", "files", "rows"),
    [
        ([["a", "w-1"]], [("a", "w-1")], None),
        ([["a", "w-1", 7]], [("a", "w-1")], None),
        ([["a", 3]], None, [DictionaryRow("a", 3)]),
        ([["a", 3, "s"]], None, [DictionaryRow("a", 3, "s")]),
        ([["a", 3, "s", "more"]], None, [DictionaryRow("a", 3, "s")]),
        ([], [], []),
        ([["a"]], None, None),
        ([[]], None, None),
        (["ab"], None, None),
        ([["a", 3, 4]], None, None),
        ([[3, 3]], None, None),
        ({"a": 3}, None, None),
        ("text", None, None),
        (None, None, None),
        ([["a", "w-1"], None], None, None),
    ],
)
def test_rows_of_a_dictionary_are_sound_or_none(contents: object, files: object, rows: object) -> None:
    for read, expected in ((files_of, files), (known_of, rows)):
        remarks = Remarks()
        found = read("n-1.z", contents, remarks)
        assert found == ([] if expected is None else expected)
        assert remarks.missing == ({"n-1.z": "not rows of a dictionary"} if expected is None else {})


def test_the_form_that_was_begun_is_shown_or_the_most_frequent() -> None:
    assert _beginning(["caches", "cache", "caching"], "cachi") == "caching"
    assert _beginning(["caches", "cache"], "x") == "caches"
    assert DictionaryRow("cach", 3, "e es").forms == ["cache", "caches"]
    assert DictionaryRow("cach", 3).forms == ["cach"]
