from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from infograph.text.lines import (
    LINE_END,
    line_ends,
    line_starts,
    lone_returns_fed,
    split_lines,
    unified,
    unified_in_place,
)

TEXTS = st.text(alphabet="ab\r\n\x0b\x0c\x1c\x85\u2028é語\U0001f600\ud800", max_size=30)


@given(TEXTS)
def test_lines_end_as_in_commonmark(text: str) -> None:
    """At a line feed, a carriage return, or both: at nothing else that Unicode knows."""
    ends = [match.end() for match in re.finditer("\r\n|\n|\r", text)]
    assert line_starts(text) == [0, *ends, *([len(text)] if len(text) > (ends or [0])[-1] else [])]
    assert [match.end() for match in LINE_END.finditer(text)] == ends
    assert split_lines(text) == re.split("\r\n|\n|\r", text)
    assert unified(text) == "\n".join(split_lines(text))
    for same_length in (lone_returns_fed(text), unified_in_place(text)):
        assert len(same_length) == len(text)
    assert lone_returns_fed(text) == re.sub("\r(?!\n)", "\n", text)
    assert re.sub(" \n|\n", "\n", unified_in_place(text)) == unified(text)


@given(TEXTS, st.integers(0, 30), st.integers(0, 30))
def test_line_ends_are_counted_in_any_part(text: str, start: int, end: int) -> None:
    counted = len(split_lines(text[start:end])) - 1
    assert line_ends(text, start, end) == counted
    data = text.replace("\ud800", "").encode()
    assert line_ends(data, start, end) == len(re.findall(rb"\r\n|\n|\r", data[start:end]))


def test_the_starts_of_lines_are_the_callers_own() -> None:
    line_starts("a\nb").append(9)
    assert line_starts("a\nb") == [0, 2, 3]
