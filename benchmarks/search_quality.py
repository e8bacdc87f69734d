"""Search from files: quality against BM25 and against BM25 with the model at query time, and bytes a query.

    python benchmarks/search_quality.py --questions DIR --trees DIR [--cache DIR] [--sets NAME …] [--cuts 200 default]
        [--model static]

Needs `pip install 'infograph[eval]'`. The sets chroma, docs-rag and chunklab ask for spans, fastapi-pages for pages of
the tree `fastapi`. Chunks: windows of 200 tokens as in `static_quality.py`, or the default strategy's. `--model` is
whose vectors chunks and questions have; `--cache` keeps MiniLM's, without which the first run embeds for half an hour
on one core.

Per question, then averaged over a set, in percent:

    recall@5   gold spans that one of the first five chunks overlaps / gold spans; for pages: 1 when a right page is
               among the first five pages
    MRR@10     1 / rank of the first right chunk (page), 0 beyond ten
    nDCG@10    as `infograph eval` works it out; for pages with one right answer

Rankings: `bm25` exact, over the bundle's own terms; `exact` that with fields and neighbours, in memory; `files` what
the reader finds in the bundle's files; `rerank` that with the model's look at the first 32 chunks; `sum` is `exact`
plus the same weight of the cosine for every chunk, which takes the vectors of all. `gain` is over bm25, with its 95%
interval (questions drawn again, paired). The last table is what `rerank` gains over `files`: whether it pays, as
infograph/search/ranking/reranking.py has it. A set of a hundred questions tells gains apart that differ by three
percent, no less: `search_constants.py` says whether other weights do better on questions that did not choose them.

Bytes are a reader's that begins with nothing (cold) for one query: the client's modules that it loads, the manifest and
the first five pages' best chunks' text as a web server compresses them, shards as they lie on disk; in brackets with
texts as they are, for a server that leaves Markdown uncompressed.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import static_quality  # first: it sets the number of threads

import numpy as np  # isort: skip
from exact_ranking import Exact  # isort: skip
from numpy.typing import NDArray

from infograph import embedding, web
from infograph.chunking.chunker import chunk_document
from infograph.chunking.interface import StrategyTools
from infograph.chunking.registry import strategy
from infograph.chunking.tokens import WordPieceCounter
from infograph.evaluate.bootstrap import difference
from infograph.evaluate.metrics import ranking_metrics, span_metrics
from infograph.evaluate.published_search import CountingFiles
from infograph.evaluate.questions import Span, read_questions
from infograph.formats.names import CLIENT, WEB_FOLDER
from infograph.model import Block, Document
from infograph.search.format.search_space import load_space
from infograph.search.format.terms import Language
from infograph.search.ranking.reranking import WEIGHT
from infograph.search.reading.reader import Reader
from infograph.search.writing.bundle import bundle
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.page_index import PageIndex, SearchChunk, SearchPage, index_page, snippet_of
from infograph.search.writing.slots import assign_slots
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode
from infograph.text.language import stemmer, stop_words
from infograph.text.lines import line_starts
from infograph.text.wordpiece import load_tokenizer

MINILM = "all-MiniLM-L6-v2"
SETS = ("chroma", "docs-rag", "chunklab", "fastapi-pages")
METRICS = ("recall@5", "MRR@10", "nDCG@10")
Scores = NDArray[np.float64]
Measured = Mapping[str, NDArray[np.float64]]
"""Metric to a value for each question, in percent."""


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
def tools() -> StrategyTools:
    return StrategyTools(WordPieceCounter())


tokenizer = cache(load_tokenizer)


# ---- chunks and questions ------------------------------------------------------------------------------------------


def cuts(file: str, data: bytes, how: str) -> Iterator[Cut]:
    """A file's chunks; URL and anchors are of the right length, no more."""
    url = f"{file.removesuffix('.md')}/"
    document = decode(file, data)
    blocks, _ = parse_blocks(document)
    headings = headings_of(document, blocks)
    if how == "default":
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
                tuple(text for at, _, text in headings if start <= at < start + len(chunk.text)),
            )
            yield Cut(Span(file, start, start + len(chunk.text)), shown)
            start += len(chunk.text)
    else:
        for number, window in enumerate(static_quality.windows(file, data.decode(), tokenizer(), int(how))):
            digest = hashlib.sha256(window.text.encode()).hexdigest()
            path: dict[int, str] = {}
            for at, level, text in headings:
                if at <= window.start:
                    path = {above: known for above, known in path.items() if above < level} | {level: text}
            shown = SearchChunk(
                "",
                tuple(path.values()),
                "",
                f"{url}{number}",
                int(how),
                digest,
                window.text,
                snippet_of(window.text),
                tuple(text for at, _, text in headings if window.start < at < window.end),
            )
            yield Cut(Span(file, window.start, window.end), shown)


