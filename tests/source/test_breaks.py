"""Parsing passage by passage gives what parsing the whole text gives."""

from __future__ import annotations

import json
import os
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.errors import DocumentError
from infograph.model import Document
from infograph.source.blocks import ParsedText, parse_blocks, parse_text, parse_whole
from infograph.source.breaks import break_after, line_count
from infograph.source.document import read_document
from infograph.source.limits import SourceLimits
from infograph.source.parser import TooManyBlocks
from infograph.source.simple import simple_block

EXAMPLES = [
    example["markdown"]
    for example in json.loads(Path(__file__).with_name("data").joinpath("commonmark-0.31.2.json").read_text("utf-8"))
]
LIMITS = SourceLimits()


def agree(text: str) -> bool:
    found, expected = parse_text(text, LIMITS), parse_whole(text, LIMITS)
    return (found.blocks, found.too_deep, found.count) == (expected.blocks, expected.too_deep, expected.count)


def test_each_commonmark_example() -> None:
    assert [text for text in EXAMPLES if not agree(text)] == []


@given(st.lists(st.sampled_from(EXAMPLES), min_size=2, max_size=6), st.sampled_from(["", "\n", "\n\n", " \n\t\n"]))
@settings(max_examples=400, deadline=None)
def test_commonmark_examples_one_below_the_other(examples: list[str], between: str) -> None:
    assert agree(between.join(examples))


BEGINNINGS = [
    *(
        "",
        " ",
        "   ",
        "    ",
        "\t",
        "- ",
        "-",
        "* ",
        "+ ",
        "1. ",
        "12) ",
        "1234567890. ",
        "> ",
        ">",
        "# ",
        "#",
        "##### ",
    ),
    *("```", "~~~", "````", "``` py", "|", "|-|", "---", "- - -", "***", "___", "===", "--:", ":--", ":::", "<div>"),
    *("</div>", "<!--", "-->", "<pre>", "</pre>", "<a>", "[x]: /y", "[x]:", "[", "]:", "'t'", "**b**", "_i_", "`c`"),
    *("<kbd>k</kbd>", "<br>", "  - ", "    - ", "   1. ", "     ", "  > ", "6). ", "[x]: (y)", "[x]: data:z"),
    *("~s~", "+1", "--o", "2 b", "3.5", "\\", "é", "\x0b", "\x0c", "\x85", "\u2028", "|a|b|", "|-|-|"),
]
LINES = st.tuples(st.sampled_from(BEGINNINGS), st.sampled_from(BEGINNINGS), st.sampled_from(["", "a", " #", "```"]))


@given(st.lists(LINES.map("".join), max_size=14), st.sampled_from(["", "\n", "\n\n", "\n  "]))
@settings(max_examples=2_000, deadline=None)
def test_any_lines(lines: list[str], end: str) -> None:
    assert agree("\n".join(lines) + end)


MARKERS = ["- ", "* ", "-  ", "1. ", "10) ", "  - ", "   2. "]
CONTENT = [
    "a",
    "[a]",
    "[a]: b",
    "[a",
    "b]: c",
    "`a`",
    "**a**",
    "===",
    "---",
    "|-|",
    "# a",
    "> a",
    "```",
    "<p>",
    "1. a",
    "- a",
]
WRAPPED = st.tuples(st.sampled_from(["", "\n"]), st.sampled_from([0, 1, 2, 3, 4, 6]), st.sampled_from(CONTENT))
ITEMS = st.tuples(st.sampled_from(MARKERS), st.sampled_from(CONTENT), st.lists(WRAPPED, max_size=3))


@given(st.lists(ITEMS, min_size=1, max_size=4), st.sampled_from(["", "\n", "\n\n", "\n  ", "\n\t\n"]))
@settings(max_examples=2_000, deadline=None)
def test_items_with_wrapped_lines(items: list[tuple[str, str, list[tuple[str, int, str]]]], end: str) -> None:
    lines = []
    for marker, first, wrapped in items:
        lines.append(marker + first)
        lines += (f"{blank}{' ' * width}{content}" for blank, width, content in wrapped)
    assert agree("\n".join(lines) + end)


@given(
    st.lists(st.sampled_from(["```", "````", "~~~", "``` a", " ```", "    ```", "a ```", "> ```", "a", ""]), max_size=9)
)
@settings(deadline=None)
def test_fences_end_at_their_own_markers(lines: list[str]) -> None:
    for opener in ("```", "~~~ `", "   ````"):
        assert agree("\n".join((opener, *lines)))


@pytest.mark.parametrize(
    "text",
    [
        "<!--\n\na\n\n# b\n\n-->\n\nc\n",
        "- a\n```\n\nb\n\n# c\n\n```\nd\n",
        "- a\n\n  ```\n\nb\n\n  ```\n\nc\n",
        "[a]: /b\n\n[c]: /d\n\n# e\n",
        "\n\n- a\n\n\n",
        "a\n\n" + "- " * 60 + "b\n\nc\n",
        "- a\n  \x0c\nb\n",
        "[\xa0]: /b\n",
    ],
)
def test_what_goes_on_across_a_blank_line(text: str) -> None:
    assert agree(text)


