"""Retrieval quality over three public question sets, compared with the figures published for them.

    python benchmarks/strategies.py --questions DIR [--sets chroma docs-rag chunklab] [--model NAME] [--cache DIR]

Needs `pip install 'infograph[eval]'`. DIR holds a folder for each set, with `questions.jsonl` and its documents in
`corpus/`. With all-MiniLM-L6-v2 the first run takes a quarter of an hour on four cores; vectors are kept in the
cache. `--model static` takes a minute.

First the scorer itself is checked: windows of 250 tokens with an overlap of 125, retrieved whole as in the report of
the chroma set, must come near the figures published there (recall 82.4, precision 3.6, precision_Ω 11.4, IoU 3.5, in
percent; its tokens are another tokenizer's and a tenth longer). Then every strategy is measured under every retriever,
matched by passages, and the default strategy matched by whole chunks; then all sets together, with equal weight; and
finally the goals, each with the system that comes nearest to it.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import numpy as np
from numpy.typing import NDArray

from infograph import embedding
from infograph.config import Config, load
from infograph.embedding.vectors import Texts, Vectors
from infograph.evaluate.bench import Request
from infograph.evaluate.corpus import Corpus, RetrievalUnit
from infograph.evaluate.evaluation import evaluate
from infograph.evaluate.metrics import DEPTH, means, measure
from infograph.evaluate.questions import Span, read_questions
from infograph.evaluate.report import System, aligned, table
from infograph.evaluate.retrievers import retrieve
from infograph.text import wordpiece

K = 5
"""Chunks that are returned for a question."""
STRATEGIES = ("semantic-250-750", "structural", "fixed", "semantic-embedding", "auto")
LEVELS = tuple(f"hierarchical:levels=[{sizes}]" for sizes in ("135,60", "250,60", "690,128", "750,128"))
"""Hierarchical strategies; the one with 690 returns as many tokens as the default strategy."""
RUNS: Mapping[str, Request] = {
    "": Request(strategies=(*STRATEGIES, *LEVELS), k=K),
    "whole chunks": Request(strategies=STRATEGIES[:1], passages=0, k=K),
    "neighbours 0.3": Request(strategies=LEVELS, retrievers=("dense", "fusion"), neighbours=0.3, k=K),
}
"""Runs by label: each strategy for prose under each retriever, from which the defaults are chosen."""
SETS = ("chroma", "docs-rag", "chunklab")
"""Names of the question sets."""


@dataclass(frozen=True, slots=True)
class Goal:
    """Figures that one system must reach all at once."""

    questions: str
    """Name of the question set."""
    text: str
    """The goal in words."""
    retriever: str
    """Name of the retriever; empty: any."""
    least: Mapping[str, float]
    """Least value of each metric."""


GOALS = (
    Goal("chroma", "recall ≥ 82.4% at IoU > 3.5%, dense", "dense", {"cover@5": 0.824, "IoU@5": 0.0350001}),
    Goal("chroma", "IoU ≥ 7.2% at recall > 75.2%, dense", "dense", {"cover@5": 0.7520001, "IoU@5": 0.072}),
    Goal("docs-rag", "hit@5 ≥ 0.95 and MRR ≥ 0.865, fusion", "fusion", {"hit@5": 0.95, f"MRR@{DEPTH}": 0.865}),
    Goal("chunklab", "recall@5 ≥ 0.97", "", {"spans@5": 0.97}),
)


def windows(file: str, text: str, size: int, overlap: int) -> Iterator[RetrievalUnit]:
    """Windows of `size` tokens over a text, each beginning `size - overlap` tokens after the one before."""
    tokenizer = wordpiece.load_tokenizer()
    tokenizer.no_truncation()
    places = tokenizer.encode(text, add_special_tokens=False).offsets
    for first in range(0, max(1, len(places) - overlap), size - overlap):
        inside = places[first : first + size]
        yield RetrievalUnit(Span(file, inside[0][0], inside[-1][1]), text[inside[0][0] : inside[-1][1]], len(inside))


def reproduced(folder: Path, model: str, cache: Path) -> dict[str, float]:
    """The figures of the published method, on windows of 250 tokens with an overlap of 125."""
    texts = {file.name: file.read_bytes().decode("utf-8") for file in sorted((folder / "corpus").iterdir())}
    lengths = {name: len(text) for name, text in texts.items()}
    questions = read_questions("questions.jsonl", (folder / "questions.jsonl").read_bytes(), lengths)
    units = tuple(unit for name, text in texts.items() for unit in windows(name, text, 250, 125))
    corpus = Corpus(tuple(unit.text for unit in units), tuple(range(len(units))), units)
    vectors = Vectors(embedding.load(model, os.cpu_count()), cache, "windows-250-125")
    files = [Texts(hashlib.sha256("".join(texts.values()).encode()).hexdigest(), corpus.texts)]
    vectors.plan(files)
    ((_, matrix),) = vectors.run(files, lambda share: None)
    asked = vectors.of_questions("", [question.text for question in questions])
    scores = (asked @ matrix.T).astype(np.float64)
    rankings = [retrieve(corpus, question, row, DEPTH) for question, row in zip(questions, scores, strict=True)]
    return means(measure(corpus, questions, rankings, K))


def nearest(goal: Goal, systems: Mapping[str, System]) -> tuple[str, dict[str, float], bool]:
    """The system that comes nearest to a goal, its figures, and whether it reaches it."""
    found: dict[str, dict[str, float]] = {
        name: {metric: float(system.values[metric].mean()) for metric in goal.least}
        for name, system in systems.items()
        if goal.retriever in ("", system.retriever)
    }
    shares = {name: min(found[name][metric] / least for metric, least in goal.least.items()) for name in found}
    best = max(shares, key=lambda name: shares[name])
    return best, found[best], shares[best] >= 1


def together(sets: Sequence[Mapping[str, System]]) -> list[list[str]]:
    """A table of the systems over all sets with equal weight, best first.

    `behind` is how far a system's nDCG lies below the best one's: the 95% interval of a paired bootstrap over the
    questions of each set.
    """
    first = f"nDCG@{DEPTH}"
    names = (first, f"MRR@{DEPTH}", f"hit@{K}", f"spans@{K}", f"IoU@{K}", f"tokens@{K}")
    values = {name: [systems[name].values for systems in sets] for name in sets[0]}
    scores = {
        name: [float(np.mean([found[metric].mean() for found in own])) for metric in names]
        for name, own in values.items()
    }
    ordered = sorted(scores, key=lambda name: -scores[name][0])
    rows = [["all sets together", *names, "behind"]]
    for name in ordered:
        gaps = [best[first] - own[first] for best, own in zip(values[ordered[0]], values[name], strict=True)]
        draws = np.mean([resampled(gap) for gap in gaps], axis=0)
        low, high = np.quantile(draws, (0.025, 0.975))
        digits = [f"{value:.3f}" for value in scores[name][:-1]] + [f"{scores[name][-1]:.0f}"]
        rows.append([name, *digits, "" if name == ordered[0] else f"{low:.3f} to {high:.3f}"])
    return rows


def resampled(values: NDArray[np.float64], draws: int = 2000) -> NDArray[np.float64]:
    """The means of samples with replacement, which are the same at every call."""
    rows = np.random.default_rng(0).integers(0, len(values), (draws, len(values)))
    return np.asarray(values[rows].mean(axis=1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, required=True, help="folder of the sets")
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS, help="sets to run")
    parser.add_argument("--model", default=Config().model, help="embedding model")
    parser.add_argument("--cache", type=Path, default=Path(".embedding-cache"), help="folder of the vectors")
    args = parser.parse_args()
    cache = args.cache.resolve()

    if "chroma" in args.sets:
        found = reproduced(args.questions / "chroma", args.model, cache)
        names = {"cover@5": 82.4, "share@5": 3.6, "share-omega": 11.4, "IoU@5": 3.5}
        rows = [["windows 250/125", *names]]
        rows.append([f"here, {args.model}", *(f"{100 * found[name]:.1f}" for name in names)])
        rows.append(["published, all-MiniLM-L6-v2", *map(str, names.values())])
        print("\n".join(aligned(rows, left=1)), flush=True)
    sets: list[dict[str, System]] = []
    goals: list[Sequence[str]] = [["set", "goal", "system", "figures", ""]]
    for name in args.sets:
        settings = load(str(args.questions / name), flags={"model": args.model, "cache": str(cache)})
        systems: dict[str, System] = {}
        for label, request in RUNS.items():
            report = evaluate(settings, request)
            suffix = f", {label}" if label else ""
            systems |= {system.name + suffix: system for system in report.systems}
            print(f"\n{name}{suffix}: {table(report)}", flush=True)
        sets.append(systems)
        for goal in (goal for goal in GOALS if goal.questions == name):
            system, figures, reached = nearest(goal, systems)
            text = ", ".join(f"{metric} {value:.3f}" for metric, value in figures.items())
            goals.append([name, goal.text, system, text, "reached" if reached else "missed"])
    print("\n" + "\n".join(aligned(together(sets), left=1)))
    print("\n" + "\n".join(aligned(goals, left=5)))


if __name__ == "__main__":
    main()
