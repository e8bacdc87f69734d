"""Other wordings of questions, by rules."""

from __future__ import annotations

import pytest

from infograph.evaluate.rewordings import LONGER, OPENING, SHORTER, TURNED, rewordings
from infograph.search.format.question_hash import words_of

ENGLISH = words_of("en")


def made(question: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for kind, text in rewordings(question, ENGLISH):
        found.setdefault(kind, []).append(text)
    return found


def test_each_kind() -> None:
    assert made("How do I clear the embedding cache?") == {
        OPENING: [
            "How can you clear the embedding cache?",
            "How to clear the embedding cache?",
            "What is the way to clear the embedding cache?",
        ],
        SHORTER: ["How do I clear the embedding ?"],
        LONGER: ["How do I clear the embedding cache on Windows?"],
        TURNED: ["How do not I clear the embedding cache?"],
    }


@pytest.mark.parametrize("question", ["Why is a page not indexed?", "When do I never build?"])
def test_what_is_turned_around_is_not_turned_once_more(question: str) -> None:
    assert TURNED not in made(question)


def test_what_no_rule_makes_is_left_out() -> None:
    assert made("Clear cache") == {LONGER: ["Clear cache on Windows?"]}
