"""Seed 002's comparison of chunking: fixed, semantic, hierarchical, cut by a language model, and with its contexts.

    python benchmarks/agentic.py DOCS_RAG [--records benchmarks/records/docs-rag] [--model static]

Needs `pip install 'infograph[eval]'`. DOCS_RAG: a folder with `questions.jsonl` and its documents in `corpus/`.

agentic-2: the places that a model would cut at are records of `infograph enrich --task breakpoints`; those of 23 pages
of docs-rag were made by a Claude model through `scripts/record_llm.py`, from the headings, beginnings and sizes of the
numbered parts. Only documents with places take part, and questions whose answers lie in these.

agentic-1 is the default strategy with `chunks.prefix = "context"`. Contexts of the chunks of all 45 pages were written
by a Claude model in the same way, which had not seen a question about them. The methods but for agentic-2 are measured
again on all of these pages.

First the seed's metrics of its Table 1, beside its own figures for single hops (other documents, another embedder,
other questions), with the 95% intervals of the differences from the default strategy (questions drawn again, paired;
`*` is beyond chance). Then its Table 2: what a document costs. Calls and tokens are those of `infograph enrich`,
counted as the recording endpoint does, a quarter of the bytes; answers have as many tokens a chunk as those that are
recorded, of queries and propositions as those of chunklab. Money at the seed's prices, 0.80 and 4 dollars per million
tokens.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from infograph.commands.enrich.breakpoints import BreakpointRun
from infograph.commands.enrich.estimate import estimate
from infograph.commands.enrich.request import EnrichRequest
from infograph.config import load
from infograph.config.settings import Settings
from infograph.evaluate.bench import Bench, Request
from infograph.evaluate.bootstrap import difference
from infograph.evaluate.dataset import at_corpus, find_or_make, question_files, read_documents
from infograph.formats.enrichment import parse
from infograph.formats.names import enrichment_file
from infograph.llm.endpoint import Endpoint
from infograph.llm.wire import tokens_of
from infograph.progress import Silent

RECORDS = Path(__file__).parent / "records"
AGENTIC_1 = "agentic-1: context"
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "default: semantic-250-750": ("semantic-250-750", {}),
    "fixed-700-20": ("fixed", {"window": 700, "overlap": 20}),
    "semantic-80-1-800": ("semantic-embedding", {"percentile": 80.0, "smooth": 1, "minimum": 1, "maximum": 800}),
    "hierarchical-2000-500": ("hierarchical", {"levels": (2000, 500)}),
    "agentic-2": ("agentic", {}),
    AGENTIC_1: ("semantic-250-750", {}),
}
SEED = {
    "hierarchical-2000-500": ".387  .507  .243  .482",
    "agentic-2": ".248     –     –     –",
}
"""T1EM, T1C, T1O and MRR of the seed's Table 1, single hop, as far as its text has them."""
COSTS = {
    "fixed-700-20": (0.445, 0.0),
    "semantic-80-1-800": (4.263, 0.0),
    "hierarchical-2000-500": (0.573, 0.0),
    "agentic-2": (3.881, 0.13),
    "context (agentic-1)": (3.822, 2.45),
}
"""Seconds and dollars a document of the seed's Table 2."""
ANSWERS = {
    "context": "docs-rag-contexts",
    "metadata": "docs-rag-metadata",
    "queries": "chunklab",
    "propositions": "chunklab",
}
"""Folders of recorded answers, by task."""
METRICS = ("T1EM", "T1C", "T1O", "MRR@10", "tokens@5")
TASKED = (
    ("context (agentic-1)", "context", "chunk"),
    ("metadata, seven fields", "metadata", "chunk"),
    ("metadata, a page at a time", "metadata", "document"),
    ("queries", "queries", "chunk"),
    ("propositions", "propositions", "chunk"),
)
"""Rows of the table of costs: name, task, what a call is about."""
PRICES = {"input": 0.8, "output": 4.0}
RETRIEVERS = ("dense", "fusion")


def bench_of(options: argparse.Namespace, name: str, taking_part: Path) -> Bench:
    """The bench of one method, over the documents that a folder has records of."""
    strategy, values = METHODS[name]
    flags = {"model": options.model, "strategy": strategy, "cache": options.cache}
    records = options.records
    if name == AGENTIC_1:
        records, flags["chunks.prefix"] = options.contexts, "context"
    settings = replace(at_corpus(load(str(options.docs), flags=flags, environment={})), enrichment=records)
    config = replace(settings.config, strategies=(*settings.config.strategies, (strategy, tuple(values.items()))))
    settings = replace(settings, config=config)
    documents, _ = read_documents(settings, plain=True)
    asked, _ = find_or_make(settings, question_files(settings, ()), documents)
    placed = [parsed for parsed in documents if (taking_part / enrichment_file(parsed.document.path)).is_file()]
    names = {parsed.document.path for parsed in placed}
    asked = tuple(question for question in asked if all(span.file in names for span in question.gold))
    return Bench(settings, Request(retrievers=RETRIEVERS, k=5, passages=0), Silent(), placed, asked)


