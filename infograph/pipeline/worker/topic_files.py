"""The files of one topic, made in three tasks, in this process or in a worker.

    documents ─CountTerms▶ candidate terms ─Tabulate▶ words.md, keywords of chunks ─Write▶ topic-spec.md, index.json, …

Each task but the first needs something of the whole tree: in how many topics each term occurs, which topics are
related. What one task worked out is kept for the next one, so all tasks of a topic are done by one `TopicFiles`.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, repeat
from typing import Any, NamedTuple

from infograph.config.settings import Config, Settings
from infograph.errors import UNMATCHED, DocumentError, Notice
from infograph.files.spilled import Allowance, Spilled
from infograph.formats import topic_spec
from infograph.formats.keyword_table import render_words
from infograph.formats.names import KEYWORDS, SPEC, STAGING, join, spec_name
from infograph.index import ChildTopic, IndexOptions, index_version, spec_version, topic_index
from infograph.model import KeywordRow, RelatedTopic, SpecChunk, SpecSource, TopicSpec
from infograph.pipeline.held import chunks_of, documents_bytes
from infograph.pipeline.keys import strategy_key
from infograph.pipeline.memory.records import DocumentRecord, said_in, unpack_terms
from infograph.pipeline.staging import Stage, Staged
from infograph.text.units import placed_unit
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
"""Keywords that a topic specification lists at most; the whole table is in `_keywords/words.md`."""

_TERM_BYTES = 200
"""About as many bytes as a term with its count takes, and the places of a chunk's terms in the table."""

MOST_NAMED = 5
"""Terms that a notice names at most."""


@dataclass(frozen=True, slots=True)
class Manner:
    """Settings by which all topics of a build are made."""

    settings: Settings
    model: str
    """`name@revision`."""


@dataclass(frozen=True, slots=True)
class CountTerms:
    """Task to find the terms of a topic's documents. Its answer is the candidate terms, sorted, one a line."""

    topic: str
    documents: Sequence[DocumentRecord]


@dataclass(frozen=True, slots=True)
class Tabulate:
    """Task to make a topic's authority table and find its terms in the chunks, after `CountTerms`. Its answer is a
    `TopicTable`."""

    topic: str
    title: str
    frequency: array[int]
    """Number of topics in which each candidate term occurs, in the order of the terms."""
    counted: int
    """Number of topics that have documents."""
    pinned: list[KeywordRow] | None
    """Rows set by hand; None where the table that may hold some does not parse, so that it stays as it is."""


@dataclass(frozen=True, slots=True)
class Write:
    """Task to write a topic's specification, where it has documents, and its index pages. Its answer is
    `WrittenPages`."""

    topic: str
    title: str
    description: str
    related: tuple[RelatedTopic, ...]
    children: list[ChildTopic]
    parent: str | None
    """Title of the topic above; None at the root."""
    spec: bool
    """Whether the specification is written; if not, the file is as it should be."""
    versions: tuple[str, str] = ("", "")
    """Versions of the search bundle's manifest and of the graph's communities, for the root; empty where these have
    none."""
    known: TopicContent | None = None
    """Content that the last build remembered, for a topic that is not tabulated in this one."""


@dataclass(frozen=True, slots=True)
class TopicContent:
    """Data for the part of a topic's specification that describes its documents."""

    documents: Sequence[DocumentRecord]
    table: list[tuple[str, float]]
    """Terms and scores of the authority table, highest first, without rows at 0."""
    keywords: list[list[list[int]]]
    """Places of each chunk's terms in the table, by document and chunk."""


TopicTask = CountTerms | Tabulate | Write


@dataclass(frozen=True, slots=True)
class TopicTable:
    """Answer to `Tabulate`, see `TopicContent`."""

    table: list[tuple[str, float]]
    keywords: list[list[list[int]]]
    unmatched: tuple[str, ...]
    """Terms set by hand that no chunk has."""


class WrittenPages(NamedTuple):
    """Answer to `Write`."""

    names: list[str]
    """File names of the specification and of the index pages."""
    version: str
    """Version of the index, by which the topic above leads to it; empty where it has none."""


