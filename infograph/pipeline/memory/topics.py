"""All topics as each sees the others, kept from build to build in one file, `graph.bin`.

It has one entry a topic, the candidate terms of each and its authority table, and in how many topics each term occurs.
Terms of tables stay numbers until somebody asks for them: an edit changes the tables of few topics.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, count, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from infograph.files.disk import read_file, write_private
from infograph.formats.packed_arrays import pack_array, pack_lines, unpack_array, unpack_lines
from infograph.pipeline.memory.sealed import (
    DAMAGED,
    LENGTH,
    opened,
    pack_vectors,
    packed_json,
    sealed,
    size_of,
    unpack_vectors,
    unpacked_json,
)
from infograph.pipeline.memory.state import RecordsLost

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GRAPH = "graph.bin"
"""Name of the file that holds a `TopicGraph`."""


@dataclass(frozen=True, slots=True, eq=False)
class KeptTable(Sequence[tuple[str, float]]):
    """An authority table as numbers: its rows are made when they are asked for."""

    terms: Sequence[str]
    """Terms of all tables of a build."""
    places: NDArray[np.int64]
    """Place of each row's term among these."""
    scores: NDArray[np.float64]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (list, KeptTable)) and list(self) == list(other)

    def __len__(self) -> int:
        return len(self.places)

    def __iter__(self) -> Iterator[tuple[str, float]]:
        return zip(map(self.terms.__getitem__, self.places.tolist()), self.scores.tolist(), strict=True)

    @overload
    def __getitem__(self, at: int) -> tuple[str, float]: ...
    @overload
    def __getitem__(self, at: slice) -> list[tuple[str, float]]: ...
    def __getitem__(self, at: int | slice) -> tuple[str, float] | list[tuple[str, float]]:
        return list(self)[at]


class TableTerms:
    """The terms of tables that a build makes: each is held once, since topics have many in common."""

    def __init__(self) -> None:
        self._terms: list[str] = []
        self._places: dict[str, int] = {}

    def kept(self, rows: Sequence[tuple[str, float]]) -> KeptTable:
        """Returns a table as numbers."""
        import numpy as np

        for term, _ in rows:
            if term not in self._places:
                self._places[term] = len(self._terms)
                self._terms.append(term)
        places = np.array([self._places[term] for term, _ in rows], np.int64)
        return KeptTable(self._terms, places, np.array([score for _, score in rows], np.float64))


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
    table: Sequence[tuple[str, float]] = field(default_factory=list)
    """The authority table, highest score first."""
    related: list[Any] = field(default_factory=list)
    """The related topics as they were written."""
    version: str = ""
    """Version of its index, see `ChildTopic.version`."""


@dataclass(slots=True)
class TopicGraph:
    """Every topic, and the number of topics in which each candidate term occurs."""

    topics: dict[str, TopicRecord] = field(default_factory=dict)
    frequency: dict[str, int] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    """The terms of the last build, sorted."""
    known: dict[str, NDArray[np.int32]] = field(default_factory=dict)
    """Candidate terms of each topic of the last build, as places among `names`, ascending."""
    fresh: MutableMapping[str, str] = field(default_factory=dict)
    """Candidate terms, one a line, of the topics that were worked on."""
    moved: set[str] = field(default_factory=set)
    """Topics whose vector or title is not that of the last build, with those that it did not have and those that are
    gone."""
    retabled: set[str] = field(default_factory=set)
    """Topics whose authority table is not that of the last build."""

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


def load_graph(memory: Path) -> TopicGraph:
    """Reads the last build's graph. Raises RecordsLost."""
    import numpy as np

    data = opened(read_file(memory / GRAPH) or b"", GRAPH)
    try:
        at = LENGTH.size + LENGTH.unpack_from(data)[0]
        value = unpacked_json(data[LENGTH.size : at], GRAPH)
        packed = {}
        for name, length in value["arrays"].items():
            packed[name] = data[at : at + length]
            at += length
        entries, names = value["topics"], unpack_lines(packed["names"])
        vectors = unpack_vectors(packed["vectors"], [entry["vector"] for entry in entries.values()])
        terms = np.cumsum(unpack_array(packed["terms"], "<i4"), dtype=np.int32)
        known = np.split(terms, list(accumulate(entry["terms"] for entry in entries.values())))
        tables = _kept_tables([*names, *value["others"]], packed, [entry["table"] for entry in entries.values()])
        topics = {
            topic: TopicRecord(
                title=entry["title"],
                description=entry["description"],
                documents=entry["documents"],
                titles=entry["titles"],
                chunks=entry["chunks"],
                vector=vector,
                table=table,
                related=entry["related"],
                version=entry["version"],
            )
            for (topic, entry), vector, table in zip(entries.items(), vectors, tables, strict=True)
        }
        frequency = dict(zip(names, unpack_array(packed["frequency"], "<u4").tolist(), strict=True))
        return TopicGraph(topics, frequency, names, dict(zip(topics, known, strict=False)))
    except DAMAGED as error:
        raise RecordsLost(GRAPH) from error


