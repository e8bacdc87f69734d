"""The questions that chunks answer: packed by page, joined to rows, spread over shards of bounded size."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import orjson
import pytest

from infograph.search.format.encoding import hash32, top_bits
from infograph.search.format.layout import split_names
from infograph.search.format.question_hash import simhash, stems, words_of
from infograph.search.format.question_rows import KEYS, MOST_ANSWERS, QuestionRow, keys_of, rows_of
from infograph.search.writing.question_table import (
    MOST_OF_KEY,
    MOST_OF_STEM,
    SHARD_BYTES,
    pack_questions,
    question_table,
)
from infograph.search.writing.shards import Shards

ENGLISH = words_of("en")
REACH = 64_000
"""Most bytes of a match among 10,000 questions."""


def table(pages: Sequence[Iterable[tuple[str, int, float]]], slots: Sequence[int] = ()) -> tuple[Any, Shards]:
    shards = Shards(2000, {})
    packed = [pack_questions(page, ENGLISH) for page in pages]
    return question_table(shards, packed, slots or range(len(pages)), "en"), shards


def rows(said: Any, shards: Shards) -> list[QuestionRow]:
    names = [name for name in split_names(said["shards"]["names"]) if name]
    return [row for name in names for row in rows_of(orjson.loads(zlib.decompress(shards.files[name])))]


def test_a_page_without_questions_has_no_bytes_and_a_tree_without_them_no_shard() -> None:
    assert pack_questions([], ENGLISH) == b""
    assert pack_questions([("…", 0, 1.0)], ENGLISH) == b""  # neither a letter nor a digit
    said, shards = table([[], []])
    assert said is None and not shards.names


def test_a_row_has_the_chunks_of_all_pages_the_best_first() -> None:
    said, shards = table([[("Why?", 2, 0.4), ("Why?", 1, 0.9)], [("Why?", 0, 0.9), ("How?", 3, 0.5)]], [7, 3])
    why, how = sorted(rows(said, shards), key=lambda row: row.question, reverse=True)
    assert (why.question, why.hash) == ("Why?", simhash("Why?", ENGLISH))
    assert why.answers == ((3, 0, 0.9), (7, 1, 0.9), (7, 2, 0.4))
    assert how.answers == ((3, 3, 0.5),)
    assert (said["count"], said["distance"], said["common"]) == (2, 12, [])
    assert "never" in said["turning"]["not"] and "isnt" in said["turning"]["not"]


def test_of_a_chunk_that_is_named_twice_the_greater_cosine_counts() -> None:
    said, shards = table([[("Why?", 1, 0.4), ("Why?", 1, 1.0), ("Why?", 1, 0.5)]])
    assert rows(said, shards)[0].answers == ((0, 1, 1.0),)


def test_a_question_names_a_bounded_number_of_chunks() -> None:
    said, shards = table([[("Why?", index, index / 100) for index in range(40)]])
    found = rows(said, shards)[0].answers
    assert [index for _, index, _ in found] == list(range(39, 39 - MOST_ANSWERS, -1))


def test_what_is_large_is_in_many_files_and_in_each_of_its_keys() -> None:
    asked = [f"How do I turn the {number} of part{number % 50} over?" for number in range(2000)]
    said, shards = table([[(question, 0, 0.5) for question in asked]])
    bits, names = said["shards"]["bits"], split_names(said["shards"]["names"])
    assert len(names) == 1 << bits > 1
    assert said["common"] == ["turn"]  # `part7` is in 40 questions
    for question in asked[:50]:
        keys = keys_of(stems(question, ENGLISH), said["common"])
        assert len(keys) == KEYS
        for key in keys:
            shard = orjson.loads(zlib.decompress(shards.files[names[top_bits(hash32(key), bits)]]))
            assert question in [row.question for row in rows_of(shard)]


def vocabulary(chance: random.Random) -> list[str]:
    letters = "aeiouklmnprst"
    return ["".join(chance.choices(letters, k=chance.randint(3, 9))) for _ in range(4000)]


def natural(count: int, seed: int = 1) -> list[str]:
    """Questions whose words are as unevenly spread as those of a language: some stand in a tenth of all."""
    chance = random.Random(seed)
    words = vocabulary(chance)
    weights = [1 / (place + 3) for place in range(len(words))]
    openings = ["How do I", "How can I", "What is", "Why does", "When should I", "Can I", "Where is the"]
    asked: dict[str, None] = {}
    while len(asked) < count:
        asked[f"{chance.choice(openings)} {' '.join(chance.choices(words, weights, k=chance.randint(2, 7)))}?"] = None
    return list(asked)


def test_of_questions_that_share_all_their_keys_none_is_lost() -> None:
    same = ["Turn" + " " * spaces + " part over?" for spaces in range(2 * MOST_OF_KEY)]
    many = [f"How do I open the {number} of box{number}?" for number in range(2000)]
    said, shards = table([[(question, 0, 0.5) for question in same + many]])
    assert said["shards"]["bits"]
    assert {row.question for row in rows(said, shards)} == set(same + many)


@pytest.mark.slow
def test_a_match_among_ten_thousand_questions_takes_two_files_of_64_kb() -> None:
    asked = natural(10_000)
    pages = [
        [(question, place % 7, 0.5), (question, 8, 0.4), (question, 9, 0.3)] for place, question in enumerate(asked)
    ]
    said, shards = table([[row for page in pages[at : at + 100] for row in page] for at in range(0, len(pages), 100)])
    assert said["count"] == 10_000 and "directories" not in said["shards"]
    bits, names = said["shards"]["bits"], split_names(said["shards"]["names"])
    for question in (*asked[::7], *natural(500, 2)):
        keys = keys_of(stems(question, ENGLISH), said["common"])
        read = {names[top_bits(hash32(key), bits)] for key in keys} - {""}
        assert len(read) <= 2
        assert sum(len(shards.files[name]) for name in read) <= REACH
    assert len(orjson.dumps(said)) < 8000  # what every client reads of it
    assert len(said["common"]) < MOST_OF_STEM and SHARD_BYTES < REACH
