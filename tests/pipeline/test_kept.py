"""What stays published for readers of earlier publications, and for how long."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.commands.check.crawl import check
from infograph.formats.names import KEPT, is_versioned
from infograph.pipeline import tools
from infograph.pipeline.kept import dump_kept, generations, led_to, read_kept

pytestmark = pytest.mark.usefixtures("in_this_process")

Tree = Any


def test_generations() -> None:
    assert generations(["b", "a"], []) == [["a", "b"]]
    assert generations(["c"], [["a", "b"]]) == [["c"], ["a", "b"]]
    assert generations([], [["c"], ["a", "b"]]) == [[], ["c"]]


def test_what_an_index_leads_to(tmp_path: Path, write_tree: Callable[..., Path]) -> None:
    index = (
        b'{"_links": {"self": {"href": "index.json"}}, "_embedded": {"topics": [{"_links": {"self": {"href": "%b"}}}]}}'
    )
    chunks = b'{"_links": {"item": [{"href": "_chunks/a%20b.html.0123456789-0.md"}, {"href": "../../etc/x.md"}]}}'
    write_tree(tmp_path, {"index.json": index % b"a/index.0123456789.json", "a/index.0123456789.json": chunks})
    found = {
        "index.json",
        "a/index.0123456789.json",
        "a/_chunks/a b.html.0123456789-0.md",
        "a/_chunks/a b.html.0123456789.converted.md",
    }
    assert led_to(tmp_path) == found
    write_tree(tmp_path, {"index.json": index % b"https://x.example/docs/a/index.0123456789.json"})
    assert led_to(tmp_path, "https://x.example/docs/") == found
    assert led_to(tmp_path) == {"index.json"}, "which leads elsewhere"
    write_tree(tmp_path, {"index.json": b"<html>"})
    assert led_to(tmp_path) == {"index.json"}
    assert led_to(tmp_path / "nothing") == {"index.json"}


@pytest.fixture
def tree(built_tree: Callable[..., Tree]) -> Tree:
    return built_tree(elsewhere=True)


def edit(tree: Tree, number: int) -> None:
    (tree.root / "licence.md").write_text(f"# Licence {number}\n\nText {number}.\n")


def test_what_is_replaced_or_removed_stays_for_two_publications(tree: Tree) -> None:
    first = tree.files()
    (tree.root / "guide/deep/cooking.md").unlink()
    edit(tree, 1)
    tree.build()
    second = tree.files()
    gone = {name for name in first if "/cooking." in name or name.startswith(("_chunks/licence.", "index."))}
    assert {name for name in gone if is_versioned(name)} <= second.keys()
    assert first.keys() <= second.keys()
    assert all(second[name] == first[name] for name in first if is_versioned(name))
    edit(tree, 2)
    tree.build()
    assert first.keys() <= tree.files().keys()
    edit(tree, 3)
    tree.build()
    left = first.keys() & tree.files().keys()
    assert not {name for name in left if "/cooking." in name or name.startswith("_chunks/licence.")}
    assert check(str(tree.out)).problems == check(str(tree.out)).warnings == ()


def test_a_build_that_changes_nothing_ages_nothing(tree: Tree) -> None:
    edit(tree, 1)
    tree.build()
    after = tree.files()
    for _ in range(3):
        assert tree.build().written == 0
        (tree.root / "licence.md").touch()
        tree.build()
    assert tree.files() == after


def test_a_removed_topic_stays_for_as_long(tree: Tree) -> None:
    """The indexes of others lead to its files under their own names."""
    names = {"reference/api/index.json", "reference/api/topic-spec.md", "reference/api/_keywords/words.md"}
    (tree.root / "reference/api/calls.md").unlink()
    for number in (1, 2):
        edit(tree, number)
        tree.build()
        assert names <= tree.files().keys()
    edit(tree, 3)
    tree.build()
    assert not (tree.out / "reference").exists()


def test_what_returns_is_not_removed(tree: Tree) -> None:
    before = (tree.root / "licence.md").read_text()
    published = tree.outputs()
    edit(tree, 1)
    tree.build()
    (tree.root / "licence.md").write_text(before)
    tree.build()
    for number in (1, 2, 3):
        (tree.root / "guide/deep/licence.md").write_text(f"# Text {number}\n\nText.\n")
        tree.build()
        assert {name for name in published if name.startswith("_chunks/licence.")} <= tree.files().keys()
    assert tree.outputs() == tree.clean()


@pytest.mark.slow
def test_a_build_without_a_memory_keeps_what_the_published_index_leads_to(tree: Tree) -> None:
    """As where each build begins with a checkout of the last one's outputs: nothing piles up."""
    sizes = []
    for number in range(4):
        before = tree.outputs()
        edit(tree, number)
        for memory in (tree.root / ".infograph", tree.out / ".infograph"):
            for path in sorted(memory.rglob("*"), reverse=True):
                path.rmdir() if path.is_dir() else path.unlink()
        tree.build()
        after = tree.files()
        assert all(after[name] == data for name, data in before.items() if is_versioned(name))
        assert tree.outputs() == tree.clean()
        sizes.append(len(after))
    assert sizes[-1] == sizes[-2]


