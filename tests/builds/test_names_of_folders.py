"""A folder of documents that has a name of infograph's own: refused before anything is published, or built whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.commands.check.crawl import check
from infograph.config import load
from infograph.errors import OutputError
from infograph.pipeline.summary import Summary

REFUSED = ["index.json", "llms.txt", "infograph.js", "explorer.html", "topic-spec.md", "guide/index.json"]
OTHER_CASE = ["Index.JSON", "LLMS.txt", "Guide/Index.JSON"]
HARMLESS = ["index-2.json", "infograph", "infograph/reader.js", "guide/topic-spec.md", "infograph.toml"]
KEPT_FOR_OURS = ["_search", "_graph", "_schema", "_keywords", "_chunks", "_search/deep"]


def built(root: Path, name: str, elsewhere: bool) -> tuple[Path, Summary]:
    (root / "docs" / name).mkdir(parents=True)
    (root / "docs/index.md").write_text("# Home\n\nThe first page.\n")
    (root / "docs" / name / "page.md").write_text("# Page\n\nIn a folder of an odd name.\n")
    out = root / "site" if elsewhere else root / "docs"
    flags = {"out": str(out)} if elsewhere else {}
    return out, build(load(str(root / "docs"), flags=flags, environment={}))


def published(out: Path) -> list[str]:
    files = (path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())
    return sorted(name for name in files if name == ".nojekyll" or not name.startswith("."))


def test_one_in_the_place_of_llms_txt_is_left_alone_in_place(tmp_path: Path, quick: object) -> None:
    """A tree can do without that file, so what stands there costs it alone."""
    out, summary = built(tmp_path, "llms.txt", False)
    assert [(notice.path, notice.kind) for notice in summary.notices] == [("llms.txt", "left-alone")]
    assert summary.documents == 2 and (out / "llms.txt/page.md").is_file() and (out / "llms.txt/index.json").is_file()


@pytest.mark.parametrize(
    ("name", "elsewhere"),
    [
        *((name, True) for name in REFUSED + OTHER_CASE),
        *(pytest.param(name, False, marks=pytest.mark.slow) for name in REFUSED + OTHER_CASE if name != "llms.txt"),
    ],
)
def test_a_folder_in_the_place_of_an_output_is_refused(tmp_path: Path, quick, name: str, elsewhere: bool) -> None:
    with pytest.raises(OutputError) as caught:
        built(tmp_path, name, elsewhere)
    assert caught.value.place == name
    assert "is a folder of documents" in caught.value.reason
    assert "Rename the folder" in caught.value.hint
    assert "source.exclude" in caught.value.hint
    sources = sorted(["index.md", f"{name}/page.md"])
    assert published(tmp_path / ("site" if elsewhere else "docs")) == ([] if elsewhere else sources)


def test_the_way_out_is_one(tmp_path: Path, quick: object) -> None:
    with pytest.raises(OutputError):
        built(tmp_path, "llms.txt", True)
    (tmp_path / "infograph.toml").write_text('[source]\nexclude = ["llms.txt/"]\n')
    docs, site = str(tmp_path / "docs"), tmp_path / "site"
    assert build(load(docs, flags={"out": str(site)}, environment={})).documents == 1
    assert (site / "llms.txt").is_file()
    assert not check(str(site)).problems


def test_a_build_that_only_checks_says_it_too(tmp_path: Path, quick: object) -> None:
    (tmp_path / "index.json").mkdir()
    (tmp_path / "index.json/page.md").write_text("# Page\n")
    with pytest.raises(OutputError, match=r"index\.json"):
        build(load(str(tmp_path), environment={}), check=True)


@pytest.mark.parametrize("pages", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["", "with pages"])
@pytest.mark.parametrize(
    "elsewhere", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["elsewhere", "in place"]
)
def test_documents_in_a_folder_called_as_that_of_pages_are_built_as_others(
    quick: object, make_tree: Callable[..., Any], tmp_path: Path, elsewhere: bool, pages: bool
) -> None:
    """Jekyll's sites have such a folder."""
    tree = make_tree(tmp_path, elsewhere)
    tree.settings += f"[index]\npages = {str(pages).lower()}\n"
    texts = {"index.md": "Home of the kettle", "_pages/one.md": "One `spoon`", "_pages/deep/two.md": "Two `forks`"}
    for number, changed in enumerate(["", "index.md", "_pages/one.md", "_pages/deep/two.md"]):
        for name, text in texts.items():
            (tree.root / name).parent.mkdir(parents=True, exist_ok=True)
            if changed in ("", name):
                (tree.root / name).write_text(f"# Page {number}\n\n{text} and `handle {number}`.\n")
        assert not tree.build().errors
        assert tree.outputs() == tree.clean()
        assert not check(str(tree.out)).problems


@pytest.mark.parametrize(
    "elsewhere", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["elsewhere", "in place"]
)
@pytest.mark.parametrize("name", HARMLESS)
def test_a_folder_that_is_in_the_way_of_nothing_is_built(tmp_path: Path, quick, name: str, elsewhere: bool) -> None:
    out, summary = built(tmp_path, name, elsewhere)
    assert (summary.documents, summary.errors, summary.notices) == (2, [], [])
    assert not check(str(out)).problems


@pytest.mark.parametrize("name", KEPT_FOR_OURS)
def test_a_document_in_a_folder_of_ours_is_left_out_with_a_word(tmp_path: Path, quick, name: str) -> None:
    out, summary = built(tmp_path, name, True)
    assert summary.documents == 1
    assert [(notice.path, notice.kind) for notice in summary.notices] == [(f"{name}/page.md", "reserved-name")]
    assert not check(str(out)).problems


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("_search/manifest.json", "_search/manifest.json/page.md"),
        ("_schema/index.schema.json", "_schema/index.schema.json/page.md"),
        ("_chunks/index-0.md", "_chunks/index-0.md"),
    ],
)
def test_so_is_one_in_a_folder_that_is_called_as_a_file_of_ours(tmp_path: Path, quick, name: str, told: str) -> None:
    out, summary = built(tmp_path, name, True)
    assert [(notice.path, notice.kind) for notice in summary.notices] == [(told, "reserved-name")]
    assert not check(str(out)).problems
