"""What a search does with words that the site does not have."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.search.format.term_table import load_table
from infograph.search.format.terms import Language
from infograph.search.reading.reader import Reader
from infograph.search.reading.slips import MOST_CORRECTED, SHORTEST, as_meant
from infograph.search.writing.bundle import bundle
from infograph.search.writing.page_index import PageIndex
from infograph.search.writing.shards import DICTIONARY_TERMS
from infograph.text.language import stemmer

Files = dict[str, bytes]

WORDS = (
    "responses",
    "configuration",
    "middleware",
    "dependency",
    "authentication",
    "path",
    "paths",
    "parameters",
    "schema",
    "Response",
    "useEffect",
    "JsonSerializerContext",
    "operation",
    "наука",
    "naïve",
    "x86",
    "東京タワー",
)
FILLERS = [f"{chr(97 + n % 26)}{n:x}zq" for n in range(8 * DICTIONARY_TERMS)]
"""So that the dictionary has several files."""


def made_of(make_page: Callable[..., PageIndex], language: Language, words: tuple[str, ...]) -> Files:
    pages = [make_page(f"page-{number}.md", 1, " ".join(words)) for number in range(3)]
    pages.append(make_page("fillers.md", 1, " ".join(FILLERS)))
    return dict(bundle(pages, language, load_table()).files)


@pytest.fixture(scope="module")
def files(make_page: Callable[..., PageIndex], language: Language) -> Files:
    return made_of(make_page, language, WORDS)


@pytest.fixture
def reader(files: Files) -> Reader:
    return Reader(files.__getitem__, stemmer)


def slips(word: str, letters: str = "abcdefghijklmnopqrstuvwxyz") -> list[str]:
    """Every one of a word."""
    found = [word[:at] + letter + word[at:] for at in range(len(word) + 1) for letter in letters]
    found += [word[:at] + letter + word[at + 1 :] for at in range(len(word)) for letter in letters]
    found += [word[:at] + word[at + 1 :] for at in range(len(word))]
    found += [word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)]
    return sorted({slip for slip in found if slip != word})


@pytest.mark.parametrize("every", [17, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("word", ["responses", "middleware", "authentication", "schema", "path", "наука"])
def test_a_slip_of_a_word_has_it_among_its_corrections(reader: Reader, word: str, every: int) -> None:
    """Wherever the slip is, and whatever inflection hides of the word."""
    stem = stemmer("en")
    for slip in slips(word, "abcdefghijklmnopqrstuvwxyz" if word.isascii() else "наук")[::every]:
        if stem(slip) != stem(word) and len(slip) >= SHORTEST and not reader.entries(slip, exact=True):
            assert word in dict(reader.correct(slip, 100)), slip


@pytest.mark.parametrize(
    ("typed", "corrected", "terms"),
    [
        ("resposne", {"resposne": "response"}, ["respons"]),
        ("rseponses", {"rseponses": "responses"}, ["respons"]),
        ("onfiguration", {"onfiguration": "configuration"}, ["configur"]),
        ("xiddleware", {"xiddleware": "middleware"}, ["middlewar"]),
        ("dependnecy of schemaa", {"dependnecy": "dependency", "schemaa": "schema"}, ["depend", "schema"]),
        ("useEfect", {"useefect": "useeffect"}, ["useeffect"]),  # a compound as a whole
        ("schema_operatoin", {"operatoin": "operation"}, ["schema", "oper"]),  # or else by its parts
        ("zzzzzzzz", {}, []),
    ],
)
def test_a_word_that_the_site_does_not_have_is_searched_as_the_nearest(
    reader: Reader, typed: str, corrected: dict[str, str], terms: list[str]
) -> None:
    assert list(reader.entries(typed)) == terms
    assert reader.corrected == corrected
    assert not reader.missing
    hits = reader.search(typed, 3)
    assert reader.corrected == corrected and bool(hits) is bool(terms)


@pytest.mark.parametrize(
    ("typed", "corrected"),
    [("retrive", "retrieve"), ("hach", None), ("chache", "cache"), ("cach", None), ("libary", "library")],
)
def test_only_words_that_the_site_writes_are_shown(
    typed: str, corrected: str | None, make_page: Callable[..., PageIndex], language: Language
) -> None:
    pages = [make_page("page.md", 1, "retrieve retrieved retrieves cache caches library libraries libraries")]
    reader = Reader(dict(bundle(pages, language, load_table()).files).__getitem__, stemmer)
    reader.entries(typed)
    assert reader.corrected == ({typed: corrected} if corrected else {})
    words = ["retrieve", "retrieved", "retrieves", "cache", "caches", "library", "libraries"]
    assert all(word in words for word, _ in [*reader.correct("librari"), *reader.complete("librari")])
    assert reader.complete("librar")[0][0] == "libraries"  # the most frequent form
    assert reader.complete("library")[0][0] == "library"  # what was begun


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("munchen", "münchen"),
        ("resumee", "résumée"),
        ("genéralite", "généralité"),
        ("cafeteria", "cafetería"),
        ("oeuvre", "œuvre"),
        ("manœuvre", "manoeuvre"),
        ("strasse", "straße"),
        ("smorrebrod", "smørrebrød"),
        ("siklik", "sıklık"),
        ("lodzki", "łódzki"),
    ],
)
def test_a_word_that_differs_in_marks_alone_is_the_likeliest(
    typed: str, meant: str, make_page: Callable[..., PageIndex], language: Language
) -> None:
    """However many marks, and however frequent others are."""
    others = " ".join(slip for slip in slips(typed)[::20])
    pages = [make_page(f"page-{number}.md", 1, others) for number in range(20)]
    pages += [make_page("marked.md", 1, meant), make_page("fillers.md", 1, " ".join(FILLERS))]
    reader = Reader(dict(bundle(pages, language, load_table()).files).__getitem__, stemmer)
    reader.entries(typed)
    assert reader.corrected == {typed: meant}
    assert reader.correct(typed)[0] == (meant, 1)


@pytest.mark.parametrize("typed", ["spring", "unity", "temporal", "stripe", "prefect"])
def test_a_word_of_the_language_is_no_slip(typed: str, make_page: Callable[..., PageIndex], language: Language) -> None:
    pages = [make_page("page.md", 1, "string unit temporary strip perfect spying")]
    reader = Reader(dict(bundle(pages, language, load_table()).files).__getitem__, stemmer)
    reader.entries(typed)
    assert not reader.corrected
    assert reader.correct(typed) or typed == "temporal"  # who asks is told


@pytest.mark.parametrize(
    ("typed", "meant"), [("discusion", "discussion"), ("runing", "running"), ("comunicating", "communicating")]
)
def test_a_slip_whose_stem_is_that_of_a_word_of_the_language_is_one(
    typed: str, meant: str, make_page: Callable[..., PageIndex], language: Language
) -> None:
    pages = [make_page("page.md", 1, "discussion running communicating")]
    reader = Reader(dict(bundle(pages, language, load_table()).files).__getitem__, stemmer)
    reader.entries(typed)
    assert reader.corrected == {typed: meant}


@pytest.mark.parametrize("query", ["publshing publshed", "publshed publshing"])
def test_of_words_with_one_stem_each_may_be_the_slip(
    query: str, make_page: Callable[..., PageIndex], language: Language
) -> None:
    pages = [make_page("page.md", 1, "publishing"), make_page("other.md", 1, "running")]
    reader = Reader(dict(bundle(pages, language, load_table()).files).__getitem__, stemmer)
    assert reader.entries(query)
    assert reader.corrected == {"publshing": "publishing"}


def test_a_query_as_meant_has_the_words_that_are_searched_for() -> None:
    corrected = {"pubilsh": "publish", "cahce": "cache"}
    assert as_meant("How do I Pubilsh (cahce)? constructor", corrected) == "How do I publish (cache)? constructor"


@pytest.mark.parametrize("typed", ["whst", "thee", "abouut", "theyr", "fron"])
def test_every_slip_of_a_stop_word_is_left(typed: str, make_page: Callable[..., PageIndex], language: Language) -> None:
    pages = [make_page("page.md", 1, "whit whist thew aboutt theory front frog")] + [
        make_page(f"page-{number}.md", 3) for number in range(20)
    ]
    reader = Reader(dict(bundle(pages, language, load_table()).files).__getitem__, stemmer)
    assert not reader.entries(typed, exact=True)
    reader.entries(typed)
    assert not reader.corrected


@pytest.mark.parametrize("typed", ["pat", "pth", "x85", "y86", "tset1", "the", "thsi", "abuot", "東京タウー", "", "…"])
def test_what_is_too_short_or_has_digits_or_is_a_slip_of_a_stop_word_is_left(reader: Reader, typed: str) -> None:
    assert reader.entries(typed) == reader.entries(typed, exact=True)
    assert reader.corrected == {}


def test_who_asks_for_the_words_as_they_are_gets_them(reader: Reader) -> None:
    assert reader.entries("resposne", exact=True) == {} and reader.search("resposne", exact=True) == []
    assert reader.corrected == {}


@given(st.lists(st.sampled_from([*WORDS, "cache", "servers", "remove"]), max_size=5).map(" ".join))
def test_a_word_that_the_site_has_is_never_changed(files: Files, query: str) -> None:
    reader = Reader(files.__getitem__, stemmer)
    assert reader.entries(query) == reader.entries(query, exact=True)
    assert reader.corrected == {}


@given(st.text(max_size=60))
def test_any_query_is_searched_for(files: Files, query: str) -> None:
    reader = Reader(files.__getitem__, stemmer)
    assert reader.entries(query).keys() >= reader.entries(query, exact=True).keys()
    assert not reader.missing


def test_the_word_in_the_most_chunks_is_the_best_and_a_lost_letter_likelier_than_a_wrong_one(
    make_page: Callable[..., PageIndex], language: Language
) -> None:
    extras = ["stamp", "stamp", "stomp", "stomp", "stomp", "strump"]
    pages = [make_page(f"page-{number}.md", 1, word) for number, word in enumerate(extras)]
    reader = Reader(dict(bundle(pages, language, load_table()).files).__getitem__, stemmer)
    assert reader.correct("stimp") == [("stomp", 3), ("stamp", 2)]
    assert reader.correct("stump") == [("strump", 1), ("stomp", 3), ("stamp", 2)]
    assert reader.correct("stump", 1) == [("strump", 1)]


def test_a_long_query_of_slips_is_corrected_in_part(reader: Reader) -> None:
    typed = sorted(slip for slip in slips("middleware") if not reader.entries(slip, exact=True))[: 2 * MOST_CORRECTED]
    reader.entries(" ".join(typed))
    assert len(reader.corrected) == MOST_CORRECTED


def test_a_slip_takes_a_few_files_of_the_dictionary(files: Files) -> None:
    fetched: list[str] = []

    def fetch(name: str) -> bytes:
        fetched.append(name)
        return files[name]

    for typed in ("resposnes", "rsponses", "authenticatio", "Middlweare"):
        fetched.clear()
        Reader(fetch, stemmer).entries(typed)
        assert 2 <= sum(name.startswith("w-") for name in fetched) <= 4
    assert sum(name.startswith("w-") for name in files) > 8


def test_where_a_file_is_missing_no_word_is_taken_for_a_slip(files: Files) -> None:
    """It may have the word."""
    whole = Reader(files.__getitem__, stemmer)
    lost = whole.manifest.postings.names[whole.manifest.postings.shard("schema")]
    reader = Reader((files | {lost: b""}).__getitem__, stemmer)
    reader.entries("schema")
    assert reader.missing and not reader.corrected


@pytest.mark.parametrize("key", ["directory", "backwards"])
def test_without_a_dictionary_a_search_answers_with_the_rest(files: Files, key: str) -> None:
    name = getattr(Reader(files.__getitem__, stemmer).manifest.dictionary, key)
    reader = Reader((files | {name: b""}).__getitem__, stemmer)
    assert "schema" in reader.entries("schema resposne")
    assert reader.missing.keys() == {name}


def test_a_bundle_of_before_has_no_corrections(files: Files) -> None:
    old = files["manifest.json"].replace(b'"backwards"', b'"other"')
    reader = Reader((files | {"manifest.json": old}).__getitem__, stemmer)
    assert reader.entries("resposne") == {} and reader.correct("resposne") == []
    assert not reader.missing and not reader.corrected


def test_words_are_compared_by_code_points(files: Files) -> None:
    reader = Reader(files.__getitem__, stemmer)
    assert list(reader.entries("нуака")) == ["наука"]
    assert reader.corrected == {"нуака": "наука"}
