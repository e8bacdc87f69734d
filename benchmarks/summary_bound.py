"""The most that recorded summaries can bring to the ranking of a search bundle, whatever they weigh.

    python benchmarks/summary_bound.py DOCS_RAG [--strategy NAME] [--model NAME]

`enrichment.py summaries` says what they bring as a build uses them. Here they are ranked by themselves, an index of
their xon the questions that judge it**, so the best row is above what a weight chosen elsewhere is likely to reach: if
it is not beyond chance, none is. Differences from the bundle alone with their 95% interval (questions drawn again,
paired; `*` is beyond chance by itself, of as many rows as are tried).
"""

from __future__ import annotations

import argparse
import tempfile
from itertools import product
from pathlib import Path

import numpy as np
from enrichment import PUBLISHED, Values, bench_of, compared, recorded, settings_of, share
from numpy.typing import NDArray

from infograph.evaluate.corpus import corpus_of
from infograph.evaluate.metrics import measure
from infograph.evaluate.retrievers import Bm25, Bm25Terms, retrieve
from infograph.model import enriched_of
from infograph.pipeline.keys import strategy_key
from infograph.text.language import stemmer, stop_words

CANDIDATES = 30
WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0)
METRICS = ("MRR@10", "recall@5")
Matrix = NDArray[np.float64]


def scaled(scores: Matrix, candidates: NDArray[np.bool_]) -> Matrix:
    """Scores from 0 to 1 among the candidates of each question; 0 for a chunk without one."""
    known = np.where(candidates, scores, np.nan)
    least, most = np.nanmin(known, 1, keepdims=True), np.nanmax(known, 1, keepdims=True)
    found: Matrix = np.nan_to_num((known - least) / np.maximum(most - least, 1e-9))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("docs", type=Path)
    parser.add_argument("--strategy", default="semantic-250-750")
    parser.add_argument("--model", default="static")
    given = parser.parse_args()
    settings = settings_of(given.docs, given.model, given.strategy, None)
    with tempfile.TemporaryDirectory() as folder:
        settings, _ = recorded(settings, given.docs / "summaries.jsonl", Path(folder))
        bench = bench_of(settings, ())
        cuts = list(bench.cut(settings.config))
    corpus = corpus_of(cuts, parents=False)
    said = [str(enriched_of(chunk.facts).get("summary", "")) for cut in cuts for chunk in cut.chunks]
    if len(said) != len(corpus.units) or not any(said):
        raise SystemExit(f"{len(said)} chunks, {len(corpus.units)} units, {sum(map(bool, said))} summaries")
    site, asked = bench.site(corpus, cuts, strategy_key(settings.config))
    found = site.scores("site", bench.asked, asked)

    def measured(scores: Matrix) -> Values:
        rankings = [retrieve(corpus, question, row, 10) for question, row in zip(bench.asked, scores, strict=True)]
        return measure(corpus, bench.asked, rankings, 5)

    texts = [question.text for question in bench.asked]
    sparse = Bm25(said, Bm25Terms(frozenset(stop_words("en")), stemmer("en")))
    # A chunk without a summary has the least of what others have.
    words = np.array([sparse.scores(text) for text in texts]).clip(0.0)
    cosines = (asked @ bench.embedder.embed(said, kind="passage").T).astype(np.float64)
    places = np.argsort(np.argsort(-found.scores, 1, kind="stable"), 1)
    candidates = (places < CANDIDATES) & np.isfinite(found.scores)
    own, by_words, by_cosine = (scaled(scores, candidates) for scores in (found.scores, words, cosines))
    alone = measured(found.order)
    print(f"{len(texts)} questions, {sum(map(bool, said))} of {len(said)} chunks with a summary; {PUBLISHED}\n")
    print(f"{'BM25':>6}{'cosine':>8}" + "".join(f"{metric:>28}" for metric in METRICS))
    print(f"{'the bundle':>14}" + "".join(f"{share(alone[metric]):>28}" for metric in METRICS))
    rows = []
    for sparsely, densely in list(product(WEIGHTS, WEIGHTS))[1:]:
        values = measured(np.where(candidates, own + sparsely * by_words + densely * by_cosine, -np.inf))
        rows.append((sparsely, densely, values))
    for metric in METRICS:
        print(f"the best three of {len(rows)} by {metric}")
        for sparsely, densely, values in sorted(rows, key=lambda row: -row[2][metric].mean())[:3]:
            cells = "".join(f"{compared(values[name], alone[name]):>28}" for name in METRICS)
            print(f"{sparsely:>6}{densely:>8}  {cells}")


if __name__ == "__main__":
    main()
