"""Finds the words of a text, in runs that stand beside each other: their pairs and triples are compounds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import chain

from infograph.words.twins import WHY_PURE, Memo

# A word in the group; else a separator: a number and the letters after it (`3rd`), punctuation other than emphasis, a
# new block.
_WORD = re.compile(r"([^\W\d_][\w'-]*[^\W_])|\d\w*|[^\s*_]|\n\s*[\n*]")
# The same for ASCII, in half the time: ranges are faster than categories, and the match includes the space.
_ASCII_WORD = re.compile(r"([a-z][a-z0-9_'-]*[a-z0-9]) ?|\d\w* ?|[^\s*_] ?|\n\s*[\n*]")
# Scripts without spaces: runs of Han or Katakana; a longer Han run is a clause, and Hiragana is mostly grammar.
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_BETWEEN_RUNS = re.compile("  +")

_CLASSES = (r"[^\W\d_]", r"\w", r"\d", r"\s", r"[^\W_]")
"""Sets that `_WORD` consists of. The bits of a character's class, the lowest first, say which it belongs to."""
CLASSED = (range(0x3000), range(0xFE00, 0xFE10), range(0x1F000, 0x20000))
"""Characters that have a class: scripts with spaces and common signs; emoji, and what chooses between their looks. The
extension has the same ranges."""


@cache
def _cjk_word() -> re.Pattern[str]:
    """Returns `_WORD` for texts with Han or kana. Made when it is first needed: it takes five milliseconds."""
    return re.compile(
        r"((?<![\u3400-\u9fff\uf900-\ufaff々])[\u3400-\u9fff\uf900-\ufaff々]{2,6}(?![\u3400-\u9fff\uf900-\ufaff々])"
        r"|[\u30a0-\u30ff]{2,}"
        r"|(?:(?![\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])[^\W\d_])"
        r"(?:(?![\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])[\w'-])*(?<=[^\W_])(?<=..))"
        r"|[^\s*_]|\n\s*[\n*]"
    )


class Phrases:
    """The words of a language's texts without its stop words, in runs of adjacent ones."""

    def __init__(self, stop: Iterable[str]) -> None:
        self._stop = frozenset(stop)
        stop_words = [word.encode() for word in self._stop]
        self._memo = Memo(max(map(len, stop_words), default=0))
        for word in stop_words:
            self._memo.number(word, len)

    def of(self, text: str) -> str:
        """Returns the words of a text in lower case, in order: those of a run separated by spaces, each run on a line.

        Nothing stands between the words of a run but one space or more and marks of emphasis: no stop word, no
        punctuation, no new block.
        """
        adjacent = None if WHY_PURE else self._memo.adjacent(text, classes())
        return self.found(text) if adjacent is None else adjacent

    def found(self, text: str) -> str:
        """Returns what `of` does, by regular expressions."""
        pattern = _ASCII_WORD if text.isascii() else _cjk_word() if _CJK.search(text) else _WORD
        # The group is empty where a separator matched; a stop word separates just the same.
        row = " ".join(["" if word in self._stop else word for word in pattern.findall(text)])
        return _BETWEEN_RUNS.sub("\n", row.strip(" "))


@cache
def classes() -> bytes:
    """Returns the class of each character of `CLASSED`, as `re` has it, one range after the other."""
    characters = "".join(map(chr, chain.from_iterable(CLASSED)))
    found = bytearray(len(characters))
    for bit, pattern in enumerate(_CLASSES):
        for match in re.finditer(pattern, characters):
            found[match.start()] |= 1 << bit
    return bytes(found)
