"""Stripe order: maximal marginal relevance decided at build time (the specification, section 4).

Order the chunks by similarity to a baseline, then deal them out: stripe k takes every factor-th chunk from the
k-th on. The stripes one after the other are the order; its first N are spread over the whole range of similarity.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

MINIMUM = 8
"""With fewer chunks than this nothing is striped."""


def stripe_factor(n: int, override: int | None = None) -> int:
    """Number of stripes for n chunks (baselines not counted): max(2, min(n/2, round(√n))), or the one given.

    1, which is plain similarity order, for fewer than 8 chunks even when a factor is given.
    """
    if n < MINIMUM:
        return 1
    if override is not None:
        return min(override, n)
    return max(2, min(n // 2, round(math.sqrt(n))))


def stripe_order(similarities: Sequence[tuple[int, float]], factor: int) -> list[int]:
    """Chunk indices in stripe order, from (index, similarity) pairs.

    Most similar first within a stripe; equal similarities keep document order. Any factor gives every index once.
    """
    ranked = [index for index, _ in sorted(similarities, key=lambda pair: (-pair[1], pair[0]))]
    return [index for offset in range(factor) for index in ranked[offset::factor]]
