"""Units as files have them: those of one type and level together, their number, and the slices that only a file tells.

UnitGroup in index.json          {"type": "table", "level": 2, "count": 2, "slices": [[[4, 120, 980]], [[5, 8], …]]}
a row in topic-spec.md           | table | 2 | 2 | 4:120-980; 5-8, … |

Of rows of one key the names are the keys, in the order of the slices: `"names": ["Oslo", …]`, and a column of the
table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, repeat

from infograph.formats.enriched_facts import read_claim
from infograph.formats.index_json import IndexItem, UnitGroup
from infograph.model import SaidOfChunk, SpecSource
from infograph.text.units import DERIVED, SPAN, WHOLE, PlacedUnit, Slice, derived_units, grouped


def groups_of_source(source: SpecSource) -> tuple[UnitGroup, ...]:
    """Returns the units of a document of a specification: those that follow from its chunks, counted, and its others.

    The document itself, which is one of level 0, is not among them.
    """
    paths = [chunk.section_path for chunk in source.chunks]
    keys, claims = keys_and_claims(chunk.enriched for chunk in source.chunks)
    return (*_counted(derived_units(paths, keys, claims)), *_listed(source.units))


def groups_of_items(items: Sequence[IndexItem]) -> tuple[UnitGroup, ...]:
    """Returns the units that follow from the chunks of a document of an index, counted."""
    keys = [(item.enriched.key if item.enriched else None) or "" for item in items]
    claims = [[(own.start, own.end) for own in item.enriched.propositions] if item.enriched else [] for item in items]
    return _counted(derived_units([item.section_path for item in items], keys, claims))


def keys_and_claims(said: Iterable[SaidOfChunk]) -> tuple[list[str], list[list[tuple[int, int]]]]:
    """Returns what `derived_units` makes units of, among what a language model said of each chunk of a document."""
    keys: list[str] = []
    claims: list[list[tuple[int, int]]] = []
    for own in said:
        keys.append(str(own.get("key", "")))
        claimed = own.get("propositions", ())
        read = map(read_claim, claimed) if isinstance(claimed, list | tuple) else ()
        claims.append([(claim["start"], claim["end"]) for claim in read])
    return keys, claims


def _counted(units: Iterable[PlacedUnit]) -> tuple[UnitGroup, ...]:
    return tuple(UnitGroup(type=type, level=level, count=len(own)) for (type, level), own in grouped(units))


def _listed(units: Iterable[PlacedUnit]) -> tuple[UnitGroup, ...]:
    return tuple(
        UnitGroup(
            type=type,
            level=level,
            count=len(own),
            slices=tuple(unit.slices for unit in own),
            names=tuple(unit.name for unit in own) if any(unit.name for unit in own) else (),
        )
        for (type, level), own in grouped(units)
    )


def units_of_groups(groups: Iterable[UnitGroup]) -> list[PlacedUnit]:
    """Returns the units whose slices are listed, as a specification has them. Raises ValueError for slices of a type
    that follows from the chunks."""
    found = [
        PlacedUnit(group.type, group.level, slices, name)
        for group in groups
        for slices, name in zip(group.slices, chain(group.names, repeat("")), strict=False)
    ]
    if twice := next((unit.type for unit in found if unit.type in DERIVED), ""):
        raise ValueError(f"a {twice} follows from the chunks, and has no slices of its own")
    return found


def written_slices(units: Sequence[Sequence[Slice]]) -> str:
    """Returns the slices of several units as one text."""
    return "; ".join(", ".join(map(written_slice, slices)) for slices in units)


def written_slice(own: Slice) -> str:
    """Returns one slice as a text: `5-8` of chunks, `4:120-980` of bytes of chunk 4."""
    return f"{own[0]}:{own[1]}-{own[2]}" if len(own) == SPAN else f"{own[0]}-{own[1]}"


def read_slices(text: str) -> tuple[tuple[Slice, ...], ...]:
    """Returns what `written_slices` was given. Raises ValueError for any other text."""
    return tuple(tuple(_read(own.strip()) for own in slices.split(",")) for slices in text.split(";")) if text else ()


def _read(own: str) -> Slice:
    chunk, colon, rest = own.rpartition(":")
    numbers = [*([chunk] if colon else []), *rest.split("-")]
    if len(numbers) != (SPAN if colon else WHOLE) or not all(n.isascii() and n.isdigit() for n in numbers):
        raise ValueError(own)
    return tuple(map(int, numbers))
