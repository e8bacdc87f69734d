"""Counts tokens with one declared tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
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
        self._whole = _whole_words()
        self._tokenizer = tokenizer = wordpiece.load_tokenizer()
        self._pieces = tokenizer.model.tokenize
        self._unknown = tokenizer.token_to_id(wordpiece.UNKNOWN)
        self.memo = Memo(wordpiece.LONGEST_WORD)

    def tokens(self, word: bytes) -> int:
        """Returns the number of tokens of a word in UTF-8, which `memo` is about to remember unless it is too long."""
        if len(word) > wordpiece.LONGEST_WORD:
            return self._encoded(word)
        if len(self.memo) >= _MOST_WORDS:
            self.memo.clear()
        if word.isalnum():
            # ASCII, as these are bytes: only the case needs to be normalised
            lower = word.lower()
            return 1 if lower in self._whole else len(self._pieces(lower.decode()))
        return self._encoded(word)

    def _encoded(self, word: bytes) -> int:
        found = self._tokenizer.encode(word.decode("utf-8", "surrogatepass"), add_special_tokens=False)
        ids, unknown = found.ids, self._unknown
        if unknown not in ids:
            return len(ids)
        spans = [end - start for token, (start, end) in zip(ids, found.offsets, strict=True) if token == unknown]
        return len(ids) - len(spans) + sum(map(wordpiece.unknown_tokens, spans))


@cache
def _whole_words() -> frozenset[bytes]:
    """The words that are one token."""
    return frozenset(piece.encode() for piece in wordpiece.load_vocabulary() if piece.isascii() and piece.isalnum())


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
