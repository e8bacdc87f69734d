"""Computes similarities: of chunks to their document's baselines, and of topics to each other.

The similarity of two topics is the cosine of their topic vectors, the normalised means of their chunks' vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from infograph.model import Keyword, RelatedTopic

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIMILARITY_DIGITS = 6
"""Decimal places of a written similarity."""
MINIMUM_RELATED_SIMILARITY = 0.3
"""Least cosine of two topics that are listed as related."""
MAXIMUM_SHARED_KEYWORDS = 5
"""Most keywords on the edge between two related topics."""
VECTOR_STEPS = 8192
"""Steps from 0 to 1 of the numbers in a sum of vectors: whole numbers of them add up alike in any order, and take less
than two bytes. The cosine of two topics with one chunk each is off by some 0.00005."""
EXACT = 2.0**26
"""Steps from 0 to 1 of the numbers in a topic vector. Products of two are whole multiples of 2^-52, and so are their
sums, which stay below 2: float64 holds each exactly. So a cosine is the same whatever the machine adds up first, and
whether one topic is compared with all, or all with all. It is off by some 1e-8."""
_ROWS_AT_ONCE = 256
"""Rows of the topic-to-topic matrix computed at once: 256 × 3,000 float64 are 6 MB."""


def rounded(similarity: float) -> float:
    """Returns a cosine as it is written: within [-1, 1], 6 places, never -0."""
    return round(min(1.0, max(-1.0, similarity)), SIMILARITY_DIGITS) + 0.0


def similarities(vectors: NDArray[np.float32], baseline: int) -> tuple[float, ...]:
    """Returns the rounded cosine of each row to the row `baseline`; rows are unit vectors.

    Summed in float64 in one fixed order: a matrix product may add up in another order on another machine, which
    shows in the sixth place once in a while.
    """
    import numpy as np  # imported here: only builds need it

    products = vectors.astype(np.float64) * vectors[baseline].astype(np.float64)
    return tuple(rounded(float(value)) for value in products.sum(axis=1))


def vector_sum(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """Returns the sum of a document's chunk vectors, each rounded to `VECTOR_STEPS`, from which `topic_vector` starts:
    an edit recomputes one document."""
    import numpy as np

    total: NDArray[np.float64] = np.add.reduce(np.rint(np.asarray(vectors, np.float64) * VECTOR_STEPS), axis=0)
    return total / VECTOR_STEPS


def topic_vector(sums: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Returns the normalised mean of all chunk vectors of a topic, in steps of 1 / `EXACT`; zero when they cancel out.

    sums: `vector_sum` of each document
    """
    import numpy as np

    total = np.add.reduce(np.stack(list(sums)), axis=0)
    length = float(np.sqrt((total * total).sum()))
    return np.asarray(np.rint(total / length * EXACT) / EXACT if length else total)


def related(
    ids: Sequence[str],
    titles: Sequence[str],
    vectors: NDArray[np.float64],
    scores: Callable[[str], Mapping[str, float]],
    limit: int,
    minimum: float = MINIMUM_RELATED_SIMILARITY,
    wanted: Collection[str] | None = None,
) -> dict[str, tuple[RelatedTopic, ...]]:
    """Returns the most similar other topics of each topic, nearest first, ties by id.

    An edge carries the keywords that both topics' tables have, each with the lower of its scores, at most the five
    highest.

    vectors: one `topic_vector` a row
    scores:  returns for an id the terms of the topic's authority table; asked for again and again
    wanted:  ids whose edges are returned; None: all
    """
    import numpy as np

    # In the order of ids, so that a stable sort by similarity breaks ties by id.
    order = sorted(range(len(ids)), key=lambda index: ids[index])
    matrix = np.asarray(vectors, dtype=np.float64)[order]
    edges: dict[str, tuple[RelatedTopic, ...]] = {}
    shared: dict[tuple[int, int], tuple[Keyword, ...]] = {}
    """Shared keywords by two places in `order`, the lower first: nearest topics mostly list each other."""
    rows = [row for row, index in enumerate(order) if wanted is None or ids[index] in wanted]
    for row, values in _cosines(matrix, rows):
        values[row] = -2.0  # itself, below everything
        enough = np.flatnonzero(values >= minimum)
        nearest = enough[np.argsort(-values[enough], kind="stable")[:limit]]
        found = []
        for column in nearest.tolist():
            pair = (row, column) if row < column else (column, row)
            if pair not in shared:
                shared[pair] = _shared(*(scores(ids[order[place]]) for place in pair))
            other = order[column]
            found.append(RelatedTopic(ids[other], titles[other], float(values[column]), shared[pair]))
        edges[ids[order[row]]] = tuple(found)
    return edges


def near(vectors: NDArray[np.float64], rows: Sequence[int], least: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Returns for each topic whether its similarity to one of some topics is at least its own number in `least`.

    vectors: one `topic_vector` a row
    rows:    rows of these topics
    """
    import numpy as np

    found = np.zeros(len(vectors), np.bool_)
    for _, values in _cosines(vectors, rows):
        found |= values >= least
    return found


def _cosines(vectors: NDArray[np.float64], rows: Sequence[int]) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Yields some rows, each with its rounded cosines to all."""
    import numpy as np

    for start in range(0, len(rows), _ROWS_AT_ONCE):
        some = rows[start : start + _ROWS_AT_ONCE]
        block = np.round(np.clip(vectors[some] @ vectors.T, -1.0, 1.0), SIMILARITY_DIGITS) + 0.0
        yield from zip(some, block, strict=True)


def _shared(ours: Mapping[str, float], theirs: Mapping[str, float]) -> tuple[Keyword, ...]:
    # Sorted as they are: with a function of a key, thousands of topics would take as long as all else of a build.
    both = sorted([(-min(ours[term], theirs[term]), term) for term in ours.keys() & theirs.keys()])
    return tuple([Keyword(term, -below) for below, term in both[:MAXIMUM_SHARED_KEYWORDS]])
