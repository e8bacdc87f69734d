"""How long a text is, in the tokens of one declared tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from infograph import wordpiece

if TYPE_CHECKING:
    from tokenizers import Tokenizer


class TokenCounter(Protocol):
    """Counts tokens. Counts are additive over line ends: a text's count is the sum of its lines' counts."""

    name: str
    """Goes into the strategy's cache key, unless it is DEFAULT_COUNTER."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens of each text, special tokens left out, nothing truncated."""
        ...


DEFAULT_COUNTER = wordpiece.NAME

_MOST_WORDS = 500_000
"""Of the memo, about 60 MB. The words of the largest tree measured, 33 MB of documentation, are 50,000."""


class _Words(dict[str, int]):
    """Word -> its tokens; works out what is missing."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        super().__init__({"": 0})
        self._tokenizer = tokenizer
        vocabulary = tokenizer.get_vocab(with_added_tokens=False)
        self._first = frozenset(vocabulary)
        self._further = frozenset(piece[2:] for piece in vocabulary if piece.startswith("##"))
        self._longest = max(map(len, vocabulary))

    def __missing__(self, word: str) -> int:
        if len(word) > wordpiece.LONGEST_WORD:
            return self._encoded(word)
        if len(self) >= _MOST_WORDS:
            self.clear()
            self[""] = 0
        count = self[word] = self._pieces(word.lower()) if word.isalnum() and word.isascii() else self._encoded(word)
        return count

    def _encoded(self, word: str) -> int:
        return len(self._tokenizer.encode(word, add_special_tokens=False).ids)

    def _pieces(self, word: str) -> int:
        """WordPiece by hand, where there is nothing to normalise: the longest piece first. A tenth of the time."""
        known, start, count = self._first, 0, 0
        while start < len(word):
            end = min(len(word), start + self._longest)
            while word[start:end] not in known:  # every letter and digit alone is a piece
                end -= 1
            known, start, count = self._further, end, count + 1
        return count


class WordPieceCounter:
    """The packaged WordPiece tokenizer (BERT, uncased). Loaded at the first count; pickles as its name only."""

    name = DEFAULT_COUNTER

    def __init__(self) -> None:
        self._words: _Words | None = None

    def __reduce__(self) -> tuple[type[WordPieceCounter], tuple[()]]:
        """A worker loads its own tokenizer; the memo stays here."""
        return WordPieceCounter, ()

    def count(self, texts: Sequence[str]) -> list[int]:
        words = self._words
        if words is None:
            words = self._words = _Words(wordpiece.load_tokenizer())
        lookup = words.__getitem__
        counts = []
        for text in texts:
            parts, punctuation = wordpiece.split(text)
            counts.append(len(punctuation) + sum(map(lookup, parts)))
        return counts
