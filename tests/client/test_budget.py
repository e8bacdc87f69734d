from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.client import Hit
from infograph.client.budget import LEFT_OUT, ShownChunk, _paragraphs, excerpt, in_order, resemblance, shingles
from infograph.client.token_estimate import WEIGHT, weight

HIT = Hit("a.md", "A", "a/", 0, "A", ("A",), "a", "", 10, "_chunks/a-0.md", "0" * 32, 1.0)


def terms(text: str) -> set[str]:
    return set(text.lower().split())


def piece(page: str, index: int, score: float, cut: bool = False) -> ShownChunk:
    return ShownChunk(replace(HIT, page=page, index=index, score=score), f"{page}{index}.", 10, excerpt=cut)


def test_resemblance() -> None:
    text = "a chunk of some words that another version of the page has as well, with one change at its end"
    assert resemblance(shingles(text), shingles(text.upper())) == 1
    assert 0.7 < resemblance(shingles(text), shingles(text.replace("end", "start"))) < 1
    assert resemblance(shingles(text), shingles("other words, and not a single run of the same")) == 0
    assert resemblance(shingles("too short"), shingles("too short")) == 1
    assert resemblance(shingles("too short"), shingles("short")) == resemblance(shingles(""), shingles("a")) == 0


def test_pages_come_by_their_best_chunk_and_neighbours_together() -> None:
    pieces = [piece("b", 4, 9), piece("a", 2, 8), piece("a", 1, 3), piece("b", 2, 7), piece("a", 3, 0, cut=True)]
    found = [[(p.hit.page, p.hit.index) for p in run] for run in in_order(pieces)]
    assert found == [[("b", 2)], [("b", 4)], [("a", 1), ("a", 2)], [("a", 3)]]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 6), st.floats(0, 9)), unique_by=lambda t: t[:2]))
def test_nothing_is_lost_and_nothing_said_twice(chunks: list[tuple[str, int, float]]) -> None:
    runs = in_order([piece(*chunk) for chunk in chunks])
    flat = [(p.hit.page, p.hit.index) for run in runs for p in run]
    assert sorted(flat) == sorted((page, index) for page, index, _ in chunks)
    for run in runs:
        assert [p.hit.index - run[0].hit.index for p in run] == list(range(len(run)))


TEXT = """# Cache

How a cache is made.

## Clear it

```sh
tool cache

clear
```

Deploy it. Then clear the cache! Or not."""


@pytest.mark.parametrize(
    ("most", "query", "expected"),
    [
        (
            1000,
            {"cache"},
            f"# Cache\n\nHow a cache is made.\n\n## Clear it\n\n```sh\ntool cache\n\nclear\n```\n\n{LEFT_OUT}",
        ),
        (30, {"made."}, f"# Cache\n\nHow a cache is made.\n\n{LEFT_OUT}"),
        (22, {"deploy"}, ""),
    ],
)
def test_an_excerpt_is_what_has_the_terms(most: int, query: set[str], expected: str) -> None:
    tokens = math.ceil(len(TEXT) / 4)
    found, used = excerpt(TEXT, tokens, most, terms, query)
    if expected:
        assert found == expected
    assert used <= most


@given(st.text(alphabet="ab #`|.\n…", max_size=300), st.integers(0, 80), st.integers(0, 80))
def test_an_excerpt_fits_and_says_nothing_of_its_own(text: str, tokens: int, most: int) -> None:
    found, used = excerpt(text, tokens, most, terms, {"a", "b", "ab"})
    assert used <= most
    for part in found.split(f"\n\n{LEFT_OUT}\n\n") if LEFT_OUT not in text else ():
        for line in part.split("\n"):
            assert line.strip() in text or line == LEFT_OUT


