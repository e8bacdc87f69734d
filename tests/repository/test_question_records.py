"""benchmarks/records: questions written by hand whose gold is text of the sample docs, which are edited."""

from __future__ import annotations

import json
from pathlib import Path

from infograph.evaluate.questions import read_questions

ROOT = Path(__file__).parents[2]
SET = ROOT / "benchmarks/records/sample-docs-two-hop/questions.jsonl"


def test_each_question_takes_two_passages_that_stand_in_the_sample_docs() -> None:
    texts = {
        path.relative_to(ROOT / "sample-docs").as_posix(): path.read_bytes().decode()
        for path in (ROOT / "sample-docs").rglob("*.md")
    }
    lengths = {path: len(text) for path, text in texts.items()}
    questions = read_questions(SET.name, SET.read_bytes(), lengths, texts)
    kinds = [json.loads(line)["kind"] for line in SET.read_text("utf-8").splitlines()]
    assert (kinds.count("SF2H"), kinds.count("MF2H")) == (20, 20)
    for question, kind in zip(questions, kinds, strict=True):
        assert len(question.gold) == 2
        assert len({span.file for span in question.gold}) == (1 if kind == "SF2H" else 2), question.text
