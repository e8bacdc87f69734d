"""Diversity of a ranking: near-duplicates collapse, and hits that say something new move up. Pure functions.

Two chunks are **near-duplicates** where they stand in two pages, have the same title and section path, and their
SimHashes differ in at most `NEAR` bits. On a tree with five versions of its pages that joins 97% of the pairs of a
section's versions (99.9% of those that have nine tenths of their words in common), and one in ten thousand others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import mul

from infograph.search.format.results import Hit

NEAR = 8
"""Most bits, of the 64 of a SimHash, in which near-duplicates differ."""
DIVERSIFIED = 32
"""First hits of a ranking that are put into another order, whatever stretch is wanted: so the pages of an answer fit
together."""


def near(a: Hit, b: Hit) -> bool:
    """Whether two chunks are near-duplicates."""
    return (
        a.page != b.page
        and (a.title, a.section_path) == (b.title, b.section_path)
        and (int(a.simhash, 16) ^ int(b.simhash, 16)).bit_count() <= NEAR
    )


def collapse(hits: Iterable[Hit]) -> list[Hit]:
    """Returns each hit that is near none before it, with those after it that are near it as its `duplicates`.

    A hit is compared with the best of each group only: a chain of small changes does not join what is far apart.
    """
    groups: list[list[Hit]] = []
    by_section: dict[tuple[str, tuple[str, ...]], list[list[Hit]]] = {}
    for hit in hits:
        same = by_section.setdefault((hit.title, hit.section_path), [])
        group = next((group for group in same if near(group[0], hit)), None)
        if group is None:
            same.append([hit])
            groups.append(same[-1])
        else:
            group.append(hit)
    return [replace(best, duplicates=tuple(others)) for best, *others in groups]


def reach(chunks: Iterable[tuple[int, int]], wanted: int, group: int) -> int:
    """Returns how many of the ranked chunks to read for `wanted` hits, before their contents are known.

    group: number of slots whose blocks are in one file

    Versions of a chunk mostly have its index, and their slots lie in one group: which is in the same file. So chunks
    are taken until as many pairs of group and index are met, and no more files than pairs are fetched. Where two chunks
    share a pair the site has versions, some of which may lie in another group: half as many pairs again. (Exactly as
    many were too few for a quarter of the queries on such a tree, which cost a second round.)
    """
    places: set[tuple[int, int]] = set()
    taken, most = 0, wanted
    for slot, index in chunks:
        place = (slot // group, index)
        if place in places:
            most = wanted + wanted // 2
        places.add(place)
        if len(places) > most:
            break
        taken += 1
    return taken


def diversified(scores: Sequence[float], vectors: Sequence[Sequence[int]], share: float) -> list[int]:
    """Returns the order of maximal marginal relevance: the next is always the best by

        (1 - share) · score / best score  -  share · largest cosine with what was taken before

    vectors: one for each score; one that is empty, or of zeros only, stands for none and is near nothing
    share:   share of diversity, 0 to 1

    Carbonell and Goldstein, "The use of MMR, diversity-based reranking for reordering documents", 1998.
    """
    norms = [sum(map(mul, vector, vector)) ** 0.5 for vector in vectors]
    best = max(scores, default=0.0)
    nearest = [0.0] * len(scores)
    order: list[int] = []
    left = list(range(len(scores)))
    while left:
        # Ties go to the earlier one.
        chosen = max(left, key=lambda n: (1 - share) * (scores[n] / best if best > 0 else 0) - share * nearest[n])
        left.remove(chosen)
        order.append(chosen)
        for n in left:
            both = norms[n] * norms[chosen]
            if both:
                nearest[n] = max(nearest[n], sum(map(mul, vectors[n], vectors[chosen])) / both)
    return order
