"""Works out a filter and facets over a federation: each site's columns say which of its chunks are allowed.

Asked are the sites that have a term of the query, and each has to have the fields: of a site that does not index one
it is not known which of its chunks have it. Where no site has a term, the federation's own directory of fields says
whether there are such fields at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from infograph.errors import FilterError
from infograph.search.format.federation import site_of
from infograph.search.format.results import Hit, Remarks, ValueCounts
from infograph.search.ranking.scoring import ChunkPlace
from infograph.search.reading.bundle_shards import BundleShards
from infograph.search.reading.facets import (
    BY_COLUMNS_ALONE,
    Counted,
    Prepared,
    most_frequent,
    narrowed_query,
    prepared,
)
from infograph.search.reading.federation import AT_ONCE, FederatedShards
from infograph.search.reading.fetching import Asking
from infograph.search.reading.filtering import Absent
from infograph.search.reading.query import Allows, Passes, Query


def federated_query(
    query: Query, shards: FederatedShards, numbers: Sequence[int], remarks: Remarks
) -> Asking[tuple[Query, Counted | None] | None]:
    """Returns what `narrowed_query` does, for sites that have been opened. None where no site can decide the filter;
    what one cannot decide is noted as missing, and none of its chunks is allowed.

    Raises FilterError for fields and values that a site does not have; where none has a word of the query, for those
    that no site of the federation has.
    """
    if not numbers and shards.manifest.fields:
        return (yield from narrowed_query(query, shards, remarks))

    def ask(number: int, own: BundleShards, said: Remarks) -> Asking[Prepared | None]:
        try:
            return (yield from prepared(replace(query, passes=None), own, said))
        except FilterError as error:
            reason = f"{error.reason}, in the site {shards.sites[number].id}"
            raise FilterError(error.place, reason, error.hint) from None

    decided: dict[int, Prepared] = {}
    for first in range(0, len(numbers), AT_ONCE):
        found = yield from shards.each(numbers[first : first + AT_ONCE], ask, remarks)
        decided |= {number: own for number, own in found.items() if own is not None}
    if numbers and not decided:
        return None
    remarks.notes += _absent_everywhere(own.absent for own in decided.values())
    passes = _passes(query.passes, decided)
    if query.facets and passes is not None and decided:
        remarks.notes.append(BY_COLUMNS_ALONE)
    counted = (lambda chunks: _counted(decided, chunks)) if query.facets else None
    return replace(query, passes=passes, allows=_allows(decided)), counted


def _allows(decided: Mapping[int, Prepared]) -> Allows | None:
    """Returns what columns decide; None where they decide nothing."""
    if all(own.query.allows is None for own in decided.values()):
        return None

    def allows(chunk: ChunkPlace) -> bool:
        number, slot = site_of(chunk[0])
        if number not in decided:
            return False
        of_site = decided[number].query.allows
        return of_site is None or of_site((slot, chunk[1]))

    return allows


def _passes(below: Passes | None, decided: Mapping[int, Prepared]) -> Passes | None:
    """Returns what is left to be decided by hits: by their paths, and by their fields."""
    if all(own.query.passes is None for own in decided.values()):
        return below

    def passes(chunk: ChunkPlace, hit: Hit) -> bool:
        number, slot = site_of(chunk[0])
        own = decided[number].query.passes if number in decided else None
        return (below is None or below(chunk, hit)) and own is not None and own((slot, chunk[1]), hit)

    return passes


def _counted(decided: Mapping[int, Prepared], chunks: Sequence[ChunkPlace]) -> Mapping[str, ValueCounts]:
    parts: dict[int, list[ChunkPlace]] = {}
    for place, index in chunks:
        number, slot = site_of(place)
        parts.setdefault(number, []).append((slot, index))
    totals: dict[str, Counter[str]] = {}
    for number, own in decided.items():
        for name, counts in own.counts(parts.get(number, ())).items():
            totals.setdefault(name, Counter()).update(counts)
    return {name: most_frequent(counts) for name, counts in totals.items()}


def _absent_everywhere(absent: Iterable[Absent]) -> list[str]:
    """Returns notes of the values that no chunk of any site has: what none has in one of them, those of another may."""
    first, *others = [*absent] or [{}]
    return list(dict.fromkeys(str(value) for value in first if all(value in own for own in others)))
