"""The files of a tree's root besides its index: for language models, for validators, for web hosts and for browsers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from infograph import web
from infograph.formats.index_json import schema_bytes
from infograph.formats.marks import NO_JEKYLL_TEXT
from infograph.formats.names import LLMS, NO_JEKYLL, SCHEMA
from infograph.index import llms_txt
from infograph.pipeline.ours import is_ours
from infograph.pipeline.topic_graph import outline
from infograph.web import stemmers

if TYPE_CHECKING:
    from infograph.config.settings import Settings
    from infograph.index.hal import ChildTopic
    from infograph.pipeline.memory.records import TopicGraph
    from infograph.pipeline.topic_graph import Listing


def root_files(settings: Settings, graph: TopicGraph, listing: Listing) -> dict[str, bytes]:
    """Returns the files by path: `llms.txt`, the schema of indexes, `.nojekyll` in a tree of outputs, and where there
    is search, what browsers need for it. An `llms.txt` or `.nojekyll` of somebody else's is left alone.

    listing: topics as indexes list them
    """
    config = settings.config
    title, description = listing.entries[""].title, graph.topics[""].description
    files = {
        LLMS: llms_txt(title, description, outline(listing.children), config.index.base_url),
        SCHEMA: schema_bytes(),
    }
    if _is_foreign(settings, LLMS):
        del files[LLMS]
    files |= _no_jekyll(settings)
    if config.search.enabled:
        shown = _shown(graph, listing)
        files |= web.files(
            stemmers.module(config.keywords.language), config.site.name or shown.title, shown.description
        )
    return files


def _shown(graph: TopicGraph, listing: Listing) -> ChildTopic:
    """Returns the first topic that holds more than one other: what readers see of a chain of folders."""
    topic = ""
    while not graph.topics[topic].documents and len(listing.children.get(topic, ())) == 1:
        (topic,) = (child.id for child in listing.children[topic])
    return listing.entries[topic]


def _no_jekyll(settings: Settings) -> dict[str, bytes]:
    """Returns the file that tells GitHub Pages to publish `_chunks`, for a tree of outputs that has none."""
    if settings.in_place or _is_foreign(settings, NO_JEKYLL):
        return {}
    return {NO_JEKYLL: NO_JEKYLL_TEXT}


def _is_foreign(settings: Settings, path: str) -> bool:
    """Whether somebody else's file has the path of an output."""
    return os.path.lexists(settings.out / path) and not is_ours(settings.out, path)
