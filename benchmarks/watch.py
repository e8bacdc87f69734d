"""How long a save takes under `infograph watch` until it is published.

    python benchmarks/watch.py TREE… [--python BEFORE AFTER] [--edits 24] [--debounce SECONDS]

A copy of each tree is watched with `--model static`. Then one page after the other, spread evenly over the tree, gets
a sentence more, saved as editors do: written over, or written beside and renamed. Measured is the time from the moment
before the save until the manifest of the search is another file, which is renamed after everything else that changed;
and the processor time, user and system, of the watch and its workers for that edit, with the look that follows each
build. Before each edit the watch has been idle for a while.

With two interpreters that have two versions installed, each watches a copy of its own, they take turns, and the ratios
of each pair are printed. Machines are shared: ratios, and processor time, are the result.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from build import fresh

MARKDOWN = (".md", ".mdx", ".markdown")
PAUSE = 0.6
"""Seconds of rest between two edits, at least."""
QUIET = 0.02
"""Seconds of processor time within `PAUSE` up to which a watch counts as idle."""
TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Edit:
    """One save."""

    seconds: float
    """By the clock, until it was published."""
    processor: float
    """Of processor time, until the watch was idle again."""


class Watch:
    """A watch of a copy of a tree."""

    def __init__(self, python: str, tree: Path, options: Sequence[str]) -> None:
        self.tree = tree
        command = [python, "-m", "infograph", "watch", str(tree), "--model", "static", *options]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd="/")
        assert self._process.stderr is not None
        if not any(line.startswith("watching ") for line in self._process.stderr):
            sys.exit(f"{' '.join(command)} ended")
        threading.Thread(target=self._process.stderr.read, daemon=True).start()

    def edit(self, page: str, number: int) -> Edit:
        """Saves a page with a sentence more."""
        before = self._idle()
        place, manifest = self.tree / page, self.tree / "_search" / "manifest.json"
        text = f"{place.read_text('utf-8')}\nA sentence that edit {number} adds, on caching.\n"
        inode, start = manifest.stat().st_ino, time.perf_counter()
        if number % 2:
            place.write_text(text, "utf-8")
        else:
            beside = place.with_name(f".{place.name}.swp")
            beside.write_text(text, "utf-8")
            beside.replace(place)
        while manifest.stat().st_ino == inode:
            time.sleep(0.002)
        seconds = time.perf_counter() - start
        return Edit(seconds, self._idle() - before)

    def _idle(self) -> float:
        """Waits until nothing is done any more; returns the processor time used so far."""
        used = processor_seconds(self._process.pid)
        while True:
            time.sleep(PAUSE)
            now = processor_seconds(self._process.pid)
            if now - used <= QUIET:
                return now
            used = now

    def close(self) -> None:
        self._process.send_signal(signal.SIGINT)
        self._process.wait()


def processor_seconds(pid: int) -> float:
    """Returns the processor time of a process, of its children, and of those that have ended."""
    family = [pid]
    total = 0
    for member in family:
        try:
            total += sum(map(int, Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()[11:15]))
            for task in os.listdir(f"/proc/{member}/task"):
                family += map(int, Path(f"/proc/{member}/task/{task}/children").read_text().split())
        except OSError:
            continue  # it ended meanwhile
    return total / TICK


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", type=Path, nargs="+", metavar="TREE")
    parser.add_argument("--python", nargs="+", default=[sys.executable], metavar="PYTHON", help="one or two")
    parser.add_argument("--edits", type=int, default=24)
    parser.add_argument("--debounce", help="`watch.debounce`; default: that of each version")
    parser.add_argument("--folder", help="where to copy trees to; default: the system's folder for temporary files")
    given = parser.parse_args()
    if given.debounce is not None:
        os.environ["INFOGRAPH_WATCH_DEBOUNCE"] = given.debounce
    print("| tree | seconds until published, median (90%) | processor seconds | pair by pair: seconds, processor |")
    print("|---|---|---|---|", flush=True)
    for tree in given.trees:
        with tempfile.TemporaryDirectory(dir=given.folder) as scratch:
            print_row(tree.name, edited(tree, Path(scratch), given.python, given.edits))


def edited(tree: Path, scratch: Path, pythons: Sequence[str], count: int) -> list[list[Edit]]:
    """Returns the edits under the watch of each interpreter, in turn."""
    copies = [fresh(tree, scratch) for _ in pythons]
    pages = sorted(str(p.relative_to(copies[0])) for p in copies[0].rglob("*") if p.suffix in MARKDOWN and p.is_file())
    watches = [Watch(python, copy, []) for python, copy in zip(pythons, copies, strict=True)]
    try:
        found: list[list[Edit]] = [[] for _ in watches]
        for number in range(-1, count):  # the first one warms up and does not count
            page = pages[len(pages) * (2 * max(0, number) + 1) // (2 * count)]
            for place in range(len(watches))[:: -1 if number % 2 else 1]:
                edit = watches[place].edit(page, number)
                if number >= 0:
                    found[place].append(edit)
        return found
    finally:
        for watch in watches:
            watch.close()


def print_row(tree: str, versions: Sequence[Sequence[Edit]]) -> None:
    seconds = [f"{median(edits, 'seconds'):.2f} ({ninth([e.seconds for e in edits]):.2f})" for edits in versions]
    processor = [f"{median(edits, 'processor'):.2f}" for edits in versions]
    ratios = [
        statistics.median(getattr(b, field) / max(1 / TICK, getattr(a, field)) for a, b in zip(*versions, strict=True))
        for field in ("seconds", "processor")
        if len(versions) == 2
    ]
    told = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    print(f"| {tree} | {' → '.join(seconds)} | {' → '.join(processor)} | {told} |", flush=True)


def median(edits: Sequence[Edit], field: str) -> float:
    return statistics.median(getattr(edit, field) for edit in edits)


def ninth(values: Sequence[float]) -> float:
    """Returns the ninth decile."""
    return sorted(values)[int(0.9 * (len(values) - 1))]


if __name__ == "__main__":
    main()
