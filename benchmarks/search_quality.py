"""Search from files: quality against BM25 and against BM25 with the model at query time, and bytes a query.

    python benchmarks/search_quality.py --questions DIR --trees DIR [--cache DIR] [--sets NAME …] [--cuts 200 default]

Needs `pip install 'infograph[eval]'`. The sets chroma, docs-rag and chunklab ask for spans, fastapi-pages for pages of
the tree `fastapi`. Chunks: windows of 200 tokens as in `static_quality.py`, or the default strategy's. `--cache` keeps
MiniLM's vectors; without them the first run embeds for half an hour on one core.

Per question, then averaged over a set, in percent:

    recall@5   gold spans that one of the first five chunks overlaps / gold spans; for pages: 1 when a right page is
               among the first five pages
    MRR@10     1 / rank of the first right chunk (page), 0 beyond ten
    nDCG@10    as `infograph eval` works it out; for pages with one right answer

Rankings: `bm25` exact, over the bundle's own terms; `ceiling` that plus 10 × cosine of MiniLM's vectors of question and
chunk, which takes the model at query time; `exact` BM25 plus the table's dense sum, in memory; `files` what the reader
finds in the bundle's files. `way`: how much of the gain from bm25 to ceiling files have.

Bytes are a reader's that begins with nothing (cold) for one query: client code (counted as 15 KB), manifest as a web
server compresses it, shards as they lie on disk, and the first five pages' best chunks' text.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import static_quality  # first: it sets the number of threads

import numpy as np  # isort: skip
from numpy.typing import NDArray

from infograph.chunking.page import Tools
from infograph.chunking.strategy import strategy
from infograph.chunking.tokens import WordPieceCounter
from infograph.chunking.tool import chunk_document
from infograph.embedding.onnx import OnnxEmbedder
from infograph.evaluate.metrics import ranking_metrics, span_metrics
from infograph.evaluate.questions import Span, read_questions
from infograph.search import (
    Language,
    PageIndex,
    Reader,
    SearchChunk,
    SearchOptions,
    SearchPage,
    bundle,
    index_page,
    snippet_of,
)
from infograph.search.exact import Exact
from infograph.search.slots import assign_slots
from infograph.search.table import load_table
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode
from infograph.topic.language import stemmer, stop_words
from infograph.wordpiece import load_tokenizer

CODE_BYTES = 15 * 1024
SETS = ("chroma", "docs-rag", "chunklab", "fastapi-pages")
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Cut:
    """A chunk and where it stands."""

    span: Span
    chunk: SearchChunk


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and what answers it: spans, or pages."""

    text: str
    gold: tuple[Span, ...] = ()
    pages: tuple[str, ...] = ()
    kind: str = "question"


def english() -> Language:
    return Language("en", stemmer("en"), frozenset(word.replace("'", "") for word in stop_words("en")))


@cache
def tools() -> Tools:
    return Tools(WordPieceCounter())


tokenizer = cache(load_tokenizer)


# ---- chunks and questions ------------------------------------------------------------------------------------------


def cuts(file: str, data: bytes, how: str) -> Iterator[Cut]:
    """A file's chunks; URL and anchors are of the right length, no more."""
    url = f"{file.removesuffix('.md')}/"
    if how == "default":
        document = decode(file, data)
        blocks, _ = parse_blocks(document)
        start = len(document.prefix)
        for chunk in chunk_document(document, blocks, strategy(), tools()).chunks:
            anchor = "-".join(chunk.title.lower().split())
            href = f"{Path(file).parent}/_chunks/{Path(file).stem}-{chunk.index}.md"
            shown = SearchChunk(
                chunk.title,
                chunk.section_path,
                anchor,
                href,
                chunk.tokens,
                chunk.sha256,
                chunk.embed_text,
                snippet_of(chunk.text),
            )
            yield Cut(Span(file, start, start + len(chunk.text)), shown)
            start += len(chunk.text)
    else:
        for number, window in enumerate(static_quality.windows(file, data.decode(), tokenizer(), int(how))):
            digest = hashlib.sha256(window.text.encode()).hexdigest()
            shown = SearchChunk("", (), "", f"{url}{number}", int(how), digest, window.text, snippet_of(window.text))
            yield Cut(Span(file, window.start, window.end), shown)


