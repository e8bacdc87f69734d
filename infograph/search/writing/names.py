"""The names that a text writes and a title is: whether a page names another is whether both have the same key.

A name is a run of one to eight words that begins and ends with a marked word: one with a capital, a digit or an
underscore. So `James Hetfield`, `Get-Item` and `use_state` are names, `path parameters` is none: titles that are common
words are no evidence. A single word whose only capital is its first letter is no name where it begins a sentence.
Scripts without capitals have no names; their pages are led to by links alone.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from infograph.search.format.terms import plain
from infograph.words.phrases import classes
from infograph.words.runs import ALONE, CAPITAL, ENDED, IN_KEY, JOINED, LONGEST, MARKED, key_of
from infograph.words.twins import WHY_PURE, Memo, run_keys

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHORTEST = 2
"""Fewest characters of a name that is one word."""
MOST_LEARNED, LONGEST_LEARNED = 128_000, 64
"""Words, and what stands between them, that are remembered, and their characters; in bytes where they are numbered."""

_WORD = re.compile(r"(\w++(?:['’-]\w++)*)")
_FENCE = re.compile(r"\n[ \t]*+(?:```|~~~)")
"""Begins with the line end above it, a literal: `^` would be tried at every line."""
_START = "\0"
"""Stands for the beginning of a text, where there is no gap before the first word."""
_POSSESSIVE = re.compile(r"['’][sS]?$")
_ASIDE = re.compile(r"\s*\([^()]*\)\s*$")
"""What tells a title from others of its name: `(film)`."""
_JOINING = re.compile(r"[ \t.,:&/'’\"“”*_`\[\]–—+-]{0,4}(?:\r\n?|\n)?[ \t]{0,4}")
"""What may stand between two words of a name; a line may be broken there."""
_ENDING = re.compile(r"[.!?:|]|[\r\n]\s{0,64}[^\w\s]|\n\s{0,64}?\n|\r\r")
"""What ends a sentence, between two words."""
_IN_LISTING = bytes(flags & ENDED for flags in range(256))
"""Maps the flags of what stands before a word to those that it has in a listing."""


def title_key(title: str, stop_words: Collection[str]) -> int:
    """Returns the key of the name that a title is; 0 where it is none. Stop words at its beginning do not count, nor
    does what stands in parentheses at its end."""
    words = [_bare(word) for word in _WORD.findall(_ASIDE.sub("", title))]
    while words and words[0].lower() in stop_words:
        del words[0]
    if not words or len(words) > LONGEST or not (_is_marked(words[0]) and _is_marked(words[-1])):
        return 0
    if len(words) == 1 and (len(words[0]) < SHORTEST or words[0].isdigit()):
        return 0
    return key_of(map(_key, words))


class _Words(NamedTuple):
    """The words of a text."""

    keys: NDArray[np.uint64]
    kinds: NDArray[np.uint8]
    """Flags of each word, see `_marks`."""
    gaps: NDArray[np.uint8]
    """Flags of what stands before each word, see `_gap`."""


@lru_cache(maxsize=512)  # the versions of a page come one after the other, and share most chunks
def _words(markdown: str) -> _Words:
    import numpy as np

    parts = _FENCE.split("\n" + plain(markdown))
    numbered = None if WHY_PURE else _NUMBERED.of(parts)
    if numbered is not None:
        return numbered
    words: list[str] = []
    gaps = bytearray()
    for inside, part in enumerate(parts):
        pieces = _WORD.split(part)
        found = pieces[1::2]
        if found:
            pieces[0] = _START
            before = bytes(map(_GAPS.__getitem__, pieces[:-1:2]))
            gaps += before.translate(_IN_LISTING) if inside % 2 else before
            words += found
    keys = np.fromiter(map(_KEYS.__getitem__, words), np.uint64, len(words))
    kinds = np.frombuffer(bytes(map(_MARKS.__getitem__, words)), np.uint8)
    return _Words(keys, kinds, np.frombuffer(gaps, np.uint8))


def text_keys(texts: Sequence[str]) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Returns the keys of the names in texts of Markdown, in each text sorted and each once, and the place of the text
    that each is in.

    In listings between fences, words stand alone: what follows a word there is seldom more of its name.
    """
    import numpy as np

    found_words = [_words(text) for text in texts]
    keys = np.concatenate([np.zeros(0, np.uint64), *(words.keys for words in found_words)])
    kinds = np.concatenate([np.zeros(0, np.uint8), *(words.kinds for words in found_words)])
    between = np.concatenate([np.zeros(0, np.uint8), *(words.gaps for words in found_words)])
    lengths = np.array([len(words.keys) for words in found_words], np.int64)
    found, counts = run_keys(keys, kinds, between, lengths)
    owners = np.repeat(np.arange(len(texts), dtype=np.int32), np.frombuffer(counts, np.int64))
    return np.frombuffer(found, np.uint64), owners


