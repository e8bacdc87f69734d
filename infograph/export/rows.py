"""Rows of an export: every chunk of a published tree with all that is known of it, one document after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import unquote

from infograph.client import Client, ClientError, Item, PublishedChunk, Topic, TopicDocument
from infograph.client.asks import Asks, File
from infograph.client.graph import LARGEST_FILE
from infograph.client.tree import PublishedTree
from infograph.export.bundle import fields_of, manifest_of
from infograph.export.columns import ExportRow
from infograph.export.scratch import Scratch
from infograph.export.vectors import BundlePlace, VectorSource, WantedVector
from infograph.formats import chunk_file, topic_spec
from infograph.formats.index_json import decode_index
from infograph.formats.names import CHUNKS, SPEC, chunk_name, join

_AT_ONCE = 64
"""Chunks that are read, and embedded, at once."""


def publication_of(client: Client) -> tuple[object, ...]:
    """Returns what tells one publication of a tree from the next; what was read before is forgotten."""
    client.refresh()
    return client.topic("").build_id, manifest_of(client)


def topics_of(client: Client) -> Iterator[Topic]:
    """Yields every topic of a tree, the root first, one in memory at a time."""
    yield client.topic("")
    for entry in client.topics():
        yield client.topic(entry.id)


def chunk_id(topic: str, document: str, index: int) -> str:
    """Returns the id of a chunk: its path without a version.

    document: key of the document in the index
    """
    return join(topic, f"{CHUNKS}/{chunk_name(document, index)}")


def model_of(client: Client) -> str:
    """Returns the embedding model of a tree as `name@revision`, by the first specification that there is; empty in a
    tree without chunks. Raises ClientError where it cannot be read."""
    having = (topic for topic in topics_of(client) if any(own.items for own in topic.documents.values()))
    topic = next(having, None)
    if topic is None:
        return ""
    path = join(topic.id, SPEC)

    def asks(tree: PublishedTree) -> Asks[str]:
        index = tree.place.resolve(topic.href)
        (link,) = yield [File(index, LARGEST_FILE, lambda data: decode_index(data, topic.href).links.topic_spec)]
        if isinstance(link, ClientError):
            raise link
        address = tree.place.resolve(link.href if link else SPEC, index)
        (found,) = yield [File(address, LARGEST_FILE, lambda data: topic_spec.parse(path, data).model)]
        if isinstance(found, ClientError):
            raise found
        model: str = found
        return model

    return client.run(asks)


def rows_of(client: Client, scratch: Scratch, vectors: VectorSource | None) -> Iterator[ExportRow]:
    """Yields a row for each chunk of a tree, in the order of its indexes; see `columns.py`.

    scratch: table that `load_bundle` has filled, or left empty

    Raises ClientError where the tree cannot be read whole.
    """
    for topic in topics_of(client):
        for document in topic.documents.values():
            for start in range(0, len(document.items), _AT_ONCE):
                yield from _rows(client, scratch, vectors, document, start)


def _rows(
    client: Client, scratch: Scratch, vectors: VectorSource | None, document: TopicDocument, start: int
) -> Iterator[ExportRow]:
    items = document.items[start : start + _AT_ONCE]
    files = [_parsed(chunk) for chunk in client.run(lambda tree: _chunks(tree, items))]
    places: list[BundlePlace | None] = []
    rows: list[ExportRow] = []
    for item, file in zip(items, files, strict=True):
        row, place = _row(item, file, document.count, scratch)
        rows.append(row)
        places.append(place)
    if vectors is not None:
        wanted = [WantedVector(file.chunk.embed_text, place) for file, place in zip(files, places, strict=True)]
        for row, vector in zip(rows, vectors.of(wanted), strict=True):
            row |= {"vector_model": vectors.column.model, "vector": vector}
    yield from rows


def _chunks(tree: PublishedTree, items: Sequence[Item]) -> Asks[list[PublishedChunk]]:
    chunks = []
    for chunk in (yield from tree.chunks([(item.href, item.sha256) for item in items])):
        if isinstance(chunk, ClientError):
            raise chunk
        chunks.append(chunk)
    return chunks


def _parsed(chunk: PublishedChunk) -> chunk_file.ChunkFile:
    return chunk_file.from_parts(unquote(chunk.href).removeprefix("./"), chunk.front_matter, chunk.text)


def _row(item: Item, file: chunk_file.ChunkFile, count: int, scratch: Scratch) -> tuple[ExportRow, BundlePlace | None]:
    """Returns the row of a chunk without its vector, and its place in the search bundle."""
    chunk = file.chunk
    statement = "SELECT slot, page_title, page_url, anchor, simhash FROM shown WHERE page = ? AND number = ?"
    shown = scratch.one(statement, (chunk.document, chunk.index))
    slot, page_title, page_url, anchor, simhash = shown or (None,) * 5
    place = None if slot is None else (slot, chunk.index)
    asked = "SELECT text FROM question WHERE slot = ? AND number = ? ORDER BY cosine DESC, text"
    row: dict[str, Any] = {
        "id": chunk_id(item.topic, item.document, item.index),
        "href": item.href,
        "document": chunk.document,
        "topic": item.topic,
        "index": chunk.index,
        "count": count,
        "title": chunk.title,
        "section_path": list(chunk.section_path),
        "page_title": page_title,
        "page_url": page_url or None,
        "anchor": anchor or None,
        "text": chunk.text,
        "readable": None if chunk.readable == chunk.text else chunk.readable,
        "embed_text": chunk.embed_text,
        "tokens": chunk.tokens,
        "is_code": chunk.is_code,
        "chunk_type": chunk.chunk_type,
        "lines": list(chunk.lines),
        "bytes": list(chunk.bytes),
        "sha256": chunk.sha256,
        "simhash": simhash,
        "parents": [list(parent) for parent in chunk.parents],
        "previous": chunk_id(item.topic, item.document, item.index - 1) if file.previous is not None else None,
        "next": chunk_id(item.topic, item.document, item.index + 1) if file.next is not None else None,
        "similarity_conceptual": item.similarity_conceptual,
        "similarity_technical": item.similarity_technical,
        "keywords": [name for name, _ in item.keywords],
        "keyword_scores": [score for _, score in item.keywords],
        "prompt_hashes": [f"{value:016x}" for value in item.prompt_hashes],
        "questions": [text for (text,) in scratch.all(asked, place)] if place else [],
        "metadata": {name: list(fact) if isinstance(fact, tuple) else fact for name, fact in chunk.facts},
        "fields": fields_of(scratch, *place) if place else {},
    }
    return row, place
