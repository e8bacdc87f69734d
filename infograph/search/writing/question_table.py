"""The questions that chunks of a tree are known to answer: packed by page, and joined to the question shards."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import orjson

from infograph.search.format.encoding import hash32, top_bits
from infograph.search.format.question_hash import THRESHOLD, QuestionWords, hashed_once, words_of
from infograph.search.format.question_rows import KEYS, MOST_ANSWERS, encode_row, keys_of
from infograph.search.writing.shards import Shards

SHARD_BYTES = 1 << 15
"""Bytes of a question shard, before deflation, that the number of shards aims at: some 12 KB of a file."""
MOST_OF_STEM = 96
"""Most questions that a stem may have and still be a key: a tenth of the bytes of a shard."""
MOST_OF_KEY = 256
"""Most questions that are listed under one key, but for those that stand under no other."""

Answers = Iterable[tuple[str, int, float]]
"""Text of a question, index of a chunk of the page that answers it, their cosine."""


@dataclass(slots=True)
class _Asked:
    """A question while the rows are joined."""

    digits: str
    """The SimHash of the question, 16 hexadecimal digits."""
    text: str
    stems: list[str]
    answers: list[tuple[float, int, int]]
    """Minus the cosine, slot of the page, chunk: in order of these, the best come first."""

    def best(self) -> Iterator[tuple[int, int, float]]:
        """Yields slot, chunk and cosine of the best answers."""
        return ((slot, index, -cosine) for cosine, slot, index in sorted(self.answers)[:MOST_ANSWERS])


def pack_questions(answers: Answers, words: QuestionWords) -> bytes:
    """Returns `PageIndex.questions`: JSON rows of hash, text, stems, and pairs of chunk and cosine; empty where no
    chunk of the page answers a question. A question without a letter and a digit says nothing, and is left out."""
    pairs: dict[str, list[tuple[int, float]]] = {}
    for question, index, cosine in answers:
        own = index, cosine if cosine == 1.0 else round(cosine, 6)  # of most questions, as their authors say
        if question in pairs:
            pairs[question].append(own)
        else:
            pairs[question] = [own]
    rows = []
    for question in sorted(pairs):
        value, digits, stems = hashed_once(question, words)
        if value:
            found = pairs[question]
            if len(found) > 1:
                found = list(dict(sorted(found)).items())  # of one chunk the largest comes last, and stays
            rows.append((digits, question, stems, found))
    return orjson.dumps(rows) if rows else b""


def question_table(
    shards: Shards, pages: Sequence[bytes], slots: Sequence[int], language: str
) -> dict[str, Any] | None:
    """Adds the question shards; returns the manifest's field of them, None for a tree without questions.

    pages:    `PageIndex.questions` of each page; slots: those of the pages
    language: whose turning words readers hash by
    """
    asked = _joined(pages, slots)
    if not asked:
        return None
    rows = [orjson.dumps(encode_row(one.digits, one.text, one.best())) for one in asked]
    size = sum(map(len, rows))
    bits = math.ceil(math.log2(KEYS * size / SHARD_BYTES)) if size > SHARD_BYTES else 0
    common = _common(asked) if bits else []
    often = frozenset(common)
    members: list[set[int]] = [set() for _ in range(1 << bits)]
    for key, found in _listed([keys_of(one.stems, often) for one in asked]).items():
        members[top_bits(hash32(key), bits)].update(found)
    contents = [b"[" + b",\n".join([rows[number] for number in sorted(some)]) + b"]" for some in members]
    names = [shards.whole("q", data) if some else "" for some, data in zip(members, contents, strict=True)]
    return {
        "count": len(asked),
        "distance": THRESHOLD,
        "common": common,
        "turning": {name: sorted(words) for name, words in words_of(language).turning.items()},
        "shards": shards.table(bits, names),
    }


def _listed(keys: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    """Returns the numbers of the questions under each key; a question that has keys stands under one of them at least.

    keys: those of each question
    """
    by_key: dict[str, list[int]] = {}
    for number, own in enumerate(keys):
        for key in own:
            by_key.setdefault(key, []).append(number)
    if all(len(found) <= MOST_OF_KEY for found in by_key.values()):
        return by_key
    placed = {number for found in by_key.values() for number in found[:MOST_OF_KEY]}
    return {
        key: found[:MOST_OF_KEY] + [number for number in found[MOST_OF_KEY:] if number not in placed]
        for key, found in by_key.items()
    }


def _joined(pages: Sequence[bytes], slots: Sequence[int]) -> list[_Asked]:
    """Returns the questions of all pages, sorted by hash and text; the hash is one of the text."""
    asked: dict[str, _Asked] = {}
    for packed, slot in zip(pages, slots, strict=True):
        for digits, question, stems, pairs in orjson.loads(packed) if packed else ():
            found = asked.get(question)
            if found is None:
                found = asked[question] = _Asked(digits, question, stems, [])
            found.answers += [(-cosine, slot, index) for index, cosine in pairs]
    return sorted(asked.values(), key=attrgetter("digits", "text"))


def _common(asked: Iterable[_Asked]) -> list[str]:
    """Returns the stems that more questions have than a key may, sorted."""
    counts = Counter(stem for one in asked for stem in one.stems)
    return sorted(stem for stem, count in counts.items() if count > MOST_OF_STEM)
