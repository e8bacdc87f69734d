"""Page URLs and heading ids against sites that the generators themselves built from the pages in `site/`.

`pages` is what every generator gets, `commonmark` what all get but MkDocs, whose Markdown is another one; each has its
settings and pages of its own in a folder of its name.
"""

from __future__ import annotations

import html
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from infograph.model import Site
from infograph.search.addresses.anchors import page_anchors
from infograph.search.addresses.page_urls import page_url
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode

pytestmark = pytest.mark.slow

SITE = Path(__file__).parent / "site"
Settings = Callable[[str], str]


@dataclass(frozen=True)
class Case:
    """One way to build the pages."""

    site: Site
    folder: str
    """Where the documents go."""
    built: str
    """Where the pages come to lie; the root of `home`."""
    home: str
    """URL of that."""
    settings: str = ""
    """The file with the generator's settings."""
    changed: Settings = str
    """Other settings than those of the file."""


MKDOCS = Case(Site("mkdocs", "https://example.org/docs/"), "docs", "site", "https://example.org/docs/", "mkdocs.yml")
DOCUSAURUS = Case(
    Site("docusaurus", "https://example.org/base/docs"),
    "docs",
    "build",
    "https://example.org/base/",
    "docusaurus.config.js",
)
HUGO = Case(Site("hugo", "https://example.org/base/"), "content", "public", "https://example.org/base/", "hugo.toml")
SPHINX = Case(Site("sphinx", "https://example.org/docs/"), ".", "_out", "https://example.org/docs/", "conf.py")
MDBOOK = Case(Site("mdbook", "https://example.org/book/"), "src", "book", "https://example.org/book/", "book.toml")


def toc(slugify: str) -> Settings:
    return lambda text: f"{text}  - toc:\n      slugify: {slugify}\n"


CASES = {
    "mkdocs": MKDOCS,
    "mkdocs-files": replace(
        MKDOCS,
        site=replace(MKDOCS.site, directory_urls=False, slugs="unicode"),
        changed=lambda text: toc("!!python/name:markdown.extensions.toc.slugify_unicode")(
            f"use_directory_urls: false\n{text}"
        ),
    ),
    "mkdocs-pymdownx": replace(
        MKDOCS,
        site=replace(MKDOCS.site, slugs="pymdownx"),
        changed=toc("!!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}"),
    ),
    "docusaurus": DOCUSAURUS,
    "docusaurus-files": replace(
        DOCUSAURUS,
        site=replace(DOCUSAURUS.site, trailing_slash=False),
        changed=lambda text: text.replace("trailingSlash: undefined", "trailingSlash: false"),
    ),
    "hugo": HUGO,
    "hugo-ugly": replace(
        HUGO,
        site=replace(HUGO.site, ugly_urls=True, slugs="blackfriday", smart_punctuation=False),
        changed=lambda text: (
            f"uglyURLs = true\n{text}\n[markup.goldmark.parser]\nautoHeadingIDType = 'blackfriday'\n"
            "[markup.goldmark.extensions.typographer]\ndisable = true\n"
        ),
    ),
    "hugo-upper": replace(
        HUGO,
        site=replace(HUGO.site, lower_paths=False, slugs="github-ascii"),
        changed=lambda text: (
            f"disablePathToLower = true\n{text}\n[markup.goldmark.parser]\nautoHeadingIDType = 'github-ascii'\n"
        ),
    ),
    "sphinx": SPHINX,
    "sphinx-folders": replace(SPHINX, site=replace(SPHINX.site, directory_urls=True)),
    "mdbook": MDBOOK,
}


# --- Building ---


def build(case: Case, name: str, root: Path) -> None:
    """Lays the pages out in `root` and has the generator build them; skips when it is not there."""
    shutil.copytree(SITE / case.site.generator, root, dirs_exist_ok=True, ignore=shutil.ignore_patterns("node_modules"))
    for pages in ("pages", "commonmark")[: 1 if case.site.generator == "mkdocs" else 2]:
        shutil.copytree(SITE / pages, root / case.folder, dirs_exist_ok=True)
    settings = root / case.settings
    settings.write_text(case.changed(settings.read_text(encoding="utf-8")), encoding="utf-8")
    COMMANDS[case.site.generator](root, name)


def run(root: Path, *command: str) -> None:
    environment = {**os.environ, "PYTHONPATH": "", "NO_COLOR": "1"}
    done = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, check=False, encoding="utf-8", timeout=900
    )
    assert done.returncode == 0, done.stdout + done.stderr


def module(root: Path, name: str, *arguments: str) -> None:
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"needs the Python package `{name}`: pip install -r tests/search/addresses/site/requirements.txt")
    run(root, sys.executable, "-m", name, *arguments)


