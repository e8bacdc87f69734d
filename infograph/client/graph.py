"""Reads the graph of `index.json` files: topics, their chunks, and samples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any
from urllib.parse import unquote

from infograph.client.asks import Asks, File
from infograph.client.errors import ClientError
from infograph.client.options import check
from infograph.client.place import Place
from infograph.client.types import Item, Related, Topic, TopicDocument, TopicEntry
from infograph.formats.chunk_href import fragment_in
from infograph.formats.index_bytes import build_id
from infograph.formats.index_json import DocumentChunks, Index, decode_index
from infograph.formats.names import INDEX, is_index

LARGEST_FILE = 1 << 24
MOST_PAGES = 10_000
"""Most files of one topic's index."""
MOST_NAMED = 10
"""Most topics that an error names."""

Get = Callable[[Sequence[File]], Asks[list[Any]]]
"""Reads files and returns what `accept` made of them; earlier ones come from memory. Raises the ClientError of the
first that is missing or broken."""


@dataclass(frozen=True, slots=True)
class _Page:
    """A file of a topic's index, with links resolved."""

    topic: Topic
    """The part of the topic that is in this file."""
    next: str
    """Href of the next file; empty in the last."""


class Graph:
    """Answers from the indexes of one tree."""

    def __init__(self, place: Place, get: Get) -> None:
        self._place = place
        self._get = get

    def topics(self, id: str) -> Asks[list[TopicEntry]]:
        """Returns every topic below one, in the order of the index, each before those below it."""
        root = yield from self.topic(id)
        return [entry for entry, _ in (yield from self._below(root, every=False))]

    def topic(self, id: str) -> Asks[Topic]:
        """Returns one topic with all its pages, found from the root."""
        check(id=id)
        (topic,) = yield from self._read([TopicEntry(id="", title="", href=INDEX)])
        while topic.id != id:
            child = next((c for c in topic.topics if c.id == id or id.startswith(f"{c.id}/")), None)
            if child is None:
                ids = [child.id for child in topic.topics[:MOST_NAMED]]
                hint = f"There are: {', '.join(ids)}{', …' * (len(topic.topics) > len(ids))}" if ids else ""
                raise ClientError("unknown", self._place.shown, f"there is no topic {id[:200]!r}", hint)
            (topic,) = yield from self._read([child])
        return topic

    def sample(self, id: str, n: int, order: str) -> Asks[list[Item]]:
        """Returns the first `n` items of a topic's documents taken in turn, each with its baseline first and then in
        its order."""
        check(topic=id, n=n, order=order)
        topic = yield from self.topic(id)
        queues = [_ordered(document, order == "technical") for document in topic.documents.values()]
        found = [item for turn in zip_longest(*queues) for item in turn if item is not None]
        return found[:n]

    def _below(self, root: Topic, every: bool) -> Asks[list[tuple[TopicEntry, Topic | None]]]:
        """Returns the topics below one with their indexes: of all if `every`, else of those with topics below them.
        A level of the tree is read at once."""
        read: dict[str, Topic] = {}
        level = list(root.topics)
        while level:
            wanted = [entry for entry in level if every or entry.topics]
            topics = yield from self._read(wanted)
            read |= {topic.id: topic for topic in topics}
            level = [child for topic in topics for child in topic.topics]

        found: list[tuple[TopicEntry, Topic | None]] = []
        waiting = list(reversed(root.topics))
        while waiting:
            entry = waiting.pop()
            topic = read.get(entry.id)
            found.append((entry, topic))
            waiting += reversed(topic.topics if topic else ())
        return found

    def _read(self, entries: Sequence[TopicEntry]) -> Asks[list[Topic]]:
        """Returns topics, each of all files that its first one leads to."""
        whole: list[Topic | None] = [None] * len(entries)
        seen: list[set[str]] = [set() for _ in entries]
        ahead = {place: entry.href for place, entry in enumerate(entries)}
        while ahead:
            pages = yield from self._get([self._file(href) for href in ahead.values()])
            after = {}
            for (place, href), page in zip(ahead.items(), pages, strict=True):
                if page.topic.id != entries[place].id:
                    raise ClientError("broken", href, f"not the index of {entries[place].id[:200]!r}")
                seen[place].add(href)
                before = whole[place]
                whole[place] = _joined(before, page.topic) if before else page.topic
                if page.next and page.next not in seen[place] and len(seen[place]) < MOST_PAGES:
                    after[place] = page.next
            ahead = after
        return [topic for topic in whole if topic]

    def _file(self, href: str) -> File:
        address = self._place.resolve(href)
        return File(address, LARGEST_FILE, lambda data: self._page(data, href, address))

    def _page(self, data: bytes, href: str, address: str) -> _Page:
        index = decode_index(data, href)
        if index.build_id and build_id(data) != index.build_id:
            raise ClientError("broken", href, "the index is not whole: its build_id is another")

        def link(to: str) -> str:
            return self._place.relative(self._place.resolve(to, address))

        below = f"{index.id}/" if index.id else ""
        for child in index.embedded.topics:
            # Topics that lead back to themselves would never end.
            if not child.id or not child.id.startswith(below):
                raise ClientError("broken", href, f"{child.id[:200]!r} is no topic below it")
        return _Page(_topic(index, href, link), link(index.links.next.href) if index.links.next else "")


