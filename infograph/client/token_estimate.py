"""Estimates the tokens of texts without a tokenizer. Pure functions; `infograph/web/tokens.js` has the same.

The index counts the tokens of whole chunks. What a client shows of a chunk, and the lines that it adds, it counts by
these rules: a client has no tokenizer, and an estimate that is too low exceeds the budget of the one who asks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

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
SHORTEST = 3
"""Letters of a word of a language that the tokenizer knows little of that are one token: see `part_tokens`."""
SPREAD = 2
"""Tokens by which an estimate of one token may be too low; one of many by the root of their number as many, as errors
of parts make up for each other in part: see `margin`."""
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


class Weight(NamedTuple):
    """What a text weighs. Weights of texts that a space parts add up."""

    all: int
    """How many tokens it has in relation to others of its kind; `WEIGHT` for a short word."""
    beyond: int
    """Letters of words beyond their first `SHORTEST`."""

    def and_marks(self, count: int) -> Weight:
        """Returns what it weighs with as many characters more that are no letters."""
        return Weight(self.all + count * WEIGHT, self.beyond)


def weight(text: str) -> Weight:
    """Returns what a text weighs.

    A long word, a number, data and a name in camel case are several tokens, so they weigh more.
    """
    data = text.encode("utf-8", "surrogatepass")  # bytes are taken apart in a tenth of the time
    total, beyond = WEIGHT * len(data.translate(None, _NO_SIGNS)), 0
    for run in data.translate(_TO_SPACES).split():
        own, more = _known_weight(run) if len(run) <= LONGEST_RUN else _run_weight(run)
        total += own
        beyond += more
    if not text.isascii():
        total += sum(map(_beyond_weight, _BEYOND_ASCII.findall(text)))
    return Weight(total, beyond)


def sum_of(weights: Iterable[Weight]) -> Weight:
    """Returns what texts weigh together."""
    every = list(weights)
    return Weight(sum(own.all for own in every), sum(own.beyond for own in every))


def part_tokens(part: Weight, tokens: int, whole: Weight) -> int:
    """Returns the tokens of a part of a text, rounded up, and no more than all: an estimate that is as often too low.

    part, whole: weights of both
    tokens:      of the whole text

    It is the higher one of two. By the first, all of the text has as many tokens for its weight. By the second, signs,
    numbers and short words have what their weight says, and what the text has beside those lies in its long words, by
    letters: of pages in German or Finnish with code and tables in between, the first one takes half of that off the
    words and gives it to the code. No part counts for less than its own weight says.
    """
    more = tokens * WEIGHT - whole.all
    if more <= 0:
        return min(tokens, -(-part.all // WEIGHT))
    by_weight = -(-part.all * tokens // max(1, whole.all))
    by_letters = -(-(part.all * whole.beyond + part.beyond * more) // (WEIGHT * whole.beyond)) if whole.beyond else 0
    return min(tokens, max(by_weight, by_letters))


def margin(tokens: int) -> int:
    """Returns by how many tokens parts of texts may have more than they are estimated to have together.

    `SPREAD` was chosen on react-dev (16,000 parts of chunks) and on messages of programs in 114 languages with code,
    data and each other in between (18,000): of parts of react-dev one in a thousand has more tokens than the estimate
    and 1.3 times its root, of the mixed languages 2.1 times; of whole contexts of react-dev the worst of 2,500 has 1.8
    times the root more, and of the mixed languages 8 of 2,500 exceed their budget.
    """
    return math.isqrt(SPREAD * SPREAD * max(0, tokens))


def _is_run(part: str) -> bool:
    return part.isascii() and part.isalnum()


def _others(part: str) -> int:
    return HANGUL if _SYLLABLE.match(part) else 1


def _beyond_weight(character: str) -> int:
    if _SYLLABLE.match(character):
        return HANGUL_WEIGHT
    return UNSPACED_WEIGHT if _UNSPACED.match(character) else WEIGHT


def _run_weight(run: bytes) -> tuple[int, int]:
    """Returns the weight of letters and digits in a row, and its letters beyond the first."""
    if not run.isalpha():
        return max(WEIGHT, (3 if run.isdigit() else MIXED) * len(run)), 0
    letters = WEIGHT + max(0, len(run) - SHORT) + 2 * max(0, len(run) - LONG)
    return max(letters, WEIGHT * (1 + len(_HUMP.findall(run)))), max(0, min(len(run), LONG) - SHORTEST)


_known_weight = lru_cache(maxsize=1 << 14)(_run_weight)
