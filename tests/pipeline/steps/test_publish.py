"""Which files are ours, and in which order they are published."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.commands.clean import clean
from infograph.config import load
from infograph.formats.marks import written_by_us
from infograph.formats.names import all_topics, output_topic, topic_of
from infograph.pipeline.memory import records
from infograph.pipeline.ours import find_outputs, outputs_of
from infograph.pipeline.staging import Staged
from infograph.pipeline.steps.publish import in_order


def test_what_is_pointed_to_comes_before_what_points_to_it(tmp_path: Path) -> None:
    names = [
        "index.json",
        "a/index.json",
        "a/b/index.json",
        "a/topic-spec.md",
        "llms.txt",
        "a/_keywords/words.md",
        "a/_chunks/x-0.md",
        "_chunks/y-0.md",
        "a/index-2.json",
        "_schema/index.schema.json",
    ]
    order = [item.target for item in in_order((Staged(name, "") for name in names), tmp_path)]
    assert order[-2:] == ["llms.txt", "index.json"]
    assert order[:2] == ["_chunks/y-0.md", "a/_chunks/x-0.md"]
    assert order.index("a/topic-spec.md") < order.index("a/b/index.json") < order.index("a/index.json")
    assert order.index("a/index-2.json") < order.index("a/index.json"), "a page before the one that leads to it"


def test_new_indexes_come_before_those_that_are_replaced(tmp_path: Path) -> None:
    """Topics are related across the tree: an old one, however deep, may lead to a new one."""
    (tmp_path / "old/deep").mkdir(parents=True)
    for folder in ("", "old", "old/deep"):
        (tmp_path / folder / "index.json").touch()
    names = [
        "index.json",
        "old/index.json",
        "old/deep/index-2.json",
        "old/deep/index.json",
        "new/index.json",
        "new/index-2.json",
        "llms.txt",
    ]
    order = [item.target for item in in_order((Staged(name, "") for name in names), tmp_path)]
    assert order == [
        "new/index-2.json",
        "new/index.json",
        "old/deep/index-2.json",
        "old/deep/index.json",
        "old/index.json",
        "llms.txt",
        "index.json",
    ]


def test_the_topic_of_an_output() -> None:
    names = ("index.json", "_keywords/words.md", "a/b/_keywords/words.md", "a/topic-spec.md")
    assert [output_topic(name) for name in names] == ["", "", "a/b", "a"]
    assert [output_topic(name) for name in ("_schema/index.schema.json", "llms.txt", ".nojekyll")] == ["", "", ""]
    assert topic_of("a/b/c.md") == "a/b"
    assert all_topics(["a/b/c.md", "d.md"]) == ["", "a", "a/b"]


def test_everything_that_is_written_is_known_as_ours(tmp_path: Path, library, write_tree, snapshot, quick) -> None:
    root = write_tree(tmp_path / "docs", library)
    (tmp_path / "infograph.toml").touch()
    build(load(str(root), flags={"out": str(tmp_path / "site")}, environment={}))
    site = snapshot(tmp_path / "site")
    assert find_outputs(tmp_path / "site") == set(site)
    whole = {path for path in site if path.startswith(("_search/", "infograph/"))}  # they belong to no topic
    assert outputs_of(tmp_path / "site", all_topics(list(library))) == set(site) - whole
    assert all(written_by_us(name, data) for name, data in site.items())
    for name, data in site.items():
        if "_chunks/" in name:
            assert written_by_us(name, data.replace(b"\n", b"\r\n")), "checked out by git with other line ends"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("index.json", b'{"build_id": "of another tool"}'),
        ("a/index.json", b"{}"),
        ("llms.txt", b"# Mine"),
        (".nojekyll", b""),
        ("topic-spec.md", b"# Mine"),
        ("_chunks/note-1.md", b"---\ntitle: Mine\n---\nsource: x\nsha256: y\nchunk_type: z\n"),
        ("_keywords/words.md", b"# Mine"),
        ("_schema/index.schema.json", b"{}"),
    ],
)
def test_what_others_wrote_is_not_ours(tmp_path: Path, write_tree, name: str, data: bytes) -> None:
    assert not written_by_us(name, data)
    assert find_outputs(write_tree(tmp_path, {name: data})) == set()


@pytest.mark.parametrize("rest", ["whole", "without llms.txt", "without index.json"])
def test_another_tree_below_is_left_alone(
    tmp_path: Path, write_tree: Callable[..., Path], quick: object, rest: str, snapshot: Callable[[Path], object]
) -> None:
    """As it comes from a clone, where its memory is not. A stale output of this tree, beside it, goes."""
    other = write_tree(tmp_path / "other", {"a.md": "# A\n\nText.\n", "sub/b.md": "# B\n\nText of b.\n"})
    build(load(str(other), environment={}))
    shutil.rmtree(other / ".infograph")
    (other / rest.removeprefix("without ")).unlink() if rest != "whole" else None
    docs = write_tree(tmp_path / "docs", {"page.md": "# Page\n\nText.\n"})
    for out in (docs, tmp_path / "site"):
        shutil.copytree(other, out / "fixtures/graph")
        if out == docs:
            for path in (out / "fixtures/graph").rglob("*.md"):
                if path.name in ("a.md", "b.md"):
                    path.unlink()
        (out / "old").mkdir(parents=True)
        shutil.copy(other / "sub/index.json", out / "old/index.json")
        before = snapshot(out / "fixtures")
        build(load(str(docs), flags=None if out == docs else {"out": str(out)}, environment={}))
        assert snapshot(out / "fixtures") == before
        assert not (out / "old/index.json").exists()
        assert clean(load(str(docs), flags=None if out == docs else {"out": str(out)}, environment={})) > 0
        assert snapshot(out / "fixtures") == before


@pytest.mark.parametrize("name", ["guide/index.json", "llms.txt", "guide/_chunks", "_search"])
def test_what_somebody_removes_before_it_is_remembered_comes_back(
    tmp_path: Path, library, write_tree, snapshot, quick, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Between the publication and the look at what it left."""
    docs = write_tree(tmp_path / "docs", library)
    (tmp_path / "infograph.toml").touch()
    settings = load(str(docs), environment={})
    save = records.save_graph

    def removing(*arguments: Any) -> None:
        save(*arguments)
        place = docs / name
        shutil.rmtree(place) if place.is_dir() else place.unlink()

    with monkeypatch.context() as patch:
        patch.setattr(records, "save_graph", removing)
        assert not build(settings).errors
    assert not (docs / name).exists()
    assert not build(settings).errors
    again = snapshot(docs)
    shutil.rmtree(settings.memory)
    build(settings)
    assert (docs / name).exists() and snapshot(docs) == again
