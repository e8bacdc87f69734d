"""The graph that a build publishes, for the retrievers of `infograph eval` that walk along it.

graph:1, graph:2   as `links`, then one step, two steps along the names that pages share: `search(…, graph=1)`

What is a name is decided by a whole build, such as by keyword tables of topics. So the tree is built once more, in a
folder of its own; vectors come from the cache.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from infograph.build import build
from infograph.config.settings import Config, Settings
from infograph.errors import ConfigError
from infograph.formats.names import GRAPH, GRAPH_MANIFEST
from infograph.progress import amount
from infograph.search.format.graph_manifest import read_graph_manifest
from infograph.search.reading.graph_walk import GraphWalk

GRAPHS = ("graph:1", "graph:2")
"""Names of the retrievers."""
_ENTITIES = "terms"
"""What the graph is made from where the configuration has none."""


def hops_of(retriever: str) -> int | None:
    """Steps along the graph; None for another retriever."""
    return int(retriever.rpartition(":")[2]) if retriever in GRAPHS else None


def graph_walk(fetch: Callable[[str], bytes], retriever: str) -> GraphWalk | None:
    """How a retriever walks; None for one that does not.

    fetch: returns a file of `graph_files`
    """
    hops = hops_of(retriever)
    return None if hops is None else GraphWalk(read_graph_manifest(fetch(GRAPH_MANIFEST)), hops)


def graph_files(settings: Settings, config: Config, documents: int) -> dict[str, bytes]:
    """Builds a tree and returns the files of its graph by the names that a reader asks for.

    documents: number of those that are measured

    Raises ConfigError where a build takes others, such as no plain text.
    """
    entities = _ENTITIES if config.graph.entities == "off" else config.graph.entities
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "site")
        own = replace(config, out=str(out), graph=replace(config.graph, entities=entities))
        own = replace(own, search=replace(own.search, enabled=True))
        summary = build(replace(settings, config=own, out=out, memory=Path(folder, "memory")))
        if summary.documents != documents:
            reason = (
                f"a build takes {summary.documents:,} of {amount(documents, 'document')}, so its graph is another's"
            )
            raise ConfigError("--retriever", f"`{GRAPHS[0]}`: {reason}", "Measure it on a tree of Markdown.")
        files = {path.name: path.read_bytes() for path in (out / GRAPH).glob("*.z")}
        return files | {GRAPH_MANIFEST: (out / GRAPH_MANIFEST).read_bytes()}
