"""The graph of entities: what a walk brings on questions that take several pages, beside links, and what it costs.

    python benchmarks/graph.py quality --questions DIR [--trees DIR] [--sets NAME…] [--no-grid]
    python benchmarks/graph.py size TREE… [--questions DIR] [--queries 200]

`quality` builds each set with the packaged static model, searches its pages by words alone, and prints the share of
questions whose gold pages are all among the first eight, recall at five, MRR at ten, and the KB that a question reads
more; below each line the differences from plain search with the paired bootstrap's interval of 95%. `relations 1` is
the walk of Edge et al., "From Local to Global" (2024): the chunks of the query's entities and of those that are related
to them, ranked by their own scores. `without links as relations` is the same walk over names alone, as `_graph/` would
be if it knew no links between pages. The set fastapi-pages (with `--trees`) asks for one page. Then the numbers of the
walk that do best on all sets but one (of `GRID`, by all@8, then recall@5), with what they do on the one left out,
beside the numbers that are shipped.

`size` builds trees, and the pages of the sets that take several (with `--questions`), and prints the bytes of `_graph/`
and of the links beside those of the rest of `_search/`, the seconds of the step, and the KB that a search reads more
for a walk (not with `--queries 0`); then the tree where the share is largest, beside the goal.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import shutil
import tarfile
import tempfile
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from infograph.build import build
from infograph.client import Client
from infograph.config import load
from infograph.evaluate.bootstrap import difference
from infograph.formats.chunk_file import parse
from infograph.model import DocumentEntities
from infograph.pipeline.memory.entities import ENTITIES, load_entities, unpack_entities
from infograph.pipeline.steps.graph import GraphManner, made_files
from infograph.search.ranking.walking import AFTER, LEADS, MOST_FOLLOWED, WEIGHT
from infograph.search.reading.graph_walk import query_keys
from infograph.search.reading.reader import Reader
from infograph.search.writing.slots import assign_slots
from infograph.text.language import stemmer

SEVERAL = ("hotpot-100", "musique-100")
PAGES = "fastapi-pages"
MOST_SHARE = 0.15
"""Bytes of the graph and of links beside those of the rest of a bundle, at most."""
SETS = (*SEVERAL, PAGES)
METRICS = ("all@8", "recall@5", "MRR@10")
WAYS: dict[str, dict[str, Any]] = {
    "plain": {"links": False},
    "links": {"links": True},
    "graph 1": {"links": False, "graph": 1},
    "graph 2": {"links": False, "graph": 2},
    "links, graph 1": {"links": True, "graph": 1},
    "links, graph 2": {"links": True, "graph": 2},
}
Question = tuple[str, Sequence[tuple[str, ...]]]
"""Its text, and for each page that it takes the ends of the paths that will do."""
Walk = tuple[float, int, int, int]
Worth = tuple[float, float]
NUMBERS = ("weight", "leads", "after", "entities")
"""Fields of the manifest that say how a search walks."""
SHIPPED: Walk = (WEIGHT, LEADS, AFTER, MOST_FOLLOWED)
GRID = tuple(itertools.product((0.4, 0.6, 0.8, 1.0), (2, 4, 8), (1, 2, 3, 5), (MOST_FOLLOWED,)))


def built(source: Path, folder: Path, **flags: Any) -> tuple[Path, Path]:
    """A tree, built with a graph; and the folder of what the build remembers."""
    given = {"graph.entities": "terms", "model": "static", "out": str(folder / "site"), "cache": str(folder / "cache")}
    settings = load(str(source), flags=given | flags, environment={}, project=folder)
    build(settings)
    return settings.out, settings.memory


def asked_of(folder: Path) -> list[Question]:
    """The questions of a set."""
    if folder.name == PAGES:
        lines = [line for path in sorted(folder.glob("*.tsv")) for line in path.read_text("utf-8").splitlines()]
        rows = [line.split("\t") for line in lines if line.strip()]
        ends = (".md", "/index.md")
        return [(text, [tuple(f"/{page}{end}" for page in gold.split("|") for end in ends)]) for text, gold in rows]
    found = [json.loads(line) for line in (folder / "questions.jsonl").read_text("utf-8").splitlines()]
    return [(one["question"], [(f"/{gold['file']}",) for gold in one["gold"]]) for one in found]


def source_of(folder: Path, trees: Path | None, into: Path) -> Path:
    """The pages of a set."""
    if folder.name == PAGES:
        return (trees or Path()) / "fastapi"
    with tarfile.open(folder / "corpus.tar.gz") as archive:
        archive.extractall(into, filter="data")
    return into


def quality(questions: Path, trees: Path | None, names: Sequence[str], grid: Sequence[Walk]) -> None:
    """Prints the table of each set, then what the numbers do that are best on the other sets."""
    swept: dict[str, dict[Walk, Worth]] = {}
    for name in names:
        asked = asked_of(questions / name)
        with tempfile.TemporaryDirectory() as folder:
            source = source_of(questions / name, trees, Path(folder, "source"))
            site, memory = built(source, Path(folder))
            own, search = published(site, "_graph"), published(site, "_search")
            print(f"{name}: _graph {own / 1000:.0f} KB, {own / search:.1%} of _search")
            table(f"{name:<12}", (site, source), asked)
            compare(f"{name:<12}", site, named_only(site, memory), asked)
            if name in SEVERAL:
                swept[name] = {walk: worth(site, asked, walk) for walk in dict.fromkeys((SHIPPED, *grid))}
    for name, row in swept.items() if grid else ():
        others = [other for key, other in swept.items() if key != name]
        best = max(row, key=lambda walk: tuple(np.mean([other[walk] for other in others], axis=0)))
        shown = ", ".join(f"{key} {value:g}" for key, value in zip(NUMBERS, best, strict=True))
        print(f"{name} left out: {shown}: all@8 {row[best][0]:.3f}, recall@5 {row[best][1]:.3f}; shipped: ", end="")
        print(f"{row[SHIPPED][0]:.3f}, {row[SHIPPED][1]:.3f}; best of the grid: {max(row.values())[0]:.3f}")


def table(name: str, trees: tuple[Path, Path], asked: Sequence[Question]) -> None:
    """Prints the lines of one set.

    trees: the site and its source
    """
    site, source = trees
    plain: dict[str, Any] = {}
    for way, options in {**WAYS, "relations 1": {"relations": Relations(site, source)}}.items():
        rows = [measured(site, question, options) for question in asked]
        values = {metric: np.array([row[metric] for row in rows]) for metric in (*METRICS, "KB")}
        plain = plain or values
        shown = " ".join(f"{metric} {values[metric].mean():.3f}" for metric in METRICS)
        more = (values["KB"] - plain["KB"]).mean()
        print(f"{name} {way:<15} {shown}  {more:+.1f} KB", flush=True)
        if way != "plain":
            found = []
            for metric in METRICS:
                low, high = difference(values[metric], plain[metric])
                found.append(f"{metric} {(values[metric] - plain[metric]).mean():+.3f} ({low:+.3f} … {high:+.3f})")
            print(f"{'':<28} {', '.join(found)}")


def compare(name: str, site: Path, other: Path, asked: Sequence[Question]) -> None:
    """Prints what links as relations change of each walk.

    other: the site with a graph of the names that pages write alone
    """
    for way, options in WAYS.items():
        if "graph" in options:
            now, before = ([measured(tree, question, options) for question in asked] for tree in (site, other))
            found = []
            for metric in METRICS:
                first, second = (np.array([row[metric] for row in rows]) for rows in (now, before))
                low, high = difference(first, second)
                found.append(f"{metric} {second.mean():.3f} {(first - second).mean():+.3f} ({low:+.3f} … {high:+.3f})")
            print(f"{name} {way:<15} without links as relations, what these add: {', '.join(found)}", flush=True)


def named_only(site: Path, memory: Path) -> Path:
    """A copy of a site whose graph knows no links."""
    other = site.with_name("named-only")
    shutil.copytree(site, other)
    shutil.rmtree(other / "_graph")
    (other / "_graph").mkdir()
    for name, data in made_files(
        remembered(memory), set(compounds_of(site)), {}, {}, {}, GraphManner(versioned=True)
    ).items():
        (other / "_graph" / name).write_bytes(data)
    print(f"{'':<12} _graph without links as relations: {published(other, '_graph') / 1000:.0f} KB")
    return other


def remembered(memory: Path) -> dict[str, DocumentEntities]:
    """The records of entities of a tree's documents."""
    state = load_entities((memory / ENTITIES).read_bytes())
    return {path: unpack_entities(data) for path, (_, data) in state.documents.items()}


