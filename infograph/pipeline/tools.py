"""Runs the stages as single tools, each on the files that the one before wrote.

    chunk     documents                        ─▶ _chunks/*.md
    keywords  chunk files, front matter        ─▶ _keywords/words.md
    topic     chunk files, words.md, qa-pairs  ─▶ topic-spec.md
    index     topic-spec.md, chunk files       ─▶ index.json, _schema/, llms.txt, _search/

Run in this order they leave the bytes that `build` leaves. What a person changed in between is kept:
`index` takes an edited `topic-spec.md`, `topic` an edited `words.md`. With a `TreeSelection` each makes the files of a
part of the tree, reads what the whole tree says of it (ids, relations, frequencies), and leaves the rest alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, wraps
from typing import TYPE_CHECKING

from infograph import embedding
from infograph.config.origins import naming_origins
from infograph.config.places import refuse_store
from infograph.config.selection import EVERYTHING, TreeSelection
from infograph.config.settings import Settings
from infograph.errors import ConfigError, DocumentError, FormatError, Notice, OutputError
from infograph.files.disk import read_file, write_private
from infograph.files.stamps import Stamp, stamp_of
from infograph.formats.names import (
    CHUNKS,
    KEYWORDS,
    OUTPUT_MARK,
    SPEC,
    all_topics,
    is_questions,
    is_table,
    join,
    manifest_path,
    output_topic,
    spec_name,
    topic_of,
)
from infograph.model import KeywordRow, TopicSpec
from infograph.pipeline.chunk_names import chunk_files, is_chunk_of
from infograph.pipeline.chunked import Chunked, missing_chunk, no_chunk_file, read_chunked, stands
from infograph.pipeline.kept import led_to
from infograph.pipeline.keys import strategy_key
from infograph.pipeline.memory.records import DocumentRecord, TopicGraph, TopicRecord, unpack_terms
from infograph.pipeline.ours import find_outputs, outputs_of
from infograph.pipeline.plan import find_documents, refuse_documents_in_out
from infograph.pipeline.staging import Output, Stage, Staged, in_order
from infograph.pipeline.steps import publish
from infograph.pipeline.steps.embed import Collected, embed, packed_questions, plan_work
from infograph.pipeline.summary import Summary, nothing_found
from infograph.pipeline.tables import holds_pins, is_beside_sources, pinned_rows
from infograph.pipeline.worker.guarded_embedder import ended, load_guarded
from infograph.progress import Reporter, Silent, amount
from infograph.text.language import check_language

if TYPE_CHECKING:
    from infograph.pipeline.worker.tasks import Result
    from infograph.topic.keyword_scoring import TopicTerms

MOST_NAMED = 3
"""Documents of a stale specification that a notice names at most."""


@dataclass(slots=True)
class _Run:
    """State of one run of one tool: the files that it stages, and its report."""

    settings: Settings
    reporter: Reporter
    stage: Stage
    selection: TreeSelection
    documents: frozenset[str] = frozenset()
    """The documents of the tree, once they are listed."""
    staged: list[Staged] = field(default_factory=list)
    expected: set[str] = field(default_factory=set)
    """Paths of the outputs that belong to the tree after the run."""
    tables_read: dict[str, Stamp] = field(default_factory=dict)
    """Path of each authority table that was looked at for pinned rows, and its stamp before."""
    summary: Summary = field(default_factory=Summary)

    def know(self, documents: Sequence[str]) -> None:
        """Takes the documents of the tree. Raises DocumentError where none of them is selected."""
        self.documents = frozenset(documents)
        if self.selection.path and not any(map(self.selection.has, documents)):
            reason = f"holds none of the {amount(len(documents), 'document')} of {self.settings.root}, and is none"
            raise DocumentError(self.selection.path, reason, "See `source.include`, `source.exclude` and ignore files.")

    def makes(self, topic: str) -> bool:
        """Whether the files of a topic are to be made."""
        return self.selection.has_topic(topic, self.documents)

    def owns(self, path: str) -> bool:
        """Whether an output belongs to the selected part of the tree."""
        if not _is_chunk(path):
            return self.makes(output_topic(path))
        if self.selection.path in self.documents:
            return is_chunk_of(self.selection.path, path)
        return self.selection.has(topic_of(topic_of(path)))

    def left_over(self, outputs: Iterable[str]) -> Iterator[str]:
        """Yields the outputs of the selected part that are no longer made and may go. Table and specification of a
        topic with a document that could not be read stay: nothing says that it has changed."""
        places = [error.place.partition(":")[0] for error in self.summary.errors]
        broken = {topic_of(topic_of(place) if _is_chunk(place) else place) for place in places}
        for path in outputs:
            if self.owns(path) and (_is_chunk(path) or output_topic(path) not in broken):
                yield path

    def put(self, target: str, data: bytes) -> None:
        self.expected.add(target)
        item = self.stage.put(target, data)
        if item is not None:
            self.staged.append(item)


Tool = Callable[..., Summary]
"""Takes Settings, a Reporter or None, and a TreeSelection; returns what was done."""


def _tool(
    owns: Callable[[str], bool],
) -> Callable[[Callable[[_Run], None]], Tool]:
    """Makes a tool of its core: lock, staging, publication and removal of what is no longer made are the same for all.

    owns: whether an output, told by its path, is this tool's to remove
    """

    def decorate(core: Callable[[_Run], None]) -> Tool:
        @wraps(core)
        @naming_origins
        def run(settings: Settings, reporter: Reporter | None = None, selection: TreeSelection = EVERYTHING) -> Summary:
            started = time.monotonic()
            reporter = reporter or Silent()
            check_language(settings.config.keywords.language)
            refuse_store(settings, core.__name__)
            refuse_documents_in_out(settings)
            output = Output(settings.out)
            with output.locked(on_wait=reporter.say):
                if not settings.in_place:
                    write_private(settings.out, OUTPUT_MARK, b"")
                old = find_outputs(settings.out)
                output.open_stage()
                try:
                    work = _Run(settings, reporter, Stage(settings.out, "main", output.build), selection)
                    core(work)
                    output.secure(work.staged)
                    if not settings.in_place:  # what the published index leads to stays until another is published
                        work.expected |= led_to(settings.out, settings.config.index.base_url)
                    left_over = work.left_over(path for path in old - work.expected if owns(path))
                    removed = sorted(path for path in left_over if not holds_pins(settings.out, path))
                    publish.refuse_foreign(settings.out, work.staged)
                    work.staged = publish.without_edited(settings.out, work.staged, work.tables_read, reporter)
                    output.publish(in_order(work.staged, settings.out), removed)
                finally:
                    output.close_stage()
            summary = work.summary
            summary.written, summary.removed = len(work.staged), len(removed)
            summary.bytes += work.stage.written
            summary.seconds = time.monotonic() - started
            return summary

        return run

    return decorate


def _documents(run: _Run) -> Sequence[str]:
    """Returns the documents of the tree. Raises DocumentError when there is none: a slip in a pattern must wipe
    nothing."""
    found = find_documents(run.settings)
    if not found.documents:
        raise found.errors[0] if found.errors else nothing_found(run.settings)
    run.know(found.documents)
    run.summary.errors += [error for error in found.errors if run.selection.has(error.place)]
    run.summary.notices += [notice for notice in found.notices if run.selection.has(notice.path)]
    return found.documents


def _is_chunk(path: str) -> bool:
    return f"/{CHUNKS}/" in f"/{path}"


@_tool(_is_chunk)
def chunk(run: _Run) -> None:
    """Cuts every document into chunk files."""
    from infograph.pipeline.steps.cut import cut

    documents = [path for path in _documents(run) if run.selection.has(path)]
    results: dict[str, Result] = {}
    with run.reporter.phase("chunk", amount(len(documents), "document")) as advance:
        for result in cut(run.settings, documents, run.stage.build, run.reporter.say):
            results[result.path] = result
            advance(len(results) / len(documents))
    for path in documents:
        result = results[path]
        run.staged += result.staged
        run.summary.bytes += result.written
        run.summary.notices += result.notices
        if result.error is not None:
            run.summary.errors.append(result.error)
        else:
            run.summary.documents += 1
            run.summary.chunks += result.chunks
    made = {path: result.chunks for path, result in results.items() if result.error is None}
    run.expected |= chunk_files(made, {path: results[path].version for path in made}, packed=run.settings.packed)
    run.summary.topics = len(all_topics(list(made)))


@_tool(is_table)
def keywords(run: _Run) -> None:
    """Writes every topic's authority table."""
    from infograph.formats.keyword_table import render_words
    from infograph.pipeline.worker.topic_files import tabulate

    graph, terms = _terms(_read_chunks(run), run.settings.config.site.name)
    for topic in filter(run.makes, terms):
        target = join(topic, KEYWORDS)
        run.expected.add(target)
        run.tables_read[target] = stamp_of(run.settings.out / target)
        try:
            pinned = pinned_rows(run.settings, topic)
        except FormatError as error:  # the file stays as it is: it may hold rows set by hand
            run.summary.errors.append(error)
            if not is_beside_sources(run.settings, topic):
                continue
            pinned = []
        rows = tabulate(terms[topic], graph.frequency, graph.documented(), pinned, run.settings.config)
        run.put(target, render_words(graph.topics[topic].title, rows))
    _count(run, graph)


