"""The tools one by one."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.commands.check.crawl import check
from infograph.commands.clean import clean
from infograph.config import Settings, load
from infograph.errors import ConfigError, OutputError
from infograph.pipeline import tools

SEQUENCE = (tools.chunk, tools.keywords, tools.topic, tools.index)


def settings(root: Path, **flags: object) -> Settings:
    return load(str(root), flags=flags, environment={})


@pytest.mark.slow
@pytest.mark.parametrize("elsewhere", [False, True])
@pytest.mark.parametrize("files", ["each", "pack"])
def test_in_sequence_they_leave_the_bytes_of_build(
    tmp_path: Path, library: dict[str, str], write_tree, snapshot, quick, elsewhere: bool, files: str
) -> None:
    trees = []
    for name in ("tools", "build"):
        root = write_tree(tmp_path / name / "docs", library)
        (root.parent / "infograph.toml").touch()
        out = root.parent / "site" if elsewhere else root
        flags = {"chunks.files": files, **({"out": str(out)} if elsewhere else {})}
        trees.append((settings(root, **flags), out))
    for tool in SEQUENCE:
        assert not tool(trees[0][0]).errors
    build(trees[1][0])
    assert snapshot(trees[0][1]) == snapshot(trees[1][1])
    again = build(trees[0][0])
    assert (again.written, again.removed, again.embedded) == (0, 0, 0)
    for tool in SEQUENCE:
        summary = tool(trees[0][0])
        assert (summary.written, summary.removed) == (0, 0)


def test_a_pack_that_is_cut_off_is_no_chunk_file(tmp_path: Path, library: dict[str, str], write_tree, quick) -> None:
    own = settings(write_tree(tmp_path / "docs", library), **{"chunks.files": "pack"})
    for tool in SEQUENCE[:3]:
        assert not tool(own).errors
    path = own.out / "guide/_chunks/index-0.pack.txt"
    path.write_bytes(path.read_bytes()[:-1])
    (notice,) = (one for one in tools.index(own).notices if one.kind == "stale-specification")
    assert "index.md" in notice.message
    path.unlink()
    assert any(
        str(error).startswith("guide/index.md: its chunk file guide/_chunks/index-0.pack.txt is not there")
        for error in tools.index(own).errors
    )
    path.write_bytes(b"infograph pack 1\nchunks 0: 9\n")
    (error,) = tools.topic(own).errors
    said = f"guide/_chunks/{path.name}: is cut off: it has 29 bytes of 38. Build again to have it written anew"
    assert str(error) == said


@pytest.mark.parametrize("elsewhere", [False, True])
@pytest.mark.parametrize(("files", "other"), [("each", "pack"), ("pack", "each")])
def test_chunks_that_lie_as_another_setting_has_them_are_named(
    tmp_path: Path, write_tree, quick, elsewhere: bool, files: str, other: str
) -> None:
    """It said that they were not there, and no more."""
    root = write_tree(tmp_path / "docs", {"guide/a-b.md": "# A\n\nSome text.\n", "guide/a.md": "# B\n\nOther text.\n"})
    flags = {"out": str(tmp_path / "site")} if elsewhere else {}
    build(settings(root, **flags, **{"chunks.files": files}))
    own = settings(root, **flags, **{"chunks.files": other})
    version = r"\.[0-9a-f]{10}" if elsewhere else ""
    end = {"each": r"0\.md", "pack": r"0\.pack\.txt"}[files]
    for tool in (tools.index, tools.keywords):
        for stem, error in zip(("a-b", "a"), sorted(map(str, tool(own).errors)), strict=True):
            there = (
                rf"There is {stem}{version}-{end}: set `chunks\.files = \"{files}\"`, as it was cut, or run `infograph"
            )
            assert re.search(there, error), error


@pytest.mark.parametrize("tool", [tools.keywords, tools.topic])
def test_what_was_said_of_a_document_without_its_chunks_stays(tmp_path: Path, write_tree, quick, tool: Any) -> None:
    """A step that could not read a topic's only document removed its table and its specification."""
    root = write_tree(tmp_path / "docs", {"guide/a.md": "# A\n\nSome text.\n", "b.md": "# B\n\nOther text.\n"})
    build(settings(root))
    kept = [root / name for name in ("guide/topic-spec.md", "guide/_keywords/words.md")]
    before = [path.read_bytes() for path in kept]
    (root / "guide/_chunks/a-0.md").unlink()
    summary = tool(settings(root))
    assert [error.place for error in summary.errors] == ["guide/a.md"]
    assert summary.removed == 0 and [path.read_bytes() for path in kept] == before


