"""Links between pages: what they find where an answer takes several pages, and what they cost where it takes one.

    python benchmarks/links.py --questions DIR --trees DIR [--cache DIR] [--sets NAME …] [--rankings words files rerank]

Needs `pip install 'infograph[eval]'`. The sets hotpot-100 and musique-100 name several pages for each question, the
others one, or spans of pages; all are cut by the default strategy and asked through the reader, without links and with
them. Rankings: `words` BM25 alone, `files` the search as it is published, `rerank` that with the model's look at the
first 32 chunks. `--cache` keeps MiniLM's vectors, which `words` does without.

Per question, then averaged over a set, in percent:

    all@8      1 when every right page is among the first eight pages
    recall@5   right pages (spans) among the first five pages (chunks) / all of them; of pages that each answer alone, 1
               when one is there
    MRR@10     1 / rank of the first right page (chunk), 0 beyond ten

`links - none` has the 95% interval of the difference, questions drawn again, paired. `KB more`: what a query reads more
that begins with nothing, the largest of all questions behind it. `share`: link shards in the bytes of `_search`.
`--shares` tries other shares of a leader's score in place of the one that is shipped: the sets that take several pages
choose it, each for the other.
"""

from __future__ import annotations

import argparse
import io
import json
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import search_quality  # first: it sets the number of threads

import numpy as np  # isort: skip
from numpy.typing import NDArray

from infograph.chunking.chunker import chunk_document
from infograph.chunking.registry import strategy
from infograph.evaluate.bootstrap import difference
from infograph.evaluate.questions import Span
from infograph.search.format.bundle_manifest import language_of, read_manifest
from infograph.search.format.layout import MANIFEST
from infograph.search.format.results import Hit, Remarks
from infograph.search.format.search_space import load_space
from infograph.search.reading.asking import Searcher
from infograph.search.reading.dialogue import Dialogue
from infograph.search.reading.fetching import opened
from infograph.search.reading.query import Query
from infograph.search.writing.bundle import bundle
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.page_index import PageIndex, SearchChunk, SearchPage, index_page, snippet_of
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode
from infograph.source.overview import overview
from infograph.text.language import stemmer

