"""The step that makes the files of topics: authority tables, then specifications and index pages.

What one topic says depends on others in two ways: a term's multiplier on how many topics have it, and the related
topics on all topics' vectors. So a changed page also renews the topics that it moved, and no others.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from infograph.errors import FormatError
from infograph.files.disk import read_file
from infograph.files.spilled import Spilled
from infograph.files.stamps import stamp_of
from infograph.formats.keyword_table import may_have_pins
from infograph.formats.names import KEYWORDS, all_topics, join, topic_of
from infograph.pipeline.held import Held, paths_of
from infograph.pipeline.memory import records
from infograph.pipeline.memory.topics import TableTerms
from infograph.pipeline.tables import LARGEST_TABLE, is_beside_sources, pinned_rows
from infograph.pipeline.topic_graph import edges_of, relate, related_rows, update_graph, versioned
from infograph.pipeline.worker.topic_files import CountTerms, Tabulate, TopicContent, TopicTask, Write, unmatched_notice

if TYPE_CHECKING:
    from pathlib import Path

    from infograph.errors import InfographError, Notice
    from infograph.files.stamps import Stamp
    from infograph.model import KeywordRow, RelatedTopic
    from infograph.pipeline.context import BuildContext
    from infograph.pipeline.crew import Crew
    from infograph.pipeline.memory.records import DocumentRecord
    from infograph.pipeline.memory.topics import TopicGraph, TopicRecord
    from infograph.pipeline.staging import Staged
    from infograph.pipeline.topic_graph import Listing


@dataclass(frozen=True, slots=True)
class Readings:
    """Stamps and errors of the authority tables on disk, which may hold rows set by hand."""

    stamps: dict[str, Stamp] = field(default_factory=dict)
    """Path of each table that was looked at, and its stamp before."""
    errors: list[tuple[str, InfographError]] = field(default_factory=list)
    """Path of each table that cannot be read, and why."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The authority tables that were made again."""

    members: Mapping[str, Sequence[DocumentRecord]]
    """Documents of every processed topic."""
    unmatched: dict[str, tuple[str, ...]]
    """Terms set by hand that no chunk has, of each topic whose table was made again: those that have documents."""
    readings: Readings
    """Stamps and errors of the tables on disk."""
    staged: list[Staged]
    written: int
    """Bytes staged."""

    def renews(self, topic: str) -> bool:
        """Whether the table of a topic was made again."""
        return topic in self.unmatched

    def notices(self) -> list[Notice]:
        """Returns a notice for each table with terms set by hand that no chunk has."""
        return [unmatched_notice(topic, terms) for topic, terms in self.unmatched.items() if terms]


class RootVersions(NamedTuple):
    """What the root's index alone leads to by its version."""

    search: str = ""
    """Version of the search bundle's manifest; empty where it has none."""
    graph: str = ""
    """Version of the graph's communities; empty where they have none."""
    changed: bool = False
    """Whether the last build may have published others."""


@dataclass(frozen=True, slots=True)
class Pages:
    """The specifications and index pages that were written."""

    outputs: dict[str, set[str]]
    """Outputs besides chunk files, by topic, of the processed topics."""
    staged: list[Staged]
    written: int
    """Bytes staged."""


def make_tables(
    context: BuildContext, graph: TopicGraph, crew: Crew, members: Mapping[str, Sequence[DocumentRecord]], held: Held
) -> Tables:
    """Makes the authority tables of the topics that changed, and of those whose terms became rarer or commoner; brings
    the graph up to date. Raises RecordsLost, and what the crew raises.

    members: documents of every topic that changed
    held:    takes the documents of the others, as the last build remembered them, and what `pack_topics` needs
    """
    work = _changed(context, graph, crew, members, held)
    readings = Readings()
    unmatched: dict[str, tuple[str, ...]] = {}
    terms = TableTerms()
    staged: list[Staged] = []
    written = 0
    for made in crew.do(_table_tasks(context, graph, work, readings)):
        held.keywords[made.topic] = made.answer.keywords
        unmatched[made.topic] = made.answer.unmatched
        record, table = graph.topics[made.topic], terms.kept(made.answer.table)
        if record.table != table:
            graph.retabled.add(made.topic)
        record.table = table
        staged += made.staged
        written += made.written
    return Tables(work, unmatched, readings, staged, written)


def _changed(
    context: BuildContext, graph: TopicGraph, crew: Crew, members: Mapping[str, Sequence[DocumentRecord]], held: Held
) -> dict[str, Sequence[DocumentRecord]]:
    """Counts the terms of the topics that changed, updates the graph, and returns the topics that need a new table with
    their documents."""
    changed, removed = context.plan.topics, set(context.plan.removed)
    documents = [path for records_of in members.values() for path in paths_of(records_of)]
    documents += [
        path
        for topic, record in graph.topics.items()
        if topic not in changed
        for path in record.documents
        if path not in removed
    ]
    topics = all_topics(documents)
    work: dict[str, Sequence[DocumentRecord]] = {
        topic: members.get(topic, ()) for topic in topics if topic in changed or topic not in graph.topics
    }
    gone = sorted(graph.topics.keys() - set(topics))
    graph.fresh = held.candidates
    moved = update_graph(graph, work, _count(crew, work), gone, context.settings.config.site.name)
    if moved:
        out = context.settings.out
        also = {
            topic: held.remembered(records.load_topic(context.settings.memory, topic).documents)
            for topic, terms in graph.having(moved)
            if any(moved[term] for term in terms) or not keeps_table(out, topic, graph.topics[topic], terms)
        }
        graph.fresh.update(_count(crew, also))
        work |= also
    return work


