"""Renders a topic specification as HAL+JSON: the pages of its `index.json`.

    TopicSpec, children ─topic_index▶ IndexPage…

The specification, "Index.json Schema Extensions", fixes the keys; `infograph.formats.index_json` is the format in
full.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from infograph.errors import FormatError
from infograph.formats.chunk_href import file_of_chunk, fragment_of
from infograph.formats.hrefs import Hrefs, index_path, source_address
from infograph.formats.index_bytes import encode_line, refusing
from infograph.formats.index_json import (
    HAL_RESERVED,
    OWN_RELATIONS,
    DocumentChunks,
    EmbeddedTopic,
    Link,
    Links,
    TopicLinks,
    dump_item,
    six_places,
)
from infograph.formats.names import (
    CHUNKS,
    INDEX,
    KEYWORDS,
    LLMS,
    PACKED,
    SCHEMA,
    SPEC,
    VERSION_DIGITS,
    communities_path,
    index_name,
    join,
    manifest_path,
    named_by,
    page_path,
    spec_name,
    version_of,
)
from infograph.formats.unit_groups import groups_of_source
from infograph.index.paging import IndexPage, Part, paginate
from infograph.index.stripes import stripe_factor, stripe_order
from infograph.model import RelatedTopic, SpecSource, TopicSpec, is_markdown
from infograph.text.inline import shorten

_MARKDOWN = "text/markdown"
_PLAIN = "text/plain"

SUMMARY_CHARACTERS = 240
"""Most characters of a child topic's description; its own index has all of it."""


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """Options for how the tree is published."""

    base_url: str = ""
    """URL or absolute path of the root; empty for relative links."""
    sources_beside: bool = True
    """Whether the documents lie beside their index, as in a build in place."""
    source_url: str = ""
    """URL of documents that are not beside their index: `{path}` stands for the encoded path from the root."""
    pages: bool = False
    """Whether the tree has its pages as a reader sees them, in `_pages/`."""
    stripe_factor: int | None = None
    """Number of stripes; None to use the formula."""
    search: bool = False
    """Whether a search bundle is published too."""
    search_version: str = ""
    """Version of its manifest, to which the root leads; empty where it has none."""
    versioned: bool = False
    """Whether pages are named by what they hold, too, so that they lead to the very pages that they were made with."""
    graph: bool = False
    """Whether a graph of entities is published too."""
    graph_version: str = ""
    """Version of its communities, to which the root leads; empty where they have none."""
    packed: bool = False
    """Whether several chunks of a document share a file."""
    page_bytes: int = 100_000
    """Size in bytes from which an index is paged."""


@dataclass(frozen=True, slots=True)
class ChildTopic:
    """A topic as its parent lists it. Counts include everything below the topic."""

    id: str
    title: str
    description: str
    documents: int
    chunks: int
    topics: int
    """Number of topics below the topic, itself excluded."""
    version: str = ""
    """Version of its index, see `IndexPage`; empty where indexes have none."""
    below: tuple[tuple[str, str], ...] = ()
    """Id and version of each topic one level below it, in the order to list them."""


def summarise(
    id: str,
    title: str,
    description: str,
    documents: int,
    chunks: int,
    children: Sequence[ChildTopic],
    version: str = "",
) -> ChildTopic:
    """Returns a topic as its parent lists it, with its own documents and chunks added to those of its children."""
    return ChildTopic(
        id=id,
        title=title,
        description=shorten(description, SUMMARY_CHARACTERS),
        documents=documents + sum(child.documents for child in children),
        chunks=chunks + sum(child.chunks for child in children),
        topics=len(children) + sum(child.topics for child in children),
        version=version,
        below=tuple((child.id, child.version) for child in children),
    )


