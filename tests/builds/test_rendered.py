"""Builds of rendered sites: pages become documents, links lead to them, incremental builds equal clean ones."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from infograph.build import Summary, build
from infograph.client import Client
from infograph.commands.check.crawl import check
from infograph.config import load
from infograph.errors import ConfigError
from infograph.formats import chunk_file
from infograph.source.conversion import page as page_module

PAGE = (
    "<!doctype html><html lang=en><head><title>{title} | Site</title>{head}</head><body><nav>menu</nav>"
    "<main><h1 id=top>{title}</h1>{content}</main></body></html>"
)


def page(title: str, content: str = "<p>Text.</p>", head: str = "") -> str:
    return PAGE.format(title=title, content=content, head=head)


SITE = {
    "index.html": page("Home", '<p>Where <a href="guide/setup/">it begins</a>.</p>'),
    "guide/index.html": page("Guide", "<p>All about caching.</p>"),
    "guide/setup/index.html": page("Setup", '<h2 id="needs">What it needs</h2><p>A compiler and patience.</p>'),
    "guide/tuning.html": page("Tuning", '<h2 id="warm">Warm entries</h2><p>Keep them in memory.</p>'),
    "404.html": page("Not found"),
    "old/index.html": page("Moved", head='<meta http-equiv="refresh" content="0; url=/guide/">'),
    "secret.html": page("Secret", head='<meta name="robots" content="noindex">'),
    "style.css": "main { color: red }",
}
DOCUMENTS = {"guide/index.html", "guide/setup/index.html", "guide/tuning.html", "index.html"}


def made(root: Path, settings: str = "") -> Summary:
    (root.parent / "infograph.toml").write_text(settings)
    return build(load(str(root), environment={}))


def chunks(root: Path) -> dict[str, list[str]]:
    """Names of chunk files by document."""
    found: dict[str, list[str]] = {}
    for path in sorted(root.rglob("_chunks/*-*.md")):
        relative = path.relative_to(root).as_posix()
        found.setdefault(chunk_file.parse(relative, path.read_bytes()).chunk.document, []).append(relative)
    return found


def sources(root: Path) -> dict[str, str]:
    pages = (path for path in root.rglob("*.html") if path.name != "explorer.html")
    return {path.relative_to(root).as_posix(): path.read_text() for path in pages}


def test_pages_are_documents_of_the_folder_above(tmp_path: Path, write_tree, quick) -> None:
    root = write_tree(tmp_path / "public", SITE)
    summary = made(root)
    assert not summary.errors
    assert summary.documents == 4
    assert chunks(root) == {
        "guide/index.html": ["_chunks/guide-0.md"],
        "guide/setup/index.html": ["guide/_chunks/setup-0.md"],
        "guide/tuning.html": ["guide/_chunks/tuning.html-0.md"],
        "index.html": ["_chunks/index-0.md"],
    }
    assert check(str(root)).problems == check(str(root)).warnings == ()
    assert sorted((n.path, n.message.partition(" ")[0]) for n in summary.notices if n.kind == "left-out") == [
        ("404.html", "is"),
        ("old/index.html", "leads"),
        ("secret.html", "asks"),
    ]
    assert not summary.failed(strict=True)


def test_chunks_tile_the_markdown_beside_them(tmp_path: Path, write_tree, quick) -> None:
    paragraphs = "".join(f"<h2 id=s{n}>Part {n}</h2><p>{'Long text of this part. ' * 60}</p>" for n in range(5))
    root = write_tree(tmp_path / "public", {"guide/long/index.html": page("Long", paragraphs)})
    made(root)
    whole = (root / "guide/_chunks/long.converted.md").read_bytes()
    assert whole.startswith(b'---\ntitle: ""\nsource: "long/index.html"\nconverter: "html ')
    text = b""
    for name in sorted(chunks(root)["guide/long/index.html"]):
        read = chunk_file.parse(name, (root / name).read_bytes())
        assert read.converted == "long.converted.md"
        first, last = read.chunk.bytes
        assert whole[first:last] == read.chunk.text.encode()
        lines = whole.decode().split("\n")[read.chunk.lines[0] - 1 : read.chunk.lines[1]]
        assert "\n".join(lines).strip() == read.chunk.text.strip()
        text += whole[first:last]
    assert whole.endswith(text)
    assert text.startswith(b"# Long\n")
    assert check(str(root)).problems == ()


@pytest.mark.slow
def test_the_check_compares_chunks_with_it(tmp_path: Path, write_tree, quick) -> None:
    root = write_tree(tmp_path / "public", SITE)
    made(root)
    place = root / "guide/_chunks/setup.converted.md"
    for change, kind in (
        (lambda data: data.replace(b"compiler", b"computer"), "tiling"),
        (lambda data: data + b"\nmore\n", "tiling"),
        (lambda data: b"# Setup\n", "format"),
    ):
        data = place.read_bytes()
        place.write_bytes(change(data))
        assert [(problem.kind, problem.url) for problem in check(str(root)).problems] == [
            (kind, "guide/_chunks/setup.converted.md")
        ]
        place.write_bytes(data)
    place.unlink()
    assert [problem.kind for problem in check(str(root)).problems] == ["missing"]
    made(root)
    assert check(str(root)).problems == ()


@pytest.mark.parametrize(
    ("settings", "url"),
    [
        ("", "guide/setup/"),
        ('[site]\nurl = "https://x.org/docs/"\n', "https://x.org/docs/guide/setup/"),
        ('[site]\ngenerator = "mkdocs"\n', "guide/setup/"),
    ],
)
def test_results_lead_to_the_page_and_its_heading(settings: str, url: str, tmp_path: Path, write_tree, quick) -> None:
    root = write_tree(tmp_path / "public", SITE)
    made(root, settings)
    with Client(str(root)) as client:
        hit = client.search("a compiler and patience").hits[0]
    assert (hit.page, hit.page_url, hit.anchor) == ("guide/setup/index.html", url, "top")


def test_incremental_builds_equal_clean_ones(tmp_path: Path, write_tree, snapshot, quick) -> None:
    root = write_tree(tmp_path / "public", SITE)
    made(root)
    (root / "guide/tuning.html").write_text(page("Tuning", "<p>Cold entries.</p>"))
    (root / "guide/setup/index.html").unlink()
    (root / "secret.html").write_text(page("Secret", "<p>No more.</p>"))
    (root / "index.html").write_text(page("Home", head='<meta name="robots" content="noindex">'))
    (root / "guide/new.html").write_text(page("New"))
    made(root)
    assert (root / "_chunks/secret.html.converted.md").is_file()
    assert not (root / "_chunks/index.converted.md").exists()
    assert not (root / "guide/_chunks/setup.converted.md").exists()
    (root / "guide/new.html").write_text(page("New", "<p>Its topic is made again, with a page left out.</p>"))
    made(root)
    clean = write_tree(tmp_path / "clean/public", sources(root) | {"style.css": SITE["style.css"]})
    made(clean)
    assert _published(snapshot(root)) == _published(snapshot(clean))
    assert made(root).written == 0


def _published(files: dict[str, bytes]) -> dict[str, bytes]:
    # Shards that earlier builds dropped are published for a while yet.
    return {name: data for name, data in files.items() if not name.startswith((".", "_search/"))}


def test_other_packages_convert_anew(tmp_path: Path, write_tree, quick, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write_tree(tmp_path / "public", SITE)
    made(root)
    calls: list[str] = []
    convert = page_module.convert_page
    monkeypatch.setattr(page_module, "convert_page", lambda path, *rest: (calls.append(path), convert(path, *rest))[1])
    assert made(root).written == 0
    (tmp_path / ".embedding-cache").rename(tmp_path / "gone")
    calls.clear()  # pages that are left out are read again while they are new
    monkeypatch.setattr("infograph.build.converting", lambda documents: {"selectolax": "other"})
    made(root)
    assert len(calls) == 7


def test_markdown_is_the_default(tmp_path: Path, write_tree, quick) -> None:
    files = SITE | {"readme.md": "# Read me\n", "guide/more.md": "# More\n", "x.rst": "x\n"}
    root = write_tree(tmp_path / "public", files)
    summary = made(root)
    assert chunks(root).keys() == {"readme.md", "guide/more.md"}
    (notice,) = (notice for notice in summary.notices if notice.kind == "not-read")
    assert notice.message.startswith("7 .html, 1 .rst. the tree holds Markdown, so its 2 pages were taken")
    assert '`source.pages = "html"` takes those instead' in notice.message
    assert not summary.failed(strict=True)
    summary = made(root, '[source]\npages = "html"\n')
    assert chunks(root).keys() == DOCUMENTS
    assert any("2 .md" in notice.message for notice in summary.notices if notice.kind == "not-read")
    made(root, '[source]\ninclude = ["*.md", "guide/**/*.html"]\n')
    assert chunks(root).keys() >= {"guide/tuning.html", "guide/more.md"}
    assert "index.html" not in chunks(root)
    made(root, '[source]\npages = "markdown"\n')
    assert chunks(root).keys() == {"readme.md", "guide/more.md"}


def test_patterns_for_what_nothing_reads(tmp_path: Path, write_tree, quick) -> None:
    root = write_tree(tmp_path / "public", SITE)
    with pytest.raises(ConfigError, match=r"`\*\*/\*\.xyz`: files that end in `\.xyz` cannot be read"):
        made(root, '[source]\ninclude = ["**/*.xyz"]\n')
    with pytest.raises(ConfigError, match=r"source\.pages. must be auto, markdown or html"):
        made(root, '[source]\npages = "htm"\n')


def test_a_missing_package_names_the_extra(tmp_path: Path, write_tree, quick, monkeypatch) -> None:
    root = write_tree(tmp_path / "public", SITE)
    monkeypatch.delitem(sys.modules, "infograph.source.conversion.page", raising=False)
    monkeypatch.setitem(sys.modules, "selectolax", None)
    monkeypatch.setitem(sys.modules, "selectolax.lexbor", None)
    with pytest.raises(ConfigError, match=r"needs html-to-markdown and selectolax .*pip install 'infograph\[html\]'"):
        made(root)


def test_outputs_elsewhere(tmp_path: Path, write_tree, quick) -> None:
    root = write_tree(tmp_path / "public", SITE)
    summary = made(root, f'out = "{tmp_path}/graph"\n')
    assert not summary.errors
    assert list(tmp_path.glob("graph/guide/_chunks/setup.*.converted.md"))
    assert not (root / "_chunks").exists()
    assert check(str(tmp_path / "graph")).problems == ()


def test_pages_above_the_limit_are_named(tmp_path: Path, write_tree, quick) -> None:
    root = write_tree(tmp_path / "public", SITE | {"large.html": page("Large", "<p>x</p>" * 20_000)})
    summary = made(root, "[limits]\nbytes = 100_000\n")
    assert [(error.place, "more than 100000" in error.reason) for error in summary.errors] == [("large.html", True)]
    assert summary.documents == 4


def test_pages_in_another_language_are_named(tmp_path: Path, write_tree, quick) -> None:
    files = SITE | {"de.html": page("Hilfe").replace("lang=en", "lang=de-AT"), "en.html": page("Help")}
    summary = made(write_tree(tmp_path / "public", files))
    assert [(n.path, "`de-AT`" in n.message) for n in summary.notices if n.kind == "other-language"] == [
        ("de.html", True)
    ]


def test_conversions_are_cached(tmp_path: Path, write_tree, quick, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write_tree(tmp_path / "public", SITE)
    made(root)
    kept = sorted((tmp_path / ".embedding-cache/conversions").rglob("*.json"))
    assert len(kept) == 7
    kept[0].write_bytes(b"torn")
    calls: list[str] = []
    convert = page_module.convert_page
    monkeypatch.setattr(page_module, "convert_page", lambda path, *rest: (calls.append(path), convert(path, *rest))[1])
    moved = {f"moved/{path}": text for path, text in sources(root).items()}
    made(write_tree(tmp_path / "again/public", moved), f'cache = "{tmp_path}/.embedding-cache"\n')
    assert len(calls) == 1


def test_files_of_other_kinds(tmp_path: Path, write_tree, quick) -> None:
    files = {
        "a.md": "# Markdown\n",
        "a.rst": "Rest\n====\n\nWords of *rest*.\n",
        "a.ipynb": '{"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": '
        '[{"cell_type": "markdown", "metadata": {}, "source": "# Notebook"}]}',
        "a.org": "# Org\n",
        "b.org": "fails",
    }
    root = write_tree(tmp_path / "docs", files)
    program = tmp_path / "convert.py"
    program.write_text("import sys\ntext = sys.stdin.read()\nprint(text)\nsys.exit(int(text == 'fails'))\n")
    command = f'convert = {{ ".org" = "{sys.executable} {program}" }}\n'
    summary = made(root, f'[source]\ninclude = ["*.md", "*.rst", "*.ipynb", "*.org"]\n{command}')
    assert chunks(root).keys() == {"a.md", "a.rst", "a.ipynb", "a.org"}
    assert [error.place for error in summary.errors] == ["b.org"]
    assert "ended with status 1" in summary.errors[0].reason
    assert (root / "_chunks/a.org.converted.md").read_text().endswith("---\n# Org\n\n")
    assert b"\nfirst_cell: 1\n" in (root / "_chunks/a.ipynb-0.md").read_bytes()
    assert check(str(root)).problems == ()
    summary = made(root)
    assert chunks(root).keys() == {"a.md"}
    (notice,) = summary.notices
    assert notice.message.startswith("1 .ipynb, 1 .rst, 2 .org") or ".rst" in notice.message
    with pytest.raises(ConfigError, match=r"`\.md` is no suffix of files that must be converted"):
        made(root, '[source]\nconvert = { ".md" = "cat" }\n')


def test_a_page_of_100_mb_is_named_and_costs_no_other(tmp_path: Path, write_tree, quick) -> None:
    site = write_tree(tmp_path / "site", SITE)
    with (site / "huge.html").open("wb") as file:
        file.write(page("Huge").encode())
        file.truncate(100_000_000)
    summary = made(site)
    (error,) = summary.errors
    assert str(error).startswith("huge.html: 100000000 bytes, more than 5000000. Raise `limits.bytes`")
    assert chunks(site).keys() == DOCUMENTS