def test_what_is_never_closed_is_not_parsed_again_for_each_of_its_paragraphs(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def counted(text: str, limits: SourceLimits) -> ParsedText:
        sizes.append(len(text))
        return parse_whole(text, limits)

    monkeypatch.setattr("infograph.source.blocks._parse", counted)
    text = "a\n<!--\n\n" + "a\n\n" * 10_000  # simple only without the paragraph
    parse_text("# a\n\n" * 100 + text, LIMITS)
    assert sizes[-1] == len(text) and sum(sizes) < 4 * len(text)
    assert all(2 * before <= after <= 2 * (before + len("a\n\n")) for before, after in pairwise(sizes[:-1]))


@pytest.mark.parametrize(
    ("passage", "closed"),
    [("a\n---\n```\nb\n```\n\n", True), ("a\n---\n<!-- b\n-->\n\n", True), ("a\n---\n```\nb\n\n", False)],
)
def test_a_passage_that_ends_with_what_is_closed_is_parsed_once(
    passage: str, closed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []

    def noted(text: str, limits: SourceLimits) -> ParsedText:
        parsed.append(text)
        return parse_whole(text, limits)

    monkeypatch.setattr("infograph.source.blocks._parse", noted)
    text = f"{passage}c\n\n# d\n\n"
    found = parse_text(text, LIMITS)
    assert parsed == [passage, *([] if closed else [text])]
    assert found.blocks == parse_whole(text, LIMITS).blocks


def test_the_limit_counts_the_blocks_of_all_passages() -> None:
    text = "# a\n\nb\n\n- c\n- d\n\n> e\n"
    count = parse_whole(text, LIMITS).count
    assert parse_text(text, SourceLimits(blocks=count)).count == count
    with pytest.raises(TooManyBlocks):
        parse_text(text, SourceLimits(blocks=count - 1))


def test_simple_blocks_end_after_their_blank_lines() -> None:
    text = "## a `b` ##\n \n\nc\nd\n```` py x\n\n```\n````\n\ne"
    found, at = [], 0
    while at < len(text):
        simple = simple_block(text, at, text.count("\n", 0, at))
        assert simple is not None
        at = simple[1]
        found.append((simple[0].kind, simple[0].start, simple[0].end, simple[0].level, simple[0].text))
    assert found == [
        ("heading", 0, 3, 2, "a b"),
        ("paragraph", 3, 5, 0, ""),
        ("fence", 5, 10, 0, "py x"),
        ("paragraph", 10, 11, 0, ""),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "# a",
        "a",
        "```\na",
        "- a\n- b",
        "  1. a\n     b\n  2. c",
        "> a\n> > b",
        "| a |\n|---|\n| b |",
        "<p>\na",
        "***",
        "[a]: /b",
        " a\n  b",
        "- a\n\n  ```\n  b\n  ```\n\n  > - c",
    ],
)
def test_what_is_simple(text: str) -> None:
    """Most of a page, or the parser would be asked for it."""
    for end in ("", "\n", "\n\n"):
        assert simple_block(text + end, 0, 0) is not None
        assert agree(text + end)


@pytest.mark.parametrize(
    "text",
    [
        "    a",
        "\ta",
        "a\n---",
        "- a\nb",
        "> a\nb",
        "-",
        "-\ta",
        "-     a",
        "- a\n -b\n  - c",
        ">\n> a",
        "| a |\n|--|--|",
        "[a]: <b>",
        "[a]: javascript:b",
        "[a]:\n/b",
        "[a]: /b\n'c'",
        "> [a]: /b",
        "a | b\n--|--",
        "- - " * 9 + "a",
        "<b",
    ],
)
def test_what_the_parser_is_asked_for(text: str) -> None:
    """It looks back, ahead or at columns; no rule of ours may think that it knows."""
    assert simple_block(text, 0, 0) is None
    assert agree(text)


@pytest.mark.parametrize(
    "below, ends",
    [
        ("a", True),
        ("# a", True),
        ("**a**", True),
        ("> a", True),
        ("---", True),
        ("- a", False),
        ("1. a", False),
        ("  a", False),
        ("+", False),
    ],
)
def test_lists_end_at_the_margin_after_a_blank_line(below: str, ends: bool) -> None:
    text = f"- a\n\n{below}\n"
    assert break_after(text, 0) == (5 if ends else len(text))


@pytest.mark.slow
def test_every_page_of_the_trees() -> None:
    trees = os.environ.get("TEST_TREES")
    if not trees:
        pytest.skip("TEST_TREES does not say where the documentation trees are")
    pages = [path for path in sorted(Path(trees).rglob("*")) if path.suffix in (".md", ".mdx") and path.is_file()]
    assert pages
    for page in pages:
        try:
            document = read_document(page.parent, page.name)
        except DocumentError:
            continue
        assert agree(re.sub("\r\n?", "\n", document.body)), page


@pytest.mark.parametrize(
    ("text", "start", "end", "lines"),
    [
        ("a", 0, 0, 0),
        ("a\nb", 0, 4, 2),
        ("a\nb\n", 2, 4, 1),
        ("a\nb\n", 0, 2, 1),
        ("\nb", 0, 2, 2),
    ],
)
def test_the_lines_of_a_span_are_counted(text: str, start: int, end: int, lines: int) -> None:
    assert line_count(text, start, min(end, len(text))) == lines


def test_carriage_returns_are_line_ends() -> None:
    def parsed(body: str) -> object:
        return parse_blocks(Document("page.md", "0" * 64, "", body))

    assert parsed("# a\r\n\r\n- b\r\rc\r") == parsed("# a\n\n- b\n\nc\n")
