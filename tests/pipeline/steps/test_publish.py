"""Which files are ours, and in which order they are published."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from infograph.build import build
from infograph.commands.clean import clean
from infograph.config import load
from infograph.errors import OutputError
from infograph.formats.marks import written_by_us
from infograph.formats.names import KEYWORDS, all_topics, output_topic, topic_of
from infograph.pipeline.chunk_names import replaced_files
from infograph.pipeline.memory.state import PUBLISHING, State
from infograph.pipeline.ours import find_outputs, outputs_of
from infograph.pipeline.staging import Output, Staged, in_order
from infograph.pipeline.steps import publish as step
from infograph.pipeline.steps.publish import (
    expected,
    interrupted_until_done,
    leftovers,
    refuse_foreign,
    remembering,
    tables_as_read,
    tables_as_staged,
    unenriched,
    without_edited,
)
from infograph.pipeline.tables import LARGEST_TABLE, holds_pins
from infograph.pipeline.worker.tasks import Result


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


def test_each_kind_of_file_has_its_place_in_the_order(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/index.json").touch()
    order = [
        "a/_chunks/x.0123456789-0.md",
        "_search/manifest.0123456789.json",
        "_search/p-0123456789abcdef.z",
        "a/index.0123456789.json",
        "_chunks/z-0.md",
        "a/_chunks/x-0.md",
        "_keywords/words.md",
        "_schema/index.schema.json",
        "a/_keywords/words.md",
        "_search/manifest.json",
        "a/topic-spec.md",
        "b/c/index.json",
        "b/index.json",
        "a/index-2.json",
        "a/index.json",
        "index-2.json",
        "llms.txt",
        "index.json",
    ]
    (tmp_path / "index.json").touch()
    for names in (order, reversed(order)):
        assert [item.target for item in in_order((Staged(name, "") for name in names), tmp_path)] == order


_MAPS = ("sources", "hashes", "outputs", "folders", "listed", "chunk_counts", "versions")


def last_build(**values: Any) -> State:
    """The state of a last build, empty but for these values."""
    empty: dict[str, Any] = {name: {} for name in (*_MAPS, "unenriched", "enriched", "included", "converters")}
    empty |= {"errors": [], "notices": [], "topics": 0, "chunks": 0, "tables": {}, "older": [], "heads": {}}
    return State("", **(empty | values))


def test_outputs_are_kept_of_topics_that_were_not_made_again() -> None:
    names = ("a/index.json", "b/index.json", "gone/index.json", "llms.txt")
    last = last_build(outputs={name: [0, 0, 0] for name in names})
    assert expected(last, {"b": {"b/index-2.json"}, "": set()}, ["", "a", "b"]) == ["a/index.json", "b/index-2.json"]
    assert expected(None, {"b": {"b/index.json"}}, ["a", "b"]) == ["b/index.json"]


SHARD = "_search/p-0123456789abcdef.z"


def test_what_is_left_over_after_a_build(tmp_path: Path, write_tree: Callable[..., Path]) -> None:
    """Empty files count as ours."""
    ours = ["a/index.json", "a/_chunks/b-0.md", "other/index.json", SHARD, "_search/manifest.json"]
    out = write_tree(tmp_path, dict.fromkeys(ours, b"") | {"a/index-2.json": b"of another tool"})
    last = last_build(
        outputs={"a/index.json": [0, 0, 0], "a/index-2.json": [0, 0, 0], "gone/index.json": [0, 0, 0]},
        chunk_counts={"a/b.md": 1},
        older=[[SHARD]],
    )

    def left(last: State | None, standing: set[str], known: bool = True, topics: tuple[str, ...] = ()) -> list[str]:
        replaced = replaced_files(last, {}, {}, packed=False)
        return leftovers(out, last, topics, standing, replaced, known=known)[0]

    assert left(last, {"a/index.json"}) == [SHARD, "a/_chunks/b-0.md"]
    assert left(last, {SHARD}) == ["a/_chunks/b-0.md", "a/index.json"]
    assert left(last, {SHARD}, topics=("other",)) == ["a/_chunks/b-0.md", "a/index.json", "other/index.json"]
    assert left(last, {"a/index.json"}, known=False) == [
        "_search/manifest.json",
        SHARD,
        "a/_chunks/b-0.md",
        "other/index.json",
    ]
    searched = {"_search/manifest.json", "a/index.json"}
    assert left(last_build(), searched) == []
    assert left(last_build(), searched, known=False) == ["a/_chunks/b-0.md", "other/index.json"]
    assert left(None, searched) == [SHARD, "a/_chunks/b-0.md", "other/index.json"]


def test_a_file_of_somebody_else_is_not_replaced(tmp_path: Path, write_tree: Callable[..., Path]) -> None:
    out = write_tree(tmp_path, {"a/index.json": b"{}", "b/index.json": b"", SHARD: b"another's bytes"})
    free = [Staged(name, "") for name in ("b/index.json", "a/index-2.json", "new/index.json", "llms.txt", SHARD)]
    refuse_foreign(out, free)
    with pytest.raises(OutputError, match=r"a/index\.json: stands there already and infograph did not write it"):
        refuse_foreign(out, [*free, Staged("a/index.json", "")])
    (out / SHARD).unlink()
    (out / SHARD).mkdir()
    with pytest.raises(OutputError, match=f"{SHARD}: stands there already"):
        refuse_foreign(out, free)


def test_an_error_of_the_memory_says_that_all_is_published() -> None:
    with pytest.raises(OutputError, match=r"state: the disk is full\. All outputs are published\."), remembering():
        raise OutputError("state", "the disk is full", "Make room")


def test_the_stamps_of_tables_are_those_of_when_they_were_read_or_staged(tmp_path: Path) -> None:
    tables = [f"{name}/{KEYWORDS}" for name in "abcd"]
    last = last_build(outputs={tables[0]: [1, 1, 1], tables[1]: [2, 2, 2], tables[2]: [3, 3, 3], "llms.txt": [4, 4, 4]})
    staged = [Staged(tables[2], "1"), Staged("llms.txt", "2")]
    read = {tables[1]: [5, 5, 5], tables[3]: [6, 6, 6]}
    assert tables_as_read(last, read, staged) == {tables[0]: [1, 1, 1], **read}
    assert tables_as_read(None, read, staged) == read
    (tmp_path / "1").write_text("four")
    assert {path: taken[0] for path, taken in tables_as_staged(str(tmp_path), staged).items()} == {tables[2]: 4}


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


@pytest.mark.parametrize(
    "rest",
    ["without llms.txt", *(pytest.param(rest, marks=pytest.mark.slow) for rest in ("whole", "without index.json"))],
)
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


@pytest.mark.parametrize(
    "name",
    [
        "guide/_chunks",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("guide/index.json", "llms.txt", "_search")),
    ],
)
def test_what_somebody_removes_before_it_is_remembered_comes_back(
    tmp_path: Path, library, write_tree, snapshot, quick, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Between the publication and the look at what it left."""
    docs = write_tree(tmp_path / "docs", library)
    (tmp_path / "infograph.toml").touch()
    settings = load(str(docs), environment={})
    save = step.save_graph

    def removing(*arguments: Any) -> None:
        save(*arguments)
        place = docs / name
        shutil.rmtree(place) if place.is_dir() else place.unlink()

    with monkeypatch.context() as patch:
        patch.setattr(step, "save_graph", removing)
        assert not build(settings).errors
    assert not (docs / name).exists()
    assert not build(settings).errors
    again = snapshot(docs)
    shutil.rmtree(settings.memory)
    build(settings)
    assert (docs / name).exists() and snapshot(docs) == again