def load_set(name: str, questions: Path, trees: Path) -> tuple[dict[str, bytes], list[Asked]]:
    """Files and questions."""
    folder = questions / name
    if name != "fastapi-pages":
        files = {path.name: path.read_bytes() for path in sorted((folder / "corpus").iterdir())}
        lengths = {file: len(data.decode()) for file, data in files.items()}
        found = read_questions(name, (folder / "questions.jsonl").read_bytes(), lengths)
        return files, [Asked(question.text, question.gold) for question in found]
    tree = trees / "fastapi"
    files = {path.relative_to(tree).as_posix(): path.read_bytes() for path in sorted(tree.rglob("*.md"))}
    asked = []
    for kind in ("natural", "keywords"):
        for line in filter(str.strip, (folder / f"{kind}.tsv").read_text("utf-8").splitlines()):
            text, wanted = line.split("\t")
            ends = tuple(f"/{page}{end}" for page in wanted.split("|") for end in (".md", "/index.md"))
            pages = tuple(file for file in files if f"/{file}".endswith(ends))
            asked.append(Asked(text, pages=pages, kind=kind))
    return files, asked


class Vectors:
    """MiniLM's vectors, kept by the texts' digest."""

    def __init__(self, cache: Path | None) -> None:
        self._cache = cache
        self._model = OnnxEmbedder()

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        digest = hashlib.sha256("\0".join(texts).encode()).hexdigest()[:24]
        kept = self._cache / f"{digest}.npy" if self._cache else None
        if kept and kept.exists():
            return np.asarray(np.load(kept), np.float32)
        vectors = self._model.embed(texts)
        if kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            np.save(kept, vectors)
        return vectors


# ---- measuring -----------------------------------------------------------------------------------------------------


def measured(asked: list[Asked], spans: list[Span], rank: Callable[[int], Iterator[int]]) -> dict[str, float]:
    """Means, in percent. `rank` gives chunks, best first, for the n-th question."""
    rankings, wanted, recall = [], [], []
    files = sorted({span.file for span in spans})
    for number, question in enumerate(asked):
        if question.pages:
            pages = list(dict.fromkeys(spans[chunk].file for chunk in rank(number)))[:10]
            rankings.append([files.index(page) for page in pages])
            wanted.append({files.index(page) for page in question.pages})
            recall.append(float(any(page in question.pages for page in pages[:5])))
        else:
            first = [chunk for chunk, _ in zip(rank(number), range(10), strict=False)]
            rankings.append(first)
            wanted.append({c for c, span in enumerate(spans) if any(span.overlap(gold) for gold in question.gold)})
            recall.append(span_metrics(question.gold, [spans[chunk] for chunk in first[:5]], 5)["spans@5"])
    values = ranking_metrics(rankings, wanted, 5)
    means = {"recall@5": recall, "MRR@10": values["MRR@10"], "nDCG@10": values["nDCG@10"]}
    result = {name: 100 * float(np.mean(value)) for name, value in means.items()}
    for kind in ("natural", "keywords"):
        result[kind] = sum(hit for hit, question in zip(recall, asked, strict=True) if question.kind == kind)
    return result


def by_score(scores: list[Scores]) -> Callable[[int], Iterator[int]]:
    return lambda number: map(int, np.argsort(-scores[number], kind="stable"))


def page_indexes(found: list[Cut], vectors: NDArray[np.int8], language: Language) -> list[PageIndex]:
    pages: dict[str, list[int]] = {}
    for place, cut in enumerate(found):
        pages.setdefault(cut.span.file, []).append(place)
    return [
        index_page(
            SearchPage(file, file, f"{file.removesuffix('.md')}/", tuple(found[place].chunk for place in places)),
            vectors[places],
            language,
        )
        for file, places in pages.items()
    ]


