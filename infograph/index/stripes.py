"""Stripe order: maximal marginal relevance computed at build time (the specification, section 4).

Chunks are ordered by similarity to a baseline and dealt out: stripe k takes every factor-th chunk from the k-th on.
The concatenated stripes are the order; its first N are spread over the whole range of similarity.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

MINIMUM_STRIPED_CHUNKS = 8
"""Least number of chunks that are striped."""


def stripe_factor(n: int, override: int | None = None) -> int:
    """Returns the number of stripes for n chunks (baselines excluded): max(2, min(n/2, round(√n))), or `override`.

    It is 1, plain similarity order, for fewer than 8 chunks even with an override.
    """
    if n < MINIMUM_STRIPED_CHUNKS:
        return 1
    if override is not None:
        return min(override, n)
    return max(2, min(n // 2, round(math.sqrt(n))))


def stripe_order(similarities: Sequence[tuple[int, float]], factor: int) -> list[int]:
    """Returns chunk indices in stripe order, from pairs of index and similarity.

    The most similar come first within a stripe; equal similarities keep document order. Any factor gives every
    index once.
    """
    ranked = [index for index, _ in sorted(similarities, key=lambda pair: (-pair[1], pair[0]))]
    return [index for offset in range(factor) for index in ranked[offset::factor]]
