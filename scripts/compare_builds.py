"""Compares what two versions of infograph build, file by file and byte by byte.

    python scripts/compare_builds.py BEFORE AFTER TREE… [--model static]

BEFORE and AFTER are Python interpreters that have the two versions installed (`venv/bin/python`); a TREE is a folder of
Markdown or a `.tar.gz` of one. Each tree is built beside its sources and into an output folder, from nothing; then some
of its pages are edited and it is built again, where the second build does only what changed. Whatever a build leaves is
compared but its memory (`.infograph`, `.embedding-cache`), which belongs to one version.

Exits with 1 and names the files that differ, and with 2 where a build fails.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

MEMORY = {".infograph", ".embedding-cache"}
EDITED_EVERY = 20
"""One page of so many is edited before the second build."""
NAMED_AT_MOST = 20
"""Differing files that are printed for each comparison."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("trees", type=Path, nargs="+", metavar="tree")
    parser.add_argument("--model", default="static")
    given = parser.parse_args()
    # Not resolved: the interpreter of a virtual environment is a link out of it.
    pythons = [Path(os.path.abspath(python)) for python in (given.before, given.after)]
    failed = False
    for tree in given.trees:
        with tempfile.TemporaryDirectory() as scratch:
            failed |= compare_tree(pythons, tree, given.model, Path(scratch))
    sys.exit(1 if failed else 0)


def compare_tree(pythons: list[Path], tree: Path, model: str, scratch: Path) -> bool:
    """Builds one tree in every way with both versions; returns whether anything differs."""
    failed = False
    for way in ("in place", "with --out"):
        copies = [unpacked(tree, scratch / way.replace(" ", "-") / side) for side in ("before", "after")]
        outs = copies if way == "in place" else [copy.with_name(f"{copy.name}-out") for copy in copies]
        for stage in ("from nothing", "after edits"):
            if stage == "after edits":
                for copy in copies:
                    edit(copy)
            for python, copy, out in zip(pythons, copies, outs, strict=True):
                build(python, copy, out, model)
            differing = list(differences(*outs))
            files = sum(1 for _ in files_of(outs[1]))
            print(f"{tree.name}, {way}, {stage}: {files} files, {len(differing)} differ", flush=True)
            for name in differing[:NAMED_AT_MOST]:
                print(f"  {name}")
            failed |= bool(differing) or not files
    return failed


def unpacked(tree: Path, target: Path) -> Path:
    """A fresh copy of a tree."""
    if tree.is_dir():
        return Path(shutil.copytree(tree, target, ignore=shutil.ignore_patterns(*MEMORY)))
    target.mkdir(parents=True)
    with tarfile.open(tree) as archive:
        archive.extractall(target, filter="data")
    return target


def edit(tree: Path) -> None:
    """Appends a section to some pages, and removes one."""
    pages = [path for path in sorted(tree.rglob("*.md")) if is_source(path.relative_to(tree))]
    for path in pages[::EDITED_EVERY]:
        path.write_bytes(path.read_bytes() + b"\n## Added later\n\nA sentence that was not there before.\n")
    if len(pages) > 2:
        pages[1].unlink()


def is_source(path: Path) -> bool:
    """Whether a page is one of the tree's own, and no output of a build beside it."""
    return not any(part.startswith((".", "_")) for part in path.parts) and path.name != "topic-spec.md"


def build(python: Path, tree: Path, out: Path, model: str) -> None:
    """Runs `infograph build`; exits with 2 and its output where it fails."""
    command = [str(python), "-m", "infograph", "build", str(tree), "--model", model]
    command += [] if out == tree else ["--out", str(out)]
    # Not where this file is: the folder that a module is started in comes first on its path.
    done = subprocess.run(command, cwd=tree.parent, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}", file=sys.stderr)
        sys.exit(2)


def differences(first: Path, second: Path) -> Iterator[str]:
    """Paths that only one of two trees has, or that have other bytes in each."""
    one, other = set(files_of(first)), set(files_of(second))
    yield from sorted(one ^ other)
    for name in sorted(one & other):
        if not filecmp.cmp(first / name, second / name, shallow=False):
            yield name


def files_of(tree: Path) -> Iterator[str]:
    """Every file of a tree but what is a build's memory, relative to it."""
    for folder, names, files in os.walk(tree):
        names[:] = [name for name in names if name not in MEMORY]
        yield from (Path(folder, name).relative_to(tree).as_posix() for name in files)


if __name__ == "__main__":
    main()
