"""The search box on sites that their generators build, in a browser: where it stands, and where its results lead.

SITE_SHOTS keeps the pictures.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from javascript import NODE

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SITES = Path(__file__).parent / "sites"
EXPLORER = ROOT / "tests/explorer"
DOCUSAURUS = ROOT / "tests/search/addresses/site/docusaurus"
GUIDE = (ROOT / "sample-docs/guide/search-box.md").read_text("utf-8")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PROGRAMS = {
    "vitepress": f"{NODE} node_modules/vitepress/bin/vitepress.js",
    "docusaurus": f"{NODE} node_modules/@docusaurus/core/bin/docusaurus.mjs",
    "astro": f"{NODE} node_modules/astro/astro.js",
}
"""What `npx` runs."""
QUERIES = [
    "embedding cache",
    "how do I search from Python",
    "stripe order",
    "publish on GitHub Pages",
    "keywords of a topic",
    "fusion",
    "incremental build",
    "configuration file",
    "similar chunks",
    "questions and answers",
    "infograph.toml",
    "near-duplicates",
]


@dataclass(frozen=True)
class Case:
    """A generator, what a project needs to be built by it, and where its pages come to lie."""

    commands: tuple[str, ...]
    """Run in the project, one after the other."""
    site: str
    """Folder of the rendered pages."""
    docs: str = "docs"
    """Folder of the documents."""
    mount: str = "/docs"
    """Path that the host puts the site under."""
    start: str = "docs/"
    tree: str = "docs/"
    """Path of the graph."""
    own: str = ""
    """Selector of the generator's own search."""
    files: dict[str, str] = field(default_factory=dict)
    modules: Path | None = None
    """Folder whose node_modules the project uses."""
    client: bool = False
    """Whether the project uses the npm package of infograph."""
    package: str = ""
    """Python package without which the generator is not there."""
    program: str = ""
    """Program without which the generator is not there."""
    titled: bool = False
    """Whether a page's title has to stand in its front matter."""
    menu: str = ""
    """Selector of what opens the part of the header that a telephone does not show."""
    leads: tuple[str, ...] = ()
    """How addresses begin that some result leads to."""
    expected: str = ""
    """Messages of the browser and addresses that are the generator's own."""


def mkdocs(theme: str) -> str:
    return (
        f"site_name: Pages\nsite_url: https://example.org/docs/\ntheme: {theme}\n"
        "plugins:\n  - search\n  - infograph:\n      model: static\n      search_box: true\n"
    )


def part(heading: str, below: str = "") -> str:
    """A section of the guide up to its first heading of level 3, or what stands below one of these."""
    section = GUIDE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return (section.partition(f"\n### {below}\n")[2] if below else section).partition("\n### ")[0]


