"""Works out which chunks a filter allows, from the columns of its fields alone: before anything is ranked.

A field that has no column and is one of hits (`page`, `title`, `section_path`, …) is looked at when a hit has been
read. A filter that depends on one in part is split: what columns decide holds before the ranking.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from infograph.errors import FilterError, FormatError
from infograph.formats.search_fields import (
    DATE,
    FLAG,
    HIT_NUMBERS,
    HIT_TEXTS,
    NUMBER,
    TEXT,
    day_of,
    number_of,
)
from infograph.search.format.bundle_manifest import BundleManifest
from infograph.search.format.chunk_sets import ChunkSet
from infograph.search.format.columns import FieldColumn, ValueSet, numbers_in, read_directory, texts_in
from infograph.search.format.filters import (
    All,
    Any_,
    Condition,
    FilterValue,
    Node,
    Not,
    conditions,
    nearest,
)
from infograph.search.format.posting_shards import Cursor
from infograph.search.format.results import Hit, Remarks
from infograph.search.ranking.scoring import ChunkPlace
from infograph.search.reading.bundle_shards import BundleShards
from infograph.search.reading.fetching import Asking, FileContent, ask_for
from infograph.search.reading.freshness import FRESHNESS, Day, freshness_as_dates
from infograph.search.reading.query import Allows, Passes

_OF_HITS = {**dict.fromkeys(HIT_TEXTS, TEXT), **dict.fromkeys(HIT_NUMBERS, NUMBER)}


class AbsentValue(NamedTuple):
    """A value of a filter that no chunk has."""

    field: str
    value: str

    def __str__(self) -> str:
        return f"no chunk has the {self.field} {_shown(self.value)}"


Absent = Mapping[AbsentValue, str]
"""Values that no chunk of a site has, each with the most frequent ones that its chunks have."""


@dataclass(frozen=True, slots=True)
class Narrowing:
    """A filter, worked out."""

    columns: Mapping[str, FieldColumn]
    """What the site says of its fields."""
    allows: Allows | None
    """What columns decide of it; None where they decide nothing."""
    passes: Passes | None
    """What is left to be decided by the hit; None where nothing is."""
    absent: Absent


@dataclass(slots=True)
class _Leaf:
    """A condition that a column decides: what it reads, and what that makes of a chunk."""

    condition: Condition
    column: FieldColumn
    texts: frozenset[str] = frozenset()
    names: Mapping[str, str] = field(default_factory=dict)
    """File of each text."""
    numbers: tuple[float, ...] = ()
    low: tuple[float, bool] | None = None
    """Bound of a range, and whether the bound itself is in it."""
    high: tuple[float, bool] | None = None

    def files(self) -> list[str]:
        """Returns the names of the files that it needs."""
        bounds = [bound[0] for bound in (self.low, self.high) if bound is not None]
        wanted = [*self.names.values(), *(_file_of(self.column, value) for value in (*self.numbers, *bounds))]
        needs_all = self.condition.values is None and self.high is None and not self.column.everywhere
        return [*wanted, self.column.exists or self.column.only_file] if needs_all else wanted


def directory(manifest: BundleManifest, remarks: Remarks) -> Asking[Mapping[str, FieldColumn] | None]:
    """Returns what the site says of its fields; nothing where it has none, None where that cannot be read."""
    if not manifest.fields:
        return {}
    files = yield from ask_for([manifest.fields], remarks)
    if manifest.fields not in files:
        return None
    try:
        return read_directory(manifest.fields, files[manifest.fields])
    except FormatError as error:
        remarks.missing[manifest.fields] = str(error)
        return None


def narrowed(node: All, shards: BundleShards, now: float, remarks: Remarks) -> Asking[Narrowing | None]:
    """Returns which chunks a filter allows; None where a file is missing that decides it, as the remarks then say.

    now: seconds since 1970, of which only `freshness` depends

    Raises FilterError for a field that the site does not have, and for values that are not of a field's type.
    """
    columns = yield from directory(shards.manifest, remarks)
    if columns is None:
        return None
    node = All(tuple(freshness_as_dates(part, now) for part in node.parts))
    leaves: dict[Condition, _Leaf] = {}
    for condition in conditions(node):
        if condition.field in columns:
            leaf = leaves[condition] = _leaf(condition, columns[condition.field])
            leaf.names = yield from shards.names(leaf.column.shards, sorted(leaf.texts), remarks)
        else:
            _check_hit_field(condition, columns)
    wanted = {name for leaf in leaves.values() for name in leaf.files() if name}
    files = yield from ask_for(sorted(wanted), remarks)
    directories = {name for leaf in leaves.values() for name in leaf.column.shards.directories}
    if wanted - files.keys() or directories & remarks.missing.keys():
        return None
    tests: dict[Condition, Allows] = {}
    absent: dict[AbsentValue, str] = {}
    for condition, leaf in leaves.items():
        try:
            tests[condition] = _test(leaf, files, absent)
        except FormatError as error:
            remarks.missing[error.place] = str(error)
            return None
    before = tuple(part for part in node.parts if all(c in tests for c in conditions(part)))
    after = tuple(part for part in node.parts if part not in before)
    return Narrowing(
        columns,
        (lambda chunk: _holds(All(before), chunk, None, tests)) if before else None,
        (lambda chunk, hit: _holds(All(after), chunk, hit, tests)) if after else None,
        absent,
    )


def _holds(node: Node, chunk: ChunkPlace, hit: Hit | None, tests: Mapping[Condition, Allows]) -> bool:
    if isinstance(node, All):
        return all(_holds(part, chunk, hit, tests) for part in node.parts)
    if isinstance(node, Any_):
        return any(_holds(part, chunk, hit, tests) for part in node.parts)
    if isinstance(node, Not):
        return not _holds(node.part, chunk, hit, tests)
    return tests[node](chunk) if node in tests else hit is not None and _of_hit(node, hit)


def _of_hit(condition: Condition, hit: Hit) -> bool:
    own: Any = getattr(hit, condition.field)
    values = own if isinstance(own, tuple) else (own,)
    if condition.ranges:
        bounds = [(how, _number(condition, bound)) for how, bound in condition.ranges]
        return all(_within(value, how, bound) for value in values for how, bound in bounds)
    if condition.values is None:
        return values not in ((), ("",))
    wanted = _wanted(condition, _OF_HITS[condition.field])
    return any(value in wanted for value in values)


def _within(value: float, how: str, bound: float) -> bool:
    if how.startswith("g"):
        return value > bound or (how == "gte" and value == bound)
    return value < bound or (how == "lte" and value == bound)


def _check_hit_field(condition: Condition, columns: Mapping[str, FieldColumn]) -> None:
    """Raises FilterError for a field that neither columns nor hits have, or for a value that it cannot have."""
    name = condition.field
    if name not in _OF_HITS:
        known = sorted({*columns, *_OF_HITS, *((FRESHNESS,) if "created_at" in columns else ())})
        near = nearest(name, known)
        hint = f"Did you mean {near}? " if near else ""
        raise FilterError("filters", f"there is no field {_shown(name)}", f"{hint}There are: {', '.join(known)}")
    if condition.ranges:
        if _OF_HITS[name] != NUMBER:
            raise _no_range(name, TEXT)
        for _, bound in condition.ranges:
            _number(condition, bound)
    _wanted(condition, _OF_HITS[name])


def _leaf(condition: Condition, column: FieldColumn) -> _Leaf:
    leaf = _Leaf(condition, column)
    if not column.chunks:
        if condition.ranges and column.type in (TEXT, FLAG):
            raise _no_range(condition.field, column.type)
        _wanted(condition, column.type)
        return leaf
    if column.type in (TEXT, FLAG):
        if condition.ranges:
            raise _no_range(condition.field, column.type)
        leaf.texts = frozenset(_wanted(condition, column.type))
        return leaf
    leaf.numbers = tuple(_wanted(condition, column.type))
    for how, bound in condition.ranges:
        value = _number(condition, bound) if column.type == NUMBER else _day(condition, bound)
        edge = (value, how.endswith("e"))
        if how.startswith("g"):
            leaf.low = edge if leaf.low is None else max(leaf.low, edge, key=lambda own: (own[0], not own[1]))
        else:
            leaf.high = edge if leaf.high is None else min(leaf.high, edge)
    return leaf


def _test(leaf: _Leaf, files: Mapping[str, FileContent], absent: dict[AbsentValue, str]) -> Allows:
    """Returns which chunks a condition allows. Raises FormatError for a malformed file.

    absent: takes the values of the condition that no chunk has
    """
    column, condition = leaf.column, leaf.condition
    if not column.chunks:
        return lambda chunk: False
    if column.type in (TEXT, FLAG) and condition.values is not None:
        sets: dict[str, ValueSet] = {}
        for name in dict.fromkeys(filter(None, leaf.names.values())):
            sets |= texts_in(files[name], name, leaf.texts)
        for text in sorted(leaf.texts - sets.keys()):
            absent[AbsentValue(condition.field, text)] = ", ".join(own.value for own in column.frequent)
        return lambda chunk: any(chunk in own for own in sets.values())
    if condition.values is not None:
        equal = [_parts(column, value, files) for value in leaf.numbers]
        found = [
            own for value, (_, entries) in zip(leaf.numbers, equal, strict=True) for at, own in entries if at == value
        ]
        return lambda chunk: any(chunk in own for own in found)
    everything = _everything(column, files) if leaf.high is None else _below(column, *leaf.high, files)
    if leaf.low is None:
        return everything
    value, included = leaf.low
    too_low = _below(column, value, not included, files)
    return lambda chunk: everything(chunk) and not too_low(chunk)


def _everything(column: FieldColumn, files: Mapping[str, FileContent]) -> Allows:
    """Returns which chunks have a value of the field."""
    if column.everywhere:
        return lambda chunk: True
    name = column.exists or column.only_file
    if column.exists:
        found = ChunkSet()
        found.add(Cursor(files[name], name))
        return found.__contains__
    texts = column.type in (TEXT, FLAG)
    sets = list(texts_in(files[name], name).values()) if texts else [own for _, own in numbers_in(files[name], name)[1]]
    return lambda chunk: any(chunk in own for own in sets)


def _below(column: FieldColumn, bound: float, included: bool, files: Mapping[str, FileContent]) -> Allows:
    """Returns which chunks have a value below a bound, or the bound itself where that is included."""
    if not _file_of(column, bound):
        return lambda chunk: False
    below, entries = _parts(column, bound, files)
    found = [own for value, own in entries if value < bound or (included and value == bound)]
    return lambda chunk: chunk in below or any(chunk in own for own in found)


def _parts(
    column: FieldColumn, value: float, files: Mapping[str, FileContent]
) -> tuple[ChunkSet, list[tuple[float, ValueSet]]]:
    name = _file_of(column, value)
    return numbers_in(files[name], name) if name else (ChunkSet(), [])


def _file_of(column: FieldColumn, value: float) -> str:
    """Returns the name of the file that a number would be in; empty for one that is less than all."""
    place = bisect_right([own.least for own in column.files], value)
    return column.files[place - 1].name if place else ""


def _wanted(condition: Condition, kind: str) -> list[Any]:
    """Returns the values of a condition as the field has them. Raises FilterError for one of another type."""
    return [_as(condition, value, kind) for value in condition.values or ()]


def _as(condition: Condition, value: FilterValue, kind: str) -> Any:
    if kind == NUMBER:
        return _number(condition, value)
    if kind == DATE:
        return _day(condition, value)
    if kind == FLAG:
        text = json.dumps(value) if isinstance(value, bool) else str(value).lower()
        if text not in ("true", "false"):
            raise _unfit(condition, value, "true or false")
        return text
    if not isinstance(value, str):
        raise _unfit(condition, value, "a text")
    return value


def _number(condition: Condition, value: FilterValue) -> float:
    number = number_of(value) if isinstance(value, str) else None if isinstance(value, bool) else value
    if number is None:
        raise _unfit(condition, value, "a number")
    return number


def _day(condition: Condition, value: FilterValue) -> float:
    if isinstance(value, Day):
        return value
    day = day_of(value) if isinstance(value, str) else None
    if day is None:
        raise _unfit(condition, value, "a date like 2024-01-31")
    return day


def _unfit(condition: Condition, value: FilterValue, wanted: str) -> FilterError:
    return FilterError(f"filters.{condition.field}", f"has to be {wanted}, not {_shown(value)}")


def _no_range(name: str, kind: str) -> FilterError:
    return FilterError(f"filters.{name}", f"is a {kind}, and ranges are of numbers and dates", "Give values")


def _shown(value: FilterValue) -> str:
    return json.dumps(value, ensure_ascii=False)[:80]
