"""The impact of a posting, ten bits: the fields that have the term (two), its occurrences in the chunk (three), the
length of the chunk (five).

All are raw, on fixed scales, so that a page's bytes depend on the page alone. The reader turns them into BM25 with
the manifest's average length and the term's document frequency. A length is at most 9% off; of counts only the first
few matter, since BM25 saturates. (Four bits for each lost 0.8% of nDCG@10 on the most sensitive question set.)

A term that stands in a field as well gains a fixed number beside the saturated count: that loses nothing of BM25's
shape, as more occurrences would (BM25F, Robertson, Zaragoza and Taylor, 2004), and needs no document frequency of
the field's own. Classes of counts and fields together in one byte lost a third of what fields gain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COUNTS = (1, 2, 3, 4, 6, 9, 14, 24)
"""Occurrences of a term in a chunk."""
LENGTHS = (
    8,
    9,
    11,
    13,
    15,
    18,
    21,
    25,
    29,
    35,
    41,
    48,
    57,
    67,
    78,
    92,
    109,
    128,
    150,
    177,
    208,
    245,
    289,
    340,
    400,
    470,
    554,
    652,
    767,
    903,
    1063,
    1251,
)
"""Lengths of a chunk in terms, repeats counted."""
REFERENCE_LENGTH = 150
"""Average length that `strongest` assumes: a constant, so that which postings are cut depends on no other page."""
K1, B = 1.2, 0.75
HEADING, NAME = 1, 2
"""Bits of the fields: a heading, above the chunk or in it; the name of the file, for the first chunk of a page."""
FIELD_BITS = 2
FIELDS = (0.0, 0.8, 0.4, 1.2)
"""What the saturated count gains, by the fields that have the term. Chosen by `benchmarks/search_constants.py`."""


def impacts(
    counts: NDArray[np.int64], lengths: NDArray[np.int64], fields: NDArray[np.integer] | int = 0
) -> NDArray[np.uint16]:
    """Returns the impact of each posting, counts and lengths replaced by the nearest on their scales."""
    import numpy as np

    def nearest(scale: tuple[int, ...], values: NDArray[np.int64]) -> NDArray[np.intp]:
        steps = np.array(scale, np.float64)
        return np.searchsorted(np.sqrt(steps[:-1] * steps[1:]), values)

    return (fields << 8 | nearest(COUNTS, counts) << 5 | nearest(LENGTHS, lengths)).astype(np.uint16)


def saturation(average: float, k1: float = K1, b: float = B) -> NDArray[np.float64]:
    """Returns the term frequency part of the score for each of the 1,024 impacts: BM25's (Robertson and Zaragoza,
    2009) and what the fields add."""
    import numpy as np

    counts = np.array(COUNTS, np.float64)[:, None]
    lengths = np.array(LENGTHS, np.float64)[None, :]
    table: NDArray[np.float64] = counts * (k1 + 1) / (counts + k1 * (1 - b + b * lengths / average))
    return (np.array(FIELDS)[:, None] + table.ravel()[None, :]).ravel()
