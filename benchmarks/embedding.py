"""Speed of the packaged model: `embed` against a bare onnxruntime loop over the same token batches.

    python benchmarks/embedding.py TREE [--model NAME] [--texts 48] [--rounds 5] [--threads 1 2]

Texts are pieces of the tree's Markdown files: one set of about 216 tokens each, one of mixed lengths (up to
750 tokens, so windows too). The two are timed in turns and each round gives a ratio; the table shows the
median. On a busy machine it wanders; the last column, the share of the time that `embed` spends inside
onnxruntime, does not, since both of its parts are slowed alike. Load time and peak memory come from a
process of their own (Linux). Goal: at least 0.95.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from infograph.config import Config
from infograph.embedding.model_manifest import MINILM, MINILM_INT8
from infograph.embedding.onnx import BATCH_TOKENS, OnnxEmbedder, batches

LOAD = r"""
import re, sys, time
def peak():  # of this process alone; getrusage would count what its parent held when it was forked
    return re.search(r"VmHWM:\s+(\d+) kB", open("/proc/self/status").read())[1]
started = time.perf_counter()
from infograph.embedding import load
embedder = load(sys.argv[2], int(sys.argv[1]))
embedder.embed(["first"])
loaded = time.perf_counter() - started
first = peak()
embedder.embed(sys.stdin.read().split("\0"))
print(loaded, first, peak())
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tree", type=Path, help="folder with Markdown files")
    parser.add_argument("--model", default=Config().model, choices=(MINILM, MINILM_INT8))
    parser.add_argument("--texts", type=int, default=48, help="texts in a set")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    words = read_words(options.tree, options.texts * 800)
    sets = {
        "216 tokens": pieces(words, [216] * options.texts),
        "10 to 750": pieces(words, [10 + (at * 137) % 740 for at in range(options.texts)]),
    }
    print(
        "| texts | threads | windows | tokens | texts/s | tokens/s | bare loop, tokens/s | ratio | inside onnxruntime |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for threads in options.threads:
        for name, texts in sets.items():
            print(f"| {name} | {threads} | {row(options.model, texts, threads, options.rounds)} |", flush=True)
    print("\n| threads | import, load, first text (s) | peak memory then (MB) | after all texts (MB) |")
    print("| --- | --- | --- | --- |")
    everything = "\0".join(text for texts in sets.values() for text in texts)
    for threads in options.threads:
        command = [sys.executable, "-c", LOAD, str(threads), options.model]
        output = subprocess.run(command, input=everything, capture_output=True, text=True, check=True).stdout
        seconds, first, peak = map(float, output.split())
        print(f"| {threads} | {seconds:.2f} | {first / 1024:.0f} | {peak / 1024:.0f} |", flush=True)


def row(model: str, texts: Sequence[str], threads: int, rounds: int) -> str:
    embedder = OnnxEmbedder(threads, model=model)
    windows = list(dict.fromkeys(window for text in texts for window in embedder.tokenize(text)))
    lengths = [len(window) // 2 for window in windows]
    plan = [[windows[at] for at in rows] for rows in batches(lengths, BATCH_TOKENS)]
    tokenizer, session = embedder._load()
    timed = Timed(session)
    embedder._loaded = tokenizer, timed
    bare = bare_loop(embedder, session, plan)
    bare()
    ratios: list[float] = []
    own: list[float] = []
    loop: list[float] = []
    for turn in range(rounds):
        pair: list[tuple[Callable[[], object], list[float]]] = [(lambda: embedder.embed(texts), own), (bare, loop)]
        for run, times in pair if turn % 2 else reversed(pair):
            started = time.perf_counter()
            run()
            times.append(time.perf_counter() - started)
        ratios.append(loop[-1] / own[-1])
    best, tokens = min(own), sum(lengths)
    return (
        f"{len(windows)} | {tokens} | {len(texts) / best:.1f} | {tokens / best:.0f} | {tokens / min(loop):.0f} | "
        f"{statistics.median(ratios):.3f} | {timed.seconds / sum(own):.3f}"
    )


class Timed:
    """A session that measures the seconds spent in it."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self.seconds = 0.0

    def run(self, names: None, feed: Any) -> Any:
        started = time.perf_counter()
        try:
            return self._session.run(names, feed)
        finally:
            self.seconds += time.perf_counter() - started


def bare_loop(embedder: OnnxEmbedder, session: Any, plan: Sequence[Sequence[bytes]]) -> Callable[[], None]:
    """Runs the session over prepared inputs, and nothing else."""
    inputs = [embedder.inputs(batch) for batch in plan]

    def run() -> None:
        for feed in inputs:
            session.run(None, feed)

    return run


def read_words(tree: Path, wanted: int) -> list[str]:
    """Returns words of the tree's files with the white space behind them, a part of every file in turn."""
    files = sorted(path for path in tree.rglob("*.md") if path.is_file())
    if not files:
        sys.exit(f"{tree}: no Markdown files")
    step = max(1, len(files) // 100)
    words: list[str] = []
    for path in files[::step]:
        words += path.read_text(encoding="utf-8", errors="replace").split(" ")[: max(200, wanted // 100)]
        if len(words) > wanted:
            break
    return words


def pieces(words: Sequence[str], lengths: Sequence[int]) -> list[str]:
    """Returns texts of about the given numbers of tokens, made of consecutive words, from the beginning again at
    the end."""
    embedder = OnnxEmbedder(1)
    tokenizer, _ = embedder._load()
    texts, at = [], 0
    for length in lengths:
        text, size = [], 0
        while size < length:
            word = words[at % len(words)]
            text.append(word)
            size += len(tokenizer.encode(word, add_special_tokens=False).ids)
            at += 1
        texts.append(" ".join(text))
    return texts


if __name__ == "__main__":
    main()