def topic_index(
    spec: TopicSpec,
    children: Sequence[ChildTopic] = (),
    parent_title: str | None = None,
    options: IndexOptions | None = None,
    spec_version: str = "",
) -> list[IndexPage]:
    """Returns the pages of one topic, `index.json` first. Raises FormatError where the specification contradicts
    itself. Versioned, its second file is the first page once more under a name of its own (the root has none, which
    nothing would lead to), and the later pages have only such names.

    children:     topics one directory below, in the order to list them
    parent_title: title of the directory above; not used for the root
    spec_version: version of the published specification; empty where it has none
    """
    options = options or IndexOptions()
    hrefs = Hrefs(spec.id, options.base_url)
    place = join(spec.id, SPEC)
    keys: set[str] = set()
    with refusing(place):
        parts = [Part(topic=_topic_entry(child, hrefs)) for child in children]
        for source in spec.sources:
            key = document_key(source)
            if key in keys:
                reason = f"two documents are named {key!r} but for the extension"
                raise FormatError(place, reason, "Rename one of them.")
            keys.add(key)
            parts.append(_document_part(key, spec, source, hrefs, options, place))
        links = _topic_links(spec, parent_title, hrefs, options, spec_version)
    return paginate(spec, links, parts, hrefs, options.page_bytes, versioned=options.versioned)


def index_version(pages: Sequence[IndexPage], options: IndexOptions) -> str:
    """Returns the version by which the topic above leads to an index; empty where it leads to `index.json`, and of the
    root, to which no topic leads down."""
    name = pages[1].name if options.versioned and len(pages) > 1 else ""
    return version_of(name) if name == index_name(1, version_of(name)) else ""


def spec_version(data: bytes, options: IndexOptions) -> str:
    """Returns the version by which an index leads to the specification that it is made from; empty where that has
    none."""
    return hashlib.sha256(data).hexdigest()[:VERSION_DIGITS] if options.versioned and data else ""


def document_key(source: SpecSource) -> str:
    """Returns the key of a document in `_embedded.chunks`: its stem, or its whole name where HAL reserves the stem."""
    return source.name if source.stem in HAL_RESERVED else source.stem


def _topic_links(
    spec: TopicSpec, parent_title: str | None, hrefs: Hrefs, options: IndexOptions, spec_version: str
) -> Links:
    """Returns the links of the first page, without those that paging and documents add."""
    llms = None if spec.id else Link(href=hrefs.to(LLMS), type="text/plain")
    # A directory that only holds topics has neither a specification nor a table.
    topic_spec = Link(href=hrefs.beside(spec_name(spec_version)), type=_MARKDOWN) if spec.sources else None
    keywords = Link(href=hrefs.beside(KEYWORDS), type=_MARKDOWN) if spec.sources else None
    parent = Link(href=hrefs.to(index_path(spec.id.rpartition("/")[0])), title=parent_title) if spec.id else None
    communities = communities_path("" if spec.id else options.graph_version)
    community = Link(href=hrefs.to(communities)) if options.graph else None
    manifest = manifest_path("" if spec.id else options.search_version)
    # The schema has an anchor for each own relation, so the CURIE leads to its description.
    curies = (Link(name=OWN_RELATIONS, href=hrefs.to(SCHEMA) + "#{rel}", templated=True),)
    return Links(
        self_=Link(href=hrefs.beside(INDEX)),
        profile=Link(href=hrefs.to(SCHEMA)),
        parent=parent,
        search=Link(href=hrefs.to(manifest)) if options.search else None,
        topic_spec=topic_spec,
        keywords=keywords,
        llms=llms,
        community=community,
        related=tuple(_related_link(edge, hrefs) for edge in spec.related),
        curies=curies if keywords or llms or community else (),
    )


def _related_link(edge: RelatedTopic, hrefs: Hrefs) -> Link:
    return Link(
        href=hrefs.to(index_path(edge.id)),
        title=edge.title,
        similarity=six_places(edge.similarity),
        authority={keyword.name: six_places(keyword.score) for keyword in edge.shared} or None,
    )


def _topic_entry(child: ChildTopic, hrefs: Hrefs) -> EmbeddedTopic:
    return EmbeddedTopic(
        links=TopicLinks(
            self_=Link(href=_first_page(child.id, child.version, hrefs)),
            topics=tuple(Link(href=_first_page(id, version, hrefs)) for id, version in child.below),
        ),
        id=child.id,
        title=child.title,
        description=shorten(child.description, SUMMARY_CHARACTERS) or None,
        documents=child.documents,
        chunks=child.chunks,
        topics=child.topics,
    )


