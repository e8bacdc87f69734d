"""The contract of every strategy with every document. `cut` asserts tiling, offsets, lines, tokens and round trips."""

from __future__ import annotations

import json
import os
import pickle
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.chunking.chunker import chunk_document
from infograph.chunking.interface import Strategy, StrategyTools
from infograph.chunking.pieces.graphemes import grapheme_end
from infograph.chunking.registry import STRATEGIES, strategy
from infograph.chunking.tokens import WordPieceCounter
from infograph.model import Block, Chunk
from infograph.source.blocks import parse_blocks
from infograph.source.discovery import SourceRules, discover
from infograph.source.document import decode, read_document
from infograph.source.includes import unresolved_includes

Cut = Callable[..., tuple[Chunk, ...]]

EXAMPLES = json.loads((Path(__file__).parents[1] / "source" / "data" / "commonmark-0.31.2.json").read_text("utf-8"))
SMALL = {
    "semantic-250-750": {"minimum": 12, "deeper": 25, "maximum": 40},
    "structural": {"minimum": 30, "maximum": 120},
    "code": {"minimum": 12, "maximum": 40},
    "tabular": {"maximum": 40},
    "transcript": {"minimum": 12, "maximum": 40},
    "fixed": {"window": 40, "overlap": 8},
    "semantic-embedding": {"minimum": 12, "maximum": 40},
    "hierarchical": {"levels": (120, 40)},
    "agentic": {"maximum": 40},
}
"""Options with which documents of a few lines are cut."""
WHOLE = {"hierarchical": {"levels": (3000, 750)}, "fixed": {"whole_sentences": True}}
"""Options that keep blocks of usual size and sentences whole where the defaults do not."""

every_strategy = pytest.mark.parametrize("name", STRATEGIES)
every_strategy_that_knows_blocks = pytest.mark.parametrize("name", [name for name in STRATEGIES if name != "fixed"])

WORDS = st.lists(
    st.sampled_from(
        [
            "alpha",
            "be ta",
            "`code`",
            "**bold**",
            "[link](u)",
            "é",
            "漢字。",
            "x\x0by",
            "a\x85b",
            "c\u2028d",
            "e\x0cf",
            "done. Next",
            "\ttab",
            "<b>",
            "&amp;",
            "a|b",
        ]
    ),
    min_size=1,
    max_size=12,
).map(" ".join)
HEADING = st.builds("{} {}\n".format, st.sampled_from(["#", "##", "###", "####"]), WORDS)
PARAGRAPH = st.lists(WORDS, min_size=1, max_size=4).map(lambda lines: "\n".join(lines) + "\n")
FENCE = st.builds(
    "{0}{1}\n{2}\n{0}\n".format,
    st.sampled_from(["```", "~~~~"]),
    st.sampled_from(["", "py", "js {1,2}"]),
    st.lists(WORDS | st.just(""), max_size=12).map("\n".join),
)
TABLE = st.lists(WORDS, max_size=8).map(
    lambda rows: "| h | i |\n|---|:-:|\n" + "".join(f"| {row.replace('|', '')} | x |\n" for row in rows)
)


def indented(prefix: str, rest: str) -> Callable[[str], str]:
    return lambda text: "".join(
        (rest if number else prefix) + line for number, line in enumerate(text.splitlines(True))
    )


LEAF = st.one_of(
    HEADING,
    PARAGRAPH,
    FENCE,
    TABLE,
    st.just("[a]: /b 'c'\n"),
    st.just("***\n"),
    st.just("<div>\nx\n</div>\n"),
    st.just("    indented\n\n    code\n"),
    WORDS.map(lambda words: words + "\n---\n"),
)
BLOCK = st.recursive(
    LEAF,
    lambda inner: st.one_of(
        st.lists(inner.map(indented("- ", "  ")), min_size=1, max_size=4).map("".join),
        st.lists(inner.map(indented("1. ", "   ")), min_size=1, max_size=4).map("\n".join),
        st.lists(inner, min_size=1, max_size=3).map("\n".join).map(indented("> ", "> ")),
    ),
    max_leaves=6,
)
DOCUMENT = st.builds(
    lambda bom, front, blocks, end, tail: bom + front.replace("\n", end) + "\n".join(blocks).replace("\n", end) + tail,
    st.sampled_from(["", "\ufeff"]),
    st.sampled_from(["", "---\ntitle: T\n---\n", "+++\ntitle = 'T'\n+++\n\n"]),
    st.lists(BLOCK, max_size=14),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["", "\n\n", "  ", "tail"]),
)


