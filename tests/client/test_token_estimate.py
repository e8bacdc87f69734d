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
from infograph.client.token_estimate import WEIGHT, line_tokens, part_tokens, part_weight, weight

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
    ("text", "weighs"),
    [
        ("", 0),
        ("a cat", 2 * WEIGHT),
        ("retrieve", WEIGHT),
        ("retrieval", WEIGHT + 1),
        ("sectionPathOf", 3 * WEIGHT),
        ("2024 7", 12 + WEIGHT),
        ("0c9f31", 24),
        ("a" * 30, WEIGHT + 22 + 2 * 6),
        ("(é)", 3 * WEIGHT),
        ("\u200b\ufeff\xa0\n", 0),
        ("한국", 5 * WEIGHT),
        ("ไทย ລາວ", 3 * WEIGHT),
    ],
)
def test_what_is_cut_into_more_tokens_weighs_more(text: str, weighs: int) -> None:
    assert weight(text) == weighs


def by_parts(text: str) -> int:
    """The weight of a text part by part, as the client in JavaScript has it."""
    total = 0
    for part in re.findall(r"[A-Za-z0-9]+|[^A-Za-z0-9\s\u200b\ufeff]", text):
        if not re.match("[A-Za-z0-9]", part):
            unspaced = re.match("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]", part)
            total += 15 if re.match("[\uac00-\ud7a3]", part) else WEIGHT // 2 if unspaced else WEIGHT
        elif re.search("[0-9]", part):
            total += max(WEIGHT, (4 if re.search("[A-Za-z]", part) else 3) * len(part))
        else:
            letters = WEIGHT + max(0, len(part) - 8) + 2 * max(0, len(part) - 24)
            total += max(letters, WEIGHT * (1 + len(re.findall("[a-z][A-Z]", part))))
    return total


@given(st.text() | st.text("abcXYZ019 _-.\n\t\x00\x0b\x1c\x7f\x85\xa0\u200b\ufeff東한😀…é", max_size=80))
@example("\ud800x")
@example("x" * 100 + " " + "x1" * 50)
def test_a_text_weighs_what_its_parts_do(text: str) -> None:
    assert weight(text) == by_parts(text)


@given(st.lists(st.text(max_size=30), max_size=6))
def test_weights_of_lines_add_up(lines: list[str]) -> None:
    assert weight("\n".join(lines)) == sum(map(weight, lines))


@given(st.integers(0, 9000), st.integers(0, 9000), st.integers(1, 3000), st.integers(0, 3000))
@example(part=10, whole=0, tokens=5, room=1)
def test_what_has_the_greatest_weight_of_a_room_fits(part: int, whole: int, tokens: int, room: int) -> None:
    most = part_weight(room, tokens, whole)
    assert part_tokens(min(part, whole), tokens, whole) <= tokens
    assert part_tokens(most, tokens, whole) <= max(room, 0) or most == whole
    if room < tokens and whole:
        assert part_tokens(most, tokens, whole) <= room < part_tokens(most + whole, tokens, whole) + 1


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
    below = [true - own for own, true in zip(said, real, strict=True) if own < true]
    assert len(below) <= 0.05 * len(said)
    assert 1.08 <= sum(said) / sum(real) <= 1.16


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
    cases = [(text, *(chance.randint(0, 5000) for _ in range(3))) for text in texts]
    script = """
    const { lineTokens, weight, partTokens, partWeight } = await import(process.argv[1]);
    let input = "";
    for await (const part of process.stdin) input += part;
    console.log(JSON.stringify(JSON.parse(input).map(([text, a, b, c]) =>
      [lineTokens(text), weight(text), partTokens(a, b, c), partWeight(a, b, c)])));
    """
    ours = [[line_tokens(text), weight(text), part_tokens(a, b, c), part_weight(a, b, c)] for text, a, b, c in cases]
    assert run_node(script, WEB / "tokens.js", given=cases) == ours
