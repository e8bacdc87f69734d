"""A table that is too large to be held: the same outputs, bounded memory, all or nothing."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from infograph.chunking import large_tables
from infograph.config import load
from infograph.files.stamps import stamp, trusted
from infograph.formats import pack
from infograph.formats.names import PACKED, STAGING
from infograph.pipeline.memory.records import unpack_terms
from infograph.pipeline.steps.cut import setup_of
from infograph.pipeline.worker import streaming
from infograph.pipeline.worker.tasks import Result, Setup
from infograph.pipeline.worker.worker import Worker

CONFIGURATION = """
[source]
include = ["**/*.csv"]
[limits]
bytes = 2_000_000_000
seconds = 10_000.0
[strategies.tabular]
maximum = 60
group_by = "city"
"""


def table(rows: int) -> Iterator[str]:
    """Lines with quotes, line ends inside of them, and every now and then a cell too many."""
    yield "order,city,amount,note\r\n"
    for row in range(rows):
        city = "API reference" if row % 40 < 5 else f"Lyon {row % 40 // 5}"
        extra = ",extra" if row % 97 == 5 else ""
        note = f'"said ""yes"" on day {row % 31},\nthen paid é"' if row % 3 == 0 else f"late delivery {row}"
        yield f"{row},{city},{row * 7 % 1000}.5,{note}{extra}\r\n"


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    (tmp_path / "infograph.toml").write_text(CONFIGURATION)
    (tmp_path / "orders.csv").write_text("\ufeff" + "".join(table(400)), newline="")
    while not trusted(stamp(os.lstat(tmp_path / "orders.csv"))):
        pass
    (tmp_path / STAGING / "build").mkdir(parents=True)
    return replace(setup_of(load(str(tmp_path), environment={}), "build"), model="static", vectors_of=frozenset({""}))


@pytest.fixture
def streamed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything, seven chunks at a time."""
    monkeypatch.setattr(streaming, "HELD", 0)
    monkeypatch.setattr(large_tables, "WINDOW", 7)


def taken(setup: Setup, result: Result) -> dict[str, bytes]:
    """The staged files of a result by target, taken away from the staging folder."""
    folder = setup.out / STAGING / setup.build
    found = {item.target: (folder / item.staged).read_bytes() for item in result.staged}
    for item in result.staged:
        (folder / item.staged).unlink()
    return found


def test_it_comes_to_the_same_as_a_table_that_is_held(setup: Setup, request: pytest.FixtureRequest) -> None:
    held = Worker("held", setup).process("orders.csv")
    files = taken(setup, held)
    request.getfixturevalue("streamed")
    worker = Worker("streamed", setup)
    result = worker.process("orders.csv")
    assert result.error is None and result.record is not None and held.record is not None
    assert len(files) > 20 and taken(setup, result) == files
    assert result.record.technical == 1
    terms = result.record.terms
    np.testing.assert_array_equal(result.record.vector_sum, held.record.vector_sum)
    result.record.vector_sum = held.record.vector_sum
    assert replace(result.record, terms=held.record.terms) == held.record
    assert (result.stamp, result.digests, result.written) == (held.stamp, held.digests, held.written)
    assert [str(notice) for notice in result.notices] == [str(notice) for notice in held.notices] != []
    np.testing.assert_array_equal(result.vectors, held.vectors)
    assert list(worker.texts("orders.csv")) == [data.partition(b"\n---\n")[2].decode() for data in files.values()]
    for here, there in zip(unpack_terms(terms), unpack_terms(held.record.terms), strict=True):
        assert set(here.words.split("\n")) <= set(there.words.split("\n"))
        assert "late" not in there.words or "late" in here.words  # only what stands once is left out


