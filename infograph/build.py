"""The whole pipeline: a tree of Markdown in, an information graph of plain files out.

    discover ─▶ plan ─▶ cut ─▶ embed ─▶ tabulate ─▶ write ─▶ publish ─▶ remember (─▶ upload)

A build does only what differs from the last one, and what it leaves is equal, byte for byte, to what a
build from nothing would leave.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from infograph.config.origins import naming_origins
from infograph.config.places import refuse_store
from infograph.config.settings import Settings
from infograph.errors import InfographError, OutputError
from infograph.files.disk import read_file, refuse_links, write_private
from infograph.formats.names import OUTPUT_MARK, PRIVATE
from infograph.pipeline.context import BuildContext
from infograph.pipeline.keys import build_key
from infograph.pipeline.memory.state import BUNDLE, RecordsLost, State, load_state, save_state
from infograph.pipeline.plan import Plan, find_documents, make_plan, refuse_documents_in_out
from infograph.pipeline.staging import Output
from infograph.pipeline.summary import Problems, Summary, lacking, outlived, problems
from infograph.pipeline.versions import converting
from infograph.progress import Reporter, Silent, amount
from infograph.source.discovery import Discovery

if TYPE_CHECKING:
    from infograph.execution.pool import Pool
    from infograph.execution.spare import SpareWorker
    from infograph.publishing.store import Store
    from infograph.search.writing.bundle_state import SearchState
    from infograph.search.writing.kept_state import KeptState

_SAVE_SECONDS = 0.1
"""Seconds before a document that vanished is looked for a second time."""


@naming_origins
def build(
    settings: Settings,
    reporter: Reporter | None = None,
    *,
    check: bool = False,
    force: bool = False,
    patience: float = math.inf,
    spare: SpareWorker | None = None,
    kept: KeptState | None = None,
) -> Summary:
    """Builds a tree, doing only what changed since the last build.

    check: write nothing; say in `Summary.stale` what a build from nothing would write or remove
    force: trust nothing but the sources: do everything again, and compare each output with what stands there
    patience: most seconds that the model may take by its own estimate
    spare: keeps a worker from one build to the next
    kept: keeps the state of the search bundle likewise

    Raises ConfigError, ModelError, OutputError (nothing is published then), and SlowModel where the model would take
    longer than `patience`. What is wrong with one document is in `Summary.errors`; the others are built.
    """
    from infograph.embedding import identify  # 10 ms, which `infograph --help` spares

    started = time.monotonic()
    if check:
        refuse_store(settings, "build --check")
    refuse_documents_in_out(settings)
    reporter = reporter or Silent()
    model = "@".join(identify(settings.config.model, settings.config.embedding))
    key = build_key(settings, model)
    if spare is not None:
        spare.serve(key)
    with contextlib.nullcontext() if check else _locked(settings, reporter):
        store = _opened(settings)
        last = None if check or force else load_state(settings.memory, key)
        found, plan, last = _look(settings, last)
        context = BuildContext(settings, reporter, model, key, found, plan, last, check, spare, kept, patience)
        if not found.documents:  # a slip in a pattern must not wipe what is published
            summary = _summary(context, Problems())
        elif last is not None and plan.idle:
            summary = _idle(context, last)
        else:
            summary = _work(context)
        if store is not None and found.documents:
            _upload(settings, store, reporter, force=force)
    summary.seconds = time.monotonic() - started
    return summary


def _opened(settings: Settings) -> Store | None:
    """Returns the object store that the settings name, if they do, once it answered. Raises OutputError."""
    if settings.store is None:
        return None
    from infograph.publishing.store import Store  # few builds go to a store

    store = Store(settings.store)
    store.reach()
    return store


def _upload(settings: Settings, store: Store, reporter: Reporter, *, force: bool) -> None:
    """Publishes the output tree to an object store. Raises OutputError and LockedError."""
    from infograph.publishing.upload import Upload, upload

    changes = upload(Upload(settings.out, store, settings.memory, reporter, force))
    if changes.idle:
        return
    sent, removed = amount(len(changes.sent), "file"), f"{len(changes.expired):,} removed"
    reporter.say(f"{settings.store}: {sent} sent, {removed}; {len(changes.after.files):,} stand")


@contextlib.contextmanager
def _locked(settings: Settings, reporter: Reporter) -> Iterator[None]:
    """Holds the lock of the output tree, and marks a folder of outputs as one. Raises OutputError."""
    with Output(settings.out).locked(on_wait=reporter.say):
        if not settings.in_place:
            write_private(settings.out, OUTPUT_MARK, b"")
            if settings.memory.parent.name == PRIVATE:
                refuse_links(settings.memory.parents[1], f"{PRIVATE}/{settings.memory.name}")
        yield


def _look(settings: Settings, last: State | None) -> tuple[Discovery, Plan, State | None]:
    """Lists the documents, and returns them with what differs from the last build, and that build: None where it is of
    no use."""
    listed = last.listed if last is not None else None
    found = find_documents(settings, listed)
    if last is not None and last.converters != converting(found.documents):
        last = None
    plan = make_plan(settings, found, last)
    if plan.search:
        last, plan = None, make_plan(settings, found, None)
    if plan.removed:  # or an editor is in the middle of a save: the old file renamed away, the new one not there
        time.sleep(_SAVE_SECONDS)
        found = find_documents(settings, listed)
        plan = make_plan(settings, found, last)
    return found, plan, last


def _idle(context: BuildContext, last: State) -> Summary:
    """Sums up a tree in which nothing changed; renews the stamps of files that were only touched."""
    settings, found, plan = context.settings, context.found, context.plan
    listed, last.listed = last.listed, dict(found.listed)
    if plan.touched:
        last.sources |= plan.touched
        save_state(settings.memory, last)
    elif listed != last.listed:
        with contextlib.suppress(OutputError):  # it only spares the next build a look
            save_state(settings.memory, last)
    known = problems(last, found.documents, {}, ())
    known.notices += outlived(last.outputs, found.documents)
    known.notices += lacking(settings, last.unenriched, last.enriched, last.chunks)
    return _summary(context, known, last)


def _summary(context: BuildContext, known: Problems, last: State | None = None) -> Summary:
    """Sums up a build that had nothing to do.

    last: whose topics and chunks still stand
    """
    summary = Summary(topics=last.topics, chunks=last.chunks, cached=last.chunks) if last else Summary()
    summary.report(context.settings, context.found, known)
    return summary


def _work(context: BuildContext) -> Summary:
    """Builds what differs from the last build; everything, where that one did not remember what is needed of it."""
    with contextlib.suppress(RecordsLost):
        return _run(context)
    return _run(replace(context, plan=make_plan(context.settings, context.found, None), last=None))


def _run(context: BuildContext) -> Summary:
    # Here and no earlier: what the steps import costs more time than finding out that there is nothing to do. The
    # workers first, which take as long to start; but where they are copies of this process it is done once for all.
    from infograph.execution.one_thread import import_numpy
    from infograph.pipeline.steps.cut import pool_for

    with pool_for(context.settings, len(context.plan.process), context.reporter.say, context.spare) as pool:
        if context.plan.process:
            several = pool.jobs > 1
            first = None if several else partial(_load_worker, context.settings)
            pool.start(partial(_preload, context.settings, whole=several), first)
        with _bundle_process(context, pool) as process:
            import_numpy()
            with _read_ahead(replace(context, bundle_process=process)) as early:
                from infograph.pipeline.run import run

                return run(replace(context, bundle_process=process, early=early), pool)


@contextlib.contextmanager
def _bundle_process(context: BuildContext, pool: Pool) -> Iterator[Pool | None]:
    """Starts a process that brings the search bundle up to date, where that is most of the work: few documents differ
    from the last build. Yields None where there is no search, one job, or no copy of this process can be made; a watch
    has the last bundle in memory.

    pool: cuts the documents
    """
    settings, plan = context.settings, context.plan
    wanted = settings.config.search.enabled and settings.jobs > 1 and context.kept is None
    if context.last is None or not (wanted and plan.process and pool.jobs == 1 and pool.forks):
        yield None
        return
    from infograph.execution.pool import Pool
    from infograph.pipeline.worker.bundle_tasks import BUNDLER

    with Pool(BUNDLER, None, 1, math.inf, say=context.reporter.say) as process:
        process.start(first=partial(_load_bundler, settings))
        yield process


def _load_bundler(settings: Settings) -> None:
    """Imports what the process for the search bundle needs, in that process, and reads what the last build left."""
    from infograph.pipeline.worker.bundler import read_ahead

    read_ahead(settings.memory)


@contextlib.contextmanager
def _read_ahead(context: BuildContext) -> Iterator[Callable[[], SearchState | None] | None]:
    """Begins to read what the last build remembered of the search bundle, while what the steps need is imported; where
    it is needed and not kept. Yields `BuildContext.early`: what gives it out once, so that it can be freed."""
    plan, memory = context.plan, context.settings.memory
    wanted = context.settings.config.search.enabled and (plan.process or plan.removed)
    if context.last is None or context.kept is not None or context.bundle_process is not None or not wanted:
        yield None
        return
    from concurrent.futures import ThreadPoolExecutor

    from infograph.search.writing.bundle_state import unpack_state

    with ThreadPoolExecutor(1) as reader:
        reading = [reader.submit(lambda: unpack_state(read_file(memory / BUNDLE) or b""))]
        yield lambda: reading.pop().result()


def _load_worker(settings: Settings) -> None:
    """Loads all that a worker needs, in the worker."""
    from infograph.pipeline.worker.worker import preload

    with contextlib.suppress(InfographError):  # which its first task raises again, and then somebody is told
        preload(settings.config)


def _preload(settings: Settings, *, whole: bool) -> None:
    """Loads what workers need that are copies of this process: `whole`, or, where a single one loads the rest while
    this process loads other things, what both need."""
    # Where workers are interpreters of their own, this process does without.
    from infograph.execution.one_thread import import_numpy

    import_numpy()
    if whole:
        from infograph.pipeline.worker.worker import preload

        preload(settings.config)
    else:
        from infograph.pipeline.worker import topic_files  # noqa: F401

        if settings.config.search.enabled:
            from infograph.pipeline.worker import pages  # noqa: F401
