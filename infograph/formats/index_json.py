"""Content of `index.json`: the only definition of the format, read and written through it.

    bytes ─decode_index▶ Index ─codec.dump▶ plain dicts ─index_bytes.encode▶ bytes
    SpecChunk ─dump_item▶ plain dict                           index_schema() ─▶ index.schema.json

Fields stand in the order of the file. `index.schema.json` beside this module is generated, descriptions included:
`python -m infograph.formats.index_json > infograph/formats/index.schema.json`; a test compares the two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import orjson

from infograph.errors import FormatError
from infograph.formats.codec import Bounds, DecodeError, Pattern, decode
from infograph.formats.enriched_facts import read_claim, read_image, read_section
from infograph.model import SaidOfChunk, SpecChunk, whole_score

SCHEMA_ID = "urn:infograph:schema:index:1"

HAL_RESERVED = frozenset({"_links", "_embedded", "_templates"})
"""Keys of HAL and HAL-FORMS: the only ones in `_embedded.chunks` that are no documents. Hugo's `_index` is one."""

OWN_RELATIONS = "infograph"
"""CURIE prefix of the link relations that no registry knows."""

Count = Annotated[int, Bounds(0)]
Positive = Annotated[int, Bounds(1)]
Cosine = Annotated[float, Bounds(-1, 1)]
Hash64 = Annotated[int, Bounds(0, 2**64 - 1)]
Hex64 = Annotated[str, Pattern("[0-9a-f]{16}")]
Sha256 = Annotated[str, Pattern("[0-9a-f]{64}")]