HEAD = "| Term | Type | Count | Header | Global | Score | Pinned |\n| - | - | - | - | - | - | - |\n"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (HEAD + "| zebra | | | | | 9 | yes |\n", True),
        (HEAD + "| zebra | | | | | 9 | |\n", False),
        (HEAD + "| zebra | | | | | nine | |\n", True),
        (HEAD + "| zebra | | | | | 9 | | |\n", True),
        (HEAD + "| zebra | | | | | 9 | |\n" + " " * LARGEST_TABLE, True),
        ("", True),
    ],
    ids=["pinned", "counted", "a broken score", "a broken row", "too large", "no table"],
)
def test_a_table_that_may_hold_rows_set_by_hand_is_kept(tmp_path: Path, write_tree, text: str, kept: bool) -> None:
    assert holds_pins(write_tree(tmp_path, {KEYWORDS: text}), KEYWORDS) is kept


def test_a_broken_table_stays_when_its_topic_goes(tmp_path: Path, library, write_tree, quick) -> None:
    """A slip in one row, and rows set by hand beside it."""
    docs = write_tree(tmp_path / "docs", library)
    settings = load(str(docs), environment={})
    build(settings)
    table = docs / "guide/deep" / KEYWORDS
    with table.open("a") as file:
        file.write("| zebra | | | | | 9 | yes |\n| yak | | | | | eight | yes |\n")
    text = table.read_text()
    for page in ("cooking.md", "licence.md"):
        (docs / "guide/deep" / page).unlink()
    summary = build(settings)
    assert [notice.path for notice in summary.notices] == [f"guide/deep/{KEYWORDS}"]
    assert not (docs / "guide/deep/index.json").exists()
    assert table.read_text() == text


