"""The fields of `manifest.json` that a reader needs, and how it reads them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated

import orjson

from infograph.errors import ConfigError, FormatError
from infograph.formats.codec import Bounds, DecodeError, Pattern, decode
from infograph.formats.names import GRAPH, VERSION_DIGITS, graph_manifest_path
from infograph.search.format.encoding import front_decoded, hash32, top_bits
from infograph.search.format.fusion_model import PLAIN_SUM, TREES, Fusion
from infograph.search.format.impact import COUNTS, FIELDS, LENGTHS
from infograph.search.format.layout import (
    DIRECTORY,
    FORMAT,
    HASH_BITS,
    LARGEST_MANIFEST,
    LARGEST_NUMBER,
    MANIFEST,
    count_names,
)
from infograph.search.format.rerank_policy import NO_POLICY, RerankPolicy
from infograph.search.format.terms import Language

STEMS_REMEMBERED = 1024
"""Most words whose stems a reader remembers."""

BoundedCount = Annotated[int, Bounds(0, LARGEST_NUMBER)]
BoundedPositive = Annotated[int, Bounds(1, LARGEST_NUMBER)]
Share = Annotated[float, Bounds(0, 1)]


class UnknownFormatError(FormatError):
    """A manifest of a format that this release does not know."""


@dataclass(frozen=True, slots=True)
class Bm25Parameters:
    """The parameters of BM25, and the scales of an impact byte."""

    k1: Annotated[float, Bounds(0)]
    b: Share
    average_length: Annotated[float, Bounds(0)]
    """Average length of a chunk, in terms."""
    counts: tuple[BoundedPositive, ...]
    """Occurrences that the high three bits of an impact byte stand for."""
    lengths: tuple[BoundedPositive, ...]
    """Terms of a chunk that its low five bits stand for."""
    fields: tuple[float, ...]
    """What a term gains by the fields that have it, which the two bits above that byte stand for."""
    identifier: Annotated[float, Bounds(0)] = 1.0
    """Weight of the whole of an identifier in a query, beside 1 of every other term."""

    @property
    def most(self) -> float:
        """The bound of the term frequency part, for a term without end in every field."""
        return self.k1 + 1 + max(self.fields)

    def saturation(self, share: float = 1.0) -> tuple[float, ...]:
        """Returns the term frequency part of the score for each of the 1,024 impacts.

        share: of what fields add
        """
        average = max(1.0, self.average_length)
        return tuple(
            share * gain + count * (self.k1 + 1) / (count + self.k1 * (1 - self.b + self.b * length / average))
            for gain in self.fields
            for count in self.counts
            for length in self.lengths
        )


@dataclass(frozen=True, slots=True)
class ShardTable:
    """The shards of one kind, which are found by the hash of a key."""

    bits: Annotated[int, Bounds(0, 32)]
    """Leading bits of a hash that are the number of a shard."""
    names: str = ""
    """Name of each shard's file as one text, see `joined_names`; an empty name is a shard without contents."""
    directories: tuple[str, ...] = ()
    """In place of `names` where there are many: files that list `DIRECTORY` names each, in the same way."""

    def shard(self, key: str) -> int:
        """Returns the number of the shard that a key is in."""
        return top_bits(hash32(key), self.bits)

    def whole(self) -> bool:
        """Whether there is a name for every shard."""
        shards = 1 << self.bits
        return count_names(self.names) == shards or len(self.directories) == -(-shards // DIRECTORY)


@dataclass(frozen=True, slots=True)
class VectorParameters:
    """The chunks' vectors, and how a query is compared with them."""

    dimension: BoundedPositive
    model: str = ""
    """Model of the chunks' vectors as `name@revision`; a query that it embeds can be compared."""
    weight: float = 0.0
    """Weight of a query's cosine beside the score."""
    fields: float = 1.0
    """Share of what fields add to the score that counts beside the cosine."""
    map: str = ""
    """Name of the file that maps the model's vectors into the space of the chunks' vectors."""
    rerank: bool = False
    """Whether a client that has the model reranks the first chunks by default."""


@dataclass(frozen=True, slots=True)
class LinkParameters:
    """How links between pages count, and the shards of their lists."""

    share: Annotated[float, Bounds(0)]
    """Share of a page's score that the pages gain to which it leads."""
    leaders: Annotated[int, Bounds(1, 64)]
    """Number of first pages whose links are followed."""
    after: Annotated[int, Bounds(1, 64)]
    """Number of first pages that no page passes because of a link."""
    shards: ShardTable


@dataclass(frozen=True, slots=True)
class QuestionParameters:
    """The questions that chunks are known to answer: how they are compared with another, and their shards."""

    count: BoundedPositive
    """Number of questions."""
    distance: Annotated[int, Bounds(0, HASH_BITS)]
    """Most bits between the hashes of two questions that count as the same."""
    shards: ShardTable
    common: tuple[str, ...] = ()
    """Stems that so many questions have that no shard is found by them."""
    turning: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Groups of words that turn a question around, by name, see `question_hash.py`."""


@dataclass(frozen=True, slots=True)
class DictionaryFiles:
    """The files of the site's terms."""

    directory: str = ""
    """Name of the file that lists the files of sorted terms."""
    backwards: str = ""
    """Name of the file that lists the files of sorted terms written backwards."""
    letters: str = ""
    """The most frequent letters of the terms, see `forms.letters`."""


@dataclass(frozen=True, slots=True)
class GraphFile:
    """The manifest of the graph that was published with a bundle."""

    href: Annotated[str, Pattern(rf"\.\./{GRAPH}/manifest\.[0-9a-f]{{{VERSION_DIGITS}}}\.json")]
    """Link to the file, beside which those lie that it names."""
    sha256: Annotated[str, Pattern("[0-9a-f]{64}")]

    @classmethod
    def of(cls, data: bytes) -> GraphFile:
        """Returns what a bundle says of a graph's manifest."""
        sha256 = hashlib.sha256(data).hexdigest()
        return cls(f"../{graph_manifest_path(sha256[:VERSION_DIGITS])}", sha256)

    @property
    def path(self) -> str:
        """Path of the file from the root."""
        return self.href.removeprefix("../")


@dataclass(frozen=True, slots=True)
class BundleManifest:
    """The manifest of a search bundle."""

    format: int
    language: str
    """Language of the texts, ISO 639-1 code."""
    stop_words: str
    """Words that give no term, separated by spaces."""
    chunks: BoundedCount
    """Number of chunks."""
    bm25: Bm25Parameters
    neighbour: float
    """Share of the better neighbour's score that a chunk's score gains."""
    block: BoundedPositive
    """Number of chunks of a page that stand together in a document shard."""
    group: BoundedPositive
    """Number of slots whose blocks of the same number stand in the same document shard."""
    largest_shard: BoundedCount
    """Most bytes of a shard after inflation."""
    postings: ShardTable
    documents: ShardTable
    vectors: VectorParameters
    vector_shards: ShardTable
    dictionary: DictionaryFiles = DictionaryFiles()
    fusion: Fusion = PLAIN_SUM
    """How words and cosine become one score, for a reader that has the query's vector."""
    rerank: RerankPolicy = NO_POLICY
    """From which confidence on no language model need be asked."""
    links: LinkParameters | None = None
    """None where no page leads to another."""
    questions: QuestionParameters | None = None
    """None where no chunk is known to answer a question."""
    pages: BoundedCount = 0
    """Number of pages."""
    fields: str = ""
    """Name of the directory of the fields that can be filtered by, see `columns.py`; empty where there are none."""
    graph: GraphFile | None = None
    """None where the site has no graph of entities."""


def read_manifest(data: bytes) -> BundleManifest:
    """Reads a manifest. Raises FormatError where it is malformed, UnknownFormatError where its format is unknown."""
    if len(data) > LARGEST_MANIFEST:
        raise FormatError(MANIFEST, f"{len(data)} bytes, more than {LARGEST_MANIFEST}", "Build the site again")
    try:
        found = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise FormatError(MANIFEST, f"not JSON: {error}", "Build the site again") from None
    said = found.get("format") if isinstance(found, dict) else None
    if said != FORMAT:
        reason = f"its format is {str(said)[:40]}, and this release of infograph knows {FORMAT}"
        raise UnknownFormatError(MANIFEST, reason, "Update infograph, or build the site again")
    try:
        manifest = decode(BundleManifest, found)
    except DecodeError as error:
        reason = f"a field is missing or of another kind: {error.placed}"
        raise FormatError(MANIFEST, reason, "Build the site again") from None
    bm25 = manifest.bm25
    vectors = manifest.vectors
    numbers = [bm25.k1, bm25.average_length, bm25.identifier, manifest.neighbour, vectors.weight, vectors.fields]
    scales = tuple(map(len, (bm25.counts, bm25.lengths, bm25.fields))) == tuple(map(len, (COUNTS, LENGTHS, FIELDS)))
    tables = [manifest.postings, manifest.documents, manifest.vector_shards]
    if manifest.links is not None:
        tables.append(manifest.links.shards)
        numbers.append(manifest.links.share)
    if manifest.questions is not None:
        tables.append(manifest.questions.shards)
    fusion = manifest.fusion.sound() and bool(manifest.fusion.file) == (manifest.fusion.kind == TREES)
    if not (
        fusion
        and scales
        and all(map(math.isfinite, (*numbers, *bm25.saturation())))
        and all(table.whole() for table in tables)
    ):
        raise FormatError(MANIFEST, "its numbers or its names do not belong together", "Build the site again")
    return manifest


def language_of(manifest: BundleManifest, stemmer: Callable[[str], Callable[[str], str]]) -> Language | None:
    """Returns the language that a query is cut by; None where `stemmer` raises ConfigError, as it has none for it."""
    try:
        stem = stemmer(manifest.language)
    except ConfigError:
        return None
    stem = lru_cache(STEMS_REMEMBERED)(stem)  # a long query may say one word ten thousand times
    return Language(manifest.language, stem, frozenset(front_decoded(manifest.stop_words)))
