from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.search.format.forms import MOST_FORMS, decode_forms, letters, pair, written

WORDS = st.text("abcäй\U00010428", min_size=1, max_size=12)


def endings(term: str, forms: list[str]) -> str:
    """What stands with a term that has these forms, the most frequent first."""
    pairs = sorted((pair(term, form), len(forms) - place) for place, form in enumerate(forms))
    return written([text for text, _ in pairs], [times for _, times in pairs])[term]


@given(WORDS, st.lists(WORDS, min_size=1, max_size=MOST_FORMS, unique=True))
def test_forms_are_read_as_they_were_written(term: str, forms: list[str]) -> None:
    assert decode_forms(term, endings(term, forms)) == forms


@pytest.mark.parametrize(
    ("term", "forms", "ends"),
    [
        ("cach", ["cache", "caches"], "e es"),
        ("librari", ["library", "libraries"], "1y es"),
        ("schema", ["schema", "schemas"], " s"),
        ("schema", ["schema"], ""),
        ("knjig", ["књига"], "5књига"),
    ],
)
def test_what_is_written_is_the_end(term: str, forms: list[str], ends: str) -> None:
    assert endings(term, forms) == ends


def test_a_term_without_endings_is_written_as_itself() -> None:
    assert decode_forms("schema", "") == ["schema"]


@given(st.text("0123456789 ab", max_size=20))
def test_any_endings_can_be_read(endings: str) -> None:
    assert len(decode_forms("term", endings)) == endings.count(" ") + 1


def test_the_most_frequent_forms_are_kept_the_shortest_of_equals_first() -> None:
    pairs = [*sorted(pair("a", "a" * number) for number in range(1, 12)), pair("b", "bs")]
    times = [5 if text == pair("a", "aaa") else 1 for text in pairs]
    found = {term: decode_forms(term, ends) for term, ends in written(pairs, times).items()}
    assert found == {"a": ["aaa", "a", "aa", *("a" * number for number in range(4, 9))], "b": ["bs"]}
    assert len(found["a"]) == MOST_FORMS


def test_the_letters_of_a_site() -> None:
    terms = ["naïve", "cafe\u0301", "東京", "тест", "x86", "use_state"]
    assert letters(terms) == "".join(sorted(set("naïvecafe\u0301тестxusestate")))
    assert letters(["".join(map(chr, range(0x400, 0x450)))] + ["abc"] * 2) == "abc" + "".join(
        map(chr, range(0x400, 0x43D))
    )
    assert letters([]) == ""


@pytest.mark.parametrize(
    ("term", "form", "text"),
    [
        ("abcdefghijkl", "x", "abcdefghijkl 12x"),
        ("abcdefghijkl", "abx", "abcdefghijkl 10x"),
        ("abcdefghijkl", "abc", "abcdefghijkl 9"),
        ("abc", "abc", "abc "),
        ("abc", "abcd", "abc d"),
        ("abc", "abd", "abc 1d"),
    ],
)
def test_a_pair_takes_away_and_adds(term: str, form: str, text: str) -> None:
    assert pair(term, form) == text
    assert decode_forms(term, text.partition(" ")[2]) == [form]


def test_no_more_is_taken_away_than_there_is() -> None:
    assert decode_forms("term", "9x 4y 3z 99") == ["x", "y", "tz", ""]
    assert decode_forms("term", "123") == ["3"], "two digits at most"


def test_of_forms_as_frequent_and_as_long_the_first_by_its_ending_comes_first() -> None:
    assert written(["a b", "a c", "a 1z"], [2, 2, 2]) == {"a": "1z b c"}
    assert written(["a b", "a c", "b "], [1, 2, 1]) == {"a": "c b", "b": ""}


def test_letters_are_the_most_frequent_ones_and_of_equals_the_first() -> None:
    many = "".join(map(chr, range(0x400, 0x441)))  # one more than are kept
    assert letters([many]) == many[:64]
    assert letters([many, many[64]]) == many[:63] + many[64]
    assert letters(["1 a-b_c²"]) == "abc"
