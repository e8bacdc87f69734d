"""Measures how fast documents are cut: MB/s of one core, from text to chunks, beside peers on the same files.

    python benchmarks/chunking.py TREE…                        our strategies and the peers that are installed
    python benchmarks/chunking.py --only structural TREE…      one of them
    python benchmarks/chunking.py --page FILE                  one long page, whole and in parts: is it linear?

Our time covers everything from a decoded document to its finished chunks: blocks, pieces, slices, section paths,
byte offsets, lines, hashes. Tokens are counted where the strategy's limits are in tokens, and, in a row of its own,
where a caller requests them beside limits in characters. The peers count none and do less: mdkeychunker has section
paths and lines, langchain-text-splitters has section paths, chonkie has offsets. Files are read before; the garbage
collector is off, as in a build.

Every round is a process of its own, so that nothing is cached from the round before, and the rounds of all chunkers
take turns. The best counts, in seconds of CPU. Machines differ and are shared: the ratio to the first peer is the
result.

Peers: pip install mdkeychunker==0.4.2 langchain-text-splitters==1.1.3 chonkie==1.7.0
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from infograph.chunking.chunker import chunk_document
from infograph.chunking.interface import StrategyTools
from infograph.chunking.registry import strategy
from infograph.chunking.tokens import WordPieceCounter
from infograph.errors import DocumentError
from infograph.model import Document
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode

OURS: dict[str, tuple[str, dict[str, object], bool]] = {
    "structural": ("structural", {}, False),
    "structural, counted": ("structural", {}, True),
    "structural, tokens": ("structural", {"unit": "tokens"}, True),
    "semantic-250-750": ("semantic-250-750", {}, True),
}
"""Maps a name to a strategy, its options, and whether the chunks carry token counts."""
PEERS = {"mdkeychunker": "mdkeychunker", "langchain headers": "langchain_text_splitters", "chonkie": "chonkie"}
"""Maps a name to a module. Ratios are relative to the first one, the fastest with section paths."""

Chunker = Callable[[Document], int]
"""A function that cuts a document and returns the number of its chunks."""


def chunker(name: str) -> Chunker:
    """Returns a chunker, loaded and warm: no import and no tokenizer file is timed."""
    if name in OURS:
        strategy_name, given, count = OURS[name]
        made = strategy(strategy_name, given)
        tools = StrategyTools(WordPieceCounter())
        tools.counter.count(["load"])

        def cut(document: Document) -> int:
            return len(chunk_document(document, parse_blocks(document)[0], made, tools, count=count).chunks)

        return cut
    if name == "mdkeychunker":
        from mdkeychunker.chunker import MarkdownChunker
        from mdkeychunker.config import Config

        keyed = MarkdownChunker(Config())
        return lambda document: len(keyed.chunk(document.prefix + document.body))
    if name == "langchain headers":
        from langchain_text_splitters import MarkdownHeaderTextSplitter

        headers = MarkdownHeaderTextSplitter([("#" * level, f"h{level}") for level in range(1, 7)])
        return lambda document: len(headers.split_text(document.prefix + document.body))
    from chonkie import RecursiveChunker

    recursive = RecursiveChunker(tokenizer="character", chunk_size=1500)
    return lambda document: len(recursive.chunk(document.prefix + document.body))


def read(places: Iterable[Path]) -> list[Document]:
    """Reads every Markdown file below the places, or the places themselves; leaves out files that infograph refuses."""
    documents = []
    for place in places:
        for path in [place] if place.is_file() else sorted(place.rglob("*")):
            if path.suffix in (".md", ".mdx", ".markdown") and path.is_file():
                try:
                    documents.append(decode(path.name, path.read_bytes()))
                except DocumentError as error:
                    print(f"left out: {error}", file=sys.stderr)
    return documents


def seconds(name: str, documents: list[Document]) -> tuple[float, int]:
    """Returns the CPU seconds of one round, and the number of chunks."""
    cut = chunker(name)
    gc.collect()
    gc.disable()
    start = time.process_time()
    chunks = sum(map(cut, documents))
    return time.process_time() - start, chunks


def _round(name: str, places: list[Path], part: float) -> tuple[float, int]:
    documents = read(places)
    if part < 1:
        (page,) = documents
        body = page.body[: page.body.index("\n", int(part * len(page.body))) + 1]
        documents = [Document(page.path, page.sha256, page.prefix, body)]
    return seconds(name, documents)


def best(names: list[str], places: list[Path], rounds: int, part: float = 1) -> dict[str, tuple[float, int]]:
    """Returns the fastest of several rounds of each chunker, in turn, each in a new process."""
    found: dict[str, tuple[float, int]] = {}
    context = multiprocessing.get_context("spawn")
    for _ in range(rounds):
        for name in names:
            with context.Pool(1) as pool:
                measured = pool.apply(_round, (name, places, part))
            found[name] = min(measured, found.get(name, measured))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="*", type=Path)
    parser.add_argument("--page", type=Path)
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    installed = [name for name, module in PEERS.items() if importlib.util.find_spec(module)]
    names = options.only or [*OURS, *installed]
    if unknown := set(names) - {*OURS, *PEERS}:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join([*OURS, *PEERS])}")
    for tree in options.trees:
        size = sum(len((page.prefix + page.body).encode()) for page in read([tree])) / 1e6
        found = best(names, [tree], options.rounds)
        print(f"\n{tree.name}: {size:.1f} MB", flush=True)
        base = found.get("mdkeychunker", (0.0, 0))[0]
        for name, (spent, chunks) in found.items():
            ratio = f"{base / spent:6.2f} × mdkeychunker" if base else ""
            print(f"  {name:20}{size / spent:8.1f} MB/s {chunks:8} chunks {ratio}", flush=True)
    if options.page:
        size = len(options.page.read_bytes()) / 1e6
        for part in (1 / 8, 1 / 4, 1 / 2, 1):
            found = best(names, [options.page], options.rounds, part)
            speeds = ", ".join(f"{name} {part * size / spent:.1f}" for name, (spent, _) in found.items())
            print(f"{part * size * 1000:6.0f} KB of {options.page.name}: MB/s {speeds}", flush=True)


if __name__ == "__main__":
    main()
