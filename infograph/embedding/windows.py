"""Cuts texts longer than a model's input into windows, which are embedded one by one and pooled. Nothing is cut off.

The rule is the same for every model, so that two backends of one model agree:

- the fewest windows that hold the text, as equal in length as whole lines allow;
- a cut falls at the start of a line where one lies in the last quarter of the window, else after white
  space, else between two of the tokenizer's words; inside a word only where a single word fills that quarter;
- the text's vector is the mean of the windows' unit vectors, weighted by their number of tokens, scaled
  to length 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.embedding.base import FloatArray

_IN_WORD, _WORD, _SPACE, _LINE = range(4)


def cut_quality(text: str, offsets: Sequence[tuple[int, int]], words: Sequence[int | None]) -> list[int]:
    """Returns for each token how good a cut before it is; higher is better.

    offsets: half-open character range of each token in `text`, ascending
    words:   the word each token belongs to, as the tokenizer numbers them
    """
    quality = []
    end_before = 0
    word_before: int | None = None
    for (start, end), word in zip(offsets, words, strict=True):
        gap = text[end_before:start] or text[start : start + 1]  # some tokens begin with the space before the word
        if "\n" in gap:
            quality.append(_LINE)
        elif gap[:1].isspace():
            quality.append(_SPACE)
        else:
            quality.append(_IN_WORD if word is not None and word == word_before else _WORD)
        end_before, word_before = end, word
    return quality


def cut(quality: Sequence[int], limit: int) -> list[tuple[int, int]]:
    """Returns windows over `len(quality)` tokens as half-open ranges that tile them, none longer than `limit`."""
    windows = []
    start, end = 0, len(quality)
    while end - start > limit:
        count = -(-(end - start) // limit)
        furthest = start + -(-(end - start) // count)
        nearest = max(start + 1, furthest - (furthest - start) // 4)
        best = max(range(nearest, furthest + 1), key=lambda at: (quality[at], at))
        windows.append((start, best))
        start = best
    windows.append((start, end))
    return windows


def pool(vectors: FloatArray, tokens: Sequence[int]) -> FloatArray:
    """Returns the unit vector of a text from the unit vectors [windows, dimension] of its windows and their lengths."""
    import numpy as np

    if len(tokens) == 1:
        only: FloatArray = vectors[0]
        return only
    weights = np.asarray(tokens, np.float64)[:, None]
    pooled: FloatArray = unit((vectors * weights).sum(axis=0, keepdims=True))[0]
    return pooled


def unit(vectors: NDArray[np.float64]) -> FloatArray:
    """Returns rows scaled to length 1, computed in float64, so that a processor's order of summation does not show
    in the float32 result."""
    import numpy as np

    length = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
    scaled: FloatArray = (vectors / np.maximum(length, np.finfo(np.float64).tiny)).astype(np.float32)
    return scaled
