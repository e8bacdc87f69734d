"""The steps of a build in order, from documents to published files.

    cut ─▶ gather ─▶ embed ─▶ make tables ─▶ write pages ─▶ publish
                          └▶ update the search bundle, beside ─┘

Each step takes what the ones before gave, and works on what `plan.py` found to differ and what follows from that.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from infograph.execution.guarded_embedder import ended, load_guarded
from infograph.execution.memory import give_back
from infograph.pipeline.chunk_names import NamedChunks
from infograph.pipeline.crew import Crew
from infograph.pipeline.graphed import Graphed
from infograph.pipeline.held import Held
from infograph.pipeline.keys import strategy_key
from infograph.pipeline.memory import records
from infograph.pipeline.memory.state import RecordsLost
from infograph.pipeline.memory.topics import TopicGraph, load_graph, pack_graph
from infograph.pipeline.spread_embedder import spread
from infograph.pipeline.staging import Output, Stage, Staged
from infograph.pipeline.steps.cut import cut_documents, gather_documents, readable_texts, texts_of, worker_setup
from infograph.pipeline.steps.embed import embed_documents
from infograph.pipeline.steps.publish import Draft, publish
from infograph.pipeline.steps.root_files import root_files
from infograph.pipeline.steps.search import Bundler, with_manifests
from infograph.pipeline.steps.topic_tree import RootVersions, make_tables, pack_topics, write_pages
from infograph.pipeline.summary import Summary
from infograph.pipeline.topic_graph import summaries
from infograph.pipeline.worker.pages import search_model
from infograph.pipeline.worker.topic_files import Manner, TopicFiles
from infograph.text.language import check_language

if TYPE_CHECKING:
    from infograph.embedding.base import Embedder
    from infograph.embedding.vectors import Counts
    from infograph.execution.pool import Pool
    from infograph.model import LinkedPages
    from infograph.pipeline.context import BuildContext
    from infograph.pipeline.steps.publish import Published
    from infograph.pipeline.worker.bundle_tasks import Searched
    from infograph.pipeline.worker.tasks import Result


def run(context: BuildContext, pool: Pool) -> Summary:
    """Takes the steps of a build. Raises ConfigError, ModelError, OutputError, and RecordsLost where the last build did
    not remember what is needed of it.

    pool: workers that have not been told yet what to do; closed as soon as the steps need them no more
    """
    settings, dry = context.settings, context.check
    check_language(settings.config.keywords.language)
    output = Output(settings.out)
    stage = Stage(settings.out, "main", output.build, dry=dry)
    embedder = load_guarded(settings.config.model, settings.jobs, settings.config.embedding)
    projected = search_model(embedder.name, embedder.revision, settings.config.search.vectors)
    manner = Manner(settings, context.model)
    bundler = Bundler(context, projected, output.build)
    with _staging(output, dry=dry) as held:
        pool.tell(worker_setup(context, pool, output.build, manner, projected, embeds=not embedder.cached))
        with ThreadPoolExecutor(1) as beside:
            _recall(context, bundler, beside)
            results = _cut(context, pool, output, held)
            members = gather_documents(context, results, held)
            vectors = _embed(context, embedder, pool, projected, results, held)
            # While the workers make the files of topics this process would only wait.
            searching = beside.submit(bundler.update, list(results), held)
            graph = load_graph(settings.memory) if context.last is not None else TopicGraph()
            before = summaries(graph)
            crew = _crew(context, pool, manner, output)
            tables = make_tables(context, graph, crew, members, held)
            graphing = beside.submit(_make_graph, context, graph, results, lambda: searching.result().linked_pages())
            naming = beside.submit(_with_graph, context, searching, graphing)
            now = summaries(graph)
            pages = write_pages(context, graph, crew, tables, (before, now), _versions_of(context, naming, graphing))
            root = root_files(settings, graph, now, partial(readable_texts, settings, dry=dry))
            staged = [*_of_documents(results), *tables.staged, *pages.staged, *stage.put_all(root)]
            packed_graph, chunks = _while_bundled(context, output, pool, graph, results, () if dry else staged)
            packed = pack_topics(context, graph, tables, held)
            searched, graphed = naming.result(), graphing.result()
            staged += stage.put_all(searched.files) + stage.put_all(graphed.files)
        draft = Draft(
            results=results,
            graph=graph,
            chunks=chunks,
            outputs=pages.outputs,
            root=root.keys(),
            shards=searched.shards,
            manifests=searched.manifests,
            dropped=graphed.dropped.union(searched.dropped),
            graph_files=graphed.names,
            staged=staged,
            tabulated=tables.members.keys(),
            tables_read={**tables.readings.stamps, **graphed.read},
            table_faults=(tables.notices(), tables.readings.errors),
            packed=packed,
            packed_graph=packed_graph,
            bundled=searched.made,
            graphed=graphed.made,
        )
        published = publish(context, output, draft)
    written = 0 if dry else stage.written + sum(result.written for result in results.values())
    return _summary(context, draft, vectors, published, written + tables.written + pages.written)


def _cut(context: BuildContext, pool: Pool, output: Output, held: Held) -> dict[str, Result]:
    """Cuts the documents that differ, and has the system begin to write their files to the disk."""
    results = cut_documents(context, pool, held)
    output.flush(0 if context.check else sum(len(result.staged) for result in results.values()))
    return results


def _embed(
    context: BuildContext, embedder: Embedder, pool: Pool, projected: str, results: Mapping[str, Result], held: Held
) -> Counts:
    """Embeds what is new, on other machines, too, where there are some, and frees what only documents needed."""
    with ended(embedder):
        counts = embed_documents(context, spread(embedder, pool, context.settings.config), projected, results, held)
    _make_room(held, pool)
    return counts


@contextmanager
def _staging(output: Output, *, dry: bool) -> Iterator[Held]:
    """Opens the staging folder, where what is held of documents lies, too, and removes it at the end; meanwhile the
    collector of cycles rests."""
    if not dry:
        output.open_stage()
    collecting = gc.isenabled()
    # A build makes millions of objects that live to its end and hardly a cycle: looking for some among them again and
    # again takes a third of the time.
    gc.disable()
    try:
        yield Held(None if dry else output.staging)
    finally:
        if collecting:
            gc.enable()
        if not dry:
            output.close_stage()


def _recall(context: BuildContext, bundler: Bundler, beside: ThreadPoolExecutor) -> None:
    """Begins to read what the last build remembered of the search bundle, where that is done here. Raises RecordsLost
    where what it remembered is of several builds, ConfigError for a strategy that does not exist."""
    plan, searched = context.plan, context.settings.config.search.enabled
    if context.last is None:
        strategy_key(context.settings.config)  # a wrong one is an error before anything begins
        return
    if records.heads(context.settings.memory, searched=searched) != context.last.heads:
        raise RecordsLost("a file of another build")
    if searched and (plan.process or plan.removed):
        beside.submit(bundler.recall)  # `update` says what is wrong with it


def _make_room(held: Held, pool: Pool) -> None:
    """Gives the system what the documents of a large build have left behind: here, and in its workers. Those end, as
    what they have freed lies between what they hold; others begin when there is something to do."""
    if held.spills:
        if not pool.elsewhere:
            pool.close()
        give_back()


def _crew(context: BuildContext, pool: Pool, manner: Manner, output: Output) -> Crew:
    """Returns what makes the files of topics: the workers, or this process."""
    settings = context.settings
    stage = Stage(settings.out, "topics", output.build, context.check)
    here = TopicFiles(manner, stage, partial(texts_of, settings))
    return Crew(here, pool, beside=settings.jobs > 1 and settings.config.search.enabled)


def _of_documents(results: Mapping[str, Result]) -> Iterator[Staged]:
    return (item for result in results.values() for item in result.staged)


def _while_bundled(
    context: BuildContext,
    output: Output,
    pool: Pool,
    graph: TopicGraph,
    results: Mapping[str, Result],
    staged: Sequence[Staged],
) -> tuple[bytes, NamedChunks]:
    """Does what need not wait for the search bundle, which takes a while yet: ends the workers, a fifth of the memory
    each, makes staged bytes durable, and returns the packed graph and the chunk files that belong to the tree."""
    pool.close()
    output.secure(staged)
    packed = context.settings.packed
    return pack_graph(graph), NamedChunks.of(context.last, context.found.documents, results, packed=packed)


def _make_graph(
    context: BuildContext, topics: TopicGraph, results: Mapping[str, Result], linked: Callable[[], LinkedPages | None]
) -> Graphed:
    """Returns what differs of the graph, see `make_graph`; nothing where it is off."""
    config = context.settings.config
    if config.graph.entities == "off" or not config.search.enabled:
        return Graphed()
    from infograph.pipeline.steps.graph import make_graph  # few trees have one

    return make_graph(context, topics, results, linked)


def _with_graph(context: BuildContext, searching: Future[Searched], graphing: Future[Graphed]) -> Searched:
    """Waits for the search bundle and the graph, and returns the bundle that leads to the graph."""
    graphed = graphing.result()
    return with_manifests(context, searching.result(), graphed.manifest, graphed.files)


def _versions_of(
    context: BuildContext, naming: Future[Searched], graphing: Future[Graphed]
) -> Callable[[], RootVersions]:
    """Returns what waits for the search bundle and the graph, and returns their versions."""

    def versions() -> RootVersions:
        searched, graphed = naming.result(), graphing.result()
        known = context.last.outputs if context.last else {}
        changed = graphed.made or not known.keys() >= set(searched.manifests)
        return RootVersions(searched.version, graphed.version, changed)

    return versions


def _summary(context: BuildContext, draft: Draft, vectors: Counts, published: Published, written: int) -> Summary:
    """Returns what a person should hear of the build.

    written: bytes
    """
    chunks = sum(record.chunks for record in draft.graph.topics.values())
    cut = sum(result.chunks for result in draft.results.values() if result.sha256)
    summary = Summary(
        topics=len(draft.graph.topics),
        chunks=chunks,
        embedded=vectors.embedded,
        cached=vectors.cached + chunks - cut,
        shared=vectors.shared,
        written=published.written,
        removed=published.removed,
        bytes=written,
        stale=published.stale,
    )
    summary.report(context.settings, context.found, published.problems)
    return summary
