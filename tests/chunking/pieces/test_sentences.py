from __future__ import annotations

from itertools import pairwise
from unicodedata import category

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.chunking.pieces.graphemes import grapheme_end
from infograph.chunking.pieces.sentences import sentence_ends


def split(text: str) -> list[str]:
    return [text[begin:end] for begin, end in pairwise((0, *sentence_ends(text)))]


@pytest.mark.parametrize(
    "sentences",
    [
        ["One. ", "Two! ", "Three? ", "Four… ", "Five"],
        ["It is done.\n", "Next line\ngoes on. ", "End.\n"],
        ["He said “stop.” ", "Then (it was late.) ", "**Bold.** ", "End"],
        ["Dr. Smith met J. Doe, e.g. on Monday, i.e. late. ", "Then etc. and so on etc. ", "Next"],
        ["See fig. 3 and no. 7. ", "Is it? ", "No. ", "Then"],
        ["Pi is 3.14, the version 2.0.1. ", "It has 2. ", "Next"],
        ["1. Install it. ", "2. Run it."],
        ["Call `a. B` and ``c. ` D``. ", "Next"],
        ["At 5 p.m. we left. ", "At 5 p.m. ", "We left"],
        ["What?! ", "Yes... ", "Well... maybe. ", "“Stop!” he said"],
        ["read example.com/a.html. then more. ", "Next"],
        ["今日は。", "元気？！", "はい。」", "終わり"],
        ["A title\n\n", "Text without a stop\r\n \r\n", "More\r\r", "end"],
        ["all small letters. ", "they are still sentences. ", "yes"],
    ],
)
def test_where_sentences_end(sentences: list[str]) -> None:
    assert split("".join(sentences)) == sentences


@given(
    st.text(st.sampled_from("aB1`.!?…。」\"')]* \t\n\r\v\u3000é"), max_size=40), st.integers(0, 40), st.integers(0, 40)
)
@settings(max_examples=200, deadline=None)
def test_sentences_tile_any_range(text: str, start: int, length: int) -> None:
    start = min(start, len(text))
    end = min(start + length, len(text))
    ends = sentence_ends(text, start, end)
    assert [start, *ends] == sorted({start, *ends})
    assert (ends[-1:] or [start]) == [end]


@pytest.mark.parametrize("text", ["`", ".", "? ", "\r", "`a", ".)", "e.g. ", "1. ", "\n \n", "。", "`` ` "])
def test_a_long_run_takes_no_longer_than_its_length(text: str) -> None:
    ends = sentence_ends(text * (300_000 // len(text)))
    assert ends[-1] == 300_000 // len(text) * len(text)


PIECES = list("aé漢각﷽")
PIECES += ["e\u0301", "\r\n", "👩‍👩‍👧", "👍🏽", "🇩🇪", "🇫🇷", "क्षि", "\u1100\u1161\u11a8", "ก็", "\u0600१", "ﾊﾟ"]
PIECES += ["\u200d", "\u200c", "\ufe0f", "\xad", "ไม่"]


@given(st.lists(st.sampled_from(PIECES) | st.characters(exclude_categories=["Cs"]), max_size=12).map("".join))
@settings(max_examples=150, deadline=None)
def test_no_grapheme_is_cut(text: str) -> None:
    """The library `regex` provides the exact rules."""
    whole = {0, *(match.end() for match in regex.finditer(r"\X", text))}
    assert {grapheme_end(text, at) for at in range(len(text) + 1)} <= whole


@pytest.mark.parametrize("tone", "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
def test_a_skin_tone_belongs_to_its_emoji(tone: str) -> None:
    assert grapheme_end(f"\U0001f44d{tone}!", 1) == 2


def test_letters_and_ideographs_are_cut_anywhere() -> None:
    text = "plain 漢字かな한국"
    assert [grapheme_end(text, at) for at in range(len(text))] == list(range(len(text)))


def test_every_character_stays_with_a_letter_that_it_is_one_grapheme_with() -> None:
    """The library `regex` judges all marks, joiners and prepended letters of the planes that have any."""
    codes = (*range(0x20, 0xD800), *range(0xE000, 0x20000), *range(0xE0000, 0xE0200))
    every = [character for character in map(chr, codes) if category(character) != "Cn"]  # not in this Python's tables
    for text in ("".join(f"a{character}\n" for character in every), "".join(f"{character}a\n" for character in every)):
        starts = {match.start() for match in regex.finditer(r"\X", text)}
        torn = [
            text[at - 1 : at + 1] for at in range(1, len(text), 3) if at not in starts and grapheme_end(text, at) == at
        ]
        assert torn == []


@pytest.mark.parametrize("text", ["\uac00\u11a8", "\u1100\u1161", "\u1100\uac00", "\u1161\u11a8"])
def test_a_syllable_of_hangul_is_whole_in_whatever_parts_it_is_written(text: str) -> None:
    assert grapheme_end(text, 1) == 2
