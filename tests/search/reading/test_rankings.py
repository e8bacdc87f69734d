"""The rankings of a query: what its vector moves, and how much is read for that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from infograph.search.format.bundle_manifest import read_manifest
from infograph.search.format.results import Hit, Remarks
from infograph.search.format.search_space import load_space
from infograph.search.format.terms import Language
from infograph.search.ranking.reranking import FIELDS_SHARE
from infograph.search.ranking.scoring import ChunkPlace
from infograph.search.reading import rankings
from infograph.search.reading.asking import Searcher
from infograph.search.reading.dialogue import Dialogue
from infograph.search.reading.fetching import Asking, opened
from infograph.search.reading.query import Query
from infograph.search.reading.reader import Reader
from infograph.search.writing.bundle import bundle
from infograph.search.writing.page_index import PageIndex, SearchChunk, SearchPage, index_page
from infograph.text.language import stemmer, stop_words

WORDS = "cache deploy server"


def ranked(
    searcher: Searcher, answer: Callable[[Asking[Any]], Any], query: Query, remarks: Remarks | None = None
) -> list[tuple[ChunkPlace, float]]:
    remarks = remarks or Remarks()
    entries = answer(searcher.ranker.entries(query.text, remarks))
    found: list[tuple[ChunkPlace, float]] = answer(searcher.ranker.rank(query, entries, remarks))
    return found


def test_a_vector_puts_those_that_pass_first(
    searcher: Searcher, answer: Callable[[Asking[Any]], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rankings, "RERANKED", 3)
    vector = [1.0] + [0.0] * 383
    plain = ranked(searcher, answer, Query(WORDS))
    shown = dict(answer(searcher.shards.shown(plain, Remarks())))
    passing = [item for item in plain if shown[item[0]].index == 2]
    found = ranked(searcher, answer, Query(WORDS, vector=vector, passes=lambda _, hit: hit.index == 2))
    assert {chunk for chunk, _ in found[:3]} == {chunk for chunk, _ in passing[:3]}
    assert found[3:] == [item for item in plain if item[0] not in {chunk for chunk, _ in found[:3]}]


def test_where_nothing_is_allowed_one_is_not_sure(searcher: Searcher, answer: Callable[[Asking[Any]], Any]) -> None:
    remarks = Remarks()
    assert ranked(searcher, answer, Query(WORDS, allows=lambda chunk: False), remarks) == []
    assert remarks.most > 1 and remarks.confidence == 0.0


@pytest.mark.parametrize("numbers", [383, 385])
def test_a_map_is_of_vectors_of_one_length(
    searcher: Searcher, answer: Callable[[Asking[Any]], Any], numbers: int
) -> None:
    plain, remarks = ranked(searcher, answer, Query(WORDS)), Remarks()
    assert ranked(searcher, answer, Query(WORDS, vector=[0.1] * numbers), remarks) == plain
    (reason,) = remarks.missing.values()
    assert f"maps vectors of 384 numbers, not of {numbers}" in reason
    assert list(remarks.missing) == [searcher.manifest.vectors.map]


def test_a_vector_reads_as_many_that_pass_as_are_reranked(
    searcher: Searcher, answer: Callable[[Asking[Any]], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rankings, "RERANKED", 4)
    monkeypatch.setattr(rankings, "EXAMINED_AT_ONCE", 4)
    ranking = ranked(searcher, answer, Query(WORDS))
    shown = dict(answer(searcher.shards.shown(ranking, Remarks())))
    for index, most in ((None, 100), (1, 100), (1, 6)):
        monkeypatch.setattr(rankings, "MOST_EXAMINED", most)
        seen: list[Hit] = []

        def passes(chunk: ChunkPlace, hit: Hit, index: int | None = index, seen: list[Hit] = seen) -> bool:
            seen.append(hit)
            return index is None or hit.index == index

        found = answer(searcher.ranker._first(ranking, passes, Remarks()))
        expected, read = [], 0
        while read < min(len(ranking), most) and len(expected) < 4:
            batch = ranking[read : read + 4]
            expected += [item for item in batch if index is None or shown[item[0]].index == index]
            read += len(batch)
        assert found == expected[:4]
        assert len(seen) == read


def test_a_query_of_just_so_many_words_is_looked_up_whole(
    searcher: Searcher, answer: Callable[[Asking[Any]], Any]
) -> None:
    for words, notes in ((64, 0), (65, 1)):
        remarks = Remarks()
        found = answer(
            searcher.ranker.entries(" ".join([*(f"word{n}" for n in range(words - 1)), "cache"]), remarks, True)
        )
        assert (len(remarks.notes), "cach" in found) == (notes, not notes)


def test_beside_a_cosine_a_share_of_what_fields_add_counts(
    make_page: Callable[..., PageIndex], language: Language
) -> None:
    pages = [make_page(f"{number}.md", 3, "guide" if number % 3 else "") for number in range(30)]
    made = dict(bundle(pages, language, load_space()).files)
    manifest = read_manifest(made["manifest.json"])
    assert manifest.vectors.fields == FIELDS_SHARE == 0.5

    def head(share: float) -> dict[ChunkPlace, tuple[float, float]]:
        said = replace(manifest, vectors=replace(manifest.vectors, fields=share))
        searcher = Searcher(said, language)
        asked = searcher.ranker.parts(Query("guide cache", vector=[1.0] + [0.0] * 383), Remarks())
        read = searcher.shards.largest
        found = Dialogue(asked).run(lambda names: {name: opened(name, made[name], read) for name in names})
        return {chunk: (words, cosine) for chunk, words, cosine in found}

    whole, half, none = head(1.0), head(0.5), head(0.0)
    # All of what fields add says which chunks are looked at, and in what order they come.
    assert list(whole) == list(half) == list(none) and len(whole) == 32
    assert any(whole[chunk][0] > none[chunk][0] for chunk in whole)
    for chunk, (words, cosine) in half.items():
        assert words == pytest.approx((whole[chunk][0] + none[chunk][0]) / 2)
        assert cosine == whole[chunk][1] == none[chunk][1]


def headed(title: str, text: str) -> PageIndex:
    """A page of one chunk below a heading."""
    language = Language("en", stemmer("en"), frozenset(word.replace("'", "") for word in stop_words("en")))
    chunk = SearchChunk(title, (title,), "", "_chunks/x-0.md", 9, "0" * 64, f"# {title}\n\n{text}", text, (title,))
    page = SearchPage(f"{title}.md", title, "", (chunk,))
    return index_page(page, np.ones((1, 256), np.int8), language)


@pytest.mark.parametrize(
    ("query", "first", "notes"),
    [
        ("How it works", "How it works", []),
        ("how it works?", "How it works", []),
        ("What a build takes", "What a build takes", []),
        ("build", "Build build build", []),
        ("what it does", None, [rankings.NOTHING_ASKED]),
        ("it works", None, [rankings.NOTHING_ASKED]),
    ],
)
def test_a_query_of_common_words_finds_the_heading_that_says_just_that(
    query: str, first: str | None, notes: list[str]
) -> None:
    pages = [
        headed("How it works", "It turns a wheel."),
        headed("What a build takes", "Time."),
        headed("Build build build", "A build, a build and a build."),
        headed("Builds", "What takes a build is a build."),
    ]
    language = Language("en", stemmer("en"), frozenset(word.replace("'", "") for word in stop_words("en")))
    files = bundle(pages, language, load_space()).files
    reader = Reader(files.__getitem__, stemmer)
    assert next((hit.title for hit in reader.search(query)), None) == first
    assert reader.notes == notes
    assert not any(term.startswith(":") for term, _ in reader.complete(":"))
