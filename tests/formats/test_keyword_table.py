"""`_keywords/words.md`: what is written reads back, and a person's hand is welcome."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.errors import FormatError
from infograph.formats.keyword_table import LARGEST_SCORE, parse_words, render_words
from infograph.model import KeywordRow

_NUMBER = st.floats(min_value=0, max_value=1e300)
_SCORE = st.floats(min_value=0, max_value=LARGEST_SCORE)
_ROWS = st.lists(
    st.builds(
        KeywordRow,
        term=st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1),
        type=st.sampled_from(["word", "compound", "code"]),
        count=st.integers(min_value=0),
        header=_NUMBER,
        globality=_NUMBER,
        score=_SCORE,
        pinned=st.booleans(),
    ),
    unique_by=lambda row: row.term,
    max_size=8,
)


@given(_ROWS, st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
@settings(deadline=None)
def test_round_trip(rows: list[KeywordRow], title: str):
    data = render_words(title, rows)
    assert parse_words("words.md", data) == tuple(rows)
    assert render_words(title, rows) == data


def test_the_file():
    rows = [
        KeywordRow("build cache", "compound", 3, 1.25, 2.0, 11.25),
        KeywordRow("a|b", "code", 1, 1.0, 1.5, 1.5, True),
    ]
    lines = render_words("Caching", rows).decode().split("\n")
    assert lines[0] == "# Keywords: Caching"
    assert lines[4:] == [
        "| Term | Type | Count | Header | Global | Score | Pinned |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        "| build cache | compound | 3 | 1.25 | 2 | 11.25 |  |",
        "| a&#124;b | code | 1 | 1 | 1.5 | 1.5 | yes |",
        "",
    ]


def test_a_person_aligns_leaves_out_and_escapes_as_they_like():
    text = (
        "\ufeff# Mine\r\n\r\nnotes\r\n\r\n"
        "|Term       |Type| Count|Header|Global|Score|Pinned|\r\n"
        "|:----------|:--:|---:|---|---|---|---|\r\n"
        "| a \\| b     |    |   |  |  | 9 | Yes\r\n"
        "single | word | 2 | 1.1 | 1 | 2.2\r\n\r\n"
    )
    assert parse_words("words.md", text.encode()) == (
        KeywordRow("a | b", "compound", 0, 1.0, 1.0, 9.0, True),
        KeywordRow("single", "word", 2, 1.1, 1.0, 2.2),
    )


_GOOD = render_words("T", [KeywordRow("cache", "word", 3, 1.0, 2.0, 6.0)]).decode()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("| 6 |", "| six |", "words.md:7: column 'Score' is 'six'. Expected a number"),
        ("| 6 |", "| nan |", "words.md:7: column 'Score' is 'nan'"),
        ("| 6 |", "| -1 |", "words.md:7: column 'Score' is '-1'"),
        ("| 6 |", "|  |", "words.md:7: column 'Score' is ''"),
        ("| 3 |", "| 2.5 |", "words.md:7: column 'Count' is '2.5'. Expected a whole number"),
        ("| word |", "| verb |", "words.md:7: column 'Type' is 'verb'. Expected word, compound or code"),
        ("6 |  |", "6 | always |", "words.md:7: column 'Pinned' is 'always'. Expected yes, no or nothing"),
        ("| cache |", "|  |", "words.md:7: column 'Term' is ''"),
        ("| cache |", "| ca | che |", "words.md:7: this is not a row of 7 cells"),
        ("6 |  |\n", "6 |  |\n| cache | | | | | 1 | yes |\n", "words.md:8: the term 'cache' has two rows"),
        ("| Pinned |", "| Pined |", "words.md:5: these are not the table's columns"),
        ("| --- |", "|", "words.md:5: there is no table here"),
        (_GOOD, "nothing", "words.md:1: there is no table here"),
        ("6 |  |\n", "6 |  |\nremark\n", "words.md:8: this is not a row"),
        ("| 6 |", "| 1e300 |", "words.md:7: column 'Score' is '1e300'. Expected a number from 0 to 1,000,000,000,000"),
        ("| 6 |", "| -1 |", "words.md:7: column 'Score' is '-1'. Expected a number from 0 to 1,000,000,000,000"),
    ],
)
def test_what_makes_no_sense_is_an_error_with_its_place(old: str, new: str, message: str):
    with pytest.raises(FormatError) as caught:
        parse_words("words.md", _GOOD.replace(old, new, 1).encode())
    assert str(caught.value).startswith(message)


def test_not_utf8():
    with pytest.raises(FormatError, match=r"words\.md:2: this is not UTF-8"):
        parse_words("words.md", b"# T\n\xff")


@pytest.mark.parametrize("term", ["a\0b", "\ud800"])
def test_what_no_text_file_holds_is_refused(term: str):
    with pytest.raises(FormatError):
        render_words("T", [KeywordRow(term, "word", 1, 1.0, 1.0, 1.0)])
