"""The map of the chunks: a place in the plane for each, near those that say similar things.

    vectors ─▶ landmarks, means of similar chunks ─▶ places of landmarks ─▶ places of chunks around their landmark

Landmarks attract those that they are most similar to, and push all others away, by the forces of t-SNE (van der Maaten
and Hinton, "Visualizing data using t-SNE", 2008), from a start at their principal components. Chunks lie around their
landmark as seeds in a sunflower, the most similar in the middle, so that none hides another.

The bytes are equal on every machine, whatever BLAS numpy has: vectors are small whole numbers, whose products and sums
are exact in any order; so are places and forces, which are rounded to grids; and no function is used but those that
IEEE 754 rounds exactly (+, -, ×, /, √).
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from infograph.formats.marks import WEB_MARK
from infograph.formats.packed_arrays import Numbers
from infograph.web.landmarks import Landmarks, chance_keys, landmarks, similarities

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NEAREST = 6
"""Landmarks that one attracts."""
STEPS = 80
"""Times that the forces act on landmarks; in the first quarter, attraction is `EAGER` times as strong. Twice as
many put no more of the ten chunks beside each that it is most similar to, on five trees."""
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

_STEPS = 256
"""Places of landmarks are multiples of 1 through this, where forces are worked out."""
_FARTHEST = 512
"""Greatest number in a place: 18 bits with those of the fraction."""
_MOST_PUSH = 1 << 14
_FORCE_BITS, _PUSH_BITS = 24, 13
"""Bits of the fraction of forces, which are at most 8, and of pushes, which are at most `_MOST_PUSH`: 240 of them, each
times a place, have a sum of less than 2^53 steps, so that no order in which they are added rounds anything."""
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


def map_file(
    pages: Sequence[MappedPage], vectors: Numbers, before: Landmarks | None = None
) -> tuple[bytes, Landmarks | None]:
    """Returns the file of the map, and what the next one can start from: None for a map without a chunk.

    The file is JSON with each page's path, number of chunks and slot, in order of paths, and in that order the places
    of all chunks, three bytes each, in base 64.

    vectors: of all chunks, page after page, [chunks, dimension], small whole numbers
    before:  of an earlier map, renumbered to these chunks; the file is the same without
    """
    import numpy as np

    order = sorted(range(len(pages)), key=lambda number: pages[number].path)
    starts = [0, *accumulate(page.size for page in pages)]
    rows = [np.arange(starts[number], starts[number + 1]) for number in order]
    by_path = [pages[number] for number in order]
    at, marks = np.zeros((0, 2), np.int64), None
    if rows and len(vectors):
        keys = chance_keys([page.path for page in by_path], np.array([page.size for page in by_path]))
        at, marks = places(vectors, np.concatenate(rows), keys, before)
    value = {
        "//": WEB_MARK.decode(),
        "pages": [[page.path, page.size, page.slot] for page in by_path],
        "places": base64.b64encode(_packed(at)).decode(),
    }
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n", marks


def places(
    vectors: Numbers, order: NDArray[np.int64], keys: NDArray[np.uint64], before: Landmarks | None = None
) -> tuple[NDArray[np.int64], Landmarks]:
    """Returns the place of each chunk, [chunks, 2], from 0 to `LEVELS` - 1 on both axes, and its landmarks.

    order:  the chunks, in the order in which their places are returned; at least one
    keys:   of each in that order: the chunks with the least keys are the sample
    before: see `map_file`
    """
    import numpy as np

    marks = landmarks(vectors, order, keys, _laid_out, before)
    nearest, similar = marks.nearest[order].astype(np.int64), marks.similar[order]
    counts = np.bincount(nearest, minlength=len(marks.marks))
    at = marks.laid
    radii, unit = _radii(at, counts)
    at = _apart(at, radii)
    # Those of a landmark one after the other, the most similar first.
    ranked = np.lexsort((np.arange(len(order)), -similar, nearest))
    rank = np.arange(len(order)) - np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])[nearest[ranked]]
    around = at[nearest]
    around[ranked] += unit * _seeds(int(counts.max()))[rank]
    return _levels(around), marks


def _packed(at: NDArray[np.int64]) -> bytes:
    """Returns both numbers of each place, 12 bits each."""
    import numpy as np

    x, y = at[:, 0], at[:, 1]
    return np.stack([x >> 4, ((x & 15) << 4) | (y >> 8), y & 255], axis=1).astype(np.uint8).tobytes()


def _laid_out(marks: NDArray[np.float32]) -> NDArray[np.float64]:
    """Returns the places of landmarks, [landmarks, 2]."""
    import numpy as np

    count = len(marks)
    similar = similarities(marks, marks)
    np.fill_diagonal(similar, -2)
    near = np.argsort(-similar, axis=1, kind="stable")[:, : min(NEAREST, count - 1)]
    ties = np.zeros((count, count))
    np.put_along_axis(ties, near, 1 / np.arange(1, near.shape[1] + 1)[None], axis=1)
    ties += ties.T
    start = marks.astype(np.float64) @ _components(marks)
    at = _rounded(start * 10 / max(1.0, float(np.abs(start).max())))
    at += _offsets(count)
    close, force, eager = np.empty_like(ties), np.empty_like(ties), ties * EAGER
    for step in range(STEPS):
        near_at = _on_grid(at)
        np.divide(1, _squares(near_at, close), out=close)
        np.subtract(close, eager if step < STEPS // 4 else ties, out=force)
        force *= close
        moves = _moves(force, near_at, _FORCE_BITS)
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
    squares = np.empty_like(least)
    at = at + _offsets(len(at))
    for _ in range(APART):
        near_at = _on_grid(at)
        distance = np.sqrt(_squares(near_at, squares) - 1)
        push = np.maximum(0, least - distance) / np.maximum(distance, 1 / _STEPS) * 0.4
        np.minimum(push, _MOST_PUSH, out=push)
        moves = _moves(push, near_at, _PUSH_BITS)
        if not moves.any():
            break
        at = _rounded(at + moves)
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
    return rounded.clip(-_FARTHEST, _FARTHEST, out=rounded)


def _offsets(count: int) -> NDArray[np.float64]:
    """Returns a small step for each landmark: those on the same place would never part."""
    import numpy as np

    offsets: NDArray[np.float64] = np.stack([np.arange(count) % 7, np.arange(count) % 11], axis=1) / 64
    return offsets


def _on_grid(at: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    rounded: NDArray[np.float64] = np.rint(at * _STEPS) / _STEPS
    return rounded


def _squares(at: NDArray[np.float64], out: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns 1 and the square of how far each landmark is from each other, [count, count], as one exact product.

    at: on the grid
    """
    import numpy as np

    own, one = (at * at).sum(axis=1), np.ones(len(at))
    return np.matmul(np.column_stack([-2 * at, own, one]), np.column_stack([at, one, own + 1]).T, out=out)


def _moves(factors: NDArray[np.float64], at: NDArray[np.float64], bits: int) -> NDArray[np.float64]:
    """Returns the sum over all landmarks of how far each is from them, times its factors, [count, 2], as one exact
    product.

    factors: [count, count]; overwritten
    at:      on the grid
    bits:    of the fraction that factors are rounded to
    """
    import numpy as np

    factors *= 1 << bits
    sums = np.rint(factors, out=factors) @ np.column_stack([at, np.ones(len(at))])
    moves: NDArray[np.float64] = (at * sums[:, 2:] - sums[:, :2]) / (1 << bits)
    return moves
