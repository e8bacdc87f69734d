"""What packs save and cost: files of a published tree, build time and what readers fetch, beside a file a chunk.

    python benchmarks/packs.py TREE… [--runs 5] [--queries 60]
    python benchmarks/packs.py --built FOLDER                    what readers fetch of FOLDER/each and FOLDER/pack

Of each tree two sites are built, one with `chunks.files = "each"` and one with `"pack"`: cold, by the static model, in
turn, each as a whole process on a fresh copy. Then both are served by `infograph serve` (gzip), and a client that has
read nothing yet asks each for the same: `retrieve` of titles of chunks, drawn by chance from the tree, within 2,000
tokens; and all of N chunks of a document, in its stripe order, of documents that have as many. Answers must be equal.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
from build import INFOGRAPH, Run, measure

from infograph.client import Client
from infograph.export.rows import topics_of
from infograph.publishing.hosts import files_to_send, totals

KINDS = ("each", "pack")
SAMPLES = (5, 10, 20, 40)
"""Chunks of a document that are read."""
DOCUMENTS = 30
"""Documents of which they are read, as many as there are."""
BUDGET = 2000
SEED = 20


@dataclass
class Meter:
    """What was asked of a server: requests, and bytes of the replies as they were sent."""

    sizes: dict[str, list[int]] = field(default_factory=lambda: {"texts": [], "others": []})

    def transport(self) -> httpx2.AsyncBaseTransport:
        meter = self

        class Counting(httpx2.AsyncHTTPTransport):
            async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
                response = await super().handle_async_request(request)
                kind = "texts" if "/_chunks/" in request.url.path else "others"
                meter.sizes[kind].append(int(response.headers["Content-Length"]))
                return response

        return Counting()


@contextmanager
def served(site: Path) -> Iterator[str]:
    command = [*INFOGRAPH, "serve", str(site), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            assert server.stdout is not None
            for line in server.stdout:
                if found := re.search(r"http://[^\s/]+/", line):
                    yield found[0]
                    return
            sys.exit("infograph serve ended")
        finally:
            server.terminate()


def built(tree: Path, folder: Path, kind: str) -> Run:
    """Builds a site from a fresh copy of a tree, into `folder/KIND`."""
    for name in (kind, "docs"):
        shutil.rmtree(folder / name, ignore_errors=True)
    shutil.copytree(tree, folder / "docs")
    (folder / "infograph.toml").write_text(f'[chunks]\nfiles = "{kind}"\n')
    shutil.rmtree(folder / ".embedding-cache", ignore_errors=True)
    shutil.rmtree(folder / ".infograph", ignore_errors=True)
    return measure([*INFOGRAPH, "build", "docs", "--out", kind, "--model", "static", "--quiet"], cwd=folder)


def files_of(site: Path) -> None:
    """Prints the files of a site by kind."""
    files = files_to_send(site)
    kinds = ", ".join(f"{count:,} {kind} ({size / 1e6:.1f} MB)" for kind, count, size in totals(files))
    print(f"  {site.name}: {len(files):,} files, {sum(file.size for file in files) / 1e6:.1f} MB: {kinds}")
    if packs := sorted(file.size for file in files if file.path.endswith(".pack.txt")):
        shares = ", ".join(f"{packs[int(share * (len(packs) - 1))]:,} at {share:.0%}" for share in (0.5, 0.9, 0.99, 1))
        print(f"    bytes of a pack: {shares}")


def fetched(url: str, ask: Callable[[Client], object]) -> tuple[object, Meter]:
    """Returns the answer of a client that has read nothing yet, and what it fetched."""
    meter = Meter()
    with Client(url, timeout=60, transport=meter.transport()) as client:
        return ask(client), meter


def told(name: str, meters: list[Meter]) -> None:
    """Prints the median and the 90th percentile of requests and bytes, of texts and in all."""
    for kind in ("texts", "all"):
        rows = [m.sizes["texts"] if kind == "texts" else m.sizes["texts"] + m.sizes["others"] for m in meters]
        requests, sizes = sorted(map(len, rows)), sorted(map(sum, rows))
        ninth = int(0.9 * (len(rows) - 1))
        print(
            f"    {name:5} {kind:6} requests {statistics.median(requests):6g} ({requests[ninth]:4} at 90%)   "
            f"KB {statistics.median(sizes) / 1000:7.1f} ({sizes[ninth] / 1000:7.1f} at 90%)"
        )


def compare(folder: Path, urls: dict[str, str], queries: int) -> None:
    """Prints what a client fetches of each site for the same questions."""
    with Client(folder / "each") as client:
        documents = [own for topic in topics_of(client) for own in topic.documents.values()]
    chance = random.Random(SEED)
    items = [item for own in documents for item in own.items]
    titles = [item.title for item in chance.sample(items, min(queries, len(items)))]

    def shown(client: Client, title: str) -> object:
        context = client.retrieve(title, BUDGET, rerank=False)
        return [(passage.text, passage.tokens) for passage in context.passages], dict(context.missing)

    print(f"  retrieve, {len(titles)} questions, {BUDGET:,} tokens:")
    both(urls, [lambda client, title=title: shown(client, title) for title in titles])
    for number in SAMPLES:
        large = [own for own in documents if own.count >= number]
        chosen = chance.sample(large, min(DOCUMENTS, len(large)))
        if not chosen:
            continue

        def read(client: Client, topic: str, source: str, number: int = number) -> list[str]:
            own = next(one for one in client.topic(topic).documents.values() if one.source == source)
            order = [own.baseline_conceptual, *own.stripe_order][:number]
            return [client.read(own.items[index]).text for index in order if index is not None]

        print(f"  {number} chunks of one document, {len(chosen)} documents:")
        pairs = [(own.items[0].topic, own.source) for own in chosen]
        both(urls, [lambda client, pair=pair, read=read: read(client, *pair) for pair in pairs])


def both(urls: dict[str, str], asks: list[Callable[[Client], object]]) -> None:
    """Asks both sites the same and prints what each cost."""
    meters: dict[str, list[Meter]] = {kind: [] for kind in KINDS}
    for ask in asks:
        answers = []
        for kind in KINDS:
            answer, meter = fetched(urls[kind], ask)
            answers.append(answer)
            meters[kind].append(meter)
        assert answers[0] == answers[1], "the sites answer differently"
    for kind in KINDS:
        told(kind, meters[kind])


def weigh(folder: Path, queries: int) -> None:
    """Prints the files of both sites, and what a client fetches of each."""
    for kind in KINDS:
        files_of(folder / kind)
    with served(folder / "each") as each_url, served(folder / "pack") as pack_url:
        compare(folder, {"each": each_url, "pack": pack_url}, queries)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="*", type=Path)
    parser.add_argument("--built", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--queries", type=int, default=60)
    arguments = parser.parse_args()
    for tree in arguments.trees:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            runs: dict[str, list[Run]] = {kind: [] for kind in KINDS}
            for number in range(arguments.runs):
                for kind in KINDS if number % 2 else reversed(KINDS):
                    runs[kind].append(built(tree.resolve(), folder, kind))
            print(f"{tree.name}:")
            for what, value in (("seconds", lambda run: run.seconds), ("processor", lambda run: run.processor)):
                each, pack = ([value(run) for run in runs[kind]] for kind in KINDS)
                ratios = sorted(b / a for a, b in zip(each, pack, strict=True))
                said = f"{statistics.median(each):.2f} → {statistics.median(pack):.2f}"
                print(f"  {what}: {said}, ratio {statistics.median(ratios):.3f} ({ratios[0]:.3f}–{ratios[-1]:.3f})")
            weigh(folder, arguments.queries)
    if arguments.built is not None:
        weigh(arguments.built, arguments.queries)


if __name__ == "__main__":
    main()
