"""The facts that writer and readers of `_graph/` share: names, format number, limits."""

from __future__ import annotations

from infograph.formats.names import COMMUNITIES, GRAPH, GRAPH_MANIFEST

GRAPH_FORMAT = 1

MANIFEST = GRAPH_MANIFEST.removeprefix(f"{GRAPH}/")

ALL = COMMUNITIES.removeprefix(f"{GRAPH}/")

LATEST = "latest-version"
"""Relation (RFC 5829) by which a plain name of an `--out` tree leads to what it stands for."""

MOST_NEIGHBOURS = 4
"""Most relations of an entity that are written, those of most weight."""
MOST_OF_COMMON = 8
"""Most chunks that are written of an entity in too many of them to be followed, those where it stands most often: for
a query of which no word is found."""
MOST_OF_CHUNK = 6
"""Most entities of a chunk that are written, those that tell it best from others."""

MOST_STATED = 6
"""Most relations of an entity that are written of those that a language model says chunks to state."""
MOST_EVIDENCE = 3
"""Most chunks that are written of such a relation."""


def community_name(id: str) -> str:
    """Name of a community's file; `id` is what the table has: with a version after a dot, that of an `--out` tree."""
    return f"c-{id}.json"


def community_of(name: str) -> str:
    """What `community_name` made a name of."""
    return name.removeprefix("c-").removesuffix(".json")