def _first_page(topic: str, version: str, hrefs: Hrefs) -> str:
    return hrefs.to(join(topic, index_name(1, version)))


def _document_part(
    key: str, spec: TopicSpec, source: SpecSource, hrefs: Hrefs, options: IndexOptions, place: str
) -> Part:
    stem = source.stem
    addresses = _chunk_addresses(source, hrefs, packed=options.packed)
    kind = _PLAIN if options.packed else _MARKDOWN
    return Part(
        key=key,
        document=_stripes(source, options.stripe_factor, place),
        rows=[
            encode_line(dump_item(chunk, href, technical=source.baseline_technical is not None))
            for chunk, href in zip(source.chunks, addresses, strict=True)
        ],
        source=_source_link(key, spec, source, hrefs, options),
        items=[
            encode_line({"name": f"{stem}-{chunk.index}", "href": href, "title": chunk.title, "type": kind})
            for chunk, href in zip(source.chunks, addresses, strict=True)
        ],
    )


def _chunk_addresses(source: SpecSource, hrefs: Hrefs, *, packed: bool) -> list[str]:
    """Returns the link to each chunk of a document.

    packed: whether several chunks share a file
    """
    # The files of a document have one folder and one stem, so their common address is encoded once.
    stem = named_by(source.stem, source.version)
    before, _, after = hrefs.beside(f"{CHUNKS}/{file_of_chunk(stem, 0, packed=packed)}").rpartition("0")
    if packed:
        return [f"{before}{i - i % PACKED}{after}{fragment_of(i, packed=True)}" for i in range(len(source.chunks))]
    return [f"{before}{chunk.index}{after}" for chunk in source.chunks]


def _source_link(key: str, spec: TopicSpec, source: SpecSource, hrefs: Hrefs, options: IndexOptions) -> Link | None:
    if options.sources_beside:
        kind = _MARKDOWN if is_markdown(source.name) else None  # hosts choose the media type of other files
        return Link(name=key, href=hrefs.beside(source.name), title=source.title or None, type=kind)
    if options.pages:
        href = hrefs.to(page_path(join(spec.id, source.name)))
        return Link(name=key, href=href, title=source.title or None, type=_MARKDOWN)
    if options.source_url:
        # The URL may lead to the rendered page, so no media type is stated.
        href = source_address(options.source_url, join(spec.id, source.name))
        return Link(name=key, href=href, title=source.title or None)
    return None


def _stripes(source: SpecSource, override: int | None, place: str) -> DocumentChunks:
    """Returns one document with its stripe orders, without its items.

    Baselines are not ordered: clients know their index.
    """
    conceptual = [(chunk.index, chunk.similarity_conceptual) for chunk in source.chunks if chunk.index != 0]
    factor = stripe_factor(len(conceptual), override)
    technical: list[tuple[int, float]] = []
    if source.baseline_technical is not None:
        for chunk in source.chunks:
            if chunk.similarity_technical is None:
                reason = f"chunk {chunk.index} of {source.name} has no technical similarity, but there is a baseline"
                raise FormatError(place, reason, "Give it one, or delete the file and build again.")
            if chunk.index not in (0, source.baseline_technical):
                technical.append((chunk.index, chunk.similarity_technical))
    factor_technical = stripe_factor(len(technical), override)
    dual = source.baseline_technical is not None
    return DocumentChunks(
        source=source.name,
        count=len(source.chunks),
        baseline_conceptual=0 if source.chunks else None,
        baseline_technical=source.baseline_technical,
        stripe_factor=factor,
        stripe_factor_technical=factor_technical if dual else None,
        stripe_order=tuple(stripe_order(conceptual, factor)),
        stripe_order_technical=tuple(stripe_order(technical, factor_technical)) if dual else None,
        units=groups_of_source(source),
        items=(),
    )
