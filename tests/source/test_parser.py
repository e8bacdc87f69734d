"""The library's block parser with fewer calls: the same blocks, and nothing lost to nesting."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from infograph.source import parser
from infograph.source.blocks import parse_whole
from infograph.source.limits import SourceLimits
from infograph.source.parser import CLOSES, OPENS, Parser, TooManyBlocks

LIMITS = SourceLimits()


def library_marks(text: str) -> list[tuple[str, object]]:
    """What the unchanged library makes of a text, of the tokens that we keep."""
    markdown = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
    markdown.core.ruler.enableOnly(["block"])
    return [(token.type, token.map) for token in markdown.parse(text) if token.type in OPENS or token.type in CLOSES]


def our_marks(text: str) -> list[tuple[str, object]]:
    return [(mark.type, mark.map) for mark in Parser(LIMITS).parse(text)[0] if mark.type != "inline"]


@pytest.mark.parametrize(
    "text",
    [
        "| a |\n|---|",
        "| a |\n|---|\n",
        "a\n:-:\n",
        "a | b\n-|-\nc",
        "b\n\n | a |\n  |---|\n | c |\n",
        "> | a |\n> |---|\n> | b |\n",
        "- | a |\n  |---|\n\n  b\n",
        "- | a |\n|---|\n",
        "> a\n|---|\n",
        "a\n| b |\n|---|\n",
        " # a\n  ## b\n   > c\n  - d\n",
        "a\n  > b\n",
        "```\n```\n\n" * 120 + "> a\n\n- b\n",
        "# a\n\n" * 120 + "> a\n",
        "> a\n\n- b\n\n" * 60 + "> > c\n",
        "> " * 30 + "a\n",
        "- " * 40 + "a\n",
    ],
)
def test_texts_where_the_first_characters_choose_the_rule(text: str) -> None:
    assert our_marks(text) == library_marks(text)


def test_only_headings_have_their_text_kept() -> None:
    marks, _ = Parser(LIMITS).parse("a\n\n# b\n\nc\n===\n\n| d |\n|---|\n| e |\n")
    assert [(mark.type, mark.content) for mark in marks] == [
        ("paragraph_open", ""),
        ("heading_open", ""),
        ("inline", "b"),
        ("heading_open", ""),
        ("inline", "c"),
        ("table_open", ""),
        ("tr_open", ""),
        ("tr_open", ""),
        ("table_close", ""),
    ]


def test_blocks_are_counted_while_they_are_parsed() -> None:
    text = "- a\n- # b\n"
    assert [mark.type for mark in Parser(SourceLimits(blocks=5)).parse(text)[0]].count("list_item_open") == 2
    with pytest.raises(TooManyBlocks):
        Parser(SourceLimits(blocks=4)).parse(text)


def shape(text: str, nesting: int) -> list[object]:
    """The blocks as (kind, first line, line after the last, children), and the containers that were too deep."""
    parsed = parse_whole(text, SourceLimits(nesting=nesting))

    def of(blocks: tuple) -> list[object]:
        return [(block.kind, block.start, block.end, *of(block.children)) for block in blocks]

    return [*of(parsed.blocks), list(parsed.too_deep)]


@pytest.mark.parametrize(
    ("text", "nesting", "found"),
    [
        # A list is one level and its item another.
        ("- a\n", 2, [("list", 0, 1, ("item", 0, 1)), [0]]),
        ("- a\n", 3, [("list", 0, 1, ("item", 0, 1, ("paragraph", 0, 1))), []]),
        ("> a\n", 1, [("quote", 0, 1), [0]]),
        ("> a\n", 2, [("quote", 0, 1, ("paragraph", 0, 1)), []]),
        # The container that is too deep ends where a line is indented less than its content, or not lazily at all.
        ("- a\nb\n", 2, [("list", 0, 1, ("item", 0, 1)), ("paragraph", 1, 2), [0]]),
        ("- a\n  b\n\n  c\n\nd\n", 2, [("list", 0, 5, ("item", 0, 5)), ("paragraph", 5, 6), [0]]),
        ("z\n\n- a\n\n b\n", 2, [("paragraph", 0, 2), ("list", 2, 4, ("item", 2, 4)), ("paragraph", 4, 5), [2]]),
        ("> a\nb\nc\n", 1, [("quote", 0, 3), [0]]),
        ("> a\n> b\n\nc\n", 1, [("quote", 0, 3), ("paragraph", 3, 4), [0]]),
        (
            "- a\n  - b\n\n    c\n  d\n",
            4,
            [
                (
                    "list",
                    0,
                    5,
                    ("item", 0, 5, ("paragraph", 0, 1), ("list", 1, 4, ("item", 1, 4)), ("paragraph", 4, 5)),
                ),
                [1],
            ],
        ),
    ],
)
def test_a_container_at_the_limit_is_a_leaf(text: str, nesting: int, found: list[object]) -> None:
    assert shape(text, nesting) == found


@pytest.mark.parametrize(("lines", "deep"), [(9, []), (10, [2])])
def test_a_deep_container_with_many_lines_is_a_leaf(
    lines: int, deep: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parser, "_WIDE_LEVEL", 4)
    monkeypatch.setattr(parser, "_WIDE_WORK", 40)
    assert shape("z\n\n" + "> > > > a\n" * lines, 100)[-1] == deep
    assert shape("z\n\n" + "> > > a\n" * 20, 100)[-1] == [], "not below that level"
