"""What trees of real sizes cost after their first build, as ratios of one run, with their geometric mean and the worst.

    python benchmarks/at_size.py TREE… [--python BEFORE AFTER] [--runs 5] [--split PAGES] [--copies N]

For each tree, with the default search bundle and `--model static`:

- bytes of each part of `.infograph`, as a share of the sources, and of what lies in these files;
- processor seconds, user and system, and wall time of a whole process: nothing changed (beside a bare loop that looks
  at every file), one page edited, `search`, `ask`.

With two interpreters that have two versions installed, every step is done by both in turn, on a copy of its own, and
the ratio of each pair is printed. Machines are shared: ratios are the result.

With `--split`, the pages of each folder are first moved into folders of so many pages below it, in order of their
names: a tree of many topics (powershell-docs with 3 has 1,076 that have pages). Links between pages then lead nowhere.
With `--copies`, the tree has each page so many times, see `page_copies.py`: powershell-docs with 4 has 96,000 chunks.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import struct
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from build import Run, fresh, measure
from page_copies import copied, pages_of

PARTS = ("graph.bin", "search", "state", "topics")
QUESTION = "how do I remove an item from a list"
LOOK = """
import os, sys
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        os.lstat(os.path.join(folder, name))
"""
STEPS = ("cold", "idle", "bare loop", "edit", "search", "ask")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", type=Path, nargs="+", metavar="TREE")
    parser.add_argument("--python", nargs="+", default=[sys.executable], metavar="PYTHON", help="one or two")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--split", type=int, default=0, metavar="PAGES", help="most pages of a folder; 0: as it is")
    parser.add_argument("--copies", type=int, default=0, help="how often each page is there; 0: the tree as it is")
    given = parser.parse_args()
    shares: dict[str, list[dict[str, float]]] = {}
    inside: dict[str, list[dict[str, float]]] = {}
    runs: dict[str, list[dict[str, list[Run]]]] = {}
    for tree in given.trees:
        with tempfile.TemporaryDirectory() as scratch:
            larger = Path(scratch, "larger", tree.name)
            if given.copies:
                copied(tree, larger, given.copies)
            copies = [fresh(larger if given.copies else tree, Path(scratch)) for _ in given.python]
            for copy in copies if given.split else ():
                split(copy, given.split)
            sources = sum(page.stat().st_size for page in pages_of(copies[0]))
            runs[tree.name] = timed(given.python, copies, given.runs)
            shares[tree.name] = [
                {part: size(copy / ".infograph" / part) / sources for part in PARTS} for copy in copies
            ]
            inside[tree.name] = [
                {part: found / sources for part, found in parts_of(copy / ".infograph").items()} for copy in copies
            ]
    print_shares(shares)
    print_inside(inside)
    print_times(runs)


def split(tree: Path, most: int) -> None:
    """Moves the pages of each folder into folders of so many pages below it."""
    folders: dict[Path, list[Path]] = {}
    for page in pages_of(tree):
        folders.setdefault(page.parent, []).append(page)
    for folder, pages in folders.items():
        for number, page in enumerate(pages):
            below = folder / f"part-{number // most:03}"
            below.mkdir(exist_ok=True)
            page.rename(below / page.name)


def size(path: Path) -> int:
    """Returns the bytes of a file, or of all files in a folder."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


def parts_of(memory: Path) -> Counter[str]:
    """Returns the bytes of what lies in the files of `.infograph`, packed as it is there."""
    found: Counter[str] = Counter()
    search = (memory / "search").read_bytes()
    for name, length in json.loads(search.split(b"\n", 2)[1])["parts"].items():
        found[f"search: {name}"] = length
    for file in (memory / "topics").iterdir():
        data = file.read_bytes()
        rows, vectors = struct.unpack_from("<2Q", data, 32)  # where these end, after a digest and these numbers
        found.update(
            {"topics: rows": rows, "topics: vectors": vectors - rows, "topics: terms": len(data) - 48 - vectors}
        )
    return found


