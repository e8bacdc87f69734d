"""A quick reference right after the overview is chunk 1, in every strategy that cuts at headings."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.chunking.interface import Strategy
from infograph.chunking.registry import strategy
from infograph.model import Chunk
from infograph.pipeline.worker.documents import technical_baseline

Cut = Callable[..., tuple[Chunk, ...]]

STRATEGIES = [strategy("semantic-250-750"), strategy("structural"), strategy("hierarchical")]
TABLE = "| call | does |\n| --- | --- |\n| `go()` | goes |\n\n"
DETAILS = "## Details\n\nHow it works in detail.\n\n## More\n\nAnd more.\n"
each_strategy = pytest.mark.parametrize("cutting", STRATEGIES, ids=lambda strategy: strategy.key)


def baseline(chunks: tuple[Chunk, ...]) -> int | None:
    return technical_baseline([chunk.title for chunk in chunks], [chunk.is_code for chunk in chunks])


@each_strategy
@pytest.mark.parametrize("title", ["Quick Reference", "API Reference", "Cheat sheet"])
@pytest.mark.parametrize(
    "above",
    [
        "# Widget\n\nA widget turns.\n\n",
        "# Widget\n\n",
        "# Widget\n",
        "---\ntitle: Widget\n---\nA widget turns.\n\n",
        "<!-- licence -->\n\n# Widget\n\nA widget turns.\n\n",
        "A widget turns.\n\n",
    ],
)
def test_it_is_chunk_1_whatever_the_sizes(cut: Cut, cutting: Strategy, title: str, above: str) -> None:
    reference = f"## {title}\n\n{TABLE}"
    chunks = cut(above + reference + DETAILS, cutting)
    assert (above + reference + DETAILS).endswith(chunks[0].text + "".join(chunk.text for chunk in chunks[1:]))
    assert chunks[1].text == reference
    assert (chunks[1].title, baseline(chunks)) == (title, 1)


@each_strategy
def test_it_may_be_all_that_follows(cut: Cut, cutting: Strategy) -> None:
    chunks = cut(f"# Widget\n\nIt turns.\n\n## Quick reference\n\n{TABLE}", cutting)
    assert (len(chunks), baseline(chunks)) == (2, 1)


@each_strategy
def test_a_short_last_section_stays_apart_from_it(cut: Cut, cutting: Strategy) -> None:
    chunks = cut(f"# Widget\n\nIt turns.\n\n## Quick reference\n\n{TABLE}## Details\n\nFew.\n", cutting)
    assert [chunk.title for chunk in chunks] == ["Widget", "Quick reference", "Details"]


@each_strategy
def test_below_a_heading_without_a_text(cut: Cut, cutting: Strategy) -> None:
    chunks = cut(f"# Widget\n\nIt turns.\n\n## The API\n\n### Quick reference\n\n{TABLE}{DETAILS}", cutting)
    assert (chunks[1].title, chunks[1].section_path, baseline(chunks)) == (
        "Quick reference",
        ("Widget", "The API", "Quick reference"),
        1,
    )


@each_strategy
def test_its_own_subsections_belong_to_it(cut: Cut, cutting: Strategy) -> None:
    inner = "## Quick reference\n\nCalls.\n\n### Options\n\nNone.\n\n"
    assert cut(f"# Widget\n\nIt turns.\n\n{inner}{DETAILS}", cutting)[1].text == inner


@each_strategy
@pytest.mark.parametrize(
    "page",
    [
        f"## Quick reference\n\n{TABLE}{DETAILS}",
        f"# Widget\n\n## Usage\n\nUse it.\n\n## Quick reference\n\n{TABLE}",
        f"# Widget\n\nIt turns.\n\n## Usage\n\nUse it.\n\n### Quick reference\n\n{TABLE}",
        f"# Widget\n\nIt turns.\n\n# Quick reference\n\n{TABLE}",
        f"---\ntitle: Widget\n---\n## Usage\n\nUse it.\n\n### Quick reference\n\n{TABLE}",
    ],
)
def test_a_reference_elsewhere_changes_nothing(cut: Cut, cutting: Strategy, page: str) -> None:
    other = page.replace("Quick reference", "Quiet preference")
    assert [chunk.lines for chunk in cut(page, cutting)] == [chunk.lines for chunk in cut(other, cutting)]


@each_strategy
def test_after_an_overview_of_several_chunks_nothing_changes(cut: Cut, cutting: Strategy) -> None:
    page = "# Widget\n\n" + "It turns and turns.\n\n" * 600 + f"## Quick reference\n\n{TABLE}{DETAILS}"
    other = page.replace("Quick reference", "Quiet preference")
    assert [chunk.lines for chunk in cut(page, cutting)] == [chunk.lines for chunk in cut(other, cutting)]


def test_a_long_one_is_cut_as_any_section(cut: Cut) -> None:
    chunks = cut("# Widget\n\nIt turns.\n\n## Quick reference\n\n" + "One call.\n\n" * 500 + DETAILS)
    assert baseline(chunks) == 1
    assert {chunk.title for chunk in chunks[1:-1]} == {"Quick reference"}
    assert chunks[-1].text == DETAILS


@each_strategy
@given(
    st.lists(
        st.sampled_from(["# Widget\n\n", "## API reference\n\n", "### Cheat sheet\n", "## Use\n", "text\n\n", TABLE]),
        max_size=8,
    )
)
def test_any_order_of_headings_tiles(cut: Cut, cutting: Strategy, parts: list[str]) -> None:
    cut("".join(parts), cutting)