@_tool(lambda path: path.endswith(SPEC))
def topic(run: _Run) -> None:
    """Embeds chunk files and writes every topic's specification."""
    from infograph.formats import topic_spec
    from infograph.pipeline.steps.cut import texts_of
    from infograph.pipeline.topic_graph import describe, relate, topic_record
    from infograph.pipeline.worker.topic_files import (
        Manner,
        TopicContent,
        Write,
        keywords_of,
        make_spec,
        tabulate,
        unmatched_notice,
    )
    from infograph.topic.keyword_scoring import ranked

    config = run.settings.config
    rows = _read_chunks(run)
    cut = [pair for pairs in rows.values() for pair in pairs]
    with ended(load_guarded(config.model, run.settings.jobs, config.embedding)) as embedder:
        counts = embed(run.settings, run.reporter, plan_work(run.settings, embedder, cut, {}, remember=True))
    run.summary.embedded, run.summary.cached, run.summary.shared = counts.embedded, counts.cached, counts.shared
    graph = TopicGraph()
    known = {}
    for name, pairs in sorted(rows.items()):
        documents = [record for record, _ in pairs]
        try:
            table = _table(run, name)
        except (FormatError, OutputError) as error:  # the topic does without its pinned rows, as in a build
            if run.makes(name):
                if isinstance(error, OutputError):
                    raise
                run.summary.errors.append(error)
            whole, terms_of = _terms(rows, config.site.name)
            table = tabulate(terms_of[name], whole.frequency, whole.documented(), (), config)
        graph.topics[name] = topic_record(documents, describe(name, documents, config.site.name))
        graph.topics[name].table = ranked(table)
        terms = [unpack_terms(record.terms) for record in documents]
        keywords, unmatched = keywords_of(documents, terms, table, config, lambda path: texts_of(run.settings, path))
        if unmatched and run.makes(name):
            run.summary.notices.append(unmatched_notice(name, unmatched))
        known[name] = TopicContent(documents, graph.topics[name].table, keywords)
    related = relate(graph, config.index.related)
    manner = Manner(run.settings, strategy_key(config), f"{embedder.name}@{embedder.revision}")
    for name, body in known.items():
        if not run.makes(name):
            continue
        record = graph.topics[name]
        task = Write(name, record.title, record.description, related.get(name, ()), [], None, spec=True)
        run.put(join(name, SPEC), topic_spec.render(make_spec(task, body, manner)))
    _count(run, graph)


