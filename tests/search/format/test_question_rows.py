"""Question shards: by which keys a question is found, and what a row may be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from infograph.search.format.question_hash import stems, words_of
from infograph.search.format.question_rows import KEYS, MOST_STEMS, QuestionRow, encode_row, keys_of, rows_of

FIXTURE = json.loads((Path(__file__).parents[2] / "fixtures" / "simhash.json").read_text("utf-8"))
ENGLISH = words_of("en")


def test_keys_are_those_that_every_client_takes() -> None:
    assert FIXTURE["keys"]
    for case in FIXTURE["keys"]:
        assert keys_of(stems(case["question"], ENGLISH), case["common"]) == case["keys"], case["question"]


def test_keys_do_not_depend_on_the_order_and_repeats_of_stems() -> None:
    assert keys_of(["a", "b", "c", "b"], ()) == keys_of(["c", "b", "a"], ())
    assert len(keys_of(list("abcdefgh"), ())) == KEYS


def test_common_stems_are_no_keys_but_pairs_of_them_are() -> None:
    assert keys_of(["a", "b", "x"], {"a", "b"}) == ["x", "a b"]
    assert keys_of(["a", "b"], {"a", "b"}) == ["a b"]
    assert keys_of(["a", "x"], {"a"}) == ["x"]
    assert keys_of(["a"], {"a"}) == ["a"]


def test_a_text_of_very_many_stems_is_no_question() -> None:
    assert keys_of([str(number) for number in range(MOST_STEMS)], ())
    assert keys_of([str(number) for number in range(MOST_STEMS + 1)], ()) == []


def test_a_row_comes_back() -> None:
    row = QuestionRow(2**64 - 1, "Why?", ((3, 0, 0.75), (1, 2, -0.25)))
    encoded = encode_row("f" * 16, row.question, row.answers)
    assert encoded == ["f" * 16, "Why?", [3, 0, 750, 1, 2, -250]]
    assert list(rows_of(json.loads(json.dumps([encoded])))) == [row]


@pytest.mark.parametrize(
    "shard",
    [
        {},
        None,
        [None],
        [["0" * 16, "Why?"]],
        [["0" * 15, "Why?", []]],
        [["g" * 16, "Why?", []]],
        [["0x" + "0" * 14, "Why?", []]],
        [["0" * 16, 1, []]],
        [["0" * 16, "Why?", {}]],
        [["0" * 16, "Why?", [1, 2]]],
        [["0" * 16, "Why?", [1, 2, 0.5]]],
        [["0" * 16, "Why?", [1, 2, True]]],
        [["0" * 16, "Why?", [-1, 2, 5]]],
        [["0" * 16, "Why?", [1, 2, 1 << 60]]],
    ],
)
def test_a_malformed_shard_is_refused(shard: Any) -> None:
    with pytest.raises(ValueError):
        list(rows_of(shard))