@pytest.mark.slow
def test_they_follow_a_change(tmp_path: Path, library: dict[str, str], write_tree, snapshot, quick) -> None:
    root = write_tree(tmp_path / "docs", library)
    build(settings(root))
    (root / "guide/deep/cooking.md").unlink()
    (root / "licence.md").rename(root / "guide/licence.md")
    for tool in SEQUENCE:
        tool(settings(root))
    after = snapshot(root)
    assert build(settings(root)).written == 0
    assert snapshot(root) == after


@pytest.mark.slow
def test_what_is_no_documents_fault_removes_nothing(
    tmp_path: Path, library: dict[str, str], write_tree, snapshot, quick
) -> None:
    root = write_tree(tmp_path / "docs", library)
    build(settings(root))
    before = snapshot(root)
    with pytest.raises(ConfigError, match="entities"):
        tools.chunk(settings(root, **{"chunks.entities": "no-such-pipeline"}))
    assert snapshot(root) == before


def test_each_says_what_must_run_before(tmp_path: Path, library: dict[str, str], write_tree, quick) -> None:
    root = write_tree(tmp_path / "docs", library)
    summary = tools.keywords(settings(root))
    assert len(summary.errors) == len(library)
    assert "README.md: its chunk file _chunks/README-0.md is not there. Run `infograph chunk` first." in map(
        str, summary.errors
    )
    tools.chunk(settings(root))
    with pytest.raises(OutputError, match=r"_keywords/words\.md: is not there\. Run `infograph keywords` first\."):
        tools.topic(settings(root))
    (root / "README.md").write_text("# Changed\n")
    assert [str(error) for error in tools.keywords(settings(root)).errors] == [
        "README.md: has changed since it was cut. Run `infograph chunk` first."
    ]


@pytest.mark.slow
def test_index_takes_an_edited_specification(tmp_path: Path, library: dict[str, str], write_tree, quick) -> None:
    root = write_tree(tmp_path / "docs", library)
    build(settings(root))
    path = root / "guide/topic-spec.md"
    text = path.read_text()
    path.write_text(text.replace("| Part 3 |", "| The third part |"))
    assert path.read_text() != text
    summary = tools.index(settings(root))
    assert summary.written >= 1 and not summary.errors
    assert '"The third part"' in (root / "guide/index.json").read_text()
    build(settings(root))
    assert path.read_text() == text, "build makes the specification anew"


def test_index_names_a_specification_that_does_not_parse(tmp_path: Path, library, write_tree, quick) -> None:
    root = write_tree(tmp_path / "docs", library)
    build(settings(root))
    path = root / "reference/api/topic-spec.md"
    path.write_text(path.read_text().replace("## Sources", "## Springs"))
    (error,) = tools.index(settings(root)).errors
    assert "reference/api/topic-spec.md" in str(error) and "Sources" in str(error)


@pytest.mark.parametrize(
    ("before", "after"), [("| 1.000000 |", "| 2.5 |"), ("| 1.000000 |", "| -1.5 |"), ("window (902)", "window (-2)")]
)
def test_index_names_a_number_that_makes_no_sense(
    tmp_path: Path, library, write_tree, quick, before: str, after: str
) -> None:
    root = write_tree(tmp_path / "docs", library)
    build(settings(root))
    path = root / "guide/topic-spec.md"
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))
    (error,) = tools.index(settings(root)).errors
    assert str(error).startswith("guide/topic-spec.md:") and after.strip("| ") in str(error)


def test_index_names_a_specification_that_is_not_there(tmp_path: Path, library, write_tree, quick) -> None:
    root = write_tree(tmp_path / "docs", library)
    build(settings(root))
    (root / "guide/topic-spec.md").unlink()
    (error,) = tools.index(settings(root)).errors
    assert str(error) == "guide/topic-spec.md: is not there, but its chunk files are. Run `infograph topic` first."


