from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.chunking.page import Page, line_starts
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode


@given(st.text(alphabet="ab\r\n\x0b\x0c\x1c\x85\u2028é語\U0001f600\ud800", max_size=30))
def test_lines_end_as_in_commonmark(text: str) -> None:
    """At a line feed, a carriage return, or both: at nothing else that Unicode knows."""
    ends = [match.end() for match in re.finditer("\r\n|\n|\r", text)]
    assert line_starts(text) == [0, *ends, *([len(text)] if len(text) > (ends or [0])[-1] else [])]


@pytest.mark.parametrize(
    ("source", "titled"),
    [
        ("text", False),
        ("# Top", False),
        ("---\ntitle: T\n---\ntext", True),
        ("---\ntitle: T\n---\n## Part", True),
        ("---\ntitle: T\n---\n# Top\n\ntext", False),
    ],
)
def test_the_title_of_the_front_matter_stands_for_an_h1_that_is_not_there(source: str, titled: bool) -> None:
    document = decode("a.md", source.encode())
    assert Page(document, parse_blocks(document)[0]).titled_by_front_matter == titled