@pytest.mark.parametrize("same_time", [False, True])
def test_a_table_saved_with_as_many_bytes_is_not_written_over(tmp_path: Path, same_time: bool) -> None:
    table = tmp_path / KEYWORDS
    table.parent.mkdir()
    table.write_text("| zebra |")
    status = table.stat()
    before = [status.st_size, status.st_mtime_ns, status.st_ctime_ns]
    table.write_text("| aback |")
    os.utime(table, ns=(1, status.st_mtime_ns if same_time else status.st_mtime_ns + 1))
    staged = [Staged(KEYWORDS, "1"), Staged("index.json", "2")]
    said: list[str] = []
    left = without_edited(tmp_path, staged, {KEYWORDS: before}, SimpleNamespace(say=said.append))  # type: ignore[arg-type]
    assert left == (staged if same_time else staged[1:])
    told = f"{KEYWORDS} was saved in the meantime: it stays so, and the next run takes its rows"
    assert said == ([] if same_time else [told])


class Killed(BaseException):
    """As if the process had ended here."""


def test_a_mark_stands_for_as_long_as_files_are_renamed(tmp_path: Path) -> None:
    with interrupted_until_done(tmp_path):
        assert (tmp_path / PUBLISHING).exists()
    assert not (tmp_path / PUBLISHING).exists()
    with pytest.raises(Killed), interrupted_until_done(tmp_path):
        raise Killed
    assert (tmp_path / PUBLISHING).exists()


def test_what_an_interrupted_publication_left_is_found(
    tmp_path: Path, make_tree, library, write_tree, quick, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files of a new topic are in place and nothing else: no stamp that the last build knows is another one."""
    tree = make_tree(tmp_path, elsewhere=True)
    write_tree(tree.root, library)
    tree.build()
    page = tree.root / "reference/island/palm.md"
    page.parent.mkdir()
    page.write_text("# Palm\n\nA palm on an island.\n")
    publish = Output.publish

    def first_files(self: Output, staged: list[Staged], removed: list[str]) -> None:
        publish(self, [item for item in staged if item.target.startswith("reference/island/")], [])
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(Output, "publish", first_files)
        tree.build()
    assert (tree.out / "reference/island/index.json").exists()
    shutil.rmtree(page.parent)
    tree.build()
    assert not (tree.out / "reference/island").exists()
    assert tree.outputs() == tree.clean()


def test_a_check_says_what_a_build_would_do_and_does_nothing(
    tmp_path: Path, make_tree, library, write_tree, snapshot, quick
) -> None:
    tree = make_tree(tmp_path)
    write_tree(tree.root, library)
    tree.build()
    (tree.root / "licence.md").unlink()
    before = snapshot(tree.root)
    summary = build(tree.load(), check=True)
    assert "index.json" in summary.stale and "_chunks/licence-0.md" in summary.stale
    assert (summary.written, summary.removed) == (0, 0)
    assert snapshot(tree.root) == before


def test_chunks_of_which_nothing_was_said_are_counted_by_document() -> None:
    last = last_build(unenriched={"a.md": 3, "b.md": 2, "gone.md": 5})
    results = {"b.md": Result("b.md", unenriched=0), "c.md": Result("c.md", unenriched=4)}
    assert unenriched(last, ["a.md", "b.md", "c.md", "d.md"], results) == {"a.md": 3, "c.md": 4}
    assert unenriched(None, ["b.md"], results) == {}
