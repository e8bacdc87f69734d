"""The map of the chunks: a place in the plane for each, near those that say similar things.

    vectors ─▶ landmarks, means of similar chunks ─▶ places of landmarks ─▶ places of chunks around their landmark

Landmarks attract those that they are most similar to, and push all others away, by the forces of t-SNE (van der Maaten
and Hinton, "Visualizing data using t-SNE", 2008), from a start at their principal components. Chunks lie around their
landmark as seeds in a sunflower, the most similar in the middle, so that none hides another.

The bytes are equal on every machine, whatever BLAS numpy has: vectors are small whole numbers, whose products and sums
are exact in any order; forces are rounded to a grid on which their sums are exact, too; and no function is used but
those that IEEE 754 rounds exactly (+, -, ×, /, √).
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from infograph.formats.marks import WEB_MARK
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
NEAREST = 6
"""Landmarks that one attracts."""
STEPS = 160
"""Times that the forces act on landmarks; in the first quarter, attraction is `EAGER` times as strong."""
EAGER = 4
LARGEST_STEP = 2.0
POWERS = 40
"""Times that a principal component is multiplied by the covariance."""
APART = 40
"""Most times that landmarks whose chunks overlap are pushed apart."""
FILLED = 0.4
"""Share of the plane that chunks take."""
LEVELS = 4096
"""Places on each axis: 12 bits, so that a chunk takes 3 bytes, and 4 in base 64."""

_GRID = float(1 << 26)
_LARGEST = 127
_AT_ONCE = 1024
"""Rows that are compared together: their similarities stay in the processor's cache."""
_BARELY = 1e-5
"""Share by which a landmark may seem less similar than the best one, in single precision, and be the best one."""
_TURN = (-0.7373688780783197, 0.6754902942615238)
"""Cosine and sine of the golden angle."""


@dataclass(frozen=True, slots=True)
class MappedPage:
    """A page by what the map says of it."""

    path: str
    size: int
    """Number of chunks."""
    slot: int
    """Number of the page in the search bundle."""


