"""The files of topics are the same in whichever process they are made; an error names the topic that a worker dies
on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.config import load
from infograph.errors import InfographError
from infograph.pipeline.crew import Crew
from infograph.pipeline.memory.records import ChunkRecord, DocumentRecord
from infograph.pipeline.worker.topic_files import CountTerms, Made, TopicTask

PAGES = {
    f"{topic}/{name}.md": f"# {name.title()} of {topic}\n\nThe {name} keeps `{name}Cache` warm while {topic} waits.\n"
    for topic in ("kettles", "windows", "zebras", "kettles/large")
    for name in ("boiling", "cooling", "drying", "folding", "mending", "opening", "washing", "waiting")
} | {"windows/qa-pairs.md": "Q: How do I open a window?\nA: Wait.\n"}


def built(root: Path, jobs: int) -> None:
    build(load(str(root), flags={"jobs": jobs, "model": "static"}, environment={}))


@pytest.fixture
def in_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """in_workers(code): what worker processes do in place of the step of a topic."""

    def prepare(code: str) -> None:
        folder = tmp_path / "site-packages"
        folder.mkdir()
        (folder / "sitecustomize.py").write_text(
            "import os, infograph.pipeline.worker.topic_files as module\n"
            "real = module.TopicFiles.do\n"
            "def do(self, step):\n"
            f"    {code}\n"
            "    return real(self, step)\n"
            "module.TopicFiles.do = do\n"
        )
        monkeypatch.setenv("PYTHONPATH", str(folder))
        monkeypatch.setattr("infograph.execution.forked.can_fork", lambda: False)  # a copy would not read it

    return prepare


@pytest.mark.slow
def test_one_and_several_workers_leave_the_same_bytes(tmp_path: Path, write_tree, snapshot) -> None:
    for jobs in (1, 3):
        built(write_tree(tmp_path / str(jobs), PAGES), jobs)
    assert snapshot(tmp_path / "1") == snapshot(tmp_path / "3")
    assert "kettles/large/index.json" in snapshot(tmp_path / "3")
    (tmp_path / "3/zebras/folding.md").write_text("# Folding\n\nNo `foldingCache` any more, but a `zebraStripe`.\n")
    built(tmp_path / "3", 3)
    fresh = {name: (tmp_path / "3" / name).read_text() for name in PAGES}
    built(write_tree(tmp_path / "fresh", fresh), 1)
    assert snapshot(tmp_path / "3") == snapshot(tmp_path / "fresh")


@pytest.mark.slow
@pytest.mark.parametrize("step", ["CountTerms", "Tabulate", "Write"])
def test_a_worker_that_dies_names_the_topic(tmp_path: Path, write_tree, snapshot, in_workers, step: str) -> None:
    in_workers(f"step.topic == 'windows' and type(step).__name__ == '{step}' and os._exit(9)")
    root = write_tree(tmp_path / "docs", PAGES)
    with pytest.raises(InfographError, match=r"^windows: took its worker process down \(status 9\)"):
        built(root, 2)
    assert set(snapshot(root)) == set(PAGES), "nothing is published"


@pytest.mark.slow
def test_a_fault_of_ours_names_the_topic(
    tmp_path: Path, write_tree, in_workers, capfd: pytest.CaptureFixture[str]
) -> None:
    in_workers("step.topic == 'windows' and 1 / 0")
    with pytest.raises(InfographError, match=r"^windows: made infograph fail: ZeroDivisionError"):
        built(write_tree(tmp_path / "docs", PAGES), 2)
    assert "Traceback" in capfd.readouterr().err


class Groups:
    """Takes the place of a pool, and notes who is given what."""

    jobs = 3

    def __init__(self) -> None:
        self.given: list[list[set[str]]] = []

    def run(
        self, steps: Sequence[TopicTask], groups: Sequence[Sequence[int]], **how: Any
    ) -> Iterator[tuple[int, Made]]:
        self.given.append([{steps[position].topic for position in group} for group in groups])
        return ((position, Made(steps[position].topic, None)) for group in groups for position in group)


def test_work_is_shared_out_evenly_and_a_topic_stays_where_it_is() -> None:
    def document(chunks: int) -> DocumentRecord:
        return DocumentRecord("a.md", "", 0, "", "", [], None, [ChunkRecord("", [], False, 1, "")] * chunks, b"")

    pool: Any = Groups()
    here: Any = None
    crew = Crew(here, pool)
    sizes = {"a": 2, "b": 10, "c": 5, "d": 4, "e": 1}
    steps = [CountTerms(topic, [document(chunks)]) for topic, chunks in sizes.items()]
    assert sorted(made.topic for made in crew.do(steps)) == sorted(sizes)
    list(crew.do(steps[::-1]))
    assert pool.given[0] == [{"b"}, {"c", "e"}, {"d", "a"}]
    assert pool.given[1] == pool.given[0]
