"""What the two rules for the technical baseline give: how many pages have one, what the first N of each order cover.

    python benchmarks/baselines.py TREE… [--first 3]

For each tree: pages with a technical baseline under `title` and under `first-code`; and over the pages where
`first-code` finds one and that have more than N chunks, the sample of the baseline and the first N - 1 of its order,
conceptual beside technical: mean distance (1 - cosine, static model) of two of its chunks, share of the questions made
from the tree whose answer lies in it, share of code chunks in it.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from itertools import accumulate
from pathlib import Path

import numpy as np

from infograph import embedding
from infograph.chunking.chunker import chunk_document
from infograph.chunking.interface import StrategyTools
from infograph.chunking.registry import strategy
from infograph.chunking.tokens import WordPieceCounter
from infograph.config import load
from infograph.embedding.base import Embedder
from infograph.evaluate.dataset import ParsedDocument, find_or_make, read_documents
from infograph.evaluate.questions import Question, Span
from infograph.index.stripes import stripe_factor, stripe_order
from infograph.model import Chunk
from infograph.pipeline.worker.documents import technical_baseline
from infograph.topic.similarities import similarities


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--first", type=int, default=3)
    given = parser.parse_args()
    print("tree          pages  title  first-code  compared | order       distance  questions  code")
    for tree in given.trees:
        measure(tree, given.first)


def measure(tree: Path, first: int) -> None:
    """Prints the rows of one tree."""
    settings = load(str(tree), flags={"model": "static"}, environment={})
    documents, _ = read_documents(settings, plain=False)
    questions, _ = find_or_make(settings, [], documents)
    gold = defaultdict(list)
    for question in questions:
        for span in question.gold:
            gold[span.file].append((question, span))
    embedder, tools = embedding.load("static"), StrategyTools(WordPieceCounter())
    found: dict[str, list[tuple[float, float, float]]] = {"conceptual": [], "technical": []}
    pages = titled = coded = 0
    for parsed in documents:
        chunks = chunk_document(parsed.document, parsed.blocks, strategy(), tools, count=False).chunks
        titles, is_code = [chunk.title for chunk in chunks], [chunk.is_code for chunk in chunks]
        pages += bool(chunks)
        titled += technical_baseline(titles, is_code) is not None
        baseline = technical_baseline(titles, is_code, "first-code")
        coded += baseline is not None
        if baseline is None or len(chunks) <= first:
            continue
        for name, sample in samples(chunks, baseline, first, embedder).items():
            found[name].append(told(chunks, sample, gold[parsed.document.path], parsed, embedder))
    for name, rows in found.items():
        means = [float(np.nanmean([row[place] for row in rows])) for place in range(3)] if rows else [0.0] * 3
        counts = f"{tree.name:12} {pages:6} {titled:6} {coded:11} {len(rows):9}"
        print(f"{counts} | {name:10} {means[0]:9.3f} {means[1]:10.3f} {means[2]:5.2f}")


def samples(chunks: tuple[Chunk, ...], baseline: int, first: int, embedder: Embedder) -> dict[str, list[int]]:
    """Returns the first chunks of both orders, each with its baseline before."""
    vectors = embedder.embed([chunk.embed_text for chunk in chunks])
    made = {}
    for name, own, left_out in (("conceptual", 0, {0}), ("technical", baseline, {0, baseline})):
        pairs = [(place, value) for place, value in enumerate(similarities(vectors, own)) if place not in left_out]
        made[name] = [own, *stripe_order(pairs, stripe_factor(len(pairs)))][:first]
    return made


def told(
    chunks: tuple[Chunk, ...],
    sample: list[int],
    gold: list[tuple[Question, Span]],
    parsed: ParsedDocument,
    embedder: Embedder,
) -> tuple[float, float, float]:
    """Returns the mean distance of two chunks of a sample, the share of the page's questions that it answers (not a
    number where the page has none), and the share of code chunks."""
    vectors = embedder.embed([chunks[place].embed_text for place in sample])
    cosines = vectors @ vectors.T
    pairs = np.triu_indices(len(sample), 1)
    ends = list(accumulate((len(chunk.text) for chunk in chunks), initial=len(parsed.document.prefix)))
    answered = [any(ends[place] < span.end and span.start < ends[place + 1] for place in sample) for _, span in gold]
    code = float(np.mean([chunks[place].is_code for place in sample]))
    return float(1 - cosines[pairs].mean()), float(np.mean(answered)) if answered else float("nan"), code


if __name__ == "__main__":
    main()
