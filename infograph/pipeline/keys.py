"""Keys of outputs: with an equal key, an output would be made in the same way again."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict

from infograph import __version__
from infograph.config.inputs import conversion_options
from infograph.config.settings import Config, Settings
from infograph.pipeline.memory.state import FORMAT
from infograph.pipeline.versions import installed
from infograph.source.repository import repository_of

CUTTING_MODEL = "static"
"""Model for strategies that compare sentences by their vectors: it embeds every sentence, so it must be fast."""


def build_key(settings: Settings, model: str) -> str:
    """Returns the digest of everything but the sources that the outputs depend on.

    model: the embedding model as `name@revision`
    """
    config = asdict(settings.config)
    for name in ("docs", "out", "jobs", "ray", "strict", "silence", "cache", "watch", "serve", "source", "llm"):
        del config[name]
    config["embedding"] = {"batch": config["embedding"]["batch"]}  # the model's revision has what else counts
    config["enrich"] = {name: config["enrich"][name] for name in ("dir", "unverified")}
    config["search"]["fusion"] = asdict(settings.fusion) if settings.fusion else None
    config["search"]["rerank"] = asdict(settings.rerank) if settings.rerank else None
    config["conversion"] = asdict(conversion_options(settings.config))
    config["in_place"] = settings.in_place
    config["repository"] = os.path.relpath(repository_of(settings.root), settings.root)
    config["source_version"] = settings.source_version
    config["created"] = dict(settings.created)
    del config["limits"]["seconds"]
    text = json.dumps([__version__, FORMAT, model, config, installed(settings.config)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def strategy_key(config: Config) -> str:
    """Returns the key of everything that chunking depends on, for the cache's path and `topic-spec.md`."""
    from infograph.chunking.context import (
        ChunkContext,  # 50 ms with the others, and a build with nothing to do asks for none
    )
    from infograph.chunking.registry import cache_key
    from infograph.chunking.routing import Router
    from infograph.chunking.tokens import WordPieceCounter
    from infograph.embedding import identify

    router = Router(config.strategy, config.routes, config.strategies)
    embedder = identify(CUTTING_MODEL) if router.embeds else None
    return cache_key(router, WordPieceCounter(), embedder) + ChunkContext(**config.chunks.context).key
