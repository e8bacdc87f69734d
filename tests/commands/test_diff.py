"""`infograph diff`: lines for a person, JSON for a program, an exit status as `diff` has it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from infograph.build import build
from infograph.cli import main
from infograph.config import load

pytestmark = pytest.mark.usefixtures("in_this_process")


def infograph(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def two(tmp_path: Path, write_tree: Callable[..., Path]) -> tuple[Path, Path]:
    """A site, and the one after some editing."""
    pages = {"a.md": "# A\n\nFirst.\n", "b.md": "# B\n\nSecond.\n", "c.md": "# C\n\nThird.\n"}
    sites = []
    for name in ("old", "new"):
        docs = write_tree(tmp_path / name / "docs", pages)
        build(load(str(docs), flags={"out": str(tmp_path / name / "site"), "model": "static"}, environment={}))
        sites.append(tmp_path / name / "site")
        pages = {"a.md": "# A\n\nEdited.\n", "guide/b.md": "# B\n\nSecond.\n", "d.md": "# D\n\nFourth.\n"}
    return sites[0], sites[1]


def test_lines(two: tuple[Path, Path]) -> None:
    done = infograph("diff", *two)
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        "- _chunks/c-0.md",
        "> _chunks/b-0.md → guide/_chunks/b-0.md",
        "~ _chunks/a-0.md",
        "+ _chunks/d-0.md",
    ]
    assert done.stderr == "1 removed, 1 moved, 1 changed, 1 added\n"
    quiet = infograph("diff", *two, "-q")
    assert (quiet.exit_code, quiet.output) == (1, "")


def test_json_of_a_tree_and_an_export(two: tuple[Path, Path], tmp_path: Path) -> None:
    infograph("export", two[0], tmp_path / "old.jsonl", "--vectors", "none")
    done = infograph("diff", tmp_path / "old.jsonl", two[1], "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout) == {
        "removed": ["_chunks/c-0.md"],
        "moved": [{"from": "_chunks/b-0.md", "to": "guide/_chunks/b-0.md"}],
        "changed": ["_chunks/a-0.md"],
        "added": ["_chunks/d-0.md"],
        "counts": {"removed": 1, "moved": 1, "changed": 1, "added": 1},
    }
    same = infograph("diff", two[0], tmp_path / "old.jsonl", "--json")
    assert same.exit_code == 0 and json.loads(same.stdout)["removed"] == []


def test_the_same(two: tuple[Path, Path]) -> None:
    done = infograph("diff", two[0], two[0])
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "nothing differs\n")


def test_trouble(two: tuple[Path, Path], tmp_path: Path) -> None:
    done = infograph("diff", two[0], tmp_path / "no.jsonl")
    assert done.exit_code == 2 and done.stdout == "" and "no.jsonl: cannot be read" in done.stderr
    done = infograph("diff", tmp_path / "no", two[0], "--json")
    assert done.exit_code == 2 and json.loads(done.stdout)["errors"]
    assert infograph("diff", two[0]).exit_code == 2
