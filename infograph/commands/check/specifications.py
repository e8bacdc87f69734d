"""Checks that a topic's specification says of its documents what the topic's index says, which is made from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from infograph.commands.check.promises import Broken
from infograph.errors import FormatError
from infograph.formats.codec import DecodeError, decode
from infograph.formats.index_json import DocumentChunks, IndexItem, dump_item
from infograph.formats.topic_spec import parse
from infograph.formats.unit_groups import groups_of_source
from infograph.model import SpecSource


def read_specification(path: str, data: bytes) -> dict[str, SpecSource]:
    """Returns the documents of a specification by name. Raises Broken for a file that cannot be read back."""
    try:
        return {source.name: source for source in parse(path, data).sources}
    except FormatError as error:
        raise Broken("format", str(error).removeprefix(f"{path}:").strip()) from None


_NONE: Mapping[str, DocumentChunks] = {}


@dataclass(slots=True)
class Specifications:
    """Puts together specifications and the pages of indexes that lead to them, in any order."""

    _sources: dict[str, dict[str, SpecSource]] = field(default_factory=dict)
    """Documents of each specification, by its address."""
    _documents: dict[str, dict[str, DocumentChunks]] = field(default_factory=dict)
    """Documents of indexes that lead to a specification which is still to come."""
    _compared: set[tuple[str, str]] = field(default_factory=set)
    """Addresses of specifications, with names of their documents that an index has."""

    def add(
        self, url: str, sources: Mapping[str, SpecSource] | None = None, documents: Mapping[str, DocumentChunks] = _NONE
    ) -> list[str]:
        """Takes what is known of one specification. Returns how it contradicts an index.

        url:       address of the specification
        sources:   its documents
        documents: those of a page of the index that leads to it, by name
        """
        if sources is not None:
            self._sources[url] = dict(sources)
        if url not in self._sources:
            self._documents.setdefault(url, {}).update(documents)
            return []
        own = self._sources[url]
        found: list[str] = []
        for name, document in sorted({**self._documents.pop(url, {}), **documents}.items()):
            self._compared.add((url, name))
            said = contradictions(own[name], document) if name in own else ("is in the index alone",)
            found += (f"{name}: {wrong}" for wrong in said)
        return found

    def left(self) -> Iterator[tuple[str, str]]:
        """Yields the documents that no index had, as the specification's address and what is wrong: of use only where
        all pages of all indexes were read."""
        for url, sources in self._sources.items():
            for name, source in sorted(sources.items()):
                if source.chunks and (url, name) not in self._compared:
                    yield url, f"{name}: is not in the index"


def contradictions(source: SpecSource, document: DocumentChunks) -> Iterator[str]:
    """Yields what a specification says of a document otherwise than the index does; of its chunks the first alone."""
    if len(source.chunks) != len(document.items):
        yield f"has {len(source.chunks)} chunks, the index has {len(document.items)}"
        return
    has_technical = source.baseline_technical is not None
    if source.baseline_technical != document.baseline_technical:
        yield f"has the technical baseline {source.baseline_technical}, the index {document.baseline_technical}"
    for chunk, item in zip(source.chunks, document.items, strict=True):
        if names := _differing(dump_item(chunk, item.href, technical=has_technical), item):
            yield f"says something else of chunk {chunk.index} than the index: its {', '.join(names)}"
            break
    if document.units and groups_of_source(source) != document.units:
        yield "lists other units than the index"


def _differing(said: Mapping[str, Any], item: IndexItem) -> list[str]:
    """Returns the names of the fields in which an item is not what a specification makes of it."""
    try:
        own = decode(IndexItem, orjson.loads(orjson.dumps(said)))
    except DecodeError as error:
        return [str(error)]
    if not item.prompt_hashes_hex:  # indexes of earlier releases
        own = replace(own, prompt_hashes_hex=())
    return [name for name in IndexItem.__slots__ if getattr(own, name) != getattr(item, name)]
