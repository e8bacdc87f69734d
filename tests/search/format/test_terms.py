from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.search.format.terms import (
    JOINTS,
    LONGEST_TERM,
    Language,
    bounded,
    cut,
    has_forms,
    heading_term,
    index_terms,
    pieces,
    plain,
    written_terms,
)
from infograph.text.language import stemmer, stop_words

AssertLinear = Callable[..., None]

FIXTURE = json.loads((Path(__file__).parents[2] / "fixtures" / "search-terms.json").read_text("utf-8"))
ENGLISH = Language(FIXTURE["language"], stemmer(FIXTURE["language"]), frozenset(FIXTURE["stop_words"].split()))
CHINESE = Language("zh", str)


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


@given(st.text() | st.text(alphabet="aB_-.:'’ é\u0301\u0e3f日・x1<=\u0338\u0335\uff1d\u037e", max_size=30))
def test_the_terms_of_a_text_are_those_of_its_pieces(text: str) -> None:
    cuts = [piece.decode() for piece in pieces(text).split()]
    assert [found for piece in cuts for found in cut(piece, ENGLISH)] == list(cut(text, ENGLISH))
    assert [found for piece in cuts for found in cut(piece.strip(JOINTS), ENGLISH)] == list(cut(text, ENGLISH))


@pytest.mark.parametrize("spelling", ["JsonSerializerContext", "json_serializer_context", "json-serializer-context"])
def test_an_identifier_is_found_by_every_spelling_and_by_its_parts(spelling: str) -> None:
    counts = Counter(index_terms(plain(f"Call `{spelling}` first"), ENGLISH))
    for query in ("JsonSerializerContext", "json_serializer_context", "json serializer context"):
        assert all(found.whole in counts for found in cut(query, ENGLISH))


def test_what_a_page_does_not_show_is_not_searched() -> None:
    text = "[seen](https://hidden.example/path) <b class='hidden'>bold</b> <!-- hidden --> Vec<String> a < b"
    assert plain(text).split() == ["[seen]", "bold", "Vec<String>", "a", "<", "b"]


@pytest.mark.parametrize("unit", ["<a", "](", "<!--", "a.", "_", "'"])
def test_a_long_text_without_ends_is_cut_in_linear_time(unit: str, assert_linear: AssertLinear) -> None:
    assert_linear(lambda size: Counter(index_terms(plain(unit * size), ENGLISH)))


@given(st.text(alphabet="日本語テ한글ga <-é", max_size=20), st.sampled_from("日本語한글"))
def test_a_character_that_is_a_word_is_found_wherever_it_stands(text: str, character: str) -> None:
    """By a query of it alone; how often, the index knows."""
    [asked] = cut(character, CHINESE)
    assert Counter(index_terms(plain(text), CHINESE))[asked.whole] == text.count(character)


@given(st.text(alphabet="日本テกa é", max_size=20), st.sampled_from([CHINESE, ENGLISH]))
def test_all_else_in_the_index_are_the_terms(text: str, language: Language) -> None:
    found = Counter(index_terms(text, language))
    found.subtract(term for terms in cut(text, language) for term in (terms.whole, *terms.parts) if term)
    assert min(found.values(), default=0) >= 0
    assert set(+found) <= ({"日", "本"} if language is CHINESE else set())


@given(st.text() | st.text(alphabet="aB-.' é\u0301日本テ한x1<", max_size=30))
def test_the_index_has_the_same_of_a_text_and_of_its_pieces(text: str) -> None:
    of_pieces = Counter(term for piece in pieces(text).split() for term in index_terms(piece.decode(), CHINESE))
    assert Counter(index_terms(text, CHINESE)) == of_pieces


@pytest.mark.parametrize(("parts", "has_whole"), [(1, True), (2, True), (8, True), (9, False)])
def test_a_whole_has_so_many_parts(parts: int, has_whole: bool) -> None:
    words = [f"{chr(97 + n) * 2}1" for n in range(parts)]
    [found] = cut("_".join(words), ENGLISH)
    assert found.whole == ("".join(words) if has_whole else "")
    assert list(found.parts) == (words if parts > 1 else [])


