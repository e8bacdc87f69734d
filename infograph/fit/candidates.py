"""Questions with the chunks that a fusion puts in order: both scores of each, and how much of the answer it holds.

site   the first chunks of the published search by words, each with the cosine: what clients fuse
seed   the union of the best ten by BM25 (`bm25s`) and the best ten by cosine over all chunks, as in section 3.3.3 of
       the specification
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from infograph.config.settings import Settings
from infograph.errors import ConfigError
from infograph.evaluate import retrievers
from infograph.evaluate.bench import Bench, Request
from infograph.evaluate.corpus import Corpus, Cut, corpus_of, hidden, relevant
from infograph.evaluate.coverage import text_of
from infograph.evaluate.dataset import ParsedDocument, at_corpus, find_or_make, question_files, read_documents
from infograph.evaluate.published_search import SiteSearch
from infograph.evaluate.questions import Question
from infograph.fit.targets import best_alpha, common, lss, words_of
from infograph.pipeline.keys import strategy_key
from infograph.progress import Reporter
from infograph.search.format.fusion_model import POOL
from infograph.search.ranking.fusion import FusedHead, all_features, best_of_each

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

SITE, SEED = "site", "seed"
SOURCES = (SITE, SEED)
"""Where candidates may come from."""
KINDS = ("one span", "one page", "several pages")
"""Kinds of questions by the place of their gold spans: single hop, two hops in one file, two hops in several."""
Scored = Callable[[int, Question], Iterable[tuple[int, float, float]]]
"""Returns the units to put in order for the n-th question, each with its score by words and its cosine."""
FIRST_FIVE = 5
"""Chunks among which an answer counts as found."""
_MOST_WORDS = 5_000
"""Most words of an answer that are compared."""


@dataclass(frozen=True, slots=True)
class PlainOutcome:
    """What a search without the question's vector finds."""

    confidence: float
    right: bool
    """Whether one of the first five units holds a whole gold span."""
    reached: int
    """Gold spans that one of the first five units reaches."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """A question with the chunks to put in order, in the order that words alone give."""

    question: str
    kind: str
    """The kind of question, which splits are stratified by."""
    head: FusedHead
    features: tuple[float, ...]
    """The 25 features."""
    alpha: float | None
    """The best weight of the cosine; None where every weight does alike."""
    similar: tuple[float, ...]
    """LSS of each chunk, that of the gold span of which it has most."""
    exact: tuple[bool, ...]
    """Whether a chunk holds a whole gold span."""
    holds: tuple[bool, ...]
    """Whether a chunk holds a part of a gold span."""
    reaches: tuple[frozenset[int], ...]
    """The gold spans of which a chunk holds a part, by number."""
    covers: tuple[float, ...]
    """Share of the answer's words in each chunk, the mean over gold spans."""
    overlaps: tuple[float, ...]
    """Words in common with a gold span, twice, over the words of both; the best gold span's."""
    vector: NDArray[np.float32]
    """The question's vector."""
    plain: PlainOutcome | None = None
    """What the published search finds without the vector."""
    units: tuple[int, ...] = ()
    """Positions of the chunks in the corpus."""


@dataclass(frozen=True, slots=True)
class PromptedChunk:
    """A chunk as a model that ranks is shown it."""

    heading: str
    text: str
    tokens: int
    file: str
    stays: bool
    """Whether its document says that it is never sent to a model."""


@dataclass(frozen=True, slots=True)
class FitData:
    """Everything that predictors are fitted to."""

    rows: tuple[Candidates, ...]
    model: str
    """The model of the cosines, `name@revision`."""
    weight: float
    """Weight of the cosine in the sum that sites have by default."""
    said: str
    """Where the questions come from."""
    shown: tuple[PromptedChunk, ...] = ()
    """All chunks, in the order of the corpus."""


def gather(settings: Settings, questions: Sequence[str], source: str, reporter: Reporter) -> FitData:
    """Returns the candidates of all questions about a tree, cut and embedded as its settings say.

    questions: files of questions; none takes those beside the documents, or makes some
    source:    `SITE` or `SEED`

    Raises ConfigError for a tree without documents or questions, FormatError for a broken file of questions.
    """
    settings = replace(at_corpus(settings), fusion=None, rerank=None)
    files = question_files(settings, questions)
    documents, _ = read_documents(settings, plain=bool(files))
    asked, said = find_or_make(settings, files, documents)
    with closing(Bench(settings, Request(passages=0, parents=False), reporter, documents, asked)) as bench:
        return _gathered(bench, source, said)


def _gathered(bench: Bench, source: str, said: str) -> FitData:
    """Returns the candidates of a bench's questions.

    said: where the questions come from
    """
    settings, documents, asked = bench.settings, bench.documents, bench.asked
    cuts = list(bench.cut(settings.config))
    corpus = corpus_of(cuts, parents=False)
    key = strategy_key(settings.config)
    site, vectors = bench.site(corpus, cuts, key)
    manifest = site.manifest.vectors
    scored = _pooled(bench, corpus, bench.vectors(cuts, key)) if source == SEED else _fused(site, vectors)
    rows = []
    for number, question in enumerate(asked):
        outside = hidden(corpus, question)
        parts = [part for part in scored(number, question) if part[0] not in outside]
        if parts:
            row = candidates(corpus, question, parts, vectors[number])
            rows.append(replace(row, plain=plain_outcome(corpus, question, *site.plain(question.text))))
    if not rows:
        raise ConfigError(str(settings.root), "no question has a word of the documents", "Ask other questions.")
    return FitData(tuple(rows), manifest.model, manifest.weight, said, tuple(_shown(documents, cuts, corpus)))


