"""The files of one topic, made in three steps, in this process or in a worker.

    documents ─Count▶ candidate terms ─Tabulate▶ words.md, keywords of chunks ─Write▶ topic-spec.md, index.json, …

Between the steps the whole tree has its say: in how many topics each term occurs, which topics are related. What a
step worked out stays here for the next one, so the steps of a topic are done by one `TopicFiles`.
"""

from __future__ import annotations

import contextlib
import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any

from infograph.config.settings import Config, Settings
from infograph.errors import DocumentError
from infograph.formats import topic_spec as specfile
from infograph.formats.keyword_table import render_words
from infograph.formats.names import KEYWORDS, SPEC, join
from infograph.index import ChildTopic, IndexOptions, topic_index
from infograph.model import KeywordRow, RelatedTopic, SpecChunk, SpecSource, TopicSpec
from infograph.pipeline.memory.records import DocumentRecord, unpack_terms
from infograph.pipeline.staging import Stage, Staged
from infograph.topic.candidate_terms import ChunkTerms
from infograph.topic.chunk_keywords import ChunkKeywords, chunk_keywords
from infograph.topic.keyword_scoring import (
    TopicTerms,
    ranked,
    score_table,
    topic_keywords,
    topic_terms,
)

SPEC_KEYWORDS = 50
"""Most keywords of a topic specification; the whole table is in `_keywords/words.md`."""


@dataclass(frozen=True, slots=True)
class Manner:
    """What all topics of a build have in common."""

    settings: Settings
    chunking: str
    """Cache key of the chunking strategy."""
    model: str
    """`name@revision`."""


@dataclass(frozen=True, slots=True)
class Count:
    """First step: which terms a topic's documents hold. Answered with the candidate terms, sorted, one a line."""

    topic: str
    documents: list[DocumentRecord]


@dataclass(frozen=True, slots=True)
class Tabulate:
    """Second step: the topic's authority table and its terms in the chunks. Answered with a `Table`."""

    topic: str
    title: str
    frequency: array[int]
    """In how many topics each candidate term occurs, in their order."""
    counted: int
    """Topics that have documents."""
    pinned: list[KeywordRow] | None
    """Rows set by hand; None where the table that may hold some does not parse: it stays as it is."""


