"""A process of its own for the search bundle: what it leaves, and what becomes of a build where it fails."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from infograph.pipeline.memory.state import BUNDLE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no process is a copy of another")

BUILD = """
import json, os, signal, sys

from infograph.build import build
from infograph.config import load
from infograph.errors import InfographError
from infograph.execution import pool

started = []
begin = pool.ProcessWorker.__init__

def noted(self, module, name, first=None):
    started.append(module.rpartition(".")[2])
    begin(self, module, name, first)

pool.ProcessWorker.__init__ = noted
root, flags, fault = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3]
if fault:  # the process is a copy of this one
    from infograph.execution.one_thread import import_numpy

    import_numpy()
    from infograph.pipeline.worker.search_files import SearchFiles

    def failing(self, *args, **kwargs):
        exec(fault)

    SearchFiles.updated_files = failing
error = None
try:
    build(load(root, flags={"model": "static", **flags}, environment={}))
except InfographError as raised:
    error = str(raised)
print(json.dumps([started, error]))
"""


@pytest.fixture
def docs(tmp_path: Path, library: dict[str, str], write_tree: Any) -> Path:
    docs: Path = write_tree(tmp_path / "docs", library)
    assert run(docs)[0].count("bundler") == 0, "a first build has many documents, and nothing to bring up to date"
    return docs


def run(docs: Path, fault: str = "", **flags: Any) -> tuple[list[str], str | None]:
    """Builds in a process of one thread; returns the kinds of workers that it started, and the error."""
    command = [sys.executable, "-c", BUILD, str(docs), json.dumps({"jobs": 2, **flags}), fault]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    started, error = json.loads(done.stdout)
    return started, error


def edit(docs: Path, name: str = "licence.md") -> None:
    with (docs / name).open("a") as file:
        file.write("\nNobody may copy the zeppelin.\n")


def published(root: Path, snapshot: Any) -> dict[str, bytes]:
    return {path: data for path, data in snapshot(root).items() if not path.startswith(".infograph")}


def test_an_edit_leaves_what_a_build_from_nothing_does(docs: Path, snapshot: Any) -> None:
    edit(docs)
    assert run(docs) == (["worker", "bundler"], None)
    edit(docs, "guide/index.md")
    (docs / "README.md").unlink()
    assert run(docs) == (["worker", "bundler"], None)
    incremental = published(docs, snapshot)
    subprocess.run(["rm", "-rf", docs / ".infograph"], check=True)
    assert run(docs)[1] is None
    assert published(docs, snapshot) == incremental


@pytest.mark.parametrize("flags", [{"jobs": 1}, {"search.enabled": False}])
def test_without_a_second_job_or_search_there_is_no_such_process(docs: Path, flags: dict[str, Any]) -> None:
    assert run(docs, **flags)[1] is None
    edit(docs)
    started, error = run(docs, **flags)
    assert "bundler" not in started and error is None


def test_entities_have_their_links(tmp_path: Path, library: dict[str, str], write_tree: Any, snapshot: Any) -> None:
    docs = write_tree(tmp_path / "docs", {**library, "a.md": "# A\n\nSee the [licence](licence.md) of Ada Lovelace.\n"})
    flags = {"graph.entities": "terms"}
    assert run(docs, **flags)[1] is None
    edit(docs, "a.md")
    assert run(docs, **flags) == (["worker", "bundler"], None)
    incremental = published(docs, snapshot)
    subprocess.run(["rm", "-rf", docs / ".infograph"], check=True)
    assert run(docs, **flags)[1] is None
    assert published(docs, snapshot) == incremental


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", r"_search: took its process down \(status -9\).*--jobs 1"),
        ("raise InfographError('place', 'cannot be done', 'Do else.')", "place: cannot be done"),
        ("raise ZeroDivisionError('nothing')", "_search: made infograph fail: ZeroDivisionError: nothing"),
    ],
)
def test_its_fault_is_the_build_s_error_and_nothing_is_published(
    docs: Path, snapshot: Any, fault: str, message: str
) -> None:
    before = published(docs, snapshot)
    edit(docs)
    started, error = run(docs, fault)
    assert "bundler" in started and error is not None
    assert re.search(message, error.replace("\n", " "))
    after = published(docs, snapshot)
    assert {path for path in after if after[path] != before.get(path)} == {"licence.md"}
    assert run(docs)[1] is None


def test_where_it_remembers_nothing_all_is_made_again(docs: Path, snapshot: Any) -> None:
    edit(docs)
    data = (docs / ".infograph" / BUNDLE).read_bytes()
    (docs / ".infograph" / BUNDLE).write_bytes(data[:-1] + bytes([data[-1] ^ 1]))  # its first bytes are as they were
    started, error = run(docs)
    assert started == ["worker", "bundler", "worker"] and error is None
    incremental = published(docs, snapshot)
    subprocess.run(["rm", "-rf", docs / ".infograph"], check=True)
    assert run(docs)[1] is None
    assert published(docs, snapshot) == incremental
