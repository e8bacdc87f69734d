from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.chunking.hierarchy import children_of, merged, parents_of, text_of, unit_of
from infograph.chunking.strategy import strategy
from infograph.errors import ConfigError
from infograph.model import Chunk

Cut = Callable[..., tuple[Chunk, ...]]

SIZES = (120, 40, 15)
SMALL = strategy("hierarchical", {"levels": SIZES})


def section(level: int, name: str, paragraphs: int) -> str:
    """A heading, and paragraphs of ten tokens."""
    return f"{'#' * level} {name}\n\n" + "one two three four five six seven eight nine ten\n\n" * paragraphs


def book() -> str:
    return "".join(
        section(1, f"chapter {chapter}", 1)
        + "".join(section(2, f"section {number}", 2 + number) for number in range(4))
        for chapter in range(3)
    )


def units(chunks: tuple[Chunk, ...], level: int) -> list[tuple[int, int]]:
    return parents_of(chunks, range(len(chunks)), level)


PAGE = st.lists(
    st.sampled_from(
        [
            "# A\n",
            "## B\n",
            "### C\n",
            "words of it. And more.\n",
            "- item\n- item\n",
            "```\ncode\n```\n",
            "> quote " * 30 + "\n",
        ]
    ),
    max_size=40,
).map("\n".join)


@given(source=PAGE)
@settings(max_examples=60, deadline=None)
def test_the_units_of_each_level_tile_the_page_and_lie_in_one_unit_of_the_level_above(cut: Cut, source: str) -> None:
    chunks = cut(source, SMALL)
    assert all(len(chunk.parents) == len(SIZES) - 1 for chunk in chunks)
    for level, limit in enumerate(reversed(SIZES)):
        here = units(chunks, level)
        assert [0, *(end for _, end in here)] == [*(begin for begin, _ in here), len(chunks)]
        assert "".join(text_of(chunks, unit) for unit in here) == source
        for begin, end in here:
            single = end - begin == 1
            assert single or sum(chunk.tokens for chunk in chunks[begin:end]) <= limit
        if level:
            for unit in here:
                children = children_of(chunks, unit, level)
                assert text_of(chunks, unit) == "".join(text_of(chunks, child) for child in children)
                assert set(children) <= set(units(chunks, level - 1))
                assert all(unit_of(chunks[child[0]], level) == unit for child in children)


def test_units_follow_the_sections(cut: Cut) -> None:
    chunks = cut(book(), SMALL)
    assert [text_of(chunks, unit).count("# chapter") for unit in units(chunks, 2)] == [1, 0] * 3
    starts = [text_of(chunks, unit).splitlines()[0].lstrip("# ") for unit in units(chunks, 1)]
    assert starts[:2] == ["chapter 0", "section 1"]


def test_the_largest_level_takes_what_fits(cut: Cut) -> None:
    chunks = cut(book(), strategy("hierarchical", {"levels": (10_000, 200, 50)}))
    assert units(chunks, 2) == [(0, len(chunks))]
    for begin, _ in units(chunks, 1):
        assert chunks[begin].text.startswith("# chapter")


@pytest.mark.parametrize(
    "source", ["One sentence.", "x" * 5000, "```py\n" + "call()\n" * 300 + "```\n", "Same. " * 2000]
)
def test_degenerate_pages(cut: Cut, source: str) -> None:
    chunks = cut(source, SMALL)
    assert [text_of(chunks, unit) for unit in units(chunks, 9)] == [text_of(chunks, unit) for unit in units(chunks, 2)]


def chunks_of(*parents: tuple[tuple[int, int], ...]) -> tuple[Chunk, ...]:
    return tuple(
        Chunk(
            "a.md", index, len(parents), "", (), str(index), "", (1, 1), (0, 1), 1, False, "hierarchical", "", parents=p
        )
        for index, p in enumerate(parents)
    )


TWO = ((0, 2), (0, 5))
THREE = ((2, 5), (0, 5))
TREE = chunks_of(TWO, TWO, THREE, THREE, THREE, ((5, 6), (5, 6)))
"""0 and 1, 2 to 4, and 5 alone; the first two units are one."""


def test_parents_in_the_order_of_their_best_child_each_once() -> None:
    assert parents_of(TREE, [3, 0, 4, 5]) == [(2, 5), (0, 2), (5, 6)]
    assert parents_of(TREE, [3, 0, 4, 5], 2) == [(0, 5), (5, 6)]
    assert parents_of(TREE, [3, 0], 0) == [(3, 4), (0, 1)]
    assert unit_of(TREE[3], 7) == (0, 5)
    assert text_of(TREE, (2, 5)) == "234"
    assert children_of(TREE, (0, 5), 2) == [(0, 2), (2, 5)]


@pytest.mark.parametrize(
    "retrieved, share, units",
    [
        ([3, 0], 0.5, [(3, 4), (0, 1)]),  # a third and a half of the children: not more than half
        ([0, 3, 2], 0.5, [(0, 1), (2, 5)]),
        ([3, 0, 2, 5], 0.4, [(0, 5), (5, 6)]),  # half of one parent's, then both parents
        ([5, 1, 3, 0], 0.5, [(5, 6), (0, 2), (3, 4)]),
        ([], 0.5, []),
    ],
)
def test_children_merge_into_their_parent(retrieved: list[int], share: float, units: list[tuple[int, int]]) -> None:
    assert merged(TREE, retrieved, share) == units


@given(source=PAGE, data=st.data())
@settings(max_examples=30, deadline=None)
def test_merging_loses_no_chunk_and_repeats_none(cut: Cut, source: str, data: st.DataObject) -> None:
    chunks = cut(source, SMALL)
    retrieved = data.draw(st.lists(st.sampled_from(range(len(chunks))), unique=True)) if chunks else []
    found = sorted(merged(chunks, retrieved, data.draw(st.sampled_from([0, 0.3, 0.5, 0.9]))))
    assert all(end <= begin for (_, end), (begin, _) in pairwise(found))
    assert all(any(begin <= index < end for begin, end in found) for index in retrieved)


@pytest.mark.parametrize("levels", [(), (100,), (100, 100), (10, 20), (10, 0)])
def test_impossible_levels_are_errors(levels: tuple[int, ...]) -> None:
    with pytest.raises(ConfigError, match="two or more sizes, each larger than the next"):
        strategy("hierarchical", {"levels": levels})


def test_levels_are_in_the_key() -> None:
    assert strategy("hierarchical").key == "hierarchical-2048-512-128"
