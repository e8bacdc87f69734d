"""Topics among topics: what the topic stage does over a whole tree, or over what changed.

    records ─▶ questions matched, document frequency, related topics, children

What one topic says depends on others in two ways: a term's multiplier on how many topics have it, and the
related topics on all topics' vectors. Both are followed here, so that a changed page also renews the topics
that it moved and no others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from infograph.config.settings import Config
from infograph.index.hal import ChildTopic, summarise
from infograph.model import RelatedTopic, stem_of
from infograph.pipeline.memory.records import DocumentRecord, Graph, TopicRecord
from infograph.source.overview import DESCRIPTION_LENGTH, in_words
from infograph.text.inline import shorten
from infograph.topic.answered_questions import match_questions
from infograph.topic.keyword_scoring import document_frequency, rank_changes
from infograph.topic.question_hash import simhash
from infograph.topic.similarities import related, topic_vector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.embedding.vectors import Vectors

_OVERVIEWS = ("index", "readme", "_index", "overview", "introduction", "golden-reference")
"""Stems of the document that speaks for its topic, best first."""


def match(
    documents: Sequence[DocumentRecord],
    vectors: Sequence[NDArray[np.float32]],
    asked: Vectors,
    config: Config,
) -> None:
    """Gives each question of a topic to the chunks that answer it best.

    The page that asks has chunks too. They hold the question word for word, so they are matched apart: else
    they would take the places of the chunks that say more.
    """
    import numpy as np

    asking = next((document for document in documents if document.questions), None)
    if asking is None:
        return
    by_hash = {simhash(question, config.keywords.language): question for question in asking.questions}
    by_hash.pop(0, None)  # of a question without a letter or a digit, which nobody can ask
    questions = asked.of_questions(asking.sha256, list(by_hash.values()))
    for group in (True, False):
        chosen = [(d, v) for d, v in zip(documents, vectors, strict=True) if (d is asking) == group and d.chunks]
        if not chosen:
            continue
        rows = [row for document, _ in chosen for row in document.chunks]
        matrix = np.concatenate([found for _, found in chosen])
        limit = config.prompts.per_question
        matched = match_questions(matrix, questions, list(by_hash), config.prompts.threshold, limit)
        for row, prompts in zip(rows, matched, strict=True):
            row.prompts = list(prompts)


def describe(topic: str, documents: Sequence[DocumentRecord]) -> tuple[str, str]:
    """Title and description of a topic, from the document that speaks for it; where none does, its folder's name and
    the titles of its documents."""
    by_stem = {stem_of(record.name).lower(): record for record in documents}
    overview = next((by_stem[stem] for stem in _OVERVIEWS if stem in by_stem), None)
    if overview is None and len(documents) == 1:
        overview = documents[0]
    name = in_words(topic.rpartition("/")[2]) if topic else "Documentation"
    if overview is None:
        return name, shorten(", ".join(record.title for record in documents), DESCRIPTION_LENGTH)
    return overview.title or name, overview.description


def topic_record(documents: Sequence[DocumentRecord], described: tuple[str, str]) -> TopicRecord:
    """A topic as other topics see it, its table and edges still empty."""
    import numpy as np

    sums = [record.vector_sum for record in documents if record.vector_sum is not None and record.chunks]
    return TopicRecord(
        *described,
        documents={record.path: record.sha256 for record in documents},
        chunks=sum(len(record.chunks) for record in documents),
        vector=np.add.reduce(np.stack(sums), axis=0) if sums else np.zeros(0),
    )


def update_graph(
    graph: Graph, changed: Mapping[str, Sequence[DocumentRecord]], terms: Mapping[str, str], gone: Iterable[str]
) -> set[str]:
    """Renews the entries of changed topics; returns the terms whose global multiplier changed with them.

    changed: topics that are new or have other documents than before, with all their documents
    terms:   their candidate terms, one a line
    gone:    topics that the tree no longer has
    """
    counted_before = graph.documented()
    before: dict[str, int] = {}
    old_terms: list[list[str]] = []
    for topic in gone:
        old_terms.append(graph.candidates(topic))
        del graph.topics[topic]
    new_terms: list[list[str]] = []
    for topic, documents in changed.items():
        old_terms.append(graph.candidates(topic))
        graph.topics[topic] = topic_record(documents, describe(topic, documents))
        graph.fresh[topic] = terms[topic]
        new_terms.append(graph.candidates(topic))
    change = document_frequency(new_terms)
    if graph.topics.keys() <= changed.keys():  # no topic is left that another's terms could move
        graph.frequency = dict(change)
        return set()
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


def relate(graph: Graph, limit: int) -> dict[str, tuple[RelatedTopic, ...]]:
    """The related topics of every topic that has chunks."""
    topics = sorted(topic for topic, record in graph.topics.items() if record.chunks)
    if len(topics) < 2 or not limit:
        return {}
    import numpy as np

    return related(
        topics,
        [graph.topics[topic].title for topic in topics],
        np.stack([topic_vector([vector]) for topic in topics if (vector := graph.topics[topic].vector) is not None]),
        {topic: dict(graph.topics[topic].table) for topic in topics},
        limit,
    )


def outline(children: Mapping[str, Sequence[ChildTopic]]) -> list[tuple[ChildTopic, list[ChildTopic]]]:
    """The root's child topics, each with all topics below it, the nearer ones first."""
    sections = []
    for child in children[""]:
        below = list(children[child.id])
        for topic in below:  # which grows meanwhile
            below += children[topic.id]
        sections.append((child, below))
    return sections


def related_rows(edges: Sequence[RelatedTopic]) -> list[list[Any]]:
    """Edges as plain lists, to compare with what was remembered."""
    return [[e.id, e.title, e.similarity, [[k.name, k.score] for k in e.shared]] for e in edges]


def summaries(graph: Graph) -> tuple[dict[str, ChildTopic], dict[str, list[ChildTopic]]]:
    """Every topic as its parent lists it, the counts including everything below; and the children of each."""
    found: dict[str, ChildTopic] = {}
    children: dict[str, list[ChildTopic]] = {topic: [] for topic in graph.topics}
    for topic in sorted(graph.topics, key=lambda topic: (-topic.count("/") - bool(topic), topic)):  # deepest first
        record = graph.topics[topic]
        below = children[topic]
        found[topic] = summarise(topic, record.title, record.description, len(record.documents), record.chunks, below)
        if topic:
            children[topic.rpartition("/")[0]].append(found[topic])
    return found, children