class Relations:
    """The walk along relations alone, over one site."""

    def __init__(self, site: Path, source: Path) -> None:
        self._pages = {
            slot: path
            for path, slot in assign_slots(p.relative_to(source).as_posix() for p in source.rglob("*.md")).items()
        }
        self._reader = Reader(lambda name: (site / "_search" / name).read_bytes(), stemmer)
        self._entities: dict[str, Any] = {}
        for path in (site / "_graph").glob("e-*.z"):
            self._entities |= orjson.loads(zlib.decompress(path.read_bytes()))

    def pages(self, query: str) -> list[str]:
        """The first pages of what is reached by one step."""
        found = [self._entities.get(key) for key in query_keys(query)]
        rows = [self._entities.get(row) if isinstance(row, str) else row for row in found]
        near = [row[4] for row in rows if row]
        rows += [self._entities[key] for keys in near for key in keys]
        reached = {place for row in rows if row for place in zip(row[6][::2], row[6][1::2], strict=True)}
        own = dict(self._reader.rank(query))
        best = sorted(reached, key=lambda place: (-own.get(place, 0.0), place))
        return list(dict.fromkeys(self._pages[slot] for slot, _ in best))[:10]


def measured(site: Path, question: Question, options: Mapping[str, Any]) -> dict[str, float]:
    """The metrics of one question, asked by a client that has read nothing yet."""
    read = [0]
    relations = options.get("relations")
    if relations is not None:
        return scored(relations.pages(question[0]), question, 0.0)
    with Client(site, progress=lambda progress: read.__setitem__(0, progress.bytes)) as client:
        hits = client.pages(question[0], limit=10, rerank=False, **options).hits
    return scored([hit.page for hit in hits], question, read[0] / 1000)


