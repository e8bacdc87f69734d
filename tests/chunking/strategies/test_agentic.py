"""Cutting at the places of a language model: just there, never inside of a block; without places, at headings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.chunking.chunker import chunk_document
from infograph.chunking.interface import StrategyTools
from infograph.chunking.strategies.agentic import Agentic
from infograph.chunking.tokens import WordPieceCounter
from infograph.errors import ConfigError, Notice
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode

PAGE = """# Kettles

Water boils in it. It is hot. A whistle blows.

## Filters

Clean the filter. Do it weekly.

```sh
kettle --clean
kettle --dry
```

- one
- two
"""


def cut(breaks: tuple[int, ...] | None, made: Agentic, text: str = PAGE) -> tuple[list[str], tuple[Notice, ...]]:
    document = decode("a.md", text.encode())
    tools = StrategyTools(WordPieceCounter(), breaks=lambda body: breaks)
    found = chunk_document(document, parse_blocks(document)[0], made, tools)
    texts = [chunk.text for chunk in found.chunks]
    assert "".join(texts) == text
    return texts, found.notices


def test_a_document_is_cut_where_the_model_says() -> None:
    at = (PAGE.index("It is hot"), PAGE.index("## Filters"), PAGE.index("- two"))
    texts, notices = cut(at, Agentic())
    assert [text.split("\n")[0].strip() for text in texts] == [
        "# Kettles",
        "It is hot. A whistle blows.",
        "## Filters",
        "- two",
    ]
    assert notices == ()
    assert cut((), Agentic())[0] == [PAGE]


@pytest.mark.parametrize(
    ("place", "begins"),
    [("kettle --clean", "```sh"), ("dry", "- one"), ("Clean the filter", "## Filters"), ("Water boils", "# Kettles")],
)
def test_a_place_inside_of_a_block_moves_to_its_nearest_edge(place: str, begins: str) -> None:
    texts, _ = cut((PAGE.index(place),), Agentic())
    assert texts[-1].startswith(begins)


@given(st.lists(st.integers(0, 2 * len(PAGE))), st.integers(10, 60))
def test_whatever_the_places_are_the_chunks_tile_the_document(places: list[int], maximum: int) -> None:
    made = Agentic(maximum=maximum)
    texts, _ = cut(tuple(sorted(places)), made)  # which asserts it
    assert all(text.strip() for text in texts)
    assert max(WordPieceCounter().count(texts)) <= maximum + 10  # a heading stays with what is below it


def test_what_is_too_long_between_two_places_is_cut_evenly() -> None:
    long = "# Long\n\n" + " ".join(f"Sentence number {number} is here." for number in range(40)) + "\n"
    texts, _ = cut((), Agentic(maximum=100), long)
    sizes = [len(text) for text in texts]
    assert len(texts) > 1
    assert max(sizes) < 2 * min(sizes)


def test_without_places_it_goes_from_heading_to_heading_and_says_so() -> None:
    long = "\n\n".join(f"## Part {number}\n\n" + "Some words in it. " * 60 for number in range(9))
    texts, (notice,) = cut(None, Agentic(), long)
    assert len(texts) > 2
    assert all(text.lstrip().startswith("## Part") for text in texts)
    assert (notice.path, notice.kind) == ("a.md", "breakpoints")
    assert "infograph enrich --task breakpoints" in notice.message
    assert cut(None, Agentic(), "# Short\n\nNothing to cut.\n")[1] == ()


def test_a_limit_without_sense_is_refused() -> None:
    with pytest.raises(ConfigError, match="10 or more"):
        Agentic(maximum=9)
