"""The step that embeds: vectors of every new text, and what follows from them in a document and a topic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from infograph.embedding.vectors import Counts, Texts, Vectors
from infograph.formats.names import topic_of
from infograph.pipeline.keys import strategy_key
from infograph.pipeline.worker.documents import compare
from infograph.pipeline.worker.pages import with_vectors
from infograph.progress import Reporter, amount, clock_time
from infograph.topic.answered_questions import match_questions
from infograph.topic.question_hash import simhash

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.config.settings import Config, Settings
    from infograph.embedding.base import Embedder
    from infograph.pipeline.context import BuildContext
    from infograph.pipeline.memory.records import DocumentRecord
    from infograph.pipeline.worker.tasks import Result

_LONG = 60.0
"""Seconds from which on a person is told how long the model will take, before it begins."""


def embed_documents(
    context: BuildContext, embedder: Embedder, search_model: str, results: Mapping[str, Result]
) -> Counts:
    """Embeds what the workers have not embedded, and returns where the vectors came from. Fills in the records of the
    results, and their pages where search goes by this model's vectors."""
    made = [(result, result.record) for result in results.values() if result.record is not None]
    if not embedder.cached:
        digests = [digest for result, _ in made for digest in result.digests]
        embedded = len(set(digests))
        found = [(record, result.vectors) for result, record in made if result.vectors is not None]
        ask(context.settings, embedder, found, remember=False)
        return Counts(embedded=embedded, shared=len(digests) - embedded)
    if not made:
        return Counts()

    def project(path: str, matrix: NDArray[np.float32]) -> None:
        result = results[path]
        if result.page is not None and search_model == embedder.name:
            result.page = with_vectors(result.page, embedder.name, matrix)

    cut = [(record, result.embed_texts) for result, record in made]
    earlier = context.last.hashes if context.last else {}
    remember = not context.check
    return embed(context.settings, context.reporter, embedder, cut, earlier, remember=remember, found=project)


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
    """Embeds every new text, fills in what follows from the vectors, and returns where they came from.

    cut:      documents with the texts of their chunks; their records are filled in
    earlier:  path to the file hash of the last build
    remember: write the embedding cache
    found:    told the path of each document and its vectors, [chunks, dimension]
    """
    files = [Texts(record.sha256, texts, earlier.get(record.path), record.size) for record, texts in cut]
    vectors = Vectors(embedder, settings.cache, strategy_key(settings.config), remember=remember)
    missing = vectors.plan(files)
    seconds = embedder.seconds_for(vectors.missing(files)) or 0.0
    if seconds > _LONG:
        reporter.say(
            f"Embedding {missing:,} texts with {embedder.name} will take about {clock_time(seconds)}; each is embedded "
            "once and remembered. `--model static` takes seconds."
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

    found:    every document of the topics that ask something, with its vectors
    remember: write the embedding cache
    """
    asked = Vectors(embedder, settings.cache, "questions", remember=remember)
    topics: dict[str, list[tuple[DocumentRecord, NDArray[np.float32]]]] = {}
    for record, matrix in found:
        topics.setdefault(topic_of(record.path), []).append((record, matrix))
    for _, rows in sorted(topics.items()):
        match([record for record, _ in rows], [matrix for _, matrix in rows], asked, settings.config)


def match(
    documents: Sequence[DocumentRecord],
    vectors: Sequence[NDArray[np.float32]],
    asked: Vectors,
    config: Config,
) -> None:
    """Gives each question of a topic to the chunks that answer it best.

    The page that asks has chunks too. They hold the question word for word, so they are matched apart: else
    they would take the places of the chunks that say more.
    """
    import numpy as np

    asking = next((document for document in documents if document.questions), None)
    if asking is None:
        return
    by_hash = {simhash(question, config.keywords.language): question for question in asking.questions}
    by_hash.pop(0, None)  # of a question without a letter or a digit, which says nothing
    questions = asked.of_questions(asking.sha256, list(by_hash.values()))
    for group in (True, False):
        chosen = [(d, v) for d, v in zip(documents, vectors, strict=True) if (d is asking) == group and d.chunks]
        if not chosen:
            continue
        rows = [row for document, _ in chosen for row in document.chunks]
        matrix = np.concatenate([found for _, found in chosen])
        limit = config.prompts.per_question
        matched = match_questions(matrix, questions, list(by_hash), config.prompts.threshold, limit)
        for row, prompts in zip(rows, matched, strict=True):
            row.prompts = list(prompts)
