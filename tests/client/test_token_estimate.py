"""Tokens without a tokenizer: never far from what the index counts, seldom below, the same in both clients."""

from __future__ import annotations

import random
import re
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from javascript import WEB, needs_node, run_node

import infograph
from infograph.chunking.tokens import WordPieceCounter
from infograph.client import Client
from infograph.client.budget import excerpt
from infograph.client.token_estimate import WEIGHT, Weight, line_tokens, margin, part_tokens, sum_of, weight

SAMPLE_DOCS = Path(infograph.__file__).parents[1] / "sample-docs"


@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ("", 0),
        ("[1]", 3),
        ("[117] abc abcd", 6),
        ("a-b", 3),
        ("é 東京", 3),
        ("한국", 6),
        ("https://a.example/x", 3 + 2 + 1 + 1 + 3 + 1 + 1),
        ("\U0001f600 \u200b\ufeff", 1),
    ],
)
def test_a_rule_counts_the_tokens_of_a_line(line: str, tokens: int) -> None:
    assert line_tokens(line) == tokens


@pytest.mark.parametrize(
    ("text", "weighs", "beyond"),
    [
        ("", 0, 0),
        ("a cat", 2 * WEIGHT, 0),
        ("retrieve", WEIGHT, 5),
        ("retrieval", WEIGHT + 1, 6),
        ("sectionPathOf", 3 * WEIGHT, 10),
        ("2024 7", 12 + WEIGHT, 0),
        ("0c9f31", 24, 0),
        ("a" * 30, WEIGHT + 22 + 2 * 6, 21),
        ("(é)", 3 * WEIGHT, 0),
        ("\u200b\ufeff\xa0\n", 0, 0),
        ("한국", 5 * WEIGHT, 0),
        ("ไทย ລາວ", 3 * WEIGHT, 0),
    ],
)
def test_what_is_cut_into_more_tokens_weighs_more(text: str, weighs: int, beyond: int) -> None:
    assert weight(text) == (weighs, beyond)


def by_parts(text: str) -> tuple[int, int]:
    """The weight of a text part by part, as the client in JavaScript has it."""
    total = beyond = 0
    for part in re.findall(r"[A-Za-z0-9]+|[^A-Za-z0-9\s\u200b\ufeff]", text):
        if not re.match("[A-Za-z0-9]", part):
            unspaced = re.match("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]", part)
            total += 15 if re.match("[\uac00-\ud7a3]", part) else WEIGHT // 2 if unspaced else WEIGHT
        elif re.search("[0-9]", part):
            total += max(WEIGHT, (4 if re.search("[A-Za-z]", part) else 3) * len(part))
        else:
            letters = WEIGHT + max(0, len(part) - 8) + 2 * max(0, len(part) - 24)
            total += max(letters, WEIGHT * (1 + len(re.findall("[a-z][A-Z]", part))))
            beyond += min(21, max(0, len(part) - 3))
    return total, beyond


@given(st.text() | st.text("abcXYZ019 _-.\n\t\x00\x0b\x1c\x7f\x85\xa0\u200b\ufeff東한😀…é", max_size=80))
@example("\ud800x")
@example("x" * 100 + " " + "x1" * 50)
def test_a_text_weighs_what_its_parts_do(text: str) -> None:
    assert weight(text) == by_parts(text)


@given(st.lists(st.text(max_size=30), max_size=6))
def test_weights_of_lines_add_up(lines: list[str]) -> None:
    assert weight("\n".join(lines)) == sum_of(map(weight, lines))


@given(st.lists(st.text("ab Z0.é\n", max_size=30), min_size=1, max_size=6), st.integers(0, 300))
def test_parts_are_all_of_a_text(lines: list[str], tokens: int) -> None:
    """Together they have as many tokens as it has, and no part more; what is beyond a text's own weight is no loss."""
    whole = weight("\n".join(lines))
    each = [part_tokens(weight(line), tokens, whole) for line in lines]
    assert part_tokens(whole, tokens, whole) == (tokens if whole.all else 0)
    assert max(each) <= tokens and sum(each) >= part_tokens(whole, tokens, whole)


