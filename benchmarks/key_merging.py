"""Seed 000's configurations A to D and its ablations: what merging chunks by a model's keys does to retrieval.

    python benchmarks/key_merging.py DOCS... [--model static] [--records FOLDER] [--rolling-off FOLDER] [--broad FILE]

Needs `pip install 'infograph[eval]'`. DOCS: folders with `questions.jsonl`, or whose own questions are asked. Figures
of the seed stand beside ours: 18 documents of its own and 30 questions, neither of them public.

    A   windows of 512 characters, by vectors        B   sections (100 to 1,500 characters), by vectors
    C   chunks of the records, merged by key         D   as B, by words

B′ and D′ are chunks of the default strategy, which those of C are made of. C needs records with keys, as `infograph
enrich` writes them, in DOCS/_enrichment or `--records` (benchmarks/records has those of chunklab and docs-rag).
Ablations: A1, keys without a rolling dictionary, from records made with `enrich.rolling = false` in a folder of their
own (benchmarks/records/chunklab-flat); A2, without merging (B′); A3, broad keys, from a file with the keys of each
document's chunks, in order (benchmarks/records/sample-docs-broad.json has those of sample-docs, by a Claude model which
saw the specific keys); A4, units of at most 1,500, 3,000 and 6,000 characters. The seed plans its ablations and has no
figures of them.

R@k: questions for which one of the first k units holds a part of the answer. MRR with the 95% interval of its
difference from B′, of merged units by words from D′ (questions drawn again, paired; `*` is beyond chance).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from restructuring import MOST_CHARACTERS, ORPHAN, around, units_by_key

from infograph.config import load
from infograph.config.settings import Settings
from infograph.enrich.fields import normal_key
from infograph.evaluate.bench import Bench, Request
from infograph.evaluate.bootstrap import difference
from infograph.evaluate.corpus import Cut
from infograph.evaluate.dataset import at_corpus, find_or_make, question_files, read_documents
from infograph.evaluate.questions import Question, Span
from infograph.evaluate.retrievers import Bm25
from infograph.model import ENRICHED, Chunk
from infograph.progress import Silent

SEED = {
    "A": "717  .900  .933   .933  .858",
    "B": "269  .767  .867   .867  .742",
    "C": "244  .800  .867   .867  .744",
    "D": "269  .933 1.000  1.000  .911",
}
"""Table 6 of the seed: chunks, R@3, R@5, R@10, MRR."""
WINDOW = 512
DEPTHS = (3, 5, 10)
STRUCTURAL = "structural"
Ranks = np.ndarray


@dataclass(frozen=True, slots=True)
class Unit:
    """What is returned for a question: one or more slices of a document."""

    spans: tuple[Span, ...]
    text: str

    def holds(self, spans: Iterable[Span]) -> bool:
        """Whether it has a part of one of the spans."""
        return any(own.overlap(span) for own in self.spans for span in spans)


def windows(bench: Bench) -> list[Unit]:
    """Windows of a fixed number of characters."""
    found = []
    for parsed in bench.documents:
        path, text, offset = parsed.document.path, parsed.document.body, len(parsed.document.prefix)
        for at in range(0, len(text), WINDOW):
            part = text[at : at + WINDOW]
            if part.strip():
                found.append(Unit((Span(path, offset + at, offset + at + len(part)),), part))
    return found


def spans_of(cut: Cut) -> list[Span]:
    """The place of each chunk of a document."""
    found, at = [], cut.offset
    for chunk in cut.chunks:
        found.append(Span(chunk.document, at, at + len(chunk.text)))
        at += len(chunk.text)
    return found


def chunk_units(cuts: Sequence[Cut]) -> list[Unit]:
    """Each chunk by itself."""
    return [
        Unit((span,), chunk.embed_text)
        for cut in cuts
        for span, chunk in zip(spans_of(cut), cut.chunks, strict=True)
        if span.start < span.end
    ]


def said(chunk: Chunk, name: str) -> str:
    return str(dict(chunk.facts).get(f"{ENRICHED}{name}", ""))


def merged_units(
    cuts: Sequence[Cut], most: int = MOST_CHARACTERS, given: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> tuple[list[Unit], int, int]:
    """Chunks with the same key together; how many units have several, and how many chunks these have.

    given: keys of a document's chunks that replace those of the records
    """
    found, groups, members = [], 0, 0
    for cut in cuts:
        chunks, spans = cut.chunks, spans_of(cut)
        keys = list(given.get(chunks[0].document, ())) if chunks else []
        if len(keys) != len(chunks):
            keys = [said(chunk, "key") for chunk in chunks]
        summaries = [said(chunk, "summary") for chunk in chunks]
        for unit in units_by_key(keys, [len(chunk.text) for chunk in chunks], most):
            first = chunks[unit[0]]
            text = "\n\n".join([first.embed_text, *(chunks[place].readable for place in unit[1:])])
            if not keys[unit[0]] and len(first.text) < ORPHAN:
                text = f"{around(summaries, unit[0])}\n{text}"
            found.append(Unit(tuple(spans[place] for place in unit), text))
            groups, members = groups + (len(unit) > 1), members + len(unit) * (len(unit) > 1)
    return found, groups, members


def sharing(cuts: Sequence[Cut]) -> str:
    """How many chunks have a key that another chunk of their document has, fit it into a unit or not."""
    counts = [Counter(filter(None, (normal_key(said(chunk, "key")) for chunk in cut.chunks))) for cut in cuts]
    shared = sum(count for document in counts for count in document.values() if count > 1)
    return f"{shared} of {sum(len(cut.chunks) for cut in cuts)} chunks share their key with another of their document"


class Ranking:
    """Ranks of the first unit that answers, by vectors and by words."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.questions = bench.question_vectors

    def dense(self, units: Sequence[Unit]) -> Ranks:
        rows = self.bench.embedder.embed([unit.text for unit in units])
        return self._ranks(units, self.questions @ rows.T)

    def sparse(self, units: Sequence[Unit]) -> Ranks:
        index = Bm25([unit.text for unit in units], self.bench.words)
        return self._ranks(units, np.stack([index.scores(question.text) for question in self.bench.asked]))

    def _ranks(self, units: Sequence[Unit], scores: np.ndarray) -> Ranks:
        """The rank of the first unit that holds a part of the answer, from 1; infinite where none is found."""
        pairs = zip(self.bench.asked, scores, strict=True)
        return np.array([self._rank(units, question, row) for question, row in pairs])

    def _rank(self, units: Sequence[Unit], question: Question, row: np.ndarray) -> float:
        rank = 0
        for place in np.argsort(-row, kind="stable"):
            if row[place] == -np.inf:
                break
            if question.origin and units[place].holds([question.origin]):
                continue  # it holds the question itself
            rank += 1
            if units[place].holds(question.gold):
                return float(rank)
        return float("inf")


