"""The records of topics that a build keeps for the next one, so that an incremental build equals a clean one.

    graph.bin      one entry a topic, the candidate terms of each, and in how many topics each term occurs
    topics/*.bin   the documents of a topic: chunk rows, similarities, keywords, terms of each chunk, vector sums

Both lie in the memory folder beside `state` (see state.py), machine-local and never trusted: a file that is missing,
torn or of another version raises RecordsLost, and the build starts from the sources again. Nothing is pickled.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, count, islice
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infograph.files.disk import names_in, read_file, remove_private, write_private
from infograph.formats.packed_arrays import TEXT_LEVEL, pack_array, unpack_array
from infograph.model import Facts, placed
from infograph.pipeline.memory.state import BUNDLE, FORMAT, RecordsLost
from infograph.topic.candidate_terms import ChunkTerms
from infograph.topic.similarities import VECTOR_STEPS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GRAPH = "graph.bin"
"""Name of the file that holds a `TopicGraph`."""
TOPICS = "topics"
"""Name of the folder that holds a file for each topic."""

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
    asked: list[int] = field(default_factory=list)
    """SimHashes of the questions that a language model wrote of it."""


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


@dataclass(slots=True)
class TopicRecord:
    """One topic as other topics see it."""

    title: str
    description: str
    documents: dict[str, str]
    """SHA-256 of each document by its path, sorted."""
    titles: list[str]
    """Title of each document, in that order."""
    chunks: int
    vector: NDArray[np.float64] | None
    """Sum of the documents' vector sums; empty where the topic has no chunk."""
    table: list[tuple[str, float]] = field(default_factory=list)
    """The authority table, highest score first."""
    related: list[Any] = field(default_factory=list)
    """The related topics as they were written."""
    version: str = ""
    """Version of its index, see `ChildTopic.version`."""


def pack_said(chunks: Sequence[Facts]) -> bytes:
    """Returns what a language model said of a document's chunks as JSON, for each its metadata without their common
    beginning; empty where it said nothing. Deflated it would have a third of the bytes, which costs as much time as
    reading the records."""
    import orjson  # a build in which nothing changed needs none

    return orjson.dumps(chunks) if any(chunks) else b""


def said_in(document: DocumentRecord) -> list[Facts]:
    """Returns what `pack_said` was given of a document, for each chunk."""
    if not document.said:
        return [()] * len(document.chunks)
    import orjson

    chunks = orjson.loads(document.said)
    return [tuple([(name, tuple(v) if isinstance(v, list) else v) for name, v in said]) for said in chunks]


def pack_terms(chunks: list[ChunkTerms]) -> bytes:
    """Packs the candidate terms of a document's chunks into one small block of bytes. Blocks may follow each other."""
    import orjson

    rows = [[getattr(c, name) for name in ChunkTerms.__slots__] for c in chunks]
    data = zlib.compress(orjson.dumps(rows), TEXT_LEVEL)
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
        for runs, others, codes, headed in orjson.loads(zlib.decompress(block))
    ]


@dataclass(slots=True)
class TopicGraph:
    """Every topic, and the number of topics in which each candidate term occurs."""

    topics: dict[str, TopicRecord] = field(default_factory=dict)
    frequency: dict[str, int] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    """The terms of the last build, sorted."""
    known: dict[str, NDArray[np.int32]] = field(default_factory=dict)
    """Candidate terms of each topic of the last build, as places among `names`, ascending."""
    fresh: dict[str, str] = field(default_factory=dict)
    """Candidate terms, one a line, of the topics that were worked on."""

    def having(self, terms: Iterable[str]) -> Iterator[tuple[str, set[str]]]:
        """Yields the topics of the last build that were not worked on and have some of the terms, with these."""
        import numpy as np

        names = sorted(terms)
        found = [bisect_left(self.names, name) for name in names]
        there = [(at, name) for at, name in zip(found, names, strict=True) if self.names[at : at + 1] == [name]]
        wanted = np.array([at for at, _ in there], np.int32)
        for topic, places in self.known.items():
            if topic not in self.fresh and topic in self.topics:
                held = wanted[np.isin(wanted, places)].tolist()
                if held:
                    yield topic, {self.names[at] for at in held}

    def documented(self) -> int:
        """Returns the number of topics that have documents: document frequency is a share of it."""
        return sum(bool(record.documents) for record in self.topics.values())

    def candidates(self, topic: str) -> list[str]:
        """Returns the terms of a topic that count towards `frequency`, sorted."""
        joined = self.fresh.get(topic)
        if joined is not None:
            return joined.split("\n") if joined else []
        places = self.known.get(topic)
        return [] if places is None else list(map(self.names.__getitem__, places.tolist()))


