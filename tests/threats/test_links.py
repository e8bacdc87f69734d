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
import os, sys
place, kept, outside = sys.argv[1:]
print("begun", flush=True)
while True:
    os.rename(place, kept)
    os.symlink(outside, place)
    for _ in range(200):
        pass
    os.unlink(place)
    os.rename(kept, place)
"""


@contextmanager
def swapping(place: Path, outside: Path) -> Iterator[None]:
    """Something is now itself, now a link, thousands of times a second."""
    kept = place.parents[1] / "kept"
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
    with swapping(place, target):
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


LINKED = [
    *("sub/_chunks", "sub/_keywords", "_search", "_schema", ".infograph", ".embedding-cache", ".infograph/staging"),
    *("sub/_chunks/page-0.md", "sub/index.json", "sub/topic-spec.md", "_search/manifest.json", "llms.txt"),
    *("infograph.js", "infograph", ".infograph/lock"),
]
"""Every place where a build writes."""


def slow(place: str, kind: str) -> Any:
    return pytest.param(place, kind, marks=pytest.mark.slow)


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
        ("block.md", "not-regular"), ("device.md", "not-regular")
    ]  # fmt: skip