def _key(name: str) -> dict[str, str]:
    """Metadata of a field whose JSON key is no Python name."""
    return {"key": name}


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A HAL link object."""

    name: str | None = None
    """Tells links of one relation apart."""
    href: str
    """Percent-encoded, relative to the file it stands in, or absolute where a base URL is configured."""
    templated: bool | None = None
    """The href is a URI template; only in `curies`."""
    title: str | None = None
    """For a person."""
    type: str | None = None
    """Media type of what answers."""
    similarity: Cosine | None = None
    """Cosine of the two topics' mean vectors; only in `related`."""
    authority: dict[str, float] | None = None
    """Keywords both topics have, with their score; only in `related`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Where to go from a page of an index. Clients follow links and never build a URL."""

    self_: Link = field(metadata=_key("self"))
    """This file."""
    profile: Link | None = None
    """This schema."""
    parent: Link | None = None
    """The index of the directory above."""
    first: Link | None = None
    """The first page, on every page of an index that has several."""
    prev: Link | None = None
    """The page before this one."""
    next: Link | None = None
    """The page after this one: child topics and documents go on there."""
    search: Link | None = None
    """The manifest of the search bundle."""
    topic_spec: Link | None = field(default=None, metadata=_key("topic-spec"))
    """The topic specification this index was made from."""
    keywords: Link | None = field(default=None, metadata=_key(f"{OWN_RELATIONS}:keywords"))
    """The topic's keyword authority table."""
    llms: Link | None = field(default=None, metadata=_key(f"{OWN_RELATIONS}:llms"))
    """The tree described for language models; from the root."""
    community: Link | None = field(default=None, metadata=_key(f"{OWN_RELATIONS}:community"))
    """The communities of entities, groups of names that belong together, where there is a graph."""
    source: tuple[Link, ...] = ()
    """The documents of this page themselves, where they are published."""
    related: tuple[Link, ...] = ()
    """Other topics, nearest first."""
    item: tuple[Link, ...] = ()
    """Every chunk of this page."""
    curies: tuple[Link, ...] = ()
    """Where own relations are described."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfLink:
    """What makes an embedded object a resource to a HAL client."""

    self_: Link = field(metadata=_key("self"))
    """The object's own address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicLinks:
    """What a HAL client needs to go on from an embedded topic, which it takes for the topic itself."""

    self_: Link = field(metadata=_key("self"))
    """The topic's index."""
    topics: tuple[Link, ...] = ()
    """The indexes of the topics one level below it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeywordScore:
    """A keyword that occurs in a chunk."""

    name: str
    """From the topic's authority table."""
    score: int
    """Authority in that table, rounded; the same in every chunk of the topic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedEntity:
    """A name that a language model found in a chunk."""

    name: str
    """As it is written there."""
    type: str
    """PERSON, ORG, LOC, TECH, CONCEPT, EVENT or METRIC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedClaim:
    """A statement of one claim that a language model took from a chunk."""

    claim: str
    """One sentence that can be understood alone."""
    start: Count
    """Byte of the chunk's text, as a reader sees it, at which the words begin that say so."""
    end: Count
    """Byte at which they end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionSummary:
    """What a language model said of a section, or of the document."""

    chunks: Positive
    """Number of its chunks: the one that this stands at, and those that follow."""
    summary: str
    """What the section as a whole is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedImage:
    """An image that a chunk shows."""

    image: str
    """Its link, as the document has it; spaces and brackets in it are percent-encoded."""
    description: str
    """What it shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrichedItem:
    """What a language model said of a chunk: no word of it is the author's."""

    by: str
    """The model."""
    title: str | None = None
    """A title for the chunk."""
    summary: str | None = None
    """What only this chunk says."""
    context: str | None = None
    """Where the chunk stands in its document."""
    key: str | None = None
    """Its subtopic."""
    related_keys: tuple[str, ...] = ()
    """Subtopics of earlier chunks that it refers to."""
    keywords: tuple[str, ...] = ()
    """Terms of the field."""
    entities: tuple[NamedEntity, ...] = ()
    """Names in it."""
    questions: tuple[str, ...] = ()
    """Questions that it answers."""
    queries: tuple[str, ...] = ()
    """What users may type who need it."""
    propositions: tuple[PlacedClaim, ...] = ()
    """What it states, claim by claim."""
    sections: tuple[SectionSummary, ...] = ()
    """The sections that begin with this chunk, larger ones first; with the first chunk the document itself."""
    images: tuple[DescribedImage, ...] = ()
    """The images that it shows, where they are described."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexItem:
    """One chunk."""

    index: Count
    """Place in the document, from 0."""
    href: str
    """The chunk file."""
    title: str
    """The chunk's own heading, or that of the section it belongs to."""
    section_path: tuple[str, ...] = ()
    """The headings above the chunk's start, outermost first."""
    is_code: bool
    """More than half of the lines lie inside code fences."""
    tokens: Count | None = None
    """Length, by the tokenizer of the chunking strategy."""
    sha256: Sha256 | None = None
    """Of the chunk file's body: its bytes after the front matter."""
    similarity_conceptual: Cosine
    """Similarity to the conceptual baseline."""
    similarity_technical: Cosine | None = None
    """Similarity to the technical baseline, in a document that has one."""
    keywords: tuple[KeywordScore, ...] = ()
    """Keywords that occur in the chunk."""
    prompt_hashes: tuple[Hash64, ...] = ()
    """SimHashes of the questions this chunk answers. JavaScript numbers cannot hold them: see the next field."""
    prompt_hashes_hex: tuple[Hex64, ...] = ()
    """The same values, 16 hex digits each."""
    enriched: EnrichedItem | None = None
    """What a language model said of the chunk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitGroup:
    """Units of a document that are of one type and level: what is read together, as ordered slices of it."""

    type: str
    """`section` (chunks below one heading), `key` (chunks of one subtopic) and `proposition` follow from the items;
    `parent` (of the strategy), `table`, `rows` (of one key, with the table's header), `image` (with its caption and the
    sentences around it) and `outline` (the signatures in a source file) have slices."""
    level: Count
    """Number of headings that all of a unit's chunks stand below; of a parent 1 for the largest."""
    count: Positive
    """Number of units."""
    slices: tuple[tuple[tuple[Count, ...], ...], ...] = ()
    """The slices of each unit in order: two numbers are a half-open range of chunks, three a chunk and a half-open
    range of bytes of its text as a reader sees it. Absent where they follow from the items."""
    names: tuple[str, ...] = ()
    """The key of each unit of rows, in the order of the slices. Absent of other types."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentChunks:
    """The chunks of one document."""

    source: str
    """File name of the document."""
    count: Count
    """Number of items."""
    baseline_conceptual: Count | None = None
    """Index of the chunk that others are compared with: 0."""
    baseline_technical: Count | None = None
    """Index of the quick reference, where there is one."""
    stripe_factor: Positive | None = None
    """Number of stripes in `stripe_order`; 1 when nothing is striped."""
    stripe_factor_technical: Positive | None = None
    """Number of stripes in `stripe_order_technical`."""
    stripe_order: tuple[Count, ...]
    """Indices of the chunks but for the conceptual baseline: the first N, for any N, are a sample of the document."""
    stripe_order_technical: tuple[Count, ...] | None = None
    """The same by similarity to the technical baseline; neither baseline is in it."""
    units: tuple[UnitGroup, ...] = ()
    """Units of the document by type and level; the document itself is not counted."""
    items: tuple[IndexItem, ...]
    """The chunks, in document order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunks:
    """Documents by file name without its extension. `_links`, `_embedded` and `_templates` are HAL's: no documents."""

    links: SelfLink | None = field(default=None, metadata=_key("_links"))
    """The address of this object."""
    documents: dict[str, DocumentChunks] = field(default_factory=dict, metadata={"rest": HAL_RESERVED})
    """Every other key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedTopic:
    """A child topic in short."""

    links: TopicLinks = field(metadata=_key("_links"))
    """Its index, and those below it."""
    id: str
    """Path of its directory from the root."""
    title: str
    """For a person."""
    description: str | None = None
    """How its description begins."""
    documents: Count = 0
    """Documents in it and below."""
    chunks: Count = 0
    """Chunks in it and below."""
    topics: Count = 0
    """Topics below it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """What this page holds."""

    topics: tuple[EmbeddedTopic, ...]
    """Child topics."""
    chunks: Chunks
    """The topic's documents, chunk by chunk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """One page of a topic's index."""

    id: str
    """Path of the topic's directory from the root; empty for the root itself."""
    title: str
    """For a person."""
    description: str | None = None
    """The topic's first paragraph; on the first page."""
    build_id: Hex64 | None = None
    """SHA-256 of this file without the line of this field, its first 16 hex digits."""
    links: Links = field(metadata=_key("_links"))
    """Where to go from here."""
    embedded: Embedded = field(metadata=_key("_embedded"))
    """What is here."""