@_tool(lambda path: not (_is_chunk(path) or is_table(path) or path.endswith(SPEC)))
def index(run: _Run) -> None:
    """Writes the indexes, the schema and llms.txt from the topic specifications."""
    from infograph.index import index_version, spec_version, topic_index
    from infograph.pipeline.steps.cut import readable_texts
    from infograph.pipeline.steps.root_files import root_files
    from infograph.pipeline.summary import left_alone
    from infograph.pipeline.topic_graph import describe, summaries, versioned
    from infograph.pipeline.worker.topic_files import index_options

    if not run.settings.in_place:  # there an index names those below by their versions, up to the root
        run.selection = EVERYTHING
    specs = _read_specifications(run)
    graph = TopicGraph()
    for name in all_topics([join(name, SPEC) for name in specs]):
        spec = specs.get(name) or TopicSpec(name, *describe(name, (), run.settings.config.site.name), "", "")
        specs[name] = spec
        documents = {join(name, source.name): source.sha256 for source in spec.sources}
        chunks = sum(len(source.chunks) for source in spec.sources)
        titles = [source.title for source in spec.sources]
        graph.topics[name] = TopicRecord(spec.title, spec.description, documents, titles, chunks, None)
    if run.settings.config.search.enabled:
        _refuse_other_models(run.settings, specs.values())
    standing = [path for name in sorted(specs) if run.makes(name) for path in _standing(run, specs[name])]
    searched = run.settings.config.search.enabled and run.selection == EVERYTHING
    search_version = _search(run, standing) if searched else ""
    listing = summaries(graph)
    options = index_options(run.settings, search_version)
    # The root last.
    for name in sorted(filter(run.makes, graph.topics), key=lambda name: (-name.count("/") - bool(name), name)):
        parent = listing.entries[topic_of(name)].title if name else None
        data = (read_file(run.settings.out / join(name, SPEC)) or b"") if specs[name].sources else b""
        version = spec_version(data, options)
        if version:
            run.put(join(name, spec_name(version)), data)
        pages = topic_index(specs[name], versioned(graph, listing.children[name]), parent, options, version)
        graph.topics[name].version = index_version(pages, options)
        for page in pages:
            run.put(join(name, page.name), page.data)
    if run.selection != EVERYTHING:
        run.reporter.say(
            "llms.txt and the search bundle are of the whole tree: `infograph index` of all of it makes them"
        )
        _count(run, graph)
        return
    files = root_files(run.settings, graph, listing, partial(readable_texts, run.settings))
    for target, data in files.items():
        run.put(target, data)
    run.summary.notices += left_alone(files)
    _count(run, graph)


