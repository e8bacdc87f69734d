"""A build on a Ray cluster of this machine: seconds, memory of the driver, and what map, shuffle and reduce take.

    python benchmarks/on_ray.py TREE [--workers 1 2 4] [--copies 0] [--pack] [--every 60] [--scratch DIR]

`TREE` is copied as `page_copies.py` says. Each number of workers has a cluster of its own, one node each. While a build
runs a line every minute says how far it is and what the driver took at most in each step, so that a run that is stopped
has told what it found. Processor
seconds, which a machine with other work does not change as much as wall time:

    map      of the workers while documents are cut: chunks, terms, vectors, the page as search indexes it
    shuffle  of the driver meanwhile: results received, unpacked, held
    topics   of the workers after that: tables, specifications and indexes of topics
    reduce   of the driver after that: postings, shards and vectors of the bundle, publication, what is remembered

Then a table of what more nodes would give, on paper. With m, s, t and r the measured seconds a chunk, b the measured
bytes of a chunk's result, N nodes of C cores and n chunks, one build takes

    (m + t) n / (N C)  +  max(s n, b n / W)  +  r n  seconds

where W is the driver's bandwidth: what the driver does is serial, so it bounds what nodes can give. Above `SITE`
chunks a tree is divided into sites (`infograph federate`), each with a driver of its own: of G GB of sources there are
n = 1e9 G / (bytes a chunk) chunks in n / `SITE` sites, and N nodes build N sites at a time, each on its own cores:

    (n / SITE / N) × ((m + t) SITE / C + max(s, b / W) SITE + r SITE)  seconds

Assumed: `CORES` cores a node as fast as this one's, `PRICE` dollars a core and hour, `BANDWIDTH` bytes a second, no
machine lost. Bytes of the bundle are those measured, a chunk; shards are at most `max_files` a site; a query reads
what `search_scale.py` has measured of a site of a million chunks, for each site that has its terms, at most three by
default.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from build import _family, _proportional
from memory import STEPS, TRACED
from page_copies import copied

SITE = 1_000_000
CORES = 16
PRICE = 0.04
BANDWIDTH = 1.25e9
QUERY_BYTES, QUERY_SITES = 139_000, 3
SHARDS = 100_000

CLUSTER = """
import os, sys
os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_TMPDIR": sys.argv[2]}
os.environ["RAY_worker_niceness"] = "0"  # else 15: anything else that runs here would go before
from ray.cluster_utils import Cluster
size = {"num_cpus": 1, "object_store_memory": 80_000_000}
head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": 80_000_000}
cluster = Cluster(initialize_head=True, head_node_args=head)
for _ in range(int(sys.argv[1])):
    cluster.add_node(**size)
print(cluster.address, flush=True)
sys.stdin.read()
cluster.shutdown()
"""
SIZED = r"""
import os, pickle
from infograph.pipeline.steps import cut
kept, seen, sizes, chunks = cut.hold, [0], [0], [0]
def counted(result, held):
    chunks[0] += result.chunks
    if seen[0] % 100 == 0:
        os.write(1, f"cut {chunks[0]}\n".encode())  # what is printed goes to stderr while there is a cluster
    if seen[0] % 20 == 0:
        sizes[0] += 20 * len(pickle.dumps(result, 5))
    seen[0] += 1
    kept(result, held)
cut.hold = counted
"""
"""Counts the chunks of all results, and the bytes of every twentieth."""


@dataclass
class Cost:
    """What one build took."""

    seconds: float = 0.0
    driver: float = 0.0
    """Peak memory, bytes."""
    worker: float = 0.0
    chunks: int = 0
    sources: int = 0
    bundle: int = 0
    """Bytes of the search bundle."""
    results: int = 0
    """Bytes of the results that were sent to the driver."""
    processor: Counter[str] = field(default_factory=Counter)
    by_step: dict[str, float] = field(default_factory=dict)
    """Peak memory of the driver while each step ran, in the order in which they began, bytes."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path, help="folder of Markdown")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--copies", type=int, default=0)
    parser.add_argument("--pack", action="store_true", help="chunks share files")
    parser.add_argument("--every", type=float, default=60.0, help="seconds between lines that say how far a build is")
    parser.add_argument("--scratch", type=Path, help="folder for the trees; default is that for temporary files")
    given = parser.parse_args()
    print(HEAD)
    print("|---" * 12 + "|", flush=True)
    cost = Cost()
    for workers in given.workers:
        with tempfile.TemporaryDirectory(dir=given.scratch) as scratch:
            tree = Path(scratch) / given.tree.name
            size = copied(given.tree, tree, given.copies)
            if given.pack:
                (tree / "infograph.toml").write_text('[chunks]\nfiles = "pack"\n')
            cost = built(tree, workers, Path(scratch), given.every)
            cost.sources = size
            print(row(workers, cost), flush=True)  # before all of that is removed, which takes a while
    print_paper(cost)


HEAD = (
    "| workers | MB | chunks | seconds | driver MB | worker MB | map | shuffle | topics | reduce | MB of results "
    "| driver MB by step |"
)


def row(workers: int, cost: Cost) -> str:
    total = sum(cost.processor.values())
    shares = " | ".join(f"{cost.processor[step]:.1f} s ({cost.processor[step] / total:.0%})" for step in PARTS)
    numbers = f"{cost.seconds:.0f} | {cost.driver / 1e6:.0f} | {cost.worker / 1e6:.0f}"
    return (
        f"| {workers} | {cost.sources / 1e6:.1f} | {cost.chunks:,} | {numbers} | {shares} | {cost.results / 1e6:.0f} "
        f"| {steps(cost)} |"
    )


