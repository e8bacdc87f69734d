"""The steps of a build, from documents to published files.

    cut ─▶ gather ─▶ embed ─▶ tabulate ─▶ write ─▶ publish ─▶ remember

Each step works on what `plan.py` found to differ, and on what follows from that.
"""

from __future__ import annotations

import gc
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

from infograph import embedding, web
from infograph.config.settings import Settings
from infograph.embedding.vectors import Counts
from infograph.errors import FormatError, InfographError
from infograph.files.stamps import Stamp
from infograph.formats.index_json import schema_bytes
from infograph.formats.names import (
    KEYWORDS,
    LLMS,
    SCHEMA,
    SEARCH_MANIFEST,
    SPEC,
    all_topics,
    is_questions,
    join,
    output_topic,
    topic_of,
)
from infograph.index import ChildTopic, llms_txt
from infograph.model import KeywordRow
from infograph.pipeline.memory import records
from infograph.pipeline.memory.records import DocumentRecord
from infograph.pipeline.memory.state import RecordsLost, State, save_state
from infograph.pipeline.plan import Plan
from infograph.pipeline.staging import Output, Stage, Staged
from infograph.pipeline.steps import publish
from infograph.pipeline.steps import search as bundling
from infograph.pipeline.steps.crew import Crew
from infograph.pipeline.steps.cut import cut_in, setup_of, strategy_key, texts_of
from infograph.pipeline.steps.embed import ask, embed
from infograph.pipeline.steps.search import MEMORY, SearchFiles
from infograph.pipeline.steps.topic_tree import outline, relate, related_rows, summaries, update_graph
from infograph.pipeline.summary import Problems, Summary, outlived, problems
from infograph.pipeline.worker.pages import search_model, with_vectors
from infograph.pipeline.worker.tasks import Result
from infograph.pipeline.worker.topic_files import Count, Known, Made, Manner, Step, Table, Tabulate, TopicFiles, Write
from infograph.progress import Reporter, amount
from infograph.source.discovery import Discovery
from infograph.web import stemmers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.execution.processes import Pool