@every_strategy
@given(source=DOCUMENT)
@settings(max_examples=40, deadline=None)
def test_any_markdown(name: str, cut: Cut, source: str) -> None:
    for options in ({}, SMALL[name]):
        cut(source, strategy(name, options))


@pytest.mark.slow
@every_strategy
@given(source=DOCUMENT)
@settings(max_examples=200, deadline=None)
def test_more_of_any_markdown(name: str, cut: Cut, source: str) -> None:
    for options in ({}, SMALL[name]):
        cut(source, strategy(name, options))


@every_strategy
@pytest.mark.parametrize("small", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize("section", sorted({example["section"] for example in EXAMPLES}))
def test_commonmark_examples(name: str, section: str, cut: Cut, small: bool) -> None:
    """Where chunks are large, each example is one: all of them in one page say more."""
    for example in EXAMPLES:
        if example["section"] == section:
            cut(example["markdown"], strategy(name, SMALL[name] if small else None))


@every_strategy
def test_all_commonmark_examples_in_one_page(name: str, cut: Cut) -> None:
    assert len(cut("\n\n".join(example["markdown"] for example in EXAMPLES), strategy(name))) > 10


@every_strategy
@pytest.mark.parametrize("source", ["", "\ufeff", "---\ntitle: a\n---\n"])
def test_nothing_has_no_chunk(name: str, source: str, cut: Cut) -> None:
    assert cut(source, strategy(name)) == ()


@every_strategy
@pytest.mark.parametrize("source", [" ", "\n", "\r\n\r\n", "a", "# a", "no heading\n\nat all\n"])
def test_something_has_one_chunk(name: str, source: str, cut: Cut) -> None:
    assert len(cut(source, strategy(name))) == 1


def page(seed: int) -> str:
    """A long document with every kind of block, each well below the limit, in an order that depends on the seed."""
    parts = ["# Page\n"]
    for number in range(60):
        kind = (number * 7 + seed * 13 + number // 5) % 6
        words = "lorem ipsum dolor sit amet " * (2 + (number * seed) % 9)
        parts.append(
            [
                f"{'#' * (2 + number * seed % 3)} Section {number}\n",
                f"{words}\n",
                f"```py\n{(words + chr(10)) * 4}```\n",
                f"| a | b |\n|---|---|\n{f'| {words} | y |{chr(10)}' * 4}",
                f"- {words}\n- {words}\n\n  more of it\n- {words}\n",
                f"> {words}\n>\n> {words}\n",
            ][kind]
        )
    return "\n".join(parts)


@every_strategy_that_knows_blocks
@pytest.mark.parametrize("seed", range(12))
def test_blocks_that_fit_stay_whole_and_no_heading_is_left_behind(
    name: str, seed: int, cut: Cut, counter: WordPieceCounter
) -> None:
    source = page(seed)
    made = strategy(name, WHOLE.get(name))
    chunks = cut(source, made)
    blocks, _ = parse_blocks(decode("guide/page.md", source.encode()))
    lines = source.splitlines(True)
    cuts = {chunk.lines[0] - 1 for chunk in chunks}
    for block in _atoms(blocks):
        assert not cuts & set(range(block.start + 1, block.end)), block
        if block.kind == "heading":
            assert block.end not in cuts
    limit = int(made.key.rpartition("-")[2])
    assert all(chunk.tokens <= limit for chunk in chunks)
    assert not any(line.startswith("|--") for line in (lines[cut] for cut in cuts))


def _atoms(blocks: tuple[Block, ...]) -> list[Block]:
    return [atom for block in blocks for atom in (block.children if block.kind == "list" else (block,))]


OVERSIZE = {
    "fence": ("```py title\n" + "call(argument)\n" * 400 + "```\n", "call(argument)\n"),
    "table": ("| head | er |\n| --- | --- |\n" + "| some cell | other |\n" * 300, "| some cell | other |\n"),
    "list": ("- an item of a list\n" * 400, "- an item of a list\n"),
    "item": ("- " + "  words in lines of an item\n" * 400, "words in lines of an item\n"),
    "quote": ("> quoted words here\n" * 400, "> quoted words here\n"),
    "paragraph": ("plain words in a line\n" * 400, "plain words in a line\n"),
    "html": ("<div>\n" + "<p>words in html</p>\n" * 300 + "</div>\n", "<p>words in html</p>\n"),
    "nested": ("1. one\n\n   ```sh\n" + "   run this here\n" * 600 + "   ```\n", "   run this here\n"),
}


@every_strategy_that_knows_blocks
@pytest.mark.parametrize("kind", OVERSIZE)
def test_a_block_larger_than_the_limit_is_cut_between_lines_and_says_so(name: str, kind: str, cut: Cut) -> None:
    block, line = OVERSIZE[kind]
    before = "# H\n\nintro\n\n"
    begin, end = len(before), len(before + block)
    chunks = cut(f"{before}{block}\nafter\n", strategy(name))
    assert [chunk.continues for chunk in chunks] == [begin < chunk.bytes[0] < end for chunk in chunks]
    chunks = tuple(chunk for chunk in chunks if chunk.bytes[0] < end and chunk.bytes[1] > begin)
    assert len(chunks) > 2
    for chunk in chunks[1:]:
        assert chunk.text.lstrip().startswith(line.lstrip())
    if kind in ("fence", "nested"):
        opener = "```py title\n" if kind == "fence" else "```sh\n"
        for chunk in chunks:
            assert chunk.embed_text.count("```") == 2 and opener in chunk.embed_text
    if kind == "table":
        for chunk in chunks:
            assert chunk.embed_text.count("| head | er |\n| --- | --- |\n") == 1


@every_strategy
@pytest.mark.parametrize(
    "line, boundary",
    [
        ("One sentence goes here. " * 600, r"\. $"),
        ("word " * 5000, r" $"),
        ("漢字" * 3000, r"字|漢$"),
        ("?!" * 5000, r"[?!]$"),
        ("é" * 90 + "😀-" * 4000, r"[😀-]$"),
    ],
)
def test_a_line_too_long_is_cut_inside(name: str, line: str, boundary: str, cut: Cut) -> None:
    made = strategy(name, WHOLE.get(name))
    chunks = cut(f"# H\n\n{line}\n\nafter\n", made)
    assert all(chunk.tokens <= int(made.key.rpartition("-")[2]) for chunk in chunks)
    assert len(chunks) > 1
    for chunk in chunks[:-1]:
        assert re.search(boundary, chunk.text)
    assert {chunk.lines[0] for chunk in chunks[1:-1]} <= {3}


UNBROKEN = {
    "thai": "การติดตั้งโปรแกรมนี้ต้องใช้สิทธิ์ของผู้ดูแลระบบก่อนเริ่มต้นให้ตรวจสอบว่าเครื่องคอมพิวเตอร์ของคุณเชื่อมต่อกับเครือข่ายแล้ว",
    "khmer": "ការដំឡើងកម្មវិធីនេះត្រូវការសិទ្ធិអ្នកគ្រប់គ្រងមុនពេលចាប់ផ្តើមសូមពិនិត្យមើលថាកុំព្យូទ័ររបស់អ្នកបានភ្ជាប់បណ្តាញ",
    "burmese": "ဤပရိုဂရမ်ကိုထည့်သွင်းရန်စီမံခန့်ခွဲသူအခွင့်အရေးလိုအပ်သည်မစတင်မီသင့်ကွန်ပျူတာသည်ကွန်ရက်နှင့်ချိတ်ဆက်ထားကြောင်းစစ်ဆေးပါ",
    "lao": "ການຕິດຕັ້ງໂປຣແກຣມນີ້ຕ້ອງການສິດຜູ້ເບິ່ງແຍງລະບົບກະລຸນາກວດສອບວ່າຄອມພິວເຕີຂອງທ່ານເຊື່ອມຕໍ່ກັບເຄືອຂ່າຍ",
    "letters": "x" * 100,
    "words": "documentation",
    "mixed": "documentation😀การ",
}
"""Words without spaces that, repeated, consist of letters or have a length unknown to the tokenizer."""


@every_strategy
@pytest.mark.parametrize(
    ("options", "length"),
    [
        (SMALL, 900),
        *(pytest.param(*case, marks=pytest.mark.slow) for case in (({}, 4_500), ({}, 30_000), (SMALL, 3_000))),
    ],
)
@pytest.mark.parametrize("kind", UNBROKEN)
def test_a_word_without_end_is_cut_to_the_limit_between_graphemes(
    name: str, kind: str, options: dict[str, dict[str, object]], length: int, cut: Cut
) -> None:
    made = strategy(name, options.get(name))
    word = UNBROKEN[kind] * (length // len(UNBROKEN[kind]))
    chunks = cut(f"# H\n\nIntro {word} and more\n\n- {word}\n", made)
    assert max(chunk.tokens for chunk in chunks) <= int(made.key.rpartition("-")[2])
    assert max(len(chunk.text) for chunk in chunks) <= 3000
    for before, chunk in pairwise(chunks):
        joined = before.text + chunk.text
        assert grapheme_end(joined, len(before.text)) == len(before.text)


@every_strategy
def test_thousands_of_headings_in_a_row(name: str, cut: Cut) -> None:
    assert len(cut("## An empty section\n" * 3000, strategy(name))) > 10


@every_strategy
def test_strategy_counter_and_result_pickle(name: str, tools: StrategyTools) -> None:
    made, counter = pickle.loads(pickle.dumps((strategy(name), tools.counter)))  # noqa: S301 (our own bytes)
    again = StrategyTools(counter, tools.embed)
    document = decode("a.md", b"# H\n\ntext\n")
    result = chunk_document(document, parse_blocks(document)[0], made, again)
    assert pickle.loads(pickle.dumps(result)) == result  # noqa: S301


@pytest.mark.slow
@every_strategy
@pytest.mark.parametrize("tree", ["fastapi", "rust-book", "kubeflow", "react-dev", "powershell-docs"])
def test_real_trees_lose_no_byte(name: str, tree: str, tools: StrategyTools) -> None:
    trees = os.environ.get("TEST_TREES")
    if not trees:
        pytest.skip("TEST_TREES does not say where the documentation trees are")
    root = Path(trees) / tree
    found = discover(root, SourceRules())
    assert found.documents and not found.errors
    for path in found.documents:
        document = read_document(root, path)
        blocks, notices = parse_blocks(document)
        assert not notices
        unresolved_includes(document, ())
        chunks = chunk_document(document, blocks, strategy(name), tools).chunks
        data = (root / path).read_bytes()
        assert document.prefix.encode() + b"".join(chunk.text.encode() for chunk in chunks) == data
        for chunk in chunks:
            assert data[slice(*chunk.bytes)] == chunk.text.encode()


EXACTLY = {
    "semantic-250-750": {"minimum": 5, "deeper": 10},
    "structural": {"minimum": 5, "unit": "tokens"},
    "code": {"minimum": 5},
    "tabular": {},
    "transcript": {"minimum": 5},
    "fixed": {"overlap": 0},
    "semantic-embedding": {"minimum": 5},
    "hierarchical": {},
    "agentic": {},
}


def limited(name: str, limit: int) -> Strategy:
    sizes = {"hierarchical": {"levels": (100, limit)}, "fixed": {"window": limit}}.get(name, {"maximum": limit})
    return strategy(name, EXACTLY[name] | sizes)


@every_strategy
@pytest.mark.parametrize(
    "block",
    [
        "a b c d e f g\n\n",
        "- a b c d e f\n",
        "> a b c d e f\n\n",
        "```\na\n```\n\n",
        "| a |\n|-|\n\n",
        "a b.\nc d.\n\n",
    ],
)
def test_a_page_of_exactly_the_limit_is_one_chunk(name: str, block: str, cut: Cut, counter: WordPieceCounter) -> None:
    source = block * 3
    tokens = counter.count([source])[0]
    assert len(cut(source, limited(name, tokens))) == 1
    assert len(cut(source, limited(name, tokens - 1))) > 1


@every_strategy
def test_a_line_of_exactly_the_limit_is_not_cut(name: str, cut: Cut) -> None:
    """A sentence of exactly the limit is not cut either. White space around it does not count."""
    line = "a b c d e f g h i j k.\n"
    assert [chunk.text for chunk in cut(line * 3, limited(name, 12))] == [line] * 3
    assert all(chunk.tokens <= 11 for chunk in cut(line * 3, limited(name, 11)))


@every_strategy
@pytest.mark.parametrize(
    "source", ["unbelievable-" * 60, "unbelievable, " * 60, "# h\n\n- " + "unbelievable-" * 60 + "\n"]
)
def test_tokens_are_those_of_the_text_also_where_words_are_cut(name: str, source: str, cut: Cut) -> None:
    """`cut` counts the tokens again, since those of a word's parts do not add up."""
    assert len(cut(source, strategy(name, SMALL[name]))) > 2
