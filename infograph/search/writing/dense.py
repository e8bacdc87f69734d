"""Dense impacts: for each term the chunks whose vectors its row points to.

With a query's vector the sum of its terms' rows over the root of their number n (`term_table.py`), the cosine part of a
hybrid score is 1/√n times a sum over terms of row · chunk: one number for each (term, chunk), known at build time.
A term keeps its best chunks only, and an absent chunk counts as 0: of what was tried on the question sets (0, the
list's smallest value, half of it) that loses least, and it is what a sparse list means by absence.

A term's best passage of 254 tokens in place of the whole chunk was tried for long chunks: on three question sets MRR
changes by -0.5, +0.1 and -0.3, recall@5 by 0.0, +0.5 and -0.4, all within chance. The best passages of a query's terms
need not be the same one.

Rows and vectors are int8 of 256 dimensions: the sums stay below 2^24, so float32 products are exact integers. Hence
a list can be kept from build to build, and is what a build from nothing makes. It holds a few chunks more than are
written, so that it can lose some before all chunks have to be looked at again.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING

from infograph.search.format.ragged import owners_at, owners_of, places_in, spread, starts_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESERVE = 16
"""Chunks that a new list has beyond those that are written; it may grow to twice as many."""
TILE_ROWS, TILE_CHUNKS = 128, 1 << 14
"""Rows and chunks whose products a thread computes at a time: 8 MB, beside 16 MB of vectors for all threads."""
_VALUE_BITS = 24
"""Bits of a product, with its sign."""
_SAMPLE = 16
"""Step between the products of a row that its sample takes."""
_STEP = 1 << 12
"""Vectors that are compared together."""


@dataclass(frozen=True, slots=True)
class DenseLists:
    """A list of chunks for each row, ascending. A chunk that is not in a list ranks after all that are."""

    lengths: NDArray[np.int64]
    chunks: NDArray[np.int32]
    values: NDArray[np.int32]
    """The product of row and vector. It may be negative where a site has hardly more chunks than a list has room
    for."""

    @classmethod
    def empty(cls, lists: int) -> DenseLists:
        """Returns empty lists, as many as `lists` says."""
        import numpy as np

        return cls(np.zeros(lists, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32))

    def taken(self, chosen: NDArray[np.int64]) -> DenseLists:
        """Returns some of the lists, in the order chosen."""
        import numpy as np

        if np.array_equal(chosen, np.arange(len(self.lengths))):
            return self
        _, index = spread(self.lengths, chosen)
        return DenseLists(self.lengths[chosen], self.chunks[index], self.values[index])

    def above(self, least: NDArray[np.int64]) -> DenseLists:
        """Returns each list without the chunks whose values are smaller than its `least`."""
        import numpy as np

        owners = owners_of(self.lengths)
        stays = self.values >= least[owners]
        lengths = np.bincount(owners[stays], minlength=len(self.lengths))
        return DenseLists(lengths, self.chunks[stays], self.values[stays])

    def best(self, most: NDArray[np.int64]) -> DenseLists:
        """Returns each list with its `most` best chunks; ties go to the earlier chunk."""
        import numpy as np

        long = np.flatnonzero(self.lengths > most)
        owners, index = spread(self.lengths, long)
        bits = int(self.lengths.max(initial=0)).bit_length()
        rank = (owners << _VALUE_BITS) + ((1 << (_VALUE_BITS - 1)) - self.values[index].astype(np.int64))
        order = np.sort((rank << bits) + places_in(self.lengths[long]))
        cut = places_in(self.lengths[long]) >= np.repeat(most[long], self.lengths[long])
        dropped = starts_of(self.lengths)[long][owners[cut]] + (order[cut] & ((1 << bits) - 1))
        stays = np.ones(len(self.chunks), bool)
        stays[dropped] = False
        return DenseLists(np.minimum(self.lengths, most), self.chunks[stays], self.values[stays])


def near_values(rows: NDArray[np.int8], least: NDArray[np.float64]) -> NDArray[np.int64]:
    """Returns for each row the smallest product of a chunk that is near it: `least` in the row's direction, in the
    vectors' unit (their own length is near 1).

    The best chunks of a list are not all near, least of all on a small site. Whether one is near, it and the term
    alone decide: an edited chunk changes the lists of the terms near it, and no others but where it displaces one.

    Measured, and chosen, on seven cases of `benchmarks/search_quality.py`, 43 to 1,933 chunks, with each packaged
    model's vectors, against all of the best chunks: at 0.055 recall@5 and MRR@10 fall by 0.2 at the most, and not on
    average; from 0.07 on one case loses 1. Words that the site does not have are far from most of it. With words of
    the questions taken for such, 0.17 costs 0.4 in one case and nothing on average; lists of a quarter of the length,
    which save less, cost up to 2 in recall@5 and 3 in MRR@10. Lists of half the length for the words of the site lose
    1 on average.
    """
    import numpy as np

    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.int32).astype(np.float64))
    values: NDArray[np.int64] = np.ceil(least * lengths).astype(np.int64)
    return values


def dense_lists(
    rows: NDArray[np.int8], vectors: NDArray[np.int8], most: NDArray[np.int64], threads: int = 1
) -> DenseLists:
    """Returns the best chunks of each row, at most the row's number in `most`; `threads` threads share the rows."""
    import numpy as np

    most = np.minimum(most, len(vectors))
    distinct = _Distinct.of(vectors)
    blocks = [slice(start, start + TILE_ROWS) for start in range(0, len(rows), TILE_ROWS)]
    threads = max(1, min(threads, len(blocks)))
    lists = [DenseLists.empty(len(most[block])) for block in blocks]
    turned = np.empty((vectors.shape[1], min(len(distinct.vectors), TILE_CHUNKS)), np.float32)
    spare: SimpleQueue[NDArray[np.float32]] = SimpleQueue()
    for _ in range(threads):
        spare.put(np.empty(TILE_ROWS * turned.shape[1], np.float32))
    with ThreadPoolExecutor(threads) as pool:
        for first in range(0, len(distinct.vectors), TILE_CHUNKS):
            part = distinct.vectors[first : first + TILE_CHUNKS]
            turned[:, : len(part)] = part.T
            better = partial(_bettered, turned[:, : len(part)], distinct, first, spare)
            lists = list(pool.map(better, [rows[block] for block in blocks], [most[block] for block in blocks], lists))
    return _concatenated([DenseLists.empty(0), *lists])


