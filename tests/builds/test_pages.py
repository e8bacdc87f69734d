"""`index.pages` and `index.llms_full`: what agents read that know nothing of the graph."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.commands.check.crawl import check
from infograph.config import load
from infograph.formats.names import LLMS_FULL
from infograph.formats.page_file import said_size

PAGES = {
    "index.md": "---\ntitle: Start\n---\n\n# Start\n\nBegin.\n",
    "guide/install.md": '# Install\n\n--8<-- "guide/_note.txt"\n\nThen run it.\n',
    "guide/_note.txt": "A note that is included.\n",
    "guide/use.md": "# Use\r\n\r\nLike this.\r\n",
}
OPTIONS = {"index.pages": True, "index.llms_full": True}


def built(root: Path, options: dict[str, Any] | None = None, *, out: bool = True, force: bool = False) -> Path:
    flags: dict[str, Any] = {**OPTIONS, **(options or {})} | ({"out": str(root.parent / "site")} if out else {})
    settings = load(str(root), flags=flags, environment={})
    summary = build(settings, force=force)
    assert not summary.errors
    return settings.out


@pytest.fixture
def docs(tmp_path: Path, write_tree: Callable[..., Path], quick: object) -> Path:
    return write_tree(tmp_path / "docs", PAGES)


def test_pages_are_what_a_reader_sees(docs: Path) -> None:
    site = built(docs)
    text = (site / "_pages/guide/install.md").read_text("utf-8")
    assert text == (
        '---\npath: "guide/install.md"\ntitle: "Install"\nwritten_by: infograph build\n---\n\n'
        "# Install\n\nA note that is included.\n\n\nThen run it.\n"
    ).replace("included.\n\n\n", "included.\n\n")
    assert (site / "_pages/guide/use.md").read_text("utf-8").endswith("---\n\n# Use\n\nLike this.\n")
    index = json.loads((site / "guide/index.json").read_bytes())
    sources = {link["name"]: (link["href"], link["type"]) for link in index["_links"]["source"]}
    assert sources["install"] == ("../_pages/guide/install.md", "text/markdown")
    llms = (site / "llms.txt").read_text("utf-8")
    assert "- [Install](_pages/guide/install.md)\n" in llms
    assert "- [Start](_pages/index.md)\n" in llms
    report = check(str(site))
    assert (report.problems, report.warnings) == ((), ())


def test_all_pages_are_one_text_whose_first_line_says_its_size(docs: Path) -> None:
    site = built(docs)
    data = (site / LLMS_FULL).read_bytes()
    first, rest = data.split(b"\n", 1)
    assert re.fullmatch(rb"# Start: 3 pages, \d+ bytes, about \d+ tokens", first)
    assert said_size(data) == len(rest)
    assert re.findall(rb"<!-- (.*) -->", rest) == [b"index.md", b"guide/install.md", b"guide/use.md"]
    assert f"{len(data):,} bytes: [llms-full.txt](llms-full.txt)" in (site / "llms.txt").read_text("utf-8")


def test_a_build_after_changes_is_one_from_nothing(docs: Path, snapshot: Callable[[Path], Any]) -> None:
    site = built(docs)
    (docs / "guide/_note.txt").write_text("Another note.\n")
    (docs / "guide/use.md").unlink()
    (docs / "guide/new.md").write_text("# New\n\nPage.\n")
    built(docs)
    assert "Another note." in (site / "_pages/guide/install.md").read_text("utf-8")
    pages = {path: data for path, data in snapshot(site).items() if path.startswith(("_pages/", "llms"))}
    built(docs, force=True)
    assert {path: snapshot(site)[path] for path in pages} == pages
    assert "_pages/guide/new.md" in pages
    assert b"use.md" not in pages[LLMS_FULL] + pages["llms.txt"]


def test_without_the_settings_they_go(docs: Path) -> None:
    site = built(docs)
    for _ in range(3):  # what readers of earlier publications may have stays a while
        (docs / "guide/use.md").write_text((docs / "guide/use.md").read_text() + "More.\n")
        built(docs, {"index.pages": False, "index.llms_full": False})
    assert not (site / LLMS_FULL).exists()
    assert not list(site.glob("_pages/**/*.md"))
    assert check(str(site)).ok


def test_in_place_the_documents_themselves_are_linked(docs: Path) -> None:
    root = built(docs, out=False)
    assert not (root / "_pages").exists()
    assert "- [Install](guide/install.md)\n" in (root / "llms.txt").read_text("utf-8")
    assert (root / LLMS_FULL).is_file()
    assert check(str(root)).ok


def test_somebody_elses_text_stays(docs: Path) -> None:
    (docs / LLMS_FULL).write_text("# Mine\n")
    root = built(docs, out=False)
    assert (root / LLMS_FULL).read_text() == "# Mine\n"


def test_a_text_that_is_cut_off_is_found(docs: Path) -> None:
    site = built(docs)
    (site / LLMS_FULL).write_bytes((site / LLMS_FULL).read_bytes()[:-5])
    assert [(problem.url, problem.kind) for problem in check(str(site)).problems] == [(LLMS_FULL, "format")]
    (site / "_pages/guide/install.md").unlink()
    missing = {(problem.url, problem.kind) for problem in check(str(site)).problems}
    assert ("_pages/guide/install.md", "missing") in missing


def test_a_topic_with_a_list_of_its_own_is_no_tree_of_its_own(
    docs: Path, monkeypatch: pytest.MonkeyPatch, snapshot: Callable[[Path], Any]
) -> None:
    monkeypatch.setattr("infograph.index.llms.llms_files.__defaults__", (1750,))
    for number in range(30):
        (docs / f"guide/page-{number}.md").write_text(f"# Page {number}\n\nText.\n")
    root = built(docs, out=False)
    listing = (root / "guide/llms.txt").read_text("utf-8")
    assert "- [Page 3](page-3.md)\n" in listing
    before = snapshot(root)
    built(docs, out=False, force=True)
    assert snapshot(root) == before
    assert check(str(root)).ok
