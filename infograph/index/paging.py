"""Divides an index over several files when one would be too large to fetch whole.

A page holds whole child topics and whole documents, in order; `next` and `prev` link the pages. A document that
exceeds the limit by itself still gets one page: its `stripe_order` refers to all its items, and a reader that finds
the one must find the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from infograph.formats.codec import dump
from infograph.formats.hrefs import Hrefs, index_path
from infograph.formats.index_bytes import Encoded, encode, encode_document, encoded_size
from infograph.formats.index_json import Chunks, DocumentChunks, Embedded, EmbeddedTopic, Index, Link, Links, SelfLink
from infograph.formats.names import INDEX, UNVERSIONED, VERSION_DIGITS, index_name
from infograph.model import TopicSpec

_PAGE_LINKS = 400
"""Bytes reserved for the links between pages."""

_CERTAINLY_OVER = 1.2
"""Estimated size, in limits, that certainly exceeds the limit: estimates assume the deepest indentation."""


@dataclass(frozen=True, slots=True)
class IndexPage:
    """One index file, ready to be written."""

    name: str
    """File name within the topic: `index.json`, `index-2.json`, …; versioned: `index.json`, `index.0a1b2c3d4e.json`,
    `index-2.0a1b2c3d4e.json`, …"""
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


def paginate(
    spec: TopicSpec, links: Links, parts: Sequence[Part], hrefs: Hrefs, limit: int, *, versioned: bool = False
) -> list[IndexPage]:
    """Returns the pages of a topic.

    links:     links of the first page; later pages keep those that lead out of the topic
    versioned: see `topic_index`
    """
    place = index_path(spec.id)
    plain = [_Plain.of(part, place) for part in parts]
    sizes = [part.size(place) for part in plain]
    head = encoded_size(_body(spec, links, (), INDEX, hrefs), place)
    groups = [plain]
    if len(parts) >= 2:
        fits = head + sum(sizes) < limit * _CERTAINLY_OVER
        if not fits or encoded_size(_body(spec, links, plain, INDEX, hrefs), place, 0) >= limit:  # and a line break
            groups = list(_groups(plain, sizes, limit - head - _PAGE_LINKS, limit - _PAGE_LINKS))
    topic = _Pages(spec, links, groups, hrefs, place)
    if not versioned:
        return topic.named([index_name(number + 1) for number in range(len(groups))])
    version = _version(topic.named(topic.names(UNVERSIONED)))
    pages = topic.named(topic.names(version))
    return [topic.page(INDEX, 0, topic.names(version)), *pages] if spec.id else pages


def _version(pages: Sequence[IndexPage]) -> str:
    """Returns the version of pages whose names have `UNVERSIONED` in its place."""
    return hashlib.sha256(b"".join(page.data for page in pages)).hexdigest()[:VERSION_DIGITS]


@dataclass(frozen=True, slots=True)
class _Pages:
    """What a topic's pages hold, whatever they are called."""

    spec: TopicSpec
    links: Links
    groups: Sequence[list[_Plain]]
    """Parts of each page."""
    hrefs: Hrefs
    place: str

    def names(self, version: str) -> list[str]:
        """Returns the names of versioned pages. That of the root is the only one of its first page."""
        names = [index_name(number + 1, version) for number in range(len(self.groups))]
        return names if self.spec.id else [INDEX, *names[1:]]

    def named(self, names: Sequence[str]) -> list[IndexPage]:
        """Returns the pages under names that they lead to each other by."""
        return [self.page(name, number, names) for number, name in enumerate(names)]

    def page(self, name: str, number: int, names: Sequence[str]) -> IndexPage:
        """Returns a page, counted from 0, under a name; its links lead to the others of `names`."""
        links, beside = self.links, self.hrefs.beside
        if number:  # only those that lead out of the topic, and to what all pages are made from
            links = Links(self_=links.self_, profile=links.profile, parent=links.parent, topic_spec=links.topic_spec)
        links = replace(links, self_=Link(href=beside(name)))
        if len(names) > 1:
            links = replace(
                links,
                first=Link(href=beside(names[0])),
                prev=Link(href=beside(names[number - 1])) if number else None,
                next=Link(href=beside(names[number + 1])) if number + 1 < len(names) else None,
            )
        body = _body(self.spec, links, self.groups[number], name, self.hrefs, first=not number)
        return IndexPage(name, encode(body, self.place))


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


def _body(
    spec: TopicSpec, links: Links, parts: Sequence[_Plain], name: str, hrefs: Hrefs, *, first: bool = True
) -> dict[str, Any]:
    sources = [part.source for part in parts if part.source]
    items = [item for part in parts for item in part.items]
    place_of = (Link(href=""),)  # placeholder that keeps the keys in the order of the format
    index = Index(
        id=spec.id,
        title=spec.title,
        description=(spec.description or None) if first else None,
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
