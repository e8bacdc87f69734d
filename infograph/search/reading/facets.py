"""Facets: how many chunks of a ranking have each value of a field. And a query with its filter worked out.

They count all chunks that the search ranks, after its filter and before near-duplicates are collapsed or hits are cut
to a page of results: for each word of the query the best some hundred chunks of the site.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from infograph.errors import FilterError, FormatError
from infograph.formats.search_fields import FLAG, TEXT
from infograph.search.format.columns import FieldColumn, ValueSet, texts_in
from infograph.search.format.filters import nearest
from infograph.search.format.layout import DIRECTORY, count_names, split_names
from infograph.search.format.results import Hit, Remarks, ValueCounts
from infograph.search.ranking.scoring import ChunkPlace
from infograph.search.reading.bundle_shards import BundleShards
from infograph.search.reading.fetching import Asking, ask_for
from infograph.search.reading.filtering import Absent, Narrowing, directory, narrowed
from infograph.search.reading.query import Passes, Query

MOST_VALUES = 1000
"""Most values of a field that can be counted: all of its files are read."""
SHOWN = 20
"""Most frequent values of a facet that an answer has."""
BY_COLUMNS_ALONE = "facets count chunks outside of `path`, too, and those that fields of hits would keep out"

CountsOfAll = Callable[[Sequence[ChunkPlace]], Mapping[str, Mapping[str, int]]]
"""Counts the values of some chunks, by field."""
Counted = Callable[[Sequence[ChunkPlace]], Mapping[str, ValueCounts]]
"""Counts the most frequent values that some chunks have, by field."""


def narrowed_query(query: Query, shards: BundleShards, remarks: Remarks) -> Asking[tuple[Query, Counted | None] | None]:
    """Returns a query that says which chunks its filter allows, and what counts its facets; None where a file is
    missing that decides it. Raises FilterError for fields and values that the site does not have."""
    found = yield from prepared(query, shards, remarks)
    if found is None:
        return None
    query, counts = found.query, found.counts
    for value, frequent in found.absent.items():
        note = f"{value}; the most frequent: {frequent}"
        if note not in remarks.notes:
            remarks.notes.append(note)
    if not query.facets:
        return query, None
    if query.passes is not None:
        remarks.notes.append(BY_COLUMNS_ALONE)
    return query, lambda chunks: {name: most_frequent(own) for name, own in counts(chunks).items()}


class Prepared(NamedTuple):
    """A query with its filter worked out."""

    query: Query
    """Says which chunks the filter allows."""
    counts: CountsOfAll
    absent: Absent


def prepared(query: Query, shards: BundleShards, remarks: Remarks) -> Asking[Prepared | None]:
    """Returns what one site makes of a query's filter and facets; None where a file is missing. Raises FilterError as
    `narrowed_query` does."""
    absent: Absent = {}
    if query.filters is None:
        columns = yield from directory(shards.manifest, remarks)
    else:
        found = yield from narrowed(query.filters, shards, query.now, remarks)
        columns = None if found is None else found.columns
        if found is not None:
            query, absent = _with_filter(query, found), found.absent
    if columns is None:
        return None
    counted: dict[str, Mapping[str, ValueSet]] = {}
    for name in dict.fromkeys(query.facets):
        sets = yield from _values(name, _column(name, columns), remarks)
        if sets is None:
            return None
        counted[name] = sets
    return Prepared(query, lambda chunks: {name: _counts(sets, chunks) for name, sets in counted.items()}, absent)


def most_frequent(counts: Mapping[str, int]) -> ValueCounts:
    """Returns the values that a facet shows, with their numbers."""
    best = sorted((value for value, count in counts.items() if count), key=lambda value: (-counts[value], value))
    return tuple((value, counts[value]) for value in best[:SHOWN])


def _with_filter(query: Query, found: Narrowing) -> Query:
    first, second = query.passes, found.passes
    passes: Passes | None = first or second
    if first is not None and second is not None:
        by_path, by_fields = first, second

        def both(chunk: ChunkPlace, hit: Hit) -> bool:
            return by_path(chunk, hit) and by_fields(chunk, hit)

        passes = both
    return replace(query, passes=passes, allows=found.allows)


def _column(name: str, columns: Mapping[str, FieldColumn]) -> FieldColumn:
    """Returns the column of a facet. Raises FilterError where there is none whose values can be counted."""
    known = sorted(own for own, column in columns.items() if column.type in (TEXT, FLAG))
    if name not in known:
        near = nearest(name, known)
        hint = (f"Did you mean {near}? " if near else "") + f"There are: {', '.join(known) or 'none'}"
        raise FilterError("facets", f"{name[:80]!r} is no field whose values are counted", hint)
    if columns[name].values > MOST_VALUES:
        reason = f"`{name}` has {columns[name].values:,} values, more than {MOST_VALUES:,}"
        raise FilterError("facets", reason, "Filter by it")
    return columns[name]


def _values(name: str, column: FieldColumn, remarks: Remarks) -> Asking[Mapping[str, ValueSet] | None]:
    """Returns the chunks of each value; None where a file cannot be read."""
    if not column.chunks:
        return {}
    names = split_names(column.shards.names)
    if column.shards.directories:
        listed = yield from ask_for(column.shards.directories, remarks)
        for own in column.shards.directories:
            joined = listed.get(own)
            if not isinstance(joined, str) or not 0 < count_names(joined) <= DIRECTORY:
                remarks.missing.setdefault(own, "no list of names")
                return None
            names += split_names(joined)
    files = yield from ask_for(names, remarks)
    found: dict[str, ValueSet] = {}
    for own in filter(None, names):
        try:
            if own not in files:
                return None
            found |= texts_in(files[own], own)
        except FormatError as error:
            remarks.missing[own] = str(error)
            return None
    return found


def _counts(sets: Mapping[str, ValueSet], chunks: Sequence[ChunkPlace]) -> Mapping[str, int]:
    return {value: sum(chunk in own for chunk in chunks) for value, own in sets.items()}
