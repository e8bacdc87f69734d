"""Relations between topics, computed over a whole tree or over what changed.

    records ─▶ document frequency, related topics, children

What one topic says depends on others in two ways: a term's multiplier on how many topics have it, and the
related topics on all topics' vectors. Both are followed here, so that a changed page also renews the topics
that it moved and no others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from infograph.index.hal import ChildTopic, summarise
from infograph.model import Keyword, RelatedTopic, stem_of
from infograph.pipeline.memory.records import DocumentRecord
from infograph.pipeline.memory.topics import TopicGraph, TopicRecord
from infograph.source.overview import DESCRIPTION_LENGTH, in_words
from infograph.text.inline import shorten
from infograph.topic.keyword_scoring import document_frequency, rank_changes
from infograph.topic.similarities import MINIMUM_RELATED_SIMILARITY, near, related, topic_vector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_OVERVIEWS = ("index", "readme", "_index", "overview", "introduction", "golden-reference")
"""Stems of the document that describes its topic, best first."""
_TABLES = 512
"""Most tables that are held as dictionaries at once: those of thousands of topics take hundreds of megabytes."""


def describe(topic: str, documents: Sequence[DocumentRecord], site_name: str) -> tuple[str, str]:
    """Returns a topic's title and description, from the document that describes it; where there is none, its folder's
    name, or the site's, and the titles of its documents."""
    by_stem = {stem_of(record.name).lower(): record for record in documents}
    overview = next((by_stem[stem] for stem in _OVERVIEWS if stem in by_stem), None)
    if overview is None and len(documents) == 1:
        overview = documents[0]
    name = in_words(topic.rpartition("/")[2]) if topic else site_name or "Documentation"
    if overview is None:
        return name, shorten(", ".join(record.title for record in documents), DESCRIPTION_LENGTH)
    return overview.title or name, overview.description


def topic_record(documents: Sequence[DocumentRecord], described: tuple[str, str]) -> TopicRecord:
    """Returns a topic as other topics see it, with an empty table and no related topics yet."""
    import numpy as np

    sums = [record.vector_sum for record in documents if record.vector_sum is not None and record.chunks]
    return TopicRecord(
        *described,
        documents={record.path: record.sha256 for record in documents},
        titles=[record.title for record in documents],
        chunks=sum(len(record.chunks) for record in documents),
        vector=np.add.reduce(np.stack(sums), axis=0) if sums else np.zeros(0),
    )


def update_graph(
    graph: TopicGraph,
    changed: Mapping[str, Sequence[DocumentRecord]],
    terms: Iterable[tuple[str, str]],
    gone: Iterable[str],
    site_name: str,
) -> dict[str, bool]:
    """Renews the entries of changed topics; returns the terms whose global multiplier changed with them, as
    `rank_changes` does.

    changed: topics that are new or have other documents than before, with all their documents
    terms:   each with its candidate terms, one a line
    gone:    topics that the tree no longer has
    """
    counted_before = graph.documented()
    before: dict[str, int] = {}
    old_terms: list[list[str]] = []
    for topic in gone:
        old_terms.append(graph.candidates(topic))
        del graph.topics[topic]
        graph.moved.add(topic)
    for topic, documents in changed.items():
        old_terms.append(graph.candidates(topic))
        taken = list(documents)
        _renew(graph, topic, topic_record(taken, describe(topic, taken, site_name)))
    graph.fresh.update(terms)
    change = document_frequency(map(graph.candidates, changed))
    if graph.topics.keys() <= changed.keys():  # no topic is left that another's terms could move
        graph.frequency = dict(change)
        return {}
    change.subtract(document_frequency(old_terms))
    counted = graph.documented()
    if counted != counted_before:
        before = dict(graph.frequency)
    for term, difference in change.items():
        if difference:
            known = graph.frequency.get(term, 0)
            before.setdefault(term, known)
            if known + difference:
                graph.frequency[term] = known + difference
            else:
                graph.frequency.pop(term, None)
    after = graph.frequency if counted != counted_before else {term: graph.frequency.get(term, 0) for term in before}
    return rank_changes(before, counted_before, after, counted)


def _renew(graph: TopicGraph, topic: str, record: TopicRecord) -> None:
    """Puts a topic's new record in place of the last build's, whose table and related topics it keeps until it has its
    own."""
    import numpy as np

    old = graph.topics.get(topic)
    graph.topics[topic] = record
    if old is None or old.title != record.title or not np.array_equal(_vector(old), _vector(record)):
        graph.moved.add(topic)
    if old is not None and record.chunks:
        record.table, record.related = old.table, old.related


