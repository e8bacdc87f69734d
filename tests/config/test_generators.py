"""The generator of a tree, found by its configuration, which is read and never run."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.client import Client
from infograph.config import load
from infograph.config.generators import MOST_BYTES, Found, find_generator
from infograph.errors import ConfigError
from infograph.model import Site

MKDOCS = """\
site_name: Pages
site_url: https://example.org/docs/
use_directory_urls: false
theme:
  name: material
  language: pt-BR
extra: !ENV [HOME, none]
markdown_extensions:
  - admonition
  - toc:
      slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}
plugins:
  - os: !!python/object/apply:os.system ["touch pwned"]
"""
DOCUSAURUS = """\
// @ts-check
const title = process.env.TITLE;
/** @type {import('@docusaurus/types').Config} */
export default {
  title: 'My Site', // title: "no"
  /* url: "https://old.example" */
  url: "https://example.org",
  baseUrl: '/base/',
  trailingSlash: true,
  i18n: { defaultLocale: 'fr', locales: ['fr'] },
  presets: [['classic', { docs: { path: 'pages', routeBasePath: '/' },
    blog: { path: 'blog', routeBasePath: 'news' } }]],
};
"""
VITEPRESS = """\
import { defineConfig } from 'vitepress'
export default defineConfig({ lang: 'de-DE', title: "Seiten", base: '/vp/', cleanUrls: true, srcDir: './src',
  sitemap: { hostname: 'https://example.org' } })
"""
ASTRO = """\
import starlight from '@astrojs/starlight';
export default defineConfig({ site: 'https://example.org', base: '/star',
  integrations: [starlight({ title: 'Stars', defaultLocale: 'ja' })] });
