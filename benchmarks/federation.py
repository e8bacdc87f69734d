"""A federation of sites beside one build of all their documents: answers, what a query reads, what it takes to make.

    python benchmarks/federation.py trees TREE… [--work DIR] [--queries 400]
    python benchmarks/federation.py questions TREES --questions FOLDER [--work DIR] [--each 1000]
    python benchmarks/federation.py many TREE [--work DIR] [--copies 1000]

Each tree is built alone, by the static model, and all of them in one folder; then the former are federated. With
`--work` what lies there is not built again.

`trees`: of the same queries, titles of chunks drawn by chance, as many of each tree, how often the first ten pages,
and their scores, are the same, with links and without: one build has links from one tree to another, too. Pages of
equal scores, such as versions, may change places, and so may the last of the 600 chunks that are kept for a word.
Then requests and bytes of a client that has read nothing yet, of both; files, bytes and seconds of the federation.

`questions`: of question sets, each a site of its own (TREES is the folder of the tree `fastapi`, which one is of),
MRR@10 by page over all sites, beside that of the one build, with the 95% interval of the difference (paired bootstrap).
Ordered by words, and by the model's vectors, too.

`many`: as many sites as that, each with the words of the one that is built of the tree: seconds, memory, bytes.
"""

from __future__ import annotations

import argparse
import gzip
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import orjson
from quality import prepared

from infograph.client import Client
from infograph.commands.federate.run import federate
from infograph.commands.federate.site_terms import manifest_of, read_terms
from infograph.evaluate.bootstrap import difference
from infograph.export.rows import topics_of
from infograph.search.format.federation import FederatedSite
from infograph.search.writing.bundle_options import DEFAULTS
from infograph.search.writing.federation import SiteTerms, federation

