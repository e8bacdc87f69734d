"""Several builds of one tree at once, builds that are killed, and a writer that does not wait for them."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from infograph import tools
from infograph.build import build
from infograph.config import load
from infograph.files import STAGING

pytestmark = pytest.mark.slow

PROGRAM = """
import sys
import infograph.embedding.table as table
from infograph.cli import main

class Words:
    name, revision, dimension, cached, chunks_per_second = "words", "1", 8, True, None
    def embed(self, texts, *, kind="document", progress=None):
        import numpy
        found = numpy.array([[text.count(letter) + 1e-3 for letter in "aeiounst"] for text in texts], numpy.float32)
        found = found.reshape(len(texts), 8)
        return found / numpy.linalg.norm(found, axis=1, keepdims=True)

table.BACKENDS = (table.Backend(lambda name: True, lambda name: ("words", "1"), lambda name, threads: Words()),)
main(prog_name="infograph")
"""


def wait_for(true: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.02)


def start(root: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "build", str(root), "--quiet", "--jobs", "1"],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
        cwd=root.parent,
        stderr=subprocess.PIPE,
    )


def finish(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    _, said = process.communicate(timeout=120)
    return process.returncode, said.decode()


def clean_build(root: Path, folder: Path, sources: Callable[[str], bool]) -> Path:
    """A build from nothing of a copy of the sources."""
    copy = folder / "docs"
    for path in root.rglob("*"):
        name = path.relative_to(root).as_posix()
        if path.is_file() and sources(name):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy / name)
    (folder / "infograph.toml").touch()
    assert finish(start(copy)) == (0, "")
    return copy


@pytest.fixture
def docs(tmp_path: Path, library: dict[str, str], write_tree) -> Path:
    (tmp_path / "infograph.toml").touch()
    return write_tree(tmp_path / "docs", library)


def test_eight_builds_at_once(docs: Path, tmp_path: Path, library: dict[str, str], snapshot) -> None:
    assert [finish(process) for process in [start(docs) for _ in range(8)]] == [(0, "")] * 8
    assert snapshot(docs) == snapshot(clean_build(docs, tmp_path / "clean", library.__contains__))


def test_builds_killed_at_any_moment(docs: Path, tmp_path: Path, library: dict[str, str], snapshot) -> None:
    chance = random.Random(7)
    assert finish(start(docs)) == (0, "")
    for number in range(25):
        (docs / "guide/deep/cooking.md").write_text(
            f"# Cooking {number}\n\n" + "stir and wait. " * 40 * (number % 5 + 1)
        )
        process = start(docs)
        time.sleep(chance.uniform(0.1, 1.2))
        process.kill()
        finish(process)
        for path in docs.rglob("index*.json"):  # whatever a reader meets is whole
            assert path.read_bytes().endswith(b"}\n")
    assert finish(start(docs)) == (0, "")
    assert snapshot(docs) == snapshot(clean_build(docs, tmp_path / "clean", library.__contains__))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_of_a_killed_build_do_not_disturb_the_next(
    docs: Path, tmp_path: Path, library: dict[str, str], write_tree, snapshot, number: signal.Signals
) -> None:
    chance = random.Random(7)
    words = ("".join(chance.choices("abcdefghij", k=7)) for _ in range(40_000))
    library = library | {"big.md": "# Big\n\n" + " ".join(words) + "\n"}  # takes a worker a second or two
    write_tree(docs, library)
    for _ in range(3):
        process = start(docs)
        wait_for(lambda: bool(list((docs / STAGING).glob("*/*/*"))))  # the worker is writing
        time.sleep(chance.uniform(0, 0.3))
        process.send_signal(number)
        process.wait()  # not for its workers
        assert finish(start(docs)) == (0, "")
        assert not (docs / STAGING).exists()
        assert process.communicate(timeout=60)[1] == b""
        assert snapshot(docs) == snapshot(clean_build(docs, tmp_path / "clean", library.__contains__))
        shutil.rmtree(tmp_path / "clean")
        tools.clean(load(str(docs), environment={}))


def test_a_writer_does_not_wait(docs: Path, quick, snapshot) -> None:
    """A page is rewritten, at one size and with its old time stamp, while it is built: no state of it stays unseen."""
    page = docs / "licence.md"
    stop = time.monotonic() + 5
    writer = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import os, sys, time\n"
            "end = time.monotonic() + 5\n"
            "n = 0\n"
            "while time.monotonic() < end:\n"
            "    n += 1\n"
            "    open(sys.argv[1], 'r+').write(f'# State {n % 1000:03}\\n')\n"
            "    os.utime(sys.argv[1], ns=(1, 1))\n"
            "    time.sleep(n % 7 / 400)\n",
            str(page),
        ]
    )
    settings = load(str(docs), environment={})
    while time.monotonic() < stop:
        build(settings)
    writer.wait()
    build(settings)
    assert (docs / "_chunks/licence-0.md").read_text().partition("\n---\n")[2] in page.read_text()
    assert build(settings).written == 0
