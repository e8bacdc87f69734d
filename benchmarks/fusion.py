"""Fusion and conditional reranking: Tables 4 and 5 of the specification on public questions.

    python benchmarks/fusion.py --questions DIR --trees DIR [--cache DIR] [--sets NAME …] [--model static]
        [--candidates seed] [--predictors ridge xgboost mlp]

Needs `pip install 'infograph[eval,fit]'`, and torch for the predictor `mlp`. Sets, chunks (the default strategy's) and
`--cache` as in `search_quality.py`; the questions of all sets together are split, 70% to learn from, 15% to choose by,
15% held out, each set alike.

Table 4   T1EM, T1C, T1O, MRR of fixed weights, of the sum that sites have by default, of reciprocal ranks, of what is
          learned and of the oracle; then of questions that are held out; then MRR set by set, learned without that set
Table 5   for each threshold of confidence: what is not asked, how much of it is right, and what asking costs, beside
          the specification's; then the same with Wilson's interval, and for words alone. T1EM is that of a model which
          ranks by gold, the price of a call the specification's
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from search_quality import Case, arguments  # first: it sets the number of threads

import numpy as np  # isort: skip

from infograph.evaluate.bootstrap import difference
from infograph.evaluate.corpus import Corpus, RetrievalUnit
from infograph.evaluate.questions import Question
from infograph.evaluate.report import aligned
from infograph.fit import fusion, tables, thresholds
from infograph.fit.candidates import SEED, SITE, Candidates, FitData, candidates, plain_outcome, pooled
from infograph.fit.learning import MLP, RIDGE, XGBOOST, Split, Table, learn
from infograph.search.format.fusion_model import Fusion
from infograph.search.reading.reader import Reader
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.slots import assign_slots
from infograph.text.language import stemmer

SETS = ("chroma", "docs-rag", "chunklab")
PREDICTORS = {"ridge": RIDGE, "xgboost": XGBOOST, "mlp": MLP}
SPECIFIED = tables.CallPrice(dollars=0.0215, seconds=1.2)
"""A call of Claude Haiku 3.5 as in section 5.4 of the specification."""


TABLE_4 = """\
specification, 34,647 questions  T1EM    T1C    T1O    MRR | T1EM    T1C    T1O    MRR | T1EM    T1C    T1O    MRR
                                 one span in one page      | two in one page           | two in two pages
α = 0                            .573   .618   .247   .649 | .552   .561   .265   .671 | .402   .383   .263   .503
α = 0.3                          .547   .604   .242   .636 | .544   .555   .256   .654 | .433   .398   .254   .527
α = 0.5                          .458   .545   .213   .583 | .493   .511   .237   .635 | .435   .415   .240   .540
α = 0.7                          .337   .457   .171   .446 | .426   .456   .207   .547 | .366   .399   .205   .473
α = 1                            .264   .397   .146   .365 | .374   .419   .184   .487 | .360   .406   .180   .455
Learned Ridge                    .530   .598   .235   .626 | .551   .560   .264   .669 | .427   .418   .244   .531
Learned XGBoost                  .537   .601   .239   .632 | .556   .562   .266   .672 | .439   .421   .236   .542
Learned MLP                      .535   .599   .237   .630 | .552   .562   .265   .672 | .421   .413   .247   .535
Oracle                           .561   .639   .246   .647 | .622   .624   .274   .717 | .465   .501   .255   .568"""


@dataclass(frozen=True, slots=True)
class Specified:
    """A column of the specification's Table 5 and of Figures 9 and 10; None: neither legible nor said in the text."""

    precision: float | None = None
    """Share of right rankings among those that are skipped."""
    first: float | None = None
    """T1EM with a model's order for the others."""
    dollars: float | None = None
    seconds: float | None = None


TABLE_5 = {
    0.5: Specified(first=0.537, dollars=0.0, seconds=0.008),
    0.6: Specified(dollars=0.0031),
    0.8: Specified(precision=0.398, first=0.606),
    0.85: Specified(dollars=0.0080),
    0.9: Specified(precision=0.465),
    0.95: Specified(precision=0.546, dollars=0.0172, seconds=0.96),
    1.0: Specified(precision=0.627),
    None: Specified(first=0.632, dollars=SPECIFIED.dollars, seconds=SPECIFIED.seconds),
}
"""By τ; None: a model is always asked. τ* is .95 for β .5: 16.6% of 34,000 rankings are skipped."""


def corpus_of(case: Case, sources: dict[str, str]) -> Corpus:
    """The chunks of a set as units of retrieval."""
    units = [
        RetrievalUnit(span, sources[span.file][span.start : span.end], cut.chunk.tokens)
        for span, cut in zip(case.spans, case.found, strict=True)
    ]
    return Corpus(tuple(cut.chunk.text for cut in case.found), tuple(range(len(units))), tuple(units))


def rows_of(case: Case, sources: dict[str, str], source: str) -> list[Candidates]:
    """The questions of a set with their chunks, the set as their kind."""
    corpus = corpus_of(case, sources)
    reader = Reader(case.files.__getitem__, stemmer)
    slots = assign_slots({span.file for span in case.spans})
    first: dict[str, int] = {}
    numbers = {}
    for place, span in enumerate(case.spans):
        numbers[slots[span.file], place - first.setdefault(span.file, place)] = place
    rows = []
    for number, asked in enumerate(case.asked):
        question = Question(str(number), asked.text, asked.gold)
        if source == SITE:
            vector = case.queries[number].tolist()
            parts = [(numbers[chunk], words, cosine) for chunk, words, cosine in reader.parts(asked.text, vector)]
        else:
            parts = list(pooled(case.scores[number], case.cosines[number]))
        if not parts:
            continue
        row = candidates(corpus, question, parts, case.queries[number])
        ranking = [numbers[chunk] for chunk, _ in reader.rank(asked.text)]
        plain = plain_outcome(corpus, question, ranking, reader.confidence)
        rows.append(replace(row, kind=case.name, plain=plain))
    return rows


