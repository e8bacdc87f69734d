"""Figures of verdicts, and the file that keeps them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from infograph.errors import FormatError
from infograph.evaluate.judged import (
    JudgedText,
    SupportCase,
    Supports,
    SupportVerdict,
    judged_metrics,
    read_verdicts,
    render_verdicts,
)
from infograph.evaluate.questions import Question, Span
from infograph.evaluate.synthesis import WrittenAnswer

SPAN = (Span("a.md", 0, 1),)
ASKED = (
    Question("q1", "How?", SPAN, answer="The cache is large enough. It lies there all day."),
    Question("q2", "Why?", SPAN),
    Question("q3", "When?", SPAN, answer="It is made each night."),
)
ANSWERS = {
    "q1": WrittenAnswer(("It is large enough.", "It sings all day.")),
    "q3": WrittenAnswer(("It is made each night.",)),
}
TEXTS = [[JudgedText(name) for name in "abc"]] * 3


class Said:
    """Gives what it is told, and keeps what it was asked."""

    def __init__(self, *supports: Supports | None) -> None:
        self.supports, self.cases = supports, list[SupportCase]()

    def judge(self, cases: Sequence[SupportCase]) -> Sequence[Supports | None]:
        self.cases += cases
        return self.supports


def test_the_metrics() -> None:
    judge = Said(((0, 2), ()), ((0,), ()), ((),))
    values = judged_metrics(judge, ANSWERS, ASKED, TEXTS, 3)
    assert values["faithfulness@3"].tolist()[::2] == [0.5, 0.0]
    assert values["utilisation@3"].tolist()[::2] == [2 / 3, 0.0]
    assert values["completeness"].tolist()[::2] == [0.5, 1.0], "a reference answer says all of itself"
    assert all(math.isnan(own[1]) for own in values.values()), "no answer was written"
    context, reference, _ = judge.cases
    assert [own.text for own in context.texts] == ["a", "b", "c"] and len(reference.claims) == 2
    nothing = judged_metrics(Said(None, None, None), ANSWERS, ASKED, TEXTS, 3)
    assert math.isnan(nothing["faithfulness@3"][0]) and math.isnan(nothing["completeness"][0])


def test_a_verdict_is_of_just_these_words() -> None:
    case = SupportCase("q1", "How?", ("One claim.",), (JudgedText("a", "x.md"),))
    assert case.sha256 == SupportCase("other", "How?", ("One claim.",), (JudgedText("a", "y.md"),)).sha256
    assert case.sha256 != SupportCase("q1", "How?", ("One claim.",), (JudgedText("b", "x.md"),)).sha256
    assert case.fits(((0,),)) and not case.fits(((1,),)) and not case.fits(((0,), ()))


def test_the_file_reads_back_in_one_order() -> None:
    verdicts = [SupportVerdict("f" * 64, "q2", "m", "p", ((0, 1), ())), SupportVerdict("0" * 64, "q1", "ü", "p", ())]
    data = render_verdicts(verdicts)
    assert data == render_verdicts(verdicts[::-1]) and '"ü"'.encode() in data
    assert sorted(read_verdicts("x", data).values(), key=lambda own: own.id) == verdicts[::-1]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (b"\xff", "not UTF-8"),
        (b"[", "is no verdict"),
        (b"[]", "not an object"),
        (b'{"sha256": 1}', "must be texts"),
        (b'{"sha256": "", "id": "", "model": "", "prompt": "", "supports": [[-1]]}', "whole numbers from 0"),
        (b'{"sha256": "", "id": "", "model": "", "prompt": "", "supports": [[true]]}', "whole numbers from 0"),
        (b'{"sha256": "a", "id": "", "model": "", "prompt": "", "supports": []}\n' * 2, "a second verdict"),
    ],
)
def test_a_broken_file_is_told_with_its_line(line: bytes, wrong: str) -> None:
    with pytest.raises(FormatError, match=wrong):
        read_verdicts("v.jsonl", line)
