"""What a published file must be: a whole site, built for real, with one file of it altered."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from infograph import web
from infograph.build import build
from infograph.commands.check.crawl import check
from infograph.commands.check.findings import CheckReport
from infograph.commands.check.promises import is_web_page
from infograph.config import load
from infograph.pipeline.tools import index

START_PAGE = b"<!doctype html>\n<title>Welcome</title>\n"


@pytest.fixture
def site(manual: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(manual, tmp_path / "site"))


def problems(report: CheckReport) -> list[tuple[str, str]]:
    return [(problem.kind, problem.url) for problem in report.problems]


def warnings(report: CheckReport) -> list[tuple[str, str]]:
    return [(warning.kind, warning.url) for warning in report.warnings]


@pytest.mark.slow
def test_a_whole_site_is_right_and_the_files_for_browsers_are_all_asked_for(site: Path) -> None:
    report = check(str(site))
    assert report.ok and not report.warnings
    strangers = {".nojekyll", ".infograph/lock", ".infograph/output"}
    files = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()} - strangers
    assert report.files == len(files)
    for path in sorted(web.files()):
        (site / path).unlink()
        found = problems(check(str(site)))
        (site / path).write_bytes(web.files()[path])
        assert found == [("missing", path)]


def test_a_site_without_its_files_for_browsers(site: Path) -> None:
    shutil.rmtree(site / "infograph")
    found = ["explorer.html", "infograph.js", "infograph.mjs"]
    for name in found:
        (site / name).unlink()
    report = check(str(site))
    lost = [*found, "infograph/package.json", "infograph/explorer/start.json", "infograph/explorer/map.json"]
    lost += ["infograph/stats.js", "infograph/webmcp.js"]
    texts = [path for path in web.files() if path.startswith("infograph/box/")]
    assert sorted(problems(report)) == sorted(("missing", name) for name in lost + texts)
    assert texts and all(
        problem.linked_from == "infograph-search.js"
        if problem.url in texts
        else problem.linked_from.startswith("_search/manifest.")
        for problem in report.problems
    )


def test_a_site_without_search_has_no_files_for_browsers(tmp_path: Path, library, write_tree, quick) -> None:
    root = write_tree(tmp_path / "docs", library)
    build(load(str(root), flags={"out": str(tmp_path / "site"), "search.enabled": False}, environment={}))
    assert not (tmp_path / "site/infograph.js").exists()
    assert check(str(tmp_path / "site")).ok


@pytest.mark.parametrize(
    ("file", "data", "kind"),
    [
        ("infograph.js", START_PAGE, "web-page"),
        ("infograph/reranking.js", START_PAGE, "web-page"),
        ("infograph-search.js", b"boom(", "format"),
        ("explorer.html", START_PAGE, "web-page"),
        ("infograph/explorer/dark.css", b"", "format"),
        ("infograph/walk.js", b"boom(", "format"),
        ("guide/topic-spec.md", START_PAGE, "web-page"),
        ("guide/topic-spec.md", b"", "format"),
        ("guide/topic-spec.md", b"# Notes of somebody\n", "format"),
        ("guide/_keywords/words.md", b"", "format"),
        ("llms.txt", START_PAGE, "web-page"),
        ("llms.txt", b"", "format"),
        ("_schema/index.schema.json", b"{}", "format"),
        ("_schema/index.schema.json", b"[]", "format"),
        ("_search/manifest.json", b"{}", "format"),
        ("_search/manifest.json", b"", "format"),
    ],
)
def test_another_file_in_place_of_ours(site: Path, file: str, data: bytes, kind: str) -> None:
    (site / file).write_bytes(data)
    # What a file would lead to is not missed where the file itself is wrong.
    assert problems(check(str(site))) == [(kind, file)]


@pytest.mark.parametrize(
    ("file", "data"),
    [
        ("guide/topic-spec.md", "# Guide — topic specification\n".encode()),
        ("_search/manifest.json", b'{"format":1,"largest_shard":9}'),
    ],
)
def test_a_message_has_no_gap(site: Path, file: str, data: bytes) -> None:
    """Where no line or field is named, two spaces stood in its place."""
    (site / file).write_bytes(data)
    (problem,) = check(str(site)).problems
    assert "  " not in str(problem.message)
    assert problem.message == problem.message.strip()


def test_an_llms_txt_of_somebody_else_is_a_warning(site: Path) -> None:
    (site / "llms.txt").write_bytes(b"# Written by hand\n")
    report = check(str(site))
    assert report.ok
    assert warnings(report) == [("format", "llms.txt")]


def test_a_client_of_another_release_is_a_warning(site: Path) -> None:
    for name in ("reranking.js", "walk.js"):
        with open(site / "infograph" / name, "ab") as file:
            file.write(b"boom(\n")
    (site / "infograph/stemmer.js").write_bytes(b"/* Written by `infograph build` */\n// of any language\n")
    report = check(str(site))
    assert report.ok
    assert warnings(report) == [("release", "infograph/reranking.js")]
    assert "2 files" in report.warnings[0].message


@pytest.mark.parametrize(
    ("path", "left"),
    [
        ("infograph.js", b"export { "),
        ("infograph/infograph.js", b"class Client {\n"),
        ("infograph/infograph.js", b"constructor("),
        ("infograph/explorer/explorer.css", b"{\n"),
        ("infograph.d.ts", b"export class Client {\n"),
        ("explorer.html", b"<main"),
        ("explorer.html", b"<body>\n"),
        ("infograph/package.json", b'"type"'),
        ("infograph/explorer/start.json", b'"pages"'),
        ("infograph/explorer/map.json", b'"pages":[['),
        ("infograph/stemmer.js", b"/* Written by `infograph build` */"),
    ],
)
def test_a_file_for_browsers_that_is_cut_off(site: Path, path: str, left: bytes) -> None:
    """It passed, with at most a warning that the file is of another release."""
    data = (site / path).read_bytes()
    (site / path).write_bytes(data[: data.index(left) + len(left)])
    assert problems(check(str(site))) == [("format", path)]


def test_files_of_an_earlier_release_are_no_problem(site: Path) -> None:
    """Shorter than today's, and as whole."""
    for path in ("infograph/order.js", "infograph/narrowing.js", "infograph.d.ts"):
        data = (site / path).read_bytes()
        at = data.rindex(b"\n}\n", 0, len(data) - 3) + 3
        assert at < len(data)
        (site / path).write_bytes(data[:at])
    page = site / "explorer.html"
    page.write_bytes(page.read_bytes().replace(b"<main", b"<main\n"))
    report = check(str(site))
    assert report.ok
    assert [kind for kind, _ in warnings(report)] == ["release"]


