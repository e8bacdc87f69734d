"""Which pieces of texts are taken for a budget; both clients take the same."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from javascript import WEB, needs_node, run_node

from infograph.client.budget import LEFT_OUT
from infograph.client.options import PACKINGS
from infograph.client.packing import KNAPSACK_PIECES, KNAPSACK_TOKENS, MARKS, chosen, pieces, shown, values
from infograph.client.token_estimate import part_tokens, weight

TEXT = "# A\n\none two. three!\n\n```sh\na\n\nb\n```\n\nfour"
WORDS = [
    "a",
    "bb",
    "。",
    ". ",
    "! ",
    "\n",
    "\n\n",
    "\n \t\n",
    "# ",
    "```\n",
    "~~~",
    "\r\n",
    "😀",
    "\u2028",
    "\x1c",
    "\ufeff",
]


def parts(text: str, characters: int) -> list[str]:
    return [text[start:end] for start, end in pieces(text, characters)]


def test_pieces_are_paragraphs_with_their_headings_and_fences() -> None:
    assert parts(TEXT, 100) == ["# A\n\none two. three!\n\n", "```sh\na\n\nb\n```\n\n", "four"]
    assert parts("", 10) == []
    assert parts("# alone", 10) == ["# alone"]
    assert parts("```\nopen\n\nx\n\ny", 100) == ["```\nopen\n\nx\n\ny"]


def test_long_pieces_are_cut_at_lines_and_longer_lines_at_sentences() -> None:
    assert parts("aa\nbb\ncc\ndd", 6) == ["aa\nbb\n", "cc\ndd"]
    assert parts("One a. Two b! Three c? 四。五。", 9) == ["One a. ", "Two b! ", "Three c? ", "四。五。"]
    assert parts("v1.2.3 is-one-word-that-is-too-long", 9) == ["v1.2.3 is-one-word-that-is-too-long"]


@given(st.lists(st.sampled_from(WORDS), max_size=60).map("".join), st.integers(1, 40))
def test_pieces_are_all_of_a_text(text: str, characters: int) -> None:
    assert "".join(parts(text, characters)) == text
    ranges = pieces(text, characters)
    assert shown(text, ranges) == text.strip("\r\n").rstrip(" \t\r\n") or not text
    assert all(start < end for start, end in ranges)


@pytest.mark.parametrize(
    ("ranges", "expected"),
    [
        ([(0, 3), (3, 6)], "ab\ncd"),
        ([(0, 3)], f"ab\n\n{LEFT_OUT}"),
        ([(3, 6)], f"{LEFT_OUT}\n\ncd"),
        ([(0, 3), (4, 5)], f"ab\n\n{LEFT_OUT}\n\nd\n\n{LEFT_OUT}"),
    ],
)
def test_what_is_left_out_is_marked(ranges: list[tuple[int, int]], expected: str) -> None:
    assert shown("ab\ncd\n", ranges) == expected


def test_a_piece_with_the_rarer_words_of_a_better_chunk_is_worth_more() -> None:
    terms = [{"cache", "the"}, {"the"}, {"the"}, set[str]()]
    first, second, third, none = values([1, 1, 0.5, 0.5], terms, ["the", "cache", "clear"])
    assert first == 4_000_000 > second > third > none > 0
    assert values([0.25], [set()], []) == [125_000]
    assert values([], [], ["a"]) == []


PIECE = st.tuples(st.integers(0, 30), st.integers(0, 12), st.integers(0, 3))
"""Its value, its cost and its chunk."""


@given(st.lists(PIECE, max_size=9), st.lists(st.integers(0, 50), min_size=4, max_size=4), st.integers(0, 60))
def test_the_exact_packing_is_the_best_there_is(drawn: list[tuple[int, int, int]], heads: list[int], room: int) -> None:
    worth, costs = [own[0] for own in drawn], [own[1] for own in drawn]
    owners = sorted(own[2] for own in drawn)

    def price(own: Iterable[int]) -> int:
        return sum(costs[at] for at in own) + sum(heads[chunk] for chunk in {owners[at] for at in own})

    sets = itertools.chain.from_iterable(itertools.combinations(range(len(drawn)), n) for n in range(len(drawn) + 1))
    best = max(sum(worth[at] for at in own) for own in sets if price(own) <= room)
    found = {packing: chosen(packing, worth, costs, room, owners, heads) for packing in PACKINGS}
    for own in found.values():
        assert own == sorted(set(own)) and price(own) <= room
    if room:
        assert sum(worth[at] for at in found["knapsack"]) == best


def alone(packing: str, worth: list[int], costs: list[int], room: int) -> list[int]:
    """What is taken of pieces without heads."""
    return chosen(packing, worth, costs, room, range(len(worth)), [0] * len(worth))


def budget_holds(text: str, tokens: int, characters: int, room: int, seed: int) -> None:
    """That what is shown of a text never takes more than the room, however its pieces are chosen."""
    chance = random.Random(seed)
    ranges = pieces(text, characters)
    costs = [part_tokens(weight(text[start:end]).and_marks(MARKS), tokens, weight(text)) for start, end in ranges]
    worth = [chance.randrange(5) for _ in ranges]
    for packing in PACKINGS:
        taken = [ranges[at] for at in alone(packing, worth, costs, room)]
        if taken and len(taken) < len(ranges):
            own = shown(text, taken)
            assert part_tokens(weight(own), tokens, weight(text)) <= room
            assert all(text[start:end].strip("\r\n").rstrip(" \t\r\n") in own for start, end in taken)
        elif taken:
            assert tokens <= room


TEXTS = st.lists(st.sampled_from(WORDS), max_size=80).map("".join)


@given(TEXTS, st.integers(0, 200), st.integers(1, 30), st.integers(1, 200), st.integers(0, 9))
def test_a_budget_holds(text: str, tokens: int, characters: int, room: int, seed: int) -> None:
    budget_holds(text, tokens, characters, room, seed)


@pytest.mark.slow
def test_a_budget_holds_in_ten_thousand_cases() -> None:
    chance = random.Random(8)
    for seed in range(10_000):
        text = "".join(chance.choices(WORDS, k=chance.randint(0, 80)))
        tokens, room = chance.choice([0, 7, 90, 2000]), chance.choice([1, 9, 60, 400])
        budget_holds(text, tokens, chance.randint(1, 60), room, seed)


def test_beyond_its_limits_the_exact_packing_goes_by_ratio() -> None:
    worth, costs = [3, 4, 4], [1, 4, 2]
    assert alone("knapsack", worth, costs, KNAPSACK_TOKENS + 1) == [0, 1, 2]
    assert alone("ratio", worth, costs, 3) == alone("knapsack", worth, costs, 3) == [0, 2]
    assert alone("greedy", worth, costs, 4) == [1]
    many = [1] * (KNAPSACK_PIECES + 10)
    assert len(alone("knapsack", many, many, 1000)) == KNAPSACK_PIECES


def test_the_head_of_a_chunk_is_paid_once() -> None:
    owners, heads = [0, 0, 1], [5, 5]
    for packing in PACKINGS:
        assert chosen(packing, [2, 2, 3], [2, 2, 2], 10, owners, heads) == ([0, 1] if packing == "knapsack" else [2])
        assert chosen(packing, [2, 2, 3], [2, 2, 2], 16, owners, heads) == [0, 1, 2]
        assert chosen(packing, [2, 2, 3], [2, 2, 2], 6, owners, heads) == []


@needs_node
def test_both_clients_take_the_same() -> None:
    chance = random.Random(2)
    cases = []
    for _ in range(600):
        text = "".join(chance.choices(WORDS, k=chance.randint(0, 90)))
        terms = [chance.sample("abcdef", chance.randint(0, 6)) for _ in range(chance.randint(0, 60))]
        shares = [round(chance.random(), 3) for _ in terms]
        costs = [chance.randint(0, 90) for _ in terms]
        query = chance.sample("abcdefg", chance.randint(0, 7))
        owners = sorted(chance.randrange(9) for _ in terms)
        heads, room = [chance.randrange(60) for _ in range(9)], chance.choice([1, 50, 500, 9000])
        cases.append([text, chance.randint(1, 30), terms, shares, costs, query, room, owners, heads])
    script = """
    const { pieces, values, picked, shown } = await import(process.argv[1]);
    let input = "";
    for await (const part of process.stdin) input += part;
    console.log(JSON.stringify(JSON.parse(input).map((given) => {
      const [text, characters, terms, shares, costs, query, room, owners, heads] = given;
      const worth = values(shares, terms.map((own) => new Set(own)), query);
      const ranges = pieces(text, characters);
      return [ranges.map(([start, end]) => text.slice(start, end)), shown(text, ranges.slice(1, 3)), worth,
        ["greedy", "ratio", "knapsack"].map((packing) => picked(packing, worth, costs, room, owners, heads))];
    })));
    """
    for case, theirs in zip(cases, run_node(script, WEB / "packing.js", given=cases), strict=True):
        text, characters, terms, shares, costs, query, room, owners, heads = case
        worth = values(shares, [set(own) for own in terms], query)
        taken = [chosen(packing, worth, costs, room, owners, heads) for packing in PACKINGS]
        ranges = pieces(text, characters)
        ours = [parts(text, characters), shown(text, ranges[1:3]), worth, taken]
        assert ours == theirs, text
