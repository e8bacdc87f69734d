from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.client import Hit
from infograph.client.budget import LEFT_OUT, ShownChunk, excerpt, in_order, resemblance, shingles

HIT = Hit("a.md", "A", "a/", 0, "A", ("A",), "a", "", 10, "_chunks/a-0.md", "0" * 32, 1.0)


def terms(text: str) -> set[str]:
    return set(text.lower().split())


def piece(page: str, index: int, score: float, cut: bool = False) -> ShownChunk:
    return ShownChunk(replace(HIT, page=page, index=index, score=score), f"{page}{index}.", 10, excerpt=cut)


def test_resemblance() -> None:
    text = "a chunk of some words that another version of the page has as well, with one change at its end"
    assert resemblance(shingles(text), shingles(text.upper())) == 1
    assert 0.7 < resemblance(shingles(text), shingles(text.replace("end", "start"))) < 1
    assert resemblance(shingles(text), shingles("other words, and not a single run of the same")) == 0
    assert resemblance(shingles("too short"), shingles("too short")) == 1
    assert resemblance(shingles("too short"), shingles("short")) == resemblance(shingles(""), shingles("a")) == 0


def test_pages_come_by_their_best_chunk_and_neighbours_together() -> None:
    pieces = [piece("b", 4, 9), piece("a", 2, 8), piece("a", 1, 3), piece("b", 2, 7), piece("a", 3, 0, cut=True)]
    found = [[(p.hit.page, p.hit.index) for p in run] for run in in_order(pieces)]
    assert found == [[("b", 2)], [("b", 4)], [("a", 1), ("a", 2)], [("a", 3)]]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 6), st.floats(0, 9)), unique_by=lambda t: t[:2]))
def test_nothing_is_lost_and_nothing_said_twice(chunks: list[tuple[str, int, float]]) -> None:
    runs = in_order([piece(*chunk) for chunk in chunks])
    flat = [(p.hit.page, p.hit.index) for run in runs for p in run]
    assert sorted(flat) == sorted((page, index) for page, index, _ in chunks)
    for run in runs:
        assert [p.hit.index - run[0].hit.index for p in run] == list(range(len(run)))


TEXT = """# Cache

How a cache is made.

## Clear it

```sh
tool cache

clear
```

Deploy it. Then clear the cache! Or not."""


@pytest.mark.parametrize(
    ("most", "query", "expected"),
    [
        (
            1000,
            {"cache"},
            f"# Cache\n\nHow a cache is made.\n\n## Clear it\n\n```sh\ntool cache\n\nclear\n```\n\n{LEFT_OUT}",
        ),
        (30, {"made."}, f"# Cache\n\nHow a cache is made.\n\n{LEFT_OUT}"),
        (22, {"deploy"}, ""),
    ],
)
def test_an_excerpt_is_what_has_the_terms(most: int, query: set[str], expected: str) -> None:
    tokens = math.ceil(len(TEXT) / 4)
    found, used = excerpt(TEXT, tokens, most, terms, query)
    if expected:
        assert found == expected
    assert used <= most


@given(st.text(alphabet="ab #`|.\n…", max_size=300), st.integers(0, 80), st.integers(0, 80))
def test_an_excerpt_fits_and_says_nothing_of_its_own(text: str, tokens: int, most: int) -> None:
    found, used = excerpt(text, tokens, most, terms, {"a", "b", "ab"})
    assert used <= most
    for part in found.split(f"\n\n{LEFT_OUT}\n\n") if LEFT_OUT not in text else ():
        for line in part.split("\n"):
            assert line.strip() in text or line == LEFT_OUT
