"""`infograph eval --prompts`: what matching questions with known ones is worth, for every choice that there is.

Every question of a set is taken for one that the site knows, as from `qa-pairs.md`, and answers the four questions that
prompt matching leaves open:

    threshold, top-k   the chunks that a known question is given to: how many of them hold the answer, and for how many
                       questions one of them does
    collisions         different questions with one hash
    coverage           rewordings (`rewordings.py`) that are taken for their question, and questions that are taken for
                       another one which is answered elsewhere, by the number of bits that may differ

A last table says what a search gains where it knows the question: its MRR@10 as it is, with known chunks raised as
clients do, and with them before all others, in the order of their cosines.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from infograph.config.settings import Settings
from infograph.evaluate.bench import Bench, Request
from infograph.evaluate.bootstrap import difference
from infograph.evaluate.corpus import corpus_of, hidden, relevant
from infograph.evaluate.dataset import at_corpus, find_or_make, question_files, read_documents
from infograph.evaluate.metrics import DEPTH
from infograph.evaluate.rewordings import KINDS, rewordings
from infograph.pipeline.keys import strategy_key
from infograph.progress import Reporter
from infograph.search.format.question_hash import QuestionWords, alike, distance, is_asked, simhash, stems, words_of
from infograph.search.format.question_rows import keys_of
from infograph.search.format.results import MatchedQuestion
from infograph.search.reading.questions import KnownChunk, gains_of, raised
from infograph.topic.answered_questions import match_questions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

THRESHOLDS = (0.2, 0.3, 0.4, 0.5, 0.6)
TOP_KS = (1, 3, 5, 0)
"""Most chunks of a question; 0 for all that reach the threshold."""
RADII = (0, 4, 8, 10, 12, 14, 16)
"""Most bits between two hashes that count as the same."""
SEARCHES = ("search", "raised", "before all others")


@dataclass(frozen=True, slots=True)
class AnswerFigures:
    """The chunks that questions are given to, for one choice of threshold and top-k."""

    threshold: float
    top_k: int
    """0 for all."""
    matched: float
    """Share of the questions that are given to a chunk."""
    precision: float
    """Share of these chunks that hold a part of the answer."""
    recall: float
    """Share of the questions of which one of the chunks does."""


@dataclass(frozen=True, slots=True)
class RadiusFigures:
    """What is taken for a known question, for one number of bits."""

    radius: int
    coverage: Mapping[str, float]
    """Share of the rewordings of each kind that are taken for their question."""
    mistaken: float
    """Share of the questions that, if they were not known, would be taken for one that is answered elsewhere."""


@dataclass(frozen=True, slots=True)
class PromptFigures:
    """The outcome for one set."""

    source: str
    questions: int
    documents: int
    chunks: int
    model: str
    collisions: int
    """Questions that share their hash with another."""
    rewordings: Mapping[str, int]
    """Number of rewordings by kind."""
    answers: tuple[AnswerFigures, ...]
    radii: tuple[RadiusFigures, ...]
    searches: Mapping[str, tuple[float, float, float]]
    """MRR of each search, and the 95% interval of its difference from the first."""


def report_prompts(settings: Settings, named: Sequence[str], reporter: Reporter, *, as_json: bool = False) -> str:
    """Measures and returns the text to print. Raises ConfigError, and FormatError for a broken file of questions."""
    found = measure_prompts(settings, named, reporter)
    return json.dumps(asdict(found), indent=2, ensure_ascii=False) if as_json else table(found)


def measure_prompts(settings: Settings, named: Sequence[str], reporter: Reporter) -> PromptFigures:
    """Measures prompt matching on one set of questions. Raises as `report_prompts`.

    named: files of questions; empty for those that `infograph eval` takes
    """
    settings = at_corpus(settings)
    files = question_files(settings, named)
    documents, errors = read_documents(settings, plain=bool(files))
    for error in errors:
        reporter.say(f"warning: left out: {error}")
    asked, source = find_or_make(settings, files, documents)
    with closing(Bench(settings, Request(passages=0, parents=False), reporter, documents, asked)) as bench:
        return _figures(bench, source)


def _figures(bench: Bench, source: str) -> PromptFigures:
    """Returns the figures of what a bench holds."""
    import numpy as np

    settings, documents, asked = bench.settings, bench.documents, bench.asked
    cuts, key = list(bench.cut(settings.config)), strategy_key(settings.config)
    corpus = corpus_of(cuts, parents=False)
    chunks = np.concatenate(bench.embedded(bench.embedder, [[c.embed_text for c in cut.chunks] for cut in cuts], key))
    places = np.array(corpus.unit_of, np.int64)  # a unit is a chunk, in another order
    gold = [relevant(corpus, question) for question in asked]
    never = [hidden(corpus, question) for question in asked]
    order = np.argsort(places)
    matrix = chunks[order]

    def matches(threshold: float, top_k: int) -> list[list[tuple[int, float]]]:
        found = match_questions(matrix, bench.question_vectors, threshold, (top_k or len(matrix)) + _spare(never))
        kept = ([pair for pair in own if pair[0] not in out] for own, out in zip(found, never, strict=True))
        return [own[: top_k or None] for own in kept]

    words = words_of(settings.config.keywords.language)
    texts = [question.text for question in asked]
    site, _ = bench.site(corpus, cuts, key)
    rankings = [
        [pair for pair in site.ranked(text) if pair[0] not in out] for text, out in zip(texts, never, strict=True)
    ]
    prompts = settings.config.prompts
    hashes = Counter(simhash(text, words) for text in dict.fromkeys(texts))
    radii, counts = _radii(texts, gold, words)
    return PromptFigures(
        source=source,
        questions=len(asked),
        documents=len(documents),
        chunks=len(matrix),
        model=f"{bench.embedder.name}@{bench.embedder.revision}",
        collisions=sum(count for count in hashes.values() if count > 1),
        rewordings=counts,
        answers=tuple(_answers(t, k, matches(t, k), gold) for t in THRESHOLDS for k in TOP_KS),
        radii=radii,
        searches=_searches(rankings, matches(prompts.threshold, prompts.per_question), gold),
    )


def _spare(never: Sequence[set[int]]) -> int:
    return max(map(len, never), default=0)


def _answers(
    threshold: float, top_k: int, matches: Sequence[Sequence[tuple[int, float]]], gold: Sequence[set[int]]
) -> AnswerFigures:
    right = [[chunk in own for chunk, _ in found] for found, own in zip(matches, gold, strict=True)]
    given = sum(map(len, right))
    return AnswerFigures(
        threshold,
        top_k,
        matched=sum(map(bool, right)) / len(right),
        precision=sum(map(sum, right)) / max(1, given),
        recall=sum(map(any, right)) / len(right),
    )


def _radii(
    texts: Sequence[str], gold: Sequence[set[int]], words: QuestionWords
) -> tuple[tuple[RadiusFigures, ...], dict[str, int]]:
    """Returns the figures of each radius, and how many rewordings of each kind there are."""
    known = [(simhash(text, words), frozenset(keys_of(stems(text, words), ()))) for text in texts]
    near: defaultdict[str, list[int | None]] = defaultdict(list)
    mistaken: list[int | None] = []
    for number, text in enumerate(texts):
        for kind, other in rewordings(text, words):
            own, keys = simhash(other, words), frozenset(keys_of(stems(other, words), ()))
            hash_, found = known[number]
            lost = keys.isdisjoint(found) or not (is_asked(other, words) and alike(text, other, words))
            near[kind].append(None if lost else distance(own, hash_))
        others = (
            distance(known[number][0], hash_)
            for place, (hash_, keys) in enumerate(known)
            if gold[place].isdisjoint(gold[number])
            and not keys.isdisjoint(known[number][1])
            and alike(text, texts[place], words)
        )
        mistaken.append(min(others, default=None))

    def share(distances: Sequence[int | None], radius: int) -> float:
        return sum(bits is not None and bits <= radius for bits in distances) / max(1, len(distances))

    figures = tuple(
        RadiusFigures(radius, {kind: share(near[kind], radius) for kind in KINDS}, share(mistaken, radius))
        for radius in RADII
    )
    return figures, {kind: len(near[kind]) for kind in KINDS}


def _searches(
    rankings: Sequence[Sequence[tuple[int, float]]],
    matches: Sequence[Sequence[tuple[int, float]]],
    gold: Sequence[set[int]],
) -> dict[str, tuple[float, float, float]]:
    import numpy as np

    values: dict[str, list[float]] = {name: [] for name in SEARCHES}
    for ranking, found, own in zip(rankings, matches, gold, strict=True):
        gains = gains_of([cosine for _, cosine in found])
        known = {
            (chunk, 0): KnownChunk(MatchedQuestion("", 0, cosine), gain)
            for (chunk, cosine), gain in zip(found, gains, strict=True)
        }
        orders = {
            "search": [chunk for chunk, _ in ranking],
            "raised": [chunk for (chunk, _), _ in raised([((chunk, 0), score) for chunk, score in ranking], known)],
            "before all others": [*(chunk for chunk, _ in found), *(c for c, _ in ranking if (c, 0) not in known)],
        }
        for name, order in orders.items():
            values[name].append(next((1 / (1 + at) for at, chunk in enumerate(order[:DEPTH]) if chunk in own), 0.0))
    arrays: dict[str, NDArray[np.float64]] = {name: np.array(own, np.float64) for name, own in values.items()}
    first = arrays[SEARCHES[0]]
    return {name: (float(own.mean()), *difference(own, first)) for name, own in arrays.items()}


def table(found: PromptFigures) -> str:
    """Returns the figures as Markdown tables."""
    head = f"{found.questions} questions ({found.source}) over {found.documents} documents in {found.chunks} chunks"
    parts = [f"{head}, by {found.model}; {found.collisions} of them have another's hash."]
    rows: list[tuple[str, ...]] = [("threshold", "top-k", "matched", "precision", "recall")]
    for own in found.answers:
        figures = (f"{value:.3f}" for value in (own.matched, own.precision, own.recall))
        rows.append((f"{own.threshold}", str(own.top_k or "all"), *figures))
    parts.append(_rows(rows))
    kinds = [f"{kind} ({found.rewordings[kind]})" for kind in KINDS]
    radii: list[tuple[str, ...]] = [("bits", *kinds, "mistaken")]
    for at in found.radii:
        radii.append((str(at.radius), *(f"{at.coverage[kind]:.3f}" for kind in KINDS), f"{at.mistaken:.3f}"))
    parts.append(_rows(radii))
    searches: list[tuple[str, ...]] = [("known chunks", f"MRR@{DEPTH}", "difference, 95%")]
    for name, (mean, low, high) in found.searches.items():
        searches.append((name, f"{mean:.3f}", "" if name == SEARCHES[0] else f"{low:+.3f} to {high:+.3f}"))
    parts.append(_rows(searches))
    return "\n\n".join(parts)


def _rows(rows: Sequence[Sequence[Any]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], f"| {' | '.join(['---'] * len(rows[0]))} |", *lines[1:]])
