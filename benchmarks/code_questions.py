"""Search in source code: what an identifier's weight and a share of the whole document's score are worth.

    python benchmarks/code_questions.py --packages DIR [--chosen NAME …] [--judged NAME …]

DIR is a folder of installed Python packages (`site-packages`). Docstrings are taken out of their modules, which are
then cut by the strategy `code`. Two kinds of questions, 60 a package at the most, drawn by a fixed seed:

    docstrings    the first sentence of a function's docstring; right are the chunks that hold most of the function
    identifiers   "what is the purpose of the parameter `p` of `f`" and the like; right is the chunk with `def f`

For each kind, the value that does best on the packages to choose by is judged on the others, by MRR@10 and hit@5 over
the search as it is without. In brackets the 95% interval: questions drawn again, each package counting alike.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TypeVar

from search_quality import english, tools  # first: it sets the number of threads

import numpy as np  # isort: skip
from exact_ranking import Exact  # isort: skip
from numpy.typing import NDArray

from infograph.chunking.chunker import chunk_document
from infograph.chunking.registry import strategy
from infograph.model import Chunk
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.page_index import SearchChunk
from infograph.source.document import decode

CHOSEN = ("click", "jinja2", "rich", "networkx", "httpx", "anyio")
JUDGED = ("requests", "bs4", "dateutil", "mkdocs", "docutils", "babel")
SHARES = (0.1, 0.2, 0.3, 0.5, 0.8)
WEIGHTS = (1.5, 2.0, 3.0, 5.0)
MOST_FILES, MOST_QUESTIONS, LARGEST_FILE, DRAWS = 60, 60, 150_000, 2000
FORMS = (
    "What is the purpose of the {1} parameter in the {0} function?",
    "Which default value does the parameter {1} of {0} have and what does it do?",
    "How does the {0} method use its argument {1}?",
    "purpose of {1} in {0}",
)

T = TypeVar("T")
Scores = NDArray[np.float64]
Gains = dict[tuple[str, float], dict[str, Scores]]
"""What a value gains over none, by kind of questions and value, then by package."""


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    right: frozenset[int]


@dataclass(frozen=True, slots=True)
class Package:
    """The chunks of a package, and its questions."""

    chunks: Sequence[tuple[str, Chunk]]
    """Path of the file and chunk."""
    docstrings: Sequence[Question]
    identifiers: Sequence[Question]


def without_docstrings(text: str) -> tuple[str, list[tuple[str, int, int]]]:
    """Returns a module without its docstrings, and the first sentence of each function's with its place."""
    tree = ast.parse(text)
    starts = [0, *accumulate(len(line) for line in text.splitlines(keepends=True))]
    kept, functions = [True] * len(text), []
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or len(node.body) < 2:
            continue
        said, first = ast.get_docstring(node), node.body[0]
        if not said or not text.isascii():  # offsets of nodes are bytes
            continue
        begin = starts[first.lineno - 1]
        end = starts[first.end_lineno or first.lineno]
        kept[begin:end] = [False] * (end - begin)
        sentence = " ".join(said.split("\n\n")[0].split()).split(". ")[0].rstrip(".")
        span = (starts[node.lineno - 1], starts[node.end_lineno or node.lineno])
        if not isinstance(node, ast.ClassDef) and 5 <= len(sentence.split()) <= 25 and ":" not in sentence:
            functions.append((sentence, *span))
    places = [0, *accumulate(kept)]
    moved = [(sentence, places[begin], places[end]) for sentence, begin, end in functions]
    return "".join(letter for letter, stays in zip(text, kept, strict=True) if stays), moved


def read(folder: Path) -> Package:
    """Cuts a package and makes its questions."""
    draw = np.random.default_rng(0)
    files = [path for path in sorted(folder.rglob("*.py")) if path.stat().st_size < LARGEST_FILE]
    files = [path for path in files if "test" not in path.relative_to(folder.parent).as_posix()]
    chunks: list[tuple[str, Chunk]] = []
    docstrings = []
    for path in sample(files, MOST_FILES, draw):
        text, functions = without_docstrings(path.read_text("utf-8"))
        if not text.strip():
            continue
        name = path.relative_to(folder.parent).as_posix()
        made = chunk_document(decode(name, text.encode()), (), strategy("code"), tools()).chunks
        ends = [0, *accumulate(len(chunk.text) for chunk in made)]
        for sentence, begin, end in functions:
            common = [min(last, end) - max(first, begin) for first, last in pairwise(ends)]
            right = {len(chunks) + n for n, own in enumerate(common) if own > 0.5 * min(end - begin, len(made[n].text))}
            if right:
                docstrings.append(Question(sentence, frozenset(right)))
        chunks += [(name, chunk) for chunk in made]
    identifiers = named_questions(chunks, draw)
    return Package(chunks, sample(docstrings, MOST_QUESTIONS, draw), sample(identifiers, MOST_QUESTIONS, draw))


