"""Question sets: questions, each with the spans of the documents that answer it.

A set is a JSON Lines file, one question a line:

    {"id": "q1", "question": "How …?", "gold": [{"file": "guide/install.md", "start": 120, "end": 314}]}

`id` is optional and defaults to the number of the line. A `gold` of a file alone is the whole file; one with a `text`
in place of offsets is where that stands, however its lines are broken, so that edits elsewhere leave it right. `answer`
is the answer as somebody would give it. Other keys are ignored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from infograph.errors import FormatError


@dataclass(frozen=True, slots=True)
class Span:
    """A range of characters of one document."""

    file: str
    """Path of the document, relative to the root and with slashes."""
    start: int
    """Offset of the first character, in the file decoded as UTF-8 with its line ends unchanged."""
    end: int
    """Offset of the character after the last one."""

    @property
    def length(self) -> int:
        """The number of characters."""
        return self.end - self.start

    def overlap(self, other: Span) -> int:
        """The number of characters in common."""
        if self.file != other.file:
            return 0
        return max(0, min(self.end, other.end) - max(self.start, other.start))


@dataclass(frozen=True, slots=True)
class Question:
    """One question with the place of its answer."""

    id: str
    """Id of the question, unique in its set."""
    text: str
    """The question as it is asked."""
    gold: tuple[Span, ...]
    """Spans that hold the answer; at least one, none of them empty."""
    origin: Span | None = None
    """Place of the question itself in the documents; None if it is not in them. Units that overlap it are not
    retrieved: they would always be found first without answering anything."""
    answer: str = ""
    """The reference answer, where the set has one."""


def read_questions(
    place: str, data: bytes, lengths: Mapping[str, int], texts: Mapping[str, str] | None = None
) -> tuple[Question, ...]:
    """The questions of a JSON Lines file.

    place:   name of the file, for errors
    lengths: number of characters of each document, by path
    texts:   the documents themselves, for questions that say what their `answer` is, and gold that is a `text`

    Raises FormatError, with the number of the line, for anything but a question, for a gold span outside of its
    document, and for an answer that stands in none of its spans.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        broken = data.count(b"\n", 0, error.start) + 1
        raise FormatError(f"{place}:{broken}", f"not UTF-8: {error.reason} at byte {error.start}") from None
    found: dict[str, Question] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        question = _question(f"{place}:{number}", line, str(number), lengths, texts or {})
        _check_answer(f"{place}:{number}", line, question, texts or {})
        if question.id in found:
            raise FormatError(f"{place}:{number}", f"a second question has the id {question.id!r}")
        found[question.id] = question
    if not found:
        raise FormatError(place, "has no questions", "Write one a line, as JSON.")
    return tuple(found.values())


def _check_answer(place: str, line: str, question: Question, texts: Mapping[str, str]) -> None:
    """Raises FormatError where a question that `infograph questions` made has an answer that is not there."""
    record = json.loads(line)
    if "kind" not in record or not isinstance(record.get("answer"), str) or not texts:
        return
    spans = [texts.get(span.file, "")[span.start : span.end] for span in question.gold]
    if record["answer"] not in spans:
        hint = "The documents have changed since: run `infograph questions` again."
        raise FormatError(place, "`answer` is not what stands in any of its `gold` spans", hint)


def _question(place: str, line: str, number: str, lengths: Mapping[str, int], texts: Mapping[str, str]) -> Question:
    """The question of one line. Raises FormatError."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise FormatError(place, f"is not JSON: {error}") from None
    if not isinstance(record, dict):
        raise FormatError(place, "must be an object with `question` and `gold`")
    text = record.get("question")
    if not isinstance(text, str) or not text.strip():
        raise FormatError(place, "`question` must be a text that is not empty")
    name = str(record.get("id", number))
    if any("\ud800" <= character <= "\udfff" for character in name + text):
        hint = "Escape a character beyond U+FFFF as both of its halves, or write it as it is."
        raise FormatError(place, "holds half of a surrogate pair, which is no character", hint)
    gold = record.get("gold")
    if not isinstance(gold, list) or not gold:
        raise FormatError(place, "`gold` must be a list with at least one span")
    spans = (_span(place, position, entry, lengths, texts) for position, entry in enumerate(gold))
    answer = record.get("answer")
    return Question(name, text, tuple(dict.fromkeys(spans)), answer=answer if isinstance(answer, str) else "")


def _span(place: str, position: int, entry: Any, lengths: Mapping[str, int], texts: Mapping[str, str]) -> Span:
    """One gold span of a question. Raises FormatError."""
    name = f"`gold[{position}]`"
    if isinstance(entry, dict) and isinstance(entry.get("text"), str) and not entry.keys() & {"start", "end"}:
        return _standing(place, name, entry, texts)
    file, start, end = (entry.get(key) for key in ("file", "start", "end")) if isinstance(entry, dict) else (None,) * 3
    if isinstance(file, str) and isinstance(entry, dict) and not entry.keys() & {"start", "end"}:
        start, end = 0, lengths.get(file, 0)
    if not isinstance(file, str) or type(start) is not int or type(end) is not int:
        hint = "In place of offsets it may have the `text` that stands there."
        raise FormatError(place, f"{name} must be an object with `file`, `start` and `end`", hint)
    if file not in lengths:
        raise FormatError(place, f"{name}: there is no document {file!r}", "Paths are relative to the documents' root.")
    if not 0 <= start < end <= lengths[file]:
        reason = f"{name}: characters {start} to {end} do not lie in {file}, which has {lengths[file]}"
        raise FormatError(place, reason, "Offsets count characters of the decoded file; the end is exclusive.")
    return Span(file, start, end)


def _standing(place: str, name: str, entry: Mapping[str, Any], texts: Mapping[str, str]) -> Span:
    """The gold span of a text. Raises FormatError where that does not stand in its file once."""
    file, words = entry.get("file"), entry["text"].split()
    if not isinstance(file, str) or file not in texts:
        raise FormatError(place, f"{name}: there is no document {file!r}", "Paths are relative to the documents' root.")
    found = list(re.finditer(r"\s+".join(map(re.escape, words)), texts[file])) if words else []
    if len(found) != 1:
        reason = f"{name}: its `text` stands in {file} {len(found)} times, and must once"
        raise FormatError(place, reason, "Give more of what stands there, or what stands there now.")
    return Span(file, *found[0].span())


def joined(sets: Iterable[tuple[str, tuple[Question, ...]]]) -> tuple[Question, ...]:
    """Several named sets as one; where ids clash, each id gets the name of its set as a prefix."""
    sets = list(sets)
    every = [question.id for _, questions in sets for question in questions]
    if len(set(every)) == len(every):
        return tuple(question for _, questions in sets for question in questions)
    return tuple(replace(question, id=f"{name}:{question.id}") for name, questions in sets for question in questions)
