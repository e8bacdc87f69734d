"""Cuts windows of a fixed number of tokens, whatever the text is: the baseline for other strategies.

A window of `w` tokens with an overlap of `o` is the formula c_i = D[i·(w - o) : i·(w - o) + w]. The slices tile the
document, so the first has up to `w` tokens and each further one up to `w - o`; the `o` tokens before a slice are
only embedded with it. A slice ends before a word that it would cut.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import ClassVar

from infograph.chunking.interface import ChunkPiece, Cutting, DocumentLayout, StrategyTools
from infograph.chunking.pieces.graphemes import grapheme_end
from infograph.chunking.pieces.sentences import sentence_ends
from infograph.chunking.tokens import TokenCounter
from infograph.errors import ConfigError
from infograph.text.wordpiece import PUNCTUATION, unknown_tokens

_WORD = re.compile(r"\s*\S+\s*|\s+")
_LONGEST_WORD = 32
"""Characters of the longest word that stays whole; longer ones (links, keys, text without spaces) are split."""
_PART = re.compile(rf"[A-Za-z0-9]{{1,{_LONGEST_WORD}}}|.", re.DOTALL)
"""Matches a part of a word that is split."""


@dataclass(frozen=True, slots=True)
class FixedWindow:
    """The `fixed` strategy with its sizes in tokens."""

    window: int = 512
    """Most tokens of the overlap and the slice together; the breadcrumb is embedded in addition."""
    overlap: int = 64
    """Number of tokens before the slice that are embedded with it; 10 to 20% of the window is usual for prose."""
    whole_sentences: bool = False
    """Whether slices end at ends of sentences; a sentence longer than a slice is cut between words."""
    whole_sentence_overlap: bool = True
    """Whether overlaps begin at starts of sentences; a last sentence longer than the overlap gives no overlap."""

    embeds: ClassVar[bool] = False
    extensions: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.window:
            raise ConfigError("strategies.fixed", f"overlap {self.overlap} is not from 0 to below window {self.window}")

    @property
    def chunk_type(self) -> str:
        return "fixed"

    @property
    def key(self) -> str:
        options = "-sentences" * self.whole_sentences + "-words" * (not self.whole_sentence_overlap)
        return f"fixed{options}-{self.overlap}-{self.window}"

    def __call__(self, layout: DocumentLayout, tools: StrategyTools) -> Cutting:
        ruler = _Ruler(layout.body, tools.counter)
        items = (item for block in layout.blocks if block.kind == "list" for item in block.children)
        whole = {layout.starts[block.start] for block in (*layout.blocks, *items)}
        pieces: list[ChunkPiece] = []
        start, room = 0, self.window
        while start < len(layout.body):
            end = ruler.forward(start, room, self.whole_sentences)
            begin = ruler.backward(start, self.overlap, self.whole_sentence_overlap)
            pieces.append(ChunkPiece(start, end, continues=start not in whole, before=layout.body[begin:start]))
            start, room = end, self.window - self.overlap
        return Cutting(pieces)


class _Ruler:
    """Measures a text in tokens, by sentences, and by words in the sentences where a window ends."""

    def __init__(self, text: str, counter: TokenCounter) -> None:
        self.text = text
        self.counter = counter
        self.sentences = [0, *sentence_ends(text)]
        self.tokens = [0]
        """Number of tokens before each of `sentences`."""
        self._measured: dict[int, tuple[list[int], list[int]]] = {}
        texts = [text[begin:end] for begin, end in pairwise(self.sentences)]
        for number, (sentence, count) in enumerate(zip(texts, counter.count(texts), strict=True)):
            if max(map(len, sentence.split()), default=0) > _LONGEST_WORD:  # its parts may have more tokens than it
                self.tokens.append(self._words(number)[1][-1])
            else:
                self.tokens.append(self.tokens[-1] + count)

    def forward(self, start: int, room: int, whole_sentences: bool) -> int:
        """Returns the furthest end of a slice with at most `room` tokens; a single word or grapheme may have more."""
        goal = self._at(start) + room
        number = bisect_right(self.tokens, goal) - 1
        end = self.sentences[number]
        if end == len(self.text):
            return end
        if whole_sentences and end > start and self.tokens[number + 1] - self.tokens[number] <= room:
            return end
        words, tokens = self._words(number)
        return words[max(bisect_right(tokens, goal) - 1, bisect_right(words, start))]

    def backward(self, start: int, room: int, whole_sentences: bool) -> int:
        """Returns the earliest start of an overlap with at most `room` tokens before `start`."""
        goal = self._at(start) - room
        number = bisect_left(self.tokens, goal)
        if number and not whole_sentences:
            words, tokens = self._words(number - 1)
            return min(words[bisect_left(tokens, goal)], start)
        return min(self.sentences[number], start)

    def _at(self, offset: int) -> int:
        """Returns the number of tokens before an offset where a slice may end."""
        number = bisect_right(self.sentences, offset) - 1
        if self.sentences[number] == offset:
            return self.tokens[number]
        words, tokens = self._words(number)
        return tokens[bisect_left(words, offset)]

    def _words(self, number: int) -> tuple[list[int], list[int]]:
        """Returns the offsets of a sentence's words and its end, with the number of tokens before each. Memoised."""
        if number not in self._measured:
            places = self._places(self.sentences[number], self.sentences[number + 1])
            spans = list(pairwise(places))
            counts = self.counter.count([self.text[begin:end] for begin, end in spans])
            # Known parts may form an unknown word, which has more tokens than they have.
            least = [unknown_tokens(end - begin) if self._torn(begin) or self._torn(end) else 0 for begin, end in spans]
            self._measured[number] = places, list(accumulate(map(max, counts, least), initial=self.tokens[number]))
        return self._measured[number]

    def _places(self, start: int, end: int) -> list[int]:
        """Returns the offsets at which a sentence may be cut, with its start and its end."""
        places = [start]
        for word in _WORD.finditer(self.text, start, end):
            if word.end() - word.start() > _LONGEST_WORD:
                for part in _PART.finditer(self.text, word.start(), word.end()):
                    if places[-1] < part.end():
                        places.append(min(grapheme_end(self.text, part.end()), word.end()))
            if places[-1] < word.end():
                places.append(word.end())
        return places

    def _torn(self, at: int) -> bool:
        """Whether the tokenizer would read the characters around an offset as one word."""
        around = self.text[max(0, at - 1) : at + 1]
        return len(around) == 2 and not any(map(_parts_words, around))


def _parts_words(character: str) -> bool:
    return character.isspace() or character in PUNCTUATION
