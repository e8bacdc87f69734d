"""What a language model's words are worth to search, and what they cost.

    python benchmarks/enrichment.py summaries DOCS_RAG [--strategy NAME] [--model NAME]   recorded summaries of sections
    python benchmarks/enrichment.py fields DOCS [--questions FILE] [--model NAME] [--records FOLDER]...
    python benchmarks/enrichment.py overhead                                              see enrichment_overhead.py

Needs `pip install 'infograph[eval]'`. `summaries` takes a question set with a `summaries.jsonl` beside it (file, start,
end, summary): a section's summary is recorded of each chunk whose half it is, or that is its half; and those of the
sections that a larger one is made of, as a summary of that (task `summaries`). `fields` measures each field of the
records of a tree, DOCS/_enrichment or those of all `--records` together; benchmarks/records has a Claude model's of
chunklab (`chunklab`) and of docs-rag (`docs-rag-metadata` and `docs-rag-contexts`). Both: the published search with and
without those words in its postings, by the words alone (`site`) and with the model's look at the best 32 chunks
(`rerank`); differences with their 95% interval
(questions drawn again, paired; `*` is beyond chance), and the bytes of the bundle. All rows have the same chunks.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from infograph.config import load
from infograph.config.settings import ENRICHED_FIELDS, Settings
from infograph.enrich.sections import sections_of
from infograph.evaluate.bench import Bench, Request
from infograph.evaluate.bootstrap import difference, interval
from infograph.evaluate.corpus import corpus_of
from infograph.evaluate.dataset import at_corpus, find_or_make, question_files, read_documents
from infograph.evaluate.metrics import measure
from infograph.evaluate.retrievers import retrieve
from infograph.formats.enrichment import CAPTIONS, SUMMARIES, EnrichmentFile, EnrichmentRecord, parse, render
from infograph.formats.names import ENRICHMENT, enrichment_file
from infograph.pipeline.keys import strategy_key
from infograph.progress import Silent

METRICS = ("MRR@10", "recall@5", "hit@5")
RETRIEVERS = ("site", "rerank")
PUBLISHED = (
    "published of a summary index: MRR .773, recall .714 at 3 (dense alone .737, .659); with a reranking LLM .865"
)
Values = Mapping[str, np.ndarray]


def settings_of(folder: Path, model: str, strategy: str, cache: str | None) -> Settings:
    given = {"model": model, "strategy": strategy, "cache": cache}
    return at_corpus(load(str(folder), flags=given, environment={}))


def bench_of(settings: Settings, questions: Sequence[str]) -> Bench:
    request = Request(questions=tuple(questions), retrievers=RETRIEVERS, k=5, passages=0, parents=False)
    files = question_files(settings, request.questions)
    documents, _ = read_documents(settings, plain=True)
    asked, _ = find_or_make(settings, files, documents)
    return Bench(settings, request, Silent(), documents, asked)


def measured(settings: Settings, questions: Sequence[str], **search: Any) -> tuple[dict[str, Values], int]:
    """Metrics of each question by retriever, and the bytes of the bundle."""
    config = replace(settings.config, search=replace(settings.config.search, **search.pop("search", {})))
    config = replace(config, chunks=replace(config.chunks, **search))
    bench = bench_of(replace(settings, config=config), questions)
    cuts = list(bench.cut(config))
    corpus = corpus_of(cuts, parents=False)
    site, vectors = bench.site(corpus, cuts, strategy_key(config))
    found = {}
    for name in RETRIEVERS:
        scores = site.scores(name, bench.asked, vectors).order
        rankings = [retrieve(corpus, question, row, 10) for question, row in zip(bench.asked, scores, strict=True)]
        found[name] = measure(corpus, bench.asked, rankings, 5)
    return found, sum(map(len, site._files.values()))


def table(settings: Settings, questions: Sequence[str], rows: Sequence[tuple[str, dict[str, Any]]]) -> None:
    """Prints a row for each way, compared with the first."""
    first, size = measured(settings, questions, **rows[0][1])
    count = len(next(iter(first["site"].values())))
    print(f"{count} questions; the bundle without a model's words has {size:,} bytes")
    for retriever in RETRIEVERS:
        print(f"\n{retriever:<24}" + "".join(f"{metric:>26}" for metric in METRICS) + f"{'bytes':>10}")
        line = "".join(f"{share(first[retriever][m]):>26}" for m in METRICS)
        print(f"{rows[0][0]:<24}{line}{'':>10}")
        for name, how in rows[1:]:
            found, grown = measured(settings, questions, **how)
            cells = [compared(found[retriever][m], first[retriever][m]) for m in METRICS]
            print(f"{name:<24}" + "".join(f"{cell:>26}" for cell in cells) + f"{grown / size - 1:>+10.1%}")


def share(values: np.ndarray) -> str:
    low, high = interval(values)
    return f"{values.mean():.3f} ({low:.3f}…{high:.3f})"


def compared(values: np.ndarray, other: np.ndarray) -> str:
    low, high = difference(values, other)
    sign = "*" if low > 0 or high < 0 else " "
    return f"{values.mean():.3f} {values.mean() - other.mean():+.3f} ({low:+.3f}…{high:+.3f}){sign}"


def recorded(settings: Settings, summaries: Path, folder: Path) -> tuple[Settings, float]:
    """Writes the summaries of sections as records of chunks; returns how many of them a chunk got."""
    bench = bench_of(settings, ())
    said: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in summaries.read_text("utf-8").splitlines():
        section = json.loads(line)
        said[section["file"]].append(section)
    given, chunks = 0, 0
    for parsed, cut in zip(bench.documents, bench.cut(settings.config), strict=True):
        path = parsed.document.path
        at, records = cut.offset, []
        spans = []
        for chunk in cut.chunks:
            spans.append((at, at + len(chunk.text), chunk))
            at += len(chunk.text)
        own: dict[int, list[str]] = defaultdict(list)
        for section in said[path]:
            for number, (start, end, _) in enumerate(spans):
                shared = min(end, section["end"]) - max(start, section["start"])
                # A chunk says what a section says whose half it is, or that is its half.
                if 2 * shared > min(end - start, section["end"] - section["start"]):
                    own[number].append(section["summary"])
        for number, texts in own.items():
            chunk = spans[number][2]
            fields = {"summary": " ".join(text[: 500 // len(texts)] for text in texts)}
            records.append(EnrichmentRecord(chunk.readable_sha256, "metadata", "metadata-1", "claude", number, fields))
            given += len(texts)
        for part in sections_of(cut.chunks):
            start, end = spans[part.first][0], spans[part.end - 1][1]
            # Of a section of several chunks this is said: what is said of the sections that it is made of.
            texts = [one["summary"] for one in said[path] if start <= one["start"] and one["end"] <= end]
            if texts:
                fields = {"summary": " ".join(text[: 700 // len(texts)] for text in texts)}
                digest = part.readable_sha256
                records.append(EnrichmentRecord(digest, "summaries", "summaries-1", "claude", part.first, fields))
        chunks += len(spans)
        place = folder / Path(path).parent / enrichment_file(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(render(EnrichmentFile(Path(path).name, records=tuple(records))))
    return replace(settings, enrichment=folder), given / chunks


def summaries(options: argparse.Namespace) -> None:
    settings = settings_of(options.docs, options.model, options.strategy, options.cache)
    with tempfile.TemporaryDirectory() as folder:
        settings, rate = recorded(settings, options.docs / "summaries.jsonl", Path(folder))
        print(f"{options.strategy}, {options.model}: {rate:.2f} summaries a chunk; {PUBLISHED}")
        rows: list[tuple[str, dict[str, Any]]] = [("without", {})]
        rows.append(("summaries in postings", {"search": {"enriched": ("summary",)}}))
        rows.append(("of larger sections", {"search": {"enriched": ("sections",)}}))
        rows.append(("both of these", {"search": {"enriched": ("summary", "sections")}}))
        rows.append(("summaries embedded", {"prefix": "enriched"}))
        rows.append(("both", {"prefix": "enriched", "search": {"enriched": ("summary",)}}))
        table(settings, options.questions, rows)


def joined(folders: Sequence[Path], folder: Path) -> None:
    """Writes files with the records of several folders of one tree."""
    said: dict[Path, list[EnrichmentFile]] = defaultdict(list)
    for one in folders:
        for path in sorted(one.rglob("*.json")):
            said[path.relative_to(one)].append(parse(str(path), path.read_bytes()))
    for name, files in said.items():
        records = tuple(record for file in files for record in file.records)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(render(replace(files[0], records=records)))


def recorded_fields(folder: Path) -> set[str]:
    """Names of the fields that any record has; an image's description counts as `images`, a section's summary as
    `sections`."""
    found = set()
    for path in folder.rglob("*.json"):
        for record in parse(str(path), path.read_bytes()).records:
            own = {SUMMARIES: ("sections",), CAPTIONS: ("images",)}.get(record.task, tuple(record.fields))
            found.update(own)
    return found


def fields(options: argparse.Namespace) -> None:
    settings = settings_of(options.docs, options.model, options.strategy, options.cache)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        joined(options.records or [path for path in settings.root.rglob(ENRICHMENT) if path.is_dir()], folder)
        there = recorded_fields(folder)
        if not there:
            raise SystemExit(f"{settings.root} has no records: infograph enrich writes them")
        if options.records:
            settings = replace(settings, enrichment=folder)
        rows: list[tuple[str, dict[str, Any]]] = [("without", {})]
        rows += [(name, {"search": {"enriched": (name,)}}) for name in ENRICHED_FIELDS if name in there]
        rows.append(("all of them", {"search": {"enriched": ENRICHED_FIELDS}}))
        if {"questions", "queries"} <= there:
            rows.append(("questions and queries", {"search": {"enriched": ("questions", "queries")}}))
        prefixes = ("context", "enriched") if "context" in there else ("enriched",)
        rows += [(f"embedded: {prefix}", {"prefix": prefix}) for prefix in prefixes]
        table(settings, options.questions, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("what", choices=("summaries", "fields", "overhead"))
    parser.add_argument("docs", type=Path, nargs="?")
    parser.add_argument("--questions", action="append", default=[])
    parser.add_argument("--strategy", default="semantic-250-750")
    parser.add_argument("--model", default="static")
    parser.add_argument("--cache")
    parser.add_argument("--records", type=Path, action="append", default=[], help="of `fields`")
    parser.add_argument("--pages", type=int, default=500, help="of `overhead`, 20 chunks each")
    options = parser.parse_args()
    if options.what == "overhead":
        from enrichment_overhead import overhead

        overhead(options.pages)
    else:
        {"summaries": summaries, "fields": fields}[options.what](options)


if __name__ == "__main__":
    main()