def named_questions(chunks: Sequence[tuple[str, Chunk]], draw: np.random.Generator) -> list[Question]:
    """Questions that name a function which one chunk defines, and one of its parameters."""
    found = []
    for place, (_, chunk) in enumerate(chunks):
        for name, given in re.findall(r"def ([a-z]\w*_\w+)\(([^)]*)\)", chunk.embed_text):
            parameters = [part.split(":")[0].split("=")[0].strip() for part in given.split(",")]
            parameters = [part for part in parameters if part.isidentifier() and part not in ("self", "cls")]
            if parameters:
                found.append((name, parameters[int(draw.integers(len(parameters)))], place))
    times = Counter(name for name, _, _ in found)
    alone = [row for row in found if times[row[0]] == 1]
    return [
        Question(FORMS[number % len(FORMS)].format(name, parameter), frozenset({place}))
        for number, (name, parameter, place) in enumerate(alone)
    ]


def sample(values: Sequence[T], most: int, draw: np.random.Generator) -> list[T]:
    places = range(len(values)) if len(values) <= most else sorted(draw.choice(len(values), most, replace=False))
    return [values[place] for place in places]


def search_chunks(chunks: Iterable[tuple[str, Chunk]]) -> list[SearchChunk]:
    return [
        SearchChunk(c.title, c.section_path, "", f"{file}-{c.index}", c.tokens, c.sha256, c.embed_text, "")
        for file, c in chunks
    ]


def of_documents(package: Package) -> Callable[[str], Scores]:
    """Returns what gives for each chunk the score of its whole document, as if each document were one chunk."""
    texts: dict[str, str] = {}
    for file, chunk in package.chunks:
        texts[file] = f"{texts.get(file, '')}{chunk.embed_text}\n"
    whole = [SearchChunk("", (), "", file, 0, "", text, "") for file, text in texts.items()]
    exact = Exact(whole, list(texts), english(), SearchOptions())
    places = {file: place for place, file in enumerate(texts)}
    owners = np.array([places[file] for file, _ in package.chunks])
    return lambda question: exact.bm25(question)[owners]


def values(rank: Callable[[str], Scores], questions: Sequence[Question]) -> NDArray[np.float64]:
    """MRR@10 and hit@5 of each question."""
    rows = []
    for question in questions:
        scores = rank(question.text)
        order = [place for place in np.argsort(-scores, kind="stable")[:10].tolist() if scores[place] > 0]
        first = next((rank for rank, place in enumerate(order, 1) if place in question.right), 0)
        rows.append((1 / first if first else 0.0, float(0 < first <= 5)))
    return np.array(rows)


def shown(parts: Sequence[NDArray[np.float64]]) -> str:
    draw, draws = np.random.default_rng(0), np.zeros((DRAWS, 2))
    for part in parts:
        draws += draw.multinomial(len(part), np.full(len(part), 1 / len(part)), size=DRAWS) @ part / len(part)
    low, high = np.quantile(draws / len(parts), (0.025, 0.975), axis=0)
    mean = np.mean([part.mean(axis=0) for part in parts], axis=0)
    return "  ".join(
        f"{name} {own:+.3f} [{a:+.3f}, {b:+.3f}]"
        for name, own, a, b in zip(("MRR@10", "hit@5"), mean, low, high, strict=True)
    )


def measured(name: str, package: Package, plain: dict[tuple[str, str], Scores], gains: Gains) -> None:
    """Adds what each value gives on a package."""
    files = [file for file, _ in package.chunks]
    exact = Exact(search_chunks(package.chunks), files, english(), SearchOptions())
    document = of_documents(package)
    exact.identifier = 1.0
    plain["docstrings", name] = values(exact.scores, package.docstrings)
    plain["identifiers", name] = values(exact.scores, package.identifiers)

    def shared(share: float) -> Callable[[str], Scores]:
        return lambda text: exact.scores(text) + share * document(text)

    for share in SHARES:
        found = values(shared(share), package.docstrings)
        gains.setdefault(("docstrings", share), {})[name] = found - plain["docstrings", name]
    for weight in WEIGHTS:
        exact.identifier = weight
        found = values(exact.scores, package.identifiers)
        gains.setdefault(("identifiers", weight), {})[name] = found - plain["identifiers", name]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", type=Path, required=True, help="folder of installed packages")
    parser.add_argument("--chosen", nargs="+", default=CHOSEN, help="packages to choose by")
    parser.add_argument("--judged", nargs="+", default=JUDGED, help="packages to judge by")
    args = parser.parse_args()
    plain: dict[tuple[str, str], Scores] = {}
    gains: Gains = {}
    for name in (*args.chosen, *args.judged):
        package = read(args.packages / name)
        measured(name, package, plain, gains)
        counts = f"{len(package.docstrings)} docstrings, {len(package.identifiers)} identifiers"
        print(f"{name:<12} {len(package.chunks)} chunks, {counts}", flush=True)
    for kind, what in (("docstrings", "a share of the document's score"), ("identifiers", "an identifier's weight")):
        for names, how in ((args.chosen, "to choose by"), (args.judged, "to judge by")):
            base = np.mean([plain[kind, name].mean(axis=0) for name in names], axis=0)
            print(f"\n{kind}, packages {how}: MRR@10 {base[0]:.3f}, hit@5 {base[1]:.3f}; with {what} of")
            for (own, value), found in gains.items():
                if own == kind:
                    print(f"  {value:<4} {shown([found[name] for name in names])}")


if __name__ == "__main__":
    main()
