"""Questions in `qa-pairs.md`, and the chunks that answer them."""

import numpy as np
import pytest

from infograph.model import Document
from infograph.source.blocks import parse_blocks
from infograph.topic import answered_questions
from infograph.topic.answered_questions import match_questions


def questions(text: str, language: str = "en") -> tuple[str, ...]:
    blocks, _ = parse_blocks(Document("qa-pairs.md", "", "", text))
    return tuple(dict.fromkeys(text for _, text in answered_questions.questions_asked(text, blocks, language)))


@pytest.mark.parametrize(
    "text",
    [
        "Q: What is a stripe?\nA: One stride.",
        "**Q:** What is a stripe?\n\n**A:** One stride.",
        "**Q: What is a stripe?**",
        "Q1. What is a stripe?\nA1. One stride.",
        "Q12: What is\n  a stripe?\nA12: One stride.",
        "1. **Q:** What is a stripe?\n   **A:** One stride.",
        "- Q: What is a stripe?",
        "> Question: What is a stripe?\n> Answer: One stride.",
        "### Q: What is a stripe?",
        "## What is a stripe?",
        "## What is a stripe? ##",
        "## 3. What is a *stripe*? {#stripe}",
        "## What is a [stripe](stripes.md)?\n\nOne stride.",
        "2. What is a `stripe`?\n   One stride.",
        "**What is a stripe?**\n\nOne stride.",
        "Q: What is a stripe?\r\nA: One stride.\r\n",
        "# Questions\r\n\r\n## What is a stripe? ##\r\n\r\nOne stride.\r\n",
        "# Questions\r\r## What is a stripe? ##\r\rOne stride.\r",
        "Q: What is\ra stripe?\rA: One stride.\r",
        "Q: What is a stripe?\n\nQ: What is a stripe?",
        "Q: What is a stripe? A: One stride.",
        "**Q: What is a `stripe`?** **A:** One stride.",
        "What is a stripe?\n-----------------\nOne stride.",
        "## Q: What is a stripe? A: One stride.",
        "Q: What is a stripe? A: One stride.\n---",
        "## What is a stripe? A: One stride.",
        "## 1. What is a stripe? A: One stride.",
        "1. What is a stripe? A: One stride.",
        "**What is a stripe?** **A:** One stride.",
        "**What is a stripe?**\u3000",
        "\xa0**What is a stripe?**\xa0",
        "> **What is a stripe?**\n>\n> One stride.",
        "> 1. What is a stripe?",
        "> - **What is a stripe?** \n>   One stride.",
    ],
)
def test_every_way_to_write_a_question(text: str):
    assert questions(text) == ("What is a stripe?",)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Q: How do I use the `<Suspense>` component?", "How do I use the <Suspense> component?"),
        ("Q: Is a < b > c?", "Is a < b > c?"),
        ("Q: What is <https://x.org>?", "What is https://x.org?"),
        ("Q: What is `a*b*c` and **2 * 3**?", "What is a*b*c and 2 * 3?"),
        ("Q: 何？A: 一", "何？"),
        ("Q: What is [A: the letter]?", "What is [A: the letter]?"),
    ],
)
def test_of_a_question_only_markup_goes(text: str, asked: str):
    assert questions(text) == (asked,)


@pytest.mark.parametrize(
    "text",
    ["", "Q:", "## Stripes", "A: One.", "```\nQ: What?\n# Why?\n```\n", "Quality: high", "1. First step.", "Why not?"],
)
def test_what_is_no_question(text: str):
    assert questions(text) == ()


def test_headings_that_begin_with_a_question_word():
    text = "# How to order\n## Is it sorted\n## However"
    assert questions(text) == ("How to order",)
    assert questions("# Wie man ordnet", "de") == ("Wie man ordnet",)


def test_a_pair_keeps_its_answer_out_and_its_order():
    text = "Q: One\nis this?\nA: Yes. Is it?\n\nQ: Two?\nQ: Three without a mark\n\nand its answer"
    assert questions(text) == ("One is this?", "Two?", "Three without a mark")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["feed", "both", "return"])