def program(root: Path, name: str, *arguments: str) -> None:
    """A program of a Python package, which lies beside the interpreter."""
    found = shutil.which(name, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if found is None:
        pytest.skip(f"needs the program `{name}`: pip install -r tests/search/addresses/site/requirements.txt")
    run(root, found, *arguments)


def build_mdbook(root: Path, name: str) -> None:
    paths = sorted(path.relative_to(root / "src").as_posix() for path in (root / "src").rglob("*.md"))
    summary = "".join(f"- [Page](<{path}>)\n" for path in paths)
    (root / "src/SUMMARY.md").write_text(f"# Summary\n\n{summary}", encoding="utf-8")
    program(root, "mdbook", "build")
    (root / "src/SUMMARY.md").unlink()


def build_docusaurus(root: Path, name: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("needs npm")
    modules = root.parent / "node_modules"  # one for all builds: two hundred megabytes
    if not modules.is_dir():
        installed = SITE / "docusaurus/node_modules"
        if installed.is_dir():
            modules.symlink_to(installed)
        else:
            for file in ("package.json", "package-lock.json"):
                shutil.copy(root / file, root.parent)
            command = [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
            done = subprocess.run(command, cwd=root.parent, capture_output=True, check=False, encoding="utf-8")
            if done.returncode:
                shutil.rmtree(modules, ignore_errors=True)
                pytest.skip(f"npm cannot install Docusaurus: {done.stderr.strip().splitlines()[-1:]}")
    shutil.rmtree(modules / ".cache", ignore_errors=True)  # it holds pages of the site that was built before
    run(root, str(modules / ".bin/docusaurus"), "build")


COMMANDS: dict[str, Callable[[Path, str], None]] = {
    "mkdocs": lambda root, name: module(root, "mkdocs", "build", "--quiet"),
    "docusaurus": build_docusaurus,
    "hugo": lambda root, name: program(root, "hugo", "build", "--quiet"),
    "sphinx": lambda root, name: module(
        root, "sphinx", "-q", "-b", "dirhtml" if name == "sphinx-folders" else "html", ".", "_out"
    ),
    "mdbook": build_mdbook,
}


# --- Reading what was built ---

_HEADING = re.compile("h[1-6]")
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)


class Built(HTMLParser):
    """A page's own address and the ids of its headings, those around the page's text left out."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.canonical = ""
        self.headings: list[tuple[str, str]] = []
        """Id and visible text."""
        self._around: list[str] = []
        """Open elements, from the one that holds the page's text."""
        self._sections: list[str] = []
        self._open: tuple[str, str] | None = None
        self._text: list[str] = []
        self.feed(text)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._link(tag, dict(attrs))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self._link(tag, values)
        if tag in _VOID:
            return
        if self._around or tag in ("main", "article") or values.get("role") == "main":
            self._around.append(tag)
        if tag == "section":
            self._sections.append(values.get("id", ""))
        rubric = tag == "p" and "rubric" in values.get("class", "").split()  # Sphinx: a heading in a list or a quote
        if self._around and (_HEADING.fullmatch(tag) or rubric):
            within = self._sections[-1] if self._sections and not rubric else ""
            self._open = (tag, values.get("id") or within)
            self._text = []

    def handle_endtag(self, tag: str) -> None:
        while tag in self._around and self._around.pop() != tag:
            pass  # an element whose end may be left out
        if tag == "section":
            self._sections.pop()
        if self._open and tag == self._open[0]:
            id_ = self._open[1]
            if id_ != "footnote-label":  # what Docusaurus puts above the notes
                self.headings.append((id_, "".join(self._text)))
            self._open = None

    def handle_data(self, data: str) -> None:
        self._text.append(data)

    def _link(self, tag: str, values: dict[str, str | None]) -> None:
        if tag == "link" and values.get("rel") == "canonical":
            self.canonical = values.get("href") or ""


def place(root: Path, case: Case, url: str) -> Path:
    """The file that a static host sends for a URL."""
    assert url.startswith(case.home)
    path = root / case.built / unquote(url.removeprefix(case.home))
    files = [path / "index.html", path, path.with_name(path.name + ".html")]
    return next((file for file in files if file.is_file()), path)


def front_matter(prefix: str) -> dict[str, str]:
    return {name: value.strip("'\"") for name, value in re.findall(r"^(\w+)\s*[:=]\s*(.*)$", prefix, re.MULTILINE)}


def documents(root: Path, case: Case) -> Iterator[Path]:
    kept = (".md", ".mdx")
    out = (root / case.built, root / "node_modules")
    for path in sorted((root / case.folder).rglob("*")):
        if path.suffix in kept and not any(path.is_relative_to(folder) for folder in out):
            yield path


@pytest.mark.parametrize("name", CASES)
def test_a_built_site(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    case = CASES[name]
    root = tmp_path_factory.getbasetemp() / f"sites-{case.site.generator}" / name
    root.mkdir(parents=True)
    build(case, name, root)
    compare(case, root)


def compare(case: Case, root: Path) -> None:
    """Each document's page is where we say, and so is each of its headings."""
    wrong = []
    pages = []
    count = 0
    for path in documents(root, case):
        source = path.relative_to(root / case.folder).as_posix()
        document = decode(source, path.read_bytes())
        url = page_url(source, front_matter(document.prefix), case.site)
        file = place(root, case, url)
        if not file.is_file():
            wrong.append(f"{source}: there is no page at {url}")
            continue
        pages.append(file)
        built = Built(file.read_text(encoding="utf-8"))
        if built.canonical and unquote(html.unescape(built.canonical)) != unquote(url):
            wrong.append(f"{source}: {url} calls itself {built.canonical}")
        blocks, _ = parse_blocks(document)
        anchors = page_anchors(document.body, blocks, case.site)
        if case.site.generator == "docusaurus" and all(anchor.level > 1 for anchor in anchors):
            assert built.headings.pop(0)[0] == ""  # the front matter's title, shown where the text has none
        ids = [anchor.id for anchor in anchors]
        assert len(ids) == len(built.headings), f"{source}: {ids} beside {built.headings}"
        for ours, (theirs, text) in zip(ids, built.headings, strict=True):
            count += 1
            if ours != theirs:
                wrong.append(f"{source}: `{text}` has the id {theirs!r}, not {ours!r}")
    assert not wrong, "\n".join(wrong)
    assert len(set(pages)) == len(pages)
    assert count > 100
    print(f"{root.name}: {len(pages)} pages, {count} headings")


def test_every_generator_is_built() -> None:
    folders = {path.name for path in SITE.iterdir() if path.is_dir()}
    assert folders - {"pages", "commonmark"} == {case.site.generator for case in CASES.values()} == set(COMMANDS)