def timed(pythons: Sequence[str], copies: Sequence[Path], count: int) -> list[dict[str, list[Run]]]:
    """Returns the runs of each step by each interpreter, in turn."""
    found: list[dict[str, list[Run]]] = [{step: [] for step in STEPS} for _ in pythons]
    both = list(zip(pythons, copies, found, strict=True))
    pages = [page.relative_to(copies[0]) for page in pages_of(copies[0])]
    for python, copy, runs in both:
        runs["cold"].append(built(python, copy))
    for number in range(count):
        page = pages[len(pages) * (2 * number + 1) // (2 * count)]
        for python, copy, runs in both[:: -1 if number % 2 else 1]:
            runs["bare loop"].append(measure([python, "-c", LOOK, str(copy)], sample=False))
            runs["idle"].append(built(python, copy))
            text = (copy / page).read_text("utf-8")
            (copy / page).write_text(f"{text}\nA sentence that edit {number} adds, on caching.\n", "utf-8")
            time.sleep(0.1)
            runs["edit"].append(built(python, copy))
            for command in ("search", "ask"):
                asked = [python, "-m", "infograph", command, str(copy), QUESTION]
                runs[command].append(measure(asked, cwd=copy, sample=False))
    return found


def built(python: str, tree: Path) -> Run:
    command = [python, "-m", "infograph", "build", str(tree), "--model", "static", "--quiet"]
    return measure(command, cwd=tree, sample=False)  # in a checkout, `-m` would take its package


def print_shares(shares: dict[str, list[dict[str, float]]]) -> None:
    print(f"\n.infograph as a share of the sources\n| tree | {' | '.join(PARTS)} | all |")
    print("|---" * (len(PARTS) + 2) + "|")
    totals: list[list[float]] = []
    for tree, versions in shares.items():
        totals.append([sum(version.values()) for version in versions])
        cells = [arrow(version[part] for version in versions) for part in PARTS]
        print(f"| {tree} | {' | '.join(cells)} | {arrow(totals[-1])} |")
    columns = list(zip(*totals, strict=True))
    print(f"geometric mean {arrow(map(mean, columns))}, worst {arrow(map(max, columns))}")


def print_inside(inside: dict[str, list[dict[str, float]]]) -> None:
    """Prints the parts that are a hundredth of the sources in some tree."""
    print(f"\nwhat lies in it\n| part | {' | '.join(inside)} |")
    print("|---" * (len(inside) + 1) + "|")
    for part in dict.fromkeys(part for versions in inside.values() for version in versions for part in version):
        rows = [[version.get(part, 0.0) for version in versions] for versions in inside.values()]
        if max(max(row) for row in rows) >= 0.01:
            print(f"| {part} | {' | '.join(' → '.join(f'{value:.3f}' for value in row) for row in rows)} |")


def print_times(runs: dict[str, list[dict[str, list[Run]]]]) -> None:
    print("\nprocessor seconds of a whole process, median (wall)\n| tree | " + " | ".join(STEPS) + " | idle / loop |")
    print("|---" * (len(STEPS) + 2) + "|")
    for tree, versions in runs.items():
        cells = [arrow_of(version[step] for version in versions) for step in STEPS]
        loops = [ratio(version["bare loop"], version["idle"]) for version in versions]
        print(f"| {tree} | {' | '.join(cells)} | {arrow(loops)} |")
    if all(len(versions) == 2 for versions in runs.values()):
        print("\nafter / before, processor seconds pair by pair, median\n| tree | " + " | ".join(STEPS) + " |")
        print("|---" * (len(STEPS) + 1) + "|")
        ratios = {tree: [ratio(old[step], new[step]) for step in STEPS] for tree, (old, new) in runs.items()}
        for tree, row in ratios.items():
            print(f"| {tree} | {' | '.join(f'{value:.2f}' for value in row)} |")
        columns = list(zip(*ratios.values(), strict=True))
        print(f"| geometric mean | {' | '.join(f'{mean(column):.2f}' for column in columns)} |")
        print(f"| worst | {' | '.join(f'{max(column):.2f}' for column in columns)} |")


def ratio(before: Iterable[Run], after: Iterable[Run]) -> float:
    """Returns the median, pair by pair, of the ratio of processor seconds."""
    return statistics.median(b.processor / max(1e-3, a.processor) for a, b in zip(before, after, strict=True))


def mean(values: Sequence[float]) -> float:
    """Returns the geometric mean."""
    return math.exp(statistics.fmean(map(math.log, values)))


def arrow(values: Iterable[float]) -> str:
    return " → ".join(f"{value:.2f}" for value in values)


def arrow_of(versions: Iterable[Iterable[Run]]) -> str:
    rows = [[(run.processor, run.seconds) for run in runs] for runs in versions]
    told = [[statistics.median(column) for column in zip(*row, strict=True)] for row in rows]
    return " → ".join(f"{processor:.2f} ({wall:.2f})" for processor, wall in told)


if __name__ == "__main__":
    main()
