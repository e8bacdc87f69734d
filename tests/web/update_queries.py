"""Queries over the sample docs, with the answers that every client must give: tests/fixtures/queries.json.

    python tests/web/update_queries.py            build the sample docs with the static model and write the file
    python tests/web/update_queries.py --check    build and compare; exit 1, naming what differs

The answers are those of the Python reader. Scores are compared with a tolerance: a processor that rounds a vector the
other way moves a score a little.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
import tempfile
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[2]
FIXTURE = ROOT / "tests" / "fixtures" / "queries.json"
COMMAND = "python tests/web/update_queries.py"
TOLERANCE = 0.01

QUERIES = (
    "how do I install infograph?",
    "clear the embedding cache",
    "github pages underscore folders",
    "stripe_order",
    "what is the purpose of stripe_order",
    "what is the default chunk size",
    "sample a topic",
    "configuration file",
    "infograph watch",
    "robots",
    "JsonSerializerContext",
    "index.json",
    "remove outputs",
    "question hash simhash hamming distance",
    "Der Cache",
    "東京タワー",
    "the of and",
    "…",
    "",
    "naïve café",
    "delete",
    "build build build",
    "topic-spec.md",
    "instal the embeding modle",
    "JsonSerialzerContext useStaet",
    "robots xylophonist",
    "How it works",
    "how it works?",
    "What is done again",
    "what it does",
    "how, use, it",
    "What a build takes",
    "how to find out which pages changed and publish only these with a content delivery network",
)
PREFIXES = ("conf", "ind", "z", "zzzz", "hal", "日")
MISSPELT = ("chuhk", "confgi", "indx", "embeding", "zzzzz", "x")
BUDGETS = (120, 700, 4000)
QUESTIONS = ("How do I install infograph?", "How can infograph be installed?", "Which models can I use?", "…")


def make_site(folder: Path, files: str = "each") -> Path:
    """The sample docs as a build publishes them, but for the size of shards: as on a large site there are so many that
    their names stand in directories.

    files: `chunks.files`
    """
    from infograph.build import build
    from infograph.config import load
    from infograph.pipeline.worker import pages as searchfiles

    flags = {"out": str(folder / "site"), "cache": str(folder / "cache"), "model": "static"}
    flags |= {"site.generator": "html", "chunks.files": files}
    with patch.object(searchfiles, "SearchOptions", partial(searchfiles.SearchOptions, posting_bytes=250)):
        build(load(str(ROOT / "sample-docs"), flags=flags, environment={}))
    return folder / "site"


def answers(site: Path) -> dict[str, Any]:
    """What the Python reader says."""
    from infograph.search.reading.reader import Reader
    from infograph.text.language import stemmer

    reader = Reader(lambda name: (site / "_search" / name).read_bytes(), stemmer)

    def shown(hits: Any) -> list[Any]:
        return [[f"{hit.page}#{hit.index}", round(hit.score, 6)] for hit in hits]

    return {
        "about": f"Answers over sample-docs/ that every client must give. Written by `{COMMAND}`.",
        "search": {query: shown(reader.search(query, 5, prompts=True)) for query in QUERIES},
        "pages": {query: shown(reader.pages(query, 5, prompts=True)) for query in QUERIES},
        "exact": {query: shown(reader.search(query, 5, exact=True, prompts=True)) for query in QUERIES},
        "alone": {query: shown(reader.search(query, 5, links=False, prompts=True)) for query in QUERIES},
        "led": {query: led(reader.search(query, 10, prompts=True)) for query in QUERIES},
        "corrected": {query: corrected(reader, query) for query in QUERIES},
        "complete": {prefix: [list(row) for row in reader.complete(prefix)] for prefix in PREFIXES},
        "correct": {word: [list(row) for row in reader.correct(word)] for word in MISSPELT},
        "retrieve": {f"{budget} {query}": retrieved(site, query, budget) for query in QUERIES for budget in BUDGETS},
        "match": {question: matches(site, question) for question in QUESTIONS},
        "rerank": {
            query: {"vector": vector, "hits": shown(reader.search(query, 5, vector=vector, prompts=True))}
            for query, vector in zip(QUERIES[:4], vectors(QUERIES[:4]), strict=True)
        },
    }


def retrieved(site: Path, query: str, budget: int) -> list[Any]:
    """What is to be read for a query: of each passage its chunks, tokens, the digest of its text, and whether it is an
    excerpt; what did not fit; and the plan."""
    from infograph.client import Client

    with Client(site) as client:
        context = client.retrieve(query, budget, rerank=False)
    passages = [
        [
            [f"{hit.page}#{hit.index}" for hit in passage.hits],
            passage.tokens,
            hashlib.sha256(passage.text.encode()).hexdigest()[:16],
            passage.excerpt,
        ]
        for passage in context.passages
    ]
    return [context.tokens, passages, [f"{hit.page}#{hit.index}" for hit in context.more], asdict(context.plan)]


def led(hits: Any) -> list[list[Any]]:
    """The hits that a link led to, and from where."""
    of = ((hit, hit.via) for hit in hits if hit.via)
    return [[f"{hit.page}#{hit.index}", f"{via.page}#{via.index}", via.evidence, via.back] for hit, via in of]


def corrected(reader: Any, query: str) -> dict[str, str]:
    """Words that are searched for as others, and as which."""
    reader.search(query, 1)
    return dict(reader.corrected)


def vectors(queries: tuple[str, ...]) -> list[list[float]]:
    """By the model that the site is built with."""
    from infograph.embedding import load

    return [[round(value, 6) for value in row] for row in load("static").embed(queries, kind="query").tolist()]


def matches(site: Path, question: str) -> list[list[Any]]:
    """Chunks that are known to answer a question like this one: distance and href."""
    from infograph.client import Client

    with Client(site) as client:
        hits = client.match(question)
    return [[hit.matched_question.distance, hit.href] for hit in hits if hit.matched_question]


def differences(expected: Any, found: Any, place: str = "") -> list[str]:
    """Where two trees of JSON differ."""
    if isinstance(expected, float) and isinstance(found, float):
        return [] if math.isclose(expected, found, abs_tol=TOLERANCE) else [f"{place}: {expected}, now {found}"]
    if isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
        return [line for key in expected for line in differences(expected[key], found[key], f"{place}/{key}")]
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        pairs = enumerate(zip(expected, found, strict=True))
        return [line for number, pair in pairs for line in differences(*pair, f"{place}/{number}")]
    return [] if expected == found else [f"{place}: {expected}, now {found}"]


def layout(value: dict[str, Any]) -> str:
    """JSON, one line for each query."""
    lines = []
    for key, part in value.items():
        text = _compact(part)
        if isinstance(part, dict):
            text = "{\n" + ",\n".join(f"  {_compact(query)}: {_compact(row)}" for query, row in part.items()) + "\n }"
        lines.append(f' "{key}": {text}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        found = answers(make_site(Path(folder)))
    if "--check" in sys.argv[1:]:
        wrong = differences(json.loads(FIXTURE.read_text("utf-8")), json.loads(json.dumps(found)))
        print("\n".join(wrong))
        return 1 if wrong else 0
    FIXTURE.write_text(layout(found), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
