"""Stretches of a ranking: totals, what a filter sees, and how many chunks are read for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from infograph.search.format.bundle_manifest import language_of, read_manifest
from infograph.search.format.results import Hit, Remarks
from infograph.search.format.term_table import load_table
from infograph.search.format.terms import Language
from infograph.search.reading import asking
from infograph.search.reading.asking import Query, RankedHits, Searcher
from infograph.search.reading.dialogue import Dialogue
from infograph.search.reading.fetching import Asking, opened
from infograph.search.writing.bundle import bundle
from infograph.search.writing.page_index import PageIndex
from infograph.text.language import stemmer

Files = dict[str, bytes]
WORDS = "cache deploy server"


@pytest.fixture(scope="module")
def files(make_page: Callable[..., PageIndex], language: Language) -> Files:
    return dict(bundle([make_page(f"{number}.md", 3) for number in range(30)], language, load_table()).files)


@pytest.fixture
def searcher(files: Files) -> Searcher:
    manifest = read_manifest(files["manifest.json"])
    return Searcher(manifest, language_of(manifest, stemmer))


@pytest.fixture
def answer(files: Files, searcher: Searcher) -> Callable[[Asking[Any]], Any]:
    def read(names: Sequence[str]) -> dict[str, Any]:
        return {name: opened(name, files[name], searcher.largest) for name in names}

    return lambda asked: Dialogue(asked).run(read)


@pytest.fixture
def search(searcher: Searcher, answer: Callable[[Asking[Any]], Any]) -> Callable[..., tuple[RankedHits, Remarks]]:
    def found(**how: Any) -> tuple[RankedHits, Remarks]:
        remarks = Remarks()
        return answer(searcher.search(Query(WORDS, **how), remarks)), remarks

    return found


Search = Callable[..., tuple[RankedHits, Remarks]]


def test_a_query_wants_no_less_than_nothing() -> None:
    query = Query("cache", limit=-3, offset=-2)
    assert (query.first, query.end) == (0, 0)
    assert (replace(query, limit=3).end, replace(query, offset=4).first, replace(query, offset=4).end) == (3, 4, 4)


def test_a_plain_total_is_the_ranking(search: Search) -> None:
    found, _ = search(limit=1000)
    assert found.total == len(found.hits) == len(found.chunks) > 40
    assert found.total_relation == "eq"
    for first in (0, 1, 39, len(found.hits), 10_000):
        part, _ = search(limit=5, offset=first)
        assert part.hits == found.hits[first : first + 5]
        assert part.chunks == found.chunks[first : first + 5]
        assert (part.total, part.total_relation) == (found.total, "eq")


def test_pages_are_the_best_chunk_of_each(search: Search) -> None:
    every, _ = search(limit=1000)
    best = list({hit.page: hit for hit in reversed(every.hits)}.values())[::-1]
    wanted = sorted(best, key=every.hits.index)
    found, _ = search(limit=1000, one_per_page=True)
    assert list(found.hits) == wanted
    assert found.total == len(wanted)
    passing, _ = search(limit=1000, one_per_page=True, passes=lambda hit: hit.index > 0)
    later = [hit for hit in every.hits if hit.index > 0]
    assert [hit.page for hit in passing.hits] == list(dict.fromkeys(hit.page for hit in later))
    assert all(hit in later for hit in passing.hits)


@pytest.mark.parametrize(("most", "at_once"), [(12, 5), (7, 7), (3, 64), (1000, 4)])
def test_a_filter_sees_so_many_chunks(search: Search, monkeypatch: pytest.MonkeyPatch, most: int, at_once: int) -> None:
    every = search(limit=1000)[0].hits
    monkeypatch.setattr(asking, "MOST_EXAMINED", most)
    monkeypatch.setattr(asking, "EXAMINED_AT_ONCE", at_once)
    seen: list[Hit] = []
    found, remarks = search(limit=1000, passes=lambda hit: not seen.append(hit) and hit.index == 1)
    assert seen == list(every[:most])
    assert found.hits == tuple(hit for hit in every[:most] if hit.index == 1)
    assert found.total == len(found.hits)
    cut = most < len(every)
    assert found.total_relation == ("gte" if cut else "eq")
    note = f"only the best {most} of {len(every)} chunks were held against the filter"
    assert remarks.notes == ([note] if cut else [])


def test_a_filter_reads_no_more_than_it_needs(search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "EXAMINED_AT_ONCE", 4)
    seen: list[Hit] = []
    found, remarks = search(limit=2, offset=1, passes=lambda hit: not seen.append(hit))
    assert len(seen) == 4
    assert len(found.hits) == 2
    assert (found.total, found.total_relation, remarks.notes) == (4, "gte", [])


def test_collapsed_hits_beyond_those_read_follow(search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    every, _ = search(limit=1000, collapsed=True)
    monkeypatch.setattr(asking, "MOST_EXAMINED", 6)
    for offset in (0, 3, 5, 6, 9):
        found, _ = search(limit=4, offset=offset, collapsed=True)
        assert [hit.href for hit in found.hits] == [hit.href for hit in every.hits[offset : offset + 4]]
    assert search(limit=1, collapsed=True)[0].total_relation == "lte"
    assert every.total_relation == "eq"


def test_a_missing_file_makes_a_total_a_least(
    searcher: Searcher, files: Files, answer: Callable[[Asking[Any]], Any]
) -> None:
    remarks = Remarks(missing={"d-0000000000000000.z": "is gone"})
    assert answer(searcher.search(Query(WORDS), remarks)).total_relation == "gte"


def test_a_vector_puts_those_that_pass_first(
    searcher: Searcher, answer: Callable[[Asking[Any]], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "RERANKED", 3)
    vector = [1.0] + [0.0] * 383
    plain = answer(searcher.rank(Query(WORDS), Remarks()))
    shown = dict(answer(searcher.shown(plain, Remarks())))
    passing = [item for item in plain if shown[item[0]].index == 2]
    found = answer(searcher.rank(Query(WORDS, vector=vector, passes=lambda hit: hit.index == 2), Remarks()))
    assert {chunk for chunk, _ in found[:3]} == {chunk for chunk, _ in passing[:3]}
    assert found[3:] == [item for item in plain if item[0] not in {chunk for chunk, _ in found[:3]}]
