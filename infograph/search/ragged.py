"""Lists of different lengths in one array, one after the other: `lengths` says where each ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def starts_of(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each list begins; one entry more for the end of the last."""
    import numpy as np

    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])


def owners_of(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """The list that each element is in."""
    import numpy as np

    return np.repeat(np.arange(len(lengths)), lengths)


def spread(lengths: NDArray[np.int64], chosen: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The elements of the chosen lists, in the order chosen: the place in `chosen`, and the place of the element."""
    import numpy as np

    taken = lengths[chosen]
    ends = np.cumsum(taken)
    begins = starts_of(lengths)[:-1][chosen] - (ends - taken)
    return owners_of(taken), np.arange(ends[-1] if len(ends) else 0) + np.repeat(begins, taken)


def places_in(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of each element in its own list."""
    import numpy as np

    return np.arange(int(lengths.sum())) - np.repeat(starts_of(lengths)[:-1], lengths)


def sums(flags: NDArray[np.bool_], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many elements of each list are flagged."""
    import numpy as np

    found = np.zeros(len(lengths), np.int64)
    filled = lengths > 0
    if filled.any():
        found[filled] = np.add.reduceat(flags, starts_of(lengths)[:-1][filled], dtype=np.int64)
    return found


def owners_at(lengths: NDArray[np.int64], flags: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The lists that have a flagged element, ascending."""
    import numpy as np

    return np.flatnonzero(sums(flags, lengths))