"""
HUGO = """\
baseURL = "https://example.org/h/"
languageCode = "en-us"
title = "Hugo's"
disablePathToLower = true
[markup.goldmark.extensions.typographer]
disable = true
"""
SPHINX = """\
import os
open("pwned", "w")
project = "Sphinx's"
html_title = f"{project} pages"
language = "nl"
html_baseurl = "https://example.org/s/"
extensions = ["myst_parser"]
"""
MDBOOK = """\
[book]
title = "A book"
language = "es"
[output.html]
site-url = "/book/"
"""
JEKYLL = """\
title: Jekyll's
url: https://example.org
baseurl: /j
lang: it
permalink: pretty
"""

SITES: dict[str, tuple[str, str, str, Site, str]] = {
    # Configuration, its text, the folder of the documents, what is found, the language.
    "mkdocs": (
        "mkdocs.yml",
        MKDOCS,
        "docs",
        Site("mkdocs", "https://example.org/docs/", name="Pages", directory_urls=False, slugs="pymdownx"),
        "pt",
    ),
    "docusaurus": (
        "docusaurus.config.ts",
        DOCUSAURUS,
        "pages",
        Site("docusaurus", "https://example.org/base/", name="My Site", trailing_slash=True),
        "fr",
    ),
    "vitepress": (
        "docs/.vitepress/config.mts",
        VITEPRESS,
        "docs/src",
        Site("vitepress", "https://example.org/vp/", name="Seiten", directory_urls=True),
        "de",
    ),
    "starlight": (
        "astro.config.mjs",
        ASTRO,
        "src/content/docs",
        Site("starlight", "https://example.org/star/", name="Stars"),
        "ja",
    ),
    "hugo": (
        "hugo.toml",
        HUGO,
        "content",
        Site(
            "hugo",
            "https://example.org/h/",
            home="https://example.org/h/",
            name="Hugo's",
            lower_paths=False,
            smart_punctuation=False,
        ),
        "en",
    ),
    "sphinx": ("docs/conf.py", SPHINX, "docs", Site("sphinx", "https://example.org/s/", name="Sphinx's"), "nl"),
    "mdbook": ("book.toml", MDBOOK, "src", Site("mdbook", "/book/", name="A book"), "es"),
    "jekyll": (
        "_config.yml",
        JEKYLL,
        ".",
        Site("jekyll", "https://example.org/j/", name="Jekyll's", directory_urls=True),
        "it",
    ),
}

Write = Callable[..., Path]


@pytest.fixture
def project(tmp_path: Path, write_tree: Write, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], Path]:
    """project(files): a repository with these files, in which the test works."""

    def make(files: dict[str, str]) -> Path:
        root = write_tree(tmp_path / "project", {".git/HEAD": "ref: refs/heads/main\n", **files})
        monkeypatch.chdir(root)
        return root

    return make


@pytest.mark.parametrize("name", SITES)
def test_each_generator_is_found_and_says_what_it_knows(name: str, project: Any) -> None:
    file, text, folder, site, language = SITES[name]
    root = project({file: text, f"{folder}/a.md": "# A\n"})
    settings = load(str(root / folder), environment={})
    assert settings.config.site == site
    assert settings.config.keywords.language == language
    assert settings.origins["site.generator"] == str(root / file)
    assert not list(root.rglob("pwned")), "nothing of a configuration is run"


def test_a_setting_that_is_given_wins(project: Any) -> None:
    root = project(
        {
            "mkdocs.yml": MKDOCS,
            "docs/a.md": "# A\n",
            "infograph.toml": "[site]\nurl = '/own/'\n[keywords]\nlanguage = 'en'\n",
        }
    )
    config = load(str(root / "docs"), environment={}).config
    assert (config.site.generator, config.site.url, config.keywords.language) == ("mkdocs", "/own/", "en")
    config = load(str(root / "docs"), flags={"site.generator": "html"}, environment={}).config
    assert config.site == Site("html", "/own/")


def test_an_address_without_a_generator_is_that_of_plain_pages_as_it_ever_was(project: Any) -> None:
    root = project({"docs/a.md": "# A\n"})
    config = load(str(root / "docs"), flags={"site.url": "/docs/"}, environment={}).config
    assert config.site == Site("html", "/docs/")
    assert load(str(root / "docs"), environment={}).config.site == Site("auto")


def test_a_folder_within_the_documents_has_its_part_of_the_address(project: Any) -> None:
    root = project({"mkdocs.yml": MKDOCS, "docs/a b/c.md": "# C\n", "other/d.md": "# D\n"})
    assert load(str(root / "docs/a b"), environment={}).config.site.url == "https://example.org/docs/a%20b/"
    for elsewhere in ("other", "."):
        assert find_generator((root / elsewhere).resolve()) is None, "it renders neither this folder nor all of it"


def test_what_lies_above_the_repository_is_not_looked_at(tmp_path: Path, write_tree: Write) -> None:
    files = {"mkdocs.yml": "site_name: A\ndocs_dir: sub/repository/docs\n", "sub/repository/docs/a.md": "# A\n"}
    root = write_tree(tmp_path / "outer", files) / "sub/repository/docs"
    assert find_generator(root) is None, "without a repository, only the folder above"
    (root.parent / ".git").mkdir()
    assert find_generator(root) is None
    (tmp_path / "outer/.git").mkdir()
    assert find_generator(root) is None, "the nearest repository is meant"
    (root.parent / ".git").rmdir()
    assert isinstance(find_generator(root), Found)


def test_without_a_repository_the_working_directory_is_the_last(
    tmp_path: Path, write_tree: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"astro.config.mjs": ASTRO, "src/content/docs/a.md": "# A\n"}
    root = write_tree(tmp_path / "project", files)
    monkeypatch.chdir(root / "src/content/docs")
    assert find_generator(root / "src/content/docs") is None
    monkeypatch.chdir(root)
    assert isinstance(find_generator(root / "src/content/docs"), Found)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("mkdocs.yml", "nav: []\n"),
        ("mkdocs.yml", "site_name: [\n"),
        ("mkdocs.yml", "a: &a [x]\nsite_name: {*a: *b}\n"),
        ("conf.py", "PORT = 80\n"),
        ("conf.py", "project = (\n"),
        ("conf.py", "-" * 200_000 + "1\n"),
        ("config.toml", "title = 'of something else'\n"),
        ("book.toml", "[book\n"),
        ("astro.config.mjs", "export default {}\n"),
        ("_config.yml", "permalink: /:title/\n"),
        ("mkdocs.yml", "site_name: A\n" + "#" * MOST_BYTES),
        ("docs/conf.py", "project = 'A'\n\0"),
    ],
)
def test_what_is_no_configuration_or_cannot_be_read_is_none(file: str, text: str, project: Any) -> None:
    root = project({file: text, "docs/a.md": "# A\n"})
    assert find_generator(root / "docs") is None


def test_bytes_that_are_no_text(project: Any) -> None:
    root = project({"docs/a.md": "# A\n"})
    (root / "mkdocs.yml").write_bytes(b"site_name: \xff\n")
    assert find_generator(root / "docs") is None


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "//evil.example/",
        "https://user:secret@example.org/",
        "https://example.org/?a=b",
        "docs",
        "https://[",
    ],
)
def test_an_address_that_could_not_be_published_is_left_out(url: str, project: Any) -> None:
    root = project({"mkdocs.yml": f"site_name: A\nsite_url: '{url}'\n", "docs/a.md": "# A\n"})
    assert load(str(root / "docs"), environment={}).config.site == Site("mkdocs", name="A", directory_urls=True)


SEVERAL = """export default {
  title: "Whole", url: "https://example.org", baseUrl: "/base/", trailingSlash: false,
  presets: [["classic", { docs: { routeBasePath: "manual" }, blog: { routeBasePath: "news" } }]],
};
"""


def test_a_site_of_documents_versions_and_a_blog(project: Any) -> None:
    files = {"docusaurus.config.js": SEVERAL, "docs/a.md": "# A\n", "versions.json": '["2.0", "1.0"]'}
    files |= {f"versioned_docs/version-{name}/a.md": "# A\n" for name in ("1.0", "2.0")}
    root = project(files | {"blog/2026-01-02-b.md": "# B\n", "README.md": "# Read me\n"})
    config = load(str(root), environment={}).config
    assert config.site.url == "https://example.org/base/"
    assert dict(config.site.roots) == {
        "docs": "manual/next",
        "versioned_docs/version-2.0": "manual",
        "versioned_docs/version-1.0": "manual/1.0",
        "blog": "news",
    }
    assert config.site.blogs == ("blog",)
    assert load(str(root / "docs"), environment={}).config.site.url == "https://example.org/base/manual/next"


@pytest.mark.parametrize(
    ("blog", "last", "roots"),
    [
        ("blog: false", "", {"docs": "docs/next", "versioned_docs/version-1": "docs"}),
        ("blog: false", 'lastVersion: "current",', {"docs": "docs", "versioned_docs/version-1": "docs/1"}),
        ('blog: { path: "./posts" }', "", {"docs": "docs/next", "versioned_docs/version-1": "docs", "posts": "blog"}),
    ],
)
def test_what_a_configuration_says_of_roots(project: Any, blog: str, last: str, roots: dict[str, str]) -> None:
    text = f'export default {{ url: "https://a.b", presets: [["classic", {{ docs: {{ {last} }}, {blog} }}]] }};'
    root = project(
        {"docusaurus.config.js": text, "docs/a.md": "# A\n", "versions.json": '["1"]', "posts/b.md": "# B\n"}
    )
    assert dict(load(str(root), environment={}).config.site.roots) == roots


def test_one_folder_of_documents_is_no_site_of_several(project: Any) -> None:
    root = project({"docusaurus.config.js": 'export default { url: "https://a.b" };', "docs/a.md": "# A\n"})
    assert find_generator(root) is None


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ('"/docs/" = "x"', "`/docs/` is no folder of the sources"),
        ('"../docs" = "x"', "`../docs` is no folder of the sources"),
        ("docs = 3", "the address of `docs` must be a text, not 3"),
        ('docs = "//evil.example/"', "`site.roots` must be a path that begins with / or an http"),
        ('docs = "https://["', "`site.roots` must be a path that begins with / or an http"),
        ('docs = "http://%zz/"', "`site.roots` must be a path that begins with / or an http"),
        ('docs = "https://example.org:port/"', "`site.roots` must be a path that begins with / or an http"),
        ('docs = "https://user:secret@example.org/"', "`site.roots` holds a user's name"),
    ],
)
def test_wrong_roots_are_named(project: Any, rows: str, said: str) -> None:
    root = project({"docs/a.md": "# A\n", "infograph.toml": f"[site.roots]\n{rows}\n"})
    with pytest.raises(ConfigError) as caught:
        load(str(root / "docs"), environment={})
    assert said in str(caught.value)


def test_code_with_comments_that_never_end_is_read_in_no_time(project: Any) -> None:
    text = "title: 'A'\n" + "/*" * 200_000 + "\n" + "'" * 100_000 + "`" * 100_000
    root = project({"docusaurus.config.js": text, "docs/a.md": "# A\n"})
    found = find_generator(root / "docs")
    assert found is not None and found.name == "A"


def test_results_lead_to_pages_that_are_there_or_to_chunks(project: Any, quick: Any) -> None:
    root = project({"docs/a.md": "# A\n\n## Tortoise\n\nA tortoise walks.\n", "docs/b.md": "# B\n\nAnother page.\n"})

    def built(out: str) -> Any:
        build(load(str(root / "docs"), flags={"out": out}, environment={}))
        with Client(str(root / out)) as client:
            return client.search("tortoise").hits[0]

    hit = built("first")
    assert (hit.page_url, hit.url) == ("", "") and re.fullmatch(r"_chunks/a\.[0-9a-f]{10}-0\.md", hit.href)
    (root / "mkdocs.yml").write_text("site_name: A\nsite_url: https://example.org/\n")
    assert built("second").url.startswith("https://example.org/a/")
