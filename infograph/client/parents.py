"""Lists a section in the place of several of its chunks that a search has found (section 9.4 of the specification).

    ranking ─▶ three times as many hits as are wanted, at least 30 ─▶ what is shown of the chunks beside those of one
    page that may stand in one section ─▶ for each hit, the best first, the smallest section that has another one, of
    eight chunks at the most ─▶ one hit for it, where the best of them stands

Other hits stay as they are. For each of the first ten hits of the answer 30 are looked at, and three more for each one
after those, so that an answer does not depend on how many are asked for. Beside a search by chunks it reads what is
shown of neighbours, which most often stands in files that are read in any case.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from infograph.client.asks import Asks
from infograph.client.embedded import Rerank
from infograph.client.units import AROUND, LARGEST_PARENT, shared_section, unit_of
from infograph.search.format.results import Hit, Remarks
from infograph.search.ranking.scoring import ChunkPlace
from infograph.search.reading.asking import RankedHits, Searcher
from infograph.search.reading.query import Query

if TYPE_CHECKING:
    from infograph.client.tree import PublishedTree

FoldedHit = tuple[ChunkPlace, Hit, Hit]
"""A hit that may stand for a section, its chunk, and the first chunk of the section, or itself."""
AHEAD = 3
"""Hits that are looked at for each that is wanted; twice as many again as long as there are too few sections."""
LEAST = 30
"""Fewest hits that are looked at, and those that `every` folds and orders at once."""


def with_parents(
    tree: PublishedTree, query: Query, rerank: Rerank, searcher: Searcher, remarks: Remarks
) -> Asks[RankedHits]:
    """Returns the hits of a query, with sections in the place of several of their chunks."""
    found, parts = yield from sections_of_hits(tree, query, rerank, searcher, remarks)
    return listed(found, query, [(place, hit) for place, hit, _ in parts])


def sections_of_hits(
    tree: PublishedTree, query: Query, rerank: Rerank, searcher: Searcher, remarks: Remarks, *, every: bool = False
) -> Asks[tuple[RankedHits, list[FoldedHit]]]:
    """Returns so many hits of a query that there are as many as it wants once those of one section are one, and what
    they are then.

    every: see `_folded`. Then the number of hits does not depend on the offset, and is one of whole blocks of `LEAST`,
           each of which may be ordered anew: so it does not depend on the limit how a list begins
    """
    wanted = query.limit if every else query.end
    limit = max(LEAST, AHEAD * wanted) if query.limit else 0
    if every:
        limit = -(-limit // LEAST) * LEAST
    while True:
        found = yield from tree.ordered(replace(query, offset=0, limit=limit), rerank, searcher, remarks)
        parts = yield from _folded(tree, found, searcher, every)
        if not limit or len(parts) >= wanted or len(found.hits) < limit:
            return found, parts
        limit *= 2


def listed(found: RankedHits, query: Query, pairs: Sequence[tuple[ChunkPlace, Hit]]) -> RankedHits:
    """Returns what a query lists of its hits, with sections in the place of their chunks.

    found: the hits before
    """
    shown = pairs[query.first : query.end]
    return replace(
        found,
        hits=tuple(hit for _, hit in shown),
        chunks=tuple(place for place, _ in shown),
        total=max(len(pairs), found.total - (len(found.hits) - len(pairs))),
        total_relation="lte" if found.total_relation == "eq" else found.total_relation,
    )


def _folded(tree: PublishedTree, found: RankedHits, searcher: Searcher, every: bool) -> Asks[list[FoldedHit]]:
    """Returns hits with those of one section as one, where the best of them stood. Whether others of its section were
    found is asked of `seen` hits only, so that each part is the same of more hits.

    every: whether each hit stands for its section, be there others of it or not
    """
    pages: defaultdict[int, dict[int, Hit]] = defaultdict(dict)
    for (slot, index), hit in zip(found.chunks, found.hits, strict=True):
        pages[slot][index] = hit
    # Neighbours that cannot be read, or do not exist, tell nothing of a section, and are no fault of the answer.
    asking = searcher.shards.shown([(place, 0.0) for place in _beside(pages, every)], Remarks())
    rows: defaultdict[int, dict[int, Hit]] = defaultdict(dict)
    for (slot, index), row in (yield from tree.through(searcher, asking)):
        rows[slot][index] = row
    parts: list[FoldedHit] = []
    taken: defaultdict[int, set[int]] = defaultdict(set)
    ranks = {place: rank for rank, place in enumerate(found.chunks)}
    for rank, ((slot, index), hit) in enumerate(zip(found.chunks, found.hits, strict=True)):
        if index in taken[slot]:
            continue
        seen = max(LEAST, AHEAD * (len(parts) + 1), rank + 1)
        own = rows[slot] | pages[slot]
        others = {at for at in pages[slot] if ranks[slot, at] < seen} - {index}
        if every:
            others = {index - 1, index + 1}
        section = shared_section({at: row.section_path for at, row in own.items()}, index, others, taken[slot])
        opening = hit
        if section is not None:
            level, first, end = section
            taken[slot] |= set(range(first, end))
            unit = unit_of(hit.page, level, (first, end), [own[at] for at in range(first, end)])
            hit, opening = replace(hit, unit=unit), own[first]
        taken[slot].add(index)  # no section of a hit behind it holds it, too
        parts.append(((slot, index), hit, opening))
    return parts


def _beside(pages: dict[int, dict[int, Hit]], every: bool) -> list[ChunkPlace]:
    """Returns the chunks whose section paths tell whether hits stand in one section: those around hits that are near
    each other, or around every one."""
    found: set[ChunkPlace] = set()
    for slot, hits in pages.items():
        for index in hits:
            if every or any(0 < abs(other - index) < LARGEST_PARENT for other in hits):
                found |= {(slot, near) for near in range(max(0, index - AROUND), index + AROUND + 1)}
    return sorted(found - {(slot, index) for slot, hits in pages.items() for index in hits})
