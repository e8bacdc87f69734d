"""Blocks tile the body, agree with markdown-it-py, and lose nothing to nesting."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from infograph.errors import DocumentError
from infograph.model import Block, Document
from infograph.source import blocks as parsing
from infograph.source.blocks import ParsedText, parse_blocks
from infograph.source.limits import SourceLimits
from infograph.source.parser import CLOSES, OPENS, Parser

EXAMPLES = json.loads(Path(__file__).with_name("data").joinpath("commonmark-0.31.2.json").read_text("utf-8"))


def document(body: str) -> Document:
    return Document("page.md", "0" * 64, "", body)


def blocks(body: str, limits: SourceLimits = SourceLimits()) -> tuple[Block, ...]:  # noqa: B008
    return parse_blocks(document(body), limits)[0]


def assert_tiles(found: tuple[Block, ...], start: int, end: int) -> None:
    for block in found:
        assert block.start == start < block.end
        start = block.end
        if block.children:
            assert_tiles(block.children, block.start, block.end)
    assert start == end


def line_count(body: str) -> int:
    lines = re.split(r"\r\n|\n|\r", body)
    return len(lines) - (lines[-1] == "")


def library_marks(text: str) -> list[tuple[str, object]]:
    """What the unchanged library makes of a text, of the tokens that we keep."""
    markdown = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
    markdown.core.ruler.enableOnly(["block"])
    return [(token.type, token.map) for token in markdown.parse(text) if token.type in OPENS or token.type in CLOSES]


def our_marks(text: str) -> list[tuple[str, object]]:
    marks, _ = Parser(SourceLimits()).parse(text)
    return [(mark.type, mark.map) for mark in marks if mark.type != "inline"]


def test_there_are_652_examples() -> None:
    assert len(EXAMPLES) == 652


@pytest.mark.parametrize("section", sorted({example["section"] for example in EXAMPLES}))
def test_commonmark_examples_tile_and_agree_with_the_library(section: str) -> None:
    for example in EXAMPLES:
        if example["section"] == section:
            source = example["markdown"]
            assert our_marks(source) == library_marks(source), example["number"]
            assert_tiles(blocks(source), 0, line_count(source))


PIECES = [
    "# ",
    "## a",
    "- ",
    "1. ",
    "> ",
    "    ",
    "\t",
    "```",
    "~~~",
    "| a | b |",
    "|---|---|",
    "---",
    "===",
    "<div>",
    "a b",
    "[x]: /y",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\x0b",
    "\x0c",
    "\x85",
    "\u2028",
    "*",
    "- - - ",
    "<!--",
    "-->",
    "é",
    " ",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
@settings(max_examples=400, deadline=None)
def test_any_text_tiles_and_agrees_with_the_library(body: str) -> None:
    normalized = re.sub(r"\r\n?", "\n", body)
    assert our_marks(normalized) == library_marks(normalized)
    assert_tiles(blocks(body), 0, line_count(body))


def test_kinds_levels_and_children() -> None:
    body = (
        "# One *two*\n\ntext\nmore\n\n- a\n- b\n\n  - c\n\n| h | i |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n"
        "> q\n\n```py title\nx\n```\n\n    code\n\n***\n\n<p>\n\nSetext\n---\n"
    )
    found = blocks(body)
    assert [block.kind for block in found] == [
        "heading",
        "paragraph",
        "list",
        "table",
        "quote",
        "fence",
        "code",
        "rule",
        "html",
        "heading",
    ]
    assert (found[0].level, found[0].text, found[-1].level, found[-1].text) == (1, "One two", 2, "Setext")
    assert found[5].text == "py title"
    assert [item.kind for item in found[2].children] == ["item", "item"]
    assert [block.kind for block in found[2].children[1].children] == ["paragraph", "list"]
    assert [(row.start, row.end) for row in found[3].children] == [(10, 12), (12, 13), (13, 15)]


def test_blank_lines_belong_to_the_block_before_and_at_the_start_to_the_first() -> None:
    assert [(block.kind, block.start, block.end) for block in blocks("\n\n# a\n\n\nb\n\n")] == [
        ("heading", 0, 5),
        ("paragraph", 5, 7),
    ]


@pytest.mark.parametrize(
    "body",
    [
        "\n\n- a\n- b\n- c\n",
        "\n> - a\n> - b\n>\n>   c\n",
        "\n| a |\n|---|\n| b |\n| c |\n",
        "- a\n- b\n- c\n\n[d]: <e>\n",
        "> a\n>\n> - b\n> - c\n\n[d]: <e>\n\n\n[f]: <g>\n",
        "[d]: <e>\n- a\n- [f]: <g>\n\n  b\n- c\n",
        "- [a]: <b>\n  [c]: <d>\n\n  e\n\n  f\n",
    ],
)
def test_members_tile_what_they_are_of(body: str) -> None:
    for text in (body, f"z\n\n{body}", body * 2):
        assert_tiles(blocks(text), 0, line_count(text))
        assert_tiles(parsing.parse_whole(text, SourceLimits()).blocks, 0, line_count(text))


@pytest.mark.parametrize(
    "body, kinds",
    [
        ("[a]: /b\n", ["other"]),
        ("[a]: /b\n\n# h\n\ntext\n\n[c]: /d\n[e]: /f\n", ["other", "heading", "paragraph", "other"]),
        ("| a |\n|---|\n| b |\n\n[c]: /d\n", ["table", "other"]),
        ("", []),
        ("\n", ["other"]),
        ("   ", ["other"]),
        (" \t\n\n ", ["other"]),
    ],
)
def test_lines_without_a_token_of_their_own_are_other_blocks(body: str, kinds: list[str]) -> None:
    found = blocks(body)
    assert [block.kind for block in found] == kinds
    assert_tiles(found, 0, line_count(body))


def test_a_hash_inside_a_fence_is_code() -> None:
    assert [block.kind for block in blocks("```\n# no\n```\n# yes\n")] == ["fence", "heading"]


@pytest.mark.parametrize("markers", [10, 51, 100, 500, pytest.param(100_000, marks=pytest.mark.slow)])
def test_nested_list_markers_hide_no_heading(markers: int) -> None:
    body = "- " * markers + "x\n\n" + "".join(f"# h{number}\n\ntext\n\n" for number in range(100))
    found, notices = parse_blocks(document(body))
    assert sum(block.kind == "heading" for block in found) == 100
    assert [notice.kind for notice in notices] == (["nesting"] if markers > 50 else [])
    assert_tiles(found, 0, line_count(body))


def test_deep_quotes_keep_what_follows_and_are_named() -> None:
    body = "text\n\n" + ">" * 200 + " deep\n\n# after\n"
    found, notices = parse_blocks(document(body))
    assert [block.kind for block in found] == ["paragraph", "quote", "heading"]
    assert notices[0].kind == "nesting" and "line 3" in notices[0].message


def test_the_first_of_the_deep_containers_is_named_by_its_line_and_all_are_counted() -> None:
    deep = ">" * 200 + " deep\n\n"
    (notice,) = parse_blocks(Document("page.md", "0" * 64, "---\n---\n", f"x\n\na\n---\n{deep}text\n\n{deep}"))[1]
    assert notice.count == 2 and "first in line 7;" in notice.message


def test_passages_are_remembered_unless_they_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[int] = []
    parse = parsing.parse_whole

    def counted(text: str, limits: SourceLimits) -> ParsedText:
        parsed.append(len(text))
        return parse(text, limits)

    monkeypatch.setattr(parsing, "parse_whole", counted)
    monkeypatch.setattr(parsing, "_parse_and_remember", lru_cache(9)(counted))
    monkeypatch.setattr(parsing, "_LONGEST_REMEMBERED", 100)
    for length in (100, 100, 101, 101):
        blocks("a\n---\n" + "b" * (length - 6))
    assert parsed == [100, 101, 101]
    assert parsing._parser(SourceLimits()) is parsing._parser(SourceLimits())


def test_deep_quotes_with_many_lazy_lines_are_not_read_on_every_level() -> None:
    found, notices = parse_blocks(document(">" * 90 + "a\n" + "b\n" * 16_000 + "\n# after\n"))
    assert [block.kind for block in found] == ["quote", "heading"]
    assert notices


@pytest.mark.parametrize("line", ["# h\n", "-\n", "x\n\n", "| a |\n"])
def test_too_many_blocks_are_an_error_by_name(line: str) -> None:
    body = ("| h |\n|---|\n" if line.startswith("|") else "") + line * 300
    with pytest.raises(DocumentError, match=r"page\.md: more than 200 Markdown blocks.*limits\.blocks"):
        blocks(body, SourceLimits(blocks=200))


def test_a_million_headings_stop_at_the_limit() -> None:
    with pytest.raises(DocumentError, match="100000"):
        blocks("# h\n" * 1_000_000)
