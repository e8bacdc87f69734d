"""Retrieval quality and speed of the static table, beside wordllama and MiniLM, in one run.

    python benchmarks/static_quality.py [--questions DIR] [--sets docs-rag chunklab chroma]

needs `pip install wordllama==0.4.0.post1` (its 256-dimensional table comes inside the wheel, nothing is downloaded);
without it that line is left out, and says so. Every model gets the same chunks: whole lines of the corpus
packed up to 200 WordPiece tokens, a longer line cut between words; the files of a set are pooled. For each
question the chunks are ranked by cosine (ties: earlier chunk first). Per question, and then averaged:

    cover@5    characters of the gold spans that lie in the first five chunks / characters of the gold spans
    recall@5   gold spans that one of the first five chunks overlaps / gold spans
    hit@5      1 if one of the first five chunks overlaps a gold span, else 0
    MRR@10     1 / rank of the first chunk that overlaps a gold span, 0 beyond ten

Speed: the corpora cut every 1,200 characters, on one thread, texts a second of processor time, best of three.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

os.environ["TOKENIZERS_PARALLELISM"] = "false"  # before tokenizers is imported: one core for everyone
os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from infograph.embedding.static import StaticEmbedder
from infograph.files.packaged import tokenizer_file

Vectors = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Vectors]


@dataclass(frozen=True, slots=True)
class Window:
    """A chunk of one corpus file, as a half-open range of characters."""

    file: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Span:
    """The range of an answer, as a half-open range of characters."""

    file: str
    start: int
    end: int

    def overlap(self, chunk: Window) -> int:
        """Returns the number of characters that two ranges share."""
        return max(0, min(chunk.end, self.end) - max(chunk.start, self.start)) if chunk.file == self.file else 0


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    gold: list[Span]


def windows(file: str, text: str, tokenizer: Tokenizer, limit: int) -> Iterator[Window]:
    """Tiles `text` with windows of at most `limit` tokens that end at a line's end where one is in reach."""
    spans = tokenizer.encode(text, add_special_tokens=False).offsets
    start, first = 0, 0  # character and token at which the open window begins
    while first < len(spans):
        last = min(first + limit, len(spans))
        end = len(text) if last == len(spans) else spans[last][0]
        if last < len(spans):
            cut = text.rfind("\n", start, end) + 1 or text.rfind(" ", start, end) + 1
            end = cut if cut > spans[first][1] else end
        yield Window(file, start, end, text[start:end])
        start = end
        while first < len(spans) and spans[first][0] < end:
            first += 1


def score(ranked: NDArray[np.intp], chunks: list[Window], gold: list[Span]) -> tuple[float, float, float, float]:
    """Returns cover@5, recall@5, hit@5 and MRR@10 of one question."""
    overlap = [[span.overlap(chunks[i]) for span in gold] for i in ranked[:10]]
    rank = next((place for place, row in enumerate(overlap, 1) if any(row)), 0)
    return (
        sum(map(sum, overlap[:5])) / sum(span.end - span.start for span in gold),
        sum(map(any, zip(*overlap[:5], strict=True))) / len(gold),
        float(0 < rank <= 5),
        1 / rank if rank else 0.0,
    )


def evaluate(embed: Embed, chunks: list[Window], questions: list[Question]) -> NDArray[np.float64]:
    """Returns means over the questions of one set, in percent."""
    passages = embed([chunk.text for chunk in chunks]).astype(np.float64)
    asked = embed([question.text for question in questions]).astype(np.float64)
    ranked = np.argsort(-(asked @ passages.T), axis=1, kind="stable")
    rows = [score(order, chunks, question.gold) for order, question in zip(ranked, questions, strict=True)]
    return np.asarray(100 * np.mean(rows, axis=0))


def read_questions(file: Path) -> list[Question]:
    records = map(json.loads, file.read_text("utf-8").splitlines())
    return [
        Question(record["question"], [Span(gold["file"], gold["start"], gold["end"]) for gold in record["gold"]])
        for record in records
    ]


def wordllama() -> Embed | None:
    """Returns wordllama's packaged table, or None where the package is not installed."""
    if importlib.util.find_spec("wordllama") is None:
        return None
    import wordllama as package

    # As a cache, its own folder: it looks for the tokenizer under a folder name that its wheel does not have.
    model = package.WordLlama.load(dim=256, cache_dir=Path(package.__file__).parent, disable_download=True)
    return lambda texts: model.embed(list(texts), norm=True)


def minilm() -> Embed:
    from infograph.embedding.onnx import OnnxEmbedder

    return OnnxEmbedder().embed


def speed(embed: Embed, texts: list[str]) -> float:
    """Returns texts a second of processor time, best of three, which is little affected by other load."""
    best = float("inf")
    for _ in range(3):
        begin = time.process_time()
        embed(texts)
        best = min(best, time.process_time() - begin)
    return len(texts) / best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, required=True, help="folder of the sets")
    parser.add_argument("--sets", nargs="+", default=["docs-rag", "chunklab", "chroma"], help="sets to run")
    parser.add_argument("--no-minilm", action="store_true", help="leave out MiniLM, which takes a minute")
    args = parser.parse_args()

    models: dict[str, Embed | None] = {
        "static": StaticEmbedder().embed,
        "wordllama 256": wordllama(),
    }
    if not args.no_minilm:
        models["all-MiniLM-L6-v2"] = minilm()
    tokenizer = Tokenizer.from_file(str(tokenizer_file()))
    tokenizer.no_truncation()
    tokenizer.no_padding()

    every: list[str] = []
    print(f"{'set':<10} {'chunks':>6} {'model':<18} {'cover@5':>8} {'recall@5':>8} {'hit@5':>8} {'MRR@10':>8}")
    for name in args.sets:
        folder = args.questions / name
        questions = read_questions(folder / "questions.jsonl")
        texts = {file.name: file.read_bytes().decode("utf-8") for file in sorted((folder / "corpus").iterdir())}
        chunks = [chunk for file, text in texts.items() for chunk in windows(file, text, tokenizer, 200)]
        every += [text[i : i + 1200] for text in texts.values() for i in range(0, len(text), 1200)]
        for model, embed in models.items():
            if embed is None:
                print(f"{name:<10} {len(chunks):>6} {model:<18} not installed: pip install wordllama==0.4.0.post1")
                continue
            figures = " ".join(f"{figure:8.1f}" for figure in evaluate(embed, chunks, questions))
            print(f"{name:<10} {len(chunks):>6} {model:<18} {figures}")

    print(f"\n{len(every)} texts of 1,200 characters, one thread, texts a second of processor time:")
    for model, embed in models.items():
        if embed is not None and model != "all-MiniLM-L6-v2":
            print(f"  {model:<18} {speed(embed, every):8.0f}")


if __name__ == "__main__":
    main()
