"""Divides an index over several files when one would be too large to fetch whole.

A page holds whole child topics and whole documents, in order; `next` and `prev` link the pages. A document that
exceeds the limit by itself still gets one page: its `stripe_order` refers to all its items, and a reader that finds
the one must find the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from infograph.formats.codec import dump
from infograph.formats.hrefs import Hrefs, index_path
from infograph.formats.index_bytes import Encoded, encode, encode_document, encoded_size
from infograph.formats.index_json import Chunks, DocumentChunks, Embedded, EmbeddedTopic, Index, Link, Links, SelfLink
from infograph.formats.names import INDEX
from infograph.model import TopicSpec

_PAGE_LINKS = 400
"""Bytes reserved for the links between pages."""

_CERTAINLY_OVER = 1.2
"""Estimated size, in limits, that certainly exceeds the limit: estimates assume the deepest indentation."""


@dataclass(frozen=True, slots=True)
class IndexPage:
    """One index file, ready to be written."""

    name: str
    """File name within the topic: `index.json`, `index-2.json`, …"""
    data: bytes


@dataclass(frozen=True, slots=True)
class Part:
    """A unit that is never divided between pages: a child topic, or a document with its links."""

    topic: EmbeddedTopic | None = None
    key: str = ""
    document: DocumentChunks | None = None
    """The document, whose items are in `rows`."""
    rows: list[bytes] = field(default_factory=list)
    source: Link | None = None
    items: Sequence[bytes] = ()
    """Encoded links to the chunks, like the rows one line each: a tree has tens of thousands, a large table more."""


@dataclass(frozen=True, slots=True)
class _Plain:
    """A part in the form in which it is measured and then encoded."""

    topic: dict[str, Any] | None
    key: str
    document: Encoded | None
    source: dict[str, Any] | None
    items: list[bytes]

    @classmethod
    def of(cls, part: Part, place: str) -> _Plain:
        return cls(
            topic=dump(part.topic) if part.topic else None,
            key=part.key,
            document=encode_document(dump(part.document) | {"items": part.rows}, place) if part.document else None,
            source=dump(part.source) if part.source else None,
            items=list(part.items),
        )

    def size(self, place: str) -> int:
        values = [value for value in (self.topic, self.source, self.items) if value is not None]
        size = sum(encoded_size(value, place) for value in values) + len(self.key.encode()) * 2
        return size + (self.document.size if self.document else 0)


def paginate(spec: TopicSpec, links: Links, parts: Sequence[Part], hrefs: Hrefs, limit: int) -> list[IndexPage]:
    """Returns the pages of a topic.

    links: links of the first page; later pages keep those that lead out of the topic
    """
    place = index_path(spec.id)
    plain = [_Plain.of(part, place) for part in parts]
    sizes = [part.size(place) for part in plain]
    head = encoded_size(_body(spec, links, (), INDEX, hrefs), place)
    if len(parts) < 2 or head + sum(sizes) < limit * _CERTAINLY_OVER:
        whole = encode(_body(spec, links, plain, INDEX, hrefs), place)
        if len(whole) <= limit or len(parts) < 2:
            return [IndexPage(INDEX, whole)]
    groups = list(_groups(plain, sizes, limit - head - _PAGE_LINKS, limit - _PAGE_LINKS))
    names = [INDEX, *(f"index-{number}.json" for number in range(2, len(groups) + 1))]
    pages = []
    for number, (name, group) in enumerate(zip(names, groups, strict=True)):
        here = replace(
            links if number == 0 else Links(self_=links.self_, profile=links.profile, parent=links.parent),
            self_=Link(href=hrefs.beside(name)),
            first=Link(href=hrefs.beside(names[0])),
            prev=Link(href=hrefs.beside(names[number - 1])) if number else None,
            next=Link(href=hrefs.beside(names[number + 1])) if number + 1 < len(names) else None,
        )
        pages.append(IndexPage(name, encode(_body(spec, here, group, name, hrefs), place)))
    return pages


def _groups(parts: Sequence[_Plain], sizes: Sequence[int], first_room: int, room: int) -> Iterator[list[_Plain]]:
    """Yields the parts of each page, in order, as many as fit; at least one page, and no empty page after it."""
    group: list[_Plain] = []
    left = first_room
    for part, size in zip(parts, sizes, strict=True):
        if size > left and group:
            yield group
            group, left = [], room
        group.append(part)
        left -= size
    yield group


def _body(spec: TopicSpec, links: Links, parts: Sequence[_Plain], name: str, hrefs: Hrefs) -> dict[str, Any]:
    sources = [part.source for part in parts if part.source]
    items = [item for part in parts for item in part.items]
    place_of = (Link(href=""),)  # placeholder that keeps the keys in the order of the format
    index = Index(
        id=spec.id,
        title=spec.title,
        description=(spec.description or None) if name == INDEX else None,
        build_id="0" * 16,
        links=replace(links, source=place_of if sources else (), item=place_of if items else ()),
        embedded=Embedded(
            topics=(), chunks=Chunks(links=SelfLink(self_=Link(href=hrefs.beside(name) + "#chunks")), documents={})
        ),
    )
    body: dict[str, Any] = dump(index)
    if sources:
        body["_links"]["source"] = sources
    if items:
        body["_links"]["item"] = items
    body["_embedded"]["topics"] = [part.topic for part in parts if part.topic]
    body["_embedded"]["chunks"].update((part.key, part.document) for part in parts if part.document)
    return body