def scored(pages: Sequence[str], question: Question, kilobytes: float) -> dict[str, float]:
    """The metrics of an answer."""
    right = [[f"/{page}".endswith(ends) for page in pages] for ends in question[1]]
    return {
        "all@8": float(all(any(flags[:8]) for flags in right)),
        "recall@5": float(np.mean([any(flags[:5]) for flags in right])),
        "MRR@10": next((1 / rank for rank, flags in enumerate(zip(*right, strict=True), 1) if any(flags)), 0.0),
        "KB": kilobytes,
    }


def worth(site: Path, asked: Sequence[Question], walk: Walk) -> Worth:
    """All@8 and recall@5 of one step of a walk of other numbers."""
    path = site / "_graph/manifest.json"
    shipped = path.read_bytes()
    manifest = orjson.loads(shipped)
    manifest["walk"] |= dict(zip(NUMBERS, walk, strict=True))
    path.write_bytes(orjson.dumps(manifest))
    try:
        with Client(site) as client:
            found = [client.pages(text, limit=10, rerank=False, **WAYS["graph 1"]).hits for text, _ in asked]
    finally:
        path.write_bytes(shipped)
    rows = [scored([hit.page for hit in hits], one, 0.0) for hits, one in zip(found, asked, strict=True)]
    return float(np.mean([row["all@8"] for row in rows])), float(np.mean([row["recall@5"] for row in rows]))


