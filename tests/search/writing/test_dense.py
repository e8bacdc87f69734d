from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from infograph.search.format.ragged import starts_of
from infograph.search.writing import dense
from infograph.search.writing.dense import DenseLists, dense_lists, near_values, quantised, updated


def lists_of(lists: DenseLists) -> Iterator[tuple[list[int], list[int]]]:
    for begin, end in pairwise(starts_of(lists.lengths).tolist()):
        yield lists.chunks[begin:end].tolist(), lists.values[begin:end].tolist()


def check(lists: DenseLists, rows: np.ndarray, vectors: np.ndarray, most: list[int]) -> None:
    products = rows.astype(int) @ vectors.astype(int).T
    found = list(lists_of(lists))
    assert len(found) == len(rows)
    for line, (chunks, values), wanted in zip(products, found, most, strict=True):
        best = sorted(range(len(vectors)), key=lambda chunk: (-line[chunk], chunk))[:wanted]
        assert chunks == sorted(best)
        assert values == line[chunks].tolist()


@pytest.mark.parametrize(("tile_rows", "tile_chunks", "threads"), [(256, 1 << 15, 1), (2, 7, 1), (2, 7, 3)])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 2**32 - 1),
    chunks=st.integers(0, 30),
    most=st.lists(st.integers(0, 12), max_size=5),
    distinct=st.integers(1, 40),
)
def test_a_list_holds_the_best_chunks(
    monkeypatch: pytest.MonkeyPatch,
    tile_rows: int,
    tile_chunks: int,
    threads: int,
    seed: int,
    chunks: int,
    most: list[int],
    distinct: int,
) -> None:
    monkeypatch.setattr(dense, "TILE_ROWS", tile_rows)
    monkeypatch.setattr(dense, "TILE_CHUNKS", tile_chunks)
    random = np.random.default_rng(seed)
    rows, some = random.integers(-2, 3, (len(most), 8), np.int8), random.integers(-2, 3, (distinct, 8), np.int8)
    vectors = some[random.integers(0, distinct, chunks)]
    check(dense_lists(rows, vectors, np.array(most, np.int64), threads), rows, vectors, most)


def test_of_many_chunks_the_best_are_found_by_a_sample_or_in_spite_of_it() -> None:
    random = np.random.default_rng(0)
    rows, vectors = random.integers(-90, 91, (40, 64), np.int8), random.integers(-90, 91, (3000, 64), np.int8)
    vectors[::16] = 90  # all that the sample sees is alike
    check(dense_lists(rows, vectors, np.full(40, 30)), rows, vectors, [30] * 40)
    vectors[:] = 1
    check(dense_lists(rows, vectors, np.full(40, 30)), rows, vectors, [30] * 40)
    vectors[:] = vectors[:1] * random.integers(-90, 91, (3000, 1), np.int8)  # few, each many times
    check(dense_lists(rows, vectors, np.full(40, 30)), rows, vectors, [30] * 40)


@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_a_list_that_is_kept_is_the_one_that_is_made_anew(seed: int, most: int) -> None:
    """Chunks go and come in several rounds; values are few, so that there are many ties."""
    random = np.random.default_rng(seed)
    rows = random.integers(-1, 2, (6, 4), np.int8)
    vectors, lists = np.zeros((0, 4), np.int8), DenseLists.empty(6)
    for _ in range(6):
        stays = random.random(len(vectors)) > random.choice([0.02, 0.2, 0.6])
        count = int(stays.sum()) + int(random.choice([0, 3, 40]))
        old_places = np.sort(random.choice(count, int(stays.sum()), replace=False))
        numbers = np.full(len(vectors), -1, np.int32)
        numbers[stays] = old_places
        now = random.integers(-1, 2, (count, 4), np.int8)
        now[old_places] = vectors[stays]
        fresh = np.setdiff1d(np.arange(count), old_places)
        wanted = np.array([most, most, 1, most, 0, most + int(random.integers(0, 3))])
        lists, _ = updated(lists, numbers, rows, now, fresh, wanted)
        assert (lists.lengths >= np.minimum(wanted, count)).all()
        check(lists.best(wanted), rows, now, wanted.tolist())
        vectors = now