def _bettered(
    turned: NDArray[np.float32],
    distinct: _Distinct,
    first: int,
    spare: SimpleQueue[NDArray[np.float32]],
    rows: NDArray[np.int8],
    most: NDArray[np.int64],
    lists: DenseLists,
) -> DenseLists:
    """Returns the lists of some rows, improved by some of the distinct vectors.

    turned: these vectors, transposed, which begin with the vector `first`
    spare:  a buffer for the products is taken from it and put back
    """
    import numpy as np

    count = turned.shape[1]
    buffer = spare.get()
    products = buffer[: len(rows) * count].reshape(len(rows), count)
    np.matmul(rows.astype(np.float32), turned, out=products)
    near = distinct.spread(_best_of(products, distinct.times[first : first + count], most, lists), first)
    spare.put(buffer)
    return _joined(lists, near).best(most)


@dataclass(frozen=True, slots=True)
class _Distinct:
    """The distinct vectors: versions of a page share most of their chunks, and so most of the work."""

    vectors: NDArray[np.int8]
    """Distinct vectors in the order of the first chunk that has each."""
    times: NDArray[np.int64]
    """Number of chunks that have each distinct vector."""
    chunks: NDArray[np.int64]
    """The chunks that have a vector, vector after vector, ascending in each."""

    @classmethod
    def of(cls, vectors: NDArray[np.int8]) -> _Distinct:
        """Finds the distinct vectors. Where few are repeated, all count as distinct: a copy of nearly all would only
        fill the memory."""
        import numpy as np

        factors = np.random.default_rng(0).integers(1 << 62, size=vectors.shape[1])
        keys = np.concatenate([vectors[at].astype(np.int64) @ factors for at in _slices(len(vectors))])
        _, first, place, times = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        few = 4 * len(first) > 3 * len(vectors)
        if few or any((vectors[at] != vectors[first[place[at]]]).any() for at in _slices(len(vectors))):
            return cls(vectors, np.ones(len(vectors), np.int64), np.arange(len(vectors)))
        order = np.argsort(first)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        return cls(vectors[first[order]], times[order], np.argsort(rank[place], kind="stable"))

    def spread(self, found: Matches, first: int) -> Matches:
        """Returns matches of the distinct vectors from `first` on as matches of the chunks that have them."""
        owners, vectors, values = found
        source, index = spread(self.times, vectors + first)
        return owners[source], self.chunks[index], values[source]


def _slices(size: int) -> list[slice]:
    """Returns slices that cover `size` vectors, whose copies are small; at least one."""
    return [slice(at, at + _STEP) for at in range(0, max(1, size), _STEP)]