@dataclass(slots=True)
class TopicFile:
    """The remembered data of one topic."""

    documents: list[DocumentRecord]
    keywords: list[list[list[int]]]
    """Places of each chunk's terms in the authority table, by document and chunk."""


def load_graph(memory: Path) -> TopicGraph:
    """Reads the last build's graph. Raises RecordsLost."""
    import numpy as np

    data = read_file(memory / GRAPH) or b""
    if hashlib.sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
        raise RecordsLost(GRAPH)
    try:
        at = _DIGEST + _LENGTH.size
        at += _LENGTH.unpack_from(data, _DIGEST)[0]
        value = _value(zlib.decompress(data[_DIGEST + _LENGTH.size : at]), GRAPH)
        packed = {}
        for name, length in value["arrays"].items():
            packed[name] = data[at : at + length]
            at += length
        entries, names = value["topics"], value["names"].split("\n") if value["names"] else []
        every = [*names, *value["others"]]
        vectors = _split(packed["vectors"], [entry["vector"] for entry in entries.values()])
        terms = np.cumsum(unpack_array(packed["terms"], "<i4"), dtype=np.int32)
        known = np.split(terms, list(accumulate(entry["terms"] for entry in entries.values())))
        rows = zip(
            map(every.__getitem__, unpack_array(packed["rows"], "<u4").tolist()),
            unpack_array(packed["scores"], "<f8").tolist(),
            strict=True,
        )
        topics = {
            topic: TopicRecord(
                title=entry["title"],
                description=entry["description"],
                documents=entry["documents"],
                titles=entry["titles"],
                chunks=entry["chunks"],
                vector=vector,
                table=list(islice(rows, entry["table"])),
                related=entry["related"],
                version=entry["version"],
            )
            for (topic, entry), vector in zip(entries.items(), vectors, strict=True)
        }
        frequency = dict(zip(names, unpack_array(packed["frequency"], "<u4").tolist(), strict=True))
        return TopicGraph(topics, frequency, names, dict(zip(topics, known, strict=False)))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, struct.error, zlib.error) as error:
        raise RecordsLost(GRAPH) from error


def pack_graph(graph: TopicGraph) -> bytes:
    """Returns the content of the graph's file."""
    import numpy as np

    names = sorted(graph.frequency)
    places = dict(zip(names, count(), strict=False))
    known = _places(graph, names, places)
    # Rows set by hand may have terms that no extractor finds.
    others = sorted({term for record in graph.topics.values() for term, _ in record.table}.difference(places))
    places |= zip(others, count(len(names)), strict=False)
    topics = {
        topic: {
            "title": record.title,
            "description": record.description,
            "documents": record.documents,
            "titles": record.titles,
            "chunks": record.chunks,
            "vector": _size(record.vector),
            "table": len(record.table),
            "terms": len(known[topic]),
            "related": record.related,
            "version": record.version,
        }
        for topic, record in graph.topics.items()
    }
    rows = [row for record in graph.topics.values() for row in record.table]
    arrays = {
        "vectors": _joined(record.vector for record in graph.topics.values()),
        # Small numbers: those of a topic ascend.
        "terms": pack_array(np.diff(np.concatenate([np.zeros(1, np.int32), *known.values()])), "<i4"),
        "frequency": pack_array(np.array([graph.frequency[name] for name in names]), "<u4"),
        "rows": pack_array(np.array([places[term] for term, _ in rows]), "<u4"),
        "scores": pack_array(np.array([score for _, score in rows]), "<f8"),
    }
    lengths = {name: len(array) for name, array in arrays.items()}
    value = {"topics": topics, "names": "\n".join(names), "others": others, "arrays": lengths}
    head = zlib.compress(_json(value), TEXT_LEVEL)
    data = b"".join([_LENGTH.pack(len(head)), head, *arrays.values()])
    return hashlib.sha256(data).digest() + data


