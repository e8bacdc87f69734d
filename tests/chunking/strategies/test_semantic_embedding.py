from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.chunking.interface import DocumentLayout, StrategyTools
from infograph.chunking.registry import strategy
from infograph.chunking.strategies.semantic_embedding import SemanticEmbedding, coherence, similarities
from infograph.chunking.tokens import WordPieceCounter
from infograph.errors import ConfigError
from infograph.model import Chunk
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode

Cut = Callable[..., tuple[Chunk, ...]]

TOPICS = [
    "The river carries water and silt downstream",
    "A violin needs strings and a bow",
    "Bread rises with yeast in an oven",
]


def essay(sentences: int = 8) -> str:
    """A paragraph on each topic, all on one line: structure does not show where topics change."""
    return " ".join(f"{topic} {number}." for topic in TOPICS for number in range(sentences)) + "\n"


def test_a_page_is_cut_where_its_topic_changes(cut: Cut) -> None:
    chunks = cut(essay(), strategy("semantic-embedding", {"minimum": 10}))
    assert [sum(topic in chunk.text for topic in TOPICS) for chunk in chunks] == [1, 1, 1]
    assert [chunk.text.split()[0] for chunk in chunks] == ["The", "A", "Bread"]
    assert [chunk.continues for chunk in chunks] == [False, True, True]


def test_the_percentile_variant_finds_them_too(cut: Cut) -> None:
    chunks = cut(essay(), strategy("semantic-embedding", {"minimum": 10, "percentile": 90}))
    assert [chunk.text.split()[0] for chunk in chunks] == ["The", "A", "Bread"]


def test_a_higher_sensitivity_makes_no_more_chunks(cut: Cut) -> None:
    source = "".join(essay(number) + "\n" for number in (2, 3, 5, 4))
    counts = [
        len(cut(source, strategy("semantic-embedding", {"minimum": 5, "sensitivity": value})))
        for value in (0, 1, 1.5, 9)
    ]
    assert counts == sorted(counts, reverse=True) and counts[0] > counts[-1]


def test_of_gaps_that_are_alike_the_first_is_the_minimum() -> None:
    gains = SemanticEmbedding()._gains(np.array([0.9, 0.2, 0.2, 0.2, 0.9]))
    assert all(gain < gains[1] - 1 for at, gain in enumerate(gains) if at != 1)


def vectors(rows: list[list[float]]) -> np.ndarray:
    given = np.array(rows, np.float32) + np.float32(1e-3)
    return given / np.linalg.norm(given, axis=1, keepdims=True)


VECTORS = st.lists(st.lists(st.floats(-1, 1, width=16), min_size=3, max_size=3), min_size=1, max_size=12).map(vectors)


@given(given=VECTORS, smooth=st.integers(1, 5))
@settings(max_examples=60, deadline=None)
def test_similarity_at_a_gap_is_the_cosine_of_the_means_around_it(given: np.ndarray, smooth: int) -> None:
    curve = similarities(given, smooth)
    assert len(curve) == len(given) - 1
    for gap, value in enumerate(curve, 1):
        before, after = given[max(0, gap - smooth) : gap].mean(axis=0), given[gap : gap + smooth].mean(axis=0)
        norms = float(np.linalg.norm(before) * np.linalg.norm(after))
        if norms > 1e-3:
            assert value == pytest.approx(before @ after / norms, abs=1e-3)


@given(given=VECTORS, data=st.data())
@settings(max_examples=60, deadline=None)
def test_coherence_is_the_mean_cosine_over_pairs(given: np.ndarray, data: st.DataObject) -> None:
    starts = [0, *sorted(data.draw(st.sets(st.integers(1, len(given) - 1)) if len(given) > 1 else st.just(set())))]
    scores = coherence(given, starts)
    for score, begin, end in zip(scores, starts, [*starts[1:], len(given)], strict=True):
        pairs = [float(a @ b) for a, b in combinations(given[begin:end], 2)]
        assert score == pytest.approx(np.mean(pairs) if pairs else 1.0, abs=1e-5)


def test_every_chunk_has_its_coherence(cut: Cut) -> None:
    mixed, *_ = cut(essay(2), strategy("semantic-embedding"))
    chunks = cut(essay(), strategy("semantic-embedding", {"minimum": 10}))
    scores = [dict(chunk.facts)["coherence"] for chunk in chunks]
    assert all(dict(mixed.facts)["coherence"] < score <= 1 for score in scores)


def test_sizes_are_kept(cut: Cut) -> None:
    chunks = cut(
        "".join(essay(number) + "\n" for number in range(1, 9)),
        strategy("semantic-embedding", {"minimum": 60, "maximum": 120}),
    )
    assert len(chunks) > 8
    assert all(60 <= chunk.tokens <= 120 for chunk in chunks)


@pytest.mark.parametrize(
    "source, count",
    [
        ("One sentence.", 1),
        ("x" * 5000, 7),
        ("```py\n" + "call()\n" * 20 + "```\n", 1),
        ("Always the same. " * 20, 1),
        ("Always the same. " * 400, 4),
        ("# Heading\n" * 3, 1),
    ],
)
def test_degenerate_pages(cut: Cut, source: str, count: int) -> None:
    """With a standard deviation of 0 nothing lies below the threshold, so only sizes cause cuts."""
    assert len(cut(source, strategy("semantic-embedding"))) == count