def map_file(pages: Sequence[MappedPage], vectors: Numbers) -> bytes:
    """Returns the file of the map: JSON with each page's path, number of chunks and slot, in order of paths, and in
    that order the places of all chunks, three bytes each, in base 64.

    vectors: of all chunks, page after page, [chunks, dimension], small whole numbers
    """
    import numpy as np

    order = sorted(range(len(pages)), key=lambda number: pages[number].path)
    starts = [0, *accumulate(page.size for page in pages)]
    rows = [np.arange(starts[number], starts[number + 1]) for number in order]
    at = places(vectors, np.concatenate(rows) if rows else None)
    value = {
        "//": WEB_MARK.decode(),
        "pages": [[page.path, page.size, page.slot] for page in map(pages.__getitem__, order)],
        "places": base64.b64encode(_packed(at)).decode(),
    }
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def places(vectors: Numbers, order: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Returns the place of each chunk, [chunks, 2], from 0 to `LEVELS` - 1 on both axes.

    order: the chunks, in the order in which their places are returned; None for that of the vectors
    """
    import numpy as np

    if not len(vectors):
        return np.zeros((0, 2), np.int64)
    order = np.arange(len(vectors)) if order is None else order
    rows = _Centred(vectors)
    marks = _landmarks(rows.taken(order[_evenly(len(order), SAMPLE)]))
    nearest, similar = (found[order] for found in _nearest(rows, marks))
    counts = np.bincount(nearest, minlength=len(marks))
    at = _laid_out(marks)
    radii, unit = _radii(at, counts)
    at = _apart(at, radii)
    # Those of a landmark one after the other, the most similar first.
    ranked = np.lexsort((np.arange(len(rows)), -similar, nearest))
    rank = np.arange(len(rows)) - np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])[nearest[ranked]]
    around = at[nearest]
    around[ranked] += unit * _seeds(int(counts.max()))[rank]
    return _levels(around)


def _packed(at: NDArray[np.int64]) -> bytes:
    """Returns both numbers of each place, 12 bits each."""
    import numpy as np

    x, y = at[:, 0], at[:, 1]
    return np.stack([x >> 4, ((x & 15) << 4) | (y >> 8), y & 255], axis=1).astype(np.uint8).tobytes()


class _Centred:
    """Vectors less what all have in common, by slices: whole numbers, small enough for exact products."""

    def __init__(self, vectors: Numbers) -> None:
        import numpy as np

        sums = [vectors[part].sum(axis=0, dtype=np.int64) for part in _parts(len(vectors))]
        self._vectors = vectors
        self._mean = np.rint(np.sum(sums, axis=0) / len(vectors)).astype(np.int16)

    def __len__(self) -> int:
        return len(self._vectors)

    def __getitem__(self, part: slice) -> NDArray[np.float32]:
        return self._centred(self._vectors[part])

    def taken(self, chosen: NDArray[np.int64]) -> NDArray[np.float32]:
        """Returns some of the vectors, in the order chosen."""
        import numpy as np

        some = np.empty((len(chosen), len(self._mean)), np.int16)
        for part in _parts(len(self)):
            own = np.flatnonzero((chosen >= part.start) & (chosen < part.stop))
            some[own] = self._vectors[part][chosen[own] - part.start]
        return self._centred(some)

    def _centred(self, vectors: NDArray[Any]) -> NDArray[np.float32]:
        import numpy as np

        centred: NDArray[np.int16] = np.subtract(vectors, self._mean, dtype=np.int16)
        return centred.clip(-_LARGEST, _LARGEST, out=centred).astype(np.float32)


def _parts(count: int) -> Iterator[slice]:
    return (slice(start, start + _AT_ONCE) for start in range(0, count, _AT_ONCE))


def _landmarks(sample: NDArray[np.float32]) -> NDArray[np.float32]:
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


def _similarities(rows: NDArray[np.float32], marks: NDArray[np.float32]) -> NDArray[np.float64]:
    """Returns cosines, [rows, marks]; 0 where a vector has no direction."""
    import numpy as np

    products: NDArray[np.float64] = (rows @ marks.T).astype(np.float64)
    cosines: NDArray[np.float64] = products / np.maximum(1, _lengths(rows)[:, None] * _lengths(marks)[None])
    return cosines


def _laid_out(marks: NDArray[np.float32]) -> NDArray[np.float64]:
    """Returns the places of landmarks, [landmarks, 2]."""
    import numpy as np

    count = len(marks)
    similar = _similarities(marks, marks)
    np.fill_diagonal(similar, -2)
    near = np.argsort(-similar, axis=1, kind="stable")[:, : min(NEAREST, count - 1)]
    ties = np.zeros((count, count))
    np.put_along_axis(ties, near, 1 / np.arange(1, near.shape[1] + 1)[None], axis=1)
    ties += ties.T
    start = marks.astype(np.float64) @ _components(marks)
    at = _rounded(start * 10 / max(1.0, float(np.abs(start).max())))
    # Landmarks with the same place would never part.
    at += np.stack([np.arange(count) % 7, np.arange(count) % 11], axis=1) / 64
    apart = _Differences(count)
    close, force, eager = np.empty_like(ties), np.empty_like(ties), ties * EAGER
    for step in range(STEPS):
        dx, dy = apart.of(at)
        np.multiply(dx, dx, out=close)
        close += 1
        close += np.multiply(dy, dy, out=force)
        np.divide(1, close, out=close)
        np.subtract(close, eager if step < STEPS // 4 else ties, out=force)
        force *= close
        moves = apart.sums(force)
        length = np.sqrt(moves[:, 0] * moves[:, 0] + moves[:, 1] * moves[:, 1])
        most = LARGEST_STEP * (1 - step / STEPS)
        at = _rounded(at + moves * np.minimum(1, most / np.maximum(length, most))[:, None])
    return at


def _components(marks: NDArray[np.float32]) -> NDArray[np.float64]:
    """Returns the directions of the most and the second most variance, [dimension, 2], by multiplying a fixed vector by
    the covariance again and again."""
    import numpy as np

    rows = marks.astype(np.float64)
    covariance = rows.T @ rows
    found: list[NDArray[np.float64]] = []
    for number in range(2):
        vector = ((np.arange(rows.shape[1]) * 40503 + 30011 * number) % 65536 - 32768).astype(np.float64)
        for _ in range(POWERS):
            vector = _scaled(covariance @ vector)
            for other in found:
                vector = _scaled(np.rint(vector - other * (float(vector @ other) / max(1.0, float(other @ other)))))
        found.append(vector)
    return np.stack(found, axis=1)


def _scaled(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns whole numbers of 16 bits, whose products with others have exact sums."""
    import numpy as np

    scaled: NDArray[np.float64] = np.rint(vector * 65536 / max(1.0, float(np.abs(vector).max())))
    return scaled


def _radii(at: NDArray[np.float64], counts: NDArray[np.int64]) -> tuple[NDArray[np.float64], float]:
    """Returns how far the chunks of each landmark reach, and the unit of `_seeds`: so that all together take `FILLED`
    of the plane."""
    import numpy as np

    width, height = (max(1.0, float(side)) for side in (at.max(axis=0) - at.min(axis=0)).tolist())
    unit = math.sqrt(width * height * FILLED / (4 * max(1, int(counts.sum()))))
    return unit * np.sqrt(counts.astype(np.float64)), unit


def _apart(at: NDArray[np.float64], radii: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pushes landmarks apart until their chunks do not overlap, or `APART` times."""
    import numpy as np

    least = radii[:, None] + radii[None]
    np.fill_diagonal(least, 0)
    apart = _Differences(len(at))
    for _ in range(APART):
        dx, dy = apart.of(at)
        distance = np.sqrt(dx * dx + dy * dy)
        push = np.maximum(0, least - distance) / np.maximum(distance, 1e-6) * 0.4
        if not push.any():
            break
        at = _rounded(at + apart.sums(push))
    return at


def _seeds(count: int) -> NDArray[np.float64]:
    """Returns places in a sunflower, [count, 2]: each takes the same area."""
    import numpy as np

    x, y, turned = 1.0, 0.0, []
    for _ in range(count):
        turned.append((x, y))
        x, y = x * _TURN[0] - y * _TURN[1], x * _TURN[1] + y * _TURN[0]
    seeds: NDArray[np.float64] = np.array(turned) * np.sqrt(np.arange(count) + 0.0)[:, None]
    return seeds


def _levels(at: NDArray[np.float64]) -> NDArray[np.int64]:
    import numpy as np

    low, high = at.min(axis=0), at.max(axis=0)
    scaled = (at - low) * (LEVELS - 1) / np.maximum(high - low, 1e-9)
    return np.where(high > low, np.rint(scaled), LEVELS // 2).astype(np.int64)


def _rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    rounded: NDArray[np.float64] = np.rint(values * 1048576) / 1048576
    return rounded


class _Differences:
    """How far each landmark is from each other on both axes, in arrays that are made once: to make them again at each
    step takes half of its time."""

    def __init__(self, count: int) -> None:
        import numpy as np

        self._axes = [np.empty((count, count)) for _ in range(2)]

    def of(self, at: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Returns the differences on each axis, [count, count]; they hold until the next call of either function."""
        import numpy as np

        for row, found in zip(np.ascontiguousarray(at.T), self._axes, strict=True):
            np.subtract(row[:, None], row, out=found)
        return self._axes

    def sums(self, factors: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns the sum of each row of the differences times factors, [count, 2]: exact, whatever the order."""
        import numpy as np

        moves = np.empty((len(factors), len(self._axes)))
        factors = factors * _GRID  # a power of two, so that nothing is rounded here
        for axis, found in enumerate(self._axes):
            found *= factors
            moves[:, axis] = np.rint(found, out=found).sum(axis=1) / _GRID
        return moves
