"""The columns of a bundle, made of the fields of its pages: see `infograph.search.format.columns`.

They are made anew by each build, which is a few operations a chunk; what did not change is not deflated again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from infograph.formats.codec import dump
from infograph.formats.search_fields import FLAG, TEXT, SearchField, Value
from infograph.search.format.chunk_sets import WHOLE, encode_set
from infograph.search.format.columns import DOUBLE, KIND, SHOWN, FrequentValue, NumberFile
from infograph.search.format.encoding import hash32, top_bits, varint
from infograph.search.writing.page_fields import unpack_fields
from infograph.search.writing.shards import Shards

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COLUMN_BYTES = 4096
"""Bytes of a file of a column, before deflation, that the number of files aims at."""
COLUMNS_SHARE = 0.0175
"""Share of all files that columns have without taking any from others: 35 of 2,000."""

Masks = dict[int, int]
"""Chunks by the slots of their pages, as `encode_set` takes them."""


def files_needed(fields: int, max_files: int) -> tuple[int, int]:
    """Returns how many files columns may have, and how many of these others have to give up for them.

    fields: number of fields, each of which has a file at the least
    """
    if not fields:
        return 0, 0
    spare = int(COLUMNS_SHARE * max_files)
    most = max(fields + 1, spare)
    return most, most - spare


@dataclass(frozen=True, slots=True)
class PagePlaces:
    """The pages that have chunks, by slot."""

    sizes: Mapping[int, int]
    """Number of chunks of each page."""
    chunks: int
    """Number of all chunks."""

    def counted(self, masks: Masks) -> int:
        """Returns the number of chunks in a set."""
        return sum(self.sizes[slot] if mask == WHOLE else mask.bit_count() for slot, mask in masks.items())

    def others(self, masks: Masks) -> Masks:
        """Returns the chunks that are not in a set."""
        found = {}
        for slot, size in self.sizes.items():
            mask = masks.get(slot)
            if mask is None:
                found[slot] = WHOLE
            elif mask != WHOLE:
                found[slot] = ~mask & (1 << size) - 1
        return found

    def normal(self, masks: Masks) -> Masks:
        """Returns a set in which all chunks of a page are `WHOLE`."""
        return {slot: WHOLE if mask == (1 << self.sizes[slot]) - 1 else mask for slot, mask in masks.items()}


def columns(
    shards: Shards,
    slots: NDArray[np.int64],
    sizes: NDArray[np.int64],
    packed: Sequence[bytes],
    specs: Sequence[SearchField],
    most: int,
) -> str:
    """Adds the files of all columns; returns the name of their directory, empty without fields.

    packed: fields of each page, see `page_fields`
    most:   files that they may have
    """
    if not specs:
        return ""
    places = PagePlaces(dict(zip(slots.tolist(), sizes.tolist(), strict=True)), int(sizes.sum()))
    found = _inverted(places, slots.tolist(), packed, specs)
    made = {spec.name: _Column(places, found[spec.name], spec.type) for spec in specs}
    total = sum(column.size for column in made.values())
    spare = most - 1 - len(specs)
    rows = {
        name: column.written(shards, 1 + spare * column.size // max(1, total)) for name, column in sorted(made.items())
    }
    return _directory(shards, rows)


def field_directory(shards: Shards, fields: Mapping[str, str]) -> str:
    """Adds a directory of fields that no chunk has; returns its name.

    fields: type of each
    """
    return _directory(shards, {name: {"type": kind} for name, kind in sorted(fields.items())})


def _directory(shards: Shards, rows: Mapping[str, Any]) -> str:
    return shards.whole("n", orjson.dumps({"fields": rows}))


def _inverted(
    places: PagePlaces, slots: Sequence[int], packed: Iterable[bytes], specs: Sequence[SearchField]
) -> dict[str, dict[Value, Masks]]:
    """Returns the chunks that have each value, by field."""
    found: dict[str, dict[Value, Masks]] = {spec.name: {} for spec in specs}
    for slot, data in zip(slots, packed, strict=True):
        alike, own = unpack_fields(data)
        for name, values in alike.items():
            for value in values if name in found else ():
                found[name].setdefault(value, {})[slot] = WHOLE
        for name, rows in own.items():
            if name not in found:
                continue
            sets = found[name]
            for index, values in enumerate(rows):
                for value in values:
                    masks = sets.setdefault(value, {})
                    masks[slot] = masks.get(slot, 0) | 1 << index
    return {
        name: {value: places.normal(masks) for value, masks in sorted(sets.items())} for name, sets in found.items()
    }


class _Column:
    """One field."""

    def __init__(self, places: PagePlaces, sets: Mapping[Value, Masks], kind: str) -> None:
        self._places = places
        self._sets = sets
        self._kind = kind
        self._counts = {value: places.counted(masks) for value, masks in sets.items()}
        self._entries = {value: self._entry(value, masks) for value, masks in sets.items()}
        self.size = sum(map(len, self._entries.values()))
        """Bytes of all entries."""

    def _entry(self, value: Value, masks: Masks) -> bytes:
        if isinstance(value, str):
            text = value.encode()
            head = varint(len(text)) + text
        else:
            head = DOUBLE.pack(value)
        # The set of the others is shorter where it has fewer pages.
        inverted = 2 * len(masks) > len(self._places.sizes)
        if inverted:
            others = self._places.others(masks)
            inverted = len(others) < len(masks)
            masks = others if inverted else masks
        rest = varint(2 * self._counts[value] + inverted) + encode_set(masks)
        return head + varint(len(rest)) + rest

    def written(self, shards: Shards, most: int) -> dict[str, Any]:
        """Adds the files of the column, `most` at most; returns its row of the directory."""
        any_value = self._union(self._sets.values())
        chunks = self._places.counted(any_value)
        everywhere = chunks == self._places.chunks
        row: dict[str, Any] = {"type": self._kind, "values": len(self._sets), "chunks": chunks}
        if not chunks:
            return row
        files = min(max(1, most - 1), max(1, self.size // COLUMN_BYTES))
        if everywhere:
            row["everywhere"] = True
        elif files > 1:
            row["exists"] = shards.whole(KIND, encode_set(any_value))
        return row | (self._texts(shards, files) if self._kind in (TEXT, FLAG) else self._numbers(shards, files))

    def _texts(self, shards: Shards, files: int) -> dict[str, Any]:
        bits = files.bit_length() - 1
        parts: list[list[bytes]] = [[] for _ in range(1 << bits)]
        for value, entry in self._entries.items():
            parts[top_bits(hash32(str(value)), bits)].append(entry)
        best = sorted(self._counts, key=lambda value: (-self._counts[value], value))[:SHOWN]
        return {
            "shards": {"bits": bits, **shards.listed(KIND, [b"".join(part) for part in parts])},
            "frequent": dump(tuple(FrequentValue(str(value), self._counts[value]) for value in best)),
        }

    def _numbers(self, shards: Shards, files: int) -> dict[str, Any]:
        rows: list[NumberFile] = []
        below: Masks = {}
        waiting: list[Value] = []
        size = 0
        greatest = max(self._sets)
        for value, entry in self._entries.items():
            waiting.append(value)
            size += len(entry)
            if size * files >= self.size or value == greatest:
                data = encode_set(below) + b"".join([self._entries[own] for own in waiting])
                rows.append(NumberFile(float(waiting[0]), shards.whole(KIND, data)))
                below = self._union([below, *(self._sets[own] for own in waiting)])
                waiting, size = [], 0
        return {"files": dump(tuple(rows)), "most": float(greatest)}

    def _union(self, sets: Iterable[Masks]) -> Masks:
        found: Masks = {}
        for masks in sets:
            for slot, mask in masks.items():
                known = found.get(slot, mask)
                found[slot] = WHOLE if WHOLE in (mask, known) else mask | known
        return self._places.normal(found)