def line(name: str, units: Sequence[Unit], ranks: Ranks, base: Ranks, seed: str = "") -> str:
    """A row of the table."""
    shares = "".join(f"{(ranks <= depth).mean():7.3f}" for depth in DEPTHS)
    low, high = difference(1 / ranks, 1 / base)
    beyond = "*" if low > 0 or high < 0 else " "
    size = sum(sum(span.length for span in unit.spans) for unit in units) / len(units)
    return (
        f"{name:<30}{len(units):>7,}{size:>7.0f}{shares}{(1 / ranks).mean():7.3f} {low:+.3f}…{high:+.3f}{beyond}"
        f"  {seed}".rstrip()
    )


def bench_of(folder: Path, options: argparse.Namespace) -> Bench:
    settings = at_corpus(load(str(folder), flags={"model": options.model, "cache": options.cache}, environment={}))
    documents, _ = read_documents(settings, plain=True)
    asked, _ = find_or_make(settings, question_files(settings, ()), documents)
    return Bench(settings, Request(passages=0, parents=False), Silent(), documents, asked)


def records_in(bench: Bench, folder: Path | None) -> list[Cut]:
    """The chunks of the default strategy with the records of a folder."""
    settings = bench.settings if folder is None else replace(bench.settings, enrichment=folder)
    other = Bench(settings, bench.request, bench.reporter, bench.documents, bench.asked)
    return list(other.cut(settings.config))