def _shown(documents: Sequence[ParsedDocument], cuts: Sequence[Cut], corpus: Corpus) -> list[PromptedChunk]:
    """Returns the chunks as a model that ranks is shown them; `cuts` have one text for each."""
    from infograph.source.overview import overview

    found: dict[int, PromptedChunk] = {}
    units = iter(corpus.unit_of)
    for parsed, cut in zip(documents, cuts, strict=True):
        document = parsed.document
        title = overview(document, parsed.blocks)[0]
        for chunk in cut.chunks:
            heading = " › ".join([title, *chunk.section_path])
            found[next(units)] = PromptedChunk(heading, chunk.readable, chunk.tokens, document.path, document.stays)
    return [found[unit] for unit in sorted(found)]


def _fused(site: SiteSearch, vectors: NDArray[np.float32]) -> Scored:
    """Returns the candidates of `SITE`."""
    return lambda number, question: site.parts(question.text, vectors[number].tolist())


def _pooled(bench: Bench, corpus: Corpus, vectors: NDArray[np.float32]) -> Scored:
    """Returns the candidates of `SEED`."""
    import numpy as np

    sparse = retrievers.Bm25(corpus.texts, bench.words)

    def scored(number: int, question: Question) -> Iterator[tuple[int, float, float]]:
        words = retrievers.best_of(corpus, sparse.scores(question.text))
        cosines = retrievers.best_of(corpus, (vectors @ bench.question_vectors[number]).astype(np.float64))
        return pooled(words, cosines)

    return scored


def pooled(words: Matrix, cosines: Matrix) -> Iterator[tuple[int, float, float]]:
    """Yields the union of the best ten units by either score, best first by words, each with both scores.

    words:   BM25 of every unit; 0 or less where it has no word of the question
    cosines: cosine of every unit
    """
    import numpy as np

    words = np.maximum(words, 0.0)
    first = np.argsort(-words, kind="stable")[:POOL].tolist()
    pool = dict.fromkeys(unit for unit in first if words[unit] > 0)
    pool |= dict.fromkeys(np.argsort(-cosines, kind="stable")[:POOL].tolist())
    for unit in sorted(pool, key=lambda unit: -words[unit]):
        yield unit, float(words[unit]), float(cosines[unit])


def candidates(
    corpus: Corpus, question: Question, parts: Sequence[tuple[int, float, float]], vector: NDArray[np.float32]
) -> Candidates:
    """Returns a question with its chunks, each a unit of the corpus with its score by words and its cosine."""
    head = FusedHead([words for _, words, _ in parts], [cosine for _, _, cosine in parts])
    units = [corpus.units[unit] for unit, _, _ in parts]
    answers = [words_of(text_of(corpus, span))[:_MOST_WORDS] for span in question.gold]
    texts = [words_of(unit.text) for unit in units]
    shares = [[lss(text, answer) for answer in answers] for text in texts]
    good = relevant(corpus, question)
    similar = tuple(max(row) for row in shares)
    pool = sorted({place for places in best_of_each(head) for place in places})
    cosines, words = head.scaled_cosines(), head.scaled_words()
    return Candidates(
        question=question.text,
        kind=kind_of(question),
        head=head,
        features=tuple(all_features(question.text, head)),
        alpha=best_alpha(*([values[place] for place in pool] for values in (similar, cosines, words))),
        similar=similar,
        exact=tuple(any(unit.span.overlap(span) == span.length for span in question.gold) for unit in units),
        holds=tuple(unit in good for unit, _, _ in parts),
        reaches=tuple(
            frozenset(number for number, span in enumerate(question.gold) if unit.span.overlap(span)) for unit in units
        ),
        covers=tuple(sum(row) / len(row) for row in shares),
        overlaps=tuple(
            max(2 * common(text, answer) / max(1, len(text) + len(answer)) for answer in answers) for text in texts
        ),
        vector=vector,
        units=tuple(unit for unit, _, _ in parts),
    )


def plain_outcome(corpus: Corpus, question: Question, ranking: Sequence[int], confidence: float) -> PlainOutcome:
    """Returns what a ranking without the question's vector is worth."""
    outside = hidden(corpus, question)
    spans = [corpus.units[unit].span for unit in ranking if unit not in outside][:FIRST_FIVE]
    right = any(span.overlap(gold) == gold.length for span in spans for gold in question.gold)
    reached = sum(any(span.overlap(gold) for span in spans) for gold in question.gold)
    return PlainOutcome(confidence, right, reached)


def kind_of(question: Question) -> str:
    """Returns the kind of a question, one of `KINDS`."""
    if len(question.gold) == 1:
        return KINDS[0]
    return KINDS[1] if len({span.file for span in question.gold}) == 1 else KINDS[2]
