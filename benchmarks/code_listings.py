"""Source code in pages: what other cuts of long listings, and the lines around a cut, are worth to search.

    python benchmarks/code_listings.py --packages DIR [--trees DIR …] [--chosen NAME …] [--judged NAME …]

DIR is a folder of installed Python packages (`site-packages`). Each module, without its docstrings, is a page with one
heading and one listing; questions are those of `code_questions.py`, right are the chunks that hold most of a function
(docstrings), or any of the function that is named (identifiers). Gains of MRR@10 and hit@5 are over the default
strategy, which cuts a listing that is longer than a chunk between lines:

    around   with the definitions (`class A:`, `def f(self):`) around a chunk's first line embedded before it
    scopes   the strategy `code`, which keeps the lines of a function together where they fit
    half     chunks of half the size: 125 to 375 tokens
    double   of twice the size

`--trees` are folders of Markdown: how many of their chunks begin within a listing. In brackets the 95% interval:
questions drawn again, each package counting alike.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

from search_quality import english, tools  # first: it sets the number of threads

import numpy as np  # isort: skip
from code_questions import (  # isort: skip
    CHOSEN,
    FORMS,
    JUDGED,
    LARGEST_FILE,
    MOST_FILES,
    MOST_QUESTIONS,
    Question,
    Scores,
    sample,
    search_chunks,
    shown,
    values,
    without_docstrings,
)
from exact_ranking import Exact  # isort: skip

from infograph.chunking.chunker import chunk_document
from infograph.chunking.interface import Strategy
from infograph.chunking.registry import DEFAULT_STRATEGY, strategy
from infograph.errors import DocumentError
from infograph.model import Chunk
from infograph.search.ranking.scoring import IDENTIFIER
from infograph.search.writing.bundle_options import SearchOptions
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode

DEFINITION = re.compile(r"\s*(?:async\s+)?(?:def|class)\s")
NAMED = re.compile(r"[a-z]\w*_\w+")
HALF = {"minimum": 125, "deeper": 250, "maximum": 375}
DOUBLE = {"minimum": 500, "deeper": 1000, "maximum": 1500}
WAYS: dict[str, Strategy] = {
    "default": strategy(),
    "around": strategy(),
    "scopes": strategy("code"),
    "half": strategy(DEFAULT_STRATEGY, HALF),
    "double": strategy(DEFAULT_STRATEGY, DOUBLE),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the function that it asks for."""

    text: str
    page: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Package:
    """Pages of a package by path, and its questions."""

    pages: dict[str, str]
    docstrings: Sequence[Asked]
    identifiers: Sequence[Asked]


def read(folder: Path) -> Package:
    """Makes pages and questions of a package."""
    draw = np.random.default_rng(0)
    files = [path for path in sorted(folder.rglob("*.py")) if path.stat().st_size < LARGEST_FILE]
    files = [path for path in files if "test" not in path.relative_to(folder.parent).as_posix()]
    pages: dict[str, str] = {}
    docstrings: list[Asked] = []
    named: list[tuple[str, str, Asked]] = []
    for path in sample(files, MOST_FILES, draw):
        text, functions = without_docstrings(path.read_text("utf-8"))
        if not text.strip() or "```" in text:
            continue
        name = path.relative_to(folder.parent).as_posix()
        head = f"# {name}\n\n```python\n"
        pages[f"{name}.md"] = f"{head}{text.rstrip()}\n```\n"
        docstrings += [Asked(said, f"{name}.md", len(head) + begin, len(head) + end) for said, begin, end in functions]
        starts = [len(head), *(len(head) + at for at in accumulate(map(len, text.splitlines(keepends=True))))]
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and NAMED.fullmatch(node.name):
                given = [one.arg for one in node.args.args if one.arg not in ("self", "cls")]
                if given:
                    end = starts[node.end_lineno or node.lineno]
                    one = given[int(draw.integers(len(given)))]
                    named.append((node.name, one, Asked("", f"{name}.md", starts[node.lineno - 1], end)))
    times = Counter(name for name, *_ in named)
    identifiers = [
        replace(asked, text=FORMS[number % len(FORMS)].format(name, parameter))
        for number, (name, parameter, asked) in enumerate(row for row in named if times[row[0]] == 1)
    ]
    return Package(pages, sample(docstrings, MOST_QUESTIONS, draw), sample(identifiers, MOST_QUESTIONS, draw))


