"""Share of the default model's work that is for windows which it has seen before, in texts that it has not.

    python benchmarks/windows.py TREE…

A build embeds each distinct text once. A longer text is embedded in windows, and those of two pages that differ in a
line are mostly the same. `embed` runs each distinct window of a call once, and a build hands it 4,096 texts a call, 64
where a watch embeds in the background. What is left is what a cache of windows over the whole build could save.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from infograph.config import load
from infograph.config.settings import Settings
from infograph.embedding.onnx import OnnxEmbedder
from infograph.embedding.vectors import TEXTS_AT_ONCE
from infograph.pipeline.background import TEXTS_KEPT
from infograph.pipeline.plan import find_documents
from infograph.pipeline.steps.cut import cut_in, pool_for, setup_of


def main() -> None:
    print("| tree | texts | distinct | windows | tokens | that repeat | within a build's call | in the background's |")
    print("|---|---|---|---|---|---|---|---|")
    for tree in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            texts = texts_of(load(tree, flags={"out": folder, "cache": folder}, environment={}))
        distinct = list(dict.fromkeys(texts))
        embedder = OnnxEmbedder(1)
        windows = [embedder.tokenize(text) for text in distinct]
        total = sum(len(window) // 2 for text in windows for window in text)
        shares = [1 - run(windows, at_once) / total for at_once in (len(windows), TEXTS_AT_ONCE, TEXTS_KEPT)]
        counts = [len(texts), len(distinct), sum(map(len, windows)), total]
        row = [Path(tree).name, *(f"{count:,}" for count in counts), *(f"{share:.2%}" for share in shares)]
        print(f"| {' | '.join(row)} |", flush=True)


def texts_of(settings: Settings) -> list[str]:
    """What a build embeds, one text a chunk."""
    documents = list(find_documents(settings).documents)
    with pool_for(settings, len(documents)) as pool:
        pool.tell(setup_of(settings, "", dry=True))
        return [text for result in cut_in(pool, settings, documents) for text in result.embed_texts]


def run(windows: list[list[bytes]], at_once: int) -> int:
    """Tokens that the model runs where each window is run once a call of so many texts."""
    calls = (windows[at : at + at_once] for at in range(0, len(windows), at_once))
    return sum(len(window) // 2 for call in calls for window in {window for text in call for window in text})


if __name__ == "__main__":
    main()
