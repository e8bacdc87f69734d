"""Peak memory of cold builds as a tree grows: of the parent, of a worker, of all together, and in which step.

    python benchmarks/memory.py TREE [--copies 0 1 2 4] [--python BEFORE AFTER] [--jobs 2] [--scratch DIR]

A tree of N copies has each page N times, every copy with other words, see `page_copies.py`; `0` is the tree as it is.
Builds are those of `--model static` with the search bundle. Memory is the proportional share (PSS) of each process, ten
times a second; what worker processes have in common with their parent is counted once. With two interpreters that have
two versions installed, each tree is built by both, and the outputs are compared.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from build import _family, _proportional
from page_copies import copied

PRIVATE = (".infograph", ".embedding-cache")

TRACED = r"""
import functools, os, sys
from infograph.build import build
from infograph.config import load
from infograph.pipeline import run
def traced(name):
    owner, _, own = name.rpartition(".")
    place = getattr(run, owner) if owner else run
    made = getattr(place, own)
    @functools.wraps(made)
    def told(*given, **named):
        os.write(1, f"begin {name}\n".encode())  # whole lines, from two threads
        try:
            return made(*given, **named)
        finally:
            os.write(1, f"end {name}\n".encode())
    setattr(place, own, told)
for name in STEPS:
    traced(name)
flags = {"model": "static", "jobs": int(sys.argv[2])}
if len(sys.argv) > 3:
    flags["ray"] = sys.argv[3]
summary = build(load(sys.argv[1], flags=flags))
print("chunks", summary.chunks, flush=True)
"""
STEPS = (
    *("cut_documents", "gather_documents", "_embed", "Bundler.update", "make_tables", "pack_topics", "_make_graph"),
    *("write_pages", "root_files", "publish"),
)
"""What `pipeline/run.py` calls, in that order; `Bundler.update` and what follows from it run in a thread beside."""


@dataclass
class Peaks:
    """Memory of one build, in bytes."""

    all: float = 0.0
    parent: float = 0.0
    worker: float = 0.0
    during: str = ""
    """The steps that ran when all together were at their peak."""
    by_step: dict[str, float] = field(default_factory=dict)
    """Peak of the parent while each step ran."""
    seconds: float = 0.0
    chunks: int = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path, help="folder of Markdown")
    parser.add_argument("--copies", type=int, nargs="+", default=[0, 1, 2, 4])
    parser.add_argument("--python", nargs="+", default=[sys.executable], metavar="PYTHON", help="one or two")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--scratch", type=Path, help="folder for the trees; default is that for temporary files")
    given = parser.parse_args()
    print("| MB of sources | chunks | seconds | all MB | parent MB | worker MB | at the peak | parent by step |")
    print("|---" * 8 + "|", flush=True)
    for copies in given.copies:
        with tempfile.TemporaryDirectory(dir=given.scratch) as scratch:
            digests = set()
            for number, python in enumerate(given.python):
                tree = Path(scratch) / str(number) / given.tree.name
                size = copied(given.tree, tree, copies)
                print(row(size, built(python, tree, given.jobs)), flush=True)
                digests.add(digest(tree))
                shutil.rmtree(tree)
            if len(digests) > 1:
                sys.exit("the outputs differ")


def row(size: int, peaks: Peaks) -> str:
    steps = ", ".join(f"{step.strip('_')} {peak / 1e6:.0f}" for step, peak in peaks.by_step.items())
    numbers = " | ".join(f"{peak / 1e6:.0f}" for peak in (peaks.all, peaks.parent, peaks.worker))
    return f"| {size / 1e6:.1f} | {peaks.chunks:,} | {peaks.seconds:.0f} | {numbers} | {peaks.during} | {steps} |"


def built(python: str, tree: Path, jobs: int, *more: str) -> Peaks:
    """Builds a tree and returns what it took; a build that fails ends the benchmark."""
    start = time.perf_counter()
    command = [python, "-c", TRACED.replace("STEPS", repr(STEPS)), str(tree), str(jobs), *more]
    process = subprocess.Popen(command, cwd=tree, stdout=subprocess.PIPE, text=True)
    peaks, running, done = Peaks(), ["start"], threading.Event()
    watcher = threading.Thread(target=_watch, args=(process.pid, peaks, running, done))
    watcher.start()
    assert process.stdout is not None
    for line in process.stdout:
        event, _, name = line.strip().partition(" ")
        if event == "begin":
            running.append(name)
        elif event == "end":
            running.remove(name)
        elif event == "chunks":
            peaks.chunks = int(name)
    status = process.wait()
    peaks.seconds = time.perf_counter() - start
    done.set()
    watcher.join()
    if status:
        sys.exit(f"the build ended with status {status}")
    return peaks


def _watch(pid: int, peaks: Peaks, running: list[str], done: threading.Event) -> None:
    while not done.wait(0.1):
        steps = running[1:] or running[:1]
        parent, *others = map(_proportional, _family(pid))
        if parent + sum(others) > peaks.all:
            peaks.all, peaks.during = parent + sum(others), " and ".join(step.strip("_") for step in steps)
        peaks.parent = max(peaks.parent, parent)
        peaks.worker = max([peaks.worker, *others])
        for step in steps:
            peaks.by_step[step] = max(peaks.by_step.get(step, 0.0), parent)


def published(tree: Path) -> Iterator[Path]:
    """Yields the files of a tree but for what only this machine reads, sorted."""
    for path in sorted(tree.rglob("*")):
        if path.is_file() and not set(PRIVATE) & set(path.relative_to(tree).parts):
            yield path


def digest(tree: Path) -> str:
    """Returns a digest of the names and bytes of a published tree."""
    found = hashlib.sha256()
    for path in published(tree):
        found.update(f"{path.relative_to(tree)}\0".encode())
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


if __name__ == "__main__":
    main()