def headings_of(document: Document, blocks: Sequence[Block]) -> list[tuple[int, int, str]]:
    """Where each heading of a file begins, its level and its text."""
    starts = line_starts(document.body)
    first = len(document.prefix)
    return [(first + starts[block.start], block.level, block.text) for block in blocks if block.kind == "heading"]


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
    """A packaged model's vectors; MiniLM's are kept by the texts' digest."""

    def __init__(self, cache: Path | None, model: str) -> None:
        self._cache = cache if model == MINILM else None
        self._model = embedding.load(model)
        self.name = self._model.name

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


def right_units(asked: list[Asked], spans: list[Span]) -> list[set[int]]:
    """For each question the chunks that hold some of its answer, or the files, in the order of their names."""
    files = sorted({span.file for span in spans})
    return [
        {files.index(page) for page in question.pages}
        if question.pages
        else {chunk for chunk, span in enumerate(spans) if any(span.overlap(gold) for gold in question.gold)}
        for question in asked
    ]


def measured(
    asked: list[Asked], spans: list[Span], right: list[set[int]], rank: Callable[[int], Iterator[int]]
) -> Measured:
    """`rank` gives chunks, best first, for the n-th question; `right` is of `right_units`."""
    rankings, recall = [], []
    files = sorted({span.file for span in spans})
    for number, question in enumerate(asked):
        if question.pages:
            pages = list(dict.fromkeys(spans[chunk].file for chunk in rank(number)))[:10]
            rankings.append([files.index(page) for page in pages])
            recall.append(float(any(page in question.pages for page in pages[:5])))
        else:
            first = [chunk for chunk, _ in zip(rank(number), range(10), strict=False)]
            rankings.append(first)
            recall.append(span_metrics(question.gold, [spans[chunk] for chunk in first[:5]], 5)["spans@5"])
    values = ranking_metrics(rankings, right, 5)
    found = {"recall@5": np.array(recall), "MRR@10": values["MRR@10"], "nDCG@10": values["nDCG@10"]}
    return {name: 100 * value for name, value in found.items()}


def by_score(scores: Sequence[Scores]) -> Callable[[int], Iterator[int]]:
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


@cache
def code(*, links: bool) -> tuple[int, int]:
    """Bytes and number of the client's files that a page loads in a browser which searches and shows texts."""
    published = web.files()
    modules = (CLIENT, "chunk.js", *(["links.js"] if links else []))
    names = [CLIENT, *(f"{WEB_FOLDER}/{module}" for module in modules)]
    return sum(len(gzip.compress(published[name], 6)) for name in names), len(names)


def cold_bytes(files: dict[str, bytes], query: str, texts: dict[str, bytes]) -> tuple[int, int, int]:
    """Bytes of a first query, the same with texts uncompressed, and requests."""
    fetch = CountingFiles(files)
    reader = Reader(fetch, stemmer)
    shown = [texts[hit.href] for hit in reader.pages(query, 5)]
    size, modules = code(links=reader.manifest.links is not None)
    own = size + fetch.bytes
    packed = sum(len(gzip.compress(text, 6)) for text in shown)
    return own + packed, own + sum(map(len, shown)), modules + fetch.requests + len(shown)


class Case:
    """A question set over chunks of one kind, with a model's vectors."""

    def __init__(self, name: str, how: str, args: argparse.Namespace, options: SearchOptions) -> None:
        embed = Vectors(args.cache, args.model)
        self.name, self.how, self.options = name, how, replace(options, model=embed.name)
        sources, self.asked = load_set(name, args.questions, args.trees)
        self.found = [cut for file, data in sources.items() for cut in cuts(file, data, how)]
        self.spans = [cut.span for cut in self.found]
        texts = [cut.chunk.text for cut in self.found]
        vectors, queries = embed(texts), embed([question.text for question in self.asked])
        self.projected = load_space().project(embed.name, vectors)
        self.exact = Exact([cut.chunk for cut in self.found], [s.file for s in self.spans], english(), self.options)
        self.bm25 = [self.exact.bm25(question.text) for question in self.asked]
        self.scores = [self.exact.scores(question.text) for question in self.asked]
        self.queries = queries
        self.cosines = queries.astype(np.float64) @ vectors.T.astype(np.float64)
        self.sum = [score + WEIGHT * c for score, c in zip(self.scores, self.cosines, strict=True)]

    @cached_property
    def _right(self) -> list[set[int]]:
        return right_units(self.asked, self.spans)

    def measured(self, rank: Callable[[int], Iterator[int]]) -> Measured:
        return measured(self.asked, self.spans, self._right, rank)

    @cached_property
    def files(self) -> dict[str, bytes]:
        pages = page_indexes(self.found, self.projected, english())
        return dict(bundle(pages, english(), load_space(), self.options).files)

    def of_files(self, *, rerank: bool = False) -> Callable[[int], Iterator[int]]:
        """What the reader finds; with the query's vector, too."""
        reader = Reader(self.files.__getitem__, stemmer)
        slots = assign_slots({span.file for span in self.spans})
        first: dict[str, int] = {}
        numbers: dict[tuple[int, int], int] = {}
        for place, span in enumerate(self.spans):
            numbers[slots[span.file], place - first.setdefault(span.file, place)] = place
        return lambda number: (
            numbers[chunk]
            for chunk, _ in reader.rank(self.asked[number].text, self.queries[number] if rerank else None)
        )


