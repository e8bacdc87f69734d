"""The step that embeds: vectors of every new text, and what follows from them in a document and a topic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from infograph.embedding.base import batch_of
from infograph.embedding.vectors import Counts, Texts, Vectors
from infograph.execution.guarded_embedder import ModelStuck
from infograph.formats.names import topic_of
from infograph.pipeline.context import LONG, SlowModel
from infograph.pipeline.keys import strategy_key
from infograph.pipeline.memory.records import said_in
from infograph.pipeline.worker.documents import answers_of, compare, different, questions_in
from infograph.pipeline.worker.pages import with_questions, with_vectors
from infograph.progress import Reporter, amount, clock_time
from infograph.search.format.question_hash import simhash, words_of
from infograph.search.format.search_space import FALLBACK
from infograph.search.writing.question_table import pack_questions
from infograph.topic.answered_questions import match_questions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.config.settings import Config, Settings
    from infograph.embedding.base import Embedder
    from infograph.pipeline.context import BuildContext
    from infograph.pipeline.held import Held
    from infograph.pipeline.memory.records import DocumentRecord
    from infograph.pipeline.worker.tasks import Result


class Collected:
    """What is found beside the records: vectors of documents, and the questions that chunks are known to answer.

    vectors: told the path of each document and its vectors, [chunks, dimension]
    """

    def __init__(self, vectors: Callable[[str, NDArray[np.float32]], None] | None = None) -> None:
        self.vectors = vectors
        self._asked: dict[str, list[tuple[str, int, float]]] = {}

    def add(self, document: DocumentRecord, index: int, question: str, cosine: float) -> None:
        """Adds a question that a chunk of a document answers."""
        self._asked.setdefault(document.path, []).append((question, index, cosine))

    def of(self, document: DocumentRecord) -> Iterator[tuple[str, int, float]]:
        """Yields the questions of a document's chunks: text, chunk, cosine. The chunk that holds a question, and the
        one that a language model wrote it of, have the cosine 1."""
        yield from self._asked.get(document.path, ())
        yield from answers_of(questions_in(said) for said, _ in said_in(document))

    def paths(self) -> list[str]:
        """Returns the paths of the documents that questions were added of."""
        return list(self._asked)


def embed_documents(
    context: BuildContext, embedder: Embedder, search_model: str, results: Mapping[str, Result], held: Held
) -> Counts:
    """Embeds what the workers have not embedded, and returns where the vectors came from. Fills in the records of what
    was cut, and the pages where search goes by this model's vectors."""
    made = [result for result in results.values() if result.sha256]
    collected = Collected()
    counts = _embedded(context, embedder, search_model, made, held, collected)
    language = context.settings.config.keywords.language
    for path in collected.paths():
        if path in held.pages:  # others have what the worker has packed
            held.pages[path] = with_questions(held.pages[path], collected.of(held.records[path]), language)
    return counts


def packed_questions(record: DocumentRecord, collected: Collected, language: str) -> bytes:
    """Returns `PageIndex.questions` of a document."""
    return pack_questions(collected.of(record), words_of(language))


def _embedded(
    context: BuildContext,
    embedder: Embedder,
    search_model: str,
    made: Sequence[Result],
    held: Held,
    collected: Collected,
) -> Counts:
    records, pages = held.records, held.pages
    if not embedder.cached:
        texts, embedded = different(result.digests for result in made)
        for result in made:
            result.digests = b""
        found = [(records[result.path], result.vectors) for result in made if result.vectors is not None]
        ask(context.settings, embedder, found, collected, remember=False)
        records.update({record.path: record for record, _ in found})
        return Counts(embedded=embedded, shared=texts - embedded)
    if not made:
        return Counts()

    def project(path: str, matrix: NDArray[np.float32]) -> None:
        if path in pages and search_model != FALLBACK:  # whose vectors the workers have put there
            pages[path] = with_vectors(pages[path], search_model, matrix)

    cut = [(records[result.path], result.embed_texts) for result in made]
    earlier = context.last.hashes if context.last else {}
    collected.vectors = project
    work = plan_work(context.settings, embedder, cut, earlier, remember=not context.check)
    _refuse_slow(work, context.patience)
    counts = embed(context.settings, context.reporter, work, collected)
    records.update({record.path: record for record, _ in cut})
    return counts


@dataclass(frozen=True, slots=True)
class EmbedWork:
    """What there is to embed of some documents, see `plan_work`."""

    cut: Sequence[tuple[DocumentRecord, list[str]]]
    """Documents with the texts of their chunks."""
    files: Sequence[Texts]
    """The texts of each document, as the cache has them."""
    vectors: Vectors
    missing: int
    """Number of distinct texts that the cache does not have."""
    seconds: float
    """How long these will take, where that is long and can be told; else 0."""
    remember: bool
    """Whether the embedding cache is written."""


