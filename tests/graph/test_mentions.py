"""Names in a document: what is one, what is none, and that hostile text takes no time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from infograph.graph.mentions import LONGEST_SENTENCE, MOST_NAMES, NamedText, document_entities
from infograph.model import DocumentEntities

STOP = frozenset(
    [
        "a",
        "and",
        "are",
        "at",
        "by",
        "for",
        "from",
        "in",
        "is",
        "it",
        "of",
        "on",
        "or",
        "the",
        "then",
        "to",
        "was",
        "when",
    ]
)


def found(*texts: str, title: str = "", tags: tuple[str, ...] = (), **options: object) -> DocumentEntities:
    return document_entities([NamedText(text, **options) for text in texts], title, tags, STOP)  # type: ignore[arg-type]


def names(*texts: str, **options: object) -> set[str]:
    return {mention.name for row in found(*texts, **options).chunks for mention in row}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It was built by Brigham Works at the Bay of Bengal.", {"Brigham Works", "Bay of Bengal"}),
        ("The engineer John von Neumann met Ada.", {"John von Neumann", "Ada"}),
        ("Then FastAPI, OAuth2 and JSON are used with PSReadLine.", {"FastAPI", "OAuth2", "JSON", "PSReadLine"}),
        ("When it rains. The end. Water flows.", set()),
        ("Install Docker first. You install it once.", {"Docker"}),
        (
            "Use `os.path.join`, `use_state()`, `--no-cache` and `Get-Item`.",
            {"os.path.join", "use_state", "--no-cache"},
        ),
        ("Plain `uvicorn` is code.", {"uvicorn"}),
        ("The name in `name` and `when` and `true` are words.", {"true"}),
        ("Write to @name, @types/node, me@example.org or #channel and $HOME.", set()),
        ("See https://Example.org/Some/Where and [text](Other/Target.md).", set()),
        ("<Component Prop=1> and <!-- Hidden Name --> {{ Short Code }} &Name;", set()),
        ("## Getting Started With Things\n\nplain text", set()),
        ("Getting Started\n---\n\nplain text", set()),
        ("```python\nFrom Code Import Names\n```\nafter it comes Prague.", {"Prague"}),
        ("~~~\nNever Closed Fence\n", set()),
        ("!!! Note Some Title\n    it is in Vienna", {"Vienna"}),
        ("**NOTE** a TIP: an IMPORTANT thing", set()),
        ("in 2012 the Summer Olympics 2012 took place, 42", {"Summer Olympics 2012"}),
        ("Größe: die Straße von Ärzten in Österreich", {"Österreich", "Straße von Ärzten"}),
    ],
)
def test_names_of_prose_and_code(text: str, expected: set[str]) -> None:
    assert names(text) >= expected
    if not expected:
        assert names(text) == set()


def test_a_word_that_only_begins_sentences_is_none_until_it_stands_within_one() -> None:
    assert names("Publix is large.") == set()
    assert names("Publix is large.", "It owns Publix.") == {"Publix"}
    assert names("Publix is large. It owns Publix. No publix and publix.") == set()


def test_the_title_and_the_tags_stand_in_the_first_chunk() -> None:
    record = found("nothing", "at all", title="Seattle (city)", tags=("Rainy Days",))
    assert [(mention.name, mention.kind) for mention in record.chunks[0]] == [
        ("Rainy Days", "tag"),
        ("Seattle", "title"),
    ]
    assert record.chunks[1] == ()
    assert record.title == "Seattle", "by which other pages name this one"


@pytest.mark.parametrize("title", ["", "The", "2024", "How to do what nobody has done before"])
def test_a_title_that_names_nothing_is_not_recorded(title: str) -> None:
    assert found("nothing", title=title).title == "" and found(title=title).title == ""


def test_compounds_are_taken_as_given_and_written_names_go_before() -> None:
    record = found("all on Path Parameters here", compounds=["path parameters", "query string"])
    assert {(mention.name, mention.kind, mention.times) for mention in record.chunks[0]} == {
        ("Path Parameters", "name", 2),
        ("query string", "compound", 1),
    }


def test_short_forms_both_ways_and_only_with_their_initials() -> None:
    text = "Cross-Origin Resource Sharing (CORS) and SSE (server-sent events), not (ABC), nor XY (no such thing)."
    assert found(text).acronyms == (("CORS", "Cross Origin Resource Sharing"), ("SSE", "server sent events"))


def test_the_sentence_with_most_names_is_kept() -> None:
    text = "Plain and long enough but without any name at all. Then Ada Lovelace met Charles Babbage in London."
    (sentence,) = found(text).sentences
    assert sentence[0].startswith("Then Ada") and len(sentence[1]) == 3
    assert found("Short Ada.").sentences == (("", ()),)
    assert found("word " * LONGEST_SENTENCE + "Ada Lovelace.").sentences == (("", ()),)


def test_code_and_pieces_of_fences_name_nothing_in_prose() -> None:
    assert names("class Widget: pass", is_code=True) == set()
    assert names("Some Code Here\n```\nbut in Prague", in_fence=True) == {"Prague"}


def test_names_beyond_the_bound_are_counted() -> None:
    text = " ".join(f"and Name{chr(97 + n // 26)}{chr(97 + n % 26)}X" for n in range(MOST_NAMES + 9))
    record = found(text)
    assert len(record.chunks[0]) == MOST_NAMES and record.left_out == 9


@pytest.mark.parametrize(
    "unit",
    [
        *("A ", "Aa", "`", "`a", "<", "[", "](", "A of ", "- ", "(ABC", "ABC (", "\n", "x", "=\n", "@", "a@", "{", "&"),
        *("_", "A'", "A.A", "> "),
    ],
)
def test_hostile_text_takes_linear_time(unit: str, assert_linear: Callable[..., None]) -> None:
    assert_linear(lambda size: found((unit * size)[:size] + ("```" if unit == "> " else ".")), most=200_000)
