"""Links, devices and what is swapped while a build runs: not a byte from outside, nothing written there."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.config import load
from infograph.errors import InfographError

CANARY = "canary-of-another-folder"
PAGE = "# Page\n\nText that is public.\n"

SWAPPER = """
import os, shutil, sys
from contextlib import suppress
place, kept, outside = sys.argv[1:]
print("begun", flush=True)
while True:
    with suppress(OSError):
        os.rename(place, kept)
        os.symlink(outside, place)
    for _ in range(200):
        pass
    with suppress(OSError):
        os.unlink(place)
    try:
        os.rename(kept, place)
    except NotADirectoryError:
        os.unlink(kept)
    except OSError:  # a build made it anew
        shutil.rmtree(kept, ignore_errors=True)
"""


@contextmanager
def swapping(place: Path, outside: Path, kept: Path) -> Iterator[None]:
    """Something is now itself, now a link, thousands of times a second."""
    command = [sys.executable, "-c", SWAPPER, str(place), str(kept), str(outside)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"begun\n"
        try:
            yield
        finally:
            process.kill()


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "page.md").write_text(f"# {CANARY}\n\n{CANARY}\n")
    return folder


def written(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


BUILDS = 12


def slow(*parameters: str) -> Any:
    return pytest.param(*parameters, marks=pytest.mark.slow)


@pytest.mark.slow
@pytest.mark.parametrize(
    "what", ["folder", *(pytest.param(w, marks=pytest.mark.slow) for w in ("file", "deep folder"))]
)
def test_a_swap_between_the_walk_and_the_reading_shows_nothing(
    tmp_path: Path, outside: Path, write_tree: Any, quick: Any, what: str
) -> None:
    docs = write_tree(tmp_path / "docs", {"good.md": PAGE, "sub/page.md": PAGE, "sub/deep/page.md": PAGE})
    place, target = {
        "file": (docs / "sub/page.md", outside / "page.md"),
        "folder": (docs / "sub", outside),
        "deep folder": (docs / "sub/deep", outside),
    }[what]
    (outside / "deep").mkdir()
    (outside / "deep/page.md").write_text(f"# {CANARY}\n")
    before = sorted(path.relative_to(outside) for path in outside.rglob("*"))
    refused = 0
    with swapping(place, target, tmp_path / "kept"):
        for number in range(BUILDS):
            settings = load(str(docs), flags={"out": str(tmp_path / f"site{number % 4}")}, environment={})
            try:
                refused += bool(build(settings).errors)
            except InfographError:
                refused += 1
            (docs / "good.md").write_text(f"{PAGE}\n{number}\n")
    outputs = b"".join(written(tmp_path / f"site{number}") for number in range(4))
    found = outputs.count(CANARY.encode())
    print(f"{BUILDS} builds, {refused} with an error, {found} canaries in {len(outputs)} bytes")
    assert found == 0
    assert sorted(path.relative_to(outside) for path in outside.rglob("*")) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "place", ["sub/_chunks", "sub", "_search", ".infograph", ".infograph/staging", ".embedding-cache"]
)
def test_a_swap_while_a_build_writes_changes_nothing_outside(
    tmp_path: Path, write_tree: Any, quick: Any, place: str
) -> None:
    """The other folder has files of the same names, so that each write and each removal would be seen."""
    docs = write_tree(tmp_path / "docs", {"good.md": PAGE, "sub/page.md": PAGE, "sub/other.md": PAGE})
    (tmp_path / "infograph.toml").touch()
    build(load(str(docs), environment={}))
    (docs / place).mkdir(exist_ok=True)
    outside = shutil.copytree(docs / place, tmp_path / "outside")
    for path in [path for path in outside.rglob("*") if path.is_file()]:
        path.write_text(CANARY)
    (outside / "of somebody").write_text(CANARY)
    before = sorted((path.relative_to(outside), path.is_file() and path.read_bytes()) for path in outside.rglob("*"))
    refused = 0
    with swapping(docs / place, outside, tmp_path / "kept"):
        for number in range(BUILDS):
            (docs / "good.md").write_text(f"{PAGE}\n{number}\n")
            if place != "sub":  # else this test itself would write through the link
                (docs / "sub/page.md").write_text(f"{PAGE}\n{number}\n")
                (docs / "sub/other.md").unlink() if number % 2 else (docs / "sub/other.md").write_text(PAGE)
            try:
                refused += bool(build(load(str(docs), environment={})).errors)
            except InfographError:
                refused += 1
    after = sorted((path.relative_to(outside), path.is_file() and path.read_bytes()) for path in outside.rglob("*"))
    print(f"{BUILDS} builds while {place} was swapped, {refused} with an error, {after != before:d} changes outside")
    assert after == before
    assert CANARY.encode() not in written(docs)


LINKED = [
    *("sub/_chunks", "sub/_keywords", "_search", "_schema", ".infograph", ".embedding-cache", ".infograph/staging"),
    *("sub/_chunks/page-0.md", "sub/index.json", "sub/topic-spec.md", "_search/manifest.json", "llms.txt"),
    *("infograph.js", "infograph", ".infograph/lock"),
]
"""Every place where a build writes."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "place, kind",
    [
        *((place, "link to a folder") for place in LINKED),
        *(slow(place, kind) for place in LINKED for kind in ("link to a file", "dangling", "loop", "FIFO")),
    ],
)
def test_nothing_is_written_or_read_through_a_link(
    tmp_path: Path, outside: Path, write_tree: Any, quick: Any, place: str, kind: str
) -> None:
    docs = write_tree(tmp_path / "docs", {"good.md": PAGE, "sub/page.md": PAGE})
    other = write_tree(tmp_path / "other", {"old.md": PAGE})
    for tree in (other, docs):
        (tree / "infograph.toml").touch()
    build(load(str(other), environment={}))  # what a build wrote elsewhere is not this one's to remove
    for file in [path for path in other.rglob("*") if path.is_file()]:
        shutil.copy(file, outside)
    (docs / place).parent.mkdir(parents=True, exist_ok=True)
    if kind == "FIFO":
        os.mkfifo(docs / place)
    else:
        target = {"link to a folder": outside, "link to a file": outside / "page.md", "dangling": outside / "new"}
        (docs / place).symlink_to(target.get(kind, docs / place))
    before = {path: path.read_bytes() for path in outside.iterdir()}
    for _ in range(2):  # with what the first one remembers, too
        try:
            build(load(str(docs), environment={}))
        except InfographError as error:
            assert place.split("/")[0] in str(error) or place.rpartition("/")[2] in str(error)
    assert {path: path.read_bytes() for path in outside.iterdir()} == before
    assert CANARY.encode() not in written(docs)