def plan_work(
    settings: Settings,
    embedder: Embedder,
    cut: Sequence[tuple[DocumentRecord, list[str]]],
    earlier: Mapping[str, str],
    *,
    remember: bool,
) -> EmbedWork:
    """Looks up in the cache what is known of some documents, and returns what there is to embed.

    cut:      documents with the texts of their chunks
    earlier:  path to the file hash of the last build
    remember: write the embedding cache
    """
    files = [Texts(record.sha256, texts, earlier.get(record.path), record.size) for record, texts in cut]
    vectors = Vectors(embedder, settings.cache, strategy_key(settings.config), remember=remember)
    missing = vectors.plan(files)
    seconds = (embedder.seconds_for(vectors.missing(files)) or 0.0) if missing else 0.0
    return EmbedWork(cut, files, vectors, missing, seconds, remember)


def embed(settings: Settings, reporter: Reporter, work: EmbedWork, collected: Collected | None = None) -> Counts:
    """Embeds every new text, fills in the records with what follows from the vectors, and returns where these came
    from.

    collected: takes what is found beside the records
    """
    collected = collected or Collected()
    vectors, embedder = work.vectors, work.vectors.embedder
    if work.seconds > LONG:
        reporter.say(
            f"Embedding {work.missing:,} texts with {embedder.name} will take about {clock_time(work.seconds)}; each "
            "is embedded once and remembered. `--model static` takes seconds."
        )
    questioned = {topic_of(record.path) for record, _ in work.cut if record.questions}
    kept: list[tuple[DocumentRecord, NDArray[np.float32]]] = []
    with reporter.phase("embed", amount(work.missing, "text")) as advance, _naming(work.cut):
        for position, matrix in vectors.run(work.files, advance):
            record = work.cut[position][0]
            compare(record, matrix)
            if collected.vectors is not None:
                collected.vectors(record.path, matrix)
            if topic_of(record.path) in questioned:
                kept.append((record, matrix))
    ask(settings, embedder, kept, collected, remember=work.remember)
    if vectors.failure:
        reporter.say(f"warning: the embedding cache is not kept: {vectors.failure}")
    return vectors.counts


@contextmanager
def _naming(cut: Sequence[tuple[DocumentRecord, list[str]]]) -> Iterator[None]:
    """Names the documents where the model hangs or dies."""
    try:
        yield
    except ModelStuck as error:
        raise error.naming({record.path: texts for record, texts in cut}) from error


def _refuse_slow(work: EmbedWork, patience: float) -> None:
    """Raises SlowModel where the model would take longer than some seconds, and what it embeds is kept."""
    if work.seconds > patience and work.remember and batch_of(work.vectors.embedder) == 1:
        files = [file for file, some in zip(work.files, work.vectors.incomplete(work.files), strict=True) if some]
        raise SlowModel(work.missing, work.seconds, files)


def ask(
    settings: Settings,
    embedder: Embedder,
    found: Sequence[tuple[DocumentRecord, NDArray[np.float32]]],
    collected: Collected,
    *,
    remember: bool,
) -> None:
    """Gives the questions of topics to the chunks that answer them.

    found:    every document of the topics that ask something, with its vectors
    collected: takes the questions
    remember: write the embedding cache
    """
    asked = Vectors(embedder, settings.cache, "questions", remember=remember)
    topics: dict[str, list[tuple[DocumentRecord, NDArray[np.float32]]]] = {}
    for record, matrix in found:
        topics.setdefault(topic_of(record.path), []).append((record, matrix))
    for _, rows in sorted(topics.items()):
        match([record for record, _ in rows], [matrix for _, matrix in rows], asked, settings.config, collected)


def match(
    documents: Sequence[DocumentRecord],
    vectors: Sequence[NDArray[np.float32]],
    asked: Vectors,
    config: Config,
    collected: Collected,
) -> None:
    """Gives each question of a topic to the chunks that answer it best.

    The page that asks has chunks too. They hold the question word for word, so they are matched apart: else
    they would take the places of the chunks that say more.
    """
    import numpy as np

    asking = next((document for document in documents if document.questions), None)
    if asking is None:
        return
    words = words_of(config.keywords.language)
    held = dict(asking.questions)
    hashes = {question: simhash(question, words) for question in held}
    said = [question for question, value in hashes.items() if value]  # one without a letter or a digit says nothing
    questions = asked.of_questions(asking.sha256, said)
    for question in said:
        collected.add(asking, held[question], question, 1.0)
    for group in (True, False):
        chosen = [(d, v) for d, v in zip(documents, vectors, strict=True) if (d is asking) == group and d.chunks]
        if not chosen:
            continue
        places = [(document, index) for document, _ in chosen for index in range(len(document.chunks))]
        prompts: list[set[int]] = [set() for _ in places]
        matrix = np.concatenate([found for _, found in chosen])
        limit = config.prompts.per_question
        matched = match_questions(matrix, questions, config.prompts.threshold, limit)
        for question, chunks in zip(said, matched, strict=True):
            for place, cosine in chunks:
                prompts[place].add(hashes[question])
                collected.add(*places[place], question, cosine)
        for (document, index), own in zip(places, prompts, strict=True):
            document.chunks[index].prompts = sorted(own)
