"""The look at the best chunks: weights of the cosine and of what fields add, on questions that did not choose them.

    python benchmarks/rerank_constants.py --questions DIR --trees DIR [--sets NAME …] [--model NAME] [--cache DIR]

Needs `pip install 'infograph[eval]'`. Arguments and sets as in `quality.py`; the two tables of questions on FastAPI
count as one set. For each set, the weights that give the best MRR@10 on all other sets, each counting alike, are judged
on it: against those that are built in, against a look that counts all of what fields add, and against the plain sum of
BM25 and cosine. In brackets the 95% interval: questions drawn again, each set counting alike.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from quality import PAGES, SPANS, prepared  # first: it sets how tokenizers run

import numpy as np  # isort: skip
from numpy.typing import NDArray

from infograph.config import Config, load
from infograph.evaluate.bench import Bench, Request
from infograph.evaluate.corpus import corpus_of
from infograph.evaluate.dataset import at_corpus, find_or_make, question_files, read_documents
from infograph.evaluate.metrics import DEPTH, measure
from infograph.evaluate.retrievers import retrieve
from infograph.pipeline.keys import strategy_key
from infograph.progress import Silent
from infograph.search.ranking.reranking import FIELDS_SHARE, WEIGHT

METRICS = (f"MRR@{DEPTH}", "hit@5", f"nDCG@{DEPTH}")
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
WEIGHTS = (15.0, 20.0, 25.0, 30.0, 35.0, 40.0)
DRAWS = 2000

Values = NDArray[np.float64]
"""[questions, metrics]."""
Choice = tuple[float, float]
"""Share of what fields add, and weight of the cosine."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What each choice and the plain sum give on one set."""

    looks: Mapping[Choice, Values]
    linear: Values


def judged(name: str, args: argparse.Namespace, folder: Path) -> Judged:
    """Measures one set under every choice."""
    docs = prepared(name, args.questions, args.trees, folder)
    flags = {"model": args.model, "cache": str(args.cache.resolve())}
    settings = at_corpus(load(str(docs), flags=flags, environment={}))
    request = Request(retrievers=("linear",), k=5, passages=0, pages=name in PAGES)
    files = question_files(settings, ())
    documents, _ = read_documents(settings, plain=bool(files))
    asked, _ = find_or_make(settings, files, documents)
    bench = Bench(settings, request, Silent(), documents, asked)
    cuts = list(bench.cut(settings.config))
    corpus, key = corpus_of(cuts, pages=request.pages), strategy_key(settings.config)
    site, vectors = bench.site(corpus, cuts, key)

    def table(rankings: Sequence[list[int]]) -> Values:
        values = measure(corpus, asked, rankings, request.k)
        return np.stack([values[metric] for metric in METRICS], axis=1)

    looks = {}
    for share, weight in product(SHARES, WEIGHTS):
        rows = site.saying(fields=share, weight=weight).scores("rerank", asked, vectors).order
        found = (retrieve(corpus, one, row, DEPTH) for one, row in zip(asked, rows, strict=True))
        looks[share, weight] = table(list(found))
    return Judged(looks, table(bench.rankings(corpus, cuts, key, {})["linear"].units))


def means(sets: Sequence[Sequence[Values]]) -> Values:
    """Returns the mean over sets of that over their tables of questions."""
    found: Values = np.mean([np.mean([values.mean(axis=0) for values in own], axis=0) for own in sets], axis=0)
    return found


def shown(sets: Sequence[Sequence[Values]]) -> str:
    """Returns mean gains with their intervals as text."""
    random, draws = np.random.default_rng(0), np.zeros((DRAWS, len(METRICS)))
    for own in sets:
        for values in own:
            chosen = random.multinomial(len(values), np.full(len(values), 1 / len(values)), size=DRAWS)
            draws += chosen @ values / len(values) / len(own) / len(sets)
    low, high = np.quantile(draws, (0.025, 0.975), axis=0)
    parts = zip(METRICS, means(sets), low, high, strict=True)
    return "  ".join(f"{metric} {mean:+.4f} [{a:+.4f}, {b:+.4f}]" for metric, mean, a, b in parts)


def best(found: Mapping[str, Sequence[Judged]], left_out: str | None) -> Choice:
    """Returns the choice with the best MRR on all sets but one."""
    others = [own for name, own in found.items() if name != left_out]
    return max(
        product(SHARES, WEIGHTS), key=lambda choice: means([[one.looks[choice] for one in own] for own in others])[0]
    )


def gains(found: Mapping[str, Sequence[Judged]], chosen: Mapping[str, Choice], over: Choice | None) -> str:
    """Returns as text what each set gains by its choice over another one, or over the plain sum."""
    return shown(
        [
            [one.looks[chosen[name]] - (one.linear if over is None else one.looks[over]) for one in own]
            for name, own in found.items()
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, required=True, help="folder of the sets")
    parser.add_argument("--trees", type=Path, required=True, help="folder of the trees, for fastapi")
    parser.add_argument("--sets", nargs="+", default=[*SPANS, *PAGES], choices=[*SPANS, *PAGES])
    parser.add_argument("--model", default=Config().model, help="embedding model")
    parser.add_argument("--cache", type=Path, default=Path(".embedding-cache"), help="folder of the vectors")
    args = parser.parse_args()
    found: dict[str, list[Judged]] = {}
    for name in args.sets:
        with tempfile.TemporaryDirectory() as folder:
            own = judged(name, args, Path(folder))
        found.setdefault("fastapi" if name.startswith("fastapi-") else name, []).append(own)
        built_in = own.looks[FIELDS_SHARE, WEIGHT].mean(axis=0)
        print(f"{name:<18} look {built_in.round(3)}, plain sum {own.linear.mean(axis=0).round(3)}", flush=True)
    for share in SHARES:
        rows = [means([[one.looks[share, weight] for one in own] for own in found.values()]) for weight in WEIGHTS]
        print(
            f"fields × {share:<5}" + "  ".join(f"{w:.0f}: {row[0]:.4f}" for w, row in zip(WEIGHTS, rows, strict=True))
        )
    chosen = {name: best(found, name) for name in found}
    kept = dict.fromkeys(found, (FIELDS_SHARE, WEIGHT))
    print(f"best of all {best(found, None)}, chosen by the others {chosen}")
    print("chosen by the others, over what is built in   " + gains(found, chosen, (FIELDS_SHARE, WEIGHT)))
    print("chosen by the others, over all of the fields  " + gains(found, chosen, (1.0, 25.0)))
    print("chosen by the others, over the plain sum      " + gains(found, chosen, None))
    print("built in, over all of the fields              " + gains(found, kept, (1.0, 25.0)))
    print("built in, over the plain sum                  " + gains(found, kept, None))


if __name__ == "__main__":
    main()