@dataclass(slots=True)
class Made:
    """Result of a task."""

    topic: str
    answer: Any
    """Answer, of the type that the task's class names."""
    staged: list[Staged] = field(default_factory=list)
    written: int = 0
    """Bytes staged."""


class _Counted(NamedTuple):
    """What is kept of a topic between its first task and the second."""

    documents: Sequence[DocumentRecord]
    terms: TopicTerms
    candidates: list[str]
    """The terms, sorted."""


def _counted_bytes(counted: _Counted) -> int:
    return documents_bytes(counted.documents) + _TERM_BYTES * len(counted.candidates)


def _content_bytes(content: TopicContent) -> int:
    return documents_bytes(content.documents) + _TERM_BYTES * (len(content.table) + chunks_of(content.documents))


class TopicFiles:
    """Makes the files of topics.

    texts: returns the texts of a document's chunks, by its path; called only for pinned terms that no extractor finds
    """

    def __init__(self, manner: Manner, stage: Stage, texts: Callable[[str], Iterable[str]]) -> None:
        self._manner = manner
        self._config = manner.settings.config
        self._stage = stage
        self._texts = texts
        staging = None if stage.dry else os.path.join(stage.root, STAGING, stage.build)
        allowance = Allowance()
        self._counted: Spilled[_Counted] = Spilled(_counted_bytes, staging, allowance)
        self._tabulated: Spilled[TopicContent] = Spilled(_content_bytes, staging, allowance)

    @cached_property
    def _chunking(self) -> str:
        """Cache key of the chunking strategy. Made when it is needed: its imports are there in a process that cuts."""
        return strategy_key(self._config)

    def do(self, task: TopicTask) -> Made:
        """Runs one task of one topic. Raises FormatError for what no file can hold, and OutputError."""
        made = Made(task.topic, None)
        before = self._stage.written
        match task:
            case CountTerms():
                made.answer = self._count(task)
            case Tabulate():
                made.answer = self._tabulate(task, made)
            case Write():
                made.answer = self._write(task, made)
        made.written = self._stage.written - before
        return made

    def _count(self, task: CountTerms) -> str:
        terms = topic_terms(chain.from_iterable(unpack_terms(document.terms) for document in task.documents))
        candidates = sorted(terms)
        self._counted[task.topic] = _Counted(task.documents, terms, candidates)
        return "\n".join(candidates)

    def _tabulate(self, task: Tabulate, made: Made) -> TopicTable:
        documents, terms, candidates = self._counted.pop(task.topic)
        unpacked = [unpack_terms(document.terms) for document in documents]
        frequency = dict(zip(candidates, task.frequency, strict=True))
        rows = tabulate(terms, frequency, task.counted, task.pinned or (), self._config)
        if task.pinned is not None:
            self._put(join(task.topic, KEYWORDS), render_words(task.title, rows), made)
        found, unmatched = keywords_of(documents, unpacked, rows, self._config, self._texts)
        table = TopicTable(ranked(rows), found, unmatched)
        self._tabulated[task.topic] = TopicContent(documents, table.table, found)
        return table

    def _write(self, task: Write, made: Made) -> WrittenPages:
        known = self._tabulated.pop(task.topic, task.known)
        if known:
            spec = make_spec(task, known, self._chunking, self._manner.model)
        else:  # a folder of topics has no specification
            spec = TopicSpec(task.topic, task.title, task.description, "", "")
        options = index_options(self._manner.settings, *task.versions)
        data = topic_spec.render(spec) if known else b""
        version = spec_version(data, options)
        names = dict.fromkeys((SPEC, spec_name(version)) if known else ())
        if task.spec:
            for name in names:
                self._put(join(task.topic, name), data, made)
        pages = topic_index(spec, task.children, task.parent, options, version)
        for page in pages:
            self._put(join(task.topic, page.name), page.data, made)
        return WrittenPages([*names, *(page.name for page in pages)], index_version(pages, options))

    def _put(self, target: str, data: bytes, made: Made) -> None:
        staged = self._stage.put(target, data)
        if staged is not None:
            made.staged.append(staged)