def topic_id(written: str) -> str:
    """Returns the id for a topic's id as people write it, or for the href of its index file."""
    parts = written.split("/")
    if is_index(parts[-1]):
        parts = unquote(written).split("/")[:-1]
    return plain_path("/".join(parts))


def plain_path(written: str) -> str:
    """Returns the path of a folder or a document without `./` and slashes at either end, as people write them."""
    return "/".join(part for part in written.split("/") if part not in ("", "."))


def _topic(index: Index, href: str, link: Callable[[str], str]) -> Topic:
    return Topic(
        id=index.id,
        title=index.title,
        description=index.description or "",
        build_id=index.build_id or "",
        href=href,
        topics=tuple(
            TopicEntry(
                id=child.id,
                title=child.title,
                description=child.description or "",
                documents=child.documents,
                chunks=child.chunks,
                topics=child.topics,
                href=link(child.links.self_.href),
            )
            for child in index.embedded.topics
        ),
        documents={
            key: _document(index.id, key, document, link) for key, document in index.embedded.chunks.documents.items()
        },
        related=tuple(
            Related(
                href=link(edge.href),
                title=edge.title or "",
                similarity=edge.similarity,
                authority=edge.authority or {},
            )
            for edge in index.links.related
        ),
        communities=link(index.links.community.href) if index.links.community else "",
    )


def _document(topic: str, key: str, found: DocumentChunks, link: Callable[[str], str]) -> TopicDocument:
    return TopicDocument(
        source=found.source,
        count=found.count,
        baseline_conceptual=found.baseline_conceptual,
        baseline_technical=found.baseline_technical,
        stripe_factor=found.stripe_factor,
        stripe_factor_technical=found.stripe_factor_technical,
        stripe_order=found.stripe_order,
        stripe_order_technical=found.stripe_order_technical,
        units=found.units,
        items=tuple(
            Item(
                topic=topic,
                document=key,
                index=item.index,
                href=link(item.href) + fragment_in(item.href),
                title=item.title,
                section_path=item.section_path,
                is_code=item.is_code,
                tokens=item.tokens,
                sha256=item.sha256 or "",
                similarity_conceptual=item.similarity_conceptual,
                similarity_technical=item.similarity_technical,
                keywords=tuple((keyword.name, keyword.score) for keyword in item.keywords),
                prompt_hashes=tuple(int(digits, 16) for digits in item.prompt_hashes_hex) or item.prompt_hashes,
                enriched=item.enriched,
            )
            for item in found.items
        ),
    )


def _joined(before: Topic, page: Topic) -> Topic:
    return Topic(
        id=before.id,
        title=before.title,
        description=before.description,
        build_id=before.build_id,
        href=before.href,
        topics=before.topics + page.topics,
        documents={**before.documents, **page.documents},
        related=before.related,
        communities=before.communities,
    )


def _ordered(document: TopicDocument, technical: bool) -> list[Item]:
    """Returns the baseline and the items that follow it; none where the document has no such order."""
    baseline = document.baseline_technical if technical else document.baseline_conceptual
    order = document.stripe_order_technical if technical else document.stripe_order
    if baseline is None or order is None:
        return []
    by_index = {item.index: item for item in document.items}
    return [by_index[index] for index in (baseline, *order) if index in by_index]
