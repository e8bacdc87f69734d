"""What a search pays that is narrowed by fields: bytes and requests beside the same query without a filter.

    python benchmarks/filters.py TREE…
    python benchmarks/filters.py --copies 6 --queries 20 TREE
    python benchmarks/filters.py --fields tokens --fields 'Module Name' --fields created:date TREE

Each tree is cut and indexed without vectors, once with the fields and once without. Every query is asked cold, by a
reader that has nothing; a filtered one beside the plain one. Goal: at 24,000 chunks at most 20 KB more, and of a plain
query not a byte more than without fields, but for the name of their directory in the manifest.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from infograph.chunking.chunker import chunk_document
from infograph.config.settings import SearchSettings
from infograph.errors import DocumentError
from infograph.formats.search_fields import SearchField, parse_fields
from infograph.pipeline.worker.chunk_fields import chunk_fields
from infograph.pipeline.worker.pages import language_of
from infograph.search.format.bundle_manifest import language_of as language_in
from infograph.search.format.bundle_manifest import read_manifest
from infograph.search.format.columns import KIND, read_directory
from infograph.search.format.filters import parse_filters
from infograph.search.format.layout import MANIFEST
from infograph.search.format.results import Remarks
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

sys.path.insert(0, str(Path(__file__).parent))
import search_quality

GOAL = 20_000


def pages_of(tree: Path, specs: Sequence[SearchField]) -> list[PageIndex]:
    """The pages of a tree, cut by the default strategy, without vectors."""
    strategy, tools = search_quality.strategy(), search_quality.tools()
    language = language_of("en")
    pages = []
    for file in sorted(tree.rglob("*.md")):
        path = file.relative_to(tree).as_posix()
        try:
            document = decode(path, file.read_bytes(), fields=specs)
            blocks, _ = parse_blocks(document)
        except DocumentError:
            continue
        chunks = chunk_document(document, blocks, strategy, tools).chunks
        shown = [
            SearchChunk(
                c.title,
                c.section_path,
                "",
                f"{file.stem}-{c.index}.md",
                c.tokens,
                c.sha256,
                c.embed_text,
                snippet_of(c.text),
                fields=own,
            )
            for c, own in zip(chunks, chunk_fields(specs, document, blocks, chunks), strict=True)
        ]
        page = SearchPage(path, overview(document, blocks)[0], path, tuple(shown), related=document.related)
        pages.append(index_page(page, np.zeros((len(chunks), load_space().dimension), np.int8), language))
    return pages


class Site:
    """A bundle and what is read of it."""

    def __init__(self, pages: Sequence[PageIndex], specs: Sequence[SearchField]) -> None:
        made = bundle(pages, language_of("en"), load_space(), SearchOptions(fields=tuple(specs)))
        self.files = dict(made.files)
        self.manifest = read_manifest(self.files[MANIFEST])
        self.searcher = Searcher(self.manifest, language_in(self.manifest, stemmer))

    def columns(self) -> dict[str, Any]:
        """What the directory of fields says."""
        return dict(read_directory("", self.contents(self.manifest.fields))) if self.manifest.fields else {}

    def contents(self, name: str) -> Any:
        return opened(name, self.files[name], self.searcher.shards.largest)

    def asked(self, query: Query) -> tuple[dict[str, int], int, int]:
        """Bytes of each file that a cold query reads, rounds of requests, and hits."""
        read: dict[str, int] = {}
        rounds = 0

        def contents(names: Sequence[str]) -> dict[str, Any]:
            nonlocal rounds
            rounds += 1
            read.update((name, len(self.files[name])) for name in names)
            return {name: self.contents(name) for name in names}

        found = Dialogue(self.searcher.search(query, Remarks())).run(contents)
        return read, rounds, len(found.hits)


def filters_for(columns: dict[str, Any]) -> list[dict[str, Any]]:
    """One filter of every kind for each field: frequent and rare values, negation, `exists`, ranges."""
    found: list[dict[str, Any]] = []
    for name, column in columns.items():
        if not column.chunks:
            continue
        found.append({name: {"exists": False}})
        if column.files:
            middle = sorted(own.least for own in column.files)[len(column.files) // 2] + 1
            values = [middle, column.files[0].least + 1, (middle + column.most) / 2]
            if column.type == "number":
                found += [{name: {"gte": value}} for value in values]
                found += [{name: {"gt": values[1], "lt": values[2]}}, {name: middle}]
        else:
            texts = [own.value for own in column.frequent]
            found += [{name: text} for text in (texts[0], texts[-1])]
            found += [{name: texts}, {name: {"not": texts[0]}}]
    if len(found) > 1:
        found.append({"all": [found[0], found[-1]]})
    return found


def report(tree: Path, names: Sequence[str], count: int, copies: int) -> None:
    specs = parse_fields([*SearchSettings().fields, *names])
    own = pages_of(tree, specs)
    pages = [replace(page, path=f"{copy}/x{copy}-{page.path}") for copy in range(copies) for page in own]
    site, plain = Site(pages, specs), Site([replace(page, fields=b"") for page in pages], ())
    chunks = site.manifest.chunks
    sizes = {name: len(data) for name, data in site.files.items() if name[0] == KIND}
    directory = len(site.files[site.manifest.fields])
    total = sum(map(len, plain.files.values()))
    print(
        f"\n{tree.name}: {chunks:,} chunks of {len(pages):,} pages; bundle {total:,} bytes in {len(plain.files)} files"
    )
    print(f"columns: {sum(sizes.values()):,} bytes in {len(sizes)} files, directory of fields {directory:,} bytes")
    for name, column in site.columns().items():
        print(f"  {name}: {column.type}, {column.values:,} values, {column.chunks:,} chunks have one")

    chance = random.Random(1)
    titles = sorted({row[0] for file, data in site.files.items() if file[0] == "d" for row in rows(site, file)})
    queries = [chance.choice(titles) for _ in range(count)]
    manifest = len(site.files[MANIFEST]) - len(plain.files[MANIFEST])
    same = all(site.asked(Query(q, collapsed=True))[0] == plain.asked(Query(q, collapsed=True))[0] for q in queries)
    print(f"a plain query: the same files and bytes as without fields: {same}; the manifest has {manifest} bytes more")

    worst: list[tuple[int, int, str]] = []
    for given in filters_for(site.columns()):
        more, requests, rounds, columns = [], [], [], []
        for query in queries:
            alone, first, _ = site.asked(Query(query, collapsed=True))
            read, second, _ = site.asked(Query(query, collapsed=True, filters=parse_filters(given)))
            more.append(sum(read.values()) - sum(alone.values()))
            columns.append(sum(size for name, size in read.items() if name[0] == KIND or name == site.manifest.fields))
            requests.append(len(read) - len(alone))
            rounds.append(second - first)
        worst.append((max(columns), max(requests), json.dumps(given, ensure_ascii=False)))
        print(
            f"  {np.mean(more):+9,.0f} bytes (most {max(more):+,}), of columns {max(columns):,}; "
            f"{np.mean(requests):+.1f} requests, {np.mean(rounds):+.1f} rounds: {worst[-1][2][:90]}"
        )
    most = max(worst)
    verdict = "within" if most[0] <= GOAL else "over"
    print(f"most bytes of columns in one query: {most[0]:,} ({verdict} {GOAL:,}): {most[2]}")


def rows(site: Site, name: str) -> list[Any]:
    return [row for block in site.contents(name).values() for row in block[3]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", type=Path, nargs="+", metavar="TREE")
    parser.add_argument("--fields", action="append", metavar="NAME[:TYPE]", help="beside those by default")
    parser.add_argument("--queries", type=int, default=100, metavar="N", help="titles of chunks that are searched for")
    parser.add_argument("--copies", type=int, default=1, metavar="N", help="times that each page is there, elsewhere")
    args = parser.parse_args()
    for tree in args.trees:
        report(tree, args.fields or ["tokens", "count"], args.queries, args.copies)


if __name__ == "__main__":
    main()
