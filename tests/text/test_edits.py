"""Edits: a text as a reader sees it, cut and counted in bytes as the text itself."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.text.edits import TextEdit, as_shown, edited, in_bytes, in_characters, in_order, within

TEXT = st.text("ab é😀\n{}", max_size=30)


@st.composite
def texts_with_edits(draw: st.DrawFn) -> tuple[str, tuple[TextEdit, ...]]:
    text = draw(TEXT)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8, unique=True)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return text, tuple(TextEdit(start, end, draw(st.text("xé", max_size=3))) for start, end in pairs)


def test_ranges_are_replaced() -> None:
    assert edited("abcdef", (TextEdit(1, 2, "X"), TextEdit(3, 5, ""))) == "aXcf"
    assert edited("abc", ()) == "abc"


@given(texts_with_edits(), st.lists(st.integers(0, 30), max_size=4))
def test_the_parts_of_a_text_read_as_the_whole(given: tuple[str, tuple[TextEdit, ...]], cuts: list[int]) -> None:
    text, edits = given
    bounds = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    parts = pairwise(bounds)
    assert "".join(edited(text[a:b], within(edits, a, b)) for a, b in parts if a < b) == edited(text, edits)


@given(texts_with_edits())
def test_bytes_and_characters_are_each_other(given: tuple[str, tuple[TextEdit, ...]]) -> None:
    text, edits = given
    assert in_characters(text.encode(), in_bytes(text, edits)) == edits


@given(st.lists(st.builds(lambda a, n: TextEdit(a, a + n, ""), st.integers(0, 20), st.integers(0, 5)), max_size=10))
def test_what_overlaps_an_earlier_one_is_left_out(edits: list[TextEdit]) -> None:
    kept = in_order(edits)
    assert all(a.end <= b.start and a.start < b.start for a, b in pairwise(kept))
    assert not edits or edits[0] in kept
    text = "x" * 30
    edited(text, kept)  # in order, so that no offset goes back


@pytest.mark.parametrize(
    ("start", "end", "shown"),
    [
        (0, 2, "ab"),
        (0, 12, "abXYZefghkl"),
        (2, 4, "XYZ"),
        (3, 5, "XYZe"),
        (1, 3, "bXYZ"),
        (4, 8, "efgh"),
        (8, 10, ""),
        (9, 11, "k"),
        (5, 5, ""),
    ],
)
def test_a_range_is_what_a_reader_sees_of_it(start: int, end: int, shown: str) -> None:
    text, edits = "abcdefghijkl", (TextEdit(2, 4, "XYZ"), TextEdit(8, 10, ""))
    first, last = as_shown(edits, start, end)
    assert edited(text, edits)[first:last] == shown
