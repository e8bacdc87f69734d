"""Which kinds of files are documents, and what is said of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from infograph.errors import ConfigError
from infograph.source.discovery import SourceRules, discover
from infograph.source.kinds import Unread, asks_for_pages, patterns_of_others


@pytest.mark.parametrize(
    ("include", "asking"),
    [
        (("guide/", "*.md"), ()),
        (("*.md", "src/**/*.py", "!src/old/"), ("src/**/*.py", "!src/old/")),
        (("*.RST ", "a.html"), ("*.RST ", "a.html")),
        (("!*.html",), ()),
        (("v1.2/", "docs/v1.2"), ()),
    ],
)
def test_patterns_for_what_is_no_document_by_itself(include: tuple[str, ...], asking: tuple[str, ...]) -> None:
    assert patterns_of_others(include) == asking
    assert asks_for_pages(asking) == ("a.html" in asking)


def test_patterns_for_what_nothing_reads() -> None:
    with pytest.raises(ConfigError, match=r"source\.include: `\*\.org`: files that end in `\.org` cannot be read"):
        patterns_of_others(("*.org",))
    assert patterns_of_others(("*.org",), (".org",)) == ("*.org",)
    assert patterns_of_others(("!*.org",)) == ()


def test_what_is_said_of_files_that_are_not_read() -> None:
    unread = Unread()
    assert unread.notices(3) == []
    for name in ("a.html", "b.HTM", "c.html", "d.rst", "e.docx"):
        unread.add(name)
    (notice,) = unread.notices(3)
    assert notice.message == (
        "2 .html, 1 .htm, 1 .rst, 1 .docx. the tree holds Markdown, so its 3 pages were taken and not the rendered "
        'ones; `source.pages = "html"` takes those instead. `source.include` takes them by a pattern for each kind, '
        "such as `**/*.rst`"
    )
    assert notice.count == 5


@pytest.mark.parametrize(
    ("pages", "documents"),
    [("auto", ("a.md",)), ("markdown", ("a.md",)), ("html", ("b.html", "c/index.html"))],
)
def test_markdown_or_pages(pages: str, documents: tuple[str, ...], tmp_path: Path) -> None:
    for name in ("a.md", "b.html", "c/index.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert discover(tmp_path, SourceRules(pages=pages)).documents == documents
    (tmp_path / "a.md").unlink()
    expected = () if pages == "markdown" else ("b.html", "c/index.html")
    assert discover(tmp_path, SourceRules(pages=pages)).documents == expected


def test_links_among_pages_are_named_where_pages_are_read(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_text("x")
    (tmp_path / "c.html").symlink_to("b.html")
    assert [notice.kind for notice in discover(tmp_path, SourceRules()).notices] == ["symlink"]
    (tmp_path / "a.md").write_text("x")
    assert [notice.kind for notice in discover(tmp_path, SourceRules()).notices] == ["not-read"]


def test_pages_with_the_same_outputs(tmp_path: Path) -> None:
    for name in ("setup/index.html", "setup.html", "SETUP/index.htm"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    found = discover(tmp_path, SourceRules())
    assert len(found.documents) == 2
    assert [error.place for error in found.errors] == ["setup/index.html"]
