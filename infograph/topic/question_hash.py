"""The SimHash of a question.

A client without a model hashes its user's question in the same way and takes the chunks whose `prompt_hashes` lie
within `THRESHOLD` bits. The hash, for any language a client is written in:

    1  Unicode NFC, lower case, apostrophes (' and ’) removed.
    2  Words: maximal runs of letters and numbers (Unicode L and N).
    3  Stop words out (`language.stop_words`, apostrophes removed); when none is left, all words stay.
    4  Snowball stems, in the language of the tree (`en`: Porter 2, Snowball 3.x).
    5  Features: each distinct stem with weight 2, each distinct pair of neighbouring stems, joined by one space,
       with weight 1.
    6  Feature hash: FNV-1a, 64 bits, over UTF-8, then murmur3's finaliser fmix64. (FNV alone hardly changes the
       high bits in short words; SHA would need a secure context in browsers.)
    7  SimHash: a bit is 1 when the features that have it weigh more than half of all.

Charikar, "Similarity estimation techniques from rounding algorithms", 2002; FNV: Fowler, Noll, Vo; fmix64: Appleby.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import pairwise

from infograph.text.language import stemmer, stop_words

THRESHOLD = 12
WORD_WEIGHT, PAIR_WEIGHT = 2, 1

_MASK = 2**64 - 1
_TOKEN = re.compile(r"[^\W_]+")
_APOSTROPHES = str.maketrans("", "", "'’")


def simhash(question: str, language: str = "en") -> int:
    """Returns the 64-bit SimHash of a question; 0 where it has no letter and no number."""
    # Imported here: simhash imports numpy, which readers of questions do not need.
    from simhash import Simhash

    weights = features(question, language)
    return int(Simhash(list(weights.items()), f=64, hashfunc=hash_feature).value) if weights else 0


def features(question: str, language: str = "en") -> dict[str, int]:
    """Returns the features that are hashed, with their weights."""
    text = unicodedata.normalize("NFC", question).lower().translate(_APOSTROPHES)
    words = _TOKEN.findall(text)
    stem = stemmer(language)
    stems = [stem(word) for word in words if word not in _bare_stop_words(language)] or [stem(word) for word in words]
    weights = dict.fromkeys(stems, WORD_WEIGHT)
    # A pair has a space in it and so is never a stem as well.
    return weights | dict.fromkeys((f"{a} {b}" for a, b in pairwise(stems)), PAIR_WEIGHT)


@cache
def _bare_stop_words(language: str) -> frozenset[str]:
    return frozenset(word.translate(_APOSTROPHES) for word in stop_words(language))


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
