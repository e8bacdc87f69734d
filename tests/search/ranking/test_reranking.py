"""The head of a ranking by the query's own vector: what moves, by how much, and through the files of a bundle."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.errors import FormatError
from infograph.search.format.projection import decode_map, encode_map, project
from infograph.search.format.search_space import FALLBACK, load_space
from infograph.search.format.terms import Language
from infograph.search.ranking.reranking import RERANKED, WEIGHT, cosine, reranked
from infograph.search.reading.reader import Reader
from infograph.search.writing.bundle import bundle
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.calibration import pays
from infograph.search.writing.page_index import PageIndex
from infograph.text.language import stemmer

numbers = st.integers(-127, 127)


def unit(width: int, seed: int) -> list[float]:
    row = np.random.default_rng(seed).normal(size=width)
    return list((row / np.linalg.norm(row)).tolist())


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=RERANKED + 8), st.floats(0, 20))
def test_the_head_is_in_order_and_the_rest_stays(rows: list[tuple[int, int]], weight: float) -> None:
    ranking = [((0, place), float(-place)) for place in range(len(rows))]
    vectors = {(0, place): row for place, row in enumerate(rows)}
    scores = [score + weight * cosine((1, 0), vectors[chunk]) for chunk, score in ranking[:RERANKED]]
    found = reranked(ranking, scores)
    assert found[RERANKED:] == ranking[RERANKED:]
    assert sorted(chunk for chunk, _ in found) == [chunk for chunk, _ in ranking]
    head = found[:RERANKED]
    assert all(a[1] >= b[1] for a, b in pairwise(head))
    assert all(abs(score + chunk[1] - weight * cosine((1, 0), vectors[chunk])) < 1e-9 for chunk, score in head)


def test_chunks_of_one_score_stay_in_their_order() -> None:
    ranking = [((0, 0), 3.0), ((0, 1), 2.0), ((0, 2), 1.0), ((0, 3), 0.5)]
    assert reranked(ranking, [3.0, 3.0, 11.0]) == [((0, 2), 11.0), ((0, 0), 3.0), ((0, 1), 3.0), ((0, 3), 0.5)]


@pytest.mark.parametrize("model", ["all-MiniLM-L6-v2", "static-256"])
def test_the_map_of_the_files_projects_as_the_table_does(model: str) -> None:
    space = load_space()
    weights = decode_map(encode_map(space.map(model)), space.dimension, "m")
    vectors = np.array([unit(len(weights) - 1, seed) for seed in range(20)], np.float32)
    assert np.array_equal(project(weights, vectors), space.project(model, vectors))


@pytest.mark.parametrize("size", [0, 3, 4 * 256 + 4])
def test_a_map_without_whole_rows_is_none(size: int) -> None:
    with pytest.raises(FormatError, match="are no rows of 256 numbers"):
        decode_map(bytes(size), 256, "m-0000000000000000.z")


@pytest.mark.parametrize(
    ("model", "code", "said"),
    [("all-MiniLM-L6-v2", "en", True), ("all-MiniLM-L6-v2", "de", False), (FALLBACK, "en", False)],
)
def test_the_manifest_says_where_it_pays(
    make_page: Callable[..., PageIndex], language: Language, model: str, code: str, said: bool
) -> None:
    own = Language(code, language.stem, language.stop_words)
    made = bundle([make_page("page.md", 3)], own, load_space(), SearchOptions(model=model))
    assert made.manifest["vectors"]["rerank"] is pays(model, code) is said


def test_a_reader_with_the_querys_vector(make_page: Callable[..., PageIndex], language: Language) -> None:
    space = load_space()
    made = bundle([make_page(f"page-{n}.md", 1 + n % 20) for n in range(40)], language, space, SearchOptions())
    reader = Reader(made.files.__getitem__, stemmer)
    vector = unit(384, 7)
    own = project(space.map("all-MiniLM-L6-v2"), np.array([vector], np.float32))[0].tolist()
    plain, found = reader.rank("cache"), reader.rank("cache", vector)
    assert len(plain) > RERANKED and found[RERANKED:] == plain[RERANKED:]
    assert {chunk for chunk, _ in found} == {chunk for chunk, _ in plain}
    before = dict(plain)
    gained = [abs(score - before[chunk]) for chunk, score in found[:RERANKED]]
    assert max(gained) > 0 and all(gain <= WEIGHT for gain in gained)
    assert any(own)
    assert [hit.index for hit in reader.search("cache", 5, vector=vector)]
    assert reader.missing == {}
    assert reader.rank("cache", [1.0]) == plain, "a vector of another model"
    assert "maps vectors of 384 numbers, not of 1" in str(reader.missing)


def test_a_cosine_is_that_of_the_directions() -> None:
    assert cosine((1, 0), (1, 0)) == cosine((7, 0), (3, 0)) == 1.0
    assert cosine((1, 0), (-5, 0)) == -1.0
    assert cosine((3, 4), (4, 3)) == pytest.approx(24 / 25)
    assert cosine((1, 0), (0, 0)) == cosine((1, 0), ()) == cosine((0, 9), (4, 0)) == 0.0
