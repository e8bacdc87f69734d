"""What whole numbers cost and save: `all-MiniLM-L6-v2-int8` beside `all-MiniLM-L6-v2`, over every open question set.

    python benchmarks/int8.py quality --questions DIR --trees DIR [--sets NAME …] [--cache DIR]
    python benchmarks/int8.py speed TREE [--texts 96] [--rounds 5] [--threads 1 2]

`quality` needs `pip install 'infograph[eval]'`; sets and arguments as in `quality.py`. For each set and retriever that
asks vectors it prints MRR@10, nDCG@10 and hit@5 by either model and how far whole numbers lie above, with the 95%
interval of a paired bootstrap over the questions: one that holds 0 is chance. `dense` compares questions and chunks by
one model; in `rerank` a reader embeds the question in float32 whatever the chunks were embedded with. The last rows are
means over the sets, each with the same weight, its questions drawn again. Before them: cosines between the two vectors
of a chunk.

`speed` embeds chunks of the tree by both models in turns and prints the median of the rounds' ratios. On a busy machine
both slow down alike.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from quality import PAGES, SPANS, prepared  # first: it sets how tokenizers run

import numpy as np  # isort: skip

from infograph import embedding
from infograph.config import load
from infograph.embedding.model_manifest import MINILM, MINILM_INT8
from infograph.evaluate.bench import Bench, Request
from infograph.evaluate.bootstrap import DRAWS
from infograph.evaluate.dataset import read_documents
from infograph.evaluate.evaluation import evaluate
from infograph.evaluate.metrics import DEPTH
from infograph.evaluate.report import System, aligned, over
from infograph.progress import Silent

MODELS = (MINILM, MINILM_INT8)
RETRIEVERS = ("dense", "linear", "rerank")
METRICS = (f"MRR@{DEPTH}", f"nDCG@{DEPTH}", "hit@5")

Found = Mapping[str, Sequence[System]]
"""Systems of `RETRIEVERS` by model."""


def texts_of(docs: str) -> list[str]:
    """What is embedded of a folder: its distinct chunks by the default strategy."""
    settings = load(docs, flags={"model": "static"}, environment={})
    documents, _ = read_documents(settings, plain=False)
    cuts = Bench(settings, Request(), Silent(), documents, ()).cut(settings.config)
    return list(dict.fromkeys(chunk.embed_text for cut in cuts for chunk in cut.chunks))


def measured(name: str, args: argparse.Namespace) -> Found:
    """The systems of one set by each model."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        docs = prepared(name, args.questions, args.trees, Path(folder))
        for model in MODELS:
            settings = load(str(docs), flags={"model": model, "cache": str(args.cache.resolve())}, environment={})
            asked = Request(retrievers=RETRIEVERS, k=5, passages=0, pages=name in PAGES)
            found[model] = evaluate(settings, asked).systems
    return found


def rows(name: str, found: Found) -> list[list[str]]:
    """Lines of a set."""
    lines = []
    for exact, whole in zip(*(found[model] for model in MODELS), strict=True):
        means = (f"{system.values[metric].mean():.3f}" for metric in METRICS for system in (exact, whole))
        gaps = (over(whole, exact, metric) for metric in METRICS)
        moved = int((whole.values[METRICS[0]] != exact.values[METRICS[0]]).sum())
        questions = f"{moved} of {len(whole.values[METRICS[0]])}"
        pairs = zip(*[means] * 2, gaps, strict=True)
        lines.append([name, exact.retriever, *(cell for triple in pairs for cell in triple), questions])
    return lines


def together(sets: Mapping[str, Found]) -> list[list[str]]:
    """The mean over the sets of each retriever, each set counting alike."""
    random, lines = np.random.default_rng(0), []
    for place, retriever in enumerate(RETRIEVERS):
        cells = ["all", retriever]
        for metric in METRICS:
            pairs = [[own[model][place].values[metric] for model in MODELS] for own in sets.values()]
            drawn = np.zeros(DRAWS)
            for exact, whole in pairs:
                chosen = random.multinomial(len(exact), np.full(len(exact), 1 / len(exact)), size=DRAWS)
                drawn += chosen @ (whole - exact) / len(exact) / len(pairs)
            low, high = np.quantile(drawn, (0.025, 0.975))
            means = [float(np.mean([pair[side].mean() for pair in pairs])) for side in (0, 1)]
            cells += [f"{mean:.3f}" for mean in means]
            cells.append(f"{means[1] - means[0]:+.4f} [{low:+.4f}, {high:+.4f}]")
        lines.append([*cells, ""])
    return lines


def quality(args: argparse.Namespace) -> None:
    sets: dict[str, Found] = {}
    head = ["set", "retriever", *(cell for metric in METRICS for cell in (metric, "int8", "over")), "questions changed"]
    for name in args.sets:
        sets[name] = measured(name, args)
        print("\n".join(aligned([head, *rows(name, sets[name])])) + "\n", flush=True)
    print("\n".join(aligned([head, *together(sets)])))


def speed(args: argparse.Namespace) -> None:
    every = texts_of(str(args.tree))
    texts = every[:: max(1, len(every) // args.texts)][: args.texts]
    table = [["threads", "chunks", *(f"{model}, chunks/s" for model in MODELS), "ratio, median", "least", "greatest"]]
    for threads in args.threads:
        models = [embedding.load(model, threads) for model in MODELS]
        exact, whole = (model.embed(texts) for model in models)  # what loads them
        times: list[list[float]] = [[], []]
        for turn in range(args.rounds):
            for side in (0, 1) if turn % 2 else (1, 0):
                begin = time.perf_counter()
                models[side].embed(texts)
                times[side].append(time.perf_counter() - begin)
        ratios = [slow / fast for slow, fast in zip(*times, strict=True)]
        rates = (f"{len(texts) / min(own):.1f}" for own in times)
        spread = (f"{value:.2f}" for value in (statistics.median(ratios), min(ratios), max(ratios)))
        table.append([str(threads), str(len(texts)), *rates, *spread])
    print("\n".join(aligned(table)))
    cosines = (exact.astype(np.float64) * whole).sum(axis=1)
    print(f"cosine of the two vectors of a chunk: {cosines.mean():.4f} on average, {cosines.min():.4f} at least")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("quality")
    one.add_argument("--questions", type=Path, required=True, help="folder of the sets")
    one.add_argument("--trees", type=Path, required=True, help="folder of the trees, for fastapi")
    one.add_argument("--sets", nargs="+", default=[*SPANS, *PAGES], choices=[*SPANS, *PAGES])
    one.add_argument("--cache", type=Path, default=Path(".embedding-cache"), help="folder of the vectors")
    one.set_defaults(run=quality)
    two = commands.add_parser("speed")
    two.add_argument("tree", type=Path, help="folder of documents")
    two.add_argument("--texts", type=int, default=96, help="chunks")
    two.add_argument("--rounds", type=int, default=5)
    two.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    two.set_defaults(run=speed)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
