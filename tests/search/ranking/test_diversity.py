"""Near-duplicates collapse; MMR takes what is new. Invariants first, then whole bundles with versions of a page."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.search.format.results import Hit
from infograph.search.format.search_space import load_space
from infograph.search.format.terms import Language
from infograph.search.ranking.diversity import DIVERSIFIED, NEAR, collapse, diversified, near, reach
from infograph.search.reading.reader import Reader
from infograph.search.writing.bundle import bundle
from infograph.search.writing.page_index import PageIndex, SearchChunk, SearchPage, index_page
from infograph.search.writing.simhash import chunk_hashes
from infograph.text.language import stemmer

TEXT = (
    "The cache keeps every vector that a model made, so that a build after an edit is quick. Remove the folder to "
    "clear it; the next build fills it again. A cache that is damaged counts as absent, and a key of another release "
    "does not match. Several builds may share one folder on a network drive, which is locked while one of them writes."
)
OTHER = "Deploy the site with any server: copy the folder, set a header for the manifest, and let the rest be cached."


def hit(page: str, title: str = "Cache", simhash: int = 0, score: float = 1.0) -> Hit:
    return Hit(page, page, page, 0, title, (title,), "", "", 1, page, "", score, f"{simhash:016x}")


hits = st.lists(
    st.builds(hit, st.sampled_from("abcdef"), st.sampled_from(["x", "y"]), st.integers(0, 2**64 - 1)), max_size=12
)
close = st.lists(st.builds(hit, st.sampled_from("abcdef"), st.just("x"), st.integers(0, 2**12 - 1)), max_size=12)


@given(hits | close)
def test_every_hit_is_there_once(found: list[Hit]) -> None:
    groups = collapse(found)
    flat = [replace(one, duplicates=()) for group in groups for one in (group, *group.duplicates)]
    assert sorted(flat, key=repr) == sorted(found, key=repr)
    for place, group in enumerate(groups):
        assert all(near(group, duplicate) for duplicate in group.duplicates)
        assert not any(near(before, group) for before in groups[:place])


@given(close)
def test_more_hits_change_no_hit_before_them(found: list[Hit]) -> None:
    whole = [(one.page, one.simhash) for one in collapse(found)]
    for end in range(len(found)):
        part = [(one.page, one.simhash) for one in collapse(found[:end])]
        assert whole[: len(part)] == part


@pytest.mark.parametrize(
    ("other", "is_near"),
    [
        (hit("b"), True),
        (hit("b", simhash=(1 << NEAR) - 1), True),
        (hit("b", simhash=(1 << NEAR + 1) - 1), False),
        (hit("b", title="Models"), False),
        (hit("a"), False),
        (replace(hit("b"), section_path=("Guide", "Cache")), False),
    ],
)
def test_near(other: Hit, is_near: bool) -> None:
    assert near(hit("a"), other) is near(other, hit("a")) is is_near


def test_near_is_eight_bits() -> None:
    """The number that the share of versions joined was measured with."""
    assert near(hit("a"), hit("b", simhash=0b1111_1111)) is True
    assert near(hit("a"), hit("b", simhash=0b1_1111_1111)) is False
    assert near(hit("a"), hit("b", simhash=0b11 << 62 | 0b111 << 30 | 0b111)) is True


@pytest.mark.parametrize(("wanted", "taken"), [(0, 0), (1, 1), (2, 2), (3, 3), (10, 10), (20, 20), (30, 20)])
def test_as_many_places_are_looked_at_as_wanted(wanted: int, taken: int) -> None:
    assert reach([(64 * slot, 0) for slot in range(20)], wanted, 64) == taken


@pytest.mark.parametrize(("wanted", "taken"), [(0, 0), (1, 2), (2, 4), (3, 5), (10, 16), (20, 21)])
def test_half_as_many_places_again_are_looked_at_where_versions_share_one(wanted: int, taken: int) -> None:
    versions = [(0, 0), (1, 0)]
    assert reach([*versions, *((64 * slot, 0) for slot in range(1, 20))], wanted, 64) == taken
    assert reach([(slot, 0) for slot in range(64)], 1, 64) == 64


def test_chains_join_nothing() -> None:
    steps = [hit(name, simhash=(1 << NEAR * n) - 1) for n, name in enumerate("abc")]
    assert [[one.page for one in group.duplicates] for group in collapse(steps)] == [["b"], []]


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 3)), unique=True), st.integers(0, 9))
def test_as_many_are_looked_at_as_may_be_needed(chunks: list[tuple[int, int]], wanted: int) -> None:
    taken = chunks[: reach(chunks, wanted, 64)]
    places = {(slot // 64, index) for slot, index in taken}
    assert len(places) <= wanted + wanted // 2
    assert len(places) >= wanted or taken == chunks
    if len(places) == len(taken):
        assert len(places) <= wanted
    else:
        assert len(places) == wanted + wanted // 2 or taken == chunks


vectors = st.lists(st.integers(-127, 127), min_size=3, max_size=3)


@given(st.lists(st.tuples(st.floats(0, 30), vectors | st.just([])), max_size=10), st.floats(0, 1))
def test_an_order_has_each_place_once(found: list[tuple[float, list[int]]], share: float) -> None:
    scores = sorted((score for score, _ in found), reverse=True)
    order = diversified(scores, [vector for _, vector in found], share)
    assert sorted(order) == list(range(len(found)))
    assert order[:1] == [0][: len(order)]


def test_no_diversity_is_the_ranking() -> None:
    assert diversified([5, 4, 3, 2], [[1, 0], [1, 0], [0, 1], [0, 1]], 0) == [0, 1, 2, 3]


def test_what_is_new_comes_first() -> None:
    assert diversified([5, 4, 3, 2], [[1, 0], [1, 0], [0, 1], []], 0.8) == [0, 2, 3, 1]
    assert diversified([5, 4.9, 4.8], [[9, 1], [9, 2], [1, 9]], 0.5) == [0, 2, 1]


def test_hashes_of_like_texts_are_near(language: Language) -> None:
    def bits(a: str, b: str) -> int:
        one, two = (page("p.md", [text], language).hashes for text in (a, b))
        return (int.from_bytes(one) ^ int.from_bytes(two)).bit_count()

    assert bits(TEXT, TEXT) == 0
    assert bits(TEXT, TEXT.replace("quick", "fast")) <= NEAR
    assert bits(TEXT, OTHER) > 2 * NEAR


def test_a_chunk_without_terms_has_no_bits() -> None:
    none = np.zeros(0, np.int64)
    assert chunk_hashes([], none, none, none, 2) == bytes(16)
    one = np.zeros(1, np.int64)
    assert chunk_hashes(["cach"], one, one + 1, one + 1, 3)[:8] == bytes(8)
    assert chunk_hashes(["cach"], one, one + 1, one + 1, 3)[8:16] != bytes(8)


def page(path: str, texts: list[str], language: Language) -> PageIndex:
    shown = tuple(
        SearchChunk(
            f"Part {n}", (Path(path).stem, f"Part {n}"), f"part-{n}", f"{path}-{n}", 9, f"{n:064x}", text, text[:50]
        )
        for n, text in enumerate(texts)
    )
    seeds = [int.from_bytes(text[:8].encode()) for text in texts]
    near_ones = [np.random.default_rng(seed).integers(-90, 90, 256).astype(np.int8) for seed in seeds]
    return index_page(SearchPage(path, "Cache", f"{path}/", shown), np.array(near_ones), language)


VERSIONS = ("1.0", "2.0", "3.0", "4.0", "next")


@pytest.fixture(scope="module")
def versions(language: Language) -> dict[str, bytes]:
    """Five versions of six pages of two sections: one that all have, and one that differs."""
    pages = [
        page(f"{version}/guide/{topic}.md", [f"{topic} {TEXT}", f"{topic} {version} {n} {OTHER[n * 9 :]}"], language)
        for n, version in enumerate(VERSIONS)
        for topic in ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")
    ]
    return dict(bundle(pages, language, load_space()).files)


Counted = tuple[Reader, Callable[[], list[str]]]


@pytest.fixture
def reader(versions: dict[str, bytes]) -> Counted:
    asked: list[str] = []

    def fetch(name: str) -> bytes:
        asked.append(name[0])
        return versions[name]

    return Reader(fetch, stemmer), lambda: asked


def test_versions_are_one_hit(reader: Counted) -> None:
    found = reader[0].search("alpha cache vectors of a model", 60)
    (best,) = [one for one in found if one.title == "Part 0" and "alpha" in one.page]
    assert {one.page for one in (best, *best.duplicates)} == {f"{version}/guide/alpha.md" for version in VERSIONS}
    assert all(one.href and one.page_url and one.score <= best.score for one in best.duplicates)


@pytest.mark.parametrize("how", ["search", "pages"])
def test_pages_of_an_answer_fit_together(reader: Counted, how: str) -> None:
    ask = getattr(reader[0], how)
    whole = [(one.page, one.index) for one in ask("cache folder build", 100)]
    assert len(whole) == len(set(whole))
    for limit in range(1, 8):
        assert [(one.page, one.index) for one in ask("cache folder build", limit)] == whole[:limit]


def test_vectors_are_fetched_only_when_asked_for(reader: Counted) -> None:
    plain = reader[0].search("cache folder build", 40)
    assert "v" not in reader[1]()
    mixed = reader[0].search("cache folder build", 40, diversity=0.7)
    assert "v" in reader[1]()
    assert mixed[0] == plain[0]
    assert mixed != plain
    assert sorted(one.href for one in mixed) == sorted(one.href for one in plain)
    assert mixed[DIVERSIFIED:] == plain[DIVERSIFIED:]


def test_a_missing_vector_shard_costs_the_order_only(versions: dict[str, bytes]) -> None:
    files = {name: data for name, data in versions.items() if not name.startswith("v-")}

    def fetch(name: str) -> bytes:
        if name not in files:
            raise FileNotFoundError(name)
        return files[name]

    reader = Reader(fetch, stemmer)
    assert len(reader.search("cache folder build", 5, diversity=0.5)) == 5
    assert all(name.startswith("v-") for name in reader.missing)
    assert reader.missing


def test_the_group_is_in_the_manifest(versions: dict[str, bytes]) -> None:
    assert json.loads(versions["manifest.json"])["group"] == 32


@given(
    st.lists(st.tuples(st.floats(0, 30), vectors | st.just([]) | st.just([0, 0, 0])), max_size=8),
    st.floats(0, 1),
)
def test_each_next_one_is_the_best_by_relevance_and_novelty(found: list[tuple[float, list[int]]], share: float) -> None:
    """By the formula, worked out anew for each step."""
    scores, rows = [score for score, _ in found], [np.array(row or [0, 0, 0], float) for _, row in found]
    order = diversified(scores, [row for _, row in found], share)
    best = max(scores, default=0)

    def worth(place: int, taken: list[int]) -> float:
        lengths = [np.linalg.norm(rows[place]) * np.linalg.norm(rows[other]) for other in taken]
        near = [rows[place] @ rows[other] / both for other, both in zip(taken, lengths, strict=True) if both]
        return (1 - share) * (scores[place] / best if best else 0) - share * max([0.0, *near])

    for step, place in enumerate(order):
        assert worth(place, order[:step]) >= max(worth(other, order[:step]) for other in order[step:]) - 1e-9


def test_opposites_are_no_newer_than_what_has_nothing_in_common() -> None:
    assert diversified([1, 1, 1], [[1, 0], [0, 1], [-1, 0]], 0.9) == [0, 1, 2]
    assert diversified([0.5, 0.4, 0.3], [[1, 0], [1, 0], [0, 1]], 0.1) == [0, 1, 2]
    assert diversified([0, 0, 0], [[1, 0], [1, 0], [0, 1]], 0.5) == [0, 2, 1]
    assert diversified([], [], 0.5) == []


def test_where_no_score_is_above_0_the_least_likeness_decides() -> None:
    """However little: no relevance stands beside it."""
    assert diversified([0, 0, 0], [[1, 0], [1, 10**20], [0, 1]], 0.5) == [0, 2, 1]


def test_a_collapsed_hit_is_held_against_the_best_of_its_group() -> None:
    found = collapse([hit("a"), hit("b", simhash=0xFF), hit("c", simhash=0xFFFF), hit("d", simhash=0xFF00)])
    assert [(one.page, [other.page for other in one.duplicates]) for one in found] == [("a", ["b", "d"]), ("c", [])]
    others = collapse([hit("a", "x"), hit("b", "y"), hit("c", "x"), hit("d", "y")])
    assert [(one.page, [other.page for other in one.duplicates]) for one in others] == [("a", ["c"]), ("b", ["d"])]