def set_by_set(rows: Sequence[Candidates], names: Sequence[str], weight: float) -> str:
    """MRR of each set by predictors that learned from the other sets."""
    table, kinds = Table.of(rows), np.array([row.kind for row in rows])
    base = fusion.by_fusion(rows, Fusion(), weight)[fusion.FIRST]
    lines = ["learned on the other sets, MRR beside the sum that sites have by default (95%)"]
    for kind in dict.fromkeys(kinds.tolist()):
        test = np.flatnonzero(kinds == kind)
        others = np.random.default_rng(0).permutation(np.flatnonzero(kinds != kind))
        cut = round(0.85 * len(others))
        parts = Split(np.sort(others[:cut]), np.sort(others[cut:]), test)
        said = []
        for name in names:
            fitted = learn(name, table, parts)
            found = fusion.by_alpha(rows, fitted.alphas.tolist())[fusion.FIRST]
            low, high = difference(found[test], base[test])
            gain = (found[test] - base[test]).mean()
            said.append(f"{name} {found[test].mean():.3f}, {gain:+.3f} ({low:+.3f} to {high:+.3f})")
        lines.append(f"  {kind:<10} {base[test].mean():.3f}   " + "; ".join(said))
    return "\n".join(lines)


def beside_specified(rows: Sequence[thresholds.ThresholdRow], questions: int) -> str:
    """Table 5 of the specification beside ours, whose model ranks by gold."""

    def cells(*values: float | None) -> list[str]:
        return ["–" if value is None else f"{value:.3f}" for value in values]

    table = [["τ", "skipped", "right of these", "T1EM", "$", "s", "| right of these", "T1EM", "$", "s"]]
    for row in rows:
        said, asked = TABLE_5.get(row.tau, Specified()), row.calls / questions
        ours = (row.skipped / questions, row.right / row.skipped if row.skipped else None, row.first)
        name = "always" if row.tau is None else f"{row.tau:.2f}"
        cost = (SPECIFIED.dollars or 0) * asked, (SPECIFIED.seconds or 0) * asked
        theirs = cells(said.precision, said.first, said.dollars, said.seconds)
        table.append([name, *cells(*ours, *cost), f"| {theirs[0]}", *theirs[1:]])
    return "\n".join([f"{questions} questions, a model that ranks by gold | specification", *aligned(table, left=1)])


def thresholds_of(data: FitData) -> str:
    """What each threshold means with the query's vector and without."""
    ranked = thresholds.by_fusion(data.rows, Fusion(), data.weight)
    plain = sum(own.row.exact[own.ranking[0]] for own in ranked) / len(ranked)
    five = sum(own.right for own in ranked) / len(ranked)
    rows = thresholds.threshold_rows(ranked, thresholds.FUSED_GRID, thresholds.gold_judge)
    words = thresholds.threshold_rows(thresholds.by_words(data.rows), thresholds.WORDS_GRID, None)
    beside = beside_specified(rows, len(ranked))
    text = tables.thresholds_text(rows, plain, thresholds.best_threshold(rows, thresholds.BETA), SPECIFIED)
    other = tables.thresholds_text(words, None, thresholds.best_threshold(words, thresholds.BETA), SPECIFIED)
    return f"Table 5\n{beside}\n\nby words and the query's vector, T5EM {five:.3f}\n{text}\n\nby words alone\n{other}"


def main() -> None:
    parser = arguments(__doc__)
    parser.set_defaults(sets=list(SETS))
    parser.add_argument("--candidates", default=SITE, choices=(SITE, SEED))
    parser.add_argument("--predictors", nargs="+", default=list(PREDICTORS), choices=list(PREDICTORS))
    args = parser.parse_args()
    names = [PREDICTORS[name] for name in args.predictors]
    rows: list[Candidates] = []
    weight, model = 0.0, ""
    for name in args.sets:
        case = Case(name, "default", args, SearchOptions())
        folder = args.questions / name / "corpus"
        sources = {path.name: path.read_bytes().decode() for path in sorted(folder.iterdir())}
        rows += rows_of(case, sources, args.candidates)
        manifest = Reader(case.files.__getitem__, stemmer).manifest.vectors
        weight, model = manifest.weight, manifest.model.partition("@")[0]
    data = FitData(tuple(rows), model, weight, ", ".join(args.sets))
    report = fusion.fit(data, names)
    print(f"{data.said}: {len(rows)} questions, cosines of {model}, candidates {args.candidates}\n")
    print(tables.predictors_text(report), "\n")
    print("Table 4\n" + tables.fusion_text(report), "\n")
    print(tables.fusion_text(report, held_out=True), "\n")
    print(TABLE_4, "\n")
    print(tables.verdict(report), "\n")
    if len(args.sets) > 1:
        print(set_by_set(rows, names, weight), "\n")
    print(thresholds_of(data))


if __name__ == "__main__":
    main()
