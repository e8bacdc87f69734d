"""Links from the pages of a site of Docusaurus to their Markdown: by itself, and in a site that Docusaurus builds."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from javascript import NODE, needs_node, node_command

from infograph.build import build
from infograph.config import load
from infograph.formats.hrefs import encode_path
from infograph.formats.names import page_path

ROOT = Path(__file__).parents[2]
THEME = ROOT / "infograph/web/docusaurus/index.js"
MODULES = ROOT / "tests/search/addresses/site/docusaurus/node_modules"
pytestmark = needs_node

PAGE = "<!doctype html><html><head><title>A</title></head><body></body></html>"
ODD = "a & b's (1)!/ü.mdx"


def post_build(site: dict[str, Any], options: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    """Runs what the theme does when Docusaurus has built a site."""
    script = """
    const { default: theme } = await import(process.argv[1]);
    const [site, options] = JSON.parse(process.argv[2]);
    await theme({ siteConfig: { baseUrl: site.baseUrl } }, options).postBuild(site);
    """
    given = json.dumps([site, options])
    return subprocess.run(node_command(script, THEME, given), capture_output=True, text=True, check=False)


def site_of(folder: Path, docs: dict[str, str], blog: dict[str, str] | None = None) -> dict[str, Any]:
    """What Docusaurus hands over: addresses of pages by the path of their document below the site's folder."""

    def listed(pages: dict[str, str]) -> list[dict[str, str]]:
        return [{"source": f"@site/{path}", "permalink": permalink} for path, permalink in pages.items()]

    plugins = [
        {"name": "docusaurus-plugin-content-docs", "content": {"loadedVersions": [{"docs": listed(docs)}]}},
        {
            "name": "docusaurus-plugin-content-blog",
            "content": {"blogPosts": [{"metadata": own} for own in listed(blog or {})]},
        },
        {"name": "docusaurus-plugin-content-pages"},
    ]
    return {"outDir": str(folder), "baseUrl": "/base/", "plugins": plugins}


def link(href: str) -> str:
    return f'<link rel="alternate" type="text/markdown" href="{href}">'


def test_pages_lead_to_the_markdown_that_there_is(tmp_path: Path, write_tree: Callable[..., Path]) -> None:
    other = PAGE.replace("</head>", "<link rel=alternate type=text/markdown href=x.md></head>")
    write_tree(
        tmp_path,
        {
            "index.html": PAGE,
            "guide/one/index.html": PAGE,
            "two.html": PAGE,
            "three.html": PAGE,
            "linked.html": other,
            "ü.html": PAGE,
            "graph/_pages/index.md": "",
            "graph/_pages/guide/one.md": "",
            "graph/_pages/two.md": "",
            "graph/_pages/linked.md": "",
            "graph/_pages/gone.md": "",
            "other.html": PAGE,
            f"graph/{page_path('other.mdx.page.md')}": "",
            f"graph/{page_path(ODD)}": "",
        },
    )
    docs = {
        "docs/index.md": "/base/",
        "docs/guide/one.md": "/base/guide/one/",
        "docs/two.md": "/base/two",
        "docs/three.md": "/base/three",
        "docs/linked.md": "/base/linked",
        "docs/gone.md": "/base/gone",
        "docs/other.mdx.page.md": "/base/other",
        f"docs/{ODD}": "/base/%C3%BC",
        "i18n/de/docs/two.md": "/base/three",
    }
    for _ in range(2):
        done = post_build(site_of(tmp_path, docs), {})
        assert (done.returncode, done.stderr) == (0, "")
    expected = {
        "index.html": "/base/graph/_pages/index.md",
        "guide/one/index.html": "/base/graph/_pages/guide/one.md",
        "two.html": "/base/graph/_pages/two.md",
        "other.html": f"/base/graph/{page_path('other.mdx.page.md')}",
        "ü.html": f"/base/graph/{encode_path(page_path(ODD))}",
    }
    for page, href in expected.items():
        assert (tmp_path / page).read_text("utf-8") == PAGE.replace("</head>", f"{link(href)}</head>")
    assert (tmp_path / "three.html").read_text() == PAGE, "the graph has no Markdown of it"
    assert (tmp_path / "linked.html").read_text() == other