@pytest.mark.parametrize(("length", "is_term"), [(LONGEST_TERM, True), (LONGEST_TERM + 1, False)])
def test_a_term_is_no_longer_than_its_limit(length: int, is_term: bool) -> None:
    word = "1" * length
    assert [found.whole for found in cut(word, ENGLISH)] == ([word] if is_term else [])
    [found] = cut(f"{word[:-2]}_11", ENGLISH)
    assert found.whole == (word if is_term else "")


@pytest.mark.parametrize(("marks", "kept"), [(127, 127), (128, 128), (129, 128), (500, 128)])
def test_the_longest_runs_of_marks_are_cut(marks: int, kept: int) -> None:
    text = "a" + "\u0301" * marks + "b" + "\u0301" * 3
    assert bounded(text) == "a" + "\u0301" * kept + "b" + "\u0301" * 3
    assert bounded("\u0301" * marks) == "\u0301" * kept
    assert bounded("a" * 1000) == "a" * 1000


@pytest.mark.parametrize("mark", ["\u0300", "\u0338", "\u0e31", "\ufe0f"])
def test_a_mark_is_part_of_its_word(mark: str) -> None:
    assert [found.whole for found in cut(f"q{mark}z", CHINESE)] != ["q", "z"]
    assert b"".join(pieces(f"q{mark}z, b").split()).decode() == f"q{mark}zb"


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("東", [("東", [])]),
        ("東京", [("東京", [])]),
        ("東京タ", [("東京", []), ("京タ", [])]),
        ("x東京y", [("x", []), ("東京", []), ("y", [])]),
        ("aB_cD", [("abcd", ["ab", "cd"])]),
        ("getItem_x", [("getitemx", ["getitem", "get", "item"])]),
        ("HTTPServer", [("httpserver", ["http", "server"])]),
        ("x_y", [("xy", [])]),
        ("dog's", [("dog", [])]),
        ("o'clock", [("oclock", [])]),
        ("x86_64 v2", [("x8664", ["x86", "64"]), ("v2", [])]),
        ("the the_cache", [("thecach", ["cach"])]),
        ("İstanbul", [("istanbul", [])]),
        ("a.b::c-d", [("abcd", [])]),
    ],
)
def test_terms_to_the_letter(text: str, terms: list[tuple[str, list[str]]]) -> None:
    assert [(found.whole, list(found.parts)) for found in cut(text, ENGLISH)] == terms


def test_an_apostrophe_stands_between_words_in_some_languages() -> None:
    for name, expected in (("fr", ["l", "eau"]), ("it", ["l", "eau"]), ("ca", ["l", "eau"]), ("en", ["leau"])):
        assert [found.whole for found in cut("l'eau", Language(name, str))] == expected


def test_terms_that_are_stems_have_forms() -> None:
    assert [has_forms(term) for term in ("cach", "x86", "東京", "naïv")] == [True, False, False, True]
    assert written_terms("Caches x86 東京 the", ENGLISH) == [("cach", "caches"), ("x86", "x86"), ("東京", "東京")]
    assert Language("en", str).stop_words == frozenset()


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("How it works", ":how:it:work"),
        ("  how IT works?", ":how:it:work"),
        ("What a build takes", ":what:a:build:take"),
        ("Why isn't it", ":whi:isnt:it"),
        ("Why isn’t it", ":whi:isnt:it"),
        ("Ｈow it works", ":how:it:work"),
        ("How", ":how"),
        ("Build", ""),
        ("Clear the cache", ""),
        ("fooBar", ""),
        ("the the build build", ""),
        ("?!", ""),
        ("", ""),
        ("the " * 20, ""),
    ],
)
def test_a_heading_of_common_words_gives_a_term_by_itself(text: str, term: str) -> None:
    common = frozenset(word.replace("'", "") for word in stop_words("en"))
    assert heading_term(text, Language("en", stemmer("en"), common)) == term


@given(st.text())
def test_the_term_of_a_heading_is_like_no_other(text: str) -> None:
    term = heading_term(text, ENGLISH)
    assert not term or (term.startswith(":") and len(term) <= LONGEST_TERM and "\n" not in term and " " not in term)
    assert not any(found.whole.startswith(":") for found in cut(text, ENGLISH))


def test_in_french_an_apostrophe_parts_the_words_of_a_heading() -> None:
    french = Language("fr", str, frozenset(("qu", "est", "ce", "que", "c")))
    assert heading_term("Qu'est-ce que c'est", french) == ":qu:est-ce:que:c:est"
