from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    """The units of a level, each once, in order: runs of chunks; those of level 0 are the chunks."""
    found = (((chunk.index, chunk.index + 1), *chunk.parents)[level] for chunk in chunks)
    return list(dict.fromkeys(found))


def text_of(chunks: tuple[Chunk, ...], unit: tuple[int, int]) -> str:
    return "".join(chunk.text for chunk in chunks[slice(*unit)])


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
            begins = {begin for begin, _ in units(chunks, level - 1)}
            assert {begin for begin, _ in here} <= begins  # so each is a run of units of the level below


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
    assert "".join(text_of(chunks, unit) for unit in units(chunks, 2)) == source


@pytest.mark.parametrize("levels", [(), (100,), (100, 100), (10, 20), (10, 0)])
def test_impossible_levels_are_errors(levels: tuple[int, ...]) -> None:
    with pytest.raises(ConfigError, match="two or more sizes, each larger than the next"):
        strategy("hierarchical", {"levels": levels})


def test_levels_are_in_the_key() -> None:
    assert strategy("hierarchical").key == "hierarchical-2048-512-128"
