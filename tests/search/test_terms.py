from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.search.page import term_counts
from infograph.search.terms import LONGEST_TERM, Language, cut, pieces, plain
from infograph.topic.language import stemmer

FIXTURE = json.loads((Path(__file__).parents[1] / "fixtures" / "search-terms.json").read_text("utf-8"))
ENGLISH = Language(FIXTURE["language"], stemmer(FIXTURE["language"]), frozenset(FIXTURE["stop_words"].split()))


@pytest.mark.parametrize("case", FIXTURE["cases"], ids=lambda case: case["text"][:30])
def test_vectors_that_every_reader_shares(case: dict[str, object]) -> None:
    assert [[found.whole, list(found.parts)] for found in cut(str(case["text"]), ENGLISH)] == case["terms"]


@given(st.text())
def test_terms_are_never_empty_long_or_upper_case(text: str) -> None:
    for found in cut(text, ENGLISH):
        assert found.whole or found.parts
        for term in filter(None, (found.whole, *found.parts)):
            assert len(term) <= LONGEST_TERM + 3  # a stemmer may write a letter in two, lower case may as well
            assert term == term.lower()


@given(st.text(alphabet="aB_-.:' é日本x1", max_size=30))
def test_a_text_is_cut_the_same_inside_of_a_longer_one(text: str) -> None:
    alone = list(cut(text, ENGLISH))
    assert list(cut(f"{text} \n {text}", ENGLISH)) == alone + alone


@given(st.text() | st.text(alphabet="aB_-.:'’ é\u0301\u0e3f日・x1<", max_size=30))
def test_the_terms_of_a_text_are_those_of_its_pieces(text: str) -> None:
    assert [found for piece in pieces(text) for found in cut(piece, ENGLISH)] == list(cut(text, ENGLISH))


@pytest.mark.parametrize("spelling", ["JsonSerializerContext", "json_serializer_context", "json-serializer-context"])
def test_an_identifier_is_found_by_every_spelling_and_by_its_parts(spelling: str) -> None:
    counts = term_counts(f"Call `{spelling}` first", ENGLISH)
    for query in ("JsonSerializerContext", "json_serializer_context", "json serializer context"):
        assert all(found.whole in counts for found in cut(query, ENGLISH))


def test_what_a_page_does_not_show_is_not_searched() -> None:
    text = "[seen](https://hidden.example/path) <b class='hidden'>bold</b> <!-- hidden --> Vec<String> a < b"
    assert plain(text).split() == ["[seen]", "bold", "Vec<String>", "a", "<", "b"]


def test_a_long_text_without_ends_is_cut_in_linear_time() -> None:
    for text in ("<a" * 50_000, "](" * 50_000, "<!--" * 20_000, "a." * 50_000, "_" * 100_000, "'" * 100_000):
        term_counts(text, ENGLISH)