@pytest.mark.parametrize("count", ["pages", "chunks"])
def test_a_search_that_counts_otherwise_than_the_indexes(tmp_path, library, write_tree, quick, count: str) -> None:
    site = write_tree(tmp_path / "docs", library)
    build(load(str(site), environment={}))
    manifest = site / "_search/manifest.json"
    said = json.loads(manifest.read_bytes())
    manifest.write_text(json.dumps(said | {count: 77}))
    report = check(str(site))
    assert problems(report) == [("inconsistent", "_search/manifest.json")]
    assert f"says {77 if count == 'pages' else said['pages']} pages" in report.problems[0].message
    manifest.write_text(json.dumps({name: value for name, value in said.items() if name != count}))
    assert problems(check(str(site))) == [("format", "_search/manifest.json")]


def test_a_search_of_another_publication_is_a_warning(site: Path) -> None:
    """As it is while a build publishes. Clients open this one: what it names must be there."""
    manifest = site / "_search/manifest.json"
    said = json.loads(manifest.read_bytes())
    manifest.write_text(json.dumps(said | {"pages": 77}))
    report = check(str(site))
    assert report.ok
    assert warnings(report) == [("publication", "_search/manifest.json")]
    manifest.unlink()
    assert problems(check(str(site))) == [("missing", "_search/manifest.json")]


def test_a_manifest_of_a_later_format_is_no_fault(site: Path) -> None:
    manifest = site / "_search/manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_bytes()) | {"format": 2, "chunks": "many"}))
    assert check(str(site)).ok


def test_a_document_without_chunks_is_no_page(tmp_path: Path, library, write_tree, quick) -> None:
    root = write_tree(tmp_path / "docs", {**library, "empty.md": ""})
    build(load(str(root), environment={}))
    assert check(str(root)).ok


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"title: Install", b"title: Uninstall", "its title is 'Uninstall', in the index 'Install'"),
        (b"section_path: [Install", b"section_path: [Other", "its section path is"),
        (b"index: 0", b"index: 1", "its index is 1, in the index 0"),
        (b"tokens: ", b"tokens: x", "`tokens`"),
    ],
)
def test_front_matter_that_the_index_does_not_confirm_is_a_warning(
    site: Path, old: bytes, new: bytes, message: str
) -> None:
    (chunk,) = site.glob("guide/_chunks/install.*-0.md")
    data = chunk.read_bytes()
    assert old in data
    chunk.write_bytes(data.replace(old, new, 1))
    report = check(str(site))
    assert report.ok
    assert warnings(report) == [("front-matter", chunk.relative_to(site).as_posix())]
    assert message in report.warnings[0].message


def test_a_chunk_without_its_front_matter(site: Path) -> None:
    (chunk,) = site.glob("guide/_chunks/install.*-0.md")
    chunk.write_bytes(chunk.read_bytes().partition(b"\n---\n")[2])
    assert problems(check(str(site))) == [("format", chunk.relative_to(site).as_posix())]


@pytest.mark.slow
def test_titles_of_an_edited_specification_are_no_fault(tmp_path: Path, library, write_tree, quick) -> None:
    root = write_tree(tmp_path / "docs", library)
    settings = load(str(root), environment={})
    build(settings)
    spec = root / "guide/topic-spec.md"
    spec.write_text(spec.read_text().replace("| Part 3 |", "| The third part |"))
    index(settings)
    report = check(str(root))
    assert report.ok
    assert {kind for kind, _ in warnings(report)} == {"front-matter"}


@pytest.mark.parametrize(
    ("data", "page"),
    [
        (START_PAGE, True),
        (b"\xef\xbb\xbf\n<!-- made by hand --> <HTML lang=en>", True),
        (b"# Topic\n\n<html>\n", False),
        (b"<p>Inline", False),
        (b"<!-- a comment that never ends", False),
        (b"", False),
    ],
)
def test_what_is_a_web_page(data: bytes, page: bool) -> None:
    assert is_web_page(data) == page
