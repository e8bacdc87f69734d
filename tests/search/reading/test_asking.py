"""Stretches of a ranking: totals, what a filter sees, and how many chunks are read for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from infograph.errors import InfographError
from infograph.search.format.bundle_manifest import language_of, read_manifest
from infograph.search.format.results import Hit, Remarks
from infograph.search.format.term_table import load_table
from infograph.search.format.terms import Language
from infograph.search.reading import asking
from infograph.search.reading.asking import Query, RankedHits, Searcher
from infograph.search.reading.dialogue import Dialogue
from infograph.search.reading.fetching import Asking, opened
from infograph.search.writing.bundle import bundle
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.page_index import PageIndex
from infograph.search.writing.slots import assign_slots
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


def test_what_a_query_does_not_say() -> None:
    query = Query("cache")
    assert (query.limit, query.offset, query.one_per_page, query.passes) == (10, 0, False, None)
    assert (query.collapsed, query.diversity, query.vector, query.exact) == (False, 0.0, None, False)
    assert (query.first, query.end) == (0, 10)


def test_beyond_the_ranking_nothing_is_read(search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    size = len(search(limit=1000)[0].hits)
    seen: list[Hit] = []
    found, _ = search(limit=5, offset=size, collapsed=True)
    assert (found.hits, found.total, found.total_relation) == ((), size, "lte")
    found, _ = search(limit=5, offset=size, passes=lambda hit: not seen.append(hit))
    assert (found.hits, found.total, found.total_relation, seen) == ((), 0, "gte", [])
    found, _ = search(limit=1, offset=size - 1, passes=lambda hit: not seen.append(hit))
    assert (len(found.hits), found.total, found.total_relation, len(seen)) == (1, size, "eq", size)


@pytest.mark.parametrize(("limit", "seen_of"), [(3, 4), (4, 4), (5, 8), (0, 0)])
def test_a_filter_reads_until_it_has_what_is_wanted(
    search: Search, monkeypatch: pytest.MonkeyPatch, limit: int, seen_of: int
) -> None:
    monkeypatch.setattr(asking, "EXAMINED_AT_ONCE", 4)
    seen: list[Hit] = []
    found, _ = search(limit=limit, passes=lambda hit: not seen.append(hit))
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


ROW = ["T", ["S"], "anchor", "snippet", 5, "href", "digest"]
HASHES = "0123456789abcdef" * 2 + "f" * 16


def test_a_row_is_a_hit_with_its_own_hash() -> None:
    shard = {"7.1": ["p", "P", "p/", [ROW, ROW, [*ROW[:4], 0, *ROW[5:]]], HASHES]}
    found = asking._hit(shard, "7.1", 18, 16, 2.5)
    assert found == Hit("p", "P", "p/", 18, "T", ("S",), "anchor", "snippet", 0, "href", "digest", 2.5, "f" * 16)
    second = asking._hit(shard, "7.1", 17, 16, 2.5)
    assert second is not None
    assert (second.index, second.tokens, second.simhash) == (17, 5, "0123456789abcdef")
    assert asking._hit(shard, "7.1", 19, 16, 2.5) is asking._hit(shard, "7.0", 1, 16, 2.5) is None


@pytest.mark.parametrize(
    "block",
    [
        None,
        [],
        ["p", "P", "p/", [ROW]],
        [1, "P", "p/", [ROW], HASHES],
        ["p", 1, "p/", [ROW], HASHES],
        ["p", "P", None, [ROW], HASHES],
        ["p", "P", "p/", [ROW], HASHES[:15]],
        ["p", "P", "p/", [ROW], "X" * 16],
        ["p", "P", "p/", [ROW], 7],
        ["p", "P", "p/", [[*ROW, 1]], HASHES],
        ["p", "P", "p/", [ROW[:6]], HASHES],
        ["p", "P", "p/", [["T", ["S", 1], *ROW[2:]]], HASHES],
        ["p", "P", "p/", [[*ROW[:4], -1, *ROW[5:]]], HASHES],
        ["p", "P", "p/", [[*ROW[:4], "5", *ROW[5:]]], HASHES],
        ["p", "P", "p/", [7], HASHES],
        ["p", "P", "p/", 7, HASHES],
    ],
)
def test_a_row_of_another_kind_is_none(block: Any) -> None:
    assert asking._hit({"0.0": block}, "0.0", 0, 16, 1.0) is None
    assert asking._hit(block, "0.0", 0, 16, 1.0) is None


def test_a_page_is_taken_once() -> None:
    seen = {3}
    items = [((1, 5), "a"), ((2, 1), "b"), ((1, 2), "c"), ((3, 1), "d"), ((5, 5), "e")]
    assert asking._of_new_pages(items, seen) == [((1, 5), "a"), ((2, 1), "b"), ((5, 5), "e")]
    assert seen == {1, 2, 3, 5}


def test_vectors_are_those_of_their_chunks(
    make_page: Callable[..., PageIndex], language: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [make_page(f"{number}.md", 20) for number in range(9)]
    made = dict(bundle(pages, language, load_table(), SearchOptions(vector_bytes=4000)).files)
    manifest = read_manifest(made["manifest.json"])
    searcher = Searcher(manifest, language_of(manifest, stemmer))

    def run(asked: Asking[Any]) -> Any:
        return Dialogue(asked).run(
            lambda names: {name: opened(name, made[name], searcher.largest) for name in names if name in made}
        )

    slots = assign_slots([page.path for page in pages])
    chunks = [(slots[page.path], index) for page in pages for index in range(20)]
    found = run(searcher.vectors(chunks, Remarks()))
    assert {chunk: bytes(row) for chunk, row in found.items()} == {
        (slots[page.path], index): page.vectors[index].tobytes() for page in pages for index in range(20)
    }
    assert run(searcher.vectors([(slots["0.md"], 20), (slots["0.md"], 31), (slots["0.md"], 3)], Remarks())).keys() == {
        (slots["0.md"], 3)
    }


def test_a_file_of_vectors_that_is_broken_costs_its_chunks(
    make_page: Callable[..., PageIndex], language: Language
) -> None:
    pages = [make_page(f"{number}.md", 20) for number in range(9)]
    made = dict(bundle(pages, language, load_table(), SearchOptions(vector_bytes=4000)).files)
    manifest = read_manifest(made["manifest.json"])
    searcher = Searcher(manifest, language_of(manifest, stemmer))
    chunks = [(slot, index) for slot in assign_slots([page.path for page in pages]).values() for index in range(20)]
    names = [name for name in manifest.vector_shards.names if name]
    assert len(names) > 2
    for lost, contents in ((names[0], b"\xff\xff"), (names[1], InfographError(names[1], "is gone"))):
        remarks = Remarks()

        def read(wanted: Sequence[str], lost: str = lost, contents: Any = contents) -> dict[str, Any]:
            return {name: contents if name == lost else opened(name, made[name], searcher.largest) for name in wanted}

        found = Dialogue(searcher.vectors(chunks, remarks)).run(read)
        assert remarks.missing.keys() == {lost}
        assert 0 < len(found) < len(chunks)
        assert len(found) == sum(bool(chunk in found) for chunk in chunks)
        whole = Dialogue(searcher.vectors(chunks, Remarks())).run(
            lambda wanted: {name: opened(name, made[name], searcher.largest) for name in wanted}
        )
        assert all(bytes(found[chunk]) == bytes(whole[chunk]) for chunk in found)
        gone = len(opened(lost, made[lost], searcher.largest)) // 256
        assert len(found) == len(chunks) - gone


@pytest.mark.parametrize("numbers", [383, 385])
def test_a_map_is_of_vectors_of_one_length(
    searcher: Searcher, answer: Callable[[Asking[Any]], Any], numbers: int
) -> None:
    plain, remarks = answer(searcher.rank(Query(WORDS), Remarks())), Remarks()
    assert answer(searcher.rank(Query(WORDS, vector=[0.1] * numbers), remarks)) == plain
    (reason,) = remarks.missing.values()
    assert f"maps vectors of 384 numbers, not of {numbers}" in reason
    assert list(remarks.missing) == [searcher.manifest.vectors.map]


def test_a_vector_reads_as_many_that_pass_as_are_reranked(
    searcher: Searcher, answer: Callable[[Asking[Any]], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "RERANKED", 4)
    monkeypatch.setattr(asking, "EXAMINED_AT_ONCE", 4)
    ranking = answer(searcher.rank(Query(WORDS), Remarks()))
    shown = dict(answer(searcher.shown(ranking, Remarks())))
    for index, most in ((None, 100), (1, 100), (1, 6)):
        monkeypatch.setattr(asking, "MOST_EXAMINED", most)
        seen: list[Hit] = []

        def passes(hit: Hit, index: int | None = index, seen: list[Hit] = seen) -> bool:
            seen.append(hit)
            return index is None or hit.index == index

        found = answer(searcher._first(ranking, passes, Remarks()))
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
        found = answer(searcher.entries(" ".join([*(f"word{n}" for n in range(words - 1)), "cache"]), remarks, True))
        assert (len(remarks.notes), "cach" in found) == (notes, not notes)
