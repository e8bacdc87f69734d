"""Languages: known ones work whatever else is installed, unknown ones are refused helpfully."""

import pytest

from infograph.errors import ConfigError
from infograph.text import language


@pytest.mark.parametrize("code", sorted(language.STEMMERS.keys() | language._UNSTEMMED))
def test_every_known_language_stems(code: str):
    assert isinstance(language.stemmer(code)("information"), str)
    assert isinstance(language.stop_words(code), frozenset)


def test_english_stems_are_those_of_snowball_3():
    stem = language.stemmer("en")
    assert [stem(word) for word in ("caches", "caching", "configured", "skis", "universities")] == [
        "cach",
        "cach",
        "configur",
        "ski",
        "universiti",
    ]


def test_lists_are_lower_case_and_have_straight_apostrophes():
    for words in language._STOP_WORDS.values():
        assert words == words.lower() and "’" not in words


@pytest.mark.parametrize(("name", "hint"), [("english", "Did you mean 'en'"), ("xx", "Known: ar, ca"), ("EN", "en")])
def test_unknown_language(name: str, hint: str):
    with pytest.raises(ConfigError, match=hint):
        language.stop_words(name)