class Counting:
    """Files of a bundle, and the bytes that were asked for."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self._files = files
        self.bytes = 0
        self.requests = 0

    def __call__(self, name: str) -> bytes:
        data = self._files[name]
        self.bytes += len(gzip.compress(data, 6)) if name.endswith(".json") else len(data)
        self.requests += 1
        return data


def cold_bytes(files: dict[str, bytes], query: str, texts: dict[str, int]) -> tuple[int, int]:
    """Bytes and requests of a first query."""
    fetch = Counting(files)
    hits = Reader(fetch, stemmer).pages(query, 5)
    return CODE_BYTES + fetch.bytes + sum(texts[hit.href] for hit in hits), fetch.requests + len(hits)


def run(name: str, how: str, args: argparse.Namespace, options: SearchOptions) -> dict[str, dict[str, float]]:
    language, table = english(), load_table()
    embed = Vectors(args.cache)
    sources, asked = load_set(name, args.questions, args.trees)
    found = [cut for file, data in sources.items() for cut in cuts(file, data, how)]
    texts, spans = [cut.chunk.text for cut in found], [cut.span for cut in found]
    vectors, queries = embed(texts), embed([question.text for question in asked])
    projected = table.project("all-MiniLM-L6-v2", vectors)

    exact = Exact(texts, projected, [span.file for span in spans], language, table, options)
    sparse = [exact.sparse(question.text) for question in asked]
    cosine = queries.astype(np.float64) @ vectors.T.astype(np.float64)
    made = bundle(page_indexes(found, projected, language), language, table, options)
    files = dict(made.files)
    reader = Reader(files.__getitem__, stemmer)
    slots = assign_slots({span.file for span in spans})
    numbers: dict[tuple[int, int], int] = {}
    for place, span in enumerate(spans):
        index = place - next(
            first for first in range(place, -1, -1) if first == 0 or spans[first - 1].file != span.file
        )
        numbers[slots[span.file], index] = place

    rankings = {
        "bm25": by_score(sparse),
        "ceiling": by_score([s + 10 * c for s, c in zip(sparse, cosine, strict=True)]),
        "exact": by_score([exact.scores(question.text) for question in asked]),
        "files": lambda number: (numbers[chunk] for chunk, _ in reader.rank(asked[number].text)),
    }
    results = {ranking: measured(asked, spans, rank) for ranking, rank in rankings.items()}
    print(f"\n{name}, {how}: {len(found)} chunks, {len(asked)} questions, alpha {options.alpha:g}")
    for ranking, values in results.items():
        pages = f"  questions {values['natural']:.0f}, keywords {values['keywords']:.0f}" if asked[0].pages else ""
        print(f"  {ranking:<8}" + "".join(f" {m} {values[m]:5.1f}" for m in ("recall@5", "MRR@10", "nDCG@10")) + pages)
    print(f"  files: {len(files)}, {sum(map(len, files.values())) / 1e6:.2f} MB")
    if asked[0].pages:
        sizes = {cut.chunk.href: len(cut.chunk.body.encode()) for cut in found}
        for kind in ("natural", "keywords"):
            costs = [cold_bytes(files, question.text, sizes) for question in asked if question.kind == kind]
            print(f"  cold, {kind}: median {statistics.median(c for c, _ in costs) / 1000:.1f} KB, most "
                  f"{max(costs)[0] / 1000:.1f} KB, requests {statistics.median(r for _, r in costs):.0f}")  # fmt: skip
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, required=True, help="folder of the question sets")
    parser.add_argument("--trees", type=Path, required=True, help="folder of the trees, for fastapi-pages")
    parser.add_argument("--cache", type=Path, help="folder that keeps MiniLM's vectors")
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    parser.add_argument("--cuts", nargs="+", default=["200", "default"], help="tokens of a window, or `default`")
    parser.add_argument("--alpha", type=float, default=SearchOptions().alpha)
    parser.add_argument("--most-dense", type=int, default=SearchOptions().most_dense)
    args = parser.parse_args()
    options = SearchOptions(alpha=args.alpha, most_dense=args.most_dense)
    for how in args.cuts:
        results = [run(name, how, args, options) for name in args.sets]
        print(f"\nmean over the sets, {how}:")
        for metric in ("recall@5", "MRR@10"):
            low, high, own = (np.mean([r[k][metric] for r in results]) for k in ("bm25", "ceiling", "files"))
            print(
                f"  {metric}: bm25 {low:.1f}, ceiling {high:.1f}, files {own:.1f}, way {(own - low) / (high - low):.2f}"
            )
        loss = [1 - r["files"]["nDCG@10"] / r["exact"]["nDCG@10"] for r in results]
        print(
            "  loss of the files, nDCG@10: "
            + ", ".join(f"{n} {100 * x:.1f}%" for n, x in zip(args.sets, loss, strict=True))
        )


if __name__ == "__main__":
    main()
