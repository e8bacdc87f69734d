"""What a build holds of its documents, in memory or beside what it stages: the outputs are the same bytes."""

from __future__ import annotations

import errno
import pickle
import tempfile
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.config import load
from infograph.errors import OutputError
from infograph.execution.pool import Pool
from infograph.files import spilled
from infograph.pipeline.held import Held, Members, chunks_of, paths_of
from infograph.pipeline.memory.records import ChunkRecord, DocumentRecord
from infograph.pipeline.steps.cut import hold
from infograph.pipeline.worker.tasks import Result

PAGES = {
    "index.md": "# Kettles\n\nHow to keep a kettle warm.\n",
    "guide/qa-pairs.md": "Q: How do I keep a kettle warm?\nA: Wait beside it.\n",
    **{f"guide/page-{n}.md": f"# Page {n}\n\nKettle {n} waits, see [it](page-{n % 3}.md).\n" for n in range(6)},
    **{f"api/call-{n}.md": f"# Call {n}\n\n## `warm_{n}`\n\nThe cache `warm_{n % 2}` waits.\n" for n in range(6)},
}


def record(path: str, chunks: int) -> DocumentRecord:
    rows = [ChunkRecord("Title", [], False, 3, "0" * 64) for _ in range(chunks)]
    return DocumentRecord(path, "f" * 64, 9, "Title", "", [], None, rows, b"")


def built(tree: Path, jobs: int = 1) -> dict[str, bytes]:
    build(load(tree, flags={"model": "static", "jobs": jobs}))
    files = (path for path in sorted(tree.rglob("*")) if path.is_file() and ".infograph" not in path.parts)
    return {str(path.relative_to(tree)): path.read_bytes() for path in files}


def test_a_result_is_held_without_its_record() -> None:
    held, result = Held(), Result("a.md", chunks=2, record=record("a.md", 2))
    hold(result, held)
    hold(Result("b.md"), held)
    assert (result.record, result.sha256) == (None, "f" * 64)
    assert (list(held.records), list(held.pages)) == (["a.md"], [])


def test_members_are_taken_from_where_they_are_held() -> None:
    held = Held()
    members = held.remembered([record("a.md", 2), record("b.md", 1)])
    assert (len(members), members.chunks, paths_of(members)) == (2, 3, ["a.md", "b.md"])
    assert members[1].path == "b.md" and [one.path for one in members[:1]] == ["a.md"]
    sent = pickle.loads(pickle.dumps(members))  # noqa: S301 - our own
    assert [one.path for one in sent] == ["a.md", "b.md"] and type(sent) is list, "a worker gets documents"
    assert (chunks_of(members), chunks_of(sent), paths_of(sent)) == (3, 3, ["a.md", "b.md"])
    assert chunks_of(Members({}, (), 0)) == 0


@pytest.mark.slow
def test_outputs_do_not_depend_on_what_is_held_in_memory(
    tmp_path: Path, write_tree: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    trees = [Path(write_tree(tmp_path / name / "docs", PAGES)) for name in ("one", "two")]
    ended: list[int] = []
    close = Pool.close
    monkeypatch.setattr(Pool, "close", lambda self: (ended.append(self.running), close(self)))
    expected = built(trees[0], jobs=2)
    before = len([number for number in ended if number])
    ended.clear()
    monkeypatch.setattr(spilled, "MOST", 0)
    assert built(trees[1], jobs=2) == expected
    assert ended[0] and len(ended) > before, "topics are made by workers that have cut nothing"
    for tree in trees:
        (tree / "guide/page-1.md").write_text("# Page 1\n\nAnother kettle, `warm_0`.\n")
    found = built(trees[1])
    monkeypatch.undo()
    assert found == built(trees[0]) != expected


def test_a_full_disk_publishes_nothing(tmp_path: Path, write_tree: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**options: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    tree = Path(write_tree(tmp_path / "docs", PAGES))
    monkeypatch.setattr(spilled, "MOST", 0)
    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    with pytest.raises(OutputError, match="No space left on device"):
        built(tree)
    assert {str(path.relative_to(tree)) for path in tree.rglob("*.md")} == PAGES.keys()
    assert not (tree / ".infograph/staging").exists()
