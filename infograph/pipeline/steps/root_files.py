"""The files of a tree's root besides its index: for language models, for validators, for web hosts and for browsers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from infograph import web
from infograph.formats.hrefs import source_address
from infograph.formats.index_json import schema_bytes
from infograph.formats.marks import NO_JEKYLL_TEXT
from infograph.formats.names import LLMS, LLMS_FULL, NO_JEKYLL, SCHEMA, page_path
from infograph.formats.page_file import PageText, render_page, render_pages
from infograph.index import PageLink, TreeListing, llms_files
from infograph.model import is_markdown
from infograph.pipeline.ours import is_ours
from infograph.pipeline.topic_graph import outline
from infograph.web import stemmers

if TYPE_CHECKING:
    from infograph.config.settings import Settings
    from infograph.index.hal import ChildTopic
    from infograph.pipeline.memory.topics import TopicGraph, TopicRecord
    from infograph.pipeline.topic_graph import Listing


ReadableTexts = Callable[[Iterable[str]], Iterable[tuple[str, str]]]
"""Returns paths of documents with their texts as a reader sees them; those that cannot be read now are left out."""


def root_files(settings: Settings, graph: TopicGraph, listing: Listing, texts: ReadableTexts) -> dict[str, bytes]:
    """Returns the files by path: the `llms.txt` files, the schema of indexes, `.nojekyll` in a tree of outputs, where
    there is search, what browsers need for it, and what `index.pages` and `index.llms_full` ask for. An `llms.txt`,
    `llms-full.txt` or `.nojekyll` of somebody else's is left alone.

    listing: topics as indexes list them
    texts:   called only where pages are asked for
    """
    config = settings.config
    title, description = listing.entries[""].title, graph.topics[""].description
    files = _page_files(settings, graph, title, texts)
    listed = TreeListing(
        title,
        description,
        outline(listing.children),
        _page_links(settings, graph),
        config.index.base_url,
        len(files.get(LLMS_FULL, b"")),
    )
    files |= llms_files(listed)
    listings = [path for path in files if path == LLMS_FULL or path.rpartition("/")[2] == LLMS]
    for path in listings:
        if _is_foreign(settings, path):
            del files[path]
    files[SCHEMA] = schema_bytes()
    files |= _no_jekyll(settings)
    if config.search.enabled:
        shown = _shown(graph, listing)
        files |= web.files(
            stemmers.module(config.keywords.language), config.site.name or shown.title, shown.description
        )
    return files


def _page_files(settings: Settings, graph: TopicGraph, title: str, texts: ReadableTexts) -> dict[str, bytes]:
    """Returns the files of pages as a reader sees them, and all of them as one, as far as the settings ask for them."""
    index = settings.config.index
    alone = index.pages and not settings.in_place
    if not (alone or index.llms_full):
        return {}
    titles = {path: own for topic in sorted(graph.topics) for path, own in _titled(graph.topics[topic])}
    pages = [PageText(path, titles[path], text) for path, text in texts(titles)]
    files = {page_path(page.path): render_page(page) for page in pages} if alone else {}
    if index.llms_full:
        files[LLMS_FULL] = render_pages(title, pages)
    return files


def _page_links(settings: Settings, graph: TopicGraph) -> dict[str, list[PageLink]]:
    """Returns the pages of each topic that can be read as Markdown, if they can: as a reader sees them, beside their
    index, or where the settings say that documents lie."""
    index = settings.config.index
    found: dict[str, list[PageLink]] = {}
    for topic, record in graph.topics.items():
        for path, title in _titled(record):
            if index.pages and not settings.in_place:
                link = PageLink(title, page_path(path))
            elif not is_markdown(path):
                continue
            elif settings.in_place:
                link = PageLink(title, path)
            elif index.source_url:
                link = PageLink(title, "", source_address(index.source_url, path))
            else:
                continue
            found.setdefault(topic, []).append(link)
    return found


def _titled(record: TopicRecord) -> Iterator[tuple[str, str]]:
    """Yields path and title of each document of a topic."""
    return zip(record.documents, record.titles, strict=True)


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