@pytest.mark.parametrize(
    "lines",
    [
        ["## What is a stripe? ##"],
        ["", "", "What is a stripe?", "================="],
        ["What is", "a stripe?", "---"],
        ["Q: What is a stripe?", "A: One stride.", "---"],
        ["Q: What is a stripe?", "---"],
        ["Q: What is a stripe?", "A: Read:", "```", "Q: What?", "```"],
        ["**What is a stripe?**", "One stride.", "---"],
        ["> Q: What", "> is a stripe?", ">", "> A: One stride."],
        ["- item", "  - Q: What is", "    a stripe?", "  - A: One stride."],
        ["- Q: What is a stripe?", "- another item"],
        ["```x``` is a span.", "", "## What is a stripe?"],
        ["Some", "", "    ```", "", "## What is a stripe?"],
        ["- a", "", "  ```", "  x", "", "## What is a stripe?"],
        ["    Q: What is code?", "", "> ```", "> # What?", "# What is a stripe?"],
        ["<!--", "Q: What is a draft?", "-->", "", "Q: What is a stripe?"],
        ["Q: What is a stripe?", "", "| Q: What |", "|---|", "| Q: is a cell? |"],
        ["1. **What is a stripe?**", "", "   One stride.", "", "2. Not so."],
    ],
)
def test_the_parser_says_what_is_a_heading_and_what_a_paragraph(lines: list[str], end: str):
    assert questions(end.join(lines)) == ("What is a stripe?",)
    assert questions(end.join([*lines, "", ""])) == ("What is a stripe?",)


def test_what_is_code_in_a_heading_is_kept():
    assert questions("## What is `List<T>`?") == ("What is List<T>?",)


def test_each_question_is_where_it_begins():
    text = "\n## Why?\n\nQ: One\nis this?\nA: Yes.\nQ: Two?\n\n## Three?\n\nQ: Two?\n"
    blocks, _ = parse_blocks(Document("qa-pairs.md", "", "", text))
    asked = [(1, "Why?"), (3, "One is this?"), (6, "Two?"), (8, "Three?"), (10, "Two?")]
    assert list(answered_questions.questions_asked(text, blocks)) == asked


def _unit(*rows: list[float]) -> np.ndarray:
    array = np.array(rows, dtype=np.float32)
    return array / np.linalg.norm(array, axis=1, keepdims=True)


def _chunks(found: list[list[tuple[int, float]]]) -> list[list[int]]:
    return [[chunk for chunk, _ in chunks] for chunks in found]


def test_a_question_goes_to_its_nearest_chunks_above_the_threshold():
    chunks = _unit([1, 0], [1, 0.2], [1, 1], [0, 1])
    asked = _unit([1, 0], [0, 1])
    assert _chunks(match_questions(chunks, asked, threshold=0.5, top_k=2)) == [[0, 1], [3, 2]]
    assert _chunks(match_questions(chunks, asked, threshold=0.5, top_k=4)) == [[0, 1, 2], [3, 2]]
    assert match_questions(chunks, asked, threshold=0.99, top_k=4) == [[(0, 1.0)], [(3, 1.0)]]


def test_the_best_chunk_comes_first_with_its_cosine():
    chunks = _unit([1, 1], [0, 1], [1, 0])
    assert match_questions(chunks, _unit([1, 0]), threshold=0.5, top_k=3) == [[(2, 1.0), (0, 0.707107)]]


def test_ties_go_to_the_earlier_chunk():
    chunks = _unit([1, 0], [1, 0], [1, 0])
    assert _chunks(match_questions(chunks, _unit([1, 0], [1, 0]), threshold=0.5, top_k=1)) == [[0], [0]]


def test_nothing_to_match():
    none = np.zeros((0, 2), dtype=np.float32)
    assert match_questions(none, none, 0.5, 3) == []
    assert match_questions(_unit([1, 0]), none, 0.5, 3) == []
    assert match_questions(none, _unit([1, 0]), 0.5, 3) == [[]]


def test_many_questions_are_matched_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(0)
    chunks, asked = (_unit(*draw.normal(size=(count, 4)).tolist()) for count in (7, 40))
    together = match_questions(chunks, asked, threshold=0.3, top_k=3)
    assert sum(map(len, together)) > 40
    for at_once in (1, 7, 20, 100):
        monkeypatch.setattr("infograph.topic.answered_questions._COSINES_AT_ONCE", at_once)
        assert match_questions(chunks, asked, threshold=0.3, top_k=3) == together
