"""What a build costs: seconds, memory and bytes, beside a floor or a peer in the same run.

    python benchmarks/build.py trees   TREE…                 each tree, cold
    python benchmarks/build.py peer    TREE… --pagefind BIN --html DIR  cold builds against Pagefind, in turn; DIR has a
                                                             folder of rendered pages for each tree, by its name
    python benchmarks/build.py twins   TREE…                 cold builds with compiled parts and without, in turn
    python benchmarks/build.py edit    TREE                  one page edited
    python benchmarks/build.py idle    TREE                  nothing changed, against a bare Python loop
    python benchmarks/build.py help                          `infograph --help` against `python -c pass`
    python benchmarks/build.py model   TREE                  the default model: share of onnxruntime, one core and two
    python benchmarks/build.py watched TREE                  a page saved under a watch until all is published, against
                                                             a whole process that builds the same edit
    python benchmarks/build.py early   TREE…                 when a watch has published, with results early and without

Every run is a whole process on a fresh copy of the tree. Delete nothing large in the five minutes before: ext4 gives
no inode out again that was deleted in that time, and looks at all of them for each new file; a build that makes 26,000
files has taken twice as long. Machines differ and are shared: the ratios are the result, the seconds only say of what.
Modules are kept compiled, whatever `PYTHONDONTWRITEBYTECODE` says here, as `pip` leaves them. Where their folder is not
writable, each process compiles them anew, which takes a third of a second of processor time.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import unquote

from infograph.words.twins import SWITCH, WHY_PURE

INFOGRAPH = [sys.executable, "-m", "infograph"]
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

BARE_LOOP = """
import os, sys
total = 0
for folder, _, names in os.walk(sys.argv[1]):
    if folder.endswith(("_chunks", "_keywords", ".infograph", ".embedding-cache")):
        continue
    for name in names:
        if name.endswith((".md", ".mdx", ".markdown")):
            path = os.path.join(folder, name)
            os.stat(path)
            with open(path, "rb") as file:
                total += len(file.read())
"""

MODEL = """
import sys, time
from infograph.build import build
from infograph.config import load
from infograph.embedding import onnx
import onnxruntime

inside = 0.0
run = onnxruntime.InferenceSession.run
def timed(*args, **kwargs):
    global inside
    start = time.perf_counter()
    try:
        return run(*args, **kwargs)
    finally:
        inside += time.perf_counter() - start