def size(trees: Sequence[Path], questions: Path | None, queries: int) -> None:
    """Prints a line for each tree and set, with the KB that a step reads more, and which takes most."""
    print("tree             chunks entities  written relations communities", end="")
    print(" KB of search  links  graph  share CPU s  KB more a query")
    shares: dict[str, float] = {}
    for tree in [*trees, *(questions / name for name in SEVERAL if questions)]:
        with tempfile.TemporaryDirectory() as folder:
            source = tree if tree in trees else source_of(tree, None, Path(folder, "source"))
            site, memory = built(source, Path(folder))
            documents, compounds = remembered(memory), set(compounds_of(site))
            links = load_entities((memory / ENTITIES).read_bytes()).links
            began = time.process_time()
            made_files(documents, compounds, {}, {}, links)
            seconds = time.process_time() - began
            said = orjson.loads((site / "_graph/manifest.json").read_bytes())
            own = published(site, "_graph")
            other, links = published(site, "_search"), published(site, "_search", "l-*.z")
            shares[tree.name] = share = (own + links) / (other - links)
            print(
                f"{tree.name:<16} {said['chunks']:>6} {said['entities']:>8} {said['written']:>8} "
                f"{said['relations']:>9} {said['communities']['count']:>11} {(other - links) / 1000:>11.0f} "
                f"{links / 1000:>6.0f} {own / 1000:>6.0f} {share:>6.1%} {seconds:>5.1f}  {_reads(site, queries)}",
                flush=True,
            )
    worst = max(shares, key=lambda name: shares[name])
    print(f"worst: {worst} {shares[worst]:.1%}; goal: at most {MOST_SHARE:.0%} on every tree")


def published(site: Path, folder: str, names: str = "*") -> int:
    """Bytes of the files in a folder of a site."""
    return sum(path.stat().st_size for path in (site / folder).glob(names))


def _reads(site: Path, queries: int) -> str:
    """What a walk reads beside a search that follows links, by clients that have read nothing yet: the questions are
    the titles of sections, 2 to 7 words, chosen by their SHA-256."""
    titles = {parse(path.name, path.read_bytes()).chunk.title for path in site.rglob("_chunks/*.md")}
    some = sorted({title for title in titles if 2 <= len(title.split()) <= 7}, key=_digest)[:queries]
    costs: dict[int, list[float]] = {1: [], 2: []}
    for title in some:
        before = _read(site, title, None)
        for hops, found in costs.items():
            found.append((_read(site, title, hops) - before) / 1000)
    return ", ".join(
        f"{hops} hop: mean {np.mean(found):.0f}, p95 {np.quantile(found, 0.95):.0f}, most {max(found):.0f}"
        for hops, found in costs.items()
        if found
    )


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _read(site: Path, query: str, hops: int | None) -> int:
    """Bytes that one search reads."""
    read = [0]
    with Client(site, timeout=60, progress=lambda progress: read.__setitem__(0, progress.bytes)) as client:
        client.search(query, rerank=False, graph=hops)
    return read[0]


def compounds_of(site: Path) -> Iterator[str]:
    """Keys of the compounds in a site's keyword tables."""
    from infograph.formats.keyword_table import parse_words
    from infograph.text.entity_keys import key_of

    for path in site.rglob("_keywords/words.md"):
        yield from (key_of(row.term) for row in parse_words(str(path), path.read_bytes()) if " " in row.term)


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    of_quality = commands.add_parser("quality")
    of_quality.add_argument("--questions", type=Path, required=True, help="folder of the question sets")
    of_quality.add_argument("--trees", type=Path, help=f"folder of the trees, for {PAGES}")
    of_quality.add_argument("--sets", nargs="+", default=SEVERAL, choices=SETS)
    of_quality.add_argument("--grid", action=argparse.BooleanOptionalAction, default=True)
    of_size = commands.add_parser("size")
    of_size.add_argument("trees", type=Path, nargs="+")
    of_size.add_argument("--questions", type=Path, help="folder of the question sets, for those of several pages")
    of_size.add_argument("--queries", type=int, default=200)
    given = parser.parse_args()
    if given.command == "quality":
        quality(given.questions, given.trees, given.sets, GRID if given.grid else ())
    else:
        size(given.trees, given.questions, given.queries)


if __name__ == "__main__":
    main()