SEED = 21
FIRST = 10
QUERIES = 400
SETS = ("chroma", "chunklab", "docs-rag", "fastapi-natural", "hotpot-100", "musique-100")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["trees", "questions", "many"])
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE")
    parser.add_argument("--work", type=Path, help="folder for the sites; by default one that is removed")
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--questions", type=Path, help="folder of the sets")
    parser.add_argument("--each", type=int, default=1000, help="most questions of a set, drawn by chance")
    parser.add_argument("--copies", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = options.work or Path(folder)
        if options.what == "trees":
            compare_trees(work, options.trees, options.queries)
        elif options.what == "many":
            many(work, options.trees[0], options.copies)
        else:
            compare_questions(work, options.questions, options.trees[0], options.each)


def built(work: Path, sources: dict[str, Path]) -> tuple[Path, Path]:
    """Returns the federation of some trees, and the site of all of them in one folder."""
    everything = work / "sources"
    for name, source in sources.items():
        if not (work / "sites" / name).exists():
            run(source, work / "sites" / name)
        if not (everything / name).exists():
            shutil.copytree(source, everything / name, ignore=shutil.ignore_patterns(".*"))
    if not (work / "joint").exists():
        run(everything, work / "joint")
    return work / "sites", work / "joint"


def run(source: Path, out: Path) -> None:
    command = [sys.executable, "-m", "infograph", "build", str(source), "--out", str(out), "--model", "static", "-q"]
    begun = time.perf_counter()
    subprocess.run(command, check=True)
    print(f"built {source.name}: {time.perf_counter() - begun:.1f} s", flush=True)


def make(root: Path, names: Sequence[str]) -> None:
    """Makes the federation anew, and once more; prints what that takes."""
    shutil.rmtree(root / ".infograph", ignore_errors=True)
    for what in ("made", "made again, nothing new"):
        begun = time.perf_counter()
        found = federate(str(root), [str(root / name) for name in names])
        took = time.perf_counter() - begun
        each = found.bytes / found.terms * 1000
        print(
            f"{what}: {took:.1f} s; {found.sites} sites, {found.chunks:,} chunks, {found.terms:,} terms; "
            f"{found.files:,} files, {found.bytes:,} bytes, {each:,.0f} for 1,000 terms"
        )


def compare_trees(work: Path, trees: Sequence[Path], count: int) -> None:
    sites, joint = built(work, {tree.name: tree for tree in trees})
    names = [tree.name for tree in trees]
    make(sites, names)
    federation = str(sites / "federation.json")
    queries = [query for name in names for query in titles(sites / name, count // len(names))]
    with Client(federation, timeout=60) as ours, Client(joint, timeout=60) as theirs:
        whole = {query for query in queries if not is_cut(theirs, query)}
        print(f"{len(queries)} queries; no word of {len(whole)} is in more than {DEFAULTS.most_postings} chunks")
        for links in (True, False):
            pairs = [(query, first(ours, query, links), first(theirs, query, links)) for query in queries]
            how = "with links" if links else "without links"
            print(f"{how}: {equal([(a, b) for _, a, b in pairs])}")
            if whole:
                print(f"{how}, these {len(whole)}: {equal([(a, b) for query, a, b in pairs if query in whole])}")
    for label, place in (("federation", federation), ("one build", str(joint))):
        print(f"{label}, a cold query: {cost(place, queries)}")


def many(work: Path, tree: Path, count: int) -> None:
    """Makes a federation of copies of one site's words."""
    if not (work / "sites" / tree.name).exists():
        run(tree, work / "sites" / tree.name)
    place = str(work / "sites" / tree.name)
    with Client(place, timeout=60) as client:
        said = manifest_of(client)
        words = read_terms(client, said.manifest)
    terms, frequencies, gains = zip(*words.rows, strict=True)

    def sites() -> Iterator[SiteTerms]:
        for number in range(count):
            own = FederatedSite(f"site-{number}", f"https://site-{number}.example.org/docs/", 1, said.build, tree.name)
            yield SiteTerms(own, said.manifest, terms, frequencies, gains, words.forms, words.common)

    begun = time.perf_counter()
    made = federation(sites())
    took = time.perf_counter() - begun
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = len(made.manifest) + sum(map(len, made.shards.values()))
    pairs = count * len(terms)
    print(
        f"{count} sites of {len(terms):,} terms: {took:.1f} s, {memory:,.0f} MB; {size:,} bytes; "
        f"{size / pairs * 1000:,.0f} for 1,000 terms of a site; largest {max(map(len, made.shards.values())):,}; "
        f"manifest {len(made.manifest):,}, by gzip {len(gzip.compress(made.manifest)):,}"
    )


Ranked = list[tuple[str, float]]


def first(client: Client, query: str, links: bool) -> Ranked:
    found = client.pages(query, limit=FIRST, rerank=False, links=links)
    return [(hit.page, round(hit.score, 2)) for hit in found.hits]


def equal(pairs: Sequence[tuple[Ranked, Ranked]]) -> str:
    def share(of: Callable[[Ranked], object]) -> float:
        return sum(of(a) == of(b) for a, b in pairs) / len(pairs)

    order, members = share(lambda own: [page for page, _ in own]), share(lambda own: {page for page, _ in own})
    scores, best = share(lambda own: [score for _, score in own]), share(lambda own: own[:1])
    both = statistics.mean(len({p for p, _ in a} & {p for p, _ in b}) / max(1, len(b)) for a, b in pairs)
    return (
        f"ten pages in order {order:.1%}, as a set {members:.1%}, their scores {scores:.1%}, the first {best:.1%}; "
        f"{both:.1%} of the pages of one are those of the other"
    )


def cost(place: str, queries: Sequence[str]) -> str:
    requests, sizes = [], []
    for query in queries:
        with Client(place, timeout=60) as client:
            stats = client.pages(query, limit=FIRST, rerank=False).stats
        requests.append(stats.requests)
        sizes.append(stats.bytes / 1000)
    shown = [f"{statistics.median(own):.0f}, {np.quantile(own, 0.9):.0f}" for own in (requests, sizes)]
    return f"requests median, 90%: {shown[0]}; KB: {shown[1]}"


def titles(site: Path, count: int) -> list[str]:
    """Returns titles of chunks, of two words at the least, drawn by chance."""
    with Client(site, timeout=60) as client:
        found = {
            item.title
            for topic in topics_of(client)
            for document in topic.documents.values()
            for item in document.items
            if len(item.title.split()) > 1
        }
    return random.Random(SEED).sample(sorted(found), min(count, len(found)))


def is_cut(client: Client, query: str) -> bool:
    """Whether a word of a query is in more chunks than its list has."""

    def frequencies(tree):  # type: ignore[no-untyped-def]
        entries, _, _ = yield from tree.answer(
            lambda searcher, remarks: tree.through(searcher, searcher.ranker.entries(query, remarks))
        )
        return [entry.df for entry in entries.values()]

    return max(client.run(frequencies), default=0) > DEFAULTS.most_postings


def compare_questions(work: Path, questions: Path, trees: Path, each: int) -> None:
    sources: dict[str, Path] = {}
    asked: list[tuple[str, str, frozenset[str]]] = []
    for name in SETS:
        folder = work / "sets" / name
        if not folder.exists():
            folder.parent.mkdir(parents=True, exist_ok=True)
            prepared(name, questions, trees, folder.parent)
        sources[name] = folder / "corpus"
        lines = (folder / "questions.jsonl").read_bytes().splitlines()
        for line in random.Random(SEED).sample(lines, min(each, len(lines))):
            row = orjson.loads(line)
            asked.append((name, row["question"], frozenset(f"{name}/{span['file']}" for span in row["gold"])))
    sites, joint = built(work, sources)
    make(sites, list(sources))
    with Client(sites / "federation.json", timeout=60) as ours, Client(joint, timeout=60) as theirs:
        for rerank in (False, True):
            found = [
                (own, rank(ours, text, gold, rerank), rank(theirs, text, gold, rerank)) for own, text, gold in asked
            ]
            for name in (*sources, "all"):
                report(name, [(a, b) for own, a, b in found if name in ("all", own)], rerank)


def rank(client: Client, question: str, gold: frozenset[str], rerank: bool) -> float:
    hits = [hit.page for hit in client.pages(question, limit=FIRST, rerank=rerank, prompts=False).hits]
    return next((1 / place for place, page in enumerate(hits, 1) if page in gold), 0.0)


def report(name: str, pairs: Sequence[tuple[float, float]], rerank: bool) -> None:
    ours, theirs = np.array(pairs).T
    low, high = difference(ours, theirs)
    how = "words and vectors" if rerank else "words"
    print(
        f"{how}, {name}, {len(pairs)} questions: MRR@10 {ours.mean():.4f}, one build {theirs.mean():.4f}, "
        f"difference {(ours - theirs).mean():+.4f} [{low:+.4f}, {high:+.4f}]"
    )


if __name__ == "__main__":
    main()
