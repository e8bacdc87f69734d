"""The landmarks of a map: means of similar chunks, and which of them each chunk is most similar to.

    vectors ─▶ a sample ─▶ landmarks ─▶ the nearest landmark of each chunk

They are found from a sample that most edits of a large tree leave as it is, so that the next map starts from those of
the last one. Vectors are small whole numbers, whose products and sums are exact in any order: see `chunk_map`. What is
kept depends on the constants here and on how landmarks are laid out: another value needs another `STATE_FORMAT`.
"""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from infograph.formats.packed_arrays import Numbers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LANDMARKS = 240
CHUNKS_EACH = 4
"""Least chunks that a landmark stands for, on the average."""
SAMPLE = 4096
"""Most chunks that landmarks are found from."""
MEANS = 4
"""Times that chunks are given to landmarks and these are moved to their mean."""
UNKNOWN = 255
"""Stands for the landmark of a chunk that has none yet: there are fewer than that."""

_STRIDE = 0x9E3779B97F4A7C15
"""Odd, and far from any simple share of 2^64: its multiples look like chance."""
_HEAD = struct.Struct("<3Q")
"""Number of landmarks, dimension, number of chunks."""
_DIGEST = 32
_LARGEST = 127
_AT_ONCE = 1024
"""Rows that are compared together: their similarities stay in the processor's cache."""
_BARELY = 1e-5
"""Share by which a landmark may seem less similar than the best one, in single precision, and be the best one."""


@dataclass(frozen=True, slots=True)
class Landmarks:
    """Landmarks, and where chunks are among them. All but what is said of new chunks stays where the sample does."""

    sample: bytes
    """Digest of the vectors that the landmarks were found from."""
    marks: NDArray[np.float32]
    """The landmarks, [landmarks, dimension], whole numbers."""
    laid: NDArray[np.float64]
    """Places of the landmarks before they are pushed apart, [landmarks, 2]."""
    nearest: NDArray[np.uint8]
    """The landmark of each chunk; `UNKNOWN` for a new one."""
    similar: NDArray[np.float64]
    """How similar each chunk is to it."""

    def renumbered(self, numbers: NDArray[np.int32], count: int) -> Landmarks:
        """Returns the same of other chunks.

        numbers: new number of each chunk; -1 for one that is gone
        count:   chunks there are now
        """
        import numpy as np

        stays = numbers >= 0
        nearest, similar = np.full(count, UNKNOWN, np.uint8), np.zeros(count)
        nearest[numbers[stays]], similar[numbers[stays]] = self.nearest[stays], self.similar[stays]
        return replace(self, nearest=nearest, similar=similar)

    def dump(self) -> bytes:
        """Returns the landmarks as bytes, for a file that one machine keeps for itself."""
        import numpy as np

        head = _HEAD.pack(*self.marks.shape, len(self.nearest))
        marks = self.marks.astype(np.int8).tobytes()
        return b"".join([head, self.sample, marks, self.laid.tobytes(), self.nearest.tobytes(), self.similar.tobytes()])

    @classmethod
    def load(cls, data: bytes) -> Landmarks:
        """Returns what `dump` was called of."""
        import numpy as np

        marks, dimension, chunks = _HEAD.unpack_from(data)
        at, found = _HEAD.size + _DIGEST, []
        for kind, shape in (("i1", (marks, dimension)), ("f8", (marks, 2)), ("u1", (chunks,)), ("f8", (chunks,))):
            found.append(np.frombuffer(data, kind, math.prod(shape), at).reshape(shape))
            at += found[-1].nbytes
        sample = data[_HEAD.size : _HEAD.size + _DIGEST]
        return cls(sample, found[0].astype(np.float32), *found[1:])