def keeps_table(out: Path, topic: str, record: TopicRecord, terms: Set[str]) -> bool:
    """Whether the authority table of a topic that did not change itself stays as it is, though some of its terms came
    to count for less: they are not in it, and so come no nearer to it. Rows set by hand may be in it and not in the
    record, with a score of 0.
    """
    if not terms.isdisjoint(term for term, _ in record.table):
        return False
    table = read_file(out / join(topic, KEYWORDS), LARGEST_TABLE)
    return table is not None and not may_have_pins(table)


def _count(crew: Crew, work: Mapping[str, Sequence[DocumentRecord]]) -> Iterator[tuple[str, str]]:
    """Yields each topic with its candidate terms, one a line, in any order."""
    for made in crew.do([CountTerms(topic, work[topic]) for topic in sorted(work)]):
        yield made.topic, made.answer


def _table_tasks(
    context: BuildContext, graph: TopicGraph, work: Mapping[str, Sequence[DocumentRecord]], readings: Readings
) -> list[TopicTask]:
    """Returns the tasks that make tables, with the rows set by hand; fills in the readings."""
    settings, last = context.settings, context.last
    counted = graph.documented()
    tasks: list[TopicTask] = []
    for topic, members in sorted(work.items()):
        if not members:
            continue
        pinned: list[KeywordRow] | None
        path = join(topic, KEYWORDS)
        readings.stamps[path] = stamp_of(settings.out / path)
        try:
            pinned = pinned_rows(settings, topic, copied=last is not None and topic in last.tables)
        except FormatError as error:  # the file stays as it is: it may hold rows set by hand
            readings.errors.append((path, error))
            pinned = [] if is_beside_sources(settings, topic) else None
        frequency = array("I", map(graph.frequency.__getitem__, graph.candidates(topic)))
        tasks.append(Tabulate(topic, graph.topics[topic].title, frequency, counted, pinned))
    return tasks


def write_pages(
    context: BuildContext,
    graph: TopicGraph,
    crew: Crew,
    tables: Tables,
    listings: tuple[Listing, Listing],
    versions: Callable[[], RootVersions],
) -> Pages:
    """Writes the specifications of the topics that have new tables or other related topics, and the index pages of
    these and where the children, their versions or the parent's title changed. Raises RecordsLost, and what the crew
    raises.

    listings: topics as indexes listed them and are to list them
    versions: asked for when all but the root is written
    """
    outputs: dict[str, set[str]] = {topic: set() for topic in tables.members}
    staged: list[Staged] = []
    written = 0
    related = relate(graph, context.settings.config.index.related, again=True)
    for topics in _levels(context, graph):
        found = versions() if topics == [""] and not context.settings.in_place else RootVersions()
        tasks = [
            task
            for topic in topics
            if (task := _page_task(context, graph, tables, listings, related.get(topic), topic, found)) is not None
        ]
        for made in crew.do(tasks):
            staged += made.staged
            written += made.written
            graph.topics[made.topic].version = made.answer.version
            names = outputs.setdefault(made.topic, set())
            names |= {join(made.topic, page) for page in made.answer.names}
            if graph.topics[made.topic].documents:
                names.add(join(made.topic, KEYWORDS))
    return Pages(outputs, staged, written)


def _levels(context: BuildContext, graph: TopicGraph) -> Iterator[list[str]]:
    """Yields all topics, those together whose pages can be written at the same time: in place all of them, elsewhere a
    level of the tree after the one below it, to whose versions it leads."""
    if context.settings.in_place:
        yield sorted(graph.topics)
        return
    depths: dict[int, list[str]] = {}
    for topic in sorted(graph.topics):
        depths.setdefault(topic.count("/") + bool(topic), []).append(topic)
    for depth in sorted(depths, reverse=True):
        yield depths[depth]


def _page_task(
    context: BuildContext,
    graph: TopicGraph,
    tables: Tables,
    listings: tuple[Listing, Listing],
    related: tuple[RelatedTopic, ...] | None,
    topic: str,
    versions: RootVersions,
) -> TopicTask | None:
    """Returns the task that writes a topic's pages; None where all of them stand as they are.

    related: its related topics; None: those of the last build
    """
    before, now = listings
    record = graph.topics[topic]
    rows = record.related if related is None else related_rows(related)
    spec = tables.renews(topic) or rows != record.related
    parent = now.entries[topic_of(topic)].title if topic else None
    known_parent = before.entries.get(topic_of(topic))
    same_parent = not topic or (known_parent is not None and known_parent.title == parent)
    children = versioned(graph, now.children[topic])
    same_below = before.children.get(topic) == children and not versions.changed
    if not spec and topic not in tables.members and same_below and same_parent:
        return None
    record.related = rows
    edges = edges_of(rows)
    known = None if tables.renews(topic) or not record.documents else _remembered(context, graph, topic)
    return Write(topic, record.title, record.description, edges, children, parent, spec, versions[:2], known)


def _remembered(context: BuildContext, graph: TopicGraph, topic: str) -> TopicContent:
    """Returns what the last build remembered of a topic whose own table stays. Raises RecordsLost."""
    file = records.load_topic(context.settings.memory, topic)
    return TopicContent(file.documents, list(graph.topics[topic].table), file.keywords)


def pack_topics(context: BuildContext, graph: TopicGraph, tables: Tables, held: Held) -> Spilled[bytes]:
    """Returns what the next build must know of each topic that was worked on, as its file holds it; nothing where
    nothing is written.

    held: holds the places of keywords, and takes the files by topic
    """
    packed = held.packed
    if context.check:
        return packed
    for topic in graph.fresh:
        keywords = held.keywords.pop(topic, [])
        packed[topic] = records.pack_topic(records.TopicFile(list(tables.members[topic]), keywords))
    return packed