@pytest.mark.slow
def test_topic_does_without_a_table_that_does_not_parse(tmp_path: Path, library, write_tree, snapshot, quick) -> None:
    trees = [write_tree(tmp_path / name, library) for name in ("tools", "build")]
    for root in trees:
        build(settings(root))
        with (root / "guide/_keywords/words.md").open("a") as file:
            file.write("| junk |\n")
        (root / "licence.md").write_text("# Licence\n\nAnother one.\n")
    for tool in SEQUENCE:
        said = [str(error) for error in tool(settings(trees[0])).errors]
        assert all(text.startswith("guide/_keywords/words.md") for text in said)
        assert len(said) == (tool in (tools.keywords, tools.topic))
    assert len(build(settings(trees[1])).errors) == 1
    assert snapshot(trees[0]) == snapshot(trees[1])


@pytest.mark.slow
def test_index_says_what_a_specification_does_not_describe(tmp_path: Path, library, write_tree, quick) -> None:
    root = write_tree(tmp_path / "docs", library)
    build(settings(root))
    assert tools.index(settings(root)).notices == []
    (root / "licence.md").write_text("# Licence\n\nAnother one.\n")
    (notice,) = tools.index(settings(root)).notices
    assert notice.path == "topic-spec.md"
    assert notice.message == (
        "describes other versions of licence.md: run `infograph chunk`, `keywords` and `topic` first"
    )


def test_index_names_what_it_would_lead_to_and_is_not_there(tmp_path: Path, library, write_tree, quick) -> None:
    root = write_tree(tmp_path / "docs", library)
    build(settings(root))
    (root / "guide/_chunks/index-0.md").unlink()
    (root / "reference/api/_keywords/words.md").unlink()
    summary = tools.index(settings(root))
    assert [str(error) for error in summary.errors] == [
        "guide/index.md: its chunk file guide/_chunks/index-0.md is not there. Run `infograph chunk` first.",
        "reference/api/_keywords/words.md: is not there. Run `infograph keywords` first.",
    ]
    assert summary.notices == []


@pytest.mark.slow
def test_index_refuses_another_model_than_that_of_the_specifications(tmp_path: Path, library, write_tree) -> None:
    root = write_tree(tmp_path / "docs", library)
    build(settings(root, model="static"))
    with pytest.raises(ConfigError, match=r"all-MiniLM-L6-v2@.* was made with `static-256@.*`"):
        tools.index(settings(root, model="all-MiniLM-L6-v2"))
    tools.index(settings(root, model="all-MiniLM-L6-v2", **{"search.enabled": False}))


def test_topic_takes_an_edited_table(tmp_path: Path, library: dict[str, str], write_tree, quick) -> None:
    root = write_tree(tmp_path / "docs", library)
    build(settings(root))
    path = root / "guide/_keywords/words.md"
    path.write_text(path.read_text().rstrip("\n") + "\n| entry 3 warm | | | | | 99 | yes |\n")
    tools.topic(settings(root))
    assert "entry 3 warm (99)" in (root / "guide/topic-spec.md").read_text()


def test_a_foreign_index_is_refused_by_name(tmp_path: Path, library, write_tree, snapshot, quick) -> None:
    root = write_tree(tmp_path / "docs", library | {"guide/index.json": '{"mine": 1}'})
    before = snapshot(root)
    with pytest.raises(OutputError, match=r"^guide/index\.json: stands there already.*--out") as caught:
        build(settings(root))
    assert caught.value.place == "guide/index.json"
    assert snapshot(root) == before
    tools.chunk(settings(root))
    tools.keywords(settings(root))
    tools.topic(settings(root))
    with pytest.raises(OutputError, match=r"^guide/index\.json"):
        tools.index(settings(root))


def test_a_foreign_file_put_there_after_a_build_is_refused_too(tmp_path: Path, library, write_tree, quick) -> None:
    root = write_tree(tmp_path / "docs", library)
    build(settings(root))
    (root / "explorer.html").write_text("# Written by hand\n")
    with pytest.raises(OutputError, match=r"^explorer\.html: stands there already"):
        build(settings(root))
    (root / "explorer.html").unlink()
    (root / "explorer.html").symlink_to("README.md")
    with pytest.raises(OutputError, match=r"^explorer\.html: stands there already"):
        build(settings(root))
    assert (root / "README.md").read_text() == library["README.md"]


