"""What is retrieved against answers that were written: section 9.12.4 of the specification.

    faithfulness@k   claims of the answer that one of the first k units supports / its claims
    utilisation@k    units among the first k that support a claim of the answer / those units
    completeness     claims of the reference answer that the answer states / claims of the reference answer

No model judges: a claim is supported by a text that holds at least `SHARE` of the claim's words in their order (the
longest common subsequence), and every number of it. That takes a claim in other words for unsupported, and a claim
of which one word was turned around for supported: the figures rank chunkings on the same answers, they do not prove an
answer.

Answers are a JSON Lines file, one a line: `id`, that of the question, `answer`, and where a model has taken it apart,
`claims`; other keys are ignored, so that a set with reference answers is such a file, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from infograph.chunking.pieces.sentences import sentence_ends
from infograph.errors import FormatError
from infograph.evaluate.extra import missing_package
from infograph.evaluate.questions import Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHARE = 0.7
"""Share of a claim's words that a text must hold in order, as the specification has it."""
LEAST_WORDS = 3
"""Words below which a sentence claims nothing."""
COMPLETENESS = "completeness"
_MOST_WORDS = 5_000
"""Words of a text that are compared."""
_WORD = re.compile(r"\w+")
_MARK = re.compile(r"\[\d+(?:, ?\d+)*\]|\[\^[^\]]*\]")
"""A citation, which is no word of the claim."""
_HINT = 'Write one a line, as {"id": "q1", "answer": "…"}.'


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """An answer to one question, as its claims."""

    claims: tuple[str, ...]


def claims_of(text: str) -> tuple[str, ...]:
    """Returns the claims of an answer: its sentences of three words or more, without citations."""
    plain = " ".join(_MARK.sub("", text).split())
    sentences = (plain[start:end].strip() for start, end in pairwise([0, *sentence_ends(plain)]))
    return tuple(sentence for sentence in sentences if len(_words(sentence)) >= LEAST_WORDS)


def read_answers(
    place: str, data: bytes, questions: Sequence[Question]
) -> tuple[dict[str, WrittenAnswer], tuple[str, ...]]:
    """Returns the answers of a file by the id of their question, and the ids that none of these questions has. Raises
    FormatError, also where all are such.

    place: name of the file, for errors
    """
    asked = {question.id for question in questions}
    found: dict[str, WrittenAnswer] = {}
    try:
        lines = data.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise FormatError(place, f"not UTF-8: {error.reason} at byte {error.start}") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        name, answer = _answer(f"{place}:{number}", line, str(number))
        if name in found:
            raise FormatError(f"{place}:{number}", f"a second answer to the question {name!r}")
        found[name] = answer
    own = {name: answer for name, answer in found.items() if name in asked}
    if not own:
        raise FormatError(place, "has no answer to a question of this set", _HINT)
    return own, tuple(name for name in found if name not in asked)


def _answer(place: str, line: str, number: str) -> tuple[str, WrittenAnswer]:
    try:
        record: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise FormatError(place, f"is not JSON: {error}", _HINT) from None
    text = record.get("answer") if isinstance(record, dict) else None
    if not isinstance(text, str) or not text.strip():
        raise FormatError(place, "`answer` must be a text that is not empty", _HINT)
    claims = record.get("claims")
    have_words = isinstance(claims, list) and all(isinstance(claim, str) and _words(claim) for claim in claims)
    if claims is not None and not have_words:
        raise FormatError(place, "`claims` must be a list of texts that have words", _HINT)
    return str(record.get("id", number)), WrittenAnswer(claims_of(text) if claims is None else tuple(claims))


def synthesis_metrics(
    answers: Mapping[str, WrittenAnswer], questions: Sequence[Question], retrieved: Sequence[Sequence[str]], k: int
) -> dict[str, NDArray[np.float64]]:
    """Returns the values of the metrics, one for each question. A question without an answer, or without a claim in it,
    has none (NaN), and so has completeness where the set has no reference answer.

    retrieved: for each question the texts of the units, best first
    """
    import numpy as np

    rows = []
    for question, texts in zip(questions, retrieved, strict=True):
        answer = answers.get(question.id)
        claims = answer.claims if answer else ()
        rows.append((*_of_context(claims, texts[:k]), _completeness(claims, claims_of(question.answer))))
    names = (f"faithfulness@{k}", f"utilisation@{k}", COMPLETENESS)
    values = np.array(rows, dtype=np.float64).reshape(len(rows), len(names))
    return {name: values[:, at] for at, name in enumerate(names)}


def _of_context(claims: Sequence[str], texts: Sequence[str]) -> tuple[float, float]:
    """Returns faithfulness and utilisation."""
    if not claims:
        return float("nan"), float("nan")
    held = [[supports(text, claim) for text in texts] for claim in claims]
    used = [any(row[at] for row in held) for at in range(len(texts))]
    return sum(map(any, held)) / len(claims), sum(used) / max(1, len(texts))


def _completeness(claims: Sequence[str], wanted: Sequence[str]) -> float:
    if not (claims and wanted):
        return float("nan")
    whole = " ".join(claims)
    return sum(supports(whole, claim) for claim in wanted) / len(wanted)


def supports(text: str, claim: str) -> bool:
    """Whether a text says what a claim does, by its words; see the module."""
    try:
        from rapidfuzz.distance import LCSseq
    except ImportError as error:
        raise missing_package("rapidfuzz", error) from None
    words, there = _words(claim), _words(text)[:_MOST_WORDS]
    if not words or not {word for word in words if word[0].isdigit()} <= set(there):
        return False
    return bool(LCSseq.similarity(words, there) >= SHARE * len(words))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