SEVERAL = ("hotpot-100", "musique-100")
SETS = (*SEVERAL, "docs-rag", "chunklab", "fastapi-pages", "chroma")
RANKINGS = ("words", "files", "rerank")
METRICS = ("all@8", "recall@5", "MRR@10")
Measured = dict[str, NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Cut:
    """A file as search has it, and the spans of its chunks."""

    page: SearchPage
    spans: tuple[Span, ...]


def load(name: str, questions: Path, trees: Path) -> tuple[dict[str, bytes], list[search_quality.Asked]]:
    """Files and questions of a set."""
    if name not in SEVERAL:
        return search_quality.load_set(name, questions, trees)
    with tarfile.open(fileobj=io.BytesIO((questions / name / "corpus.tar.gz").read_bytes())) as archive:
        members = [member for member in archive.getmembers() if member.isfile()]
        contents = {Path(member.name).name: archive.extractfile(member) for member in members}
        files = {file: data.read() for file, data in sorted(contents.items()) if data is not None}
    lines = (questions / name / "questions.jsonl").read_text("utf-8").splitlines()
    asked = [json.loads(line) for line in lines]
    return files, [
        search_quality.Asked(one["question"], pages=tuple(gold["file"] for gold in one["gold"])) for one in asked
    ]


def cut(file: str, data: bytes) -> Cut:
    """A file, cut by the default strategy; anchors are left out."""
    document = decode(file, data)
    blocks, _ = parse_blocks(document)
    headings = search_quality.headings_of(document, blocks)
    start, shown, spans = len(document.prefix), [], []
    for chunk in chunk_document(document, blocks, strategy(), search_quality.tools()).chunks:
        href = f"{Path(file).stem}-{chunk.index}.md"
        snippet = snippet_of(chunk.text)
        text = chunk.embed_text
        inner = tuple(text for at, _, text in headings if start <= at < start + len(chunk.text))
        one = SearchChunk(chunk.title, chunk.section_path, "", href, chunk.tokens, chunk.sha256, text, snippet, inner)
        shown.append(one)
        spans.append(Span(file, start, start + len(chunk.text)))
        start += len(chunk.text)
    title, _ = overview(document, blocks)
    page = SearchPage(file, title, f"{file.removesuffix('.md')}/", tuple(shown), related=document.related)
    return Cut(page, tuple(spans))


class Case:
    """A question set as a published bundle."""

    def __init__(self, name: str, args: argparse.Namespace, *, words: bool) -> None:
        sources, self.asked = load(name, args.questions, args.trees)
        self.several = name in SEVERAL
        self.cuts = {file: cut(file, data) for file, data in sources.items()}
        self.queries: Sequence[NDArray[np.float32] | None] = [None] * len(self.asked)
        space, options = load_space(), SearchOptions(model=search_quality.MINILM)
        texts = [chunk.text for one in self.cuts.values() for chunk in one.page.chunks]
        projected = np.zeros((len(texts), space.dimension), np.int8)
        if not words:
            embed = search_quality.Vectors(args.cache, search_quality.MINILM)
            projected = space.project(embed.name, embed(texts))
            self.queries = list(embed([question.text for question in self.asked]))
        made = bundle(self._indexed(projected), search_quality.english(), space, options)
        self.files, self.manifest = dict(made.files), read_manifest(made.files[MANIFEST])
        self.links = made.manifest.get("links")

    def _indexed(self, vectors: NDArray[np.int8]) -> list[PageIndex]:
        pages, at = [], 0
        for one in self.cuts.values():
            end = at + len(one.page.chunks)
            pages.append(index_page(one.page, vectors[at:end], search_quality.english()))
            at = end
        return pages

    def asked_for(self, number: int, *, rerank: bool, share: float) -> tuple[tuple[Hit, ...], int]:
        """The first ten hits of a question, and the bytes that were read; a share of 0 follows no link."""
        manifest = self.manifest
        if manifest.links is not None:
            manifest = replace(manifest, links=replace(manifest.links, share=share))
        question = self.asked[number]
        vector = self.queries[number] if rerank else None
        query = Query(
            question.text,
            one_per_page=bool(question.pages),
            vector=None if vector is None else vector.tolist(),
            links=share > 0,
        )
        searcher, read = Searcher(manifest, language_of(manifest, stemmer)), {}

        def contents(names: Sequence[str]) -> dict[str, object]:
            read.update((name, self.files[name]) for name in names)
            return {name: opened(name, self.files[name], searcher.shards.largest) for name in names}

        found = Dialogue(searcher.search(query, Remarks())).run(contents)
        return found.hits, sum(map(len, read.values()))

    def score(self, number: int, hits: Sequence[Hit]) -> dict[str, float]:
        """The metrics of one answer."""
        question = self.asked[number]
        if question.pages:
            pages = [hit.page for hit in hits]
            found = [page in pages[:5] for page in question.pages]
            right = [page in question.pages for page in pages]
            recall = float(np.mean(found)) if self.several else float(any(found))
            every = float(all(page in pages[:8] for page in question.pages))
        else:
            spans = [self.cuts[hit.page].spans[hit.index] for hit in hits]
            right = [any(span.overlap(gold) for gold in question.gold) for span in spans]
            recall = float(np.mean([any(span.overlap(gold) for span in spans[:5]) for gold in question.gold]))
            every = float(all(any(span.overlap(gold) for span in spans[:8]) for gold in question.gold))
        first = next((1 / rank for rank, is_right in enumerate(right, 1) if is_right), 0.0)
        return {"all@8": every, "recall@5": recall, "MRR@10": first}

    def measured(self, *, rerank: bool, share: float) -> tuple[Measured, NDArray[np.int64]]:
        """The metrics of each question in percent, and the bytes that each read."""
        answers = [self.asked_for(number, rerank=rerank, share=share) for number in range(len(self.asked))]
        scores = [self.score(number, hits) for number, (hits, _) in enumerate(answers)]
        values = {metric: 100 * np.array([score[metric] for score in scores]) for metric in METRICS}
        return values, np.array([size for _, size in answers])


def run(name: str, ranking: str, args: argparse.Namespace) -> None:
    """Prints a set's lines."""
    case = Case(name, args, words=ranking == "words")
    rerank = ranking == "rerank"
    plain, plain_bytes = case.measured(rerank=rerank, share=0.0)
    print(f"{name:<14} {ranking:<7} none    {_line(plain)}", flush=True)
    if case.links is None:
        print(f"{'':<22} no page leads to another")
        return
    for share in args.shares or [case.links["share"]]:
        own, size = case.measured(rerank=rerank, share=share)
        more = (size - plain_bytes) / 1000
        print(f"{'':<22} {share:<7g} {_line(own)}   {more.mean():.1f} KB more, most {more.max():.1f}")
        gains = (difference(own[metric], plain[metric]) for metric in METRICS)
        shown = (
            f"{metric} {(own[metric] - plain[metric]).mean():+.1f} ({low:+.1f} … {high:+.1f})"
            for metric, (low, high) in zip(METRICS, gains, strict=True)
        )
        print(f"{'':<22} links - none: {', '.join(shown)}", flush=True)
    shards = [data for file, data in case.files.items() if file.startswith("l-")]
    whole = sum(map(len, case.files.values()))
    print(
        f"{'':<22} {_count(case) / len(case.cuts):.2f} links a page, {sum(map(len, shards)) / 1000:.1f} KB in "
        f"{len(shards)} files, share {sum(map(len, shards)) / whole:.2%}; left out: {case.links['left_out']}"
    )


def _line(values: Measured) -> str:
    return "".join(f" {metric} {values[metric].mean():5.1f}" for metric in METRICS)


def _count(case: Case) -> int:
    """Number of links in the shards, each once."""
    names = [name for name in case.files if name.startswith("l-")]
    shards = (opened(name, case.files[name], 1 << 26) for name in names)
    return sum(len({(to[at], to[at + 1]) for at in range(0, len(to), 4)}) for s in shards for to, _ in s.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, required=True, help="folder of the question sets")
    parser.add_argument("--trees", type=Path, required=True, help="folder of the trees, for fastapi-pages")
    parser.add_argument("--cache", type=Path, help="folder that keeps MiniLM's vectors")
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    parser.add_argument("--rankings", nargs="+", default=RANKINGS, choices=RANKINGS)
    parser.add_argument(
        "--shares", nargs="+", type=float, help="shares of a leader's score, instead of the shipped one"
    )
    args = parser.parse_args()
    for ranking in args.rankings:
        for name in args.sets:
            run(name, ranking, args)


if __name__ == "__main__":
    main()