def steps(cost: Cost) -> str:
    return ", ".join(f"{step.strip('_')} {peak / 1e6:.0f}" for step, peak in cost.by_step.items())


def so_far(cost: Cost, start: float) -> str:
    """Says how far a build is."""
    seconds = time.perf_counter() - start
    return f"  {seconds:,.0f} s: {cost.chunks:,} chunks cut, driver {cost.driver / 1e6:.0f} MB at most ({steps(cost)})"


PARTS = ("map", "shuffle", "topics", "reduce")


def built(tree: Path, workers: int, scratch: Path, every: float) -> Cost:
    """Builds a tree on a cluster of its own; a build that fails ends the benchmark."""
    files = scratch / "r"
    files.mkdir()
    command = [sys.executable, "-c", CLUSTER, str(workers), str(files)]
    cluster = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert cluster.stdin is not None and cluster.stdout is not None
    try:
        address = cluster.stdout.readline().strip()
        if not address:
            sys.exit("Ray starts no cluster here")
        return _measured(tree, workers, address, cluster.pid, every)
    finally:
        cluster.stdin.close()
        cluster.wait()


def _measured(tree: Path, workers: int, address: str, cluster: int, every: float) -> Cost:
    told = TRACED.replace("STEPS", repr(STEPS)).replace('print("chunks"', 'print("results", sizes[0])\nprint("chunks"')
    start, cost = time.perf_counter(), Cost()
    driver = subprocess.Popen(
        [sys.executable, "-c", SIZED + told, str(tree), str(workers), address], stdout=subprocess.PIPE, text=True
    )
    done = threading.Event()
    seen: dict[int, float] = {}
    """Processor seconds of each worker process, the last that were seen."""
    running: list[str] = []
    last = "start"

    def watch() -> None:
        said = start
        while not done.wait(0.2):
            memory = _proportional(driver.pid)
            cost.driver = max(cost.driver, memory)
            for step in running or [last]:
                cost.by_step[step] = max(cost.by_step.get(step, 0.0), memory)
            if time.perf_counter() > said + every:
                said = time.perf_counter()
                print(so_far(cost, start), file=sys.stderr, flush=True)
            for pid in _workers(cluster):
                cost.worker = max(cost.worker, _proportional(pid))
                seen[pid] = max(seen.get(pid, 0.0), _processor(pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    assert driver.stdout is not None
    mine, theirs = 0.0, 0.0
    for line in driver.stdout:
        event, _, value = line.strip().partition(" ")
        if event in ("begin", "end"):
            running = [*running, value] if event == "begin" else [step for step in running if step != value]
            last = f"after {value}"
            seen |= {pid: _processor(pid) for pid in _workers(cluster)}
            now, worked = _processor(driver.pid) or mine, sum(seen.values())
            before_end = event == "end" and value == "cut_documents"
            cost.processor["shuffle" if before_end else "reduce"] += now - mine
            cost.processor["map" if before_end else "topics"] += worked - theirs
            mine, theirs = now, worked
        elif event in ("cut", "chunks"):
            cost.chunks = int(value)
        elif event == "results":
            cost.results = int(value)
    if driver.wait():
        sys.exit(f"the build ended with status {driver.returncode}")
    done.set()
    watcher.join()
    cost.seconds = time.perf_counter() - start
    cost.bundle = sum(file.stat().st_size for file in (tree / "_search").iterdir())
    return cost


def _workers(cluster: int) -> list[int]:
    """Returns the worker processes that the actors of a cluster have started."""
    return [pid for pid in _family(cluster) if b"infograph.pipeline.worker" in _command(pid)]


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""  # it ended meanwhile


def _processor(pid: int) -> float:
    """Returns the processor seconds of a process; 0 where it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def print_paper(cost: Cost) -> None:
    """Prints what more nodes would give."""
    m, s, t, r = (cost.processor[part] / cost.chunks for part in PARTS)
    shuffled = max(s, cost.results / cost.chunks / BANDWIDTH)
    print(f"\na chunk: map {m:.2g} s, shuffle {s:.2g} s, topics {t:.2g} s, reduce {r:.2g} s;", end=" ")
    print(f"{cost.results / cost.chunks:.0f} bytes sent, {cost.bundle / cost.chunks:.0f} bytes of bundle")
    print(
        "\n| GB of sources | chunks | sites | nodes | hours | dollars | GB of bundle | most shards | most KB a query |"
    )
    print("|---" * 9 + "|")
    for gigabytes in (1, 10, 100):
        chunks = 1e9 * gigabytes / (cost.sources / cost.chunks)
        sites = max(1, round(chunks / SITE))
        for nodes in (1, 10, 100):
            each = chunks / sites
            site = (m + t) * each / CORES + (shuffled + r) * each
            busy = min(nodes, sites)
            hours = site * -(-sites // busy) / 3600
            spread = (m + t) * each / CORES / (nodes / sites) + (shuffled + r) * each
            hours = hours if nodes <= sites else spread / 3600
            print(
                f"| {gigabytes} | {chunks:,.0f} | {sites} | {nodes} "
                f"| {hours:.2f} | {hours * nodes * CORES * PRICE:.2f} "
                f"| {cost.bundle / cost.chunks * chunks / 1e9:.1f} | {SHARDS * sites:,} "
                f"| {QUERY_BYTES * min(sites, QUERY_SITES) / 1000:.0f} |"
            )


if __name__ == "__main__":
    main()