def forget() -> None:
    """Frees what was learned of words and texts."""
    for learned in (_KEYS, _MARKS, _GAPS, _NUMBERED):
        learned.clear()
    _words.cache_clear()


def is_identifier(text: str) -> bool:
    """Whether a heading is the name of something in code: one word with a capital beyond its first letter, or with an
    underscore or a hyphen between marked parts; parentheses at its end do not count."""
    word = re.sub(r"\([^()]*\)$", "", text.strip())
    if not _WORD.fullmatch(word) or len(word) < SHORTEST:
        return False
    parts = word.split("-")
    if len(parts) > 1:
        return all(part[:1].isupper() for part in parts)
    return "_" in word.strip("_") or (word[1:] != word[1:].lower() and word != word.upper())


def text_key(text: str) -> int:
    """Returns the key of a text that is taken as it is, such as a path."""
    return _word_key(text) & IN_KEY


def _word_key(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def _bare(word: str) -> str:
    """Returns a word without the ending of a possessive."""
    return _POSSESSIVE.sub("", word) if "'" in word or "’" in word else word


def _is_marked(word: str) -> bool:
    return "_" in word or (not word.islower() and (word != word.lower() or word[0].isdigit()))


class _Learned(dict[str, int]):
    """What a function says of texts, each worked out once."""

    def __init__(self, function: Callable[[str], int]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, text: str) -> int:
        if len(self) >= MOST_LEARNED:
            self.clear()
        found = self._function(text)
        if len(text) <= LONGEST_LEARNED:
            self[text] = found
        return found


def _key(word: str) -> int:
    return _word_key(_bare(word).lower())


def _marks(word: str) -> int:
    """Returns the flags of a word: MARKED, and ALONE for a name by itself, or CAPITAL where it is one within a
    sentence."""
    if word.islower() and word.isalpha():  # as most
        return 0
    bare = _bare(word)
    if not bare or not _is_marked(bare):
        return 0
    if len(bare) < SHORTEST or bare.isdigit():
        return MARKED
    return MARKED | (CAPITAL if bare[1:] == bare[1:].lower() else ALONE)


def _gap(text: str) -> int:
    """Returns the flags of what stands before a word: JOINED where it may continue a name, ENDED where it begins a
    sentence."""
    if text == _START:
        return ENDED
    return (JOINED if _JOINING.fullmatch(text) else 0) | (ENDED if _ENDING.search(text) else 0)


class _Numbered:
    """What is said of words and of what stands between them, by numbers: for the compiled scanner."""

    def __init__(self, memo: Memo) -> None:
        self._memo = memo
        self.clear()

    def clear(self) -> None:
        """Forgets all."""
        self._memo.clear()
        self._keys = array("Q")
        self._flags = bytearray()

    def of(self, parts: Sequence[str]) -> _Words | None:
        """Returns the words of the parts of a text, every other one of which is a listing; None where some character is
        none of those that the scanner knows."""
        import numpy as np

        if len(self._flags) >= MOST_LEARNED:
            self.clear()
        found, gaps = [], []
        for inside, part in enumerate(parts):
            packed = self._memo.alternating(part, classes(), self._number)
            if packed is None:
                return None
            numbers = np.frombuffer(packed, np.int64)
            before = np.frombuffer(self._flags, np.uint8)[numbers[::2]]  # a copy: the flags go on growing
            before[:1] = ENDED  # the beginning of a text
            gaps.append(before & ENDED if inside % 2 else before)
            found.append(numbers[1::2])
        words = np.concatenate(found)
        keys, flags = np.frombuffer(self._keys, np.uint64), np.frombuffer(self._flags, np.uint8)
        return _Words(keys[words], flags[words], np.concatenate(gaps))

    def _number(self, piece: bytes) -> int:
        text = piece.decode()
        is_word = bool(_WORD.match(text))
        self._keys.append(_key(text) if is_word else 0)
        self._flags.append(_marks(text) if is_word else _gap(text))
        return len(self._flags) - 1


_NUMBERED = _Numbered(Memo(LONGEST_LEARNED))
_KEYS, _MARKS, _GAPS = _Learned(_key), _Learned(_marks), _Learned(_gap)
