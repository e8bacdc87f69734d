"""The counter agrees with the tokenizer, except that unknown words count by their length."""

from __future__ import annotations

import math
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from infograph.chunking import tokens
from infograph.chunking.tokens import WordPieceCounter
from infograph.files.packaged import tokenizer_file

ODD = "\t\n\r \x0b\x0c\x1c\x85\xa0\u2028\u200b\ufeffaé漢ſΣ\u0301\u0338½“”…→٣ﬁİ😀\x7f\x00" + string.punctuation


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    loaded = Tokenizer.from_file(str(tokenizer_file()))
    loaded.no_truncation()
    loaded.no_padding()
    return loaded


@given(text=st.one_of(st.text(ODD, max_size=60), st.text(max_size=60), st.text(string.printable, max_size=200)))
@settings(max_examples=500, deadline=None)
def test_counts_are_the_tokenizers(text: str, counter: WordPieceCounter, tokenizer: Tokenizer) -> None:
    assert counter.count([text]) == [expected(text, tokenizer)]


def expected(text: str, tokenizer: Tokenizer) -> int:
    """One token for each token of the tokenizer, except one for each two characters of an unknown word."""
    found = tokenizer.encode(text, add_special_tokens=False)
    pairs = zip(found.tokens, found.offsets, strict=True)
    return sum(math.ceil((end - start) / 2) if token == "[UNK]" else 1 for token, (start, end) in pairs)


@given(words=st.lists(st.text(string.ascii_letters + string.digits, max_size=100), max_size=8))
@settings(max_examples=300, deadline=None)
def test_plain_words_are_counted_as_the_tokenizer_does(
    words: list[str], counter: WordPieceCounter, tokenizer: Tokenizer
) -> None:
    assert counter.count(words) == [len(tokenizer.encode(word, add_special_tokens=False).ids) for word in words]


@given(texts=st.lists(st.text(ODD, max_size=20), max_size=6))
@settings(deadline=None)
def test_counts_are_additive_over_line_ends(texts: list[str], counter: WordPieceCounter) -> None:
    assert counter.count(["\n".join(texts)]) == [sum(counter.count(texts))]


def test_long_texts_are_not_cut_off(counter: WordPieceCounter) -> None:
    assert counter.count(["word " * 5000, "x" * 500, ""]) == [5000, 250, 0]


@pytest.mark.parametrize("text", ["การติดตั้งโปรแกรม", "ខ្មែរ", "ကြောင်း", "ຂໍ້ຄວາມ"])
def test_a_word_of_unknown_letters_counts_one_for_two_characters(text: str, counter: WordPieceCounter) -> None:
    assert counter.count([text * 3]) == [math.ceil(len(text) * 3 / 2)]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("😀", 1), ("😀 😀😀", 2), ("x" * 100, 50), ("x" * 101, 51), ("字" * 7, 7), ("[UNK]", 4), ("word😀 word", 4)],
)
def test_what_is_known_counts_as_before_and_so_does_a_lone_character(
    text: str, tokens: int, counter: WordPieceCounter
) -> None:
    assert counter.count([text]) == [tokens]


def test_the_memo_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "_MOST_WORDS", 10)
    counter = WordPieceCounter()
    for number in range(50):
        assert counter.count([f"word{number} word{number}"])[0] >= 2
        assert counter._words is not None and len(counter._words.memo) <= 10
    words = len(counter._words.memo)
    counter.count(["y" * 65])
    assert len(counter._words.memo) == words