_ENRICHED_NAMES = tuple(EnrichedItem.__slots__)

_SCHEMA_NAMES = {IndexItem: "Item", EmbeddedTopic: "TopicEntry"}
"""Names in the schema of classes that have another name here, where another package has a class of that name."""


def dump_item(chunk: SpecChunk, href: str, *, technical: bool) -> dict[str, Any]:
    """One chunk as an `IndexItem` is dumped. A build has too many chunks to make an object of each.

    technical: the document has a technical baseline
    """
    item: dict[str, Any] = {"index": chunk.index, "href": href, "title": chunk.title}
    if chunk.section_path:
        item["section_path"] = chunk.section_path
    item |= {"is_code": chunk.is_code, "tokens": chunk.tokens, "sha256": chunk.sha256}
    item["similarity_conceptual"] = six_places(chunk.similarity_conceptual)
    if technical and chunk.similarity_technical is not None:
        item["similarity_technical"] = six_places(chunk.similarity_technical)
    if chunk.keywords:
        item["keywords"] = [_dump_keyword(keyword.name, keyword.score) for keyword in chunk.keywords]
    if chunk.prompt_hashes:
        item["prompt_hashes"] = chunk.prompt_hashes
        item["prompt_hashes_hex"] = [f"{value:016x}" for value in chunk.prompt_hashes]
    if chunk.enriched:
        item["enriched"] = _dump_enriched(chunk.enriched)
    return item