def test_fences_tables_and_items_are_never_cut_and_headings_stay_with_what_follows(cut: Cut) -> None:
    fence = "```py\nFirst. Second. Third.\n\nFourth. Fifth.\n```\n"
    table = "| a | b |\n|---|---|\n| One. Two. | Three. |\n| Bow. | Oven. |\n"
    item = "- Yeast. Oven. Bread.\n\n  Strings and a bow.\n"
    source = "\n".join(f"{topic}.\n\n## {topic}\n\n{block}" for topic in TOPICS for block in (fence, table, item))
    chunks = cut(source, strategy("semantic-embedding", {"minimum": 1, "maximum": 60, "smooth": 1, "sensitivity": 0}))
    assert len(chunks) > 6
    for block in (fence, table, item):
        assert sum(chunk.text.count(block) for chunk in chunks) == 3
    assert not any(chunk.text.rstrip().splitlines()[-1].startswith("#") for chunk in chunks)


def test_without_a_model_the_error_says_what_to_do(counter: WordPieceCounter) -> None:
    document = decode("a.md", b"text\n")
    with pytest.raises(ConfigError, match=r"strategies\.semantic-embedding: .* no embedding model was given .*Tools\("):
        SemanticEmbedding()(DocumentLayout(document, parse_blocks(document)[0]), StrategyTools(counter))


@pytest.mark.parametrize(
    "options, reason",
    [
        ({"minimum": 0}, "ascending"),
        ({"minimum": 600}, "ascending"),
        ({"smooth": 0}, "at least 1"),
        ({"percentile": 100.5}, "from 0 to 100"),
        ({"percentile": -0.5}, "from 0 to 100"),
    ],
)
def test_impossible_options_are_errors(options: dict[str, float], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        strategy("semantic-embedding", options)


@pytest.mark.parametrize("percentile", [0, 100])
def test_any_percentile_is_possible(cut: Cut, percentile: float) -> None:
    assert cut(essay(), strategy("semantic-embedding", {"percentile": percentile}))


def test_every_option_is_in_the_key() -> None:
    changed = [{"minimum": 9}, {"maximum": 999}, {"smooth": 2}, {"sensitivity": 1.5}, {"percentile": 90}]
    assert len({strategy("semantic-embedding", options).key for options in ({}, *changed)}) == 6


def embedded_texts(source: str, counter: WordPieceCounter, **options: float) -> list[str]:
    """The texts that the strategy compares."""
    seen: list[str] = []

    def embed(texts: Sequence[str]) -> np.ndarray:
        seen.extend(texts)
        return np.ones((len(texts), 1), np.float32)

    document = decode("a.md", source.encode())
    SemanticEmbedding(**options)(DocumentLayout(document, parse_blocks(document)[0]), StrategyTools(counter, embed))  # type: ignore[arg-type]
    return [text.strip() for text in seen]


def test_sentences_are_compared_as_long_as_none_is_longer_than_a_piece(counter: WordPieceCounter) -> None:
    short = ["One goes.", "Two go."]
    for words in (19, 20):
        long = "word " * (words - 1) + "."
        found = embedded_texts(" ".join((*short, long)), counter, minimum=1, maximum=19)
        assert (found == [*short, long]) == (words == 19)


def test_headings_are_compared_with_what_follows_and_lists_by_their_items(counter: WordPieceCounter) -> None:
    source = "# A\n\nOne goes. Two go.\n\n- Three. More.\n- Four.\n\n```\nx. y.\n```\n\n## B\n"
    found = embedded_texts(source, counter, minimum=1)
    assert found == ["# A\n\nOne goes.", "Two go.", "- Three. More.", "- Four.", "```\nx. y.\n```", "## B"]


def test_a_gap_is_worth_more_the_deeper_its_valley_and_least_beside_a_minimum() -> None:
    """The gain is above 0 only below the threshold, here mean - deviation."""
    curve = np.array([0.9, 0.1, 0.9, 0.5, 0.9, 0.0])
    gains = SemanticEmbedding()._gains(curve)
    order = sorted(range(len(curve)), key=lambda at: -gains[at])
    assert order[:3] == [5, 1, 3], "the minima, the deepest first; at the end there is nothing to be less than"
    threshold = curve.mean() - curve.std()
    assert [gain > 0 for gain in gains] == [
        bool(value < threshold) and at in (1, 3, 5) for at, value in enumerate(curve)
    ]
    assert max(gains[at] for at in (0, 2, 4)) < min(gains[at] for at in (1, 3, 5))
    assert gains[1] == pytest.approx(threshold - 0.1, abs=1e-6)


def test_below_a_percentile_of_the_distances_nothing_is_a_breakpoint() -> None:
    curve = np.array([0.9, 0.1, 0.9, 0.5, 0.9, 0.3, 0.9])
    for percentile, found in ((100, []), (90, [1]), (70, [1, 5]), (60, [1, 3, 5])):
        gains = SemanticEmbedding(percentile=percentile)._gains(curve)
        assert [at for at, gain in enumerate(gains) if gain > 0] == found


def test_no_gap_has_no_gain() -> None:
    assert SemanticEmbedding()._gains(np.empty(0)) == []


@pytest.mark.parametrize(
    "options", [{"minimum": 1}, {"minimum": 5, "maximum": 5}, {"smooth": 1}, {"percentile": 0}, {"percentile": 100}]
)
def test_options_at_their_limits(options: dict[str, float]) -> None:
    assert strategy("semantic-embedding", options)