@pytest.mark.slow
def test_an_llms_txt_of_somebody_else_is_left_alone_with_one_line(tmp_path: Path, library, write_tree, quick) -> None:
    root, own = write_tree(tmp_path / "docs", library), "# Written by hand\n"
    (root / "llms.txt").write_text(own)
    assert [(notice.path, notice.kind) for notice in build(settings(root)).notices] == [("llms.txt", "left-alone")]
    assert not build(settings(root, strict=True)).failed(strict=True)
    (root / "README.md").write_text("# Another\n\nText.\n")
    assert [notice.path for notice in build(settings(root)).notices] == ["llms.txt"]
    assert (root / "llms.txt").read_text() == own
    (root / "llms.txt").unlink()
    (root / "llms.txt").symlink_to("README.md")
    (root / "README.md").write_text("# A third\n\nText.\n")
    build(settings(root))
    assert (root / "llms.txt").is_symlink()
    (root / "llms.txt").unlink()
    (root / "README.md").write_text("# A fourth\n\nText.\n")
    assert build(settings(root)).notices == []
    assert (root / "llms.txt").read_text().startswith("# A fourth")
    (root / "llms.txt").write_text(own)
    for tool in (tools.chunk, tools.keywords, tools.topic):
        tool(settings(root))
    assert [notice.path for notice in tools.index(settings(root)).notices] == ["llms.txt"]
    assert (root / "llms.txt").read_text() == own


class TestOut:
    def test_the_sources_are_left_untouched(self, tmp_path: Path, library, write_tree, snapshot, quick) -> None:
        root = write_tree(tmp_path / "docs", library)
        (tmp_path / "infograph.toml").touch()
        before = {path: (path.lstat().st_mtime_ns, path.lstat().st_ctime_ns) for path in sorted(root.rglob("*"))}
        build(settings(root, out=str(tmp_path / "site")))
        assert before == {
            path: (path.lstat().st_mtime_ns, path.lstat().st_ctime_ns) for path in sorted(root.rglob("*"))
        }
        assert snapshot(root) == {name: text.encode() for name, text in sorted(library.items())}
        assert (tmp_path / "site/.nojekyll").is_file()
        assert (tmp_path / ".embedding-cache").is_dir()

    def test_inside_the_sources_it_is_no_source(self, tmp_path: Path, library, write_tree, quick) -> None:
        root = write_tree(tmp_path / "docs", library)
        site = settings(root, out=str(root / "site"))
        first = build(site)
        assert first.documents == build(site).documents == len(library)

    def test_a_tree_of_its_own_below_is_left_alone(self, tmp_path: Path, library, write_tree, snapshot, quick) -> None:
        root = write_tree(tmp_path / "project/docs", library)
        build(settings(root, out=str(root.parent / "dist")))
        before = snapshot(root.parent / "dist")
        build(settings(root.parent))
        assert snapshot(root.parent / "dist") == before

    def test_what_else_is_published_there_stays(self, tmp_path: Path, library, write_tree, snapshot, quick) -> None:
        root = write_tree(tmp_path / "docs", library)
        site = {"guide/index.html": "<p>", ".nojekyll": "", "_chunks/app.js": "1"}
        write_tree(tmp_path / "site", site)
        build(settings(root, out=str(tmp_path / "site")))
        clean(settings(root, out=str(tmp_path / "site")))
        assert snapshot(tmp_path / "site") == {name: text.encode() for name, text in sorted(site.items())}


def test_a_graph_is_left_to_builds(tmp_path: Path, library: dict[str, str], write_tree, quick) -> None:
    """An index led to communities that no tool makes, and a search along them to nothing."""
    own = settings(write_tree(tmp_path / "docs", library), out=str(tmp_path / "site"), **{"graph.entities": "terms"})
    for tool in SEQUENCE:
        assert not tool(own).errors
    assert not check(str(own.out)).problems
    build(own)
    assert b"_graph/" in (own.out / "index.json").read_bytes()
    assert not tools.index(own).errors
    assert b"_graph/" not in (own.out / "index.json").read_bytes()
    assert not check(str(own.out)).problems


def test_a_folder_that_is_gone_has_no_specification(tmp_path: Path, library: dict[str, str], write_tree, quick) -> None:
    """With --out its chunk files stay for readers of the publications before."""
    own = settings(write_tree(tmp_path / "docs", library), out=str(tmp_path / "site"))
    build(own)
    shutil.rmtree(own.root / "guide")
    for tool in SEQUENCE:
        assert not tool(own).errors
    assert not check(str(own.out)).problems
    assert b"guide" not in (own.out / "index.json").read_bytes()
