"""The records of documents that a build keeps for the next one, so that an incremental build equals a clean one.

    topics/*.bin   the documents of a topic: chunk rows, similarities, keywords, terms of each chunk, vector sums

They lie in the memory folder beside `state` (see state.py) and `graph.bin` (see topics.py), machine-local and never
trusted: a file that is missing, torn or of another version raises RecordsLost, and the build starts from the sources
again. Nothing is pickled.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infograph.files.disk import names_in, read_file, remove_private, write_private
from infograph.formats.compression import TEXT_LEVEL, compressed, decompressed
from infograph.model import SaidOfChunk, placed
from infograph.pipeline.memory.sealed import (
    DAMAGED,
    opened,
    pack_vectors,
    packed_json,
    sealed,
    size_of,
    unpack_vectors,
    unpacked_json,
)
from infograph.pipeline.memory.state import BUNDLE, RecordsLost
from infograph.pipeline.memory.topics import GRAPH
from infograph.topic.candidate_terms import ChunkTerms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.pipeline.memory.topics import TopicGraph

TOPICS = "topics"
"""Name of the folder that holds a file for each topic."""

_NOTHING_SAID: tuple[SaidOfChunk, Sequence[int]] = ({}, ())
_LENGTH = struct.Struct("<Q")
_ENDS = struct.Struct("<2Q")
"""Where the JSON of a topic's file ends and where its vectors end, after these numbers."""
_HEAD = 8
"""Bytes at the start of a file that tell it from the same file of another build."""


@dataclass(slots=True)
class ChunkRecord:
    """One chunk as the topic stage sees it."""

    title: str
    section_path: list[str]
    is_code: bool
    tokens: int
    sha256: str
    similarity_conceptual: float = 1.0
    similarity_technical: float | None = None
    prompts: list[int] = field(default_factory=list)


@dataclass(slots=True)
class DocumentRecord:
    """One document as the topic stage sees it. `terms` and `said` stay bytes: most of what handles a record never looks
    at them, and unpacked they are the largest parts of all."""

    path: str
    sha256: str
    size: int
    """Bytes of the file."""
    title: str
    description: str
    questions: list[tuple[str, int]]
    """The questions that it asks, each with the index of the chunk that holds it."""
    technical: int | None
    """Index of the chunk that is the technical baseline, where there is one."""
    chunks: list[ChunkRecord]
    terms: bytes
    """Candidate terms of each chunk, and last those of the front matter; see `pack_terms`."""
    vector_sum: NDArray[np.float64] | None = None
    """Sum of the chunks' unit vectors."""
    version: str = ""
    """Version in the names of its chunk files, see `SpecSource.version`."""
    units: list[Any] = field(default_factory=list)
    """Units of the document, see `SpecSource.units`: lists of type, level, slices and name."""
    said: bytes = b""
    """What a language model said of each chunk; see `pack_said`."""

    @property
    def name(self) -> str:
        """Name of the document within its topic."""
        return placed(self.path)[1]

    def __reduce__(self) -> tuple[Callable[..., DocumentRecord], tuple[Any, ...]]:
        """Pickles the record as JSON: so a tree's rows travel between processes several times as fast."""
        import orjson

        return _unpickled, (orjson.dumps(_entry(self)), self.terms, self.vector_sum, self.said)


def pack_said(chunks: Sequence[SaidOfChunk], asked: Sequence[Sequence[int]]) -> bytes:
    """Returns what a language model said of a document's chunks as JSON; empty where it said nothing. Deflated it would
    have a third of the bytes, which costs as much time as reading the records.

    asked: SimHashes of the questions that it wrote of each chunk
    """
    import orjson  # a build in which nothing changed needs none

    return orjson.dumps((chunks, asked)) if any(chunks) else b""


def said_in(document: DocumentRecord) -> Iterable[tuple[SaidOfChunk, Sequence[int]]]:
    """Returns what `pack_said` was given of a document, chunk by chunk, to be gone through once. Several texts of a
    field are a list."""
    if not document.said:
        return repeat(_NOTHING_SAID, len(document.chunks))
    import orjson

    said, asked = orjson.loads(document.said)
    return zip(said, asked, strict=True)


def pack_terms(chunks: list[ChunkTerms]) -> bytes:
    """Packs the candidate terms of a document's chunks into one small block of bytes. Blocks may follow each other."""
    import orjson

    rows = [[getattr(c, name) for name in ChunkTerms.__slots__] for c in chunks]
    data = compressed(orjson.dumps(rows), TEXT_LEVEL)
    return _LENGTH.pack(len(data)) + data


def unpack_terms(data: bytes) -> Iterable[ChunkTerms]:
    """Returns the terms that `pack_terms` packed; they can be iterated over more than once."""
    return _Unpacked(data)


