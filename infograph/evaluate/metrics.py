"""The quality of a ranking, question by question.

Metrics over units of retrieval, by `ir_measures` (a unit is relevant when it holds a part of the answer):

    hit@k            1 when one of the first k units is relevant
    MRR@10           1 / rank of the first relevant one, 0 beyond ten
    nDCG@10          discounted cumulative gain over that of the best order
    precision@k      relevant ones among the first k / k
    recall@k         relevant ones among the first k / all relevant ones

A metric over the gold spans, which do not change with the chunking:

    spans@k          gold spans that one of the first k units reaches / gold spans
    all-gold@8       1 when the first eight units reach every gold span: what a question over two pages needs

Metrics over characters, as in the report of the Chroma question set (k = 5 there):

    cover@k          gold characters retrieved / gold characters: its recall
    share@k          gold characters retrieved / characters retrieved: its precision
    IoU@k            gold characters retrieved / (characters retrieved + gold characters missed)
    share-omega      `share` were every unit retrieved that holds gold, and nothing else: its precision_Ω

A character in two retrieved units counts twice as retrieved, since it is read twice; as gold it counts once.

    tokens@k         tokens of the first k units: larger ones cover more, and cost more

The metrics over words are in coverage.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from infograph.evaluate.corpus import Corpus, relevant
from infograph.evaluate.coverage import FIVE, WORD_METRICS, word_metrics
from infograph.evaluate.extra import missing_package
from infograph.evaluate.questions import Question, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    PerQuestion = dict[str, NDArray[np.float64]]

DEPTH = 10
"""Number of ranks that MRR and nDCG take into account."""
MULTI_HOP = 8
"""Number of units among which all-gold looks for every gold span."""
ALL_GOLD = f"all-gold@{MULTI_HOP}"


THESIS = ("T1EM", "T5EM", "T1C", "BC", "AC", "MC", f"MRR@{DEPTH}", "T1O", "BO", "AO")
"""Columns of the tables of the specification's section 4.3, in their order; `TOP_SCORE` follows them."""
TOP_SCORE = "AT1S"
"""Mean score of the first unit, in what the retriever counts in: comparable under one retriever alone."""
REQUESTS, COLD, WARM = "requests", "cold KB", "warm KB"
COSTS = (REQUESTS, COLD, WARM)
"""What a question costs a reader of the published search: files and kilobytes (1,000 bytes) that are read by a reader
that begins with nothing, and kilobytes by one that has answered the questions before."""
MILLISECONDS = "ms"
"""Time of a question in Python, for a reader that has answered the questions before."""


def metric_names(k: int) -> tuple[str, ...]:
    """The names of all metrics, in the order of tables."""
    return (
        f"hit@{k}",
        f"MRR@{DEPTH}",
        f"nDCG@{DEPTH}",
        f"spans@{k}",
        f"cover@{k}",
        f"share@{k}",
        f"IoU@{k}",
        f"tokens@{k}",
        ALL_GOLD,
        f"precision@{k}",
        f"recall@{k}",
        "share-omega",
        *WORD_METRICS,
    )


def smaller_is_better(metric: str) -> bool:
    """Whether a lower value of the metric is better, as it is for tokens and for what a search costs."""
    return metric.startswith("tokens@") or metric in COSTS