@pytest.mark.parametrize(
    ("text", "tokens", "most", "query", "expected"),
    [
        ("", 5, 10, "a", ("", 0)),
        ("a", 5, 4, "a", ("", 0)),
        ("a", 5, 5, "a", ("a", 5)),
        ("a b", 0, 0, "a", ("a b", 0)),
        ("a b", 3, 3, "ab", ("a b", 3)),
        ("a b c", 3, 2, "abc", ("", 0)),
        ("b b\n\na\n\nb b\n\n", 5, 4, "a", (f"{LEFT_OUT}\n\na\n\n{LEFT_OUT}", 3)),
        ("a one\n\nb two\n\nc three\n\na four", 28, 28, "abc", ("a one\n\nb two\n\nc three\n\na four", 28)),
        ("x\n\na\n\nb\n\nx\n\nc", 5, 5, "ab", (f"{LEFT_OUT}\n\na\n\nb\n\n{LEFT_OUT}", 4)),
        ("a\nx\n\nb\nx x x\n\na", 7, 5, "a", ("a\nx\n\n…\n\na", 4)),
    ],
)
def test_an_excerpt_to_the_letter(text: str, tokens: int, most: int, query: str, expected: tuple[str, int]) -> None:
    assert excerpt(text, tokens, most, terms, set(query)) == expected


def room_for(text: str, words: int, query: set[str]) -> str:
    """The excerpt of a text in which each word and each mark is 100 tokens, with room for so many of them."""
    return excerpt(text, 100 * (weight(text).all // WEIGHT), words * 100, terms, query)[0]


def test_parts_with_other_terms_come_first_and_of_equals_the_earlier() -> None:
    text = "a b one\n\na b two\n\nc three\n\na four"
    assert room_for(text, 4, {"a", "b", "c"}) == f"a b one\n\n{LEFT_OUT}"
    assert room_for(text, 7, {"a", "b", "c"}) == f"a b one\n\n{LEFT_OUT}\n\nc three\n\n{LEFT_OUT}"
    assert room_for(text, 100, {"a", "b", "c"}) == text


def test_an_excerpt_may_fill_its_room() -> None:
    text = "one two\n\nnot now a\n\nand so on"
    whole = f"{LEFT_OUT}\n\nnot now a\n\n{LEFT_OUT}"
    assert room_for(text, 5, {"a"}) == whole
    assert room_for(text, 4, {"a"}) == ""


def test_where_no_paragraph_fits_there_are_lines_and_then_sentences() -> None:
    lines = "one long line of words\nthe a line\nanother long line of words"
    assert room_for(lines, 5, {"a"}) == f"{LEFT_OUT}\n\nthe a line\n\n{LEFT_OUT}"
    sentences = "One long sentence of words. The a one! Another long sentence of words"
    assert room_for(sentences, 6, {"a"}) == f"{LEFT_OUT}\n\nThe a one!\n\n{LEFT_OUT}"


@pytest.mark.parametrize(
    ("text", "paragraphs"),
    [
        ("", [""]),
        ("a\n \t\nb", ["a", "b"]),
        ("# a\n\nb\n\nc", ["# a\n\nb", "c"]),
        ("# a\nwith text\n\nb", ["# a\nwith text", "b"]),
        ("a\n\n# b", ["a", "# b"]),
        ("# a\n\n## b\n\nc", ["# a\n\n## b\n\nc"]),
        ("```\na\n\nb\n```\n\nc", ["```\na\n\nb\n```", "c"]),
        ("```\na\n```\n\n~~~\nb\n\nc\n~~~\n\nd", ["```\na\n```", "~~~\nb\n\nc\n~~~", "d"]),
        ("```\na\n\nb", ["```\na\n\nb"]),
        ("```\n```\n```\n\na", ["```\n```\n```\n\na"]),
    ],
)
def test_paragraphs(text: str, paragraphs: list[str]) -> None:
    assert _paragraphs(text) == paragraphs


def test_runs_of_four_words() -> None:
    assert shingles("A b_c, d e f") == {("a", "b_c", "d", "e"), ("b_c", "d", "e", "f")}
    assert shingles("a b c") == {("a", "b", "c")}
    assert shingles("") == {()}
    assert resemblance(shingles("a b c d e"), shingles("b c d e f")) == 1 / 3


def test_a_run_goes_on_after_its_second_chunk() -> None:
    runs = in_order(
        [piece("a", 2, 1), piece("a", 0, 3), piece("a", 1, 2), piece("b", 0, 2), piece("b", 1, 9, cut=True)]
    )
    assert [[(p.hit.page, p.hit.index) for p in run] for run in runs] == [
        [("b", 0)],
        [("b", 1)],
        [("a", 0), ("a", 1), ("a", 2)],
    ]
