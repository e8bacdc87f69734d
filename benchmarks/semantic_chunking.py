"""Speed of `semantic-embedding` against Chonkie's SemanticChunker with the same static vectors, in one process.

    pip install 'chonkie[semantic]'
    python benchmarks/semantic_chunking.py TREE [--megabytes 2] [--rounds 5]

Both read the same pages of a tree. infograph's time has everything in it, from decoding and parsing to chunks with
section paths, offsets and hashes; Chonkie is given the text. Its sentences are embedded in two ways: by model2vec, the
library it has for static models, holding infograph's packaged table; and by infograph's own embedder. Chunks have up
to 512 tokens. The programs are timed in turns, in processor seconds, and the ratio is the median over the rounds.
Goal: at least 5 times Chonkie with model2vec.
"""

from __future__ import annotations

import argparse
import io
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from chonkie import SemanticChunker
from chonkie.embeddings import BaseEmbeddings, Model2VecEmbeddings
from model2vec import StaticModel

from infograph.chunking.chunker import chunk_document
from infograph.chunking.interface import StrategyTools
from infograph.chunking.strategies.semantic_embedding import SemanticEmbedding
from infograph.chunking.tokens import WordPieceCounter
from infograph.embedding.model_manifest import read_file, read_manifest
from infograph.embedding.static import StaticEmbedder
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode
from infograph.text import wordpiece

MAXIMUM = 512


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tree", type=Path, help="folder with Markdown files")
    parser.add_argument("--megabytes", type=float, default=2.0, help="how much of the tree, in the order of its paths")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    pages = read_pages(options.tree, options.megabytes * 1e6)
    megabytes = sum(map(len, pages)) / 1e6
    embedder = StaticEmbedder()
    chunkers: dict[str, Callable[[Sequence[bytes]], int]] = {
        "infograph": infograph(embedder),
        "Chonkie, model2vec": chonkie(Model2VecEmbeddings(static_model())),
        "Chonkie, infograph's embedder": chonkie(Embeddings(embedder)),
    }
    chunks = {name: chunker(pages) for name, chunker in chunkers.items()}  # and the memos fill
    seconds: dict[str, list[float]] = {name: [] for name in chunkers}
    for _ in range(options.rounds):
        for name, chunker in chunkers.items():
            started = time.process_time()
            chunker(pages)
            seconds[name].append(time.process_time() - started)
    print(f"{len(pages)} pages of {options.tree.name}, {megabytes:.2f} MB, {options.rounds} rounds\n")
    print("| program | chunks | MB/s | infograph is faster by |")
    print("| --- | --- | --- | --- |")
    own = seconds["infograph"]
    for name, theirs in seconds.items():
        ratio = statistics.median(other / ours for other, ours in zip(theirs, own, strict=True))
        print(f"| {name} | {chunks[name]} | {megabytes / statistics.median(theirs):.2f} | {ratio:.1f} |")


def read_pages(tree: Path, size: float) -> list[bytes]:
    pages: list[bytes] = []
    for path in sorted(tree.rglob("*.md")):
        if sum(map(len, pages)) >= size:
            break
        pages.append(path.read_bytes())
    return pages


def infograph(embedder: StaticEmbedder) -> Callable[[Sequence[bytes]], int]:
    strategy = SemanticEmbedding(maximum=MAXIMUM)
    tools = StrategyTools(WordPieceCounter(), embedder.embed)

    def run(pages: Sequence[bytes]) -> int:
        documents = (decode("page.md", page) for page in pages)
        return sum(
            len(chunk_document(document, parse_blocks(document)[0], strategy, tools).chunks) for document in documents
        )

    return run


def chonkie(embeddings: BaseEmbeddings) -> Callable[[Sequence[bytes]], int]:
    chunker = SemanticChunker(embeddings, chunk_size=MAXIMUM)
    return lambda pages: sum(len(chunker.chunk(page.decode())) for page in pages)


def static_model() -> StaticModel:
    """Returns the packaged table as a model of model2vec."""
    table = np.load(io.BytesIO(read_file(read_manifest("static-256"), "table.npy")), allow_pickle=False)
    return StaticModel(table.astype(np.float32), wordpiece.load_tokenizer(), normalize=True)


class Embeddings(BaseEmbeddings):
    """Adapts infograph's embedder to Chonkie's interface."""

    def __init__(self, embedder: StaticEmbedder) -> None:
        super().__init__()
        self.embedder = embedder

    def embed(self, text: str) -> np.ndarray:
        return self.embedder.embed([text])[0]

    def embed_batch(self, texts: list[str]) -> list[np.ndarray]:
        return list(self.embedder.embed(texts))

    @property
    def dimension(self) -> int:
        return self.embedder.dimension

    def get_tokenizer(self) -> Any:
        return wordpiece.load_tokenizer()


if __name__ == "__main__":
    main()