class _Unpacked(Iterable[ChunkTerms]):
    """Unpacks one block at a time and keeps the last one for the next iteration: most documents have only one."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._start = -1
        """Start of the block that is held."""
        self._held: list[ChunkTerms] = []

    def __iter__(self) -> Iterator[ChunkTerms]:
        start = 0
        while start < len(self._data):
            begin = start + _LENGTH.size
            end = begin + _LENGTH.unpack_from(self._data, start)[0]
            if self._start != start:
                self._held, self._start = _unpacked(memoryview(self._data)[begin:end]), start
            yield from self._held
            start = end


def _unpacked(block: memoryview) -> list[ChunkTerms]:
    import orjson

    return [
        ChunkTerms(runs, others, codes, tuple((term, level) for term, level in headed))
        for runs, others, codes, headed in orjson.loads(decompressed(block))
    ]


@dataclass(slots=True)
class TopicFile:
    """The remembered data of one topic."""

    documents: list[DocumentRecord]
    keywords: list[list[list[int]]]
    """Places of each chunk's terms in the authority table, by document and chunk."""


def heads(memory: Path, *, searched: bool) -> dict[str, str]:
    """Returns the first bytes of the graph's and the topics' files, each a part of a digest, as hexadecimal digits.

    searched: the file of the search bundle counts too
    """
    topics = (f"{TOPICS}/{name}" for name in names_in(memory, TOPICS))
    names = sorted((GRAPH, *topics, *((BUNDLE,) if searched else ())))
    return {name: (read_file(memory / name, _HEAD) or b"").hex() for name in names}


def topic_file(topic: str) -> str:
    """Returns the path of a topic's file in the memory folder."""
    return f"{TOPICS}/{hashlib.sha256(topic.encode('utf-8', 'surrogateescape')).hexdigest()[:24]}.bin"


def load_topic(memory: Path, topic: str) -> TopicFile:
    """Reads what the last build remembered of one topic. Raises RecordsLost."""
    name = topic_file(topic)
    data = opened(read_file(memory / name) or b"", name)
    try:
        head, at = (_ENDS.size + end for end in _ENDS.unpack_from(data))
        value = unpacked_json(data[_ENDS.size : head], name)
        vectors = unpack_vectors(data[head:at], value["vectors"])
        documents = []
        for entry, vector, (terms, said) in zip(value["documents"], vectors, value["lengths"], strict=True):
            middle, end = at + terms, at + terms + said
            documents.append(_document(entry, bytes(data[at:middle]), vector, bytes(data[middle:end])))
            at = end
        return TopicFile(documents, value["keywords"])
    except DAMAGED as error:
        raise RecordsLost(name) from error


def pack_topic(file: TopicFile) -> bytes:
    """Returns the content of a topic's file."""
    value = {
        "documents": [_entry(document) for document in file.documents],
        "vectors": [size_of(document.vector_sum) for document in file.documents],
        "lengths": [(len(document.terms), len(document.said)) for document in file.documents],
        "keywords": file.keywords,
    }
    head = packed_json(value)
    vectors = pack_vectors(document.vector_sum for document in file.documents)
    ends = _ENDS.pack(len(head), len(head) + len(vectors))
    # These are bytes already.
    packed = [part for document in file.documents for part in (document.terms, document.said)]
    return sealed([ends, head, vectors, *packed])


def save_topic(memory: Path, topic: str, packed: bytes) -> None:
    """Writes a topic's file durably. Raises OutputError.

    packed: see `pack_topic`
    """
    write_private(memory, topic_file(topic), packed)


_row = attrgetter(*ChunkRecord.__slots__)


def _entry(document: DocumentRecord) -> list[Any]:
    """Returns a document as JSON holds it, without what is packed and its vector."""
    return [
        document.path,
        document.sha256,
        document.size,
        document.title,
        document.description,
        document.questions,
        document.technical,
        list(map(_row, document.chunks)),
        document.version,
        document.units,
    ]


def _document(entry: list[Any], terms: bytes, vector_sum: NDArray[np.float64] | None, said: bytes) -> DocumentRecord:
    path, sha256, size, title, description, questions, technical, rows, version, units = entry
    own = (path, sha256, size, title, description, questions, technical)
    return DocumentRecord(*own, [ChunkRecord(*row) for row in rows], terms, vector_sum, version, units, said)


def _unpickled(entry: bytes, terms: bytes, vector_sum: NDArray[np.float64] | None, said: bytes) -> DocumentRecord:
    import orjson

    return _document(orjson.loads(entry), terms, vector_sum, said)


def forget_topics(memory: Path, graph: TopicGraph) -> None:
    """Removes the files of topics that no longer exist."""
    kept = {topic_file(topic).rpartition("/")[2] for topic in graph.topics}
    for name in names_in(memory, TOPICS):
        if name not in kept:
            remove_private(memory, f"{TOPICS}/{name}")