def configured(settings: Settings, strategy: str) -> Any:
    return load(str(settings.root), flags={"model": settings.config.model, "strategy": strategy}, environment={}).config


def compared(folder: Path, options: argparse.Namespace) -> None:
    """Prints the table of one set."""
    bench = bench_of(folder, options)
    ranking = Ranking(bench)
    sections = chunk_units(list(bench.cut(configured(bench.settings, options.structural))))
    own = records_in(bench, options.records)
    chunks = chunk_units(own)
    base, words, fixed = ranking.dense(chunks), ranking.sparse(chunks), windows(bench)
    print(f"\n{folder.name}: {len(bench.documents)} documents, {len(bench.asked)} questions, {options.model}")
    print(f"{'':<30}{'units':>7}{'chars':>7}" + "".join(f"{f'R@{k}':>7}" for k in DEPTHS) + "    MRR   against B′")
    print(line("A  fixed, 512 characters", fixed, ranking.dense(fixed), base, f"seed: {SEED['A']}"))
    print(line("B  sections", sections, ranking.dense(sections), base, f"seed: {SEED['B']}"))
    print(line("B′ default chunks (A2)", chunks, base, base))
    if any(said(chunk, "key") for cut in own for chunk in cut.chunks):
        units, groups, members = merged_units(own)
        print(line("C  merged by key", units, ranking.dense(units), base, f"seed: {SEED['C']}"))
        print(f"   {sharing(own)}; {groups} units of several chunks, {members} in them (seed: 13, 28 of 244)")
    else:
        print("C  no records with keys: infograph enrich writes them")
        units = []
    print(line("D  sections, by words", sections, ranking.sparse(sections), base, f"seed: {SEED['D']}"))
    print(line("D′ default chunks, by words", chunks, words, base))
    if units:
        print(line("   merged by key, by words", units, ranking.sparse(units), words))
        for most in (1500, 3000, 6000):
            other, *_ = merged_units(own, most)
            print(line(f"A4 units of {most:,} characters", other, ranking.dense(other), base))
            print(line("   by words", other, ranking.sparse(other), words))
    if options.rolling_off is not None:
        flat = records_in(bench, options.rolling_off)
        other, groups, members = merged_units(flat)
        print(line("A1 rolling keys off", other, ranking.dense(other), base))
        print(f"   {sharing(flat)}; {groups} units of several chunks, {members} in them")
    if options.broad is not None:
        given = json.loads(options.broad.read_bytes())
        for most in (1500, 3000, 6000):
            other, groups, members = merged_units(own, most, given)
            print(line(f"A3 broad keys, {most:,}", other, ranking.dense(other), base))
            print(line("   by words", other, ranking.sparse(other), words))
            print(f"   {groups} units of several chunks, {members} chunks in them")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("docs", type=Path, nargs="+")
    parser.add_argument("--model", default="static")
    parser.add_argument(
        "--structural", default=STRUCTURAL, help="strategy of B and D, 100 to 1,500 characters by default"
    )
    parser.add_argument("--cache")
    parser.add_argument("--records", type=Path, help="records of C, where they are not beside the documents")
    parser.add_argument("--rolling-off", type=Path, help="records of A1")
    parser.add_argument("--broad", type=Path, help="keys of A3")
    options = parser.parse_args()
    for folder in options.docs:
        compared(folder.resolve(), options)


if __name__ == "__main__":
    main()
