"""Texts in cells: escaped together they are what each of them is alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.errors import FormatError
from infograph.formats import markdown_table
from infograph.formats.markdown_table import escape, joined_texts, render_table, render_texts, unescape

_UNSEEN = "\x80\xa0\u1680\u2000\u200b\u200f\u2028\u202f\u205f\u206f\u3000\ufeff"
_BESIDE = "¡ÿᚁ\u2010—’…‰⁞⁰、。﹏é字𝄞"
"""Signs that are seen, some of them near those that are not."""
_SIGNS = [*"ab _|,`*[]<>&~\\#;\n\t\x1c\x1e", *_UNSEEN, *_BESIDE, "__", "a_b", "&#96;", "&amp;", ", ", "  "]
_TEXT = st.lists(st.sampled_from(_SIGNS), max_size=6).map("".join)
_ROW = st.tuples(st.just("1"), _TEXT, st.lists(_TEXT, max_size=3).map(tuple), _TEXT)


@given(st.lists(_ROW, max_size=4))
def test_a_table_escaped_as_a_whole_is_as_if_each_text_were(rows: list[tuple[str | tuple[str, ...], ...]]) -> None:
    cells = [[escape(cell) if isinstance(cell, str) else joined_texts(cell) for cell in row] for row in rows]
    assert render_texts("ABCD", rows) == render_table("ABCD", cells)


@pytest.mark.parametrize("sign", _UNSEEN)
def test_a_sign_that_is_not_seen_is_found_in_a_table(sign: str) -> None:
    assert markdown_table._escaped_together([["0", f"“a{sign}b”"]]) is None
    assert render_texts("AB", [["0", f"a{sign}b"]]).endswith(f"a&#{ord(sign)};b |")


def test_a_usual_table_is_escaped_as_a_whole() -> None:
    rows = [["0", "Sets `a_b`", ("one, two", "_c_"), ""], ["1", "Größe “a’s” – … | <b>", (), "x"]]
    assert markdown_table._escaped_together(rows) is not None
    assert unescape(joined_texts(["a, b", "c"])) == "a, b, c"


def test_what_no_text_file_holds_is_refused_among_others() -> None:
    with pytest.raises(FormatError, match="NUL"):
        render_texts("AB", [["a", ("b\0",)]])
    with pytest.raises(FormatError, match="surrogate"):
        render_texts("AB", [["a", "\ud800"]])