@contextmanager
def _one_thread_a_product() -> Iterator[None]:
    """Limits each product to one thread: the threads of numpy's library wait for each other busily, which makes them
    several times as slow where other processes work, as those of a build do."""
    from threadpoolctl import ThreadpoolController  # 5 ms, and looks for the libraries that are loaded

    with ThreadpoolController().limit(limits=1, user_api="blas"):
        yield


@_one_thread_a_product()
def updated(
    old: DenseLists,
    numbers: NDArray[np.int32],
    rows: NDArray[np.int8],
    vectors: NDArray[np.int8],
    fresh: NDArray[np.int64],
    most: NDArray[np.int64],
    threads: int = 1,
) -> tuple[DenseLists, NDArray[np.int64]]:
    """Returns the lists after chunks were removed and added, each with the `most` chunks that are written, or more; and
    the places of the lists that may have changed, ascending.

    old:     a list for each row, an empty one for a new row
    numbers: for each old chunk its number now, -1 for a chunk that is gone; ascending
    vectors: of all chunks of this bundle
    fresh:   numbers of the new chunks, ascending
    """
    import numpy as np

    most = np.minimum(most, len(vectors))
    room = np.minimum(most + RESERVE, len(vectors))
    if 2 * len(fresh) >= len(vectors):
        return dense_lists(rows, vectors, room, threads), np.arange(len(rows))
    floors = _floors(old, len(numbers))
    moved = DenseLists(old.lengths, numbers[old.chunks], old.values)
    found = _admitted(rows, vectors, fresh, floors)
    touched = (old.lengths < most) | (old.lengths > most + 2 * RESERVE)
    touched[found[0]] = True
    touched[owners_at(old.lengths, moved.chunks < 0)] = True
    some = np.flatnonzero(touched)

    lists, floors, most, room = moved.taken(some), floors[some], most[some], room[some]
    owners = owners_of(lists.lengths)
    # Of chunks with the floor's value, a new one is known to come before all that were left out only where it comes
    # before one that was not.
    last = np.full(len(some), -1, np.int64)
    tied = (lists.values == floors[owners]) & (lists.chunks >= 0)
    last[owners[tied]] = lists.chunks[tied]
    place = np.searchsorted(some, found[0])
    inside = (found[2] > floors[place]) | (found[1] < last[place])
    stays = lists.chunks >= 0
    lists = DenseLists(np.bincount(owners[stays], minlength=len(some)), lists.chunks[stays], lists.values[stays])
    lists = _joined(lists, (place[inside], found[1][inside], found[2][inside]))
    lists = lists.best(np.where(lists.lengths > most + 2 * RESERVE, room, lists.lengths))
    short = np.flatnonzero(lists.lengths < most)
    again = dense_lists(rows[some[short]], vectors, room[short], threads)
    order = np.arange(len(some))
    order[short] = len(some) + np.arange(len(short))
    return _replaced(moved, some, _concatenated([lists, again]).taken(order)), some


def _replaced(lists: DenseLists, chosen: NDArray[np.int64], new: DenseLists) -> DenseLists:
    """Returns the lists with `new` ones at the places chosen."""
    import numpy as np

    others = np.ones(len(lists.lengths), bool)
    others[chosen] = False
    stays = np.repeat(others, lists.lengths)
    lengths = lists.lengths.copy()
    lengths[chosen] = new.lengths
    old = np.repeat(others, lengths)
    chunks, values = np.empty(len(old), np.int32), np.empty(len(old), np.int32)
    chunks[old], values[old] = lists.chunks[stays], lists.values[stays]
    chunks[~old], values[~old] = new.chunks, new.values
    return DenseLists(lengths, chunks, values)


Matches = tuple["NDArray[np.int64]", "NDArray[np.int64]", "NDArray[np.int32]"]
"""Place of the list, chunk (or vector) and value of each match, in the order of list and chunk."""


def _floors(lists: DenseLists, chunks: int) -> NDArray[np.float32]:
    """Returns each list's smallest value; -inf where the list has all chunks, inf where it has none."""
    import numpy as np

    floors = np.full(len(lists.lengths), np.inf, np.float32)
    filled = lists.lengths > 0
    if filled.any():
        floors[filled] = np.minimum.reduceat(lists.values, starts_of(lists.lengths)[:-1][filled])
    floors[filled & (lists.lengths == chunks)] = -np.inf
    return floors


