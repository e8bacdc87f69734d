from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.chunking.registry import strategy
from infograph.errors import ConfigError
from infograph.model import Chunk

Cut = Callable[..., tuple[Chunk, ...]]

SIZES = (120, 40, 15)
SMALL = strategy("hierarchical", {"levels": SIZES})


def section(level: int, name: str, paragraphs: int) -> str:
    """A section of a heading and paragraphs of ten tokens."""
    return f"{'#' * level} {name}\n\n" + "one two three four five six seven eight nine ten\n\n" * paragraphs


def book() -> str:
    return "".join(
        section(1, f"chapter {chapter}", 1)
        + "".join(section(2, f"section {number}", 2 + number) for number in range(4))
        for chapter in range(3)
    )


def units(chunks: tuple[Chunk, ...], level: int) -> list[tuple[int, int]]:
    """The distinct units of a level in order, as runs of chunks; those of level 0 are the chunks."""
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


TEN = "one two three four five six seven eight nine ten\n\n"


@pytest.mark.parametrize("limit", [19, 20, 30, 39, 40])
def test_a_unit_of_blocks_takes_as_many_as_fit(limit: int, cut: Cut) -> None:
    chunks = cut(TEN * 9, strategy("hierarchical", {"levels": (200, limit, 10)}))
    counts = [sum(chunk.tokens for chunk in chunks[begin:end]) for begin, end in units(chunks, 1)]
    assert set(counts[:-1]) == {limit // 10 * 10} and sum(counts) == 90


@pytest.mark.parametrize(("limit", "sections"), [(45, [0, 1, 2]), (46, [0, 2]), (69, [0])])
def test_sections_are_joined_as_long_as_they_fit(limit: int, sections: list[int], cut: Cut) -> None:
    """Each of the three sections has 23 tokens: a heading of 3 and two blocks."""
    source = "".join(f"## s{number}\n\n{TEN}{TEN}" for number in range(3)).replace("## s", "## ")
    chunks = cut(source, strategy("hierarchical", {"levels": (200, limit, 13)}))
    begun = [chunks[begin].text.split()[1] for begin, _ in units(chunks, 1)]
    assert begun == [str(number) for number in sections]


def test_the_rest_of_a_section_is_not_joined_with_the_next_one(cut: Cut) -> None:
    """The first section has to be cut; the rest of it would fit with the second."""
    source = f"## a\n\n{TEN * 3}## b\n\n{TEN}"
    chunks = cut(source, strategy("hierarchical", {"levels": (200, 34, 13)}))
    assert [text_of(chunks, unit).count("one") for unit in units(chunks, 1)] == [3, 1]
    chunks = cut(source, strategy("hierarchical", {"levels": (200, 30, 13)}))
    assert [text_of(chunks, unit).count("one") for unit in units(chunks, 1)] == [2, 1, 1]


def test_a_cut_goes_first_where_the_structure_is_strongest(cut: Cut) -> None:
    """The cut is before the highest heading, though lower ones would fill the units better."""
    source = f"## a\n\n{TEN}### b\n\n{TEN}## c\n\n{TEN}### d\n\n{TEN}"
    chunks = cut(source, strategy("hierarchical", {"levels": (200, 45, 14)}))
    assert [text_of(chunks, unit).count("one") for unit in units(chunks, 1)] == [2, 2]
    assert [text_of(chunks, unit)[:4] for unit in units(chunks, 1)] == ["## a", "## c"]


def test_blocks_are_cut_before_what_is_inside_of_them(cut: Cut) -> None:
    """The items of a list are separated only where the list is too large."""
    items = "- one two three four\n" * 4  # 5 tokens each
    chunks = cut(f"{TEN}{items}\n{TEN}", strategy("hierarchical", {"levels": (200, 29, 10)}))
    assert [text_of(chunks, unit).count("- ") for unit in units(chunks, 1)] == [0, 4, 0]
