"""An output that somebody changed in place is found by the next build and gets its bytes back."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from infograph.build import build
from infograph.cli import main
from infograph.commands.check.crawl import check
from infograph.formats.names import EXPLORER_DATA
from infograph.pipeline.steps.topic_tree import make_tables

Tree = Any


def longer(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


def of_one_size(path: Path) -> None:
    """Another last byte, as an editor saves it."""
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))


def with_the_old_time(path: Path) -> None:
    before = path.stat()
    longer(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


EDITS = [longer, of_one_size, with_the_old_time]
OUTPUTS = [
    "_chunks/*.md",
    "guide/deep/_chunks/cooking.*-0.md",
    "_search/*.z",
    "_search/manifest.json",
    "guide/index.json",
    "guide/topic-spec.md",
    "infograph/*.js",
    "_schema/index.schema.json",
]


def a_file(tree: Tree, pattern: str) -> Path:
    return sorted(tree.out.glob(pattern))[0]


@pytest.mark.parametrize(
    ("pattern", "change"),
    [
        # In the quick suite each edit once, of another output.
        pytest.param(pattern, change, marks=[] if pattern == OUTPUTS[3 * number] else pytest.mark.slow)
        for pattern in OUTPUTS
        for number, change in enumerate(EDITS)
    ],
)
def test_an_edited_output_is_written_again(
    built_tree: Callable[..., Tree], pattern: str, change: Callable[[Path], None]
) -> None:
    tree = built_tree(elsewhere=True)
    published = tree.outputs()
    path = a_file(tree, pattern)
    change(path)
    summary = tree.build()
    assert summary.written >= 1
    assert path.read_bytes() == published[path.relative_to(tree.out).as_posix()]
    assert tree.outputs() == published
    assert not check(str(tree.out)).problems
    again = tree.build()
    assert (again.written, again.removed) == (0, 0)


@pytest.mark.parametrize("path", EXPLORER_DATA)
def test_what_the_explorer_shows_comes_back_where_the_root_has_no_documents(
    quick: Any, make_tree: Any, tmp_path: Path, path: str
) -> None:
    tree = make_tree(tmp_path, True)
    for number in range(3):
        page = tree.root / f"guide/page-{number}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"# Page {number}\n\nA kettle is warm.\n")
    tree.build()
    published = tree.outputs()
    (tree.out / path).unlink()
    tree.build()
    assert tree.outputs() == published


def test_a_file_that_was_edited_while_a_build_ran_is_found_by_the_next(
    built_tree: Callable[..., Tree], monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = built_tree()
    chunk = a_file(tree, "guide/_chunks/*.md")
    (tree.root / "guide/another.md").write_text("# Another\n\nA page that makes the topic new.\n")

    def meddling(*arguments: Any) -> Any:
        longer(chunk)
        return make_tables(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr("infograph.pipeline.run.make_tables", meddling)
        tree.build()
    tree.build()
    assert tree.outputs() == tree.clean()


def test_an_edit_that_leaves_no_trace_takes_force(built_tree: Callable[..., Tree]) -> None:
    tree = built_tree()
    published = tree.outputs()
    chunk = a_file(tree, "guide/_chunks/*.md")
    before = chunk.stat()
    of_one_size(chunk)
    os.utime(chunk, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert tree.build().written == 0
    assert build(tree.load(), force=True).written == 1
    assert tree.outputs() == published
    assert build(tree.load(), force=True).written == 0


def test_force_on_the_command_line(built_tree: Callable[..., Tree]) -> None:
    tree = built_tree()
    chunk = a_file(tree, "guide/_chunks/*.md")
    before, published = chunk.stat(), chunk.read_bytes()
    of_one_size(chunk)
    os.utime(chunk, ns=(before.st_atime_ns, before.st_mtime_ns))
    tree.load()  # writes its infograph.toml
    done = CliRunner().invoke(main, ["build", str(tree.root), "--force", "--quiet"])
    assert done.exit_code == 0, done.output
    assert chunk.read_bytes() == published


@pytest.mark.parametrize("path", [".nojekyll", "llms.txt"])
def test_a_file_of_somebody_elses_that_went_away_makes_room_for_ours(
    quick: Any, make_tree: Callable[..., Tree], tmp_path: Path, path: str
) -> None:
    """One of these is left alone, and a host hides `_chunks` where there is no `.nojekyll` at all."""
    tree = make_tree(tmp_path, True)
    tree.root.mkdir(parents=True)
    (tree.root / "page.md").write_text("# Page\n\nA kettle is warm.\n")
    tree.build()
    published = tree.outputs()
    (tree.out / path).write_text("Somebody else's.\n")
    assert [tree.build().written, tree.build().written] == [0, 0]
    (tree.out / path).unlink()
    assert tree.build().written == 1
    assert tree.outputs() == published
    assert tree.build().written == 0
