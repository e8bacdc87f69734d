"""Fuzzes the readers of files that infograph did not write: `python fuzz/run.py [--seconds 20] [target …]`.

Each target is a function that checks what must hold for any input (`targets/*.py`, `javascript/search_bundle.mjs`) and
starts from the seeds in `corpus/`. Fuzzing is guided by coverage: atheris (libFuzzer) for Python, engine.mjs for
JavaScript. A crash, or an input that takes more than 10 seconds, ends with status 1 and leaves the input in
`--artifacts`: move it to `corpus/`, where tests/fuzz/test_corpus.py runs it from then on, and write a test that says
what went wrong.

Where a fuzzer cannot run (atheris has wheels for Linux on x86-64 only), its targets are skipped, with the reason.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
LONGEST_INPUT = 4096
"""Most bytes of a generated input."""
SLOWEST = 10
"""Seconds that one input may take."""
MEMORY = 3000
"""Megabytes of memory that a fuzzer may use."""
STARTUP = 120
"""Seconds that a fuzzer may take beyond its time, for imports and seeds, before it counts as hanging."""

_COVERAGE = re.compile(r"cov: (\d+) ft: (\d+) corp: (\d+)/")
_EXECUTIONS = re.compile(r"stat::number_of_executed_units:\s*(\d+)")


@dataclass(frozen=True)
class Target:
    """A fuzz target."""

    name: str
    """Name on the command line."""
    file: Path
    """Module with the function `check`, in Python or JavaScript."""
    seeds: str
    """Name of the folder in `corpus/` and of the dictionary; empty: neither."""
    modules: Path = HERE.parent / "infograph" / "web"
    """Folder of the scripts whose coverage counts, for JavaScript."""

    @property
    def in_python(self) -> bool:
        return self.file.suffix == ".py"


TARGETS = {
    target.name: target
    for target in (
        Target("chunkers", HERE / "targets" / "chunkers.py", "chunkers"),
        Target("topic_spec", HERE / "targets" / "topic_spec.py", "topic_spec"),
        Target("front_matter", HERE / "targets" / "front_matter.py", "front_matter"),
        Target("packs", HERE / "targets" / "packs.py", "packs"),
        Target("federation", HERE / "targets" / "federation.py", "federation"),
        Target("words", HERE / "targets" / "words.py", "words"),
        Target("search_bundle", HERE / "targets" / "search_bundle.py", "search_bundle"),
        Target("javascript", HERE / "javascript" / "search_bundle.mjs", "search_bundle"),
    )
}


def chosen(name: str) -> Target:
    """A target by name, or by the path of a file of your own, with an empty corpus and the scripts beside it."""
    if name in TARGETS:
        return TARGETS[name]
    path = Path(name)
    if path.suffix not in (".py", ".mjs") or not path.is_file():
        raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(TARGETS)}, nor a file")
    return Target(path.stem, path.resolve(), "", path.resolve().parent)


def cannot_run(target: Target) -> str:
    """The reason why a target cannot run on this machine; empty if it can.

    Ends the program where a package is missing that could be installed.
    """
    if not target.in_python:
        return "" if shutil.which("node") else "Node.js is not installed"
    if find_spec("atheris"):
        return ""
    if sys.platform == "linux" and platform.machine() == "x86_64" and sys.version_info < (3, 15):
        sys.exit("atheris is not installed: pip install 'infograph[fuzz]'")
    return "atheris has wheels for CPython up to 3.14 on Linux, x86-64, only"


def command(target: Target, seconds: int, seed: int, artifacts: Path, work: Path) -> list[str]:
    """The command line of the target's fuzzer.

    work: folder for inputs that it finds
    """
    seeds = [str(HERE / "corpus" / target.seeds)] if target.seeds else []
    dictionary = HERE / "dictionaries" / f"{target.seeds}.dict"
    if not target.in_python:
        words = ["--dictionary", str(dictionary)] if target.seeds else []
        return [
            "node",
            str(HERE / "javascript" / "engine.mjs"),
            str(target.file),
            "--seconds",
            str(seconds),
            "--seed",
            str(seed),
            "--modules",
            str(target.modules) + "/",
            "--artifacts",
            str(artifacts),
            *words,
            *seeds,
        ]
    return [
        sys.executable,
        str(HERE / "atheris_driver.py"),
        str(target.file),
        f"-max_total_time={seconds}",
        f"-seed={seed}",
        f"-timeout={SLOWEST}",
        f"-rss_limit_mb={MEMORY}",
        f"-max_len={LONGEST_INPUT}",
        "-len_control=0",
        "-print_final_stats=1",
        f"-artifact_prefix={artifacts}{os.sep}",
        *([f"-dict={dictionary}"] if target.seeds else []),
        str(work),
        *seeds,
    ]


def figures(target: Target, output: str) -> str:
    """Executions and coverage from the fuzzer's output; empty where the output does not show that it ran."""
    if not target.in_python:
        last = output.strip().rpartition("\n")[2]
        if not last.startswith("{"):
            return ""
        said = json.loads(last)
        return f"{said['executions']} executions, {said['covered_percent']}% of the text, corpus {said['corpus']}"
    coverage, executions = _COVERAGE.findall(output), _EXECUTIONS.search(output)
    if not coverage or not executions:
        return ""
    branches, features, corpus = coverage[-1]
    return f"{executions[1]} executions, {branches} branches, {features} features, corpus {corpus}"


def fuzz(target: Target, seconds: int, seed: int, artifacts: Path) -> bool:
    """Runs a fuzzer and returns whether nothing was found; prints its figures, or all of its output on a finding."""
    with tempfile.TemporaryDirectory() as work:
        environment = os.environ | {"PYTHONPATH": str(HERE.parent)}
        started = command(target, seconds, seed, artifacts, Path(work))
        try:
            run = subprocess.run(
                started,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
                timeout=seconds + STARTUP,
            )
        except subprocess.TimeoutExpired as error:
            print((error.output or b"").decode("utf-8", "replace"))
            print(f"{target.name}: FAILED: no end {STARTUP} seconds after its time")
            return False
    output = run.stdout.decode("utf-8", "replace")
    said = figures(target, output)
    if run.returncode == 0 and said:
        print(f"{target.name}: {said}, nothing found in {seconds} s", flush=True)
        return True
    print(output)
    print(f"{target.name}: FAILED with status {run.returncode}; the input is in {artifacts}", flush=True)
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", type=chosen, metavar="target", help=f"{', '.join(TARGETS)}; none: all")
    parser.add_argument("--seconds", type=int, default=20, help="for each target")
    parser.add_argument("--seed", type=int, default=1, help="0: another one each time")
    parser.add_argument("--artifacts", type=Path, default=Path("fuzz-artifacts"), help="folder for inputs that fail")
    options = parser.parse_args()
    artifacts = options.artifacts.resolve()
    artifacts.mkdir(parents=True, exist_ok=True)
    seed = options.seed or int.from_bytes(os.urandom(4), "big") >> 1
    failed = []
    for target in options.targets or TARGETS.values():
        if reason := cannot_run(target):
            print(f"{target.name}: skipped: {reason}", flush=True)
        elif not fuzz(target, options.seconds, seed, artifacts):
            failed.append(target.name)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