def measure(corpus: Corpus, questions: Sequence[Question], rankings: Sequence[Sequence[int]], k: int) -> PerQuestion:
    """The values of all metrics, each with one entry for each question.

    rankings: for each question the positions of units, best first; at least max(k, DEPTH) of them, if there are as many
    """
    import numpy as np

    wanted = [relevant(corpus, question) for question in questions]
    rows = []
    for question, ranking, good in zip(questions, rankings, wanted, strict=True):
        first = [corpus.units[position] for position in ranking[:k]]
        ranked = [corpus.units[position] for position in ranking[: max(k, FIVE)]]
        rows.append(
            span_metrics(question.gold, [unit.span for unit in first], k)
            | {"share-omega": omega(question.gold, [corpus.units[position].span for position in good])}
            | {f"tokens@{k}": float(sum(unit.tokens for unit in first))}
            | {ALL_GOLD: all_gold(question.gold, [corpus.units[position].span for position in ranking[:MULTI_HOP]])}
            | word_metrics(question.gold, ranked, corpus, k)
        )
    by_name = ranking_metrics(rankings, wanted, k)
    by_name |= {name: np.array([row[name] for row in rows]) for name in (rows[0] if rows else ())}
    return {name: by_name[name] for name in metric_names(k) if name in by_name}


def ranking_metrics(rankings: Sequence[Sequence[int]], wanted: Sequence[set[int]], k: int) -> PerQuestion:
    """The metrics over units, each with one entry for each question."""
    import numpy as np

    try:
        import ir_measures
        from ir_measures import RR, P, R, Success, nDCG
    except ImportError as error:
        raise missing_package("ir-measures", error) from None
    measures = {
        f"hit@{k}": Success @ k,
        f"MRR@{DEPTH}": RR @ DEPTH,
        f"nDCG@{DEPTH}": nDCG @ DEPTH,
        f"precision@{k}": P @ k,
        f"recall@{k}": R @ k,
    }
    # A question without a ranking or without relevant units is in no result and keeps the value 0.
    values = {name: np.zeros(len(rankings)) for name in measures}
    qrels = {str(number): {str(position): 1 for position in good} for number, good in enumerate(wanted) if good}
    run = {
        str(number): {str(position): -float(rank) for rank, position in enumerate(ranking)}
        for number, ranking in enumerate(rankings)
        if ranking
    }
    names = {measure: name for name, measure in measures.items()}
    for result in ir_measures.iter_calc(list(names), qrels, run):
        values[names[result.measure]][int(result.query_id)] = result.value
    return values


def span_metrics(gold: Sequence[Span], retrieved: Sequence[Span], k: int) -> dict[str, float]:
    """The metrics of one question over gold spans and over characters."""
    covered = size(_common(gold, retrieved))
    missed = size(gold) - covered
    read = sum(span.length for span in retrieved)
    reached = sum(any(span.overlap(other) for other in retrieved) for span in gold)
    return {
        f"spans@{k}": reached / len(gold),
        f"cover@{k}": covered / size(gold),
        f"share@{k}": covered / read if read else 0.0,
        f"IoU@{k}": covered / (read + missed),
    }


def all_gold(gold: Sequence[Span], retrieved: Sequence[Span]) -> float:
    """1 when each gold span has a character in one of the retrieved spans, else 0."""
    return float(all(any(span.overlap(other) for other in retrieved) for span in gold))


def omega(gold: Sequence[Span], holding: Sequence[Span]) -> float:
    """The share of gold characters in the units that hold any: 0 where there are none."""
    read = size(holding)
    return size(_common(gold, holding)) / read if read else 0.0


def size(spans: Iterable[Span]) -> int:
    """The number of characters in the union of the spans."""
    total = 0
    file, end = "", 0
    for span in sorted(spans, key=lambda span: (span.file, span.start)):
        if span.file != file:
            file, end = span.file, 0
        total += max(0, span.end - max(span.start, end))
        end = max(end, span.end)
    return total


def _common(gold: Iterable[Span], retrieved: Sequence[Span]) -> list[Span]:
    """The parts that a gold span and a retrieved span have in common; these may overlap."""
    return [
        Span(span.file, max(span.start, other.start), min(span.end, other.end))
        for span in gold
        for other in retrieved
        if span.overlap(other)
    ]


def means(values: Mapping[str, NDArray[np.float64]]) -> dict[str, float]:
    """The mean of each metric over the questions; 0 without questions."""
    return {name: float(array.mean()) if len(array) else 0.0 for name, array in values.items()}
