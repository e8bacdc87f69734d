"""The rankings of a query: what its vector moves, and how much is read for that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from infograph.search.format.results import Hit, Remarks
from infograph.search.reading import rankings
from infograph.search.reading.asking import Searcher
from infograph.search.reading.fetching import Asking
from infograph.search.reading.query import Query

WORDS = "cache deploy server"


def test_a_vector_puts_those_that_pass_first(
    searcher: Searcher, answer: Callable[[Asking[Any]], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rankings, "RERANKED", 3)
    vector = [1.0] + [0.0] * 383
    plain = answer(searcher.ranker.rank(Query(WORDS), Remarks()))
    shown = dict(answer(searcher.shards.shown(plain, Remarks())))
    passing = [item for item in plain if shown[item[0]].index == 2]
    found = answer(searcher.ranker.rank(Query(WORDS, vector=vector, passes=lambda hit: hit.index == 2), Remarks()))
    assert {chunk for chunk, _ in found[:3]} == {chunk for chunk, _ in passing[:3]}
    assert found[3:] == [item for item in plain if item[0] not in {chunk for chunk, _ in found[:3]}]


@pytest.mark.parametrize("numbers", [383, 385])
def test_a_map_is_of_vectors_of_one_length(
    searcher: Searcher, answer: Callable[[Asking[Any]], Any], numbers: int
) -> None:
    plain, remarks = answer(searcher.ranker.rank(Query(WORDS), Remarks())), Remarks()
    assert answer(searcher.ranker.rank(Query(WORDS, vector=[0.1] * numbers), remarks)) == plain
    (reason,) = remarks.missing.values()
    assert f"maps vectors of 384 numbers, not of {numbers}" in reason
    assert list(remarks.missing) == [searcher.manifest.vectors.map]


def test_a_vector_reads_as_many_that_pass_as_are_reranked(
    searcher: Searcher, answer: Callable[[Asking[Any]], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rankings, "RERANKED", 4)
    monkeypatch.setattr(rankings, "EXAMINED_AT_ONCE", 4)
    ranking = answer(searcher.ranker.rank(Query(WORDS), Remarks()))
    shown = dict(answer(searcher.shards.shown(ranking, Remarks())))
    for index, most in ((None, 100), (1, 100), (1, 6)):
        monkeypatch.setattr(rankings, "MOST_EXAMINED", most)
        seen: list[Hit] = []

        def passes(hit: Hit, index: int | None = index, seen: list[Hit] = seen) -> bool:
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
