"""JSON in what a model says."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.enrich.answers import balanced, read_answer


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "b}"}',
        '  {"a": "b}"}\n',
        'Sure! Here it is:\n{"a": "b}"} I hope it helps {x}',
        'Here:\n```json\n{"a": "b}"}\n```\nDone.',
        '```\n{"a": "b}",}\n```',
        '{"a": "b}",\n}',
    ],
)
def test_what_is_clearly_meant_is_read(text: str) -> None:
    assert read_answer(text) == {"a": "b}"}


@pytest.mark.parametrize("text", ["", "no", "{", '{"a": ', '{"a": NaN}', "[" * 10_000, '{"a": "' + "x" * 100])
def test_what_holds_none(text: str) -> None:
    with pytest.raises(ValueError, match="no JSON object"):
        read_answer(text)


@given(st.text(alphabet='{}[]",:\\ab \n`'))
def test_nothing_else_is_raised(text: str) -> None:
    with contextlib.suppress(ValueError):
        read_answer(text)
    assert balanced(text) in text
