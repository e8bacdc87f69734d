"""What a fusion should give: the share of the answer that a chunk holds, and the weight that comes nearest to it.

Section 3.3.3.2 of the specification.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from infograph.evaluate.extra import missing_package

LEAST_DENOMINATOR = 1e-9
"""Sum of squares below which every weight does alike, so that a question teaches nothing."""

_WORD = re.compile(r"\w+")


def words_of(text: str) -> list[str]:
    """Returns the words of a text, in lower case."""
    return _WORD.findall(text.lower())


def lss(chunk: Sequence[str], answer: Sequence[str]) -> float:
    """Returns the longest subsequence similarity: the share of the answer's words that the chunk has in order."""
    return common(chunk, answer) / len(answer) if answer else 0.0


def common(one: Sequence[str], other: Sequence[str]) -> int:
    """Returns the length of the longest common subsequence of words."""
    try:
        from rapidfuzz.distance import LCSseq
    except ImportError as error:
        raise missing_package("rapidfuzz", error) from None
    return int(LCSseq.similarity(one, other))


def best_alpha(similar: Sequence[float], cosines: Sequence[float], words: Sequence[float]) -> float | None:
    """Returns the weight α in [0, 1] with the least squared distance of α · cosine + (1 - α) · words from LSS.

    similar: LSS of each chunk
    cosines: scaled scores by meaning, 0 to 1
    words:   scaled scores by words, 0 to 1

    None where every weight does alike. Closed form: Σ (LSS - words)(cosine - words) / Σ (cosine - words)², clipped.
    """
    above = below = 0.0
    for target, cosine, word in zip(similar, cosines, words, strict=True):
        above += (target - word) * (cosine - word)
        below += (cosine - word) ** 2
    return min(1.0, max(0.0, above / below)) if below >= LEAST_DENOMINATOR else None