def cut(path: str, text: str, how: str) -> list[Chunk]:
    """Cuts a page."""
    document = decode(path, text.encode())
    blocks, _ = parse_blocks(document)
    chunks = chunk_document(document, blocks, WAYS[how], tools()).chunks
    if how != "around":
        return list(chunks)
    starts = accumulate((len(chunk.text) for chunk in chunks), initial=0)
    return [
        replace(chunk, embed_text=f"{definitions_around(text, start)}{chunk.embed_text}") if chunk.continues else chunk
        for chunk, start in zip(chunks, starts, strict=False)
    ]


def definitions_around(text: str, start: int) -> str:
    """Returns the lines of the definitions that the line at an offset stands in, the outer first."""
    lines = text[:start].splitlines()
    first = next((line for line in text[start:].splitlines() if line.strip()), "")
    depth = len(first) - len(first.lstrip())
    found: list[str] = []
    for line in reversed(lines):
        own = len(line) - len(line.lstrip())
        if line.strip() and own < depth and line.lstrip()[0] not in ")]}":
            depth = own
            if DEFINITION.match(line):
                found.insert(0, f"{line}\n")
    return "".join(found)


def measured(package: Package, how: str) -> tuple[int, Scores, Scores]:
    """Number of chunks, and MRR@10 and hit@5 of both kinds of questions."""
    chunks = [(page, chunk) for page, text in package.pages.items() for chunk in cut(page, text, how)]
    spans: list[tuple[str, int, int]] = []
    for page, chunk in chunks:
        begin = spans[-1][2] if spans and spans[-1][0] == page else 0
        spans.append((page, begin, begin + len(chunk.text)))
    exact = Exact(search_chunks(chunks), [page for page, _ in chunks], english(), SearchOptions())
    exact.identifier = IDENTIFIER

    def common(asked: Asked, place: int) -> int:
        page, begin, end = spans[place]
        return min(asked.end, end) - max(asked.start, begin) if page == asked.page else 0

    def most(asked: Asked) -> frozenset[int]:
        parts = {place: common(asked, place) for place in range(len(spans))}
        size = asked.end - asked.start
        own = {place for place, n in parts.items() if n > 0.5 * min(size, spans[place][2] - spans[place][1])}
        return frozenset(own or {max(parts, key=parts.__getitem__)})

    def some(asked: Asked) -> frozenset[int]:
        return frozenset(place for place in range(len(spans)) if common(asked, place) > 0)

    docstrings = [Question(asked.text, most(asked)) for asked in package.docstrings]
    identifiers = [Question(asked.text, some(asked)) for asked in package.identifiers]
    return len(chunks), values(exact.scores, docstrings), values(exact.scores, identifiers)


def within_listings(tree: Path) -> str:
    """Says how many chunks of a tree begin within a listing that had to be cut."""
    every = inside = 0
    for path in sorted(tree.rglob("*.md")):
        try:
            document = decode(path.name, path.read_bytes())
        except DocumentError:
            continue
        blocks, _ = parse_blocks(document)
        chunks = chunk_document(document, blocks, WAYS["default"], tools()).chunks
        every += len(chunks)
        inside += sum(chunk.continues and chunk.is_code for chunk in chunks)
    return f"{tree.name:<12} {inside} of {every} chunks begin within a listing"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", type=Path, required=True, help="folder of installed packages")
    parser.add_argument("--trees", type=Path, nargs="*", default=(), help="folders of Markdown")
    parser.add_argument("--chosen", nargs="+", default=CHOSEN, help="packages to choose by")
    parser.add_argument("--judged", nargs="+", default=JUDGED, help="packages to judge by")
    args = parser.parse_args()
    for tree in args.trees:
        print(within_listings(tree), flush=True)
    found: dict[tuple[str, str], tuple[Scores, Scores]] = {}
    packages = {"choose": args.chosen, "judge": args.judged}
    for name in (*args.chosen, *args.judged):
        package = read(args.packages / name)
        counts = {}
        for how in WAYS:
            counts[how], *scores = measured(package, how)
            found[name, how] = (scores[0], scores[1])
        questions = f"{len(package.docstrings)} docstrings, {len(package.identifiers)} identifiers"
        print(f"{name:<12} {questions}; chunks {', '.join(f'{how} {n}' for how, n in counts.items())}", flush=True)
    for kind, place in (("docstrings", 0), ("identifiers", 1)):
        for use, names in packages.items():
            base = np.mean([found[name, "default"][place].mean(axis=0) for name in names], axis=0)
            print(f"\n{kind}, packages to {use} by: MRR@10 {base[0]:.3f}, hit@5 {base[1]:.3f}; gains of")
            for how in [way for way in WAYS if way != "default"]:
                gains = [found[name, how][place] - found[name, "default"][place] for name in names]
                print(f"  {how:<8} {shown(gains)}")


if __name__ == "__main__":
    main()
