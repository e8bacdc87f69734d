"""Question shards: the questions that chunks are known to answer, found by the words that few of them have.

A shard is a JSON list of rows, sorted:

    hash      SimHash of the question, 16 hex digits, see `question_hash.py`
    question  its text
    answers   three whole numbers for each chunk that answers it, the best chunk first: slot of the page, index of the
              chunk, and their cosine in thousandths

A question stands in the shards of its `KEYS` keys: those of its stems whose hashes are the smallest. Two questions that
share most stems share one of these with a chance of some 95%, whatever else they say, so whoever asks looks under the
keys of the own question and reads `KEYS` files at most (Broder, "On the resemblance and containment of documents",
1997). Stems that many questions have would make files of all of these: the manifest names them as `common`, and pairs
of them take the place of a key that is lacking.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

from infograph.search.format.encoding import hash32
from infograph.search.format.layout import LARGEST_NUMBER

KEYS = 2
"""Shards that a question stands in, and most that are read for one."""
MOST_STEMS = 64
"""Most distinct stems of a question; a longer text is none, and matches nothing."""
MOST_ANSWERS = 16
"""Most chunks that a question names."""
COSINE_SCALE = 1000
"""What a cosine is multiplied by, and rounded, to be stored."""

_HASH = re.compile("[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question of the site, and the chunks that answer it."""

    hash: int
    question: str
    answers: tuple[tuple[int, int, float], ...]
    """Slot, index and cosine of each chunk, the best chunk first."""


def keys_of(stems: Sequence[str], common: Collection[str]) -> list[str]:
    """Returns the keys of a question, `KEYS` at most; none for a question of no stems, or of too many.

    common: stems that many questions of the site have
    """
    distinct = set(stems)
    if len(distinct) > MOST_STEMS:
        return []
    keys = _smallest(distinct.difference(common))
    often = sorted(distinct.intersection(common)) if len(keys) < KEYS else []
    if often:
        pairs = [f"{a} {b}" for a, b in combinations(often, 2)] or ([] if keys else often)
        keys += _smallest(pairs)[: KEYS - len(keys)]
    return keys


def _smallest(keys: Iterable[str]) -> list[str]:
    return sorted(keys, key=_order)[:KEYS]


@lru_cache(1 << 16)  # the words of a site come again and again
def _order(key: str) -> tuple[int, str]:
    # Not the hash by which shards are chosen: all of these would be in the first shards.
    return hash32(f"~{key}"), key


def encode_row(digits: str, question: str, answers: Iterable[tuple[int, int, float]]) -> list[Any]:
    """Returns a row as a shard holds it.

    digits:  the hash
    answers: slot, index and cosine of each chunk, the best chunk first
    """
    numbers = [number for slot, index, cosine in answers for number in (slot, index, round(cosine * COSINE_SCALE))]
    return [digits, question, numbers]


def rows_of(shard: Any) -> Iterator[QuestionRow]:
    """Yields the rows of a shard. Raises ValueError for a malformed one."""
    if not isinstance(shard, list):
        raise ValueError("not a list")
    for row in shard:
        if not isinstance(row, list) or len(row) != 3:
            raise ValueError("a row is not a list of three")
        digits, question, numbers = row
        if not isinstance(digits, str) or not _HASH.fullmatch(digits) or not isinstance(question, str):
            raise ValueError("a row has no hash and question")
        whole = isinstance(numbers, list) and len(numbers) % 3 == 0
        if not whole or not all(type(number) is int and abs(number) < LARGEST_NUMBER for number in numbers):
            raise ValueError("answers are not whole numbers, three each")
        answers = tuple(
            (numbers[at], numbers[at + 1], numbers[at + 2] / COSINE_SCALE) for at in range(0, len(numbers), 3)
        )
        if any(min(slot, index) < 0 for slot, index, _ in answers):
            raise ValueError("a chunk below 0")
        yield QuestionRow(int(digits, 16), question, answers)