def quality(options: argparse.Namespace, methods: list[str], taking_part: Path) -> dict[str, float]:
    """Prints the table of metrics; returns seconds a document of each method."""
    found: dict[str, dict[str, Any]] = {}
    seconds: dict[str, float] = {}
    chunks: dict[str, int] = {}
    for name in methods:
        bench = bench_of(options, name, taking_part)
        start = time.process_time()
        cuts = list(bench.cut(bench.settings.config))
        seconds[name] = (time.process_time() - start) / len(cuts)
        chunks[name] = sum(len(cut.chunks) for cut in cuts)
        found[name] = {system.retriever: system.values for system in bench.measure(name, bench.settings.config)}
    print(f"{len(bench.documents)} documents, {len(bench.asked)} questions, {options.model}")
    first = methods[0]
    for retriever in RETRIEVERS:
        print(
            f"\n{retriever:<28}{'chunks':>8}" + "".join(f"{m:>9}" for m in METRICS) + "   T1EM, MRR against the default"
        )
        for name in methods:
            values, base = found[name][retriever], found[first][retriever]
            gaps = " ".join(gap(values[metric], base[metric]) for metric in ("T1EM", "MRR@10"))
            cells = "".join(
                f"{np.mean(values[m]):9.0f}" if "@5" in m else f"{np.mean(values[m]):9.3f}" for m in METRICS
            )
            seed = f"   seed: {SEED[name]}" if name in SEED else ""
            print(f"{name:<28}{chunks[name]:>8}{cells}   {gaps}{seed}")
    return seconds


def gap(values: np.ndarray, base: np.ndarray) -> str:
    """The interval of a difference, marked where it is beyond chance."""
    low, high = difference(values, base)
    return f"{low:+.3f}…{high:+.3f}{'*' if low > 0 or high < 0 else ' '}"


def recorded_tokens(task: str) -> float:
    """Tokens of the answer about a chunk, as recorded."""
    sizes = [
        tokens_of(json.dumps(record.fields, ensure_ascii=False))
        for path in (RECORDS / ANSWERS[task]).glob("*.json")
        for record in parse(path.name, path.read_bytes()).records
        if record.fields and record.task == task
    ]
    return mean(sizes)


def costs(options: argparse.Namespace, seconds: dict[str, float]) -> None:
    """Prints what a document costs."""
    print(f"\n{'a document':<28}{'seconds':>9}{'calls':>8}{'in':>9}{'out':>8}{'dollars':>10}   seed: seconds, dollars")
    for name, spent in seconds.items():
        theirs = f"   {COSTS[name][0]:.3f} {COSTS[name][1]:.2f}" if name in COSTS else ""
        if name not in ("agentic-2", AGENTIC_1):
            print(f"{name:<28}{spent:9.3f}{0:8.2f}{0:9.0f}{0:8.0f}{0:10.4f}{theirs}")
    with tempfile.TemporaryDirectory() as folder:
        flags = {"model": options.model, "cache": f"{folder}/cache", "enrich.dir": f"{folder}/none"}
        settings = at_corpus(load(str(options.docs), flags=flags, environment={}))
        documents = len(read_documents(settings, plain=True)[0])
        run = BreakpointRun(settings, EnrichRequest(), Endpoint("openai", "", "claude"), Silent())
        found = run.estimate()
        files = [parse(path.name, path.read_bytes()) for path in options.records.glob("*.json")]
        places = [len(file.breakpoints.places) for file in files if file.breakpoints]
        said = tokens_of('{"breakpoints": [' + ", ".join(["100"] * round(mean(places))) + "]}")
        row("agentic-2", found.calls, found.input_tokens, found.calls * said, documents, seconds["agentic-2"])
        for name, task, unit in TASKED:
            found = estimate(tasked(settings, task, unit), EnrichRequest(), "claude")
            said = round(found.standing.to_ask * recorded_tokens(task))
            row(name, found.calls, found.input_tokens, said, documents, 0.0)
    print("seconds: of the processor, without waiting for a model; the seed's are with it")


def tasked(settings: Settings, task: str, unit: str) -> Settings:
    enrich = replace(settings.config.enrich, tasks=(task,), unit=unit)
    return replace(settings, config=replace(settings.config, enrich=enrich))


def row(name: str, calls: int, tokens_in: int, tokens_out: int, documents: int, seconds: float) -> None:
    dollars = (tokens_in * PRICES["input"] + tokens_out * PRICES["output"]) / 1e6
    theirs = f"   {COSTS[name][0]:.3f} {COSTS[name][1]:.2f}" if name in COSTS else ""
    numbers = f"{calls / documents:8.2f}{tokens_in / documents:9.0f}{tokens_out / documents:8.0f}"
    print(f"{name:<28}{seconds:9.3f}{numbers}{dollars / documents:10.4f}{theirs}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("docs", type=Path)
    parser.add_argument("--records", type=Path, default=RECORDS / "docs-rag")
    parser.add_argument("--contexts", type=Path, default=RECORDS / "docs-rag-contexts")
    parser.add_argument("--model", default="static")
    parser.add_argument("--cache")
    options = parser.parse_args()
    options.records, options.contexts = options.records.resolve(), options.contexts.resolve()
    seconds = quality(options, list(METHODS), options.records)
    print()
    quality(options, [name for name in METHODS if name != "agentic-2"], options.contexts)
    costs(options, seconds)


if __name__ == "__main__":
    main()