def run(name: str, how: str, args: argparse.Namespace, options: SearchOptions) -> dict[str, Measured]:
    case = Case(name, how, args, options)
    rankings = {
        "bm25": by_score(case.bm25),
        "exact": by_score(case.scores),
        "files": case.of_files(),
        "rerank": case.of_files(rerank=True),
        "sum": by_score(case.sum),
    }
    results = {ranking: case.measured(rank) for ranking, rank in rankings.items()}
    print(f"\n{name}, {how}: {len(case.found)} chunks, {len(case.asked)} questions")
    kinds = np.array([question.kind for question in case.asked])
    for ranking, values in results.items():
        line = "".join(f" {metric} {values[metric].mean():5.1f}" for metric in METRICS)
        if case.asked[0].pages:
            hits = {kind: (values["recall@5"][kinds == kind] > 0).sum() for kind in ("natural", "keywords")}
            line += f"  questions {hits['natural']}, keywords {hits['keywords']}"
        print(f"  {ranking:<8}{line}")
    postings = [len(data) for file, data in case.files.items() if file[0] == "p"]
    print(
        f"  files: {len(case.files)}, {sum(map(len, case.files.values())) / 1e6:.2f} MB; postings: {len(postings)}, "
        f"{sum(postings) / 1e6:.2f} MB"
    )
    if case.asked[0].pages:
        texts = {cut.chunk.href: cut.chunk.text.encode() for cut in case.found}
        for kind in ("natural", "keywords"):
            costs = [cold_bytes(case.files, question.text, texts) for question in case.asked if question.kind == kind]
            print(
                f"  cold, {kind}: median {statistics.median(c for c, _, _ in costs) / 1000:.1f} KB "
                f"({statistics.median(c for _, c, _ in costs) / 1000:.1f}), most {max(costs)[0] / 1000:.1f} KB, "
                f"requests {statistics.median(r for _, _, r in costs):.0f}"
            )
    return results


def table_row(name: str, means: Sequence[float], least: float, most: float) -> str:
    low, own, high = means
    return (
        f"  {name:<16} {low:5.1f}  {own:5.1f}  {own - low:+5.1f} ({least:+.1f} … {most:+.1f})".ljust(52)
        + f"{high:5.1f}"
    )


def print_table(how: str, results: Mapping[str, Mapping[str, Measured]]) -> None:
    """Each set's gains, then those of the mean over the sets."""
    for metric in ("recall@5", "MRR@10"):
        print(f"\n{metric}, {how:<10} bm25  files   gain (95%)              sum")
        gains = {name: r["files"][metric] - r["bm25"][metric] for name, r in results.items()}
        means = {
            name: [r[ranking][metric].mean() for ranking in ("bm25", "files", "sum")] for name, r in results.items()
        }
        for name, gain in gains.items():
            least, most = difference(gain, np.zeros(len(gain)))
            print(table_row(name, means[name], least, most))
        wide = 1.96 * np.sqrt(sum(gain.var() / len(gain) for gain in gains.values())) / len(gains)
        low, own, high = np.mean(list(means.values()), axis=0)
        print(table_row("mean", [low, own, high], own - low - wide, own - low + wide))
    print("\ngain of rerank over files (95%)")
    for metric in METRICS:
        gains = {name: r["rerank"][metric] - r["files"][metric] for name, r in results.items()}
        wide = 1.96 * np.sqrt(sum(gain.var() / len(gain) for gain in gains.values())) / len(gains)
        each = ", ".join(f"{name} {gain.mean():+.1f}" for name, gain in gains.items())
        print(f"  {metric:<9} {np.mean([gain.mean() for gain in gains.values()]):+.1f} ± {wide:.1f}: {each}")
    losses = {name: 1 - r["files"]["nDCG@10"].mean() / r["exact"]["nDCG@10"].mean() for name, r in results.items()}
    print("\nloss of the files, nDCG@10: " + ", ".join(f"{name} {100 * loss:.1f}%" for name, loss in losses.items()))


def arguments(description: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, required=True, help="folder of the question sets")
    parser.add_argument("--trees", type=Path, required=True, help="folder of the trees, for fastapi-pages")
    parser.add_argument("--cache", type=Path, help="folder that keeps MiniLM's vectors")
    parser.add_argument("--model", default=MINILM, choices=(MINILM, "static"))
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    parser.add_argument("--cuts", nargs="+", default=["200", "default"], help="tokens of a window, or `default`")
    return parser


def main() -> None:
    args = arguments(__doc__).parse_args()
    for how in args.cuts:
        print_table(how, {name: run(name, how, args, SearchOptions()) for name in args.sets})


if __name__ == "__main__":
    main()