class Pipeline:
    """One build. `run` is its story; the attributes are what its steps hand on."""

    def __init__(
        self,
        settings: Settings,
        reporter: Reporter,
        model: str,
        key: str,
        last: State | None,
        pool: Pool,
        *,
        check: bool = False,
    ) -> None:
        self.settings = settings
        self.config = settings.config
        self.reporter = reporter
        self.model = model
        self.key = key
        self.last = last
        self.pool = pool
        self.check = check
        self.output = Output(settings.out)
        self.stage = Stage(settings.out, "main", self.output.build, dry=check)
        self.summary = Summary()
        self.staged: list[Staged] = []
        self.graph = records.Graph()
        self.embedder = embedding.load(settings.config.model, settings.jobs)
        self.search_model = search_model(self.embedder.name, self.embedder.revision)
        self.manner = Manner(settings, strategy_key(self.config), model)
        self.members: dict[str, list[DocumentRecord]] = {}
        """The documents of every topic that is worked on."""
        self.problems = Problems()
        self.unreadable_tables: list[tuple[str, InfographError]] = []
        self.tables_read: dict[str, Stamp] = {}
        """Path of each authority table that was looked at for pinned rows, and its stamp before."""
        self.search_files = SearchFiles(settings, self.search_model)
        self.searched = bundling.Searched()
        self.made: dict[str, set[str]] = {}
        """Topic to its outputs besides chunk files, where they were made again."""

    def run(self, found: Discovery, plan: Plan) -> Summary:
        if not self.check:
            self.output.open_stage()
        collecting = gc.isenabled()
        # A build makes millions of objects that live to its end and hardly a cycle: looking for some among them again
        # and again takes a third of the time.
        gc.disable()
        try:
            self._brief(plan)
            with ThreadPoolExecutor(1) as beside:
                if self.last is not None:
                    if self._heads() != self.last.heads:
                        raise RecordsLost("a file of another build")
                    if self.config.search.enabled and (plan.process or plan.removed):
                        beside.submit(self.search_files.recall)  # `update` says what is wrong with it
                    self.graph = records.load_graph(self.settings.memory)
                results = self._cut(plan)
                if not self.check:
                    self.output.flush(sum(len(result.staged) for result in results.values()))
                self._gather(found, plan, results)
                self._embed(results)
                # While the workers make the files of topics this process would only wait.
                searched = beside.submit(self._search, plan, results)
                before = summaries(self.graph)
                stage = Stage(self.settings.out, "topics", self.output.build, dry=self.check)
                crew = Crew(TopicFiles(self.manner, stage, self._texts), self.pool)
                tables = self._tabulate(plan, crew)
                packed = beside.submit(self._pack, tables)
                self._write(tables, crew, *before)
                self.pool.close()  # a fifth of the memory each, and the search bundle takes a while yet
                self._put_search(searched.result())
            self._publish(found, plan, results, packed.result())
        finally:
            if collecting:
                gc.enable()
            if not self.check:
                self.output.close_stage()
        return self._conclude(found, results)

    # ---- chunks -----------------------------------------------------------------------------------------

    def _brief(self, plan: Plan) -> None:
        """Tells the workers what they are to do. A model that costs less than sending its texts around embeds where
        they are cut."""
        setup = setup_of(self.settings, self.output.build, dry=self.check)
        if not self.embedder.cached:
            asking = frozenset(topic_of(path) for path in plan.process if is_questions(path))
            setup = replace(setup, model=self.settings.config.model, vectors_of=asking)
        if self.config.search.enabled:
            setup = replace(setup, search=self.search_model, site=self.config.site)
        self.pool.tell(replace(setup, manner=self.manner))

    def _cut(self, plan: Plan) -> dict[str, Result]:
        """Cuts documents in worker processes, which write the chunk files to the staging folder."""
        total = len(plan.process)
        results: dict[str, Result] = {}
        if total:
            with self.reporter.phase("chunk", amount(total, "document")) as advance:
                for result in cut_in(self.pool, self.settings, plan.process):
                    results[result.path] = result
                    advance(len(results) / total)
        return dict(sorted(results.items()))

    def _gather(self, found: Discovery, plan: Plan, results: dict[str, Result]) -> None:
        """The documents of every topic to be made again: those just cut, the others as they are remembered."""
        failed = {row[0] for row in self.last.errors} if self.last else set()
        remembered: dict[str, dict[str, DocumentRecord]] = {}
        for topic in plan.topics:
            self.members[topic] = []
        for path in found.documents:
            topic = topic_of(path)
            if topic not in plan.topics:
                continue
            if path in results:
                record = results[path].record
                if record is not None:
                    self.members[topic].append(record)
            elif path not in failed:
                if topic not in remembered:
                    remembered[topic] = {r.path: r for r in records.load_topic(self.settings.memory, topic).documents}
                if path not in remembered[topic]:
                    raise RecordsLost(path)
                self.members[topic].append(remembered[topic][path])

    def _embed(self, results: dict[str, Result]) -> None:
        """Embeds what the workers have not embedded, and counts where the vectors came from."""
        made = [(result, result.record) for result in results.values() if result.record is not None]
        if not self.embedder.cached:
            digests = [digest for result, _ in made for digest in result.digests]
            counts = Counts(embedded=len(set(digests)))
            counts.shared = len(digests) - counts.embedded
            found = [(record, result.vectors) for result, record in made if result.vectors is not None]
            ask(self.settings, self.embedder, found, remember=False)
        elif made:
            cut = [(record, result.embed_texts) for result, record in made]
            earlier = self.last.hashes if self.last else {}
            counts = embed(
                self.settings,
                self.reporter,
                self.embedder,
                cut,
                earlier,
                remember=not self.check,
                found=lambda path, matrix: self._project(results[path], matrix),
            )
        else:
            return
        self.summary.embedded, self.summary.cached, self.summary.shared = counts.embedded, counts.cached, counts.shared

    # ---- topics -----------------------------------------------------------------------------------------

    def _tabulate(self, plan: Plan, crew: Crew) -> dict[str, Table]:
        """Authority tables: of the topics that changed, and of those whose terms became rarer or commoner."""
        documents = [record.path for members in self.members.values() for record in members]
        removed = set(plan.removed)
        documents += [
            path
            for topic, record in self.graph.topics.items()
            if topic not in plan.topics
            for path in record.documents
            if path not in removed
        ]
        topics = all_topics(documents)
        work = {t: self.members.get(t, []) for t in topics if t in plan.topics or t not in self.graph.topics}
        terms = self._count(crew, work)
        moved = update_graph(self.graph, work, terms, sorted(self.graph.topics.keys() - set(topics)))
        if moved:
            also = {
                topic: records.load_topic(self.settings.memory, topic).documents
                for topic in topics
                if topic not in work and not moved.isdisjoint(self.graph.candidates(topic))
            }
            self.graph.fresh |= self._count(crew, also)
            work |= also
        self.members = work
        for topic in work:
            self.made[topic] = set()
        tables = {made.topic: made.answer for made in self._do(crew, self._tables(work))}
        for topic, table in tables.items():
            self.graph.topics[topic].table = table.table
        return tables

    def _count(self, crew: Crew, work: Mapping[str, list[DocumentRecord]]) -> dict[str, str]:
        return {made.topic: made.answer for made in self._do(crew, [Count(t, work[t]) for t in sorted(work)])}

    def _tables(self, work: Mapping[str, list[DocumentRecord]]) -> list[Step]:
        counted = self.graph.documented()
        steps: list[Step] = []
        for topic, members in sorted(work.items()):
            if not members:
                continue
            pinned: list[KeywordRow] | None
            path = join(topic, KEYWORDS)
            self.tables_read[path] = publish.stamp_of(self.settings.out / path)
            try:
                copied = self.last is not None and topic in self.last.tables
                pinned = publish.pinned_rows(self.settings, topic, copied=copied)
            except FormatError as error:  # the file stays as it is: it may hold somebody's work
                self.unreadable_tables.append((path, error))
                pinned = [] if publish.is_beside_sources(self.settings, topic) else None
            frequency = array("I", map(self.graph.frequency.__getitem__, self.graph.candidates(topic)))
            steps.append(Tabulate(topic, self.graph.topics[topic].title, frequency, counted, pinned))
        return steps

    def _texts(self, path: str) -> Iterable[str]:
        return texts_of(self.settings, path)

    def _write(
        self,
        tables: dict[str, Table],
        crew: Crew,
        found_before: dict[str, ChildTopic],
        listed_before: dict[str, list[ChildTopic]],
    ) -> None:
        """Specifications of the topics that have new tables or other related topics; index pages of these, and where
        the children or the parent's title changed; the root's files."""
        related = relate(self.graph, self.config.index.related)
        found, listed = summaries(self.graph)
        titles_before = {topic: entry.title for topic, entry in found_before.items()}
        steps: list[Step] = []
        for topic, record in sorted(self.graph.topics.items()):
            edges = related.get(topic, ()) if record.documents else ()
            spec = topic in tables or related_rows(edges) != record.related
            parent = found[topic_of(topic)].title if topic else None
            same_parent = not topic or titles_before.get(topic_of(topic)) == parent
            if not spec and topic not in self.made and listed_before.get(topic) == listed[topic] and same_parent:
                continue
            record.related = related_rows(edges)
            known = None if topic in tables or not record.documents else self._known(topic)
            steps.append(Write(topic, record.title, record.description, edges, listed[topic], parent, spec, known))
        for made in self._do(crew, steps):
            outputs = self.made.setdefault(made.topic, set())
            outputs |= {join(made.topic, page) for page in made.answer}
            if self.graph.topics[made.topic].documents:
                outputs |= {join(made.topic, SPEC), join(made.topic, KEYWORDS)}
        root = self.made.setdefault("", {p for p in (self.last.outputs if self.last else ()) if output_topic(p) == ""})
        base_url = self.config.index.base_url
        llms = llms_txt(found[""].title, self.graph.topics[""].description, outline(listed), base_url)
        fixed = {LLMS: llms, SCHEMA: schema_bytes()} | publish.no_jekyll(self.settings)
        if self.config.search.enabled:
            fixed |= web.files(stemmers.module(self.config.keywords.language))
        for target, data in fixed.items():
            root.add(target)
            self._put(target, data)

    def _known(self, topic: str) -> Known:
        """What the last build remembered of a topic whose own table stays."""
        file = records.load_topic(self.settings.memory, topic)
        return Known(file.documents, self.graph.topics[topic].table, file.keywords)

    def _do(self, crew: Crew, steps: Sequence[Step]) -> Iterator[Made]:
        """What came of steps; what they staged is to be published."""
        for made in crew.do(steps):
            self.staged += made.staged
            self.summary.bytes += made.written
            yield made

    # ---- search -----------------------------------------------------------------------------------------

    def _project(self, result: Result, matrix: NDArray[np.float32]) -> None:
        """Gives a page the vectors that its worker does not have."""
        if result.page is not None and self.search_model == self.embedder.name:
            result.page = with_vectors(result.page, self.embedder.name, matrix)

    def _search(self, plan: Plan, results: dict[str, Result]) -> bundling.Searched:
        """The search bundle: what differs of it."""
        if not self.config.search.enabled:
            return bundling.Searched()
        return bundling.search(self.search_files, self.settings, self.last, plan, results, dry=self.check)

    def _put_search(self, searched: bundling.Searched) -> None:
        for target, data in searched.files.items():
            self._put(target, data)
        self.searched = searched

    # ---- publication ------------------------------------------------------------------------------------

    def _put(self, target: str, data: bytes) -> None:
        staged = self.stage.put(target, data)
        if staged is not None:
            self.staged.append(staged)

    def _pack(self, tables: dict[str, Table]) -> dict[str, bytes]:
        """What the next build must know of each topic that was worked on."""
        if self.check:
            return {}
        return {
            topic: records.pack_topic(
                records.TopicFile(self.members[topic], terms, tables[topic].keywords if topic in tables else [])
            )
            for topic, terms in self.graph.fresh.items()
        }

    def _publish(self, found: Discovery, plan: Plan, results: dict[str, Result], packed: dict[str, bytes]) -> None:
        """Renames what is staged into place, removes what is left over, and remembers this build."""
        out = self.settings.out
        tabulated = {*plan.topics, *self.members}
        self.problems = problems(self.last, found.documents, results, tabulated, self.unreadable_tables)
        counts = publish.chunk_counts(self.last, found.documents, results)
        outputs = publish.expected(self.last, self.made, self.graph.topics)
        if self.config.search.enabled:
            outputs.append(SEARCH_MANIFEST)
        standing = publish.chunk_files(counts).union(outputs, self.searched.shards, *self.searched.old_shards)
        staged = [item for result in results.values() for item in result.staged] + self.staged
        publish.refuse_foreign(out, staged)
        if not self.check:
            self.output.secure(staged)  # from here to the renames nothing takes long: somebody may be saving a table
        removed, kept = publish.leftovers(out, self.last, self.made, standing, known=not plan.foreign)
        self.problems.notices += outlived(kept, found.documents)
        if self.check:
            self.summary.stale = sorted({item.target for item in staged}.union(removed))
            return
        staged = publish.without_edited(out, staged, self.tables_read, self.reporter)
        self.summary.written, self.summary.removed = len(staged), len(removed)
        self.summary.bytes += self.stage.written + sum(result.written for result in results.values())
        memory = self.settings.memory
        tables = publish.tables_as_read(self.last, self.tables_read, staged) | kept
        tables |= publish.tables_as_staged(self.output.staging, staged)
        with publish.interrupted_until_done(memory):
            self.output.publish(publish.in_order(staged, out), removed)
            with publish.remembering():
                for topic, data in packed.items():
                    records.save_topic(memory, topic, data)
                records.save_graph(memory, self.graph)
                records.forget_topics(memory, self.graph)
                if self.config.search.enabled:
                    bundling.remember(memory, self.searched)
                else:
                    bundling.forget(memory)
                state = publish.state(
                    self.key,
                    self.last,
                    found,
                    plan,
                    results,
                    self.problems,
                    [*outputs, *kept],
                    counts,
                    self.graph,
                    self.searched.old_shards,
                    self._heads(),
                    out,
                    tables,
                )
                save_state(memory, state)

    def _heads(self) -> dict[str, str]:
        return records.heads(self.settings.memory, [MEMORY] if self.config.search.enabled else [])

    def _conclude(self, found: Discovery, results: dict[str, Result]) -> Summary:
        summary = self.summary
        summary.topics = len(self.graph.topics)
        summary.chunks = sum(record.chunks for record in self.graph.topics.values())
        summary.cached += summary.chunks - sum(len(r.record.chunks) for r in results.values() if r.record)
        summary.report(self.settings, found, self.problems)
        return summary
