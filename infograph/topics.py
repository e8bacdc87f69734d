"""From document records to topic specifications: the topic stage over a whole tree, or over what changed.

    records + vectors ─▶ similarities, prompts ─▶ document frequency ─▶ authority tables ─▶ TopicSpec

What one topic says depends on others in two ways: a term's multiplier on how many topics have it, and the
related topics on all topics' vectors. Both are followed here, so that a changed page also renews the topics
that it moved and no others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from infograph.config import Config
from infograph.index.hal import ChildTopic, summarise
from infograph.model import KeywordRow, RelatedTopic, SpecChunk, SpecSource, TopicSpec
from infograph.records import DocumentRecord, Graph, TopicRecord, unpack_terms
from infograph.source.overview import in_words
from infograph.topic.baselines import related, similarities, topic_vector
from infograph.topic.keywords import (
    ChunkKeywords,
    TopicTerms,
    document_frequency,
    rank_changes,
    score_table,
    topic_keywords,
    topic_terms,
)
from infograph.topic.prompts import match_prompts
from infograph.topic.question_hash import simhash

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.vectors import Vectors

SPEC_KEYWORDS = 50
"""Most keywords of a topic specification; the whole table is in `_keywords/words.md`."""

_OVERVIEWS = ("index", "readme", "_index", "overview", "introduction", "golden-reference")
"""Stems of the document that speaks for its topic, best first."""


def compare(record: DocumentRecord, vectors: NDArray[np.float32]) -> None:
    """Fills in what a document's vectors say: similarities to its baselines and their sum."""
    import numpy as np

    record.vector_sum = vectors.astype(np.float64).sum(axis=0)
    if not record.chunks:
        return
    conceptual = similarities(vectors, 0)
    technical = similarities(vectors, record.technical) if record.technical is not None else [None] * len(conceptual)
    for row, to_overview, to_reference in zip(record.chunks, conceptual, technical, strict=True):
        row.similarity_conceptual = to_overview
        row.similarity_technical = to_reference


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
        matched = match_prompts(matrix, questions, list(by_hash), config.prompts.threshold, limit)
        for row, prompts in zip(rows, matched, strict=True):
            row.prompts = list(prompts)


def describe(topic: str, documents: Sequence[DocumentRecord]) -> tuple[str, str]:
    """Title and description of a topic, from the document that speaks for it."""
    by_stem = {record.name.rpartition(".")[0].lower(): record for record in documents}
    overview = next((by_stem[stem] for stem in _OVERVIEWS if stem in by_stem), None)
    if overview is None and len(documents) == 1:
        overview = documents[0]
    name = in_words(topic.rpartition("/")[2]) if topic else "Documentation"
    if overview is None:
        return name, next((record.description for record in documents if record.description), "")
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


def terms_of(documents: Sequence[DocumentRecord]) -> TopicTerms:
    """The candidate terms of a topic's documents."""
    return topic_terms(terms for record in documents for terms in unpack_terms(record.terms))


def update_graph(
    graph: Graph, changed: Mapping[str, Sequence[DocumentRecord]], terms: Mapping[str, TopicTerms], gone: Iterable[str]
) -> set[str]:
    """Renews the entries of changed topics; returns the terms whose global multiplier changed with them.

    changed: topics that are new or have other documents than before, with all their documents
    terms:   their candidate terms
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
        new_terms.append(sorted(terms[topic]))
        graph.topics[topic] = topic_record(documents, describe(topic, documents))
        graph.set_candidates(topic, new_terms[-1])
    change = document_frequency(new_terms)
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


def tabulate(terms: TopicTerms, graph: Graph, pinned: Sequence[KeywordRow], config: Config) -> tuple[KeywordRow, ...]:
    """The authority table of one topic."""
    return score_table(terms, graph.frequency, graph.documented(), pinned, config.keywords.per_topic)


def sources_of(
    documents: Sequence[DocumentRecord],
    table: Sequence[KeywordRow],
    config: Config,
    texts_of: Callable[[DocumentRecord], list[str]],
) -> tuple[SpecSource, ...]:
    """What a specification says of a topic's documents."""
    finder = ChunkKeywords(table, config.keywords.language, config.keywords.per_chunk)
    sources = []
    for record in documents:
        terms = unpack_terms(record.terms)
        rows = []
        texts = texts_of(record) if finder.needs_text else [""] * len(record.chunks)
        for index, (row, text) in enumerate(zip(record.chunks, texts, strict=True)):
            rows.append(
                SpecChunk(
                    index=index,
                    title=row.title,
                    section_path=tuple(row.section_path),
                    is_code=row.is_code,
                    tokens=row.tokens,
                    sha256=row.sha256,
                    similarity_conceptual=row.similarity_conceptual,
                    similarity_technical=row.similarity_technical,
                    keywords=finder.find(terms[index], text),
                    prompt_hashes=tuple(row.prompts),
                )
            )
        sources.append(SpecSource(record.name, record.title, record.sha256[:16], tuple(rows), record.technical))
    return tuple(sources)


def make_spec(
    topic: str, record: TopicRecord, sources: tuple[SpecSource, ...], table: Sequence[KeywordRow],
    related: tuple[RelatedTopic, ...], chunking: str, model: str,
) -> TopicSpec:  # fmt: skip
    """The specification of a topic that has documents."""
    return TopicSpec(
        id=topic,
        title=record.title,
        description=record.description,
        chunking=chunking,
        model=model,
        sources=sources,
        keywords=topic_keywords(table, SPEC_KEYWORDS),
        related=related,
    )


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
