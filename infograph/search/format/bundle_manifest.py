"""What `manifest.json` says, as far as a reader needs it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import orjson

from infograph.errors import ConfigError, FormatError
from infograph.formats.codec import Bounds, DecodeError, decode
from infograph.search.format.encoding import hash32, top_bits
from infograph.search.format.impact import COUNTS, LENGTHS
from infograph.search.format.layout import DIRECTORY, FORMAT, LARGEST_MANIFEST, MANIFEST
from infograph.search.format.terms import Language

STEMS_REMEMBERED = 1024

Count = Annotated[int, Bounds(0, 1 << 50)]
Positive = Annotated[int, Bounds(1, 1 << 50)]
Share = Annotated[float, Bounds(0, 1)]


class UnknownFormatError(FormatError):
    """A manifest of a format that this release does not know."""


@dataclass(frozen=True, slots=True)
class Bm25Parameters:
    k1: Annotated[float, Bounds(0)]
    b: Share
    average_length: Annotated[float, Bounds(0)]
    """Of a chunk, in terms."""
    counts: tuple[Positive, ...]
    lengths: tuple[Positive, ...]

    def saturation(self) -> tuple[float, ...]:
        """The term frequency part of BM25 for each of the 256 bytes that a posting may have."""
        average = max(1.0, self.average_length)
        return tuple(
            count * (self.k1 + 1) / (count + self.k1 * (1 - self.b + self.b * length / average))
            for count in self.counts
            for length in self.lengths
        )


@dataclass(frozen=True, slots=True)
class DenseParameters:
    alpha: float
    unit: float


@dataclass(frozen=True, slots=True)
class ShardTable:
    """Shards that are found by a hash."""

    bits: Annotated[int, Bounds(0, 32)]
    names: tuple[str, ...] = ()
    directories: tuple[str, ...] = ()
    """Files of the names, where there are many."""

    def shard(self, key: str) -> int:
        return top_bits(hash32(key), self.bits)

    def whole(self) -> bool:
        """Whether there is a name for every hash."""
        shards = 1 << self.bits
        return len(self.names) == shards or len(self.directories) == -(-shards // DIRECTORY)


@dataclass(frozen=True, slots=True)
class VectorParameters:
    dimension: Positive
    model: str = ""
    """`name@revision` of what the chunks were embedded with; a query embedded with it can be compared."""
    weight: float = 0.0
    """Of a query's cosine beside the score."""
    map: str = ""
    """File that maps the model's vectors to the chunks'."""
    rerank: bool = False
    """Whether a client that has the model puts the first chunks in order by it unless told otherwise."""


@dataclass(frozen=True, slots=True)
class DictionaryFiles:
    directory: str = ""
    """File that lists the files of the site's terms;"""
    backwards: str = ""
    """of the terms written backwards."""
    letters: str = ""
    """Of the terms."""


@dataclass(frozen=True, slots=True)
class BundleManifest:
    format: int
    language: str
    """ISO 639-1 code."""
    stop_words: str
    chunks: Count
    bm25: Bm25Parameters
    dense: DenseParameters
    neighbour: float
    block: Positive
    """Chunks of a page that stand together in a document shard."""
    group: Positive
    """Slots whose blocks of the same number stand in the same document shard."""
    largest_shard: Count
    postings: ShardTable
    documents: ShardTable
    vectors: VectorParameters
    vector_shards: ShardTable
    dictionary: DictionaryFiles = DictionaryFiles()


def read_manifest(data: bytes) -> BundleManifest:
    """Raises FormatError for what is no manifest, UnknownFormatError for one of another release."""
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
        reason = f"a field is missing or of another kind: {error.path.removeprefix('.')} {error.reason}"
        raise FormatError(MANIFEST, reason, "Build the site again") from None
    bm25, dense = manifest.bm25, manifest.dense
    numbers = (bm25.k1, bm25.average_length, dense.alpha, dense.unit, manifest.neighbour, manifest.vectors.weight)
    scales = (len(bm25.counts), len(bm25.lengths)) == (len(COUNTS), len(LENGTHS))
    tables = (manifest.postings, manifest.documents, manifest.vector_shards)
    if not (
        scales and all(map(math.isfinite, (*numbers, *bm25.saturation()))) and all(table.whole() for table in tables)
    ):
        raise FormatError(MANIFEST, "its numbers or its names do not belong together", "Build the site again")
    return manifest


def language_of(manifest: BundleManifest, stemmer: Callable[[str], Callable[[str], str]]) -> Language | None:
    """What a query is cut by; None where there is no stemmer, which the stemmer says by a ConfigError."""
    try:
        stem = stemmer(manifest.language)
    except ConfigError:
        return None
    stem = lru_cache(STEMS_REMEMBERED)(stem)  # a long query may say one word ten thousand times
    return Language(manifest.language, stem, frozenset(manifest.stop_words.split()))
