"""The fields of `_graph/manifest.json` that a reader needs, and how it reads them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import orjson

from infograph.errors import FormatError
from infograph.formats.codec import DecodeError, decode
from infograph.formats.names import GRAPH_MANIFEST
from infograph.search.format.bundle_manifest import BoundedCount, BoundedPositive, ShardTable, UnknownFormatError
from infograph.search.format.graph_layout import GRAPH_FORMAT
from infograph.search.format.layout import LARGEST_MANIFEST


@dataclass(frozen=True, slots=True)
class WalkParameters:
    """How a search walks, see `ranking.walking`."""

    weight: float
    leads: BoundedPositive
    after: BoundedPositive
    entities: BoundedCount
    """Most entities that are followed in a hop."""
    asked: BoundedCount
    """Most words of a query that entities are looked up by."""
    related: float = 0.0
    """Share of a gain that what is related to the query's entities by what a language model said gives."""


@dataclass(frozen=True, slots=True)
class GraphManifest:
    """The manifest of a graph."""

    format: int
    chunks: BoundedCount
    entities: BoundedCount
    relations: BoundedCount
    block: BoundedPositive
    group: BoundedPositive
    largest_shard: BoundedCount
    entity_shards: ShardTable
    chunk_shards: ShardTable
    table: str
    """Name of the file of communities."""
    walk: WalkParameters
    said_shards: ShardTable | None = None
    """Where it is, what a language model said of entities."""


def read_graph_manifest(data: bytes) -> GraphManifest:
    """Reads a manifest. Raises FormatError where it is malformed, UnknownFormatError where its format is unknown."""
    hint = "Build the site again"
    if len(data) > LARGEST_MANIFEST:
        raise FormatError(GRAPH_MANIFEST, f"{len(data)} bytes, more than {LARGEST_MANIFEST}", hint)
    try:
        found = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise FormatError(GRAPH_MANIFEST, f"not JSON: {error}", hint) from None
    said = found.get("format") if isinstance(found, dict) else None
    if said != GRAPH_FORMAT:
        reason = f"its format is {str(said)[:40]}, and this release of infograph knows {GRAPH_FORMAT}"
        raise UnknownFormatError(GRAPH_MANIFEST, reason, "Update infograph, or build the site again")
    try:
        manifest = decode(GraphManifest, found)
    except DecodeError as error:
        reason = f"a field is missing or of another kind: {error.placed}"
        raise FormatError(GRAPH_MANIFEST, reason, hint) from None
    tables = (manifest.entity_shards, manifest.chunk_shards, manifest.said_shards)
    if not (
        math.isfinite(manifest.walk.weight + manifest.walk.related)
        and all(table is None or table.whole() for table in tables)
    ):
        raise FormatError(GRAPH_MANIFEST, "its numbers or its names do not belong together", hint)
    return manifest