def _kept_tables(terms: Sequence[str], packed: Mapping[str, memoryview], sizes: Sequence[int]) -> list[KeptTable]:
    """Returns the tables of all topics from their numbers of rows. Raises ValueError where they do not fit."""
    places = unpack_array(packed["rows"], "<u4").astype("<i8")
    scores = unpack_array(packed["scores"], "<f8")
    ends = list(accumulate(sizes, initial=0))
    if not len(places) == len(scores) == ends[-1] or (len(places) and int(places.max()) >= len(terms)):
        raise ValueError("the tables have other numbers of rows")
    return [KeptTable(terms, places[start:end], scores[start:end]) for start, end in pairwise(ends)]


def pack_graph(graph: TopicGraph) -> bytes:
    """Returns the content of the graph's file."""
    import numpy as np

    names = sorted(graph.frequency)
    places = dict(zip(names, count(), strict=False))
    known = _places(graph, names, places)
    others, rows, scores = _table_rows([record.table for record in graph.topics.values()], places)
    topics = {
        topic: {
            "title": record.title,
            "description": record.description,
            "documents": record.documents,
            "titles": record.titles,
            "chunks": record.chunks,
            "vector": size_of(record.vector),
            "table": len(record.table),
            "terms": len(known[topic]),
            "related": record.related,
            "version": record.version,
        }
        for topic, record in graph.topics.items()
    }
    arrays = {
        "names": pack_lines(names),
        "vectors": pack_vectors(record.vector for record in graph.topics.values()),
        # Small numbers: those of a topic ascend.
        "terms": pack_array(np.diff(np.concatenate([np.zeros(1, np.int32), *known.values()])), "<i4"),
        "frequency": pack_array(np.array([graph.frequency[name] for name in names]), "<u4"),
        "rows": pack_array(rows, "<u4"),
        "scores": pack_array(scores, "<f8"),
    }
    lengths = {name: len(array) for name, array in arrays.items()}
    head = packed_json({"topics": topics, "others": others, "arrays": lengths})
    return sealed([LENGTH.pack(len(head)), head, *arrays.values()])


def save_graph(memory: Path, packed: bytes) -> None:
    """Writes the graph durably. Raises OutputError.

    packed: see `pack_graph`
    """
    write_private(memory, GRAPH, packed)


def _table_rows(
    tables: Sequence[Sequence[tuple[str, float]]], places: Mapping[str, int]
) -> tuple[list[str], NDArray[np.int64], NDArray[np.float64]]:
    """Returns the terms of tables that no extractor finds, as rows set by hand may have them, sorted; then the place of
    each row's term among all names and these, and its score, table after table.

    places: of the names
    """
    import numpy as np

    # The list of terms that tables number, and which of these a table has: one list of the last build, one of this one.
    used: dict[int, tuple[Sequence[str], NDArray[np.bool_]]] = {}
    for table in tables:
        if isinstance(table, KeptTable):
            _, flags = used.setdefault(id(table.terms), (table.terms, np.zeros(len(table.terms), np.bool_)))
            flags[table.places] = True
    terms = {every[place] for every, flags in used.values() for place in np.flatnonzero(flags).tolist()}
    terms |= {term for table in tables if not isinstance(table, KeptTable) for term, _ in table}
    others = sorted(terms.difference(places))
    now = {**places, **dict(zip(others, count(len(places)), strict=False))} if others else places
    renumbered = {
        which: np.array([now.get(term, -1) for term in every], np.int64)  # -1: nobody's
        for which, (every, _) in used.items()
    }
    rows, scores = [np.zeros(0, np.int64)], [np.zeros(0)]
    for table in tables:
        if isinstance(table, KeptTable):
            rows.append(renumbered[id(table.terms)][table.places])
            scores.append(table.scores)
        else:
            rows.append(np.array([now[term] for term, _ in table], np.int64))
            scores.append(np.array([score for _, score in table], np.float64))
    return others, np.concatenate(rows), np.concatenate(scores)


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