@pytest.mark.parametrize(
    ("options", "href"),
    [
        ({}, None),
        ({"pages": True}, "/base/graph/_pages/two.md"),
        ({"pages": True, "root": "https://cdn.example.org/g/"}, "https://cdn.example.org/g/_pages/two.md"),
        ({"pages": True, "root": "/other/"}, "/other/_pages/two.md"),
        ({"pages": True, "docs": "."}, "/base/graph/_pages/docs/two.md"),
        ({"pages": True, "docs": "./docs/"}, "/base/graph/_pages/two.md"),
        ({"pages": True, "docs": "doc"}, None),
    ],
)
def test_a_graph_that_is_built_after_the_site(tmp_path: Path, options: dict[str, Any], href: str | None) -> None:
    (tmp_path / "two.html").write_text(PAGE)
    (tmp_path / "post.html").write_text(PAGE)
    done = post_build(site_of(tmp_path, {"docs/two.md": "/base/two"}, {"blog/post.md": "/base/post"}), options)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "two.html").read_text() == PAGE.replace("</head>", f"{link(href) if href else ''}</head>")
    assert ("_pages/blog/post.md" in (tmp_path / "post.html").read_text()) == (options.get("docs") == ".")


@pytest.mark.parametrize(
    ("options", "said"),
    [({"docs": 1}, "docs: has to be a folder"), ({"pages": "yes"}, "pages: has to be true or false")],
)
def test_other_values_are_an_error(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    done = post_build(site_of(tmp_path, {}), options)
    assert done.returncode != 0 and said in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not MODULES.is_dir(), reason="needs npm ci --prefix tests/search/addresses/site/docusaurus")
@pytest.mark.parametrize(("out", "options"), [("static/graph", "{}"), ("build/graph", "{ pages: true }")])
def test_in_a_site_that_docusaurus_builds(
    tmp_path: Path, write_tree: Callable[..., Path], out: str, options: str
) -> None:
    """Where the graph is written before the site, and where it is written after it."""
    config = f"""export default {{
      title: "Pages", url: "https://example.org", baseUrl: "/base/",
      onBrokenLinks: "ignore", markdown: {{ format: "detect" }},
      plugins: [["@docusaurus/plugin-content-docs", {{ routeBasePath: "docs", sidebarPath: false }}]],
      themes: ["@docusaurus/theme-classic", ["infograph/docusaurus", {options}]],
    }};
    """
    project = write_tree(
        tmp_path / "project",
        {
            "docusaurus.config.js": config,
            "package.json": '{"private": true}',
            "docs/intro.md": "---\nslug: first\n---\n\n# First\n\nText.\n",
            "docs/guide/cache.mdx": "# Cache\n\nClear it.\n",
        },
    )
    shutil.copytree(MODULES, project / "node_modules", symlinks=True, copy_function=os.link)
    shutil.copytree(ROOT / "infograph/web", project / "node_modules/infograph")

    def built() -> None:
        settings = {"out": str(project / out), "model": "static", "index.pages": True}
        build(load(str(project / "docs"), flags=settings, environment={}))

    if out.startswith("static"):
        built()
    command = [str(NODE), "node_modules/@docusaurus/core/bin/docusaurus.mjs", "build"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    if not out.startswith("static"):
        built()
    for page, document in {"docs/first": "intro.md", "docs/guide/cache": "guide/cache.mdx"}.items():
        html = (project / "build" / page / "index.html").read_text("utf-8")
        assert html.partition("</head>")[0].endswith(link(f"/base/graph/{page_path(document)}"))
        assert (project / "build/graph" / page_path(document)).is_file()
