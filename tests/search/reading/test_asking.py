"""Stretches of a ranking: totals, what a filter sees, and how many chunks are read for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from infograph.search.format.results import Hit, Remarks
from infograph.search.reading import asking
from infograph.search.reading.asking import RankedHits, Searcher
from infograph.search.reading.dialogue import Dialogue
from infograph.search.reading.fetching import Asking, opened
from infograph.search.reading.query import Query

Files = dict[str, bytes]
WORDS = "cache deploy server"


@pytest.fixture
def search(searcher: Searcher, answer: Callable[[Asking[Any]], Any]) -> Callable[..., tuple[RankedHits, Remarks]]:
    def found(**how: Any) -> tuple[RankedHits, Remarks]:
        remarks = Remarks()
        return answer(searcher.search(Query(WORDS, **how), remarks)), remarks

    return found


Search = Callable[..., tuple[RankedHits, Remarks]]


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
    passing, _ = search(limit=1000, one_per_page=True, passes=lambda _, hit: hit.index > 0)
    later = [hit for hit in every.hits if hit.index > 0]
    assert [hit.page for hit in passing.hits] == list(dict.fromkeys(hit.page for hit in later))
    assert all(hit in later for hit in passing.hits)


@pytest.mark.parametrize(("most", "at_once"), [(12, 5), (7, 7), (3, 64), (1000, 4)])
def test_a_filter_sees_so_many_chunks(search: Search, monkeypatch: pytest.MonkeyPatch, most: int, at_once: int) -> None:
    every = search(limit=1000)[0].hits
    monkeypatch.setattr(asking, "MOST_EXAMINED", most)
    monkeypatch.setattr(asking, "EXAMINED_AT_ONCE", at_once)
    seen: list[Hit] = []
    found, remarks = search(limit=1000, passes=lambda _, hit: not seen.append(hit) and hit.index == 1)
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
    found, remarks = search(limit=2, offset=1, passes=lambda _, hit: not seen.append(hit))
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


def test_beyond_the_ranking_nothing_is_read(search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    size = len(search(limit=1000)[0].hits)
    seen: list[Hit] = []
    found, _ = search(limit=5, offset=size, collapsed=True)
    assert (found.hits, found.total, found.total_relation) == ((), size, "lte")
    found, _ = search(limit=5, offset=size, passes=lambda _, hit: not seen.append(hit))
    assert (found.hits, found.total, found.total_relation, seen) == ((), 0, "gte", [])
    found, _ = search(limit=1, offset=size - 1, passes=lambda _, hit: not seen.append(hit))
    assert (len(found.hits), found.total, found.total_relation, len(seen)) == (1, size, "eq", size)


@pytest.mark.parametrize(("limit", "seen_of"), [(3, 4), (4, 4), (5, 8), (0, 0)])
def test_a_filter_reads_until_it_has_what_is_wanted(
    search: Search, monkeypatch: pytest.MonkeyPatch, limit: int, seen_of: int
) -> None:
    monkeypatch.setattr(asking, "EXAMINED_AT_ONCE", 4)
    seen: list[Hit] = []
    found, _ = search(limit=limit, passes=lambda _, hit: not seen.append(hit))
    assert (len(seen), len(found.hits)) == (seen_of, limit)


def test_diversity_puts_the_first_in_order_and_takes_the_rest_as_it_is(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = search(limit=1000)[0].hits
    for first in (4, 7):
        monkeypatch.setattr(asking, "DIVERSIFIED", first)
        found = search(limit=1000, diversity=0.9)[0].hits
        assert set(found[:first]) == set(plain[:first])
        assert found[first:] == plain[first:]
        assert found[0] == plain[0]
        for offset, limit in ((0, 2), (first - 1, 2), (first + 1, 3)):
            assert search(limit=limit, offset=offset, diversity=0.9)[0].hits == found[offset : offset + limit]
        assert search(limit=1000, diversity=0.01)[0].total == len(plain)


def test_a_page_is_taken_once() -> None:
    seen = {3}
    items = [((1, 5), "a"), ((2, 1), "b"), ((1, 2), "c"), ((3, 1), "d"), ((5, 5), "e")]
    assert asking._of_new_pages(items, seen) == [((1, 5), "a"), ((2, 1), "b"), ((5, 5), "e")]
    assert seen == {1, 2, 3, 5}


def test_a_plain_search_reads_only_what_it_shows(searcher: Searcher, files: Files) -> None:
    read: list[str] = []

    def contents(names: Sequence[str]) -> dict[str, Any]:
        read.extend(names)
        return {name: opened(name, files[name], searcher.shards.largest) for name in names}

    def documents(**how: Any) -> set[str]:
        read.clear()
        Dialogue(searcher.search(Query(WORDS, **how), Remarks())).run(contents)
        return {name for name in read if name.startswith("d")}

    few, many = documents(limit=1), documents(limit=1000)
    assert 0 < len(few) < len(many)
    assert documents(limit=1, diversity=0.5) > few
