"""Counts tokens with one declared tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from infograph.text import wordpiece
from infograph.words.twins import Memo


class TokenCounter(Protocol):
    """A token counter. Counts are additive over line ends: a text's count is the sum of its lines' counts."""

    name: str
    """Name of the tokenizer, part of the strategy's cache key unless it is DEFAULT_COUNTER."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """Returns the number of tokens of each text, without special tokens and without truncation."""
        ...


DEFAULT_COUNTER = wordpiece.NAME

_MOST_WORDS = 500_000
"""Size of the memo of word counts, about 60 MB. The largest measured tree, 33 MB of documentation, has 50,000 words."""


class _Words:
    """The number of tokens of each word, worked out once."""

    def __init__(self) -> None:
        self._pieces = wordpiece.pieces()
        self.memo = Memo(wordpiece.LONGEST_WORD)

    def tokens(self, word: bytes) -> int:
        """Returns the number of tokens of a word in UTF-8, which `memo` is about to remember unless it is too long."""
        if len(self.memo) >= _MOST_WORDS and len(word) <= wordpiece.LONGEST_WORD:
            self.memo.clear()
        return self._pieces[word][1]


class WordPieceCounter:
    """Counts with the packaged WordPiece tokenizer (BERT, uncased), except that unknown words count by their length.

    See `wordpiece.unknown_tokens`. The tokenizer is loaded at the first count; a pickle holds only its name.
    """

    name = DEFAULT_COUNTER

    def __init__(self) -> None:
        self._words: _Words | None = None

    def __reduce__(self) -> tuple[type[WordPieceCounter], tuple[()]]:
        """Pickles without the memo: a worker process loads its own tokenizer."""
        return WordPieceCounter, ()

    def count(self, texts: Sequence[str]) -> list[int]:
        words = self._words
        if words is None:
            words = self._words = _Words()
        total, tokens = words.memo.total, words.tokens
        counts = []
        for text in texts:
            separated, punctuation = wordpiece.parted(text)
            counts.append(len(punctuation) + total(separated, tokens))
        return counts
