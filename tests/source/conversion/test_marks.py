"""Marks that stand for signs."""

from __future__ import annotations

import pytest

from infograph.source.conversion.marks import anchor_mark, clean, held_mark, hidden, shown, taken


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("plain text", "plain text"),
        ("a * b and a*b", "a * b and a\\*b"),
        ("snake_case, _x_, __init__", "snake_case, \\_x\\_, \\_\\_init\\_\\_"),
        ("x[0] and [a](b)", "x[0] and [a\\](b)"),
        ("a < b, <b>, <!-- -->", "a < b, &lt;b>, &lt;!-- -->"),
        ("AT&T &amp; &copy;", "AT&T &amp;amp; &amp;copy;"),
        ("C:\\x \\*", "C:\\x \\\\\\*"),
        ("~5 ~~no~~", "~5 \\~\\~no\\~\\~"),
    ],
)
def test_signs(text: str, markdown: str) -> None:
    assert shown(hidden(text, starts=False), ()) == markdown


@pytest.mark.parametrize("text", ["# x", "- x", "+ x", "> x", "1. x", "12) x", "---", "===", "* x"])
def test_beginnings_of_blocks(text: str) -> None:
    assert shown(hidden(text, starts=True), ()).count("\\") == 1
    assert shown(hidden(f"x {text}", starts=False), ()) in (f"x {text}", f"x {text}".replace("*", "\\*"))


def test_brackets_in_links() -> None:
    assert shown(hidden("[a] b]", starts=False, linked=True), ()) == "\\[a\\] b\\]"


def test_anchors_and_held_texts() -> None:
    text = f"# A{anchor_mark(1)}\n\nx {held_mark(0)}{anchor_mark(0)}"
    assert taken(shown(text, ["$y_1$"]), ["one", "two"]) == ("# A\n\nx $y_1$", ((0, "two"), (2, "one")))
    assert clean(text) == "# A1\n\nx 00"
