"""The SimHash of a question.

A client without a model hashes its user's question in the same way and takes the questions of the site whose hashes lie
within `THRESHOLD` bits, and which have enough words in common with it (`alike`). The hash, for any language a client is
written in:

    1  Unicode NFC, lower case, apostrophes (' and ’) removed.
    2  Words: maximal runs of letters and numbers (Unicode L and N).
    3  Stop words out (`language.stop_words`, apostrophes removed); when none is left, all words stay.
    4  Snowball stems, in the language of the tree (`en`: Porter 2, Snowball 3.x).
    5  Features: each distinct stem with weight 2, each distinct pair of neighbouring stems, joined by one space,
       with weight 1.
    6  Feature hash: FNV-1a, 64 bits, over UTF-8, then murmur3's finaliser fmix64. (FNV alone hardly changes the
       high bits in short words; SHA would need a secure context in browsers.)
    7  SimHash: a bit is 1 when the features that have it weigh more than half of all.
    8  For each group of turning words (`language.turning_words`) of which the question has a word: exclusive or with
       the feature hash of `~` and the group's name.

The last step keeps the distance of questions that turn the same way, and puts some 32 bits between those that do not:
"Why is a page indexed?" is not "Why is a page not indexed?", though nearly all of their words are the same.

Charikar, "Similarity estimation techniques from rounding algorithms", 2002; FNV: Fowler, Noll, Vo; fmix64: Appleby.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from infograph.search.format.layout import HASH_BITS
from infograph.text.language import stemmer, stop_words, turning_words

THRESHOLD = 12
"""Most bits between the hashes of two questions that count as the same. `infograph eval --prompts` shows what other
numbers give."""
WORD_WEIGHT, PAIR_WEIGHT = 2, 1
FEW = 3
"""Distinct stems below which a hash says too little: `index.json` is no question, and "What is a build?" and "What does
a build need?" have one hash. Of such questions all words but the turning ones are compared, stop words among them."""
ALIKE = 0.5
"""Least share of their stems that two questions have in common (Jaccard), or of all words where they have few stems. Of
2,386 rewordings within `THRESHOLD` bits none has less than .6, and where many questions are known, some that have one
word in common lie as near by chance."""

_MASK = (1 << HASH_BITS) - 1
_LANE, _DIGITS = "utf-32-be", "0" * HASH_BITS
"""How binary digits become one large number with a lane of 32 bits for each, in which weights are summed at once."""
_ONES = int.from_bytes(("\1" * HASH_BITS).encode(_LANE), "big")
_ZEROS = int.from_bytes(_DIGITS.encode(_LANE), "big")
_TOKEN = re.compile(r"[^\W_]+")
_APOSTROPHES = str.maketrans("", "", "'’")


@dataclass(frozen=True, slots=True, eq=False)
class QuestionWords:
    """What the hash depends on beside the question. Words are without apostrophes."""

    stem: Callable[[str], str]
    """Returns the stem of a lower-case word."""
    stop_words: Set[str]
    turning: Mapping[str, Set[str]]
    """Groups of words that turn a question around, by name."""


@cache
def words_of(language: str) -> QuestionWords:
    """Returns the words of a language, as a build hashes its questions. Raises ConfigError for an unknown language."""
    turning = {name: _bare(words) for name, words in turning_words(language).items()}
    return QuestionWords(stemmer(language), _bare(stop_words(language)), turning)


def _bare(words: Set[str]) -> frozenset[str]:
    return frozenset(word.translate(_APOSTROPHES) for word in words)


def simhash(question: str, words: QuestionWords) -> int:
    """Returns the 64-bit SimHash of a question; 0 where it has no letter and no number."""
    return hashed(question, words)[0]


@lru_cache(maxsize=1024)
def hashed_once(question: str, words: QuestionWords) -> tuple[int, str, list[str]]:
    """Returns the SimHash of a question, the same as 16 hexadecimal digits, and its different stems, sorted; not to be
    changed. It is for a build, which hashes the questions of a document twice."""
    value, found = hashed(question, words)
    return value, f"{value:016x}", sorted(set(found))