onnxruntime.InferenceSession.run = timed
start = time.perf_counter()
summary = build(load(sys.argv[1], flags={"jobs": int(sys.argv[2])}))
wall = time.perf_counter() - start
print(f"{wall:.1f} {inside:.1f} {summary.embedded} {summary.chunks}")
"""


@dataclass(frozen=True)
class Run:
    """One process from its start to its end."""

    seconds: float
    peak_mb: float
    """Largest sum over the process and its descendants of their proportional share of memory."""
    processor: float
    """Seconds of processor time, user and system, of the process and its descendants."""
    output: str


def measure(command: list[str], cwd: Path | None = None, sample: bool = True) -> Run:
    """Runs a command to its end; an exit status other than 0 ends the benchmark."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=cwd, env=_ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    peak = [0.0]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.1):
            peak[0] = max(peak[0], sum(map(_proportional, _family(process.pid))))

    watcher = threading.Thread(target=watch)
    if sample:
        watcher.start()
    output = process.communicate()[0]
    seconds = time.perf_counter() - start
    done.set()
    if sample:
        watcher.join()
    if process.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{output[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(seconds, peak[0] / 1e6, processor, output)


def _family(pid: int) -> list[int]:
    family = [pid]
    for member in family:
        try:
            for task in os.listdir(f"/proc/{member}/task"):
                family += map(int, Path(f"/proc/{member}/task/{task}/children").read_text().split())
        except OSError:
            continue  # it ended meanwhile
    return family


def _proportional(pid: int) -> float:
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return float(line.split()[1]) * 1024
    except OSError:
        pass  # it ended meanwhile
    return 0.0


def fresh(tree: Path, folder: Path) -> Path:
    """A copy of a tree that nothing was built in."""
    copy = Path(tempfile.mkdtemp(dir=folder)) / tree.name
    shutil.copytree(tree, copy, symlinks=True)
    return copy


def written(tree: Path, before: set[Path]) -> int:
    """Bytes of the published files of a tree: not the sources, not the machine's own memory."""
    private = (".infograph", ".embedding-cache")
    files = {path for path in tree.rglob("*") if path.is_file() and not set(private) & set(path.parts)}
    return sum(path.stat().st_size for path in files - before)


def build_command(tree: Path, model: str) -> list[str]:
    return [*INFOGRAPH, "build", str(tree), "--model", model, "--quiet"]


def spread(values: list[float]) -> str:
    return f"{statistics.median(values):.2f} s ({min(values):.2f}–{max(values):.2f})"


def trees(arguments: argparse.Namespace, folder: Path) -> None:
    print("| tree | files | MB | chunks | seconds | peak MB | output MB |\n|---|---|---|---|---|---|---|")
    for tree in map(Path, arguments.trees):
        copy = fresh(tree, folder)
        before = set(copy.rglob("*"))
        run = measure([*INFOGRAPH, "build", str(copy), "--model", arguments.model, "--json"])
        summary = json.loads(run.output[run.output.index("{") :])
        sources = sum(p.stat().st_size for p in before if p.suffix in (".md", ".mdx", ".markdown"))
        print(
            f"| {tree.name} | {summary['documents']:,} | {sources / 1e6:.1f} | {summary['chunks']:,} | "
            f"{run.seconds:.1f} | {run.peak_mb:.0f} | {written(copy, before) / 1e6:.1f} |",
            flush=True,
        )
        shutil.rmtree(copy.parent)


def peer(arguments: argparse.Namespace, folder: Path) -> None:
    """Prints the ratios of each tree to Pagefind, run by run, then their geometric means and the worst tree."""
    ratios = {}
    for tree in map(Path, arguments.trees):
        ratios[tree.name] = in_turn(
            tree.name,
            {
                f"infograph build --model {arguments.model}": partial(_build, tree, arguments.model, folder),
                "pagefind": partial(_pagefind, arguments.pagefind, Path(arguments.html) / tree.name, folder),
            },
            arguments.runs,
        )
    summarised(ratios)


def twins(arguments: argparse.Namespace, folder: Path) -> None:
    """Prints the ratios of builds with compiled parts to builds without, as `peer` does."""
    if WHY_PURE:
        sys.exit(f"nothing compiled runs here: {WHY_PURE}")
    ratios = {}
    for tree in map(Path, arguments.trees):
        make = partial(_build, tree, arguments.model, folder)
        commands = {"compiled": make, "in Python": partial(_without, make)}
        ratios[tree.name] = in_turn(tree.name, commands, arguments.runs)
    summarised(ratios)


def _build(tree: Path, model: str, folder: Path) -> list[str]:
    return build_command(fresh(tree, folder), model)


def _pagefind(program: str, html: Path, folder: Path) -> list[str]:
    return [program, "--site", str(fresh_html(html, folder))]


def _without(make: Callable[[], list[str]]) -> list[str]:
    return ["env", f"{SWITCH}=1", *make()]


def summarised(ratios: dict[str, dict[str, list[float]]]) -> None:
    """Prints the geometric mean of some trees' ratios, and the worst tree."""
    for field in ("seconds", "processor"):
        medians = {name: statistics.median(found[field]) for name, found in ratios.items()}
        worst = max(medians, key=medians.__getitem__)
        mean = statistics.geometric_mean(medians.values())
        print(f"{field}, geometric mean of {len(medians)} trees: {mean:.2f}; most {medians[worst]:.2f}, {worst}")


def in_turn(tree: str, commands: dict[str, Callable[[], list[str]]], count: int) -> dict[str, list[float]]:
    """Runs two commands in turn; returns the ratios of seconds and of processor time, run by run. Memory in a run of
    its own before them, since to look at it takes a tenth of a core and holds up who asks for more.

    commands: by name, functions that prepare a run and return the command
    """
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for sample in (True, *[False] * count):
        for name, make in commands.items():
            command = make()
            os.sync()
            runs[name].append(measure(command, sample=sample))
    print(f"| {tree}, {count} runs | seconds, median (range) | processor seconds | peak MB |")
    print("|---|---|---|---|")
    for name, (sampled, *timed) in runs.items():
        wall, processor = ([getattr(run, field) for run in timed] for field in ("seconds", "processor"))
        print(f"| {name} | {spread(wall)} | {spread(processor)} | {sampled.peak_mb:.0f} |")
    first, second = (timed for _, *timed in runs.values())
    ratios = {
        field: [getattr(a, field) / getattr(b, field) for a, b in zip(first, second, strict=True)]
        for field in ("seconds", "processor")
    }
    said = (f"{statistics.median(found):.2f} ({min(found):.2f}–{max(found):.2f})" for found in ratios.values())
    print(f"| ratio, run by run | {' | '.join(said)} | |\n", flush=True)
    return ratios


def fresh_html(html: Path, folder: Path) -> Path:
    """A copy of a site that Pagefind has not been in."""
    copy = fresh(html, folder)
    shutil.rmtree(copy / "pagefind", ignore_errors=True)
    return copy


def edit(arguments: argparse.Namespace, folder: Path) -> None:
    tree = fresh(Path(arguments.trees[0]), folder)
    measure(build_command(tree, arguments.model))
    pages = sorted(path for path in tree.rglob("*.md") if "_chunks" not in path.parts and "_keywords" not in path.parts)
    pages = [page for page in pages if page.name != "topic-spec.md"]
    evenly = [pages[len(pages) * (2 * number + 1) // (2 * arguments.runs)] for number in range(arguments.runs)]
    for name, chosen in (
        ("spread evenly", evenly),
        ("of the costliest topics", costliest(tree, pages, arguments.runs)),
    ):
        seconds, processor = [], []
        for number, page in enumerate(chosen):
            page.write_text(page.read_text("utf-8") + f"\nA sentence that edit {number} adds, on caching.\n", "utf-8")
            time.sleep(0.1)
            run = measure(build_command(tree, arguments.model), sample=False)
            seconds.append(run.seconds)
            processor.append(run.processor)
        print(
            f"one page edited, {len(chosen)} pages {name}, whole process, --model {arguments.model}: "
            f"{spread(seconds)}; processor {spread(processor)}"
        )


def costliest(tree: Path, pages: list[Path], number: int) -> list[Path]:
    """A page of each topic that has the most documents, and of each that the most other topics relate to."""
    documents = Counter(page.parent for page in pages)
    related: Counter[Path] = Counter()
    for index in tree.rglob("index.json"):
        for edge in json.loads(index.read_bytes()).get("_links", {}).get("related", ()):
            related[(index.parent / unquote(edge["href"])).resolve().parent] += 1
    first = [topic for topic, _ in documents.most_common(number - number // 2)]
    hubs = [topic for topic, _ in related.most_common() if topic in documents and topic not in first]
    return [next(page for page in pages if page.parent == topic) for topic in first + hubs[: number // 2]]


def idle(arguments: argparse.Namespace, folder: Path) -> None:
    tree = fresh(Path(arguments.trees[0]), folder)
    measure(build_command(tree, arguments.model))
    time.sleep(0.2)
    ours, bare = [], []
    for _ in range(arguments.runs):
        ours.append(measure(build_command(tree, arguments.model), sample=False).seconds)
        bare.append(measure([sys.executable, "-c", BARE_LOOP, str(tree)], sample=False).seconds)
    ratios = [a / b for a, b in zip(ours, bare, strict=True)]
    print(f"nothing changed: {spread(ours)}\nbare loop that stats and reads every source: {spread(bare)}")
    print(f"ratio, run by run: {statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})")


def help_(arguments: argparse.Namespace, folder: Path) -> None:
    ours, bare = [], []
    for _ in range(arguments.runs):
        ours.append(measure([*INFOGRAPH, "--help"], sample=False).seconds)
        bare.append(measure([sys.executable, "-c", "pass"], sample=False).seconds)
    over = [(a - b) * 1000 for a, b in zip(ours, bare, strict=True)]
    print(f"infograph --help over python -c pass: {statistics.median(over):.0f} ms ({min(over):.0f}–{max(over):.0f})")


def model(arguments: argparse.Namespace, folder: Path) -> None:
    print("| cores | seconds | inside onnxruntime | texts embedded | chunks |\n|---|---|---|---|---|")
    seconds = {}
    for cores in arguments.cores:
        tree = fresh(Path(arguments.trees[0]), folder)
        pin = ["taskset", "-c", ",".join(map(str, range(cores)))]
        run = measure([*pin, sys.executable, "-c", MODEL, str(tree), str(cores)], sample=False)
        wall, inside, embedded, chunks = run.output.split()[-4:]
        seconds[cores] = float(wall)
        print(f"| {cores} | {wall} | {float(inside) / float(wall):.1%} | {embedded} | {chunks} |", flush=True)
    if seconds.keys() >= {1, 2}:
        print(f"two cores are {seconds[1] / seconds[2]:.2f} times as fast as one")


def early(arguments: argparse.Namespace, folder: Path) -> None:
    print("| tree | by static | by the model | --no-early |\n|---|---|---|---|")
    for tree in map(Path, arguments.trees):
        first, last = until_said(tree, folder, [], ("static for now", "every vector is there"))
        (waited,) = until_said(tree, folder, ["--no-early"], ("watching ",))
        print(f"| {tree.name} | {first:.1f} s | {last:.1f} s | {waited:.1f} s |", flush=True)


def watched(arguments: argparse.Namespace, folder: Path) -> None:
    tree = fresh(Path(arguments.trees[0]), folder)
    pages = sorted(path for path in tree.rglob("*") if path.suffix in (".md", ".mdx"))
    pages = [pages[len(pages) * (2 * number + 1) // (2 * arguments.runs)] for number in range(arguments.runs)]
    options = ["--model", arguments.model]
    seconds = []
    with subprocess.Popen([*INFOGRAPH, "watch", str(tree), *options], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        next(line for line in process.stderr if line.startswith("watching "))
        threading.Thread(target=process.stderr.read, daemon=True).start()
        for page in pages:
            time.sleep(2)
            seconds.append(until_published(tree, page))
        process.send_signal(signal.SIGINT)
    whole = []
    for page in pages:
        page.write_text(page.read_text("utf-8") + "\nThe same once more.\n", "utf-8")
        whole.append(measure([*INFOGRAPH, "build", str(tree), *options, "--quiet"], sample=False).seconds)
    shares = [one / other for one, other in zip(seconds, whole, strict=True)]
    print("| tree | watch | whole process | share |\n|---|---|---|---|")
    found = (statistics.median(seconds), statistics.median(whole), statistics.median(shares))
    print(f"| {arguments.trees[0]} | {found[0]:.2f} s | {found[1]:.2f} s | {found[2]:.2f} |")


def until_published(tree: Path, page: Path) -> float:
    """Seconds from the moment when a page is saved until the manifest of the search, which follows all else of it, is
    another."""
    manifest = tree / "_search/manifest.json"
    before = manifest.stat().st_ino
    page.write_text(page.read_text("utf-8") + "\nA sentence more, on caching.\n", "utf-8")
    start = time.perf_counter()
    while manifest.stat().st_ino == before:
        time.sleep(0.002)
    return time.perf_counter() - start


def until_said(tree: Path, folder: Path, options: list[str], words: Sequence[str]) -> list[float]:
    """Seconds from the start of a watch until it says each of some words, in turn."""
    command = [*INFOGRAPH, "watch", str(fresh(tree, folder)), *options]
    start = time.perf_counter()
    seconds: list[float] = []
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if words[len(seconds)] in line:
                seconds.append(time.perf_counter() - start)
            if len(seconds) == len(words) or (not seconds and line.startswith("watching ")):
                break
        process.send_signal(signal.SIGINT)
    if len(seconds) < len(words):
        sys.exit(f"{' '.join(command)} did not say {words[len(seconds)]!r}")
    return seconds


def main() -> None:
    modes = {"trees": trees, "peer": peer, "twins": twins, "edit": edit, "idle": idle, "help": help_, "model": model}
    modes |= {"early": early, "watched": watched}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=modes)
    parser.add_argument("trees", nargs="*", metavar="TREE")
    parser.add_argument("--model", default="static")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--cores", type=int, nargs="+", default=[2, 1], help="for `model`: run on so many, in turn")
    parser.add_argument("--pagefind", default="pagefind", help="the program; `npm install pagefind@1.6.0` has it")
    parser.add_argument("--html", help="folder of rendered HTML pages, a folder for each tree, by its name")
    parser.add_argument("--folder", help="where to copy trees to; default: the system's folder for temporary files")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        modes[arguments.mode](arguments, Path(folder))


if __name__ == "__main__":
    main()