def test_what_a_text_has_more_than_it_weighs_lies_in_its_long_words() -> None:
    words, code = "geleert Zwischenspeicher", "0 1 2 3 4 5 6 7 8 9"
    whole = weight(f"{words} {code}")
    assert part_tokens(weight(words), 19, whole) == 9
    assert part_tokens(weight(code), 19, whole) == 15
    assert part_tokens(weight("0 1"), 9, weight("0 1 2 3 4 5")) == 3
    assert part_tokens(weight("0 1"), 2, weight("0 1 2 3 4 5")) == 2


@pytest.mark.parametrize(("tokens", "more"), [(-1, 0), (0, 0), (1, 2), (100, 20), (101, 20), (400, 40)])
def test_what_is_kept_back_grows_by_the_root(tokens: int, more: int) -> None:
    assert margin(tokens) == more


def test_a_part_has_seldom_more_tokens_than_is_said() -> None:
    """Each two neighbouring paragraphs of a page as parts of the eight around them, by the packaged tokenizer."""
    counter = WordPieceCounter()
    said, real = [], []
    for page in sorted(SAMPLE_DOCS.rglob("*.md")):
        paragraphs = page.read_text("utf-8").split("\n\n")
        for start in range(0, len(paragraphs) - 8, 8):
            own = paragraphs[start : start + 8]
            text = "\n\n".join(own)
            (whole,) = counter.count([text])
            for first, second in pairwise(own):
                part = f"{first}\n\n{second}"
                said.append(part_tokens(weight(part), whole, weight(text)))
                real += counter.count([part])
    assert len(said) > 800
    beyond = [true for own, true in zip(said, real, strict=True) if own + margin(own) < true]
    assert beyond == []
    assert 0.99 <= sum(said) / sum(real) <= 1.03


BUDGETS = (90, 300, 900)
MORE_BUDGETS = (40, 60, 130, 170, 240, 420, 520, 700, 1200, 1700, 2500)


@pytest.mark.parametrize("budgets", [BUDGETS, pytest.param(MORE_BUDGETS, marks=pytest.mark.slow)], ids=["few", "more"])
def test_no_context_exceeds_its_budget_by_the_tokenizer(folder: Client, budgets: tuple[int, ...]) -> None:
    """What is handed to a model, sources included, counted as the index counts."""
    counter = WordPieceCounter()
    queries = ("how do I configure the cache?", "stripe order", "what does a chunk cost in files", "MkDocs plugin")
    over = []
    for query, tokens in product(queries, budgets):
        for level, packing in (("chunks", "greedy"), ("passages", "greedy"), ("passages", "knapsack")):
            context = folder.retrieve(query, tokens, level=level, packing=packing)
            (real,) = counter.count([context.text])
            if real > tokens:
                over.append((query, tokens, level, packing, real))
    assert over == []


@given(st.text("ab .\n", max_size=200), st.integers(1, 400), st.integers(0, 300))
def test_an_excerpt_is_paid_for(text: str, tokens: int, most: int) -> None:
    found, used = excerpt(text, tokens, most, lambda part: set(part.split()), {"a", "ab"})
    assert used <= max(most, 0) or used == tokens <= most
    assert bool(found) == bool(used)


@needs_node
def test_both_clients_estimate_the_same() -> None:
    chance = random.Random(5)
    letters = "abcXYZ019 _-.\n\t\r\x1c\x85\xa0\u200b\ufeff\u3000é東한ท😀…"
    texts = ["".join(chance.choices(letters, k=chance.randint(0, 60))) for _ in range(2000)]
    cases = [(text, *(chance.randint(0, most) for most in (5000, 900, 3000, 5000, 900))) for text in texts]
    script = """
    const { lineTokens, weight, partTokens, margin } = await import(process.argv[1]);
    let input = "";
    for await (const part of process.stdin) input += part;
    console.log(JSON.stringify(JSON.parse(input).map(([text, a, b, tokens, c, d]) =>
      [lineTokens(text), weight(text), partTokens([a, b], tokens, [c, d]), margin(tokens)])));
    """
    ours = [
        [line_tokens(text), list(weight(text)), part_tokens(Weight(a, b), tokens, Weight(c, d)), margin(tokens)]
        for text, a, b, tokens, c, d in cases
    ]
    assert run_node(script, WEB / "tokens.js", given=cases) == ours
