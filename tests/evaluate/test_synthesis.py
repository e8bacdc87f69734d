"""Whether what is retrieved supports written answers: claims, support by words, the three metrics of section 9.12.4."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.errors import FormatError
from infograph.evaluate.questions import Question, Span
from infograph.evaluate.synthesis import WrittenAnswer, claims_of, read_answers, supports, synthesis_metrics

pytest.importorskip("rapidfuzz")

SPAN = (Span("a.md", 0, 1),)
ASKED = (
    Question("q1", "How?", SPAN, answer="The cache holds 512 vectors. It lies beside the sources."),
    Question("q2", "Why?", SPAN),
)
CACHE = "Vectors: the cache holds 512 of the vectors in memory."
PLACE = "It lies, by default, beside the sources of the tree."
OTHER = "Nothing of it is said here."


def test_claims_are_sentences_without_citations() -> None:
    assert claims_of("The cache holds vectors [1]. Yes. It lies there [2, 3][^a], see below.") == (
        "The cache holds vectors .",
        "It lies there , see below.",
    )
    assert claims_of("") == ()


@pytest.mark.parametrize(
    ("text", "claim", "held"),
    [
        (CACHE, "The cache holds 512 vectors.", True),
        (CACHE, "The cache holds 513 vectors.", False),  # a number is not a word among others
        (CACHE, "Vectors 512 holds cache the", False),  # the same words in another order
        (PLACE, "The cache holds 512 vectors.", False),
        ("", "The cache holds vectors.", False),
        (CACHE, "", False),
    ],
)
def test_a_claim_is_held_by_its_words_in_order_and_all_its_numbers(text: str, claim: str, held: bool) -> None:
    assert supports(text, claim) is held


def test_the_three_metrics() -> None:
    answers = {"q1": WrittenAnswer(("The cache holds 512 vectors.", "It was written in Rust by Ada."))}
    found = synthesis_metrics(answers, ASKED, [[CACHE, PLACE, OTHER, CACHE], [OTHER]], 3)
    assert found["faithfulness@3"][0] == 1 / 2  # nothing says who wrote it
    assert found["utilisation@3"][0] == 1 / 3  # the fourth unit is not read
    assert found["completeness"][0] == 1 / 2  # where it lies is left out
    assert all(math.isnan(values[1]) for values in found.values())


def test_nothing_retrieved_supports_nothing() -> None:
    found = synthesis_metrics({"q1": WrittenAnswer(("The cache holds 512 vectors.",))}, ASKED[:1], [[]], 5)
    assert (found["faithfulness@5"][0], found["utilisation@5"][0]) == (0, 0)


@given(st.lists(st.text(min_size=1)), st.lists(st.text()))
def test_metrics_are_shares(claims: list[str], texts: list[str]) -> None:
    found = synthesis_metrics({"q1": WrittenAnswer(tuple(claims))}, ASKED[:1], [texts], 5)
    assert all(math.isnan(value) or 0 <= value <= 1 for values in found.values() for value in values)


def lines(*records: Any) -> bytes:
    return "\n".join(record if isinstance(record, str) else json.dumps(record) for record in records).encode()


def test_answers_are_read_by_the_id_of_their_question() -> None:
    data = lines({"id": "q1", "answer": "It is so. Is it?"}, "", {"id": "else", "answer": "x"})
    assert read_answers("a.jsonl", data, ASKED) == ({"q1": WrittenAnswer(("It is so.",))}, ("else",))
    data = lines({"id": "q2", "answer": "It.", "claims": ["One.", "Two."]})
    assert read_answers("a.jsonl", data, ASKED) == ({"q2": WrittenAnswer(("One.", "Two."))}, ())


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff", "not UTF-8"),
        (b"{", "a.jsonl:1: is not JSON"),
        (lines([]), "`answer` must be a text"),
        (lines({"id": "q1", "answer": " "}), "`answer` must be a text"),
        (lines({"id": "q1", "answer": "x", "claims": "y"}), "`claims` must be a list"),
        (lines({"id": "q1", "answer": "x", "claims": ["y", "…"]}), "texts that have words"),
        (lines({"id": "q1", "answer": "x"}, {"id": "q1", "answer": "y"}), "a.jsonl:2: a second answer"),
        (lines({"id": "other", "answer": "x"}), "no answer to a question of this set"),
        (b"", "no answer to a question of this set"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(data: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read_answers("a.jsonl", data, ASKED)