def _read_specifications(run: _Run) -> dict[str, TopicSpec]:
    """Returns the specification of every topic that has one. Raises the first error where none can be read."""
    from infograph.formats import topic_spec

    out = run.settings.out
    specs: dict[str, TopicSpec] = {}
    run.know(find_documents(run.settings).documents)
    # A folder that was built as a tree of its own is part of this one too, as it was for the tools before.
    there = find_outputs(out) | outputs_of(out, all_topics(sorted(run.documents)))
    for path in sorted({join(topic_of(topic_of(path)), SPEC) for path in there if _is_chunk(path)} - there):
        run.summary.errors.append(
            OutputError(path, "is not there, but its chunk files are", "Run `infograph topic` first.")
        )
    for path in sorted(there):
        if path.endswith(SPEC) and output_topic(path) == topic_of(path):
            try:
                spec = topic_spec.parse(path, read_file(out / path) or b"")
                if spec.id != topic_of(path):
                    reason = f"is that of `{spec.id or '.'}`, made when its folder was a tree by itself"
                    raise FormatError(path, reason, "Run `infograph chunk`, `keywords` and `topic` first.")
                specs[topic_of(path)] = spec
            except FormatError as error:
                run.summary.errors.append(error)
    if not specs:
        missing = OutputError(str(out), "holds no topic-spec.md", "Run `infograph topic` first.")
        raise run.summary.errors[0] if run.summary.errors else missing
    return specs


