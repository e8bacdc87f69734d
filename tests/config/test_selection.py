"""Tools about a part of a tree: a document, or the folder of a topic."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from infograph.build import build
from infograph.cli import main
from infograph.config import load
from infograph.config.selection import EVERYTHING, TreeSelection, selection_of

STEPS = ("chunk", "keywords", "topic", "index")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments), "--model", "static"], catch_exceptions=False)


def built(root: Path) -> None:
    assert not build(load(str(root), flags={"model": "static"}, environment={})).errors


@pytest.fixture
def tree(tmp_path: Path, library: dict[str, str], write_tree) -> Path:
    root: Path = write_tree(tmp_path / "docs", library)
    built(root)
    return root


@pytest.mark.slow
@pytest.mark.parametrize("command", STEPS)
@pytest.mark.parametrize("part", ["guide", "guide/deep/cooking.md", "reference/api"])
def test_a_part_of_a_built_tree_stays_as_the_build_left_it(tree: Path, snapshot, command: str, part: str) -> None:
    before = snapshot(tree)
    result = run(command, tree / part)
    assert (result.exit_code, snapshot(tree)) == (0, before), result.output
    assert not (tree / part / ".infograph").exists()


@pytest.mark.slow
def test_a_changed_document_is_cut_by_itself_and_its_topic_made_as_by_a_build(tree: Path, snapshot) -> None:
    page, other = tree / "guide/deep/cooking.md", tree / "licence.md"
    page.write_text(page.read_text() + "\n## Leftovers\n\nKeep the leftovers cool.\n")
    kept = other.read_text()
    other.write_text("# Another licence\n")
    assert run("chunk", page).exit_code == 0
    other.write_text(kept)
    before = snapshot(tree)
    for command in STEPS[1:]:
        assert run(command, page).exit_code == 0
    changed = {name for name, data in snapshot(tree).items() if before.get(name) != data}
    assert {name.rpartition("/")[0].removesuffix("/_chunks").removesuffix("/_keywords") for name in changed} == {
        "guide/deep"
    }
    assert any("Keep the leftovers cool" in path.read_text() for path in tree.glob("guide/deep/_chunks/*.md"))
    assert "| id | guide/deep |" in (tree / "guide/deep/topic-spec.md").read_text()
    parts = {name: data for name, data in snapshot(tree).items() if name.startswith("guide/deep/")}
    built(tree)
    assert {name: data for name, data in snapshot(tree).items() if name.startswith("guide/deep/")} == parts


@pytest.mark.slow
def test_chunk_files_that_a_document_no_longer_has_go_and_others_stay(tree: Path, snapshot) -> None:
    page = tree / "guide/long.md"
    page.write_text("# Long\n\n" + "".join(f"## Part {n}\n\n{'word ' * 400}\n\n" for n in range(4)))
    (tree / "guide/long-2.md").write_text("# The second\n\nA page whose name looks like that of a chunk.\n")
    for name in ("long.md", "long-2.md"):
        assert run("chunk", tree / "guide" / name).exit_code == 0
    before = {name for name in snapshot(tree) if "/_chunks/" in name}
    page.write_text("# Short\n\nNow.\n")
    assert run("chunk", page).exit_code == 0
    gone = before - set(snapshot(tree))
    assert gone == {f"guide/_chunks/long-{n}.md" for n in range(1, 4)}


def test_the_tree_is_the_one_that_the_configuration_names(tmp_path: Path, library, write_tree) -> None:
    root = write_tree(tmp_path / "docs", library)
    (tmp_path / "infograph.toml").write_text('docs = "docs"\nout = "site"\n')
    assert selection_of(str(root / "guide"), None) == (str(root), TreeSelection("guide"))
    assert selection_of(str(root / "licence.md"), None) == (str(root), TreeSelection("licence.md"))
    assert selection_of(str(root), None) == (str(root), EVERYTHING)
    assert run("chunk", root / "licence.md").exit_code == 0
    (version,) = [path.name.split(".")[1].removesuffix("-0") for path in (tmp_path / "site").rglob("*.md")]
    assert [path.name for path in (tmp_path / "site").rglob("*.md")] == [f"licence.{version}-0.md"]


def test_without_a_tree_around_a_document_is_one_of_its_folder(tmp_path: Path, write_tree, snapshot) -> None:
    root = write_tree(tmp_path / "docs", {"a.md": "# A\n\nOne.\n", "b.md": "# B\n\nTwo.\n"})
    (root / ".git").mkdir()
    assert run("chunk", root / "a.md").exit_code == 0
    assert [name for name in snapshot(root) if "_chunks" in name] == ["_chunks/a-0.md"]
    result = run("keywords", root / "a.md")
    assert "b.md: its chunk file _chunks/b-0.md is not there" in result.output


@pytest.mark.slow
def test_what_is_no_document_is_refused_by_name(tree: Path, snapshot) -> None:
    (tree / "picture.png").write_bytes(b"png")
    before = snapshot(tree)
    result = run("chunk", tree / "picture.png")
    assert result.exit_code == 1
    assert "picture.png: holds none of the" in result.output
    assert snapshot(tree) == before


@pytest.mark.slow
def test_an_output_tree_is_no_tree_of_sources(tmp_path: Path, library, write_tree) -> None:
    root = write_tree(tmp_path / "docs", library)
    build(load(str(root), flags={"model": "static", "out": str(tmp_path / "site")}, environment={}))
    assert selection_of(str(tmp_path / "site/guide"), None) == (str(tmp_path / "site/guide"), EVERYTHING)


def test_terms_of_others_that_are_not_cut_do_not_count_and_that_is_said(tmp_path: Path, library, write_tree) -> None:
    root = write_tree(tmp_path / "docs", library)
    (tmp_path / "infograph.toml").write_text('docs = "docs"\n')
    assert run("chunk", root / "guide").exit_code == 0
    result = run("keywords", root / "guide")
    assert result.exit_code == 0
    assert "outside guide have no chunk files that fit, so their terms do not count" in result.output


@pytest.mark.slow
def test_after_a_build_of_a_folder_by_itself_the_tree_above_can_be_made_by_tools(
    tmp_path: Path, write_tree, snapshot
) -> None:
    pages = {"t/a.md": "# A\n\nOne turns.\n", "t/b.md": "# B\n\nTwo turn.\n"}
    one, other = write_tree(tmp_path / "one", pages), write_tree(tmp_path / "other", pages)
    built(one / "t")
    result = run("index", one)
    assert result.exit_code == 1
    assert "made when its folder was a tree by itself. Run `infograph chunk`, `keywords` and `topic`" in result.output
    for command in STEPS:
        assert run(command, one).exit_code == run(command, other).exit_code == 0
    made = snapshot(other)
    assert {name: data for name, data in snapshot(one).items() if name in made} == made
