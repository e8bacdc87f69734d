from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from infograph.chunking.page import line_starts


@given(st.text(alphabet="ab\r\n\x0b\x0c\x1c\x85\u2028é語\U0001f600\ud800", max_size=30))
def test_lines_end_as_in_commonmark(text: str) -> None:
    """At a line feed, a carriage return, or both: at nothing else that Unicode knows."""
    ends = [match.end() for match in re.finditer("\r\n|\n|\r", text)]
    assert line_starts(text) == [0, *ends, *([len(text)] if len(text) > (ends or [0])[-1] else [])]