def _refuse_other_models(settings: Settings, specs: Iterable[TopicSpec]) -> None:
    """Raises ConfigError where the search bundle would be made with another model than the specifications."""
    model = "@".join(embedding.identify(settings.config.model, settings.config.embedding))
    if other := next((spec for spec in specs if spec.sources and spec.model != model), None):
        reason = f"is `{model}`, and {join(other.id, SPEC)} was made with `{other.model}`"
        raise ConfigError("model", reason, "Name that one here too, or run `infograph topic` again with this one.")


def _search(run: _Run, documents: Sequence[str]) -> str:
    """Writes the search bundle of documents that have chunk files; returns the version of its manifest, empty in
    place."""
    from infograph.embedding.vectors import Texts, Vectors
    from infograph.formats.search_fields import parse_fields
    from infograph.pipeline.steps.search import SearchFiles, manifest_version, published_files, undated
    from infograph.pipeline.worker.pages import Indexer, searched, with_vectors
    from infograph.search.format.layout import MANIFEST

    settings, config = run.settings, run.settings.config
    found, errors = read_chunked(settings, documents)
    run.summary.errors += errors
    loaded = load_guarded(config.model, settings.jobs, config.embedding)
    model, embedder = searched(loaded, settings.jobs, config.search.vectors)
    vectors = Vectors(embedder, settings.cache, strategy_key(config), remember=False)
    files = [Texts(item.document.sha256, [chunk.embed_text for chunk in item.chunks]) for item in found]
    vectors.plan(files)
    specs = parse_fields(config.search.fields)
    language, site = config.keywords.language, config.site
    indexer = Indexer(language, site, config.search.enriched, specs, settings.created, packed=settings.packed)
    asked = _questions(settings, found)
    pages = []
    with ended(loaded), run.reporter.phase("search", amount(len(found), "document")) as advance:
        for position, matrix in vectors.run(files, advance):
            item = found[position]
            read = (item.document, item.blocks, item.chunks)
            page = indexer.at(indexer.index(*read, item.title, item.version), item.document)
            page = replace(page, questions=asked.get(page.path, b""))
            pages.append(with_vectors(page, model, matrix))
    made = SearchFiles(settings, model).update((), pages, anew=True)
    manifest, version = made.bundle.files[MANIFEST], ""
    for path, data in published_files(settings.out, made).items():
        run.put(path, data)
    if not settings.in_place:
        version = manifest_version(manifest)
        run.put(manifest_path(version), manifest)
    run.expected |= set(undated(settings.out, run.expected, manifest))
    return version


def _questions(settings: Settings, found: Sequence[Chunked]) -> dict[str, bytes]:
    """Returns the packed questions of documents, by path; those of `qa-pairs.md` by the build's own model."""
    from infograph.pipeline.worker.documents import record_of

    config = settings.config
    language, rule = config.keywords.language, config.index.technical_baseline
    asking = {item.document.topic for item in found if is_questions(item.document.path)}
    collected = Collected()
    records = [record_of(item.document, item.blocks, item.chunks, language, rule) for item in found]
    texts = [[chunk.embed_text for chunk in item.chunks] for item in found]
    cut = [pair for pair in zip(records, texts, strict=True) if topic_of(pair[0].path) in asking]
    if cut:
        with ended(load_guarded(config.model, settings.jobs, config.embedding)) as embedder:
            embed(settings, Silent(), plan_work(settings, embedder, cut, {}, remember=False), collected)
    return {record.path: packed_questions(record, collected, language) for record in records}


