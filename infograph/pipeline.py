"""The steps of a build, from documents to published files.

    cut ─▶ gather ─▶ embed ─▶ tabulate ─▶ specify ─▶ index ─▶ publish ─▶ remember

Each step works on what `plan.py` found to differ, and on what follows from that.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from infograph import embedding, publish, records
from infograph.config import Settings
from infograph.errors import FormatError, InfographError, OutputError
from infograph.files import KEYWORDS, LLMS, SCHEMA, SPEC, Output, Stage, Staged, join, read_file
from infograph.index import ChildTopic, IndexOptions, llms_txt, topic_index
from infograph.model import KeywordRow, SpecSource, TopicSpec
from infograph.plan import Plan, all_topics, output_topic, topic_of
from infograph.records import DocumentRecord
from infograph.reporter import Reporter, amount
from infograph.schema import schema_bytes
from infograph.source.discovery import Discovery
from infograph.state import RecordsLost, State, save_state
from infograph.summary import Summary
from infograph.topic import specfile
from infograph.topic.words import render_words
from infograph.topics import (
    compare,
    make_spec,
    match,
    relate,
    related_rows,
    sources_of,
    summaries,
    tabulate,
    terms_of,
    update_graph,
)
from infograph.vectors import Counts, Texts, Vectors
from infograph.worker import Result, cut, strategy_key, texts_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.embedding.base import Embedder


def index_options(settings: Settings) -> IndexOptions:
    """How the indexes of a tree are written."""
    index = settings.config.index
    return IndexOptions(
        base_url=index.base_url,
        sources_beside=settings.in_place,
        source_url=index.source_url,
        stripe_factor=settings.config.stripe.factor,
    )


def embed(
    settings: Settings, reporter: Reporter, cut: Sequence[tuple[DocumentRecord, list[str]]],
    earlier: Mapping[str, str], *, remember: bool,
) -> tuple[Embedder, Counts]:  # fmt: skip
    """Vectors of every new text, and what follows from them within a document and a topic.

    cut:      documents with the texts of their chunks; their records are filled in
    earlier:  path to the file hash of the last build
    remember: write the embedding cache
    """
    files = [Texts(record.sha256, texts, earlier.get(record.path), record.size) for record, texts in cut]
    embedder = embedding.load(settings.config.model, settings.jobs)
    vectors = Vectors(embedder, settings.cache, strategy_key(settings.config.strategy), remember=remember)
    missing = vectors.plan(files)
    speed = embedder.chunks_per_second
    if speed and missing / speed > 60:
        reporter.say(
            f"Embedding {missing:,} texts with {embedder.name} will take about "
            f"{amount(round(missing / speed / 60), 'minute')}; each is embedded once and remembered. "
            "`--model static` takes seconds."
        )
    questioned = {topic_of(record.path) for record, _ in cut if record.questions}
    kept: dict[str, list[tuple[DocumentRecord, NDArray[np.float32]]]] = {topic: [] for topic in questioned}
    with reporter.phase("embed", amount(missing, "text")) as advance:
        for position, matrix in vectors.run(files, advance):
            record = cut[position][0]
            compare(record, matrix)
            if topic_of(record.path) in questioned:
                kept[topic_of(record.path)].append((record, matrix))
    asked = Vectors(embedder, settings.cache, "questions", remember=remember)
    for topic in sorted(questioned):
        match([r for r, _ in kept[topic]], [m for _, m in kept[topic]], asked, settings.config)
    if vectors.failure:
        reporter.say(f"warning: the embedding cache is not kept: {vectors.failure}")
    return embedder, vectors.counts


class Pipeline:
    """One build. `run` is its story; the attributes are what its steps hand on."""

    def __init__(
        self, settings: Settings, reporter: Reporter, model: str, key: str, last: State | None,
        *, check: bool = False,
    ) -> None:  # fmt: skip
        self.settings = settings
        self.config = settings.config
        self.reporter = reporter
        self.model = model
        self.key = key
        self.last = last
        self.check = check
        self.output = Output(settings.out)
        self.stage = Stage(settings.out, "main", dry=check)
        self.summary = Summary()
        self.staged: list[Staged] = []
        self.graph = records.Graph()
        self.members: dict[str, list[DocumentRecord]] = {}
        """The documents of every topic that is worked on."""
        self.problems = publish.Problems()
        self.unreadable_tables: list[tuple[str, InfographError]] = []
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
            if self.last is not None:
                self.graph = records.load_graph(self.settings.memory)
            results = self._cut(plan)
            self._gather(found, plan, results)
            self._embed(results)
            before = summaries(self.graph)
            bodies = self._tabulate(plan)
            specs = self._specify(bodies)
            self._index(specs, *before)
            self._publish(found, plan, results)
        finally:
            if collecting:
                gc.enable()
            if not self.check:
                self.output.close_stage()
        return self._conclude(found, results)

    # ---- chunks -----------------------------------------------------------------------------------------

    def _cut(self, plan: Plan) -> dict[str, Result]:
        """Cuts documents in worker processes, which write the chunk files to the staging folder."""
        total = len(plan.process)
        results: dict[str, Result] = {}
        if total:
            with self.reporter.phase("chunk", amount(total, "document")) as advance:
                for result in cut(self.settings, plan.process, dry=self.check):
                    if isinstance(result.error, OutputError):
                        raise result.error
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
        cut = [(result.record, result.embed_texts) for result in results.values() if result.record is not None]
        if cut:
            earlier = self.last.hashes if self.last else {}
            _, counts = embed(self.settings, self.reporter, cut, earlier, remember=not self.check)
            self.summary.embedded, self.summary.cached, self.summary.shared = (
                counts.embedded, counts.cached, counts.shared,
            )  # fmt: skip

    # ---- topics -----------------------------------------------------------------------------------------

    def _tabulate(self, plan: Plan) -> dict[str, tuple[tuple[SpecSource, ...], tuple[KeywordRow, ...]]]:
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
        terms = {topic: terms_of(members) for topic, members in work.items()}
        moved = update_graph(self.graph, work, terms, sorted(self.graph.topics.keys() - set(topics)))
        if moved:
            for topic in topics:
                if topic not in work and not moved.isdisjoint(self.graph.candidates(topic)):
                    work[topic] = records.load_topic(self.settings.memory, topic).documents
                    terms[topic] = terms_of(work[topic])
        bodies = {}
        for topic, members in sorted(work.items()):
            self.made[topic] = set()
            if not members:
                continue
            target = join(topic, KEYWORDS)
            try:
                pinned = publish.pinned_rows(self.settings, topic)
            except FormatError as error:  # the file stays as it is: it may hold somebody's work
                self.unreadable_tables.append((target, error))
                rows = tabulate(terms[topic], self.graph, (), self.config)
            else:
                rows = tabulate(terms[topic], self.graph, pinned, self.config)
                self._put(target, render_words(self.graph.topics[topic].title, rows))
            self.graph.topics[topic].table = [(row.term, row.score) for row in rows if row.score > 0]
            bodies[topic] = (sources_of(members, rows, self.config, self._texts_of), rows)
        return bodies

    def _texts_of(self, record: DocumentRecord) -> list[str]:
        """The texts of a document's chunks; only pinned terms that no extractor would find need them."""
        return texts_of(self.settings, record.path)

    def _specify(
        self, bodies: dict[str, tuple[tuple[SpecSource, ...], tuple[KeywordRow, ...]]]
    ) -> dict[str, TopicSpec]:
        """Topic specifications: of the topics that have new tables, and of those whose related topics changed."""
        related = relate(self.graph, self.config.index.related)
        specs: dict[str, TopicSpec] = {}
        for topic, record in sorted(self.graph.topics.items()):
            edges = related.get(topic, ())
            if topic in bodies:
                sources, rows = bodies[topic]
                spec = make_spec(topic, record, sources, rows, edges, strategy_key(self.config.strategy), self.model)
            elif record.documents and related_rows(edges) != record.related:
                spec = replace(self._stored_spec(topic), related=edges)
            else:
                continue
            record.related = related_rows(edges)
            specs[topic] = spec
            self._put(join(topic, SPEC), specfile.render(spec))
        return specs

    def _stored_spec(self, topic: str) -> TopicSpec:
        place = join(topic, SPEC)
        return specfile.parse(place, read_file(self.settings.out / place) or b"")

    # ---- index ------------------------------------------------------------------------------------------

    def _index(
        self, specs: dict[str, TopicSpec], found_before: dict[str, ChildTopic],
        listed_before: dict[str, list[ChildTopic]],
    ) -> None:  # fmt: skip
        """Index pages of every topic whose specification, children or parent's title changed; the root's files."""
        found, listed = summaries(self.graph)
        titles_before = {topic: entry.title for topic, entry in found_before.items()}
        for topic in sorted(self.graph.topics):
            parent = found[topic_of(topic)].title if topic else None
            same_parent = not topic or titles_before.get(topic_of(topic)) == parent
            if topic in specs or topic in self.made or listed_before.get(topic) != listed[topic] or not same_parent:
                spec = specs.get(topic) or self._spec_or_bare(topic)
                outputs = self.made.setdefault(topic, set())
                for page in topic_index(spec, listed[topic], parent, index_options(self.settings)):
                    outputs.add(join(topic, page.name))
                    self._put(join(topic, page.name), page.data)
                if spec.sources:
                    outputs |= {join(topic, SPEC), join(topic, KEYWORDS)}
        root = self.made.setdefault("", {p for p in (self.last.outputs if self.last else ()) if output_topic(p) == ""})
        sections = [(child, listed[child.id]) for child in listed[""]]
        llms = llms_txt(found[""].title, self.graph.topics[""].description, sections, self.config.index.base_url)
        fixed = {LLMS: llms, SCHEMA: schema_bytes()} | publish.no_jekyll(self.settings)
        for target, data in fixed.items():
            root.add(target)
            self._put(target, data)

    def _spec_or_bare(self, topic: str) -> TopicSpec:
        """The specification of a topic that itself did not change; one without documents has no file."""
        record = self.graph.topics[topic]
        if record.documents:
            return self._stored_spec(topic)
        return TopicSpec(topic, record.title, record.description, "", "")

    # ---- publication ------------------------------------------------------------------------------------

    def _put(self, target: str, data: bytes) -> None:
        staged = self.stage.put(target, data)
        if staged is not None:
            self.staged.append(staged)

    def _publish(self, found: Discovery, plan: Plan, results: dict[str, Result]) -> None:
        """Renames what is staged into place, removes what is left over, and remembers this build."""
        out = self.settings.out
        self.problems = publish.problems(self.last, found.documents, results, self.made)
        self.problems.errors += self.unreadable_tables
        counts = publish.chunk_counts(self.last, found.documents, results)
        outputs = publish.expected(self.last, self.made, self.graph.topics)
        standing = publish.chunk_files(counts).union(outputs)
        removed = publish.leftovers(out, self.last, self.made, standing)
        staged = [item for result in results.values() for item in result.staged] + self.staged
        publish.refuse_foreign(out, staged)
        if self.check:
            self.summary.stale = sorted({item.target for item in staged}.union(removed))
            return
        self.summary.written, self.summary.removed = len(staged), len(removed)
        self.summary.bytes = self.stage.written + sum(result.written for result in results.values())
        memory = self.settings.memory
        with publish.interrupted_until_done(memory):
            self.output.publish(publish.in_order(staged), removed)
            for topic, terms in self.graph.fresh.items():
                records.save_topic(memory, topic, records.TopicFile(self.members.get(topic, []), terms))
            records.save_graph(memory, self.graph)
            records.forget_topics(memory, self.graph)
            save_state(
                memory,
                publish.state(
                    self.key, self.last, found.documents, plan, results, self.problems, outputs, counts, self.graph, out
                ),
            )

    def _conclude(self, found: Discovery, results: dict[str, Result]) -> Summary:
        summary = self.summary
        summary.topics = len(self.graph.topics)
        summary.chunks = sum(record.chunks for record in self.graph.topics.values())
        summary.cached += summary.chunks - sum(len(r.record.chunks) for r in results.values() if r.record)
        summary.report(self.settings, found, self.problems)
        return summary
