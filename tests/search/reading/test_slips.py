"""What a search does with words that the site does not have."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.search.format.layout import name_at
from infograph.search.format.search_space import load_space
from infograph.search.format.terms import Language
from infograph.search.reading.reader import Reader
from infograph.search.reading.slips import MOST_CORRECTED, SHORTEST, Near, _candidates, _edited, _files, as_meant
from infograph.search.reading.words import DictionaryRow, bare
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
    return dict(bundle(pages, language, load_space()).files)


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


@pytest.mark.parametrize("every", [48, pytest.param(4, marks=pytest.mark.slow)])
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
    reader = Reader(dict(bundle(pages, language, load_space()).files).__getitem__, stemmer)
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
    reader = Reader(dict(bundle(pages, language, load_space()).files).__getitem__, stemmer)
    reader.entries(typed)
    assert reader.corrected == {typed: meant}
    assert reader.correct(typed)[0] == (meant, 1)


@pytest.mark.parametrize(
    "typed", ["spring", "unity", "temporal", "stripe", "prefect", "professor", "cons", "synchronously"]
)
def test_a_word_of_the_language_is_no_slip(typed: str, make_page: Callable[..., PageIndex], language: Language) -> None:
    words = "string unit temporary strip perfect spying processor conn asynchronously"
    pages = [make_page("page.md", 1, words)]
    reader = Reader(dict(bundle(pages, language, load_space()).files).__getitem__, stemmer)
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
    reader = Reader(dict(bundle(pages, language, load_space()).files).__getitem__, stemmer)
    reader.entries(typed)
    assert reader.corrected == {typed: meant}


@pytest.mark.parametrize("query", ["publshing publshed", "publshed publshing"])
def test_of_words_with_one_stem_each_may_be_the_slip(
    query: str, make_page: Callable[..., PageIndex], language: Language
) -> None:
    pages = [make_page("page.md", 1, "publishing"), make_page("other.md", 1, "running")]
    reader = Reader(dict(bundle(pages, language, load_space()).files).__getitem__, stemmer)
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
    reader = Reader(dict(bundle(pages, language, load_space()).files).__getitem__, stemmer)
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
    reader = Reader(dict(bundle(pages, language, load_space()).files).__getitem__, stemmer)
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
    lost = name_at(whole.manifest.postings.names, whole.manifest.postings.shard("schema"))
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


def edits_by_hand(word: str, letters: str) -> dict[str, int]:
    """Every word one edit away, with the weight of the likeliest edit that comes first."""
    apart = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "ı": "i"}
    found: dict[str, int] = {}

    def add(form: str, times: int) -> None:
        if form != word:
            found.setdefault(form, times)

    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        if len(tail) > 1:
            add(head + tail[1] + tail[0] + tail[2:], 25)
        for letter in letters:
            add(head + letter + tail, 25)
        if tail:
            add(head + tail[1:], 1)
            for letter in letters:
                add(head + letter + tail[1:], 1)
            for letter in letters:
                if apart.get(letter) == tail[:2]:
                    add(head + letter + tail[2:], 25)
            if len(apart.get(tail[0], "")) == 2:
                add(head + apart[tail[0]] + tail[1:], 25)
    return found


@pytest.mark.parametrize("word", ["abc", "strasse", "straße", "aeon", "æon", "oeoe", "xx", "łodz", "abcdefgh"])
def test_edits_are_those_of_the_rule_with_their_weights(word: str) -> None:
    letters = "abxßæœøł"
    edits = list(_edited(word, letters))
    assert {edit.form: edit.times for edit in edits} == edits_by_hand(word, letters)
    assert len({edit.form for edit in edits}) == len(edits)


@pytest.mark.parametrize("word", ["abcd", "abcde", "resume"])
def test_an_edit_says_in_which_order_its_word_stands_near(word: str) -> None:
    """What differs in its second half begins alike, what differs in its first ends alike; with marks, both may."""
    half = len(word) // 2
    for edit in _edited(word, "xé"):
        at = next((n for n, (a, b) in enumerate(zip(edit.form, word, strict=False)) if a != b), len(word))
        marked = bare(edit.form) == bare(word)
        if marked:
            assert edit.begins_alike is (at > 0) and edit.ends_alike is (at < len(word) - 1 or at < half)
        else:
            assert edit.begins_alike or edit.ends_alike
            assert edit.begins_alike is not edit.ends_alike
            if at < half:
                assert edit.ends_alike or edit.form[at:] == word[at + 1 :] or at + 1 >= half
            if edit.begins_alike:
                assert at >= half - 1


def test_the_files_that_would_hold_some_terms() -> None:
    directory = [("b", "w-1"), ("m", "w-2"), ("s", "w-3")]
    assert _files(directory, ["m", "lz", "z", "s"]) == ["w-1", "w-2", "w-3"]
    assert _files(directory, ["mz", "n"]) == ["w-2"]
    assert _files(directory, ["b"]) == ["w-1"]
    assert _files(directory, ["a", ""]) == _files([], ["a"]) == []


def candidates(word: str, edits: dict[str, int], *rows: DictionaryRow, chunks: int = 10) -> list[Near]:
    known = [(form, bare(form), place, row) for row in rows for place, form in enumerate(row.forms)]
    return _candidates(word, edits, known, chunks, Language("en", lambda word: word.rstrip("s"), frozenset({"the"})))


def test_a_candidate_weighs_by_its_chunks_its_edit_and_its_place_among_forms() -> None:
    rows = [DictionaryRow("cat", 6, "s  er"), DictionaryRow("cut", 4), DictionaryRow("cot", 0)]
    found = candidates("cst", {"cats": 1, "cat": 25, "cater": 1, "cut": 1, "cot": 1}, *rows)
    assert found == [Near(75.0, "cat", "cat", 6), Near(4.0, "cut", "cut", 4)]
    assert candidates("cst", {"cats": 1, "cater": 2}, *rows) == [Near(6.0, "cats", "cat", 6)]
    assert candidates("cst", {"cater": 1}, *rows) == [Near(2.0, "cater", "cat", 6)]
    assert candidates("cst", {}, *rows) == []


def test_a_stop_word_counts_as_in_every_chunk_and_is_none_of_the_site() -> None:
    row = DictionaryRow("the", 9)
    assert candidates("thw", {"the": 25}, row) == [Near(250, "the", "the", 0)]
    assert candidates("thw", {"teh": 25}, row) == []


def test_the_word_itself_comes_before_every_edit() -> None:
    other = DictionaryRow("cut", 10)
    for row in (DictionaryRow("cat", 3), DictionaryRow("x", 0, "1cats"), DictionaryRow("cat", 0)):
        assert candidates("cats", {"cut": 25}, row, other) == [
            Near(251, "cats", "cat", 0),
            Near(250.0, "cut", "cut", 10),
        ]
    assert candidates("cats", {"cut": 25}, DictionaryRow("cat", 0, "s e"), other)[0].form == "cats"
    assert candidates("cats", {"cut": 25}, DictionaryRow("cat", 0, "e"), other) == [Near(250.0, "cut", "cut", 10)]


def test_marks_count_more_than_anything_and_ties_go_by_term_and_form() -> None:
    rows = [DictionaryRow("café", 1), DictionaryRow("cafr", 10), DictionaryRow("cafe", 2)]
    marked = candidates("cafè", {"cafr": 25}, *rows[:2])
    assert marked == [Near(float(1 << 40), "café", "café", 1), Near(250.0, "cafr", "cafr", 10)]
    twins = [DictionaryRow("b", 2), DictionaryRow("a", 2, " b"), DictionaryRow("c", 3)]
    assert [near.term for near in candidates("x", {"a": 1, "b": 1, "c": 1}, *twins)] == ["c", "a", "b"]


def test_words_of_the_shortest_and_the_longest_length_are_corrected(
    make_page: Callable[..., PageIndex], language: Language
) -> None:
    long = "qwertzuiopasdfghjklyxcvbnmqwertz"  # 32 letters
    pages = [make_page("page.md", 1, f"pqrx {long} {long}q xyz")]
    reader = Reader(dict(bundle(pages, language, load_space()).files).__getitem__, stemmer)
    for typed, meant in (("pqrz", "pqrx"), ("zyz", None), (f"{long[:-1]}y", long), (f"{long}y", None)):
        reader.entries(typed)
        assert reader.corrected == ({typed: meant} if meant else {}), typed
    assert reader.correct("pqrz", 0) == reader.correct("pqrz", -1) == []
    assert reader.correct("") == []
    assert reader.correct("other pqrz") == [("pqrx", 1)]
