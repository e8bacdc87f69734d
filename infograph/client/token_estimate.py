"""Estimates the tokens of texts without a tokenizer. Pure functions; `infograph/web/tokens.js` has the same.

The index counts the tokens of whole chunks. What a client shows of a chunk, and the lines that it adds, it counts by
these rules: a client has no tokenizer, and an estimate that is too low exceeds the budget of the one who asks.
"""

from __future__ import annotations

import re
from functools import lru_cache

WEIGHT = 6
"""Weight of a word of up to `SHORT` letters, and of a character that is none of `[A-Za-z0-9]` and no white space."""
SHORT = 8
"""Letters of a word that is likely to be one token; each further letter weighs 1, each digit 3."""
LONG = 24
"""Letters of a run that may be a word; of a longer one (keys, data) two letters are a token, so each weighs 3."""
MIXED = 4
"""Weight of each character of a run of letters and digits."""
HANGUL = 3
"""Most tokens of a syllable of Hangul, which WordPiece takes apart into two or three letters."""
HANGUL_WEIGHT = 5 * WEIGHT // 2
"""Weight of one: some words of Korean are not known and count by half, see `wordpiece.unknown_tokens`."""
UNSPACED_WEIGHT = WEIGHT // 2
"""Weight of a character of Thai, Lao, Burmese or Khmer, which WordPiece does not know."""
MARGIN = 12
"""Percent by which a part of a chunk is counted higher than its share by weight, which for 300 characters of a page is
off by 4.7% (standard deviation over 2,000 places of four trees; a share by characters is off by 15.8%). No part counts
for less than its own weight says: beside text of lighter tokens, as Korean, code would be too cheap."""
DENSE, DENSE_MARGIN = 124, 25
"""Percent of a text's tokens beside those that its weight says from which on another margin counts, and that margin: in
languages with long words the estimate is less exact."""
LETTERS = 3
"""Letters and digits of one run that count as a token of a line. Of 1,928 heads of five open trees with their
addresses, one had more tokens by WordPiece; on average it is 1.4 times as many."""

LONGEST_RUN = 64
"""Most letters of a run whose weight is remembered: longer ones (keys, data) seldom occur twice."""

_PARTS = re.compile(r"[A-Za-z0-9]+|[^A-Za-z0-9\s\u200b\ufeff]")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f\s\u200b\ufeff]")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_SYLLABLE = re.compile(r"[\uac00-\ud7a3]")
_HUMP = re.compile(rb"[a-z][A-Z]")
_ALNUM = bytes(code for code in range(128) if chr(code).isalnum())
_TO_SPACES = bytes(code if code in _ALNUM else 0x20 for code in range(256))
_NO_SIGNS = bytes(code for code in range(256) if code in _ALNUM or code > 127 or chr(code).isspace())


def line_tokens(line: str) -> int:
    """Returns the tokens of a line, seldom too few: three letters or digits in a row count as one, a syllable of Hangul
    as three, any other character as one."""
    total = 0
    for part in _PARTS.findall(line):
        total += -(-len(part) // LETTERS) if _is_run(part) else _others(part)
    return total


def weight(text: str) -> int:
    """Returns how many tokens a text has in relation to others of its kind; `WEIGHT` for a short word.

    A long word, a number, data and a name in camel case are several tokens, so they weigh more. The weights of two
    texts that a space parts add up.
    """
    data = text.encode("utf-8", "surrogatepass")  # bytes are taken apart in a tenth of the time
    total = WEIGHT * len(data.translate(None, _NO_SIGNS))
    for run in data.translate(_TO_SPACES).split():
        total += _known_weight(run) if len(run) <= LONGEST_RUN else _run_weight(run)
    if not text.isascii():
        total += sum(map(_beyond_weight, _BEYOND_ASCII.findall(text)))
    return total


def part_tokens(part: int, tokens: int, whole: int) -> int:
    """Returns the tokens of a part of a text: its share by weight, or its own weight where that is more, and `MARGIN`,
    rounded up, and no more than all.

    part, whole: weights of both
    tokens:      of the whole text
    """
    return min(tokens, -(-part * _rate(tokens, whole) // (100 * WEIGHT * max(1, whole))))


def part_weight(room: int, tokens: int, whole: int) -> int:
    """Returns the greatest weight of a part that has no more than `room` tokens by `part_tokens`."""
    return room * 100 * WEIGHT * whole // _rate(tokens, whole) if tokens > room else whole


def _rate(tokens: int, whole: int) -> int:
    """Returns the tokens of a text by its weight, with the margin, in units of 1 / (100 * `WEIGHT`)."""
    rate = max(tokens * WEIGHT, whole)
    return rate * (100 + (DENSE_MARGIN if 100 * rate > DENSE * whole else MARGIN))


def _is_run(part: str) -> bool:
    return part.isascii() and part.isalnum()


def _others(part: str) -> int:
    return HANGUL if _SYLLABLE.match(part) else 1


def _beyond_weight(character: str) -> int:
    if _SYLLABLE.match(character):
        return HANGUL_WEIGHT
    return UNSPACED_WEIGHT if _UNSPACED.match(character) else WEIGHT


def _run_weight(run: bytes) -> int:
    """Returns the weight of letters and digits in a row."""
    if not run.isalpha():
        return max(WEIGHT, (3 if run.isdigit() else MIXED) * len(run))
    letters = WEIGHT + max(0, len(run) - SHORT) + 2 * max(0, len(run) - LONG)
    return max(letters, WEIGHT * (1 + len(_HUMP.findall(run))))


_known_weight = lru_cache(maxsize=1 << 14)(_run_weight)
