"""The rules of structural splitting, in characters and in tokens. The contract test has what holds for any strategy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.chunking.chunker import chunk_document
from infograph.chunking.interface import Strategy, StrategyTools
from infograph.chunking.registry import strategy
from infograph.errors import ConfigError
from infograph.model import Block, Chunk
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode

Cut = Callable[..., tuple[Chunk, ...]]


def made(minimum: int, maximum: int, unit: str = "characters") -> Strategy:
    return strategy("structural", {"minimum": minimum, "maximum": maximum, "unit": unit})


def texts(chunks: tuple[Chunk, ...]) -> list[str]:
    return [chunk.text for chunk in chunks]


def test_a_heading_ends_a_chunk_that_has_the_minimum(cut: Cut) -> None:
    body = ["# a\n\nsix.\n\n", "## b\n\nlonger text\n\n", "# c\n\nand more text\n"]
    assert texts(cut("".join(body), made(9, 100))) == body
    assert texts(cut("".join(body), made(12, 100))) == [body[0] + body[1], body[2]]
    assert texts(cut("".join(body), made(100, 100))) == ["".join(body)]


def test_before_the_maximum_headings_go_with_the_block_below_them(cut: Cut) -> None:
    body = ["intro\n\n", "## a\n\n### b\n\n" + "x" * 20 + "\n"]
    assert texts(cut("".join(body), made(15, 32))) == body
    assert [chunk.section_path for chunk in cut("".join(body), made(15, 32))] == [(), ("a",)]


def test_a_heading_and_its_block_are_one_chunk_also_where_they_pass_the_maximum(cut: Cut) -> None:
    body = f"a\n\n# heading\n\n{'x' * 30}\n"
    assert texts(cut(body, made(1, 30))) == ["a\n\n", body[3:]]


def test_white_space_at_the_end_has_no_size(cut: Cut) -> None:
    fence = "```\n" + "line\n" * 4 + "```"
    assert texts(cut(f"{fence}\n\n\n\n{fence}\n", made(1, len(fence)))) == [f"{fence}\n\n\n\n", f"{fence}\n"]
    assert texts(cut(f"\n\n{fence}\n\n", made(1, len(fence)))) == [f"\n\n{fence}\n\n"]


def test_a_list_that_fits_is_whole_unless_the_chunk_is_short_of_the_minimum(cut: Cut) -> None:
    items = "- item\n" * 6
    assert texts(cut(f"some text\n\n{items}", made(5, 42))) == ["some text\n\n", items]
    assert texts(cut(f"some text\n\n{items}", made(12, 42))) == ["some text\n\n" + "- item\n" * 4, "- item\n" * 2]


def test_a_short_last_chunk_joins_the_one_before(cut: Cut) -> None:
    assert texts(cut(f"{'x' * 30}\n\n# a\n\ny\n", made(20, 60))) == [f"{'x' * 30}\n\n# a\n\ny\n"]
    assert len(cut(f"{'x' * 30}\n\n# a\n\ny\n", made(20, 35))) == 2


def test_sizes_in_tokens(cut: Cut) -> None:
    body = "".join(f"## h\n\n{'word ' * 20}\n\n" for _ in range(6))
    assert [chunk.tokens for chunk in cut(body, made(30, 50, "tokens"))] == [46, 46, 46]
    assert [chunk.tokens for chunk in cut(body, made(10, 50, "tokens"))] == [23] * 6


def test_a_cut_table_repeats_its_header_and_a_cut_fence_its_opener(cut: Cut) -> None:
    table = "| a | b |\n|---|---|\n"
    tables = cut(table + "| cell | cell |\n" * 10, made(10, 80))
    assert [chunk.embed_text.count(table) for chunk in tables] == [1] * 3
    fences = cut("```py\n" + "call(this)\n" * 10 + "```\n", made(10, 80))
    assert [chunk.embed_text.count("```") for chunk in fences] == [2] * 2
    for chunks in (tables, fences):
        assert [chunk.continues for chunk in chunks] == [False] + [True] * (len(chunks) - 1)
        assert all(len(chunk.text.strip()) <= 80 for chunk in chunks)


def test_what_kinds_of_block_a_chunk_holds_stands_in_its_metadata(cut: Cut) -> None:
    body = "# a\n\ntext\n\n> quote\n\n- list\n\n```\nfence\n```\n\n| t |\n|---|\n"
    (chunk,) = cut(body, made(10, 500))
    assert dict(chunk.facts) == {"content_types": ("fence", "heading", "list", "prose", "quote", "table")}
    assert [dict(chunk.facts)["content_types"] for chunk in cut("long prose\n\n# a\n\ntext\n", made(5, 12))] == [
        ("prose",),
        ("heading", "prose"),
    ]


@pytest.mark.parametrize(
    "options, message",
    [
        ({"unit": "words"}, "no unit `words`. Valid: `characters`, `tokens`"),
        ({"minimum": 0}, "not in ascending order"),
        ({"minimum": 2000}, "minimum 2000 and maximum 1500 characters are not in ascending order"),
        ({"minimum": "5"}, "must be a whole number or unset"),
    ],
)
def test_options_that_cannot_be_are_errors(options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        strategy("structural", options)


@pytest.mark.parametrize("name", ["structural", "code", "transcript", "semantic-250-750", "semantic-embedding"])
def test_a_minimum_of_one_and_one_of_the_maximum_are_possible(name: str) -> None:
    deeper = {"deeper": 9} if name == "semantic-250-750" else {}
    for minimum in (1, 9):
        assert strategy(name, {"minimum": minimum, "maximum": 9, **deeper})
    with pytest.raises(ConfigError, match="not in ascending order"):
        strategy(name, {"minimum": 10, "maximum": 9, **deeper})


def test_limits_and_unit_stand_in_the_key() -> None:
    assert strategy("structural").key == "structural-characters-100-1500"
    assert strategy("structural", {"unit": "tokens"}).key == "structural-tokens-25-400"
    assert made(20, 300, "tokens").key == "structural-tokens-20-300"


LINE = st.sampled_from(["word", "two words", "a sentence. And another one.", "`code`"])
HEADING = st.builds("{} {}".format, st.sampled_from(["#", "##", "###"]), LINE)
BLOCK = st.one_of(
    st.lists(LINE, min_size=1, max_size=4).map("\n".join),
    st.lists(LINE, min_size=1, max_size=4).map(lambda lines: "```\n" + "\n".join(lines) + "\n```"),
    st.lists(LINE, min_size=1, max_size=4).map(lambda lines: "\n".join(f"- {line}" for line in lines)),
    st.lists(LINE, min_size=1, max_size=4).map(lambda lines: "\n".join(f"> {line}" for line in lines)),
    st.lists(LINE, min_size=1, max_size=4).map(lambda rows: "| h |\n|---|\n" + "\n".join(f"| {r} |" for r in rows)),
)
SECTION = st.builds(lambda headings, block: "\n\n".join([*headings, block]), st.lists(HEADING, max_size=2), BLOCK)


@given(st.lists(SECTION, min_size=1, max_size=10).map("\n\n".join), st.integers(1, 60), st.integers(70, 200))
@settings(max_examples=150, deadline=None)
def test_no_block_that_fits_is_cut_and_no_heading_is_left_behind(
    cut: Cut, body: str, minimum: int, maximum: int
) -> None:
    chunks = cut(body, made(minimum, maximum))
    cuts = {chunk.lines[0] - 1 for chunk in chunks[1:]}
    lines = body.split("\n")
    for block in _wholes(parse_blocks(decode("page.md", body.encode()))[0]):
        if len("\n".join(lines[block.start : block.end]).strip()) <= maximum:
            assert not cuts & set(range(block.start + 1, block.end))
        if block.kind == "heading":
            assert block.end not in cuts
    assert all(len(chunk.text.strip()) <= maximum or chunk.text.startswith("#") for chunk in chunks)


def _wholes(blocks: tuple[Block, ...]) -> list[Block]:
    """The blocks that a cut must not divide; of a list, its items."""
    return [whole for block in blocks for whole in (block.children if block.kind == "list" else (block,))]


@pytest.mark.parametrize("unit", ["characters", "tokens"])
def test_who_asks_for_no_tokens_gets_all_else(unit: str, tools: StrategyTools) -> None:
    """With limits in tokens the counts are known anyway."""
    document = decode("page.md", b"# a\n\nsome words\n\n## b\n\n" + b"- more words\n" * 200)
    blocks = parse_blocks(document)[0]
    counted = chunk_document(document, blocks, made(5, 100, unit), tools).chunks
    found = chunk_document(document, blocks, made(5, 100, unit), tools, count=False).chunks
    assert len(found) > 2
    if unit == "tokens":
        assert found == counted
    else:
        assert found == tuple(replace(chunk, counted=None) for chunk in counted)
        with pytest.raises(ValueError, match=r"page\.md: the tokens of chunk 0 were not counted"):
            assert found[0].tokens


def test_headings_in_a_row_end_a_chunk_once_they_pass_the_maximum(cut: Cut) -> None:
    """Nothing else would end the chunk; the first chunk is like all others."""
    headings = "# abc\n" * 9
    for maximum, found in ((17, [3, 3, 3]), (18, [4, 4, 1]), (23, [4, 4, 1]), (24, [5, 4])):
        assert [chunk.text.count("#") for chunk in cut(headings, made(1, maximum))] == found


@pytest.mark.parametrize(("maximum", "count"), [(17, 2), (18, 1)])
def test_what_fits_exactly_is_one_chunk(cut: Cut, maximum: int, count: int) -> None:
    assert len(cut("12345678\n\n12345678\n\n\n", made(1, maximum))) == count


@pytest.mark.parametrize("unit", ["characters", "tokens"])
def test_a_chunk_of_exactly_the_minimum_ends_at_a_heading(cut: Cut, unit: str) -> None:
    size = 7 if unit == "characters" else 4  # `a b c d`, in characters with its line ends 9
    body = "a b c d\n\n# h\n\nsome more words here\n"
    enough = 9 if unit == "characters" else size
    assert [len(cut(body, made(minimum, 90, unit))) for minimum in (enough, enough + 1)] == [2, 1]


@pytest.mark.parametrize(("minimum", "maximum", "count"), [(4, 7, 1), (4, 6, 2), (3, 7, 2)])
def test_a_last_chunk_below_the_minimum_joins_the_one_before_where_both_fit(
    cut: Cut, minimum: int, maximum: int, count: int
) -> None:
    assert len(cut("a b c d\n\n# h\n\ny\n", made(minimum, maximum, "tokens"))) == count  # 4 tokens and 3


def test_tokens_of_a_chunk_that_is_cut_inside_of_a_line_are_counted_again(cut: Cut) -> None:
    """`cut` compares the counts with those of the text, since parts of words do not add up."""
    chunks = cut("unbelievable-" * 40 + " and words\n\n# h\n\ntext\n", made(2, 12, "tokens"))
    assert len(chunks) > 4 and chunks[-1].text.endswith("text\n")


def test_a_list_comes_apart_only_in_a_chunk_below_the_minimum(cut: Cut) -> None:
    items = "- item\n" * 6
    for minimum, whole in ((11, True), (12, False)):  # `some text` with its line ends has 11 characters
        assert (texts(cut(f"some text\n\n{items}", made(minimum, 42)))[-1] == items) == whole


@pytest.mark.parametrize("unit", ["characters", "tokens"])
@pytest.mark.parametrize("blank", ["", "\n\n\n"])
def test_a_list_that_fits_alone_is_whole_in_either_unit(cut: Cut, unit: str, blank: str) -> None:
    """White space at the end has no size."""
    text, items = "some text here\n\n", "- a b c d\n" * 4 + blank
    size = 39 if unit == "characters" else 20
    assert texts(cut(text + items, made(2, size, unit))) == [text, items]
    assert texts(cut(text + items, made(2, size - 1, unit))) != [text, items]