def _admitted(
    rows: NDArray[np.int8], vectors: NDArray[np.int8], fresh: NDArray[np.int64], floors: NDArray[np.float32]
) -> Matches:
    """Returns the new chunks whose values are not below a list's floor."""
    import numpy as np

    turned = vectors[fresh].T.astype(np.float32)
    found = []
    step = max(TILE_ROWS, TILE_ROWS * TILE_CHUNKS // max(1, len(fresh)))
    for start in range(0, len(rows), step):
        products = rows[start : start + step].astype(np.float32) @ turned
        owners, places = np.nonzero(products >= floors[start : start + step, None])
        found.append((owners + start, fresh[places], products[owners, places].astype(np.int32)))
    empty = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int32))
    owners, chunks, values = (np.concatenate(parts) for parts in zip(empty, *found, strict=True))
    return owners, chunks, values


def _best_of(
    products: NDArray[np.float32], times: NDArray[np.int64], most: NDArray[np.int64], lists: DenseLists
) -> Matches:
    """Returns for each row the vectors whose chunks may be among its `most` best, and few others.

    times: for each vector, how many chunks have it
    """
    import numpy as np

    bounds = _bounds(products, times, most, lists)
    owners, vectors, values = _above(products, bounds)
    few = np.bincount(owners, times[vectors], len(products)) < most
    few &= (bounds > -np.inf) & (lists.lengths < np.maximum(most, 1))
    if not few.any():
        return owners, vectors, values
    short = np.flatnonzero(few)
    wanted = min(int(most.max()), products.shape[1])  # so many vectors are as many chunks at the least
    exact = np.partition(products[short], -wanted, axis=1)[:, -wanted]
    again = _above(products[short], np.nextafter(exact, np.float32(-np.inf)))
    stays = ~few[owners]
    return (
        np.concatenate([owners[stays], short[again[0]]]),
        np.concatenate([vectors[stays], again[1]]),
        np.concatenate([values[stays], again[2]]),
    )


def _bounds(
    products: NDArray[np.float32], times: NDArray[np.int64], most: NDArray[np.int64], lists: DenseLists
) -> NDArray[np.float32]:
    """Returns for each row a value that its `most` best chunks are probably above, and few others.

    For a full list it is just below the floor, whose chunks need not be earlier ones; else it is estimated from a
    sample.
    """
    import numpy as np

    bounds = np.full(len(products), -np.inf, np.float32)
    full = lists.lengths >= np.maximum(most, 1)
    bounds[full] = _floors(lists, -1)[full] - 0.5
    sample = products[~full, ::_SAMPLE]
    wanted = int(most.max(initial=0)) * products.shape[1] / max(1, times.sum())
    rank = int(2 * wanted) // _SAMPLE + 8  # twice as many as are wanted: seldom too few
    if rank < sample.shape[1]:
        bounds[~full] = np.partition(sample, -rank, axis=1)[:, -rank]
    return bounds


def _above(products: NDArray[np.float32], bounds: NDArray[np.float32]) -> Matches:
    import numpy as np

    flat = np.flatnonzero(products > bounds[:, None])
    owners, vectors = np.divmod(flat, products.shape[1])
    return owners, vectors, products.ravel()[flat].astype(np.int32)


def _joined(lists: DenseLists, found: Matches) -> DenseLists:
    """Returns the lists with the matches in their places."""
    import numpy as np

    owners = np.concatenate([owners_of(lists.lengths), found[0]])
    chunks = np.concatenate([lists.chunks, found[1]])
    order = np.argsort(owners * (int(chunks.max(initial=0)) + 1) + chunks, kind="stable")
    lengths = np.bincount(owners, minlength=len(lists.lengths))
    return DenseLists(lengths, chunks[order].astype(np.int32), np.concatenate([lists.values, found[2]])[order])


def _concatenated(lists: list[DenseLists]) -> DenseLists:
    import numpy as np

    lengths, chunks, values = zip(*((one.lengths, one.chunks, one.values) for one in lists), strict=True)
    return DenseLists(np.concatenate(lengths), np.concatenate(chunks), np.concatenate(values))


def quantised(lists: DenseLists) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
    """Returns each list's smallest and largest value, 0 for an empty list, and every value as 255ths of the way
    between."""
    import numpy as np

    low, high = np.zeros((2, len(lists.lengths)), np.int64)
    filled = lists.lengths > 0
    if filled.any():
        starts = starts_of(lists.lengths)[:-1][filled]
        low[filled] = np.minimum.reduceat(lists.values, starts)
        high[filled] = np.maximum.reduceat(lists.values, starts)
    way = np.repeat(high - low, lists.lengths)
    steps = ((lists.values - np.repeat(low, lists.lengths)) * 510 + way) // (2 * np.maximum(1, way))
    return low, high, steps.astype(np.uint8)