def files(heading: str, below: str = "") -> dict[str, str]:
    """The files of a section of the guide, by path: a listing's first line says it."""
    section = part(heading, below)
    listings = re.findall(r"^```\w+\n(?://|#|<!--) (\S+?\.\w+)(?: -->)?\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert listings, heading
    return dict(listings)


def commands(heading: str, below: str = "") -> tuple[str, ...]:
    """What a section of the guide has one run, or one below it."""
    listing = re.findall(r"^```sh\n(.*?)^```$", part(heading, below), re.MULTILINE | re.DOTALL)[-1]
    lines = (line.removeprefix("bundle exec ") for line in listing.splitlines())
    return tuple(re.sub(r"^npx (\w+)", lambda found: PROGRAMS[found[1]], line) for line in lines)


SEVERAL = """export default {
  title: "Pages",
  url: "https://example.org",
  baseUrl: "/docs/",
  onBrokenLinks: "ignore",
  markdown: { format: "detect" },
  scripts: [{ src: "/docs/graph/infograph-search.js", type: "module" }],
  plugins: [
    ["@docusaurus/plugin-content-docs", { routeBasePath: "manual" }],
    ["@docusaurus/plugin-content-blog", { routeBasePath: "news", onUntruncatedBlogPosts: "ignore" }],
  ],
  themes: ["@docusaurus/theme-classic"],
};
"""

CASES = {
    "material": Case(
        (f"{sys.executable} -m mkdocs build --quiet",),
        "site",
        own="[data-md-component=search]",
        files={"mkdocs.yml": mkdocs("{name: material, font: false}")},
        package="material",
    ),
    "mkdocs": Case(
        (f"{sys.executable} -m mkdocs build --quiet",),
        "site",
        own="[data-bs-target='#mkdocs_search_modal']",
        menu="[data-bs-target='#navbar-collapse']",
        files={"mkdocs.yml": mkdocs("{name: mkdocs, highlightjs: false}")},
        package="mkdocs",
    ),
    "sphinx": Case(
        (f"{sys.executable} -m sphinx -q docs site",),
        "site",
        own="input[name=q]",
        files=files("Sphinx"),
        package="myst_parser",
    ),
    "vitepress": Case(
        commands("VitePress"),
        "docs/.vitepress/dist",
        own=".VPNavBarSearch *",
        files=files("VitePress"),
        modules=SITES / "vitepress",
    ),
    "docusaurus": Case(
        commands("Docusaurus"), "build", tree="docs/graph/", files=files("Docusaurus"), modules=DOCUSAURUS
    ),
    "docusaurus by a theme": Case(
        commands("Docusaurus", "As a theme"),
        "build",
        tree="docs/graph/",
        files=files("Docusaurus", "As a theme"),
        modules=DOCUSAURUS,
        client=True,
    ),
    "docusaurus of several folders": Case(
        commands("Docusaurus", "Several folders, one search"),
        "build",
        start="docs/manual/",
        tree="docs/graph/",
        files={
            **files("Docusaurus"),
            **files("Docusaurus", "Several folders, one search"),
            "docusaurus.config.js": SEVERAL,
            "versions.json": '["1.0"]',
            "versioned_docs/version-1.0/index.md": "# The first version\n\n## Embedding cache of old\n\nSmall.\n",
            "blog/2026-02-03-first-words.md": "# First words\n\n## An embedding cache\n\nNews of the cache.\n",
            "blog/second/index.md": "---\nslug: again\ndate: 2026-02-04\n---\n\n# Again\n\n## The cache again\n",
        },
        modules=DOCUSAURUS,
        leads=("/docs/manual/next/", "/docs/manual/#", "/docs/news/2026/02/03/first-words#", "/docs/news/again#"),
    ),
    "starlight": Case(
        commands("Starlight"),
        "dist",
        docs="src/content/docs",
        own="site-search",
        titled=True,
        files=files("Starlight")
        | {
            "public/favicon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
            "src/content.config.ts": "import { defineCollection } from 'astro:content';\n"
            "import { docsLoader } from '@astrojs/starlight/loaders';\n"
            "import { docsSchema } from '@astrojs/starlight/schema';\n"
            "export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };\n",
        },
        modules=SITES / "starlight",
    ),
    "mdbook": Case(commands("mdBook"), "book", own="#mdbook-search-toggle, #search-toggle", files=files("mdBook")),
    "jekyll": Case(
        commands("Jekyll"),
        "_site",
        docs="",
        titled=True,
        program="jekyll",
        files=files("Jekyll")
        | {
            "_config.yml": "title: Pages\nurl: https://example.org\nbaseurl: /docs\n"
            "defaults:\n  - scope: {path: ''}\n    values: {layout: default, render_with_liquid: false}\n",
            "_layouts/default.html": "<!doctype html>\n<html lang='en'><head><title>{{ page.title }}</title>"
            "<link rel='icon' href='data:,'></head><body>\n<header>{% include infograph-search.html %}</header>\n"
            "<main><h1>{{ page.title }}</h1>{{ content }}</main></body></html>\n",
        },
    ),
    "hugo": Case(
        commands("Hugo"),
        "public",
        docs="content",
        files=files("Hugo")
        | {
            "hugo.toml": "baseURL = 'https://example.org/docs/'\ntitle = 'Pages'\n"
            "disableKinds = ['taxonomy', 'term', 'RSS']\n",
            "layouts/all.html": "<!doctype html>\n<html lang='en'><head><title>{{ .Title }}</title>"
            "<link rel='icon' href='data:,'></head><body>\n"
            '<header>{{ partial "infograph-search.html" . }}</header>\n<main>{{ .Content }}</main></body></html>\n',
        },
    ),
}


@pytest.mark.skipif(NODE is None or CHROMIUM is None, reason="needs Node.js and Chromium")
@pytest.mark.skipif(not (EXPLORER / "node_modules").is_dir(), reason="needs npm ci --prefix tests/explorer")
@pytest.mark.parametrize("name", CASES)
def test_results_lead_to_the_headings_of_the_site(name: str, tmp_path: Path, write_tree: Callable[..., Path]) -> None:
    case = CASES[name]
    if case.package:
        pytest.importorskip(case.package, reason="pip install -r tests/search/addresses/site/requirements.txt")
    if case.program and shutil.which(case.program) is None:
        pytest.skip(f"{case.program} is not on the PATH")
    project = write_tree(tmp_path / "project", pages(case) | case.files)
    if case.modules is not None and not (case.modules / "node_modules").is_dir():
        pytest.skip(f"needs npm ci --prefix {case.modules.relative_to(ROOT).as_posix()}")
    install(case, project)
    for command in case.commands:
        run(command, project, tmp_path)
    # The project's own settings, where it has some, name its folders of documents, and not the rendered site's.
    (project / case.site / "infograph.toml").touch()
    run(f"infograph build {case.site} --out rendered --model static --strict", project, tmp_path)
    environment = {
        "SITE": str(project / case.site),
        "MOUNT": case.mount,
        "START": case.start,
        "TREE": case.tree,
        "OWN": case.own,
        "MENU": case.menu,
        "NAME": name,
        "QUERIES": json.dumps(QUERIES),
        "WORD": "embedding cache",
        "LEAST": "100",
        "EXPECTED": case.expected,
        "LEADS": json.dumps(case.leads),
        "SHOTS": os.environ.get("SITE_SHOTS", ""),
        "CHROMIUM": str(CHROMIUM),
    }
    done = subprocess.run(
        [str(NODE), "--test", "--test-reporter=tap", str(EXPLORER / "sites.test.mjs")],
        env=os.environ | environment,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    print(*re.findall(r"\S+: \d+ of \d+ results lead to their heading", done.stdout), sep="\n")


@pytest.mark.parametrize("name", CASES)
def test_a_strict_build_of_a_healthy_site_says_nothing(
    name: str, tmp_path: Path, write_tree: Callable[..., Path]
) -> None:
    case = CASES[name]
    project = write_tree(tmp_path / "project", pages(case) | case.files)
    own = [command for command in case.commands if command.startswith("infograph build ")]
    for command in own or [f"infograph build {case.docs} --out site --model static"]:
        run(f"{command} --strict", project, tmp_path)


def install(case: Case, project: Path) -> None:
    """Puts the packages of npm into a project that a case needs."""
    if case.modules is not None:
        shutil.copy(case.modules / "package.json", project)
        # Links where they can be had: Astro does not build with a folder that is a link itself.
        shutil.copytree(case.modules / "node_modules", project / "node_modules", symlinks=True, copy_function=_linked)
    if case.client:
        shutil.copytree(ROOT / "infograph/web", project / "node_modules/infograph")


def _linked(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # on another disk
        shutil.copy2(source, target)


def pages(case: Case) -> dict[str, str]:
    """The sample docs, as the generator wants them."""
    found = {}
    for path in sorted((ROOT / "sample-docs").rglob("*.md")):
        text = path.read_text("utf-8")
        if case.titled and not text.startswith("---\n"):
            found_title = re.search(r"^# (.*)$", text, re.MULTILINE)
            title = found_title[1] if found_title else path.stem
            text = f"---\ntitle: {json.dumps(title)}\n---\n{re.sub(r'^# .*$', '', text, count=1, flags=re.MULTILINE)}"
        found[f"{case.docs}/{path.relative_to(ROOT / 'sample-docs').as_posix()}".lstrip("/")] = text
    if case.docs == "content":  # Hugo's name for the page of a folder
        found = {re.sub(r"(^|/)index\.md$", r"\1_index.md", name): text for name, text in found.items()}
    if case.files.get("book.toml"):
        links = "".join(f"- [Page]({name.removeprefix('docs/')})\n" for name in found)
        found["docs/SUMMARY.md"] = f"# Summary\n\n{links}"
    return found


def run(command: str, project: Path, folder: Path) -> None:
    """Runs a command of a user who has installed infograph."""
    metadata = folder / "installed/infograph-0.dist-info"
    if not metadata.is_dir():
        metadata.mkdir(parents=True)
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: infograph\nVersion: 0\n")
        (metadata / "entry_points.txt").write_text(
            "[mkdocs.plugins]\ninfograph = infograph.integrations.mkdocs:InfographPlugin\n"
        )
        shim = folder / "bin/infograph"
        shim.parent.mkdir()
        shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m infograph "$@"\n')
        shim.chmod(0o755)
    environment = os.environ | {
        "PATH": os.pathsep.join([str(folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder / "installed")]),
        "CI": "1",
        "ASTRO_TELEMETRY_DISABLED": "1",
    }
    done = subprocess.run(
        [shutil.which(command.split()[0], path=environment["PATH"]) or "", *command.split()[1:]],
        cwd=project,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
