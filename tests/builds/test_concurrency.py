"""Several builds of one tree at once, builds that are killed, and a writer that does not wait for them."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from infograph.commands.check.crawl import check
from infograph.commands.clean import clean
from infograph.config import load
from infograph.files.disk import read_file
from infograph.files.lock import take_lock
from infograph.formats.chunk_file import parse as parse_chunk
from infograph.formats.names import LOCK, PRIVATE, SPEC, STAGING
from infograph.pipeline.memory.state import PUBLISHING

pytestmark = pytest.mark.slow

Seen = TypeVar("Seen")

PROGRAM = """
import sys
import infograph.embedding.backends as backends
from infograph.cli import main
from infograph.config import Config

class Words:
    name, revision, dimension, cached = "words", "1", 8, True
    def seconds_for(self, texts):
        return None
    def embed(self, texts, *, kind="document", progress=None):
        import numpy
        found = numpy.array([[text.count(letter) + 1e-3 for letter in "aeiounst"] for text in texts], numpy.float32)
        found = found.reshape(len(texts), 8)
        return found / numpy.linalg.norm(found, axis=1, keepdims=True)

words = backends.Backend(Config().model.__eq__, lambda name: ("words", "1"), lambda name, threads: Words())
backends.BACKENDS = (words, *backends.BACKENDS)
main(prog_name="infograph")
"""


def wait_for(true: Callable[[], bool], seconds: float = 600) -> None:
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.02)


def seen_meanwhile(look: Callable[[], Seen]) -> Seen | None:
    """What a look at a tree sees, or None where a build beside it removed a file or a folder during the look."""
    try:
        return look()
    except FileNotFoundError:
        return None


def start(root: Path, *more: str, command: str = "build") -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, command, str(root), "--quiet", "--jobs", "1", *more],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        cwd=root.parent,
        stderr=subprocess.PIPE,
    )


def finish(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    _, said = process.communicate(timeout=600)
    return process.returncode, said.decode()


def clean_build(root: Path, folder: Path, sources: Callable[[str], bool], *, elsewhere: bool = False) -> Path:
    """A build from nothing of a copy of the sources; returns where its outputs are."""
    copy = folder / "docs"
    for path in root.rglob("*"):
        name = path.relative_to(root).as_posix()
        if path.is_file() and sources(name):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy / name)
    (folder / "infograph.toml").touch()
    assert finish(start(copy, *(("--out", str(folder / "site")) if elsewhere else ()))) == (0, "")
    return folder / "site" if elsewhere else copy


@pytest.fixture
def docs(tmp_path: Path, library: dict[str, str], write_tree) -> Path:
    (tmp_path / "infograph.toml").touch()
    return write_tree(tmp_path / "docs", library)


def test_eight_builds_at_once(docs: Path, tmp_path: Path, library: dict[str, str], snapshot) -> None:
    assert [finish(process) for process in [start(docs) for _ in range(8)]] == [(0, "")] * 8
    assert snapshot(docs) == snapshot(clean_build(docs, tmp_path / "clean", library.__contains__))


def test_eight_builds_and_a_watch_while_somebody_edits(
    docs: Path, tmp_path: Path, write_tree, snapshot, figure: Callable[[str], None]
) -> None:
    """Twice, the build that holds the lock is killed: the system lets go of it, and the next one goes on."""
    chance = random.Random(3)
    watching = start(docs, command="watch")
    builds = [start(docs) for _ in range(8)]
    try:
        killed: set[int] = set()
        edits = 0
        while any(process.poll() is None for process in builds):
            edits += 1
            target = docs / chance.choice(["licence.md", "guide/deep/cooking.md", "guide/new.md", "far/away/one.md"])
            write_tree(
                tmp_path, {"saved": f"# TextEdit {edits}\n\n" + f"State {edits} of a page. " * chance.randint(1, 99)}
            )
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(tmp_path / "saved", target)
            holder = read_file(docs / LOCK) or b""
            running = {process.pid for process in builds if process.poll() is None}
            if len(killed) < 2 and holder.isdigit() and int(holder) in running:
                os.kill(int(holder), signal.SIGKILL)
                killed.add(int(holder))
            time.sleep(chance.uniform(0, 0.1))
        for process in builds:
            assert finish(process) == ((-signal.SIGKILL if process.pid in killed else 0), "")
        expected = snapshot(clean_build(docs, tmp_path / "clean", is_source))
        wait_for(lambda: seen_meanwhile(lambda: snapshot(docs)) == expected)  # of the last edits the watch alone knows
    finally:
        watching.kill()
        said = finish(watching)[1]
        for process in builds:  # of which some run still where an assertion failed
            process.kill()
            with process:  # closes what it writes to, and waits for it
                pass
    assert said == ""
    found = snapshot(docs)
    assert [name for name, data in expected.items() if found.get(name) != data] == []
    assert found.keys() == expected.keys()
    assert finish(start(docs)) == (0, "")
    assert not (docs / STAGING).exists()
    with (docs / LOCK).open("r+b") as lock:
        assert take_lock(lock.fileno(), wait=False)
    for path in (docs / PRIVATE).iterdir():  # what is remembered is left out of account, but for the cache
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert finish(start(docs)) == (0, "")
    assert snapshot(docs) == expected
    figure(f"8 builds, {len(killed)} of them killed with the lock, and a watch, during {edits} edits: as a clean build")
    assert killed


def is_source(name: str) -> bool:
    folder, _, base = name.rpartition("/")
    return base.endswith(".md") and base != SPEC and not folder.endswith(("_chunks", "_keywords"))


@pytest.mark.parametrize("elsewhere", [False, True], ids=["in place", "elsewhere"])
def test_builds_killed_at_any_moment(
    docs: Path,
    tmp_path: Path,
    library: dict[str, str],
    snapshot,
    figure: Callable[[str], None],
    elsewhere: bool,
) -> None:
    """Before they write anything, while they stage, while they publish: a reader finds what links promise; in place,
    where chunks keep their names, all but the bytes of chunks that are being replaced."""
    chance = random.Random(7)
    out = tmp_path / "site" if elsewhere else docs
    more = ["--out", str(out)] if elsewhere else []
    memory = load(str(docs), flags={"out": str(out)} if elsewhere else {}, environment={}).memory
    marks = {"staging": out / STAGING, "publishing": memory / PUBLISHING}
    killed: Counter[str] = Counter()
    assert finish(start(docs, *more)) == (0, "")
    # On a busy machine a build may be over before it is killed: then there are more of them.
    for number in itertools.takewhile(lambda n: n < 45 or min(killed[name] for name in marks) < 3, range(450)):
        aim = ("", "staging", "publishing")[number % 3]
        if aim:  # else the marks of the last one may be left
            assert finish(start(docs, *more)) == (0, "")
        (docs / "guide/deep/cooking.md").write_text(
            f"# Cooking {number}\n\n" + "stir and wait. " * 40 * (number % 5 + 1)
        )
        process = start(docs, *more)
        while aim and process.poll() is None and not os.path.lexists(marks[aim]):
            time.sleep(0.0002)
        time.sleep(chance.uniform(0, {"staging": 0.02, "publishing": 0.002}.get(aim, 0.5)))
        process.kill()
        status, _ = finish(process)
        left = [name for name, mark in marks.items() if os.path.lexists(mark)]
        killed["not" if status == 0 else left[-1] if aim and left else "any"] += 1
        problems = check(str(out)).problems
        assert [p for p in problems if elsewhere or p.kind not in ("hash", "inconsistent")] == []
        for path in out.rglob("_chunks/*.md"):
            parse_chunk(path.relative_to(out).as_posix(), path.read_bytes())  # raises for one that is torn
    figure(f"{killed.total()} builds, killed while {dict(killed)}; no tree failed a check")
    assert all(killed[name] >= 3 for name in marks), killed
    assert finish(start(docs, *more)) == (0, "")
    clean = clean_build(docs, tmp_path / "clean", library.__contains__, elsewhere=elsewhere)
    assert snapshot(out) == snapshot(clean)


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
        wait_for(lambda: bool(seen_meanwhile(lambda: list((docs / STAGING).glob("*/*/*")))))  # the worker is writing
        time.sleep(chance.uniform(0, 0.3))
        process.send_signal(number)
        process.wait()  # not for its workers
        assert finish(start(docs)) == (0, "")
        assert not (docs / STAGING).exists()
        assert process.communicate(timeout=600)[1] == b""
        assert snapshot(docs) == snapshot(clean_build(docs, tmp_path / "clean", library.__contains__))
        shutil.rmtree(tmp_path / "clean")
        clean(load(str(docs), environment={}))


def test_a_writer_does_not_wait(
    tmp_path: Path, library: dict[str, str], quick, make_tree, write_tree, figure: Callable[[str], None]
) -> None:
    """A page is rewritten, at one size and with its old time stamp, while it is built: no state of it stays unseen."""
    tree = make_tree(tmp_path)
    write_tree(tree.root, {name: library[name] for name in ("README.md", "licence.md")})
    page = tree.root / "licence.md"
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(page)], stdout=subprocess.PIPE)
    seen: set[bytes] = set()
    builds = 0
    while writer.poll() is None:
        tree.build()
        builds += 1
        chunk = read_file(tree.root / "_chunks/licence-0.md")
        seen.add(chunk.rpartition(b"\n---\n")[2] if chunk else b"")
    tree.build()
    assert (tree.root / "_chunks/licence-0.md").read_text().partition("\n---\n")[2] == page.read_text()
    assert tree.outputs() == tree.clean()
    assert tree.build().written == 0
    states = int(writer.communicate()[0])
    figure(f"{builds} builds of a page in {states} states: {len(seen)} of them published, the last one at last")


WRITER = """
import os, sys, time
end = time.monotonic() + 5
states = 0
while time.monotonic() < end:
    states += 1
    with open(sys.argv[1], "r+") as page:
        page.write(f"# State {states % 10000:04}\\n")
        page.truncate()
    os.utime(sys.argv[1], ns=(1, 1))
    time.sleep(states % 7 / 400)
print(states)
"""
