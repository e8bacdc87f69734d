"""Texts in cells: escaped together they are what each of them is alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.errors import FormatError
from infograph.formats.markdown_table import escape, escape_all, unescape

_SIGNS = [*"ab _|\xa6`*[]<>&~\\#;é字\n\t\u200b", "__", "a_b", "&#96;", "&amp;"]


@given(st.lists(st.lists(st.sampled_from(_SIGNS), max_size=6).map("".join), max_size=6))
def test_escaped_together_as_each_alone(texts: list[str]) -> None:
    assert escape_all(texts) == list(map(escape, texts))
    assert list(map(unescape, escape_all(texts))) == texts


def test_what_no_text_file_holds_is_refused_among_others() -> None:
    with pytest.raises(FormatError, match="NUL"):
        escape_all(["a", "b\0"])