def _vector(record: TopicRecord) -> NDArray[np.float64]:
    """Returns the sum of a topic's vectors, empty where it has no chunk."""
    import numpy as np

    return np.zeros(0) if record.vector is None else record.vector


def relate(graph: TopicGraph, limit: int, *, again: bool = False) -> dict[str, tuple[RelatedTopic, ...]]:
    """Returns the related topics of every topic that has chunks.

    limit: related topics of one topic at most
    again: leaves out topics whose related topics are those of the last build
    """
    topics = sorted(topic for topic, record in graph.topics.items() if record.chunks)
    if len(topics) < 2 or not limit:
        return dict.fromkeys(topics, ())
    import numpy as np

    @lru_cache(_TABLES)
    def table(topic: str) -> Mapping[str, float]:
        return dict(graph.topics[topic].table)

    vectors = np.stack([topic_vector([_vector(graph.topics[topic])]) for topic in topics])
    return related(
        topics,
        [graph.topics[topic].title for topic in topics],
        vectors,
        table,
        limit,
        wanted=_to_relate(graph, topics, vectors, limit) if again else None,
    )


def _to_relate(graph: TopicGraph, topics: Sequence[str], vectors: NDArray[np.float64], limit: int) -> set[str]:
    """Returns the topics whose related topics may not be those of the last build: what moved, what leads to something
    that moved or that has another table, and what has come nearer to something than to its own last related topic.

    topics: all that have chunks, a row of `vectors` each
    """
    import numpy as np

    other = graph.moved | graph.retabled
    known = {topic: graph.topics[topic].related for topic in topics}
    found = {topic for topic in topics if topic in other or any(row[0] in other for row in known[topic])}
    least = [known[topic][-1][2] if len(known[topic]) >= limit else MINIMUM_RELATED_SIMILARITY for topic in topics]
    moved = [row for row, topic in enumerate(topics) if topic in graph.moved]
    return found | {topics[row] for row in np.flatnonzero(near(vectors, moved, np.array(least))).tolist()}


def outline(children: Mapping[str, Sequence[ChildTopic]]) -> list[tuple[ChildTopic, list[ChildTopic]]]:
    """Returns the root's child topics, each with all topics below it, the nearer ones first."""
    sections = []
    for child in children[""]:
        below = list(children[child.id])
        for topic in below:  # which grows meanwhile
            below += children[topic.id]
        sections.append((child, below))
    return sections


def edges_of(rows: Sequence[Sequence[Any]]) -> tuple[RelatedTopic, ...]:
    """Returns related topics from what `related_rows` made of them."""
    return tuple(
        [
            RelatedTopic(id, title, similarity, tuple([Keyword(*term) for term in shared]))
            for id, title, similarity, shared in rows
        ]
    )


def related_rows(edges: Sequence[RelatedTopic]) -> list[list[Any]]:
    """Returns related topics as plain lists, to compare with what was remembered."""
    return [[e.id, e.title, e.similarity, [[k.name, k.score] for k in e.shared]] for e in edges]


class Listing(NamedTuple):
    """Topics as indexes list them."""

    entries: dict[str, ChildTopic]
    """Every topic as its parent lists it, the counts including everything below."""
    children: dict[str, list[ChildTopic]]
    """The children of every topic."""


def summaries(graph: TopicGraph) -> Listing:
    """Sums up every topic for the topics above it."""
    entries: dict[str, ChildTopic] = {}
    children: dict[str, list[ChildTopic]] = {topic: [] for topic in graph.topics}
    for topic in sorted(graph.topics, key=lambda topic: (-topic.count("/") - bool(topic), topic)):  # deepest first
        record = graph.topics[topic]
        below = children[topic]
        counts = (len(record.documents), record.chunks)
        entries[topic] = summarise(topic, record.title, record.description, *counts, below, record.version)
        if topic:
            children[topic.rpartition("/")[0]].append(entries[topic])
    return Listing(entries, children)


def versioned(graph: TopicGraph, children: Iterable[ChildTopic]) -> list[ChildTopic]:
    """Returns children with the versions that their indexes, and those below them, have by now."""
    return [
        replace(
            child,
            version=graph.topics[child.id].version,
            below=tuple((id, graph.topics[id].version) for id, _ in child.below),
        )
        for child in children
    ]