@pytest.mark.slow
def test_a_build_that_forgets_the_last_one_keeps_as_much(tree: Tree) -> None:
    """With other settings or `--force` nothing is known of the last build, but for what lies in the tree."""
    first = {name: data for name, data in tree.outputs().items() if is_versioned(name)}
    edit(tree, 1)
    tree.build()
    second = {name: data for name, data in tree.outputs().items() if is_versioned(name)}
    assert first.keys() - second.keys() and not build(tree.load(), check=True).stale
    for make in (lambda: build(tree.load(), force=True), tree.build):
        make()
        assert first.items() <= tree.files().items()
    edit(tree, 2)
    build(tree.load(), force=True)
    assert first.items() | second.items() <= tree.files().items()
    edit(tree, 3)
    tree.settings += "\n[index]\nrelated = 2\n"
    tree.build()
    left = tree.files()
    assert second.items() <= left.items() and not (first.keys() - second.keys()) & left.keys()
    assert check(str(tree.out)).problems == check(str(tree.out)).warnings == ()


@pytest.mark.slow
def test_a_build_after_one_that_was_killed_keeps_the_old_tree(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    first = {name: data for name, data in tree.outputs().items() if is_versioned(name)}
    edit(tree, 1)
    with monkeypatch.context() as patch:
        patch.setattr("infograph.pipeline.steps.publish._remember", lambda *arguments: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            tree.build()
    assert first.items() <= tree.files().items()
    tree.build()
    assert first.items() <= tree.files().items()
    assert tree.outputs() == tree.clean()


@pytest.mark.parametrize(
    "data", [b"{", b"[1]", b'{"a": 1}', b'[["../x.md", "a/../topic-spec.md", "/topic-spec.md", 7]]']
)
def test_a_list_of_kept_files_that_is_not_ours_keeps_nothing(tmp_path: Path, data: bytes) -> None:
    (tmp_path / ".infograph").mkdir()
    (tmp_path / KEPT).write_bytes(data)
    assert not any(read_kept(tmp_path))
    (tmp_path / KEPT).write_bytes(dump_kept([["topic-spec.md", "a/_chunks/\udc80.0123456789-0.md"], []]))
    assert read_kept(tmp_path) == [["topic-spec.md", "a/_chunks/\udc80.0123456789-0.md"], []]


def test_a_file_of_a_version_that_was_torn_is_written_again(tree: Tree) -> None:
    whole = tree.outputs()
    torn = [name for name in whole if is_versioned(name)]
    for name in torn:
        (tree.out / name).write_bytes(whole[name][: len(whole[name]) // 2])
    assert tree.build().written >= len(torn)
    assert tree.outputs() == whole


def index_anew(tree: Tree, number: int) -> None:
    """An edit, published by the single tools."""
    edit(tree, number)
    for tool in (tools.chunk, tools.keywords, tools.topic, tools.index):
        assert not tool(tree.load()).errors


def versioned(tree: Tree) -> dict[str, bytes]:
    return {name: data for name, data in tree.outputs().items() if is_versioned(name)}


def test_the_single_tools_keep_as_much(tree: Tree) -> None:
    """They kept what the index before led to, until any of them ran again."""
    first = versioned(tree)
    index_anew(tree, 1)
    second = versioned(tree)
    index_anew(tree, 2)
    for tool in (tools.chunk, tools.index):  # which publishes nothing
        tool(tree.load())
    assert first.items() | second.items() <= tree.files().items()
    index_anew(tree, 3)
    tools.chunk(tree.load())
    left = tree.files().keys()
    assert second.keys() <= left
    assert (first.keys() - second.keys()) & left == set()
    assert check(str(tree.out)).problems == check(str(tree.out)).warnings == ()


def test_a_build_and_the_single_tools_keep_what_the_other_published(tree: Tree) -> None:
    first = versioned(tree)
    edit(tree, 1)
    tree.build()
    second = versioned(tree)
    index_anew(tree, 2)
    assert first.items() | second.items() <= tree.files().items()
    third = versioned(tree)
    edit(tree, 3)
    tree.build()
    left = tree.files()
    assert second.items() | third.items() <= left.items()
    gone = (first.keys() - second.keys() - third.keys()) & left.keys()
    assert not {name for name in gone if not name.startswith("_search/")}  # shards stay for as long as their manifest
    assert tree.outputs() == tree.clean()
