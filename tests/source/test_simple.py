"""What is read without the parser, and how far."""

from __future__ import annotations

import pytest

from infograph.source import simple
from infograph.source.blocks import parse_text, parse_whole
from infograph.source.limits import SourceLimits
from infograph.source.simple import simple_block

LIMITS = SourceLimits()


def agree(text: str) -> bool:
    found, expected = parse_text(text, LIMITS), parse_whole(text, LIMITS)
    return (found.blocks, found.too_deep, found.count) == (expected.blocks, expected.too_deep, expected.count)


@pytest.mark.parametrize(
    "text",
    [
        "- a\n\nb",
        "- a\n# b",
        "- a\n- b\n  c",
        "1. a\n\nb",
        "  - a\n  - b\n\n# c",
        " # a",
        "<x-y>",
        "<x-y>\na",
        "<!-- a -->\nb",
        "<p>\na\n\nb",
        "<!-- a",
        "[a]: /b\n\n[c]: /d",
        "> " * 6 + "a",
        "> " * 6 + "1. a",
        "> " * 6 + "1. [a]",
        "| a | b |\n|---|---|",
        "| a | b |\n|---|---|\n| c | d |\n| e | f |\n\ng",
        "````\n```\n`````\nb",
    ],
)
def test_what_is_simple(text: str) -> None:
    for end in ("", "\n", "\n\n"):
        assert simple_block(text + end, 0, 0) is not None
        assert agree(text + end)
        assert agree("\n# z\n\n" + text + end)


@pytest.mark.parametrize(
    "text",
    [
        "- a\n\n-\n\nb",
        "- a\n-\nb",
        "- a\n-     b",
        "* a\n*     b",
        "1. a\n\n2.\n\nb",
        "1) a\n\n2)\n\nb",
        "  - a\n\n-\n",
        "1. a\n2.     b",
        "> a\tb",
        "1. a\n\n   b\tc",
        " [a]",
        " <p>",
        "> " * 7 + "a",
    ],
)
def test_what_the_parser_is_asked_for(text: str) -> None:
    assert simple_block(text, 0, 0) is None
    assert agree(text)


@pytest.mark.parametrize(
    "text",
    [
        "- a\n***\n",
        "* a\n* * *\nb",
        "* a\n- - -\nb",
        "- a\n\n***\nb",
        "- a\n\n2.\n\nb",
        "- a\n- b\n- c\n  d\n",
        "# h\n\ntext\n\n[c]: /d\n\n[e]: /f\n\nmore\n\n[g]: /h\n",
        "```\na\n\n    ```\n ```\nb",
        "~~~\n~~\n~~~~ \nb",
        "```\n```a\n``` ```\n```\n",
        "<p\n>\n\na",
        "<pre>\n\na</pre> b\n\nc",
        "<pre>\n\na</pre>",
        "\n<!--\n\n-->",
    ],
)
def test_where_a_block_ends(text: str) -> None:
    assert agree(text)


@pytest.mark.parametrize("text", ["- a\n- b\n\n- c\n", "  - a\n  - b", "* a\n\n* b"])
def test_bullets_of_one_line_each_are_read_at_once(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simple, "_plain_content", None)
    assert simple_block(text, 0, 0) is not None


def test_a_table_may_have_as_many_cells_as_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each row, its bars are counted."""
    monkeypatch.setattr(simple, "_MOST_CELLS", 12)
    header = "| a | b | c |\n|---|---|---|\n"
    assert simple_block(header + "| d | e | f |\n" * 3, 0, 0) is not None
    assert simple_block(header + "| d | e | f |\n" * 4, 0, 0) is None


def test_a_table_at_the_limit_is_as_the_parser_reads_it() -> None:
    """It fills in cells up to a bound of its own, which lies a little higher."""
    header = "|" + "a|" * 499 + "\n|" + "-|" * 499 + "\n"
    text = header + "|b|\n" * (simple._MOST_CELLS // 500)
    assert simple_block(text, 0, 0) is not None
    assert agree(text)