def test_a_product_takes_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside a build's workers, threads of numpy's library that wait for each other make it several times as slow."""

    def threads() -> list[int]:
        return [found["num_threads"] for found in threadpool_info() if found["user_api"] == "blas"]

    seen: list[list[int]] = []
    best_of = dense._best_of
    monkeypatch.setattr(dense, "_best_of", lambda *arguments: (seen.append(threads()), best_of(*arguments))[1])
    before = threads()
    rows = np.ones((3, 8), np.int8)
    updated(DenseLists.empty(3), np.zeros(0, np.int32), rows, rows, np.arange(3), np.full(3, 2))
    assert seen == [[1] * len(before)]
    assert threads() == before


@given(st.integers(0, 2**32 - 1), st.lists(st.floats(0, 3), max_size=6))
def test_only_near_chunks_stay(seed: int, least: list[float]) -> None:
    random = np.random.default_rng(seed)
    rows, vectors = random.integers(-2, 3, (len(least), 8), np.int8), random.integers(-2, 3, (20, 8), np.int8)
    all_of_them = dense_lists(rows, vectors, np.full(len(least), 20))
    near = all_of_them.above(near_values(rows, np.array(least)))
    for row, wanted, (chunks, values) in zip(rows.tolist(), least, lists_of(near), strict=True):
        products = vectors.astype(int) @ row
        assert chunks == [
            chunk for chunk in range(20) if products[chunk] >= wanted * math.sqrt(sum(x * x for x in row))
        ]
        assert values == products[chunks].tolist()


def test_products_are_exact_at_their_largest() -> None:
    row = np.full((1, 256), 127, np.int8)
    found = dense_lists(row, np.vstack([row, row - 1, -row]), np.array([3]))
    assert found.values.tolist() == [256 * 127 * 127, 256 * 127 * 126, -256 * 127 * 127]


@given(st.lists(st.lists(st.integers(-(2**22), 2**22), max_size=50), max_size=4))
def test_a_byte_is_within_half_a_step(lists: list[list[int]]) -> None:
    flat = np.array([value for values in lists for value in values], np.int32)
    lengths = np.array([len(values) for values in lists], np.int64)
    lows, highs, steps = quantised(DenseLists(lengths, np.zeros(len(flat), np.int32), flat))
    place = iter(steps.tolist())
    for values, low, high in zip(lists, lows.tolist(), highs.tolist(), strict=True):
        assert (low, high) == (min(values, default=0), max(values, default=0))
        for value in values:
            assert abs(low + next(place) * (high - low) / 255 - value) <= (high - low) / 510 + 1e-9


def lists(*values: list[int]) -> DenseLists:
    """Lists of the chunks 0, 10, 20 …, with such values."""
    lengths = np.array([len(own) for own in values], np.int64)
    chunks = [10 * place for own in values for place in range(len(own))]
    flat = [value for own in values for value in own]
    return DenseLists(lengths, np.array(chunks, np.int32), np.array(flat, np.int32))


def test_the_best_of_each_list_and_of_equals_the_earlier() -> None:
    found = lists([5, 9, -3, 9, 5], [], [1], [-(2**22), 2**22, 0, 2**22]).best(np.array([3, 2, 0, 2]))
    assert list(lists_of(found)) == [([0, 10, 30], [5, 9, 9]), ([], []), ([], []), ([10, 30], [2**22, 2**22])]
    assert found.lengths.tolist() == [3, 0, 0, 2]


def test_lists_above_a_value_keep_it() -> None:
    found = lists([5, 4, 6], [7], []).above(np.array([5, 8, 0]))
    assert list(lists_of(found)) == [([0, 20], [5, 6]), ([], []), ([], [])]


def test_lists_are_taken_in_the_order_chosen() -> None:
    own = lists([1, 2], [], [3])
    assert list(lists_of(own.taken(np.array([2, 0, 0])))) == [([0], [3]), ([0, 10], [1, 2]), ([0, 10], [1, 2])]
    assert own.taken(np.arange(3)) is own
    assert list(lists_of(own.taken(np.arange(2)))) == [([0, 10], [1, 2]), ([], [])]
    assert list(lists_of(DenseLists.empty(2))) == [([], []), ([], [])]


def test_floors_are_the_smallest_values() -> None:
    found = dense._floors(lists([5, 3, 4], [], [7, 8], [-1]), 2)
    assert found.tolist() == [3, math.inf, -math.inf, -1]
    assert dense._floors(DenseLists.empty(2), 0).tolist() == [math.inf, math.inf]


def test_values_are_255ths_of_the_way() -> None:
    low, high, steps = quantised(lists([0, 255, 1, 128], [7, 7], [], [-10, 500, 246, 245]))
    assert (low.tolist(), high.tolist()) == ([0, 7, 0, -10], [255, 7, 0, 500])
    assert steps.tolist() == [0, 255, 1, 128, 0, 0, 0, 255, 128, 128]
    assert steps.dtype == np.uint8


def test_near_values_are_rounded_up() -> None:
    rows = np.array([[3, 4], [1, 1], [0, 0]], np.int8)
    assert near_values(rows, np.array([1.0, 1.0, 2.0])).tolist() == [5, 2, 0]
    assert near_values(rows, np.array([0.5, 2.0, 0.0])).tolist() == [3, 3, 0]
    assert near_values(np.full((1, 256), 127, np.int8), np.array([1.0])).tolist() == [127 * 16]


def test_repeated_vectors_are_multiplied_once() -> None:
    some = np.array([[1, 2], [3, 4], [5, 6]], np.int8)
    distinct = dense._Distinct.of(some[[1, 0, 1, 1, 2, 0, 1, 1]])
    assert distinct.vectors.tolist() == [[3, 4], [1, 2], [5, 6]]
    assert distinct.times.tolist() == [5, 2, 1]
    assert distinct.chunks.tolist() == [0, 2, 3, 6, 7, 1, 5, 4]
    owners, chunks, values = distinct.spread((np.array([7, 8]), np.array([0, 1]), np.array([70, 80], np.int32)), 1)
    assert (owners.tolist(), chunks.tolist(), values.tolist()) == ([7, 7, 8], [1, 5, 4], [70, 70, 80])


@pytest.mark.parametrize(("distinct", "kept"), [(8, 8), (9, 9), (10, 12), (12, 12)])
def test_a_few_repeats_do_not_count(distinct: int, kept: int) -> None:
    """Where more than three quarters are distinct, all are taken as they are."""
    vectors = np.minimum(np.arange(12), distinct - 1).astype(np.int8)[:, None].repeat(2, axis=1)
    assert len(dense._Distinct.of(vectors).vectors) == kept


def test_slices_cover_all_vectors() -> None:
    assert [(one.start, one.stop) for one in dense._slices(0)] == [(0, 1 << 12)]
    assert [(one.start, one.stop) for one in dense._slices((1 << 12) + 1)] == [(0, 1 << 12), (1 << 12, 2 << 12)]
    assert len(dense._slices(1 << 12)) == 1


def test_of_many_repeats_so_many_are_found_as_the_sample_did_not_promise() -> None:
    """More than half of the distinct vectors are wanted, and all that the sample sees are the best."""
    random = np.random.default_rng(0)
    some = np.stack([random.integers(-100, 50, 1000), np.arange(1000) % 100, np.arange(1000) // 100], axis=1)
    some[::16, 0] = 120
    vectors, rows = some.astype(np.int8).repeat(3, axis=0), np.array([[1, 0, 0]], np.int8)
    check(dense_lists(rows, vectors, np.array([900])), rows, vectors, [900])
    check(dense_lists(rows, vectors, np.array([2700])), rows, vectors, [2700])