def tabulate(
    terms: TopicTerms, frequency: Mapping[str, int], counted: int, pinned: Sequence[KeywordRow], config: Config
) -> tuple[KeywordRow, ...]:
    """Returns the authority table of one topic.

    frequency: number of topics, of the `counted` ones, in which each term occurs
    """
    return score_table(terms, frequency, counted, pinned, config.keywords.per_topic)


def keywords_of(
    documents: Sequence[DocumentRecord],
    terms: Sequence[Iterable[ChunkTerms]],
    table: Sequence[KeywordRow],
    config: Config,
    texts: Callable[[str], Iterable[str]],
) -> tuple[list[list[list[int]]], tuple[str, ...]]:
    """Returns, by document and chunk, the places of each chunk's terms in the table without the rows at 0; and beside
    them the terms set by hand that no chunk has.

    terms: unpacked terms of each document, those of its front matter last
    texts: see `TopicFiles`
    """
    finder = ChunkKeywords(table, config.keywords.language, config.keywords.per_chunk)
    found = []
    for record, unpacked in zip(documents, terms, strict=True):
        own = _as_cut(record, texts) if finder.needs_text else [""] * len(record.chunks)
        found.append([finder.places(of_chunk, text) for text, of_chunk in zip(own, unpacked, strict=False)])
    return found, finder.unmatched()


def unmatched_notice(topic: str, unmatched: Sequence[str]) -> Notice:
    """Returns the notice about terms set by hand that no chunk of a topic has."""
    terms = ", ".join(f"`{term}`" for term in unmatched[:MOST_NAMED]) + ", …" * (len(unmatched) > MOST_NAMED)
    message = f"no chunk has the terms set by hand {terms}: see how they are spelled in the pages"
    return Notice(join(topic, KEYWORDS), UNMATCHED, message, len(unmatched))


def _as_cut(record: DocumentRecord, texts: Callable[[str], Iterable[str]]) -> Iterator[str]:
    """Yields the texts of a document's chunks, as long as they are those that were cut; where the document was saved or
    removed since, empty ones follow: the next build makes its topic again, if it finds the document changed."""
    same = 0
    with contextlib.suppress(DocumentError):
        for row, text in zip(record.chunks, texts(record.path), strict=False):
            if hashlib.sha256(text.encode()).hexdigest() != row.sha256:
                break
            yield text
            same += 1
    yield from repeat("", len(record.chunks) - same)


def make_spec(task: Write, known: TopicContent, chunking: str, model: str) -> TopicSpec:
    """Returns the specification of a topic that has documents.

    chunking: see `keys.strategy_key`
    model:    `name@revision`
    """
    return TopicSpec(
        id=task.topic,
        title=task.title,
        description=task.description,
        chunking=chunking,
        model=model,
        sources=sources_of(known),
        keywords=topic_keywords(known.table, SPEC_KEYWORDS),
        related=task.related,
    )


def sources_of(known: TopicContent) -> tuple[SpecSource, ...]:
    """Returns what a specification says of a topic's documents."""
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
                prompt_hashes=tuple(sorted({*row.prompts, *asked}) if row.prompts and asked else row.prompts or asked),
                enriched=said,
            )
            for index, (row, found, (said, asked)) in enumerate(
                zip(record.chunks, places, said_in(record), strict=True)
            )
        )
        own = (record.name, record.title, record.sha256[:16])
        units = tuple(placed_unit(*unit) for unit in record.units)
        sources.append(SpecSource(*own, chunks, record.technical, record.version, units))
    return tuple(sources)


def index_options(settings: Settings, search_version: str = "", graph_version: str = "") -> IndexOptions:
    """Returns how the indexes of a tree are written.

    search_version, graph_version: see `IndexOptions`
    """
    index = settings.config.index
    return IndexOptions(
        base_url=index.base_url,
        sources_beside=settings.in_place,
        source_url=index.source_url,
        pages=index.pages and not settings.in_place,
        stripe_factor=settings.config.stripe.factor,
        search=settings.config.search.enabled,
        search_version=search_version,
        graph_version=graph_version,
        versioned=not settings.in_place,
        graph=settings.config.graph.entities != "off",
        packed=settings.packed,
    )
