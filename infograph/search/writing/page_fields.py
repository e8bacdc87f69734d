"""What the chunks of a page have in the fields that can be filtered by, packed as a build remembers it.

It is JSON: an object of the fields that all chunks of the page have alike, and one of the others, with a list of values
for each chunk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import orjson

from infograph.formats.search_fields import Value, Values

Packed = tuple[dict[str, list[Value]], dict[str, list[list[Value]]]]


def pack_fields(chunks: Sequence[Mapping[str, Values]]) -> bytes:
    """Packs the fields of a page's chunks; nothing where they have none."""
    names = sorted({name for chunk in chunks for name, values in chunk.items() if values})
    if not names:
        return b""
    alike: dict[str, Values] = {}
    own: dict[str, list[Values]] = {}
    for name in names:
        rows = [chunk.get(name, ()) for chunk in chunks]
        if all(row == rows[0] for row in rows):
            alike[name] = rows[0]
        else:
            own[name] = rows
    return orjson.dumps((alike, own))


def unpack_fields(packed: bytes) -> Packed:
    """Returns what `pack_fields` packed: the fields that all chunks have alike, and the others."""
    if not packed:
        return {}, {}
    alike, own = orjson.loads(packed)
    return alike, own


def with_field(packed: bytes, name: str, values: Values) -> bytes:
    """Returns the packed fields with one more that all chunks of the page have alike."""
    alike, own = unpack_fields(packed)
    return orjson.dumps((dict(sorted({**alike, name: list(values)}.items())), own))