@dataclass(frozen=True, slots=True)
class Write:
    """Last step: the specification, where the topic has documents, and the index pages, whose names are the answer.

    `spec` is False where the file is as it should be; `known` says what the last build remembered of a topic that
    was not tabulated in this one.
    """

    topic: str
    title: str
    description: str
    related: tuple[RelatedTopic, ...]
    children: list[ChildTopic]
    parent: str | None
    spec: bool
    known: Known | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What there is to know of a topic for its specification."""

    documents: list[DocumentRecord]
    table: list[tuple[str, float]]
    """Terms and scores of the authority table, highest first; none at 0."""
    keywords: list[list[list[int]]]
    """For each document and chunk the places of its terms in the table."""


Step = Count | Tabulate | Write


@dataclass(frozen=True, slots=True)
class Table:
    """What `Tabulate` found; see `Known`."""

    table: list[tuple[str, float]]
    keywords: list[list[list[int]]]


@dataclass(slots=True)
class Made:
    """What came of a step."""

    topic: str
    answer: Any
    staged: list[Staged] = field(default_factory=list)
    written: int = 0
    """Bytes staged."""


class TopicFiles:
    """Makes the files of topics.

    texts: path of a document to the texts of its chunks; only pinned terms that no extractor would find need them
    """

    def __init__(self, manner: Manner, stage: Stage, texts: Callable[[str], Iterable[str]]) -> None:
        self._manner = manner
        self._config = manner.settings.config
        self._stage = stage
        self._texts = texts
        self._counted: dict[str, tuple[list[DocumentRecord], list[Iterable[ChunkTerms]], TopicTerms, list[str]]] = {}
        """Documents, their terms, those of the topic with their counts and, last, sorted."""
        self._tabulated: dict[str, Known] = {}

    def do(self, step: Step) -> Made:
        """Does one step of one topic. Raises FormatError for what no file can hold and OutputError."""
        made = Made(step.topic, None)
        before = self._stage.written
        match step:
            case Count():
                made.answer = self._count(step)
            case Tabulate():
                made.answer = self._tabulate(step, made)
            case Write():
                made.answer = self._write(step, made)
        made.written = self._stage.written - before
        return made

    def _count(self, step: Count) -> str:
        unpacked = [unpack_terms(document.terms) for document in step.documents]
        terms = topic_terms(chain.from_iterable(unpacked))
        candidates = sorted(terms)
        self._counted[step.topic] = step.documents, unpacked, terms, candidates
        return "\n".join(candidates)

    def _tabulate(self, step: Tabulate, made: Made) -> Table:
        documents, unpacked, terms, candidates = self._counted.pop(step.topic)
        frequency = dict(zip(candidates, step.frequency, strict=True))
        rows = tabulate(terms, frequency, step.counted, step.pinned or (), self._config)
        if step.pinned is not None:
            self._put(join(step.topic, KEYWORDS), render_words(step.title, rows), made)
        found = keywords_of(documents, unpacked, rows, self._config, self._texts)
        table = Table(ranked(rows), found)
        self._tabulated[step.topic] = Known(documents, table.table, found)
        return table

    def _write(self, step: Write, made: Made) -> list[str]:
        known = self._tabulated.pop(step.topic, step.known)
        if known:
            spec = make_spec(step, known, self._manner)
        else:  # a folder of topics has no specification
            spec = TopicSpec(step.topic, step.title, step.description, "", "")
        if known and step.spec:
            self._put(join(step.topic, SPEC), specfile.render(spec), made)
        pages = topic_index(spec, step.children, step.parent, index_options(self._manner.settings))
        for page in pages:
            self._put(join(step.topic, page.name), page.data, made)
        return [page.name for page in pages]

    def _put(self, target: str, data: bytes, made: Made) -> None:
        staged = self._stage.put(target, data)
        if staged is not None:
            made.staged.append(staged)


def tabulate(
    terms: TopicTerms, frequency: Mapping[str, int], counted: int, pinned: Sequence[KeywordRow], config: Config
) -> tuple[KeywordRow, ...]:
    """The authority table of one topic.

    frequency: in how many of the `counted` topics a term occurs
    """
    return score_table(terms, frequency, counted, pinned, config.keywords.per_topic)


def keywords_of(
    documents: Sequence[DocumentRecord],
    terms: Sequence[Iterable[ChunkTerms]],
    table: Sequence[KeywordRow],
    config: Config,
    texts: Callable[[str], Iterable[str]],
) -> list[list[list[int]]]:
    """For each document and chunk, the places of its terms in the table without the rows at 0.

    terms: of each document, unpacked; last those of its front matter
    texts: see `TopicFiles`
    """
    finder = ChunkKeywords(table, config.keywords.language, config.keywords.per_chunk)
    found = []
    for record, unpacked in zip(documents, terms, strict=True):
        own = _as_cut(record, texts) if finder.needs_text else [""] * len(record.chunks)
        found.append([finder.places(of_chunk, text) for text, of_chunk in zip(own, unpacked, strict=False)])
    return found


def _as_cut(record: DocumentRecord, texts: Callable[[str], Iterable[str]]) -> Iterator[str]:
    """The texts of a document's chunks. Of a chunk that is another one by now, since somebody saved the document or
    took it away, there is none: the next build makes its topic again, if it finds the document changed."""
    same = 0
    with contextlib.suppress(DocumentError):
        for row, text in zip(record.chunks, texts(record.path), strict=False):
            if hashlib.sha256(text.encode()).hexdigest() != row.sha256:
                break
            yield text
            same += 1
    yield from repeat("", len(record.chunks) - same)


def make_spec(step: Write, known: Known, manner: Manner) -> TopicSpec:
    """The specification of a topic that has documents."""
    return TopicSpec(
        id=step.topic,
        title=step.title,
        description=step.description,
        chunking=manner.chunking,
        model=manner.model,
        sources=sources_of(known),
        keywords=topic_keywords(known.table, SPEC_KEYWORDS),
        related=step.related,
    )


def sources_of(known: Known) -> tuple[SpecSource, ...]:
    """What a specification says of a topic's documents."""
    keywords = chunk_keywords(known.table)
    sources = []
    for record, places in zip(known.documents, known.keywords, strict=True):
        chunks = tuple(
            SpecChunk(
                index=index,
                title=row.title,
                section_path=tuple(row.section_path),
                is_code=row.is_code,
                tokens=row.tokens,
                sha256=row.sha256,
                similarity_conceptual=row.similarity_conceptual,
                similarity_technical=row.similarity_technical,
                keywords=tuple([keywords[place] for place in found]),
                prompt_hashes=tuple(row.prompts),
            )
            for index, (row, found) in enumerate(zip(record.chunks, places, strict=True))
        )
        sources.append(SpecSource(record.name, record.title, record.sha256[:16], chunks, record.technical))
    return tuple(sources)


def index_options(settings: Settings) -> IndexOptions:
    """How the indexes of a tree are written."""
    index = settings.config.index
    return IndexOptions(
        base_url=index.base_url,
        sources_beside=settings.in_place,
        source_url=index.source_url,
        stripe_factor=settings.config.stripe.factor,
        search=settings.config.search.enabled,
    )
