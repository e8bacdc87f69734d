"""The post-steps of publishing/generators.md, run as they are written there by the generators themselves."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

import pytest

from infograph.commands.check.crawl import check

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "sample-docs/publishing/generators.md").read_text("utf-8")
PAGES = {
    "index.md": "# Home\n\nWhere to begin: [Steps](guide/steps.md).\n",
    "guide/index.md": "# Guide\n\nWhat there is.\n",
    "guide/steps.md": "# First steps\n\n## The very first\n\nWalk.\n",
}


@dataclass(frozen=True)
class Case:
    """A generator and what a project needs to be built by it."""

    heading: str
    folder: str
    """Of the documents."""
    site: str
    """Where the rendered pages come to lie."""
    files: dict[str, str] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    """Documents that the generator wants under another name."""


CASES = {
    "mkdocs": Case("MkDocs", "docs", "site", {"mkdocs.yml": "site_name: Pages\n"}),
    "zensical": Case("Zensical", "docs", "site", {"mkdocs.yml": "site_name: Pages\n"}),
    "hugo": Case(
        "Hugo",
        "content",
        "public",
        {
            "hugo.toml": "disableKinds = ['taxonomy', 'term', 'RSS']\n",
            "layouts/all.html": "<!doctype html>\n<title>{{ .Title }}</title>\n{{ .Content }}\n",
        },
        {"index.md": "_index.md", "guide/index.md": "guide/_index.md"},
    ),
    "sphinx-build": Case(
        "Sphinx",
        "docs",
        "docs/_build/html",
        {"docs/conf.py": "extensions = ['myst_parser']\nexclude_patterns = ['_build']\nhtml_theme = 'basic'\n"},
    ),
    "mdbook": Case(
        "mdBook",
        "src",
        "book",
        {
            "book.toml": "",
            "src/SUMMARY.md": "# Summary\n\n- [Home](index.md)\n- [Guide](guide/index.md)\n"
            "- [First steps](guide/steps.md)\n",
        },
    ),
}


def fences(heading: str, language: str) -> list[str]:
    text = GUIDE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("program", CASES)
@pytest.mark.skipif(os.name == "nt" or shutil.which("bash") is None, reason="needs bash")
def test_results_lead_to_rendered_pages(program: str, tmp_path: Path, write_tree: Callable[..., Path]) -> None:
    case = CASES[program]
    beside = Path(sys.executable).parent
    path = f"{beside}{os.pathsep}{os.environ['PATH']}"
    if shutil.which(program, path=path) is None:
        pytest.skip(f"needs {program}: pip install -r tests/search/addresses/site/requirements.txt")
    commands = next(code for code in fences(case.heading, "sh") if "infograph build" in code)
    (settings,) = fences(case.heading, "toml")[:1]
    pages = {f"{case.folder}/{case.renamed.get(name, name)}": text for name, text in PAGES.items()}
    project = write_tree(tmp_path / "project", pages | case.files | {"infograph.toml": settings})
    shims = write_tree(
        tmp_path / "bin", {"infograph": f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m infograph "$@"\n'}
    )
    (shims / "infograph").chmod(0o755)
    environment = os.environ | {"PATH": f"{shims}{os.pathsep}{path}", "INFOGRAPH_MODEL": "static"}
    for _ in range(2):  # the second time, what the first one left is there
        result = subprocess.run(
            ["bash", "-e", "-c", commands], cwd=project, env=environment, capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, result.stdout + result.stderr
        site = project / case.site
        assert check(str(site)).ok
        found = shown(site)
        assert {f"{case.folder}/{name}" for name in found} >= set(pages)
        (base,) = re.findall(r'^url = "(.*)"$', settings, re.MULTILINE)
        for name, (url, anchors) in found.items():
            if f"{case.folder}/{name}" not in pages:
                continue  # mdBook's table of contents is a document, too
            assert url.startswith(base)
            page = site / unquote(url.removeprefix(base)).lstrip("/")
            text = (page / "index.html" if url.endswith("/") else page).read_text("utf-8")
            title = pages[f"{case.folder}/{name}"].split("\n")[0].removeprefix("# ")
            assert title in html.unescape(re.sub(r"<[^>]+>", "", text)), url
            for anchor in anchors - {""}:
                assert re.search(rf'id="?{re.escape(anchor)}["\s>]', text), f"{url}#{anchor}"
        assert any(anchors - {""} for _, anchors in found.values())


def shown(site: Path) -> dict[str, tuple[str, set[str]]]:
    """Document to the address that search results of it have and the anchors of its chunks, from the bundle."""
    found = {}
    for shard in site.glob("_search/d-*.z"):
        for path, _, url, chunks, _hashes in json.loads(zlib.decompress(shard.read_bytes())).values():
            found[path] = (url, {chunk[2] for chunk in chunks})
    return found
