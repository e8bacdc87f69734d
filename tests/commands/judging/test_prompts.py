"""What is taken of an answer about claims and texts: numbers that there are, each claim once."""

from __future__ import annotations

import json

import pytest

from infograph.commands.judging.prompts import ask_of, checked
from infograph.config.settings import LlmSettings
from infograph.evaluate.judged import JudgedText, SupportCase

CASE = SupportCase("q1", "How?", ("One claim.", "Another claim."), (JudgedText("a"), JudgedText("b")))


def said(*entries: object) -> str:
    return json.dumps({"claims": entries})


def test_numbers_become_places() -> None:
    given = said({"claim": 2, "texts": [2, 1, 2]}, {"claim": 1, "texts": []})
    assert checked(given, CASE).value == ((), (0, 1))


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("no JSON", ""),
        (json.dumps({"claims": "1"}), "no list"),
        (said({"claim": 1, "texts": []}), "no valid entry for claim 2"),
        (said({"claim": 1, "texts": []}, {"claim": 1, "texts": []}), "once"),
        (said({"claim": 1, "texts": [3]}, {"claim": 2, "texts": []}), "numbers of 1 to 2"),
        (said({"claim": True, "texts": []}, {"claim": 2, "texts": []}), "each of 1 to 2"),
        (said("1", {"claim": 2, "texts": []}), "each of 1 to 2"),
    ],
)
def test_any_other_answer_is_sent_back(answer: str, wrong: str) -> None:
    found = checked(answer, CASE)
    assert found.value is None and any(wrong in violation for violation in found.violations)


def test_texts_that_are_too_long_together_are_cut_alike() -> None:
    long = SupportCase("q1", "How?", ("One claim.",), (JudgedText("a" * 9_000), JudgedText("b" * 9_000)))
    asked = ask_of(long, "m", LlmSettings(context_tokens=2_000), lambda text: text).call
    assert asked.text.count("a" * 2_250) == 1 and "a" * 2_251 not in asked.text and "b" * 2_250 in asked.text
    many = SupportCase("q1", "How?", ("A claim of it.",) * 60, (JudgedText("a"),))
    llm = LlmSettings()
    assert ask_of(many, "m", llm, lambda text: text).call.max_tokens == llm.document_output_tokens
