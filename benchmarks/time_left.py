"""Whether the time left that a build tells is true: what it tells after five seconds of a phase, over what it took.

    python benchmarks/time_left.py TREE… [--model NAME] [--pages N] [--jobs N]

Each tree is built from nothing, in a copy of its first N pages. Told are the time of the model before it begins, where
that is over a minute, and after five seconds of each phase of ten or more; the last column is the share by which each
is off. The goal is 30%. A machine whose other work comes and goes tells less than it knows: run it on a quiet one.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from infograph.build import build
from infograph.config import Config, load
from infograph.progress import Advance, Silent, TimeLeft

AFTER = 5.0
"""Seconds after which the time left is looked at."""
LEAST = 10.0
"""Seconds of the phases that count."""


@dataclass
class Phase:
    """A phase and what was told of it."""

    name: str
    start: float
    told: tuple[float, float] | None = None
    """When, and how many seconds were left then."""
    end: float = 0.0


@dataclass
class Record(Silent):
    """A reporter that remembers what a person would have been told."""

    phases: list[Phase] = field(default_factory=list)
    announced: float | None = None

    @contextlib.contextmanager
    def phase(self, name: str, amount: str) -> Iterator[Advance]:
        left, phase = TimeLeft(), Phase(name, time.monotonic())
        self.phases.append(phase)

        def advance(share: float) -> None:
            seconds, now = left.at(share), time.monotonic()
            if phase.told is None and seconds is not None and now - phase.start >= AFTER:
                phase.told = (now, seconds)

        yield advance
        phase.end = time.monotonic()

    def say(self, message: str) -> None:
        found = re.search(r"will take about (?:(\d+):)?(\d+) (s|min|h)", message)
        if found:
            large, small = int(found[1] or 0), int(found[2])
            self.announced = (large * 60 + small) * (60 if found[3] == "h" else 1)


def copied(tree: Path, pages: int, folder: Path) -> Path:
    """Returns a copy of the first pages of a tree."""
    root = folder / tree.name
    documents = sorted(path for path in tree.rglob("*.md") if path.is_file())
    for path in documents[:pages] if pages else documents:
        (root / path.relative_to(tree)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, root / path.relative_to(tree))
    return root


def measured(tree: Path, model: str, pages: int, jobs: int) -> list[tuple[str, float, float]]:
    """Builds a tree. Returns what was told and what it took, in seconds, each with its name."""
    with tempfile.TemporaryDirectory() as folder:
        flags = {"model": model, "cache": f"{folder}/cache"} | ({"jobs": jobs} if jobs else {})
        record = Record()
        build(load(str(copied(tree, pages, Path(folder))), flags=flags, environment={}), record)
    rows = []
    for phase in record.phases:
        seconds = phase.end - phase.start
        if phase.name == "embed" and record.announced is not None:
            rows.append((f"{phase.name}, before", record.announced, seconds))
        if seconds >= LEAST and phase.told is not None:
            rows.append((f"{phase.name}, after {AFTER:g} s", phase.told[1], phase.end - phase.told[0]))
    return rows


def main() -> None:
    """Measures the trees that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--model", default=Config().model)
    parser.add_argument("--pages", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=0)
    options = parser.parse_args()
    print(f"{'tree':<18} {'what':<18} {'told':>8} {'took':>8} {'off by':>7}")
    for tree in options.trees:
        for what, told, took in measured(tree.resolve(), options.model, options.pages, options.jobs):
            print(f"{tree.name:<18} {what:<18} {told:>6.1f} s {took:>6.1f} s {told / took - 1:>+7.0%}", flush=True)


if __name__ == "__main__":
    main()