def hashed(question: str, words: QuestionWords) -> tuple[int, list[str]]:
    """Returns the SimHash of a question and its stems, see `simhash` and `stems`."""
    said = _said(question)
    found = _stems(said, words)
    if not found:
        return 0, found
    weights = _features(found)
    total = 0
    for feature, weight in weights.items():
        total += _lanes(feature) * weight
    half = sum(weights.values()) // 2
    above = (total + _ONES * (0x7FFFFFFF - half)) >> 31 & _ONES  # the top bit of a lane that has more than half
    bits = (above | _ZEROS).to_bytes(4 * HASH_BITS, "big").decode(_LANE)
    return int(bits, 2) ^ _turn(said, words), found


@lru_cache(maxsize=1 << 13)  # the words of a site come again and again
def _lanes(feature: str) -> int:
    """Returns the hash of a feature with a lane for each bit, the highest bit first."""
    digits = f"{hash_feature(feature.encode(errors='replace')):064b}"
    return int.from_bytes(digits.encode(_LANE), "big") & _ONES


def features(question: str, words: QuestionWords) -> dict[str, int]:
    """Returns the features that are hashed, with their weights."""
    return _features(stems(question, words))


def _features(found: list[str]) -> dict[str, int]:
    weights = dict.fromkeys(found, WORD_WEIGHT)
    # A pair has a space in it and so is never a stem as well.
    return weights | dict.fromkeys((f"{a} {b}" for a, b in pairwise(found)), PAIR_WEIGHT)


def stems(question: str, words: QuestionWords) -> list[str]:
    """Returns the stems of a question in its order, repeats among them."""
    return _stems(_said(question), words)


def _stems(said: list[str], words: QuestionWords) -> list[str]:
    return [words.stem(word) for word in said if word not in words.stop_words] or [words.stem(word) for word in said]


def is_asked(question: str, words: QuestionWords) -> bool:
    """Whether a text may be a question: it has `FEW` stems, or a stop word as questions have them, or their mark."""
    said = _said(question)
    few = len({words.stem(word) for word in said if word not in words.stop_words}) < FEW
    return not few or question.rstrip().endswith("?") or any(word in words.stop_words for word in said)


def alike(question: str, other: str, words: QuestionWords) -> bool:
    """Whether two questions of near hashes have so many words in common that they may be the same."""
    own, others = set(stems(question, words)), set(stems(other, words))
    if min(len(own), len(others)) < FEW:
        turning = {word for group in words.turning.values() for word in group}  # which the hashes have compared
        own, others = ({words.stem(word) for word in _said(text) if word not in turning} for text in (question, other))
    return len(own & others) >= ALIKE * len(own | others)


def turn(question: str, words: QuestionWords) -> int:
    """Returns the bits that the turning words of a question flip; 0 where it has none."""
    return _turn(_said(question), words)


def _turn(said: list[str], words: QuestionWords) -> int:
    value = 0
    for name, group in words.turning.items():
        if not group.isdisjoint(said):
            value ^= hash_feature(f"~{name}".encode())
    return value


def _said(question: str) -> list[str]:
    return _TOKEN.findall(unicodedata.normalize("NFC", question).lower().translate(_APOSTROPHES))


def hash_feature(feature: bytes) -> int:
    """Returns FNV-1a over the bytes, mixed by fmix64."""
    value = 0xCBF29CE484222325
    for byte in feature:
        value = (value ^ byte) * 0x100000001B3 & _MASK
    value = (value ^ value >> 33) * 0xFF51AFD7ED558CCD & _MASK
    value = (value ^ value >> 33) * 0xC4CEB9FE1A85EC53 & _MASK
    return value ^ value >> 33


def distance(a: int, b: int) -> int:
    """Returns the Hamming distance of two hashes."""
    return (a ^ b).bit_count()
