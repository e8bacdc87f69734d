"""Retrieval quality of infograph's search beside the usual systems, over every open question set, in one table.

    python benchmarks/quality.py --questions DIR --trees DIR [--sets NAME …] [--systems NAME …] [--model NAME]

Needs `pip install 'infograph[eval]'`. DIR of the questions holds a folder for each set with `questions.jsonl` and its
documents in `corpus/` or `corpus.tar.gz`, and `fastapi-pages` with tables of queries for the tree `fastapi`. With
all-MiniLM-L6-v2 the first run embeds for a quarter of an hour on two cores; `--cache DIR` keeps vectors.

Systems, each with the chunks of the default strategy, matched whole:

    bm25        words alone, as `bm25s` has them            site      the published search, words alone
    dense       cosine of the model's vectors               links     that with the links of its first pages
    rrf         reciprocal ranks of both, constant 60       rerank    `site` with the model's look at its best chunks
    linear      BM25 plus a weight times the cosine         rerank+links   both

A question of chroma, docs-rag and chunklab is answered by spans of text, of the others by pages; hotpot-100 and
musique-100 want two to four pages each, and `all-gold@8` says how often the first eight have all of them. Each row says
how far its MRR lies above the row before it, with the 95% interval of a paired bootstrap over the questions: one that
holds 0 is chance. Kilobytes and requests are those of files of `_search/` that a reader takes which begins with
nothing (cold) or has answered the set's other questions (warm); milliseconds are Python's, warm.

The last table has the mean over the sets, each set with the same weight, and the set on which a system loses most
against the row before it. No constant of these systems is chosen here: `search_constants.py` and `strategies.py` do
that, on all sets but the one that is judged.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import numpy as np

from infograph.config import Config, load
from infograph.evaluate.bench import Request
from infograph.evaluate.evaluation import EVERY, evaluate
from infograph.evaluate.metrics import ALL_GOLD, COLD, DEPTH, MILLISECONDS, REQUESTS, WARM
from infograph.evaluate.report import System, aligned, over

SPANS = ("chroma", "docs-rag", "chunklab")
"""Sets whose answers are spans of text."""
PAGES = ("fastapi-natural", "fastapi-keywords", "hotpot-100", "musique-100")
"""Sets whose answers are pages."""
K = 5
"""Results of which hit@k asks."""
MAIN = (f"nDCG@{DEPTH}", f"MRR@{DEPTH}", f"hit@{K}", ALL_GOLD)
"""Columns of quality."""
JUDGED = f"MRR@{DEPTH}"
"""The metric that rows are compared by."""


def prepared(name: str, questions: Path, trees: Path, folder: Path) -> Path:
    """A folder with a set as `infograph eval` takes it: `questions.jsonl` and `corpus/`."""
    docs = folder / name
    docs.mkdir()
    if name.startswith("fastapi-"):
        shutil.copytree(trees / "fastapi", docs / "corpus")
        table = (questions / "fastapi-pages" / f"{name.removeprefix('fastapi-')}.tsv").read_text("utf-8")
        lines = [line for line in table.splitlines() if line.strip()]
        rows = (json.dumps(row) for row in page_questions(docs / "corpus", lines))
        (docs / "questions.jsonl").write_text("\n".join(rows), "utf-8")
        return docs
    shutil.copy2(questions / name / "questions.jsonl", docs)
    packed = questions / name / "corpus.tar.gz"
    if packed.exists():
        with tarfile.open(packed) as archive:
            archive.extractall(docs, filter="data")
    else:
        shutil.copytree(questions / name / "corpus", docs / "corpus")
    return docs


def page_questions(corpus: Path, lines: Sequence[str]) -> Iterator[Mapping[str, object]]:
    """Questions of a table: a query, a tab, and its right pages without their suffix, joined by a bar."""
    files = [path.relative_to(corpus).as_posix() for path in sorted(corpus.rglob("*.md"))]
    for line in lines:
        text, wanted = line.split("\t")
        ends = tuple(f"/{page}{end}" for page in wanted.split("|") for end in (".md", "/index.md"))
        gold = [{"file": file} for file in files if f"/{file}".endswith(ends)]
        if not gold:
            raise SystemExit(f"{text!r}: no page of {wanted!r} is in the tree")
        yield {"question": text, "gold": gold}


def row(name: str, system: System, before: System | None) -> list[str]:
    """One line of the table of a set."""
    quality = [f"{system.values[metric].mean():.3f}" for metric in MAIN]
    costs = [f"{system.costs[cost].mean():.1f}" if system.costs else "" for cost in (REQUESTS, COLD, WARM)]
    time = f"{system.costs[MILLISECONDS].mean():.1f}" if system.costs else ""
    return [name, system.retriever, *quality, over(system, before, JUDGED) if before else "", *costs, time]


def together(sets: Mapping[str, Sequence[System]]) -> list[list[str]]:
    """The mean over the sets of each system, how far it lies above the row before it, and where it loses most."""
    rows = [["all sets", "", *MAIN, f"{JUDGED} over the row before", "worst set against it"]]
    for number, system in enumerate(next(iter(sets.values()))):
        means = [float(np.mean([own[number].values[metric].mean() for own in sets.values()])) for metric in MAIN]
        cells = ["mean", system.retriever, *(f"{mean:.3f}" for mean in means)]
        if number:
            gaps = {name: own[number].values[JUDGED] - own[number - 1].values[JUDGED] for name, own in sets.items()}
            # Sets are independent: the variance of the mean of their means.
            wide = 1.96 * float(np.sqrt(sum(gap.var() / len(gap) for gap in gaps.values()))) / len(gaps)
            mean = float(np.mean([gap.mean() for gap in gaps.values()]))
            worst = min(gaps, key=lambda name: float(gaps[name].mean()))
            cells += [f"{mean:+.3f} [{mean - wide:+.3f}, {mean + wide:+.3f}]", f"{worst} {gaps[worst].mean():+.3f}"]
        else:
            cells += ["", ""]
        rows.append(cells)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, required=True, help="folder of the sets")
    parser.add_argument("--trees", type=Path, required=True, help="folder of the trees, for fastapi")
    parser.add_argument("--sets", nargs="+", default=[*SPANS, *PAGES], choices=[*SPANS, *PAGES])
    parser.add_argument("--systems", nargs="+", default=list(EVERY), help="retrievers of `infograph eval`")
    parser.add_argument("--model", default=Config().model, help="embedding model")
    parser.add_argument("--cache", type=Path, default=Path(".embedding-cache"), help="folder of the vectors")
    args = parser.parse_args()
    head = ["set", "system", *MAIN, f"{JUDGED} over the row before", REQUESTS, COLD, WARM, MILLISECONDS]
    sets: dict[str, Sequence[System]] = {}
    for name in args.sets:
        with tempfile.TemporaryDirectory() as folder:
            docs = prepared(name, args.questions, args.trees, Path(folder))
            settings = load(str(docs), flags={"model": args.model, "cache": str(args.cache.resolve())}, environment={})
            asked = Request(retrievers=tuple(args.systems), k=K, passages=0, pages=name in PAGES)
            report = evaluate(settings, asked)
        sets[name] = report.systems
        pairs = zip(report.systems, (None, *report.systems), strict=False)
        rows = [head, *(row(name, system, before) for system, before in pairs)]
        print(f"\n{report.scope}")
        print("\n".join(aligned(rows)), flush=True)
    print("\n" + "\n".join(aligned(together(sets))))


if __name__ == "__main__":
    main()
