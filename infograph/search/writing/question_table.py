"""The questions that chunks of a tree are known to answer: packed by page, and joined to the question shards."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from infograph.search.format.encoding import hash32, top_bits
from infograph.search.format.question_hash import THRESHOLD, QuestionWords, hashed_once, words_of
from infograph.search.format.question_rows import KEYS, MOST_ANSWERS, QuestionRow, encode_row, keys_of
from infograph.search.writing.shards import Shards

SHARD_BYTES = 1 << 15
"""Bytes of a question shard, before deflation, that the number of shards aims at: some 12 KB of a file."""
MOST_OF_STEM = 96
"""Most questions that a stem may have and still be a key: a tenth of the bytes of a shard."""
MOST_OF_KEY = 256
"""Most questions that are listed under one key, but for those that stand under no other."""

Answers = Iterable[tuple[str, int, float]]
"""Text of a question, index of a chunk of the page that answers it, their cosine."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question while the rows are joined."""

    stems: tuple[str, ...]
    answers: list[tuple[float, int, int]]
    """Minus the cosine, slot of the page, chunk: in order of these, the best come first."""


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
    rows = {key: orjson.dumps(encode_row(_row(key, found.answers))) for key, found in asked.items()}
    size = sum(map(len, rows.values()))
    bits = math.ceil(math.log2(KEYS * size / SHARD_BYTES)) if size > SHARD_BYTES else 0
    common = _common(asked.values()) if bits else []
    members: list[set[tuple[str, str]]] = [set() for _ in range(1 << bits)]
    for one, found in _listed({key: keys_of(asked[key].stems, common) for key in sorted(asked)}).items():
        members[top_bits(hash32(one), bits)].update(found)
    contents = [b"[" + b",\n".join([rows[key] for key in sorted(some)]) + b"]" for some in members]
    names = [shards.whole("q", data) if some else "" for some, data in zip(members, contents, strict=True)]
    return {
        "count": len(asked),
        "distance": THRESHOLD,
        "common": common,
        "turning": {name: sorted(words) for name, words in words_of(language).turning.items()},
        "shards": shards.table(bits, names),
    }


def _listed(keys: Mapping[tuple[str, str], Sequence[str]]) -> dict[str, list[tuple[str, str]]]:
    """Returns the questions under each key; a question that has keys stands under one of them at least.

    keys: those of each question, which come in the order in which they are listed
    """
    by_key: dict[str, list[tuple[str, str]]] = {}
    for question, own in keys.items():
        for one in own:
            by_key.setdefault(one, []).append(question)
    placed = {question for found in by_key.values() for question in found[:MOST_OF_KEY]}
    return {
        one: found[:MOST_OF_KEY] + [question for question in found[MOST_OF_KEY:] if question not in placed]
        for one, found in by_key.items()
    }


def _joined(pages: Sequence[bytes], slots: Sequence[int]) -> dict[tuple[str, str], _Asked]:
    """Returns the questions of all pages by hash and text."""
    asked: dict[tuple[str, str], _Asked] = {}
    for packed, slot in zip(pages, slots, strict=True):
        for digits, question, own, pairs in orjson.loads(packed) if packed else ():
            found = asked.get((digits, question))
            if found is None:
                found = asked[digits, question] = _Asked(tuple(own), [])
            for index, cosine in pairs:
                found.answers.append((-cosine, slot, index))
    return asked


def _row(key: tuple[str, str], answers: Iterable[tuple[float, int, int]]) -> QuestionRow:
    best = [(slot, index, -cosine) for cosine, slot, index in sorted(answers)[:MOST_ANSWERS]]
    return QuestionRow(int(key[0], 16), key[1], tuple(best))


def _common(asked: Iterable[_Asked]) -> list[str]:
    """Returns the stems that more questions have than a key may, sorted."""
    counts = Counter(stem for one in asked for stem in one.stems)
    return sorted(stem for stem, count in counts.items() if count > MOST_OF_STEM)
