"""The embedding step of a build: vectors of every new text, and what follows from them in a document and a topic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from infograph.config.settings import Settings
from infograph.embedding.vectors import Counts, Texts, Vectors
from infograph.formats.names import topic_of
from infograph.pipeline.memory.records import DocumentRecord
from infograph.pipeline.steps.cut import strategy_key
from infograph.pipeline.steps.topic_tree import match
from infograph.pipeline.worker.documents import compare
from infograph.progress import Reporter, amount

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.embedding.base import Embedder


def embed(
    settings: Settings,
    reporter: Reporter,
    embedder: Embedder,
    cut: Sequence[tuple[DocumentRecord, list[str]]],
    earlier: Mapping[str, str],
    *,
    remember: bool,
    found: Callable[[str, NDArray[np.float32]], None] | None = None,
) -> Counts:
    """Vectors of every new text, and what follows from them within a document and a topic.

    cut:      documents with the texts of their chunks; their records are filled in
    earlier:  path to the file hash of the last build
    remember: write the embedding cache
    found:    told the path of each document and its vectors
    """
    files = [Texts(record.sha256, texts, earlier.get(record.path), record.size) for record, texts in cut]
    vectors = Vectors(embedder, settings.cache, strategy_key(settings.config), remember=remember)
    missing = vectors.plan(files)
    speed = embedder.chunks_per_second
    if speed and missing / speed > 60:
        reporter.say(
            f"Embedding {missing:,} texts with {embedder.name} will take about "
            f"{amount(round(missing / speed / 60), 'minute')}; each is embedded once and remembered. "
            "`--model static` takes seconds."
        )
    questioned = {topic_of(record.path) for record, _ in cut if record.questions}
    kept: list[tuple[DocumentRecord, NDArray[np.float32]]] = []
    with reporter.phase("embed", amount(missing, "text")) as advance:
        for position, matrix in vectors.run(files, advance):
            record = cut[position][0]
            compare(record, matrix)
            if found is not None:
                found(record.path, matrix)
            if topic_of(record.path) in questioned:
                kept.append((record, matrix))
    ask(settings, embedder, kept, remember=remember)
    if vectors.failure:
        reporter.say(f"warning: the embedding cache is not kept: {vectors.failure}")
    return vectors.counts


def ask(
    settings: Settings,
    embedder: Embedder,
    found: Sequence[tuple[DocumentRecord, NDArray[np.float32]]],
    *,
    remember: bool,
) -> None:
    """Gives the questions of topics to the chunks that answer them.

    found: every document of the topics that ask something, with its vectors
    """
    asked = Vectors(embedder, settings.cache, "questions", remember=remember)
    topics: dict[str, list[tuple[DocumentRecord, NDArray[np.float32]]]] = {}
    for record, matrix in found:
        topics.setdefault(topic_of(record.path), []).append((record, matrix))
    for _, rows in sorted(topics.items()):
        match([record for record, _ in rows], [matrix for _, matrix in rows], asked, settings.config)
