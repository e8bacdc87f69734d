"""Documents cut in worker processes: the side of the process that asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from infograph import embedding
from infograph.config.settings import Config, Settings
from infograph.errors import ConfigError, DocumentError, ModelError, OutputError
from infograph.pipeline.worker.tasks import CUTTING_MODEL, Result, Setup
from infograph.pipeline.worker.worker import Worker

if TYPE_CHECKING:
    from infograph.execution.processes import Pool

_TOGETHER = 16
"""Files of one name that one worker takes in a row at most: an `index.md` in every folder shares no text."""


def setup_of(settings: Settings, build: str, *, dry: bool = False) -> Setup:
    """What a worker needs to know of the settings and of the build it works for, see `Output.build`."""
    config = settings.config
    return Setup(
        root=settings.root,
        out=settings.out,
        strategy=config.strategy,
        routes=config.routes,
        options=config.strategies,
        chunks=config.chunks,
        source_version=settings.source_version,
        limit_bytes=config.limits.bytes,
        limit_blocks=config.limits.blocks,
        language=config.keywords.language,
        technical_baseline=config.index.technical_baseline,
        build=build,
        dry=dry,
    )


def cut(settings: Settings, paths: Sequence[str], build: str) -> Iterator[Result]:
    """Cuts documents in worker processes of their own, for a build as `Output.build` names it; of a document
    the chunk files are made, and nothing else."""

    with pool_for(settings, len(paths)) as pool:
        pool.tell(replace(setup_of(settings, build), files_only=True))
        yield from cut_in(pool, settings, paths)


def cut_in(pool: Pool, settings: Settings, paths: Sequence[str]) -> Iterator[Result]:
    """Cuts documents, in the order of completion. A document that takes too long, or takes its worker down, is a
    result with an error like any other. Raises what is not a document's fault: ConfigError, ModelError, OutputError."""
    from infograph.execution.processes import Died

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
    """Positions of files that probably share text, as the versions of one page do, for one worker each: it
    remembers what it worked out for a text while it stays among files of one name."""
    groups: dict[str, list[int]] = {}
    for position, path in enumerate(paths):
        groups.setdefault(path.rpartition("/")[2], []).append(position)
    return [group[at : at + _TOGETHER] for group in groups.values() for at in range(0, len(group), _TOGETHER)]


def strategy_key(config: Config) -> str:
    """What the chunking depends on, as it stands in the cache's path and in `topic-spec.md`."""
    from infograph.chunking.context import ChunkContext
    from infograph.chunking.registry import cache_key
    from infograph.chunking.routing import Router
    from infograph.chunking.tokens import WordPieceCounter

    router = Router(config.strategy, config.routes, config.strategies)
    embedder = embedding.identify(CUTTING_MODEL) if router.embeds else None
    return cache_key(router, WordPieceCounter(), embedder) + ChunkContext(**asdict(config.chunks)).key


def texts_of(settings: Settings, path: str) -> Iterable[str]:
    """The texts of one document's chunks, cut here and now."""
    return _local(setup_of(settings, "", dry=True)).texts(path)


@lru_cache(maxsize=1)
def _local(setup: Setup) -> Worker:
    """A worker in this process: loading its tokenizer costs more than cutting a document."""
    return Worker("local", setup)


def pool_for(settings: Settings, documents: int) -> Pool:
    """Worker processes for so many documents, that must be told yet what they are to do with them."""
    # A worker starts in about a third of a second: more of them only where there is work for each.
    from infograph.execution.processes import Pool

    return Pool(None, min(settings.jobs, 1 + documents // 16), settings.config.limits.seconds)
