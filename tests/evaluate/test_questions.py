from __future__ import annotations

import json
from typing import Any

import pytest

from infograph.errors import FormatError
from infograph.evaluate.questions import Question, Span, joined, read_questions

LENGTHS = {"a.md": 10, "sub/b.md": 5}


def lines(*records: Any) -> bytes:
    return "".join(f"{json.dumps(record)}\n" for record in records).encode()


def asked(file: str = "a.md", start: Any = 0, end: Any = 3, **more: Any) -> dict[str, Any]:
    return {"question": "Why?", "gold": [{"file": file, "start": start, "end": end}], **more}


def test_a_set_is_read_in_order() -> None:
    data = lines(asked(id="x"), {}, asked("sub/b.md", 4, 5, note="ignored")).replace(b"{}", b"")
    assert read_questions("q.jsonl", data, LENGTHS) == (
        Question("x", "Why?", (Span("a.md", 0, 3),)),
        Question("3", "Why?", (Span("sub/b.md", 4, 5),)),
    )


def test_a_byte_order_mark_and_line_ends_of_windows_do_no_harm() -> None:
    assert len(read_questions("q.jsonl", b"\xef\xbb\xbf" + lines(asked()).replace(b"\n", b"\r\n"), LENGTHS)) == 1


def test_a_span_given_twice_counts_once() -> None:
    record = asked()
    record["gold"] *= 2
    assert len(read_questions("q.jsonl", lines(record), LENGTHS)[0].gold) == 1


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (asked(end=11), r"characters 0 to 11 do not lie in a\.md, which has 10"),
        (asked(start=-1), "do not lie in"),
        (asked(start=3), "do not lie in"),
        (asked(start=True), "must be an object with `file`, `start` and `end`"),
        (asked(end="3"), "must be an object with"),
        (asked("c.md"), r"there is no document 'c\.md'"),
        (asked(question=" "), "`question` must be a text"),
        (asked(question="\ud800"), "holds half of a surrogate pair"),
        (asked(id="\udfff"), "holds half of a surrogate pair"),
        (asked(gold=[]), "`gold` must be a list"),
        (asked(gold=[1]), r"`gold\[0\]` must be an object"),
        ([], "must be an object with `question` and `gold`"),
    ],
)
def test_what_is_no_question_is_named_with_its_line(record: Any, reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as caught:
        read_questions("set/q.jsonl", lines(asked()) + b"\n" + lines(record), LENGTHS)
    assert caught.value.place == "set/q.jsonl:3"


@pytest.mark.parametrize(
    ("data", "place"),
    [(b"{\n", "q:1"), (b"\n\xff", "q:2"), (b"", "q"), (lines(asked(id=1), asked(id="1")), "q:2"), (b"[" * 9**5, "q:1")],
)
def test_broken_files_are_errors(data: bytes, place: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_questions("q", data, LENGTHS)
    assert caught.value.place == place


def test_sets_are_joined_and_ids_that_clash_get_the_set_in_front() -> None:
    one, two = Question("1", "a?", (Span("a.md", 0, 1),)), Question("2", "b?", (Span("a.md", 0, 1),))
    assert [question.id for question in joined([("x", (one,)), ("y", (two,))])] == ["1", "2"]
    assert [question.id for question in joined([("x", (one,)), ("y", (one,))])] == ["x:1", "y:1"]


def test_gold_without_a_range_is_the_whole_file() -> None:
    (question,) = read_questions("q.jsonl", lines({"question": "Why?", "gold": [{"file": "a.md"}]}), LENGTHS)
    assert question.gold == (Span("a.md", 0, LENGTHS["a.md"]),)
    with pytest.raises(FormatError, match=r"must be an object with `file`, `start` and `end`"):
        read_questions("q.jsonl", lines({"question": "Why?", "gold": [{"file": "a.md", "start": 0}]}), LENGTHS)
    with pytest.raises(FormatError, match=r"there is no document 'gone\.md'"):
        read_questions("q.jsonl", lines({"question": "Why?", "gold": [{"file": "gone.md"}]}), LENGTHS)


PAGE = "# A\n\nOne of the\n  words (here).\n\nTwice. Twice.\n"


def test_gold_that_is_a_text_is_where_that_stands() -> None:
    record = {"question": "Why?", "gold": [{"file": "a.md", "text": "of the words (here)."}]}
    (question,) = read_questions("q.jsonl", lines(record), {"a.md": len(PAGE)}, {"a.md": PAGE})
    (span,) = question.gold
    assert PAGE[span.start : span.end] == "of the\n  words (here)."


@pytest.mark.parametrize(
    ("gold", "reason"),
    [
        ({"file": "a.md", "text": "Twice."}, "2 times"),
        ({"file": "a.md", "text": "of words"}, "0 times"),
        ({"file": "a.md", "text": " "}, "0 times"),
        ({"file": "b.md", "text": "Twice."}, "no document"),
        ({"text": "Twice."}, "no document"),
        ({"file": ["a.md"], "text": "Twice."}, "no document"),
        ({"file": "a.md", "text": 1, "start": 1}, "must be an object"),
    ],
)
def test_a_text_that_does_not_stand_there_once_is_an_error(gold: dict[str, object], reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as raised:
        read_questions("q.jsonl", lines({"question": "Why?", "gold": [gold]}), {"a.md": len(PAGE)}, {"a.md": PAGE})
    assert "q.jsonl:1" in str(raised.value)
