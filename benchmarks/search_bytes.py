"""Bytes, files and seconds of the search bundle of a tree.

    python benchmarks/search_bytes.py TREE [--max-files 500] [--queries 200]

Chunks by the default strategy, vectors of `--model static` (the bundle's size hardly depends on the model). Queries
are section titles of 2 to 7 words, chosen by their SHA-256. Warm: one reader that keeps what it has fetched is asked
them one after the other; a query costs the shards that it adds, those of its first five pages included. The page that
is rewritten gets the text of another, and the bundle is made from the last build's state, reading and writing it
included. Seconds are of processor time, on one thread.
"""

from __future__ import annotations

import argparse
import hashlib
import statistics
import sys
import time
from dataclasses import replace
from pathlib import Path

from search_quality import Cut, cuts, english, page_indexes  # first: it sets the number of threads

from infograph.embedding.static import StaticEmbedder
from infograph.errors import DocumentError
from infograph.evaluate.published_search import CountingFiles
from infograph.search.format.search_space import load_space
from infograph.search.reading.reader import Reader
from infograph.search.writing.bundle import state_key, update
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.bundle_state import load_state
from infograph.text.language import stemmer


def chunks(tree: Path) -> list[Cut]:
    """Of every page that can be read."""
    found: list[Cut] = []
    for path in sorted(tree.rglob("*.md")):
        try:
            found += cuts(path.relative_to(tree).as_posix(), path.read_bytes(), "default")
        except DocumentError as error:
            print(error, file=sys.stderr)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path, help="folder of Markdown")
    parser.add_argument("--max-files", type=int, nargs="+", default=[SearchOptions().max_files, 500])
    parser.add_argument("--queries", type=int, default=200)
    args = parser.parse_args()

    found = chunks(args.tree)
    texts = [cut.chunk.text for cut in found]
    titles = sorted({cut.chunk.title for cut in found if 2 <= len(cut.chunk.title.split()) <= 7})
    queries = sorted(titles, key=lambda title: hashlib.sha256(title.encode()).digest())[: args.queries]
    language, space = english(), load_space()
    begin = time.process_time()
    vectors = space.project("static-256", StaticEmbedder().embed(texts))
    embedded = time.process_time()
    pages = page_indexes(found, vectors, language)
    indexed = time.process_time()
    print(f"{args.tree.name}: {len(pages)} pages, {len(found)} chunks")
    print(f"  embedded and projected in {embedded - begin:.1f} s, cut into terms in {indexed - embedded:.1f} s")
    for max_files in args.max_files:
        begin = time.process_time()
        options = SearchOptions(max_files=max_files)
        made, state = update(None, (), pages, language, space, options)
        seconds = time.process_time() - begin
        files, data = dict(made.files), b"".join(state.dump())
        print(
            f"  at most {max_files} files: {len(files)}, {sum(map(len, files.values())) / 1e6:.2f} MB, {seconds:.1f} s"
        )
        begin = time.process_time()
        rewritten = replace(pages[len(pages) // 3], path=pages[len(pages) // 2].path)
        known = load_state(data, state_key(language, space, options))
        after, state = update(known, (), [rewritten], language, space, options)
        data = b"".join(state.dump())
        print(
            f"    a page of {rewritten.size} chunks rewritten: {time.process_time() - begin:.2f} s, {len(after.files)} "
            f"new files, {sum(map(len, after.files.values())) / 1e6:.2f} MB; state {len(data) / 1e6:.1f} MB"
        )
        for kind in sorted({name[0] for name in files}):
            sizes = [len(data) for name, data in files.items() if name[0] == kind]
            print(f"    {kind}: {len(sizes)} files, {sum(sizes) / 1e6:.2f} MB, largest {max(sizes) / 1000:.1f} KB")
        fetch = CountingFiles(files)
        reader = Reader(fetch, stemmer)
        costs = []
        for query in queries:
            before = fetch.bytes
            reader.pages(query, 5)
            costs.append((fetch.bytes - before) / 1000)
        p90 = statistics.quantiles(costs, n=10)[-1]
        print(f"    warm, {len(costs)} queries: median {statistics.median(costs):.1f} KB, p90 {p90:.1f} KB")


if __name__ == "__main__":
    main()