def enriched_item(said: SaidOfChunk) -> EnrichedItem | None:
    """Returns what a language model said of a chunk; None where it said nothing. Raises DecodeError."""
    if not said:
        return None
    values = _dump_enriched(said).items()
    return decode(EnrichedItem, {name: list(value) if isinstance(value, tuple) else value for name, value in values})


def dump_said(said: EnrichedItem) -> dict[str, Any]:
    """Returns the same as the file has it, without what was not said."""
    values = {name: getattr(said, name) for name in _ENRICHED_NAMES if getattr(said, name)}
    if said.entities:
        values["entities"] = [{"name": entity.name, "type": entity.type} for entity in said.entities]
    if said.propositions:
        values["propositions"] = [{"claim": p.claim, "start": p.start, "end": p.end} for p in said.propositions]
    if said.sections:
        values["sections"] = [{"chunks": section.chunks, "summary": section.summary} for section in said.sections]
    if said.images:
        values["images"] = [{"image": shown.image, "description": shown.description} for shown in said.images]
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def _dump_enriched(said: SaidOfChunk) -> dict[str, Any]:
    values: dict[str, Any] = {name: value for name in _ENRICHED_NAMES if (value := said.get(name))}
    for name, read in _READERS.items():
        if isinstance(value := values.get(name), list | tuple):
            values[name] = [found for item in value if (found := read(item))]
    return values


@lru_cache(maxsize=4096)  # a site names the same things again and again
def _read_entity(entity: str) -> Mapping[str, str]:
    """Returns an entity; nothing where a damaged fact has no type."""
    name, _, kind = entity.rpartition(" (")
    return {"name": name, "type": kind.removesuffix(")")} if name else {}


_READERS: Mapping[str, Callable[[str], Mapping[str, Any]]] = {
    "entities": _read_entity,
    "propositions": read_claim,
    "sections": read_section,
    "images": read_image,
}
"""What reads a fact of the fields whose facts are more than a text."""


@lru_cache(maxsize=4096)  # the terms of one table stand in all chunks of its topic
def _dump_keyword(name: str, score: float) -> dict[str, Any]:
    return {"name": name, "score": whole_score(score)}


def six_places(value: float) -> float:
    """A similarity rounded to 6 places, so that machines agree; zero has one sign. Raises ValueError for a number that
    is not finite, which a person may have written."""
    if not math.isfinite(value):
        raise ValueError(f"{value} is no similarity and no score")
    return round(value, 6) + 0.0


def decode_index(data: bytes, place: str) -> Index:
    """Reads one index file; `place` is its name in errors.

    Raises FormatError that names the value at fault, as in `_embedded.chunks.intro.items[3].tokens`.
    """
    try:
        return decode(Index, orjson.loads(data))
    except orjson.JSONDecodeError as error:
        raise FormatError(place, f"is not JSON: {error}") from None
    except DecodeError as error:
        where = f"{place}: {error.path.removeprefix('.')}" if error.path else place
        raise FormatError(where, error.reason) from None


def index_schema() -> dict[str, Any]:
    """The JSON Schema of an index file, made anew; reads the source of this module for the descriptions."""
    from infograph.formats.json_schema import json_schema  # reads sources: only what generates the file needs it

    schema = json_schema(Index, _SCHEMA_NAMES)
    return {"$schema": schema.pop("$schema"), "$id": SCHEMA_ID, "title": "infograph index.json", **schema}


def schema_bytes() -> bytes:
    """The generated schema, as it ships and as a build publishes it: `_schema/index.schema.json`."""
    return Path(__file__).with_name("index.schema.json").read_bytes()


def generate() -> bytes:
    """Bytes that `index.schema.json` beside this module must have."""
    return orjson.dumps(index_schema(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


if __name__ == "__main__":
    print(generate().decode(), end="")