def save_graph(memory: Path, packed: bytes) -> None:
    """Writes the graph durably. Raises OutputError.

    packed: see `pack_graph`
    """
    write_private(memory, GRAPH, packed)


def _places(graph: TopicGraph, names: list[str], places: Mapping[str, int]) -> dict[str, NDArray[np.int32]]:
    """Returns the candidate terms of each topic as places among names, ascending."""
    import numpy as np

    now = None if names == graph.names else np.array([places.get(name, -1) for name in graph.names], np.int32)
    none = np.zeros(0, np.int32)
    found = {}
    for topic in graph.topics:
        if topic in graph.fresh:
            found[topic] = np.array([places[term] for term in graph.candidates(topic)], np.int32)
        else:
            before = graph.known.get(topic, none)
            found[topic] = before if now is None else now[before]
    return found


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
    data = read_file(memory / name) or b""
    if hashlib.sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
        raise RecordsLost(name)
    try:
        head, at = (_DIGEST + _ENDS.size + end for end in _ENDS.unpack_from(data, _DIGEST))
        value = _value(zlib.decompress(data[_DIGEST + _ENDS.size : head]), name)
        vectors = _split(data[head:at], value["vectors"])
        documents = []
        for entry, vector, (terms, said) in zip(value["documents"], vectors, value["lengths"], strict=True):
            middle, end = at + terms, at + terms + said
            documents.append(_document(entry, data[at:middle], vector, data[middle:end]))
            at = end
        return TopicFile(documents, value["keywords"])
    except (KeyError, TypeError, ValueError, AttributeError, struct.error, zlib.error) as error:
        raise RecordsLost(name) from error


def pack_topic(file: TopicFile) -> bytes:
    """Returns the content of a topic's file."""
    value = {
        "documents": [_entry(document) for document in file.documents],
        "vectors": [_size(document.vector_sum) for document in file.documents],
        "lengths": [(len(document.terms), len(document.said)) for document in file.documents],
        "keywords": file.keywords,
    }
    head = zlib.compress(_json(value), TEXT_LEVEL)
    vectors = _joined(document.vector_sum for document in file.documents)
    ends = _ENDS.pack(len(head), len(head) + len(vectors))
    # These are bytes already.
    packed = [part for document in file.documents for part in (document.terms, document.said)]
    data = b"".join([ends, head, vectors, *packed])
    return hashlib.sha256(data).digest() + data


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


_DIGEST = 32


def _json(value: Any) -> bytes:
    import orjson

    return orjson.dumps({"format": FORMAT, "value": value})


def _value(data: bytes, name: str) -> Any:
    import orjson

    try:
        found = orjson.loads(data)
    except ValueError as error:
        raise RecordsLost(name) from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise RecordsLost(name)
    return found["value"]


def _size(vector: NDArray[np.float64] | None) -> int:
    """Returns the number of components of a vector; -1 for none."""
    return -1 if vector is None else len(vector)


def _joined(vectors: Iterable[NDArray[np.float64] | None]) -> bytes:
    """Packs sums of vectors, one after the other."""
    import numpy as np

    every = np.concatenate([np.zeros(0), *(vector for vector in vectors if vector is not None)])
    steps = (every * VECTOR_STEPS).astype(np.int64)
    # The sign last: so the higher bytes of most numbers are 0.
    return pack_array(steps << 1 ^ steps >> 63, "<u8")


def _split(packed: bytes, sizes: Sequence[int]) -> list[NDArray[np.float64] | None]:
    """Returns the vectors that `_joined` packed; arguments as `_size` returned them."""
    steps = unpack_array(packed, "<u8").astype("<i8")
    every = (steps >> 1 ^ -(steps & 1)) / VECTOR_STEPS
    ends = accumulate(max(size, 0) for size in sizes)
    return [None if size < 0 else every[end - size : end] for size, end in zip(sizes, ends, strict=True)]