def chance_keys(paths: Sequence[str], sizes: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Returns a number for each chunk that looks like chance, and is the same whatever becomes of other pages.

    paths, sizes: of the pages the path and the number of chunks
    """
    import numpy as np

    digests = (hashlib.sha256(path.encode("utf-8", "surrogateescape")).digest()[:8] for path in paths)
    own = np.frombuffer(b"".join(digests), "<u8").astype(np.uint64)
    places = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    keys: NDArray[np.uint64] = np.repeat(own, sizes) + places.astype(np.uint64) * np.uint64(_STRIDE)
    return keys


def sampled(keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Returns the places of the `SAMPLE` least keys, ascending: one page more or less changes the sample by as many as
    it has chunks at most, and mostly by fewer."""
    import numpy as np

    if len(keys) <= SAMPLE:
        return np.arange(len(keys))
    return np.sort(np.argsort(keys, kind="stable")[:SAMPLE])


def landmarks(
    vectors: Numbers,
    order: NDArray[np.int64],
    keys: NDArray[np.uint64],
    lay_out: Callable[[NDArray[np.float32]], NDArray[np.float64]],
    before: Landmarks | None = None,
) -> Landmarks:
    """Returns the landmarks of chunks, which are those of an earlier map where its sample was the same.

    vectors: of all chunks, [chunks, dimension], at least one
    order:   the chunks in the order in which a sample is taken of them
    keys:    of each in that order: the chunks with the least keys are the sample
    lay_out: returns the places of landmarks
    before:  those of an earlier map, renumbered to these chunks
    """
    import numpy as np

    taken = _taken(vectors, order[sampled(keys)])
    rows = _Centred(vectors, taken)
    digest = hashlib.sha256(taken.tobytes()).digest()
    if before is None or before.sample != digest:
        marks = _means(rows.centred(taken))
        nearest, similar = _nearest(rows, marks)
        return Landmarks(digest, marks, lay_out(marks), nearest.astype(np.uint8), similar)
    fresh = np.flatnonzero(before.nearest == UNKNOWN)
    if len(fresh) > SAMPLE:  # held together they would take memory by their number
        nearest, similar = _nearest(rows, before.marks)
        return replace(before, nearest=nearest.astype(np.uint8), similar=similar)
    found = replace(before, nearest=before.nearest.copy(), similar=before.similar.copy())
    found.nearest[fresh], found.similar[fresh] = _nearest(rows.centred(_taken(vectors, fresh)), before.marks)
    return found


def _taken(vectors: Numbers, chosen: NDArray[np.int64]) -> NDArray[np.int16]:
    """Returns some of the vectors, in the order chosen."""
    import numpy as np

    some = np.empty((len(chosen), vectors.shape[1]), np.int16)
    for part in _parts(len(vectors)):
        own = np.flatnonzero((chosen >= part.start) & (chosen < part.stop))
        if len(own):
            some[own] = vectors[part][chosen[own] - part.start]
    return some


class _Centred:
    """Vectors less what those of a sample have in common, by slices: whole numbers, small enough for exact products."""

    def __init__(self, vectors: Numbers, sample: NDArray[np.int16]) -> None:
        import numpy as np

        self._vectors = vectors
        self._mean = np.rint(sample.sum(axis=0, dtype=np.int64) / len(sample)).astype(np.int16)

    def __len__(self) -> int:
        return len(self._vectors)

    def __getitem__(self, part: slice) -> NDArray[np.float32]:
        return self.centred(self._vectors[part])

    def centred(self, vectors: NDArray[Any]) -> NDArray[np.float32]:
        import numpy as np

        centred: NDArray[np.int16] = np.subtract(vectors, self._mean, dtype=np.int16)
        return centred.clip(-_LARGEST, _LARGEST, out=centred).astype(np.float32)


def _parts(count: int) -> Iterator[slice]:
    return (slice(start, start + _AT_ONCE) for start in range(0, count, _AT_ONCE))


def _means(sample: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns means of similar rows, whole numbers: k-means by cosine, which starts at rows that are evenly apart."""
    import numpy as np

    marks = sample[_evenly(len(sample), max(1, min(LANDMARKS, len(sample) // CHUNKS_EACH)))]
    for _ in range(MEANS):
        nearest, _ = _nearest(sample, marks)
        order = np.argsort(nearest, kind="stable")
        taken, begins = np.unique(nearest[order], return_index=True)
        sums = np.zeros(marks.shape)
        sums[taken] = np.add.reduceat(sample[order], begins, axis=0)
        peaks = np.abs(sums).max(axis=1, keepdims=True)
        means = np.rint(sums * _LARGEST / np.maximum(peaks, 1)).astype(np.float32)
        marks = np.where(peaks > 0, means, marks)
    return marks


def _evenly(count: int, most: int) -> NDArray[np.int64]:
    import numpy as np

    number = min(count, most)
    return np.arange(number) * count // max(1, number)


def _nearest(
    rows: _Centred | NDArray[np.float32], marks: NDArray[np.float32]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Returns the landmark that each row is most similar to, and how similar."""
    import numpy as np

    nearest, similar = np.empty(len(rows), np.int64), np.empty(len(rows), np.float64)
    lengths = _lengths(marks)
    shares = (1 / np.maximum(1, lengths)).astype(np.float32)
    for part in _parts(len(rows)):
        some = rows[part]
        products = some @ marks.T
        rough = products * shares
        best = rough.max(axis=1, keepdims=True)
        # The few that may be the best are compared exactly: mostly one.
        row, mark = np.nonzero(rough >= best - np.abs(best) * np.float32(_BARELY))
        cosines = products[row, mark].astype(np.float64) / np.maximum(1, _lengths(some)[row] * lengths[mark])
        begins = np.searchsorted(row, np.arange(len(products)))
        similar[part] = np.maximum.reduceat(cosines, begins)
        first = np.flatnonzero(cosines == similar[part][row])[::-1]  # the first of each row is put there last
        nearest[part][row[first]] = mark[first]
    return nearest, similar


def _lengths(rows: NDArray[np.float32]) -> NDArray[np.float64]:
    import numpy as np

    squares: NDArray[np.float64] = np.einsum("ij,ij->i", rows, rows).astype(np.float64)  # exact, as all sums of these
    return np.sqrt(squares)


def similarities(rows: NDArray[np.float32], marks: NDArray[np.float32]) -> NDArray[np.float64]:
    """Returns cosines, [rows, marks]; 0 where a vector has no direction."""
    import numpy as np

    products: NDArray[np.float64] = (rows @ marks.T).astype(np.float64)
    cosines: NDArray[np.float64] = products / np.maximum(1, _lengths(rows)[:, None] * _lengths(marks)[None])
    return cosines