def _standing(run: _Run, spec: TopicSpec) -> list[str]:
    """Returns the documents of a topic that are, with their chunk files, as its specification describes them. A notice
    names those that differ; missing files, to which an index would link, are errors."""
    if spec.sources and not (run.settings.out / join(spec.id, KEYWORDS)).is_file():
        run.summary.errors.append(_no_table(join(spec.id, KEYWORDS)))
    missing = {source.name: missing_chunk(run.settings, spec.id, source) for source in spec.sources}
    run.summary.errors += (
        no_chunk_file(run.settings, join(spec.id, source.name), source.stem, place)
        for source in spec.sources
        if (place := missing[source.name])
    )
    there = (source for source in spec.sources if missing[source.name] is None)
    found = {source.name: stands(run.settings, spec.id, source) for source in there}
    stale = [name for name, as_described in found.items() if not as_described]
    if stale:
        path = join(spec.id, SPEC)
        named = ", ".join(stale[:MOST_NAMED]) + (", …" if len(stale) > MOST_NAMED else "")
        message = f"describes other versions of {named}: run `infograph chunk`, `keywords` and `topic` first"
        run.summary.notices.append(Notice(path, "stale-specification", message, len(stale)))
    return [join(spec.id, name) for name, as_described in found.items() if as_described]


def _terms(
    rows: Mapping[str, list[tuple[DocumentRecord, list[str]]]], site_name: str
) -> tuple[TopicGraph, dict[str, TopicTerms]]:
    """Returns the terms of every topic, with a graph that knows in how many topics each candidate occurs."""
    from infograph.pipeline.topic_graph import update_graph
    from infograph.topic.keyword_scoring import topic_terms

    members = {topic: [record for record, _ in pairs] for topic, pairs in sorted(rows.items())}
    terms = {
        topic: topic_terms(terms for record in documents for terms in unpack_terms(record.terms))
        for topic, documents in members.items()
    }
    graph = TopicGraph()
    update_graph(graph, members, {name: "\n".join(sorted(found)) for name, found in terms.items()}, (), site_name)
    return graph, terms


def _count(run: _Run, graph: TopicGraph) -> None:
    made = [record for name, record in graph.topics.items() if run.makes(name)]
    run.summary.documents = sum(len(record.documents) for record in made)
    run.summary.topics = len(made)
    run.summary.chunks = sum(record.chunks for record in made)


def _table(run: _Run, topic: str) -> tuple[KeywordRow, ...]:
    from infograph.formats.keyword_table import parse_words

    target = join(topic, KEYWORDS)
    data = read_file(run.settings.out / target)
    if data is None:
        raise _no_table(target)
    return parse_words(target, data)


def _no_table(target: str) -> OutputError:
    return OutputError(target, "is not there", "Run `infograph keywords` first.")


def _read_chunks(run: _Run) -> dict[str, list[tuple[DocumentRecord, list[str]]]]:
    """Returns every topic's documents as their chunk files describe them, each with the texts to embed."""
    from infograph.pipeline.worker.documents import record_of

    config = run.settings.config
    found, errors = read_chunked(run.settings, _documents(run))
    ours = [error for error in errors if run.makes(topic_of(error.place).removesuffix(CHUNKS).removesuffix("/"))]
    run.summary.errors += ours
    if len(ours) < len(errors):
        others = amount(len(errors) - len(ours), "document")
        run.reporter.say(
            f"{others} outside {run.selection.path} have no chunk files that fit, so their terms do not count"
        )
    topics: dict[str, list[tuple[DocumentRecord, list[str]]]] = {}
    for item in found:
        rule = config.index.technical_baseline
        record = record_of(item.document, item.blocks, item.chunks, config.keywords.language, rule)
        record.version = item.version
        topics.setdefault(item.document.topic, []).append((record, [c.embed_text for c in item.chunks]))
    return topics
