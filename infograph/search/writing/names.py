"""The names that a text writes and a title is: whether a page names another is whether both have the same key.

A name is a run of one to eight words that begins and ends with a marked word: one with a capital, a digit or an
underscore. So `James Hetfield`, `Get-Item` and `use_state` are names, `path parameters` is none: titles that are common
words are no evidence. A single word whose only capital is its first letter is no name where it begins a sentence.
Scripts without capitals have no names; their pages are led to by links alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LONGEST = 8
"""Most words of a name."""
SHORTEST = 2
"""Fewest characters of a name that is one word."""

_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_POSSESSIVE = re.compile(r"['’][sS]?$")
_ASIDE = re.compile(r"\s*\([^()]*\)\s*$")
"""What tells a title from others of its name: `(film)`."""
_JOINING = re.compile(r"[ \t.,:&/'’\"“”*_`\[\]–—+-]{0,4}\n?[ \t]{0,4}")
"""What may stand between two words of a name; a line may be broken there."""
_ENDING = re.compile(r"[.!?:|]|\n\s*\W|\n\s*\n")
"""What ends a sentence, between two words."""
_FACTOR = 0x9E3779B97F4A7C15


def title_key(title: str, stop_words: Collection[str]) -> int:
    """Returns the key of the name that a title is; 0 where it is none. Stop words at its beginning do not count, nor
    does what stands in parentheses at its end."""
    import numpy as np

    words = [_POSSESSIVE.sub("", word) for word in _WORD.findall(_ASIDE.sub("", title))]
    while words and words[0].lower() in stop_words:
        del words[0]
    if not words or len(words) > LONGEST or not (_is_marked(words[0]) and _is_marked(words[-1])):
        return 0
    if len(words) == 1 and (len(words[0]) < SHORTEST or words[0].isdigit()):
        return 0
    return int(_keys(np.array([_word_key(word) for word in words], np.uint64), len(words))[0])


def text_keys(text: str) -> NDArray[np.uint64]:
    """Returns the keys of the names in a text, sorted, each once."""
    import numpy as np

    words, marked, alone, joined = [], [], [], []
    end = 0
    for found in _WORD.finditer(text):
        begin, word = found.start(), found[0]
        gap = " " if begin == end + 1 and text[end] in " /" else text[end:begin]
        if "'" in word or "’" in word:
            word = _POSSESSIVE.sub("", word)
        marks = _is_marked(word)
        words.append(_word_key(word))
        marked.append(marks)
        joined.append(end > 0 and (gap == " " or _JOINING.fullmatch(gap) is not None))
        alone.append(marks and _stands_alone(word, end == 0 or (gap != " " and _ENDING.search(gap) is not None)))
        end = found.end()
    keys, ends, follows = np.array(words, np.uint64), np.array(marked, bool), np.array(joined, bool)
    found_keys = [_keys(keys, 1)[np.array(alone, bool)]]
    whole = ends
    for length in range(2, min(LONGEST, len(words)) + 1):
        whole = whole[:-1] & follows[length - 1 :]
        if not whole.any():
            break
        found_keys.append(_keys(keys, length)[whole & ends[length - 1 :]])
    return np.unique(np.concatenate(found_keys))


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
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def _keys(words: NDArray[np.uint64], length: int) -> NDArray[np.uint64]:
    """Returns the key of each run of so many words: a polynomial of the words' own keys, modulo 2^64."""
    import numpy as np

    last = len(words) - length + 1
    value = np.zeros(max(0, last), np.uint64)
    for place in range(length):
        value = value * np.uint64(_FACTOR) + words[place : place + last]
    return value ^ value >> np.uint64(29)


def _stands_alone(word: str, first: bool) -> bool:
    """Whether a marked word is a name by itself. first: it begins a sentence"""
    return len(word) >= SHORTEST and not word.isdigit() and not (first and word[1:] == word[1:].lower())


def _is_marked(word: str) -> bool:
    return "_" in word or (not word.islower() and (word != word.lower() or word[0].isdigit()))


@lru_cache(maxsize=1 << 15)
def _word_key(word: str) -> int:
    return text_key(word.lower())
