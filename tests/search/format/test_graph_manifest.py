"""What a reader takes for the manifest of a graph, and what it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infograph.errors import FormatError
from infograph.search.format.bundle_manifest import UnknownFormatError
from infograph.search.format.graph_layout import GRAPH_FORMAT
from infograph.search.format.graph_manifest import read_graph_manifest
from infograph.search.format.layout import LARGEST_MANIFEST, joined_names

GOOD: dict[str, Any] = {
    "format": GRAPH_FORMAT,
    "chunks": 3,
    "entities": 2,
    "relations": 1,
    "block": 16,
    "group": 32,
    "largest_shard": 1000,
    "entity_shards": {"bits": 0, "names": joined_names([""])},
    "chunk_shards": {"bits": 1, "names": joined_names(["", ""])},
    "table": "g-0123456789abcdef.z",
    "walk": {"weight": 0.8, "leads": 4, "after": 2, "entities": 12, "asked": 8},
}


def encoded(**changed: Any) -> bytes:
    return json.dumps(GOOD | changed).encode()


def test_a_manifest_is_read() -> None:
    found = read_graph_manifest(encoded())
    assert (found.chunks, found.entities, found.relations, found.block, found.group) == (3, 2, 1, 16, 32)
    assert found.walk.weight == 0.8
    assert found.chunk_shards.names == joined_names(["", ""])


def test_a_manifest_may_be_as_large_as_is_allowed() -> None:
    data = encoded()
    read_graph_manifest(data + b" " * (LARGEST_MANIFEST - len(data)))
    with pytest.raises(FormatError, match=f"{LARGEST_MANIFEST + 1} bytes, more than {LARGEST_MANIFEST}"):
        read_graph_manifest(data + b" " * (LARGEST_MANIFEST - len(data) + 1))


@pytest.mark.parametrize("data", [b"[]", b"1", encoded(format=GRAPH_FORMAT + 1), encoded(format=None)])
def test_another_format_is_named(data: bytes) -> None:
    with pytest.raises(UnknownFormatError, match=f"knows {GRAPH_FORMAT}"):
        read_graph_manifest(data)


@pytest.mark.parametrize(
    "changed, reason",
    [
        ({"chunk_shards": {"bits": 1, "names": joined_names([""])}}, "do not belong together"),
        ({"entity_shards": {"bits": 2, "names": joined_names([""])}}, "do not belong together"),
        ({"block": 0}, "block"),
        ({"chunks": -1}, "chunks"),
        ({"walk": GOOD["walk"] | {"leads": 0}}, r"walk\.leads"),
        ({"walk": GOOD["walk"] | {"weight": "x"}}, r"walk\.weight"),
        ({"table": 3}, "table"),
    ],
)
def test_a_malformed_manifest_is_refused(changed: dict[str, Any], reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        read_graph_manifest(encoded(**changed))


def test_no_json_is_refused() -> None:
    with pytest.raises(FormatError, match="not JSON"):
        read_graph_manifest(b"{")
