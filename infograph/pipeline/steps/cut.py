"""The step that cuts documents: in worker processes, whose results it collects."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from infograph.config.inputs import conversion_options
from infograph.errors import LEFT_OUT, ConfigError, DocumentError, ModelError, OutputError
from infograph.formats.names import STAGING, is_questions, topic_of
from infograph.formats.search_fields import parse_fields
from infograph.model import placed
from infograph.pipeline.held import Held, Members
from infograph.pipeline.memory import records
from infograph.pipeline.memory.state import RecordsLost
from infograph.pipeline.versions import CONVERTING, installed
from infograph.pipeline.worker import WORKER
from infograph.pipeline.worker.elsewhere import COMPUTING, Elsewhere
from infograph.pipeline.worker.tasks import Result, Setup
from infograph.progress import amount
from infograph.source.repository import repository_of

if TYPE_CHECKING:
    from pathlib import Path

    from infograph.config.settings import Config, Settings
    from infograph.execution.pool import Pool
    from infograph.execution.spare import SpareWorker
    from infograph.pipeline.context import BuildContext
    from infograph.pipeline.worker.cutter import Cutter
    from infograph.pipeline.worker.topic_files import Manner

_TOGETHER = 16
"""Files of one name that one worker takes in a row at most: an `index.md` in every folder shares no text."""


@contextmanager
def pool_for(
    settings: Settings, documents: int, say: Callable[[str], None], spare: SpareWorker | None = None
) -> Iterator[Pool]:
    """Opens worker processes for a number of documents, on this machine or on those of a Ray cluster; `Pool.tell` says
    later what they are to do with them. Raises ConfigError where the cluster cannot be reached.

    say: tells a person of workers that take long to begin
    spare: see `Pool`
    """
    from infograph.execution.pool import Pool

    # A worker that is no copy of this process starts in a third of a second: more only where there is work for each.
    most, seconds = 1 + documents // 16, settings.config.limits.seconds
    if settings.config.ray is None or not documents:
        with Pool(WORKER, None, min(settings.jobs, most), seconds, say=say, spare=spare) as pool:
            yield pool
        return
    from infograph.execution.on_ray import cluster

    with (
        cluster(settings.config.ray) as found,
        Pool(WORKER, None, min(settings.config.jobs or found.processors, most), seconds, found.hire, say) as pool,
    ):
        yield pool


def worker_setup(
    context: BuildContext, pool: Pool, build: str, manner: Manner, search_model: str, *, embeds: bool
) -> Setup:
    """Returns the setup of a build's workers.

    pool:         the workers
    build:        name of the staging folder, see `Output.build`
    manner:       how the files of topics are made
    search_model: whose vectors search goes by
    embeds:       a worker embeds what it cuts, since the model costs less than sending the texts around
    """
    config = context.settings.config
    setup = setup_of(context.settings, build, dry=context.check, enriched=bool(context.plan.enriched))
    if pool.elsewhere:
        setup = replace(setup, elsewhere=_elsewhere(setup, config, context.plan.process))
    if embeds:
        asking = frozenset(topic_of(path) for path in context.plan.process if is_questions(path))
        setup = replace(setup, model=config.model, vectors_of=asking)
    if config.search.enabled:
        setup = replace(setup, search=search_model, site=config.site, entities=config.graph.entities)
    return replace(setup, manner=manner)


def _elsewhere(setup: Setup, config: Config, documents: Sequence[str]) -> Elsewhere:
    """Returns what workers on other machines compare these with."""
    names = {*installed(config), *CONVERTING, *COMPUTING}
    staging = None if setup.dry else f"{setup.out}/{STAGING}/{setup.build}"
    return Elsewhere.here(names, setup.root, documents[:: max(1, len(documents) // _SOURCES)][:_SOURCES], staging)


def cut_documents(context: BuildContext, pool: Pool, held: Held) -> dict[str, Result]:
    """Cuts the documents that differ in worker processes, which write the chunk files to the staging folder. Returns
    the results by path, sorted, without what is held apart; raises as `cut_in` does."""
    paths = context.plan.process
    results: dict[str, Result] = {}
    if paths:
        work = {path: _work(context.settings.root / path) for path in paths}
        total, done = sum(work.values()), 0
        with context.reporter.phase("chunk", amount(len(paths), "document")) as advance:
            for result in cut_in(pool, context.settings, paths):
                hold(result, held)
                results[result.path] = result
                done += work[result.path]
                advance(done / total)
    return dict(sorted(results.items()))


def hold(result: Result, held: Held) -> None:
    """Takes record and page out of a result. Raises OutputError."""
    if result.record is not None:
        result.sha256 = result.record.sha256
        held.records[result.path] = result.record
    if result.page is not None:
        held.pages[result.path] = result.page
    result.record = result.page = None


_SOURCES = 8
"""Documents that show a machine of a cluster to have the same tree."""

_LEAST_WORK = 2_000
"""What reading and writing the files of a document takes, in bytes of text."""


def _work(path: Path) -> int:
    """How much work a document is, for the time left: about its size."""
    try:
        return _LEAST_WORK + path.stat().st_size
    except OSError:  # what reads it says what is wrong
        return _LEAST_WORK


def gather_documents(context: BuildContext, results: dict[str, Result], held: Held) -> dict[str, Members]:
    """Returns the documents of every topic to be made again: those just cut, and the others as the last build
    remembered them, which are held with them. Raises RecordsLost where it did not."""
    memory, topics = context.settings.memory, context.plan.topics
    last = context.last
    without = {row[0] for row in last.errors} if last else set()
    without |= {row[0] for row in last.notices if row[1] == LEFT_OUT} if last else set()
    remembered: dict[str, dict[str, int]] = {}
    chunks: dict[str, dict[str, int]] = {topic: {} for topic in topics}
    for path in context.found.documents:
        topic = topic_of(path)
        if topic not in topics:
            continue
        if path in results:
            if results[path].sha256:
                chunks[topic][path] = results[path].chunks
        elif path not in without:
            if topic not in remembered:
                before = [r for r in records.load_topic(memory, topic).documents if r.path not in results]
                held.records.update({record.path: record for record in before})
                remembered[topic] = {record.path: len(record.chunks) for record in before}
            if path not in remembered[topic]:
                raise RecordsLost(path)
            chunks[topic][path] = remembered[topic][path]
    return {topic: Members(held.records, list(own), sum(own.values())) for topic, own in chunks.items()}


def cut(settings: Settings, paths: Sequence[str], build: str, say: Callable[[str], None]) -> Iterator[Result]:
    """Cuts documents in worker processes of their own, and makes their chunk files and nothing else. Yields results and
    raises as `cut_in` does.

    build: name of the staging folder, see `Output.build`
    say:   as for `pool_for`
    """
    with pool_for(settings, len(paths), say) as pool:
        setup = replace(setup_of(settings, build), files_only=True)
        pool.tell(replace(setup, elsewhere=_elsewhere(setup, settings.config, paths)) if pool.elsewhere else setup)
        yield from cut_in(pool, settings, paths)


def cut_in(pool: Pool, settings: Settings, paths: Sequence[str]) -> Iterator[Result]:
    """Cuts documents and yields results in the order of completion. A document that takes too long, or takes its worker
    down, is a result with an error like any other. Raises what is not a document's fault: ConfigError, ModelError,
    OutputError."""
    from infograph.execution.pool_worker import Died

    seconds = settings.config.limits.seconds
    for position, result in pool.run(paths, _alike(paths)):
        if isinstance(result, Died):
            if result.timed_out:
                reason = f"took longer than {seconds:g} seconds"
                hint = "Split the file, exclude it, or raise `limits.seconds`."
            else:
                reason = f"took its worker process down (status {result.exit_status})"
                hint = "It may need more memory than there is; split the file or exclude it."
            yield Result(paths[position], error=DocumentError(paths[position], reason, hint))
        elif isinstance(result.error, ConfigError | ModelError | OutputError):
            raise result.error
        else:
            yield result


def _alike(paths: Sequence[str]) -> list[list[int]]:
    """Groups the positions of files that probably share text, as the versions of one page do: the worker of a group
    keeps what it worked out for a text while it stays among files of one name."""
    groups: dict[str, list[int]] = {}
    for position, path in enumerate(paths):
        groups.setdefault(placed(path)[1], []).append(position)
    return [group[at : at + _TOGETHER] for group in groups.values() for at in range(0, len(group), _TOGETHER)]


def setup_of(settings: Settings, build: str, *, dry: bool = False, enriched: bool = True) -> Setup:
    """Returns what a worker must know of the settings to cut documents.

    build: name of the staging folder, see `Output.build`
    dry:   write nothing
    enriched: whether there may be records of a language model; each document without them costs a look otherwise
    """
    config = settings.config
    return Setup(
        root=settings.root,
        out=settings.out,
        strategy=config.strategy,
        routes=config.routes,
        options=config.strategies,
        chunks=config.chunks,
        enriched=enriched,
        enrichment=settings.enrichment,
        unverified=config.enrich.unverified,
        search_enriched=config.search.enriched,
        fields=parse_fields(config.search.fields) if config.search.enabled else (),
        created=tuple(settings.created.items()),
        source_version=settings.source_version,
        limit_bytes=config.limits.bytes,
        limit_blocks=config.limits.blocks,
        language=config.keywords.language,
        technical_baseline=config.index.technical_baseline,
        build=build,
        versioned=not settings.in_place,
        markup=config.markup,
        repository=repository_of(settings.root),
        dry=dry,
        conversion=conversion_options(config),
        cache=None if dry else settings.cache,
    )


def texts_of(settings: Settings, path: str) -> Iterable[str]:
    """Cuts one document in this process and returns the texts of its chunks. Raises InfographError."""
    from infograph.pipeline.worker import streaming  # a tokenizer with it, and few builds ask for texts again

    return streaming.texts_of(_cutter(setup_of(settings, "", dry=True)), path)


def readable_texts(settings: Settings, paths: Iterable[str], *, dry: bool = False) -> Iterator[tuple[str, str]]:
    """Yields paths of documents and their texts as a reader sees them, read in this process; a document that was
    damaged or removed since it was cut is left out: the next build finds it changed.

    dry: nothing is written, not even what a conversion keeps
    """
    from infograph.pipeline.worker import streaming  # as above

    cutter = _cutter(setup_of(settings, "", dry=dry))
    for path in paths:
        with contextlib.suppress(DocumentError):
            yield path, streaming.readable_text(cutter, path)


@lru_cache(maxsize=1)
def _cutter(setup: Setup) -> Cutter:
    """Keeps the last cutter: loading its tokenizer costs more than cutting a document."""
    from infograph.pipeline.worker.cutter import Cutter

    return Cutter("local", setup)
