from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.chunking.registry import strategy
from infograph.chunking.tokens import WordPieceCounter
from infograph.errors import ConfigError
from infograph.model import Chunk

Cut = Callable[..., tuple[Chunk, ...]]


def words(chunk: Chunk) -> list[int]:
    return [int(word) for word in chunk.embed_text.split()]


@given(length=st.integers(1, 60), window=st.integers(1, 12), data=st.data())
@settings(max_examples=60, deadline=None)
def test_what_is_embedded_are_the_windows_of_the_definition(
    cut: Cut, length: int, window: int, data: st.DataObject
) -> None:
    """The formula c_i = D[i (w - o) : i (w - o) + w] holds in tokens, which are words here."""
    overlap = data.draw(st.integers(0, window - 1))
    options = {"window": window, "overlap": overlap, "whole_sentence_overlap": False}
    chunks = cut(" ".join(str(number % 10) for number in range(length)), strategy("fixed", options))
    stride = window - overlap
    count = 1 + max(0, math.ceil((length - window) / stride))
    document = [number % 10 for number in range(length)]
    assert [words(chunk) for chunk in chunks] == [document[i * stride : i * stride + window] for i in range(count)]


TEXT = " ".join(f"This is sentence {number} of the text." for number in range(40)) + "\n"
"""A text whose sentences have 8 tokens each."""


def test_slices_end_with_sentences_when_asked_to(cut: Cut) -> None:
    chunks = cut(TEXT, strategy("fixed", {"window": 30, "overlap": 0, "whole_sentences": True}))
    assert [chunk.tokens for chunk in chunks] == [24] * 13 + [8]
    assert not any(chunk.continues for chunk in chunks[:1]) and all(chunk.continues for chunk in chunks[1:])


def test_the_overlap_is_of_whole_sentences_unless_asked_otherwise(cut: Cut) -> None:
    for options, pattern in (({}, r"\AThis is sentence"), ({"whole_sentence_overlap": False}, r"\Aof the text\.")):
        chunks = cut(TEXT, strategy("fixed", {"window": 40, "overlap": 12, "whole_sentences": True, **options}))
        assert len(chunks) > 5
        for before, chunk in pairwise(chunks):
            overlap = chunk.embed_text.removesuffix(chunk.text)
            assert re.search(pattern, overlap) and before.text.endswith(overlap)


def test_no_overlap_where_the_last_sentence_is_longer(cut: Cut) -> None:
    chunks = cut(TEXT, strategy("fixed", {"window": 20, "overlap": 6, "whole_sentences": True}))
    assert all(chunk.embed_text == chunk.text for chunk in chunks)


PROSE = st.lists(
    st.sampled_from(
        [
            "word ",
            "Sentence ends. ",
            "漢字。",
            "👩‍👩‍👧",
            "https://example.com/some/path?of=it&a=word",
            "\n\n",
            "`a. b` ",
            "e\u0301",
            "- item\n",
        ]
    ),
    max_size=60,
).map("".join)


@given(
    source=PROSE, window=st.integers(16, 50), data=st.data(), sentences=st.booleans(), sentence_overlap=st.booleans()
)
@settings(max_examples=80, deadline=None)
def test_no_window_is_passed(
    cut: Cut,
    counter: WordPieceCounter,
    source: str,
    window: int,
    data: st.DataObject,
    sentences: bool,
    sentence_overlap: bool,
) -> None:
    options = {
        "window": window,
        "overlap": data.draw(st.integers(0, window - 1)),
        "whole_sentences": sentences,
        "whole_sentence_overlap": sentence_overlap,
    }
    chunks = cut(source, strategy("fixed", options))
    for chunk in chunks:
        room = window - options["overlap"] if chunk.index else window
        # A slice is one word at least, even where the overlap leaves less room than it takes.
        beyond = max(0, counter.count([chunk.text])[0] - room) if len(chunk.text.split()) == 1 else 0
        assert counter.count([chunk.embed_text])[0] <= window + beyond + 4  # a word that was cut is of other pieces


def test_a_word_longer_than_the_room_beside_the_overlap_is_a_slice(cut: Cut) -> None:
    """Found by the test above: 16 tokens less 14 of overlap leave 2, and the word with the family has 7."""
    source = "https://example.com/some/path?of=it&a=wordword 👩\u200d👩\u200d👧Sentence ends. "
    chunks = cut(source, strategy("fixed", {"window": 16, "overlap": 14, "whole_sentence_overlap": False}))
    assert [chunk.text for chunk in chunks[3:]] == ["👩\u200d👩\u200d👧Sentence ", "ends. "]


@pytest.mark.parametrize(
    "source", ["One sentence.", "x" * 3000, "```py\n" + "call()\n" * 300 + "```\n", "\n" * 500, "-\u200d" * 2000]
)
def test_degenerate_pages(cut: Cut, source: str) -> None:
    cut(source, strategy("fixed"))


def test_text_without_spaces_is_cut_anywhere(cut: Cut) -> None:
    chunks = cut("漢字" * 1000, strategy("fixed", {"window": 100, "overlap": 0}))
    assert [chunk.tokens for chunk in chunks] == [100] * 20


@pytest.mark.parametrize("options", [{"window": 0, "overlap": 0}, {"window": 10, "overlap": 10}, {"overlap": -1}])
def test_impossible_sizes_are_errors(options: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match=r"overlap .* is not from 0 to below window"):
        strategy("fixed", options)


def test_every_option_is_in_the_key() -> None:
    changed = [
        {"window": 9, "overlap": 8},
        {"overlap": 9},
        {"whole_sentences": True},
        {"whole_sentence_overlap": False},
    ]
    assert len({strategy("fixed", options).key for options in ({}, *changed)}) == 5


def test_a_slice_that_begins_where_a_block_or_an_item_does_continues_nothing(cut: Cut) -> None:
    words = "one two three four five six seven"
    sliced = {"window": 8, "overlap": 0}
    for block, continues in ((f"- {words}\n", False), (f"{words} eight\n\n", False), (f"{words} eight\n", True)):
        chunks = cut(block * 4, strategy("fixed", sliced))
        assert [chunk.text for chunk in chunks] == [block] * 4
        assert [chunk.continues for chunk in chunks] == [False, *[continues] * 3]
    quote = cut("> one two three\n>\n> four five six\n", strategy("fixed", {"window": 4, "overlap": 0}))
    assert [chunk.continues for chunk in quote] == [False] + [True] * (len(quote) - 1)


@pytest.mark.parametrize(("length", "parts"), [(32, 1), (33, 2), (64, 2), (65, 3)])
def test_a_word_longer_than_any_real_one_comes_apart(length: int, parts: int, cut: Cut) -> None:
    """A window of one token has no room for two of the word's parts."""
    chunks = cut("word " + "a" * length + " word", strategy("fixed", {"window": 1, "overlap": 0}))
    assert chunks[0].text.strip() == "word" and len(chunks) == 2 + parts


@pytest.mark.parametrize(("window", "slices"), [(9, [3, 9, 3]), (8, [8, 7])])
def test_a_sentence_that_no_slice_has_room_for_is_cut_at_once(window: int, slices: list[int], cut: Cut) -> None:
    """A sentence that just fits into a slice begins the next slice."""
    text = "One two. Three four five six seven eight nine ten. And on.\n"
    chunks = cut(text, strategy("fixed", {"window": window, "overlap": 0, "whole_sentences": True}))
    assert [chunk.tokens for chunk in chunks] == slices
