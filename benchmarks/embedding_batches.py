"""What batches of a sentence-transformers model change: how often a rounded similarity is another, and the time.

    python benchmarks/embedding_batches.py DOCS MODEL_FOLDER [--batch 32] [--most 200]

Embeds the chunks of a tree one by one and in batches, and compares the cosines of all pairs, rounded to six places as
they are written, and the order of each chunk's nearest ten.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from infograph import embedding
from infograph.config import load
from infograph.config.settings import EmbeddingSettings
from infograph.evaluate.bench import Bench, Request
from infograph.evaluate.dataset import read_documents
from infograph.progress import Silent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("docs")
    parser.add_argument("model")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--most", type=int, default=200, help="chunks")
    options = parser.parse_args()
    settings = load(options.docs, flags={"model": "static"}, environment={})
    documents, _ = read_documents(settings, plain=False)
    bench = Bench(settings, Request(), Silent(), documents, ())
    texts = [chunk.embed_text for cut in bench.cut(settings.config) for chunk in cut.chunks][: options.most]
    found = {}
    for batch in (1, options.batch):
        model = embedding.load(options.model, None, EmbeddingSettings(batch=batch))
        model.embed(texts[:1])
        begin = time.perf_counter()
        found[batch] = model.embed(texts).astype(np.float64)
        print(f"batch {batch}: {time.perf_counter() - begin:.1f} s for {len(texts)} chunks")
    alone, together = (np.round(own @ own.T, 6) for own in found.values())
    pairs = np.triu_indices(len(texts), 1)
    moved = alone[pairs] != together[pairs]
    largest = np.abs(alone - together).max()
    nearest = [np.argsort(-own, axis=1, kind="stable")[:, 1:11] for own in (alone, together)]
    orders = (nearest[0] != nearest[1]).any(axis=1)
    print(f"rounded similarities that differ: {moved.mean():.4%} of {len(moved)}, by {largest:.6f} at the most")
    print(f"chunks whose ten nearest are in another order: {orders.sum()} of {len(orders)}")


if __name__ == "__main__":
    main()