def test_it_comes_to_the_same_where_chunks_share_files(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    assert large_tables.WINDOW % PACKED == 0
    with (setup.root / "orders.csv").open("a", newline="") as file:
        file.writelines(line for line in list(table(2000))[1:])
    each = taken(setup, Worker("each", setup).process("orders.csv"))
    setup = replace(setup, chunks=replace(setup.chunks, files="pack"))
    held = taken(setup, Worker("held", setup).process("orders.csv"))
    monkeypatch.setattr(streaming, "HELD", 0)
    monkeypatch.setattr(large_tables, "WINDOW", PACKED)
    assert taken(setup, Worker("streamed", setup).process("orders.csv")) == held
    packs = [pack.parse(name, data) for name, data in held.items()]
    assert len(packs) > 2 and [one.first for one in packs] == [PACKED * number for number in range(len(packs))]
    assert [data for one in packs for data in one.files] == list(each.values())


@pytest.mark.usefixtures("streamed")
def test_texts_are_in_the_result_where_another_process_embeds(setup: Setup) -> None:
    result = Worker("w", replace(setup, model="")).process("orders.csv")
    assert result.record is not None and len(result.embed_texts) == len(result.record.chunks) > 20


@pytest.mark.usefixtures("streamed")
@pytest.mark.parametrize("bad", [b"\xff", b"\0"])
def test_nothing_is_staged_of_a_file_that_is_no_text(setup: Setup, bad: bytes) -> None:
    with (setup.root / "orders.csv").open("ab") as file:
        file.write(bad)
    result = Worker("w", setup).process("orders.csv")
    assert str(result.error).startswith("orders.csv:536: ") and result.record is None and result.staged == []
    assert os.listdir(setup.out / STAGING / setup.build) == []


@pytest.mark.usefixtures("streamed")
def test_nothing_is_published_of_a_file_that_changes(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    def writing(chunk: object, version: str) -> bytes:
        with (setup.root / "orders.csv").open("ab") as file:
            file.write(b"more\n")
        return b""

    monkeypatch.setattr(streaming, "render", writing)
    result = Worker("w", setup).process("orders.csv")
    assert "orders.csv: was changed while it was read" in str(result.error)
    assert (result.record, result.staged, result.written, result.digests) == (None, [], 0, b"")


@pytest.mark.usefixtures("streamed")
def test_what_search_leaves_out_is_said(setup: Setup) -> None:
    result = Worker("w", replace(setup, search="static")).process("orders.csv")
    assert result.page is None and "not-searched" in [notice.kind for notice in result.notices]


def test_invisible_characters_are_told_of_as_in_a_table_that_is_held(
    setup: Setup, request: pytest.FixtureRequest
) -> None:
    hidden = "".join(f"{row},Ly\u200bon,1.5,late\r\n" for row in range(300))
    (setup.root / "orders.csv").write_text("\ufeff" + "".join(table(50)) + hidden, newline="")
    setup = replace(setup, dry=True)
    held = Worker("held", setup).process("orders.csv")
    request.getfixturevalue("streamed")
    streamed = Worker("streamed", setup).process("orders.csv")
    assert streamed.error is None and streamed.notices == held.notices
    (notice,) = (notice for notice in streamed.notices if notice.kind == "invisible-text")
    assert notice.count == 300 and "lines 69, 70, 71, 72, 73, … (300 in all)" in notice.message


LARGE = 2_200_000
"""Rows."""

MEASURED = """
import re, resource, sys
from pathlib import Path
from infograph.cli import main
status = Path("/proc/self/status")
try:
    main(["build", sys.argv[1], "--out", sys.argv[2], "--model", "static", "--jobs", "1"])
except SystemExit as end:
    assert not end.code
own, workers = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
if status.exists():  # where the other figure has the memory of the process that started this one in it
    own = int(re.search(r"VmHWM:\\s+(\\d+) kB", status.read_text())[1])
print([own // 1024, workers // 1024])
"""


@pytest.mark.slow
def test_a_large_table_is_built_in_little_memory(tmp_path: Path) -> None:
    """In processes of their own. A build that holds the file takes more than ten times its size; of one that streams it
    a few kilobytes a chunk remain, beside what the model and the counter need for any file."""
    pytest.importorskip("resource", reason="this platform does not say how much memory a process had")
    docs, out = tmp_path / "docs", tmp_path / "out"
    docs.mkdir()
    (docs / "infograph.toml").write_text(CONFIGURATION.split("[strategies")[0])
    with (docs / "orders.csv").open("w", newline="") as file:
        file.writelines(table(LARGE))
    size = (docs / "orders.csv").stat().st_size
    assert size > 100_000_000
    done = subprocess.run([sys.executable, "-c", MEASURED, docs, out], capture_output=True, text=True, check=True)
    parent, worker = json.loads(done.stdout.splitlines()[-1])
    names = sorted((out / "_chunks").iterdir(), key=lambda path: int(path.stem.rpartition("-")[2]))
    digest = hashlib.sha256()
    for path in names:
        digest.update(path.read_bytes().partition(b"\n---\n")[2])
    assert digest.hexdigest() == hashlib.sha256((docs / "orders.csv").read_bytes()).hexdigest()
    assert max(parent, worker) < 500
