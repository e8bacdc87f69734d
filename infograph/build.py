"""The whole pipeline: a tree of Markdown in, an information graph of plain files out.

    discover ─▶ plan ─▶ cut ─▶ embed ─▶ tabulate ─▶ specify ─▶ index ─▶ publish ─▶ remember

A build does only what differs from the last one, and what it leaves is equal, byte for byte, to what a
build from nothing would leave.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from infograph import publish, records
from infograph.config import Settings
from infograph.errors import DocumentError, FormatError, InfographError, OutputError
from infograph.files import (
    KEYWORDS,
    LLMS,
    OUTPUT_MARK,
    SCHEMA,
    SPEC,
    Output,
    Stage,
    Staged,
    join,
    read_file,
    write_private,
)
from infograph.model import Notice, TopicSpec
from infograph.plan import Plan, all_topics, build_key, make_plan, output_topic, topic_of
from infograph.records import DocumentRecord
from infograph.reporter import Reporter, Silent, amount
from infograph.source.discovery import Discovery, SourceRules, discover

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.embedding.base import Embedder
    from infograph.index import ChildTopic, IndexOptions
    from infograph.model import KeywordRow, SpecSource
    from infograph.vectors import Counts
    from infograph.worker import Result


@dataclass(slots=True)
class Summary:
    """What a build found and did."""

    documents: int = 0
    topics: int = 0
    chunks: int = 0
    embedded: int = 0
    """Texts embedded now."""
    cached: int = 0
    """Chunks whose vector was remembered, those of unchanged documents among them."""
    shared: int = 0
    """Chunks whose text stands elsewhere in the tree too and was embedded once."""
    written: int = 0
    """Files written."""
    removed: int = 0
    """Files removed."""
    bytes: int = 0
    """Bytes written."""
    seconds: float = 0.0
    stale: list[str] = field(default_factory=list)
    """With `check`: outputs that are not what a build would write."""
    errors: list[InfographError] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

    def failed(self, strict: bool) -> bool:
        """Whether the exit status is 1."""
        return bool(self.errors or self.stale or (strict and self.notices))


def build(settings: Settings, reporter: Reporter | None = None, *, check: bool = False) -> Summary:
    """Builds a tree, doing only what changed since the last build.

    check: write nothing; say in `Summary.stale` what a build from nothing would write or remove

    Raises ConfigError, ModelError, OutputError (nothing is published then). What is wrong with one document
    is in `Summary.errors`; the others are built.
    """
    from infograph.embedding import identify

    started = time.monotonic()
    reporter = reporter or Silent()
    model = "@".join(identify(settings.config.model))
    key = build_key(settings, model)
    if check:
        summary = _Build(settings, reporter, model, key, None, check=True).run()
    else:
        with Output(settings.out).locked(on_wait=reporter.say):
            if not settings.in_place:
                write_private(settings.out, OUTPUT_MARK, b"")
            try:
                summary = _Build(settings, reporter, model, key, records.load_state(settings.out, key)).run()
            except records.RecordsLost:
                summary = _Build(settings, reporter, model, key, None).run()
    summary.seconds = time.monotonic() - started
    return summary


def find_documents(settings: Settings) -> Discovery:
    """The documents of a source tree."""
    source = settings.config.source
    rules = SourceRules(include=source.include, exclude=source.exclude, gitignore=source.gitignore)
    return discover(settings.root, rules, None if settings.in_place else settings.out)


def nothing_found(settings: Settings) -> DocumentError:
    """The error of a tree without documents: a wrong folder or pattern is likelier than an empty site."""
    hint = "Documents end in .md, .markdown or .mdx; `source.include`, `source.exclude` and .gitignore leave some out."
    return DocumentError(str(settings.root), "holds no documents", hint)


def index_options(settings: Settings) -> IndexOptions:
    """How the indexes of a tree are written."""
    from infograph.index import IndexOptions

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
    from infograph.embedding import load
    from infograph.topics import compare, match
    from infograph.vectors import Texts, Vectors
    from infograph.worker import strategy_key

    files = [Texts(record.sha256, texts, earlier.get(record.path)) for record, texts in cut]
    embedder = load(settings.config.model, settings.jobs)
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
    return embedder, vectors.counts


class _Build:
    """One build. `run` is its story; the attributes are what its steps hand on."""

    def __init__(
        self, settings: Settings, reporter: Reporter, model: str, key: str, last: records.State | None,
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

    def run(self) -> Summary:
        found = find_documents(self.settings)
        plan = make_plan(self.settings, found, self.last)
        results: dict[str, Result] = {}
        if self.last is None or not plan.idle:
            if not self.check:
                self.output.open_stage()
            try:
                if self.last is not None:
                    self.graph = records.load_graph(self.settings.out)
                results = self._cut(plan)
                self._gather(found, plan, results)
                self._embed(results)
                before = self._summaries()
                bodies = self._tabulate(plan)
                specs = self._specify(bodies)
                self._index(specs, *before)
                self._publish(found, plan, results)
            finally:
                if not self.check:
                    self.output.close_stage()
        elif plan.touched and not self.check:
            self.last.sources |= plan.touched
            records.save_state(self.settings.out, self.last)
        return self._conclude(found, results)

    # ---- chunks -----------------------------------------------------------------------------------------

    def _cut(self, plan: Plan) -> dict[str, Result]:
        """Cuts documents in worker processes, which write the chunk files to the staging folder."""
        from infograph.worker import cut

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
                    remembered[topic] = {r.path: r for r in records.load_topic(self.settings.out, topic).documents}
                if path not in remembered[topic]:
                    raise records.RecordsLost(path)
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

    def _summaries(self) -> tuple[dict[str, ChildTopic], dict[str, list[ChildTopic]]]:
        """Every topic as its parent lists it, and what each topic's index lists below it."""
        from infograph.topics import summaries

        return summaries(self.graph)

    def _tabulate(self, plan: Plan) -> dict[str, tuple[tuple[SpecSource, ...], tuple[KeywordRow, ...]]]:
        """Authority tables: of the topics that changed, and of those whose terms became rarer or commoner."""
        from infograph.topic.words import render_words
        from infograph.topics import sources_of, tabulate, terms_of, update_graph

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
                    work[topic] = records.load_topic(self.settings.out, topic).documents
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
        from infograph.worker import texts_of

        return texts_of(self.settings, record.path)

    def _specify(
        self, bodies: dict[str, tuple[tuple[SpecSource, ...], tuple[KeywordRow, ...]]]
    ) -> dict[str, TopicSpec]:
        """Topic specifications: of the topics that have new tables, and of those whose related topics changed."""
        from infograph.topic import specfile
        from infograph.topics import make_spec, relate, related_rows
        from infograph.worker import strategy_key

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
        from infograph.topic import specfile

        place = join(topic, SPEC)
        return specfile.parse(place, read_file(self.settings.out / place) or b"")

    # ---- index ------------------------------------------------------------------------------------------

    def _index(
        self, specs: dict[str, TopicSpec], found_before: dict[str, ChildTopic],
        listed_before: dict[str, list[ChildTopic]],
    ) -> None:  # fmt: skip
        """Index pages of every topic whose specification, children or parent's title changed; the root's files."""
        from infograph.index import llms_txt, topic_index
        from infograph.schema import schema_bytes

        found, listed = self._summaries()
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
        self.summary.written, self.summary.removed = len(staged), len(removed)
        self.summary.bytes = self.stage.written + sum(result.written for result in results.values())
        if self.check:
            self.summary.stale = sorted({item.target for item in staged}.union(removed))
            return
        with publish.interrupted_until_done(out):
            self.output.publish(publish.in_order(staged), removed)
            for topic, terms in self.graph.fresh.items():
                records.save_topic(out, topic, records.TopicFile(self.members.get(topic, []), terms))
            records.save_graph(out, self.graph)
            records.save_state(
                out,
                publish.state(
                    self.key, self.last, found.documents, plan, results, self.problems, outputs, counts, self.graph, out
                ),
            )
            records.forget_topics(out, self.graph)

    def _conclude(self, found: Discovery, results: dict[str, Result]) -> Summary:
        """The counts of the whole tree, and everything a person should hear about."""
        summary = self.summary
        if not self.made and self.last is not None:
            self.problems = publish.problems(self.last, found.documents, results, ())
            summary.topics, summary.chunks = self.last.topics, self.last.chunks
        else:
            summary.topics = len(self.graph.topics)
            summary.chunks = sum(record.chunks for record in self.graph.topics.values())
        failed = {path for path, _ in self.problems.errors}
        summary.documents = sum(path not in failed for path in found.documents)
        summary.cached += summary.chunks - sum(len(r.record.chunks) for r in results.values() if r.record)
        summary.errors = [*found.errors, *(error for _, error in self.problems.errors)]
        if not found.documents and not found.errors:
            summary.errors.append(nothing_found(self.settings))
        summary.notices = [*found.notices, *self.problems.notices]
        return summary
