"""Headings as runs of text, and where they stand."""

from __future__ import annotations

import pytest

from infograph.model import Block
from infograph.search.addresses.headings import Heading, RenderedPage
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode


def page(text: str) -> tuple[RenderedPage, tuple[Block, ...]]:
    document = decode("page.md", text.encode())
    blocks = tuple(parse_blocks(document)[0])
    return RenderedPage(document.body, blocks), blocks


def headings(text: str) -> list[Heading]:
    rendered, blocks = page(text)
    return list(rendered.headings(blocks, nested=False))


def pieces(heading: str) -> list[tuple[str, str, int]]:
    (found,) = headings(heading)
    return [tuple(piece) for piece in found.pieces]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# Title", [("text", "Title", 0)]),
        ("# A `b` c", [("text", "A ", 0), ("code", "b", 0), ("text", " c", 0)]),
        (
            "# A **b `c` d** e",
            [("text", "A ", 0), ("text", "b ", 1), ("code", "c", 2), ("text", " d", 3), ("text", " e", 0)],
        ),
        ("# *a* *b*", [("text", "a", 1), ("text", " ", 0), ("text", "b", 1)]),
        ("# *a **b** c*", [("text", "a ", 1), ("text", "b", 2), ("text", " c", 3)]),
        ("# ~~a~~ b", [("text", "a", 1), ("text", " b", 0)]),
        ("# ![a *b*](x.png) c", [("alt", "a ", 1), ("alt", "b", 2), ("text", " c", 0)]),
        ("# *x ![a](x.png) y*", [("text", "x ", 1), ("alt", "a", 2), ("text", " y", 3)]),
        ("# ![a](x.png) ![b](y.png)", [("alt", "a", 1), ("text", " ", 0), ("alt", "b", 1)]),
        ("# <https://a.example> b", [("url", "https://a.example", 1), ("text", " b", 0)]),
        ("# [<b>](x)", [("html", "<b>", 1)]),
        ("# [a](x) b", [("text", "a", 1), ("text", " b", 0)]),
        ("# A {/*b*/}", [("text", "A ", 0), ("comment", "b", 0)]),
        ("# A \ue0000\ue001 & b", [("text", "A 0 & b", 0)]),
        ("Two\nlines\n===", [("text", "Two", 0), ("break", "\n", 0), ("text", "lines", 0)]),
        ("Two\\\nlines\n---", [("text", "Two", 0), ("break", "\n", 0), ("text", "lines", 0)]),
    ],
)
def test_the_runs_of_a_heading(text: str, found: list[tuple[str, str, int]]) -> None:
    assert pieces(text) == found


@pytest.mark.parametrize("before", ["", "\n", "\n\n", "\n \n\t\n"])
@pytest.mark.parametrize("heading", ["# Title", "Title\n=====", "   # Title ##", "#\tTitle\t#", "Title \n ---  "])
def test_the_first_line_of_a_heading(before: str, heading: str) -> None:
    (found,) = headings(f"{before}{heading}\n\nText.\n")
    assert found.line == before.count("\n")
    assert (found.text(), found.nested) == ("Title", False)
    assert found.level == (2 if "---" in heading else 1)


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("# a#", "a#"),
        ("# a ##", "a"),
        ("# a #b", "a #b"),
        ("# ##", ""),
        ("###### six", "six"),
        ("#", ""),
    ],
)
def test_closing_signs_of_a_heading(heading: str, text: str) -> None:
    assert [found.text() for found in headings(heading)] == [text]


def test_headings_in_lists_and_quotes() -> None:
    found = headings("> # A\n\n- ## B\n  1. ### C\n\n> D\n> ===\n\n# E\n")
    assert [(own.text(), own.line, own.level, own.nested) for own in found] == [
        ("A", 0, 1, True),
        ("B", 2, 2, True),
        ("C", 3, 3, True),
        ("D", 5, 1, True),
        ("E", 8, 1, False),
    ]


def test_of_a_long_heading_the_beginning_is_parsed() -> None:
    assert [found.text() for found in headings(f"# {'a' * 1999}bc")] == ["a" * 1999 + "b"]


def test_footnotes_in_a_heading() -> None:
    note = "\n\n[^1]: One.\n[^b c]: None.\n[^two]: Two.\n"
    assert pieces(f"# A[^1] b[^two] c[^no]{note}") == [
        ("text", "A", 0),
        ("note", "1", 0),
        ("text", " b", 0),
        ("note", "two", 0),
        ("text", " c[^no]", 0),
    ]
    assert pieces(f"# A `[^1]` *b[^two]*{note}") == [
        ("text", "A ", 0),
        ("code", "[^1]", 0),
        ("text", " ", 0),
        ("text", "b", 1),
        ("note", "two", 1),
    ]


def test_the_lines_of_references_to_footnotes() -> None:
    text = "A[^1] and[^2].\n\n- b[^3]\n- `c[^4]` ``d[^`5`]`` [^6]\n\n```\n[^7]\n```\n\n    [^8]\n\n"
    text += "<p>[^9]</p>\n\n[^1]: x[^2]\n"
    assert page(text)[0].note_lines == [0, 0, 2, 3, 13]
    assert page("A.\n")[0].note_lines == []
