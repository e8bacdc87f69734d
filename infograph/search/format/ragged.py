"""Lists of different lengths in one array, one after the other: `lengths` says where each ends."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_AT_ONCE = 1_000_000
"""Elements that are summed together: bounds the memory that sums take."""


def starts_of(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns where each list begins, and last where the last one ends."""
    import numpy as np

    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])


def parts_of(lengths: NDArray[np.int64], size: int) -> Iterator[tuple[int, int]]:
    """Yields where some lists at a time begin and end, which have about `size` elements together; none are left out."""
    import numpy as np

    cuts = np.flatnonzero(np.diff(np.cumsum(lengths) // size)) + 1
    if len(lengths):
        yield from pairwise([0, *cuts.tolist(), len(lengths)])


def owners_of(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the list that each element is in."""
    import numpy as np

    return np.repeat(np.arange(len(lengths)), lengths)


def spread(lengths: NDArray[np.int64], chosen: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns for each element of the chosen lists, in the order chosen, its list's place in `chosen` and its own
    place."""
    import numpy as np

    taken = lengths[chosen]
    ends = np.cumsum(taken)
    begins = starts_of(lengths)[:-1][chosen] - (ends - taken)
    return owners_of(taken), np.arange(ends[-1] if len(ends) else 0) + np.repeat(begins, taken)


def places_in(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the place of each element in its own list."""
    import numpy as np

    return np.arange(int(lengths.sum())) - np.repeat(starts_of(lengths)[:-1], lengths)


def sums(values: NDArray[np.bool_] | NDArray[np.uint16], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the sum of each list: of flags, how many of its elements are flagged."""
    import numpy as np

    found = np.zeros(len(lengths), np.int64)
    filled = np.flatnonzero(lengths)
    starts = starts_of(lengths[filled])
    # numpy makes 64-bit numbers of all that it adds up at once.
    cuts = np.searchsorted(starts[:-1], np.arange(0, starts[-1] + _AT_ONCE, _AT_ONCE))
    for begin, end in pairwise(cuts.tolist()):
        if begin < end:
            part = values[starts[begin] : starts[end]]
            found[filled[begin:end]] = np.add.reduceat(part, starts[begin:end] - starts[begin], dtype=np.int64)
    return found


def owners_at(lengths: NDArray[np.int64], flags: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Returns the lists that have a flagged element, ascending."""
    import numpy as np

    filled = np.flatnonzero(lengths)
    if not len(filled):
        return filled
    return filled[np.logical_or.reduceat(flags, starts_of(lengths[filled])[:-1])]