INSIDE = {
    "link to a file": lambda place, outside: place.symlink_to(outside / "page.md"),
    "link to a folder": lambda place, outside: place.symlink_to(outside),
    "dangling": lambda place, outside: place.symlink_to(outside / "new"),
    "loop": lambda place, outside: place.symlink_to(place),
    "FIFO": lambda place, outside: os.mkfifo(place),
}


@pytest.mark.skipif(os.name == "nt", reason="symbolic links and FIFOs")
@pytest.mark.parametrize("kind", ["link to a file", *(pytest.param(k, marks=pytest.mark.slow) for k in [*INSIDE][1:])])
def test_nothing_inside_of_the_cache_and_the_memory_leads_out(
    tmp_path: Path, outside: Path, write_tree: Any, quick: Any, snapshot: Any, kind: str
) -> None:
    """In place of each file and each folder that a build left for the next one: it is a miss, or an error by name."""
    (tmp_path / "infograph.toml").touch()
    docs = write_tree(tmp_path / "docs", {"good.md": PAGE, "sub/page.md": PAGE + "Of its own.\n"})
    build(load(str(docs), environment={}))
    right, built = snapshot(docs), tmp_path / "built"
    docs.rename(built)
    kept = [
        path.relative_to(built) for name in (".embedding-cache", ".infograph") for path in (built / name).rglob("*")
    ]
    before = {path: path.read_bytes() for path in outside.iterdir()}
    misses = 0
    for name in sorted(kept):
        shutil.rmtree(docs, ignore_errors=True)
        shutil.copytree(built, docs)
        place = docs / name
        shutil.rmtree(place) if place.is_dir() else place.unlink()
        INSIDE[kind](place, outside)
        if name.parts[0] == ".embedding-cache":  # with what it remembers a build does not look there
            shutil.rmtree(docs / ".infograph")
        try:
            assert not build(load(str(docs), environment={})).errors
            misses += 1
        except InfographError as error:
            assert name.name in str(error), error
        assert snapshot(docs) == right, name
        assert {path: path.read_bytes() for path in outside.iterdir()} == before, name
        assert CANARY.encode() not in written(docs), name
    print(f"{kind} in {len(kept)} places: {misses} misses, {len(kept) - misses} errors by name, 0 bytes in or out")
    assert misses


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="needs root to make a device")
def test_a_device_is_not_opened(tmp_path: Path, write_tree: Any, quick: Any) -> None:
    """One without a driver: opening it would be an error that names it."""
    docs = write_tree(tmp_path / "docs", {"good.md": PAGE})
    try:
        os.mknod(docs / "device.md", stat.S_IFCHR | 0o600, os.makedev(511, 511))
        os.mknod(docs / "block.md", stat.S_IFBLK | 0o600, os.makedev(511, 511))
    except OSError as error:
        pytest.skip(f"no device can be made here: {error.strerror}")
    summary = build(load(str(docs), environment={}))
    assert not summary.errors and summary.documents == 1
    assert [(notice.path, notice.kind) for notice in summary.notices] == [
        ("block.md", "not-regular"),
        ("device.md", "not-regular"),
    ]
