"""The search bundle of a synthetic site of very many chunks: seconds, memory, files, bytes a query.

    python benchmarks/search_scale.py TREE [--chunks 1000000] [--max-files 100000] [--queries 50]

The pages of the tree are repeated until there are so many chunks, each copy perturbed: one word in eight is another
word of the tree, drawn as often as the tree writes it, and one in two hundred is a word of that copy alone; its
vectors are turned by noise of a third of their length. Vectors are those of `--model static`. A cold query costs what
`search_quality.py` counts: code, manifest, shards, the first five pages' best chunks' text. Memory is the peak of
this process, pages as they come from `index_page` included; seconds are of processor time, on one thread.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from search_bytes import chunks  # first: it sets the number of threads
from search_quality import Cut, code, english

import numpy as np  # isort: skip
from numpy.typing import NDArray  # isort: skip

from infograph.embedding.static import StaticEmbedder
from infograph.evaluate.published_search import CountingFiles
from infograph.search.format.search_space import load_space
from infograph.search.reading.reader import Reader
from infograph.search.writing.bundle import state_key, update
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.bundle_state import load_state
from infograph.search.writing.page_index import PageIndex, SearchPage, index_page, snippet_of
from infograph.text.language import stemmer

TEXT_BYTES = 5 * 1500
"""Of the five chunks that a reader opens."""


def copies(found: list[Cut], vectors: NDArray[np.int8], wanted: int, seed: int) -> Iterator[PageIndex]:
    """Pages of `wanted` chunks in all, and few more."""
    language, draw = english(), random.Random(seed)
    noise = np.random.default_rng(seed)
    words = [word for cut in found[::20] for word in cut.chunk.text.split()]
    pages: dict[str, list[int]] = {}
    for place, cut in enumerate(found):
        pages.setdefault(cut.span.file, []).append(place)
    made = copy = 0
    while made < wanted:
        for file, places in pages.items():
            texts = []
            for place in places:
                text = found[place].chunk.text.split(" ")
                for at in draw.sample(range(len(text)), len(text) // 8):
                    text[at] = draw.choice(words)
                for at in draw.sample(range(len(text)), len(text) // 200):
                    text[at] = f"word{draw.randrange(5000)}of{copy}"
                texts.append(" ".join(text))
            shown = tuple(
                replace(chunk, text=text, snippet=snippet_of(text), href=f"{copy}/{chunk.href}")
                for chunk, text in zip([found[place].chunk for place in places], texts, strict=True)
            )
            rows = vectors[places] + noise.normal(0, vectors[places].std() / 3, (len(places), vectors.shape[1]))
            near = np.clip(np.rint(rows), -127, 127).astype(np.int8)
            yield index_page(SearchPage(f"{copy}/{file}", file, f"{copy}/{file}/", shown), near, language)
            made += len(places)
            if made >= wanted:
                return
        copy += 1


def taken(pages: deque[PageIndex]) -> Iterator[PageIndex]:
    """They are handed over, as a build does."""
    while pages:
        yield pages.popleft()


def peak() -> str:
    return f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9:.2f} GB"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path, help="folder of Markdown")
    parser.add_argument("--chunks", type=int, default=1_000_000)
    parser.add_argument("--max-files", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=50)
    args = parser.parse_args()
    space, language, options = load_space(), english(), SearchOptions(max_files=args.max_files)
    found = chunks(args.tree)
    vectors = space.project("static-256", StaticEmbedder().embed([cut.chunk.text for cut in found]))
    queries = sorted({cut.chunk.title for cut in found if 2 <= len(cut.chunk.title.split()) <= 7})
    queries = random.Random(0).sample(queries, args.queries)

    begin = time.process_time()
    pages = deque(copies(found, vectors, args.chunks, 0))
    postings = sum(len(page.chunks) for page in pages)
    size = sum(page.size for page in pages)
    seconds = time.process_time() - begin
    print(f"{size} chunks, {len(pages)} pages, {postings} postings in {seconds:.0f} s, {peak()}", flush=True)
    begin = time.process_time()
    made, state = update(None, (), taken(pages), language, space, options)
    total = sum(map(len, made.files.values()))
    seconds = time.process_time() - begin
    print(f"bundle: {len(made.names)} files, {total / 1e6:.0f} MB in {seconds:.0f} s, {peak()}", flush=True)
    files = dict(made.files)
    del made
    data = b"".join(state.dump())
    edited = next(copies(found, vectors, 1, 1))
    begin = time.process_time()
    known = load_state(data, state_key(language, space, options))
    again, state = update(known, (), [edited], language, space, options)
    written = sum(map(len, state.dump()))
    seconds = time.process_time() - begin
    print(
        f"one page edited: {len(again.files)} files, state of {written / 1e6:.0f} MB read and written, "
        f"in {seconds:.1f} s",
        flush=True,
    )

    costs, requests = [], []
    for query in queries:
        fetch = CountingFiles(files)
        Reader(fetch, stemmer).pages(query, 5)
        costs.append(code(links=False)[0] + TEXT_BYTES + fetch.bytes)
        requests.append(fetch.requests)
    print(
        f"cold bytes a query: median {statistics.median(costs) / 1000:.0f} KB, most {max(costs) / 1000:.0f} KB, "
        f"requests {statistics.median(requests):.0f}"
    )


if __name__ == "__main__":
    main()
