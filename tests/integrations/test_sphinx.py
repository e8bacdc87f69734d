"""The Sphinx extension in sites that Sphinx itself builds."""

from __future__ import annotations

import io
import json
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from infograph.commands.check.crawl import check
from infograph.text.gitignore import literal

pytest.importorskip("sphinx", reason="needs Sphinx: pip install -r tests/search/addresses/site/requirements.txt")
pytest.importorskip("myst_parser", reason="needs MyST: pip install -r tests/search/addresses/site/requirements.txt")

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

PAGES = {
    "docs/index.md": "# Home\n\n```{toctree}\nguide/steps\nold\n```\n",
    "docs/guide/steps.md": "# Steps\n\n## The very first\n\nA tortoise walks.\n\n## The second\n\nIt rests.\n",
    "docs/old.rst": "Old\n===\n\nreStructuredText.\n",
    "docs/draft.md": "# Draft\n\nNot for readers.\n",
}
CONF = {
    "project": "Pages",
    "extensions": ["myst_parser", "infograph.integrations.sphinx"],
    "exclude_patterns": ["draft.md"],
    "html_baseurl": "https://example.org/docs/",
    "html_theme": "alabaster",
}
BOX = "<infograph-search same-host></infograph-search>"

# What Sphinx, docutils and the themes do with Python is not ours.
pytestmark = pytest.mark.filterwarnings("default")


def sphinx(project: Path, builder: str = "html", **settings: Any) -> tuple[Path, str]:
    """`sphinx-build` in this process; the folder of the site, and the warnings."""
    lines = [f"{name} = {value!r}\n" for name, value in (CONF | settings).items()]
    (project / "docs/conf.py").write_text("".join(lines))
    warnings = io.StringIO()
    out = project / "site"
    docs = str(project / "docs")
    app = Sphinx(docs, docs, str(out), str(project / "doctrees"), builder, status=None, warning=warnings, freshenv=True)
    app.build(force_all=True)
    return out, re.sub(r"\x1b\[[\d;]*m", "", warnings.getvalue())


@pytest.fixture
def project(tmp_path: Path, write_tree: Callable[..., Path]) -> Path:
    return write_tree(tmp_path / "project", PAGES)


def shown(site: Path) -> dict[str, tuple[str, set[str]]]:
    """Document to the address that search results of it have and the anchors of its chunks, from the bundle."""
    found = {}
    for shard in site.glob("_search/d-*.z"):
        for path, _, url, chunks, _hashes in json.loads(zlib.decompress(shard.read_bytes())).values():
            found[path] = (url, {chunk[2] for chunk in chunks})
    return found


@pytest.mark.slow
@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_the_site_carries_the_graph_and_results_lead_to_its_headings(project: Path, quick: Any, builder: str) -> None:
    site, warnings = sphinx(project, builder)
    assert "infograph" not in warnings
    assert check(str(site)).ok
    found = shown(site)
    assert set(found) == {"index.md", "guide/steps.md"}, "Markdown that Sphinx renders, and no draft"
    for url, anchors in found.values():
        page = site / unquote(url.removeprefix("https://example.org/docs/"))
        text = (page / "index.html" if url.endswith("/") else page).read_text("utf-8")
        for anchor in anchors - {""}:
            assert f'id="{anchor}"' in text
    assert "the-very-first" in found["guide/steps.md"][1] | {"the-very-first"}


@pytest.mark.parametrize(
    "theme", ["alabaster", *(pytest.param(theme, marks=pytest.mark.slow) for theme in ("classic", "sphinxdoc"))]
)
def test_the_box_takes_the_place_of_the_themes_own(project: Path, quick: Any, theme: str) -> None:
    site, _ = sphinx(project, html_theme=theme)
    for page, script in (("index.html", "infograph-search.js"), ("guide/steps.html", "../infograph-search.js")):
        text = (site / page).read_text("utf-8")
        assert text.count(BOX) == 1
        assert f'<script type="module" src="{script}"></script>' in text
        assert 'name="q"' not in text
    assert (site / "infograph-search.js").is_file()
    site, _ = sphinx(project, html_theme=theme, infograph_search_box=False)
    text = (site / "index.html").read_text("utf-8")
    assert BOX not in text and 'name="q"' in text


def test_a_template_of_the_site_itself_comes_first(project: Path, quick: Any) -> None:
    (project / "docs/own").mkdir()
    for name in ("searchbox.html", "searchfield.html"):
        (project / "docs/own" / name).write_text("<p>My own</p>")
    site, _ = sphinx(project, templates_path=["own"])
    text = (site / "index.html").read_text("utf-8")
    assert "My own" in text and BOX not in text


@pytest.mark.slow
def test_settings_of_conf_py_and_the_language_of_the_site(project: Path, quick: Any) -> None:
    site, _ = sphinx(project, infograph={"index": {"base-url": "/docs/"}, "strategy": "fixed"}, language="de")
    assert '"/docs/index.json"' in (site / "index.json").read_text("utf-8")
    assert json.loads((site / "_search/manifest.json").read_bytes())["language"] == "de"
    with pytest.raises(ExtensionError, match="`out` of `infograph` cannot be set here"):
        sphinx(project, infograph={"out": "elsewhere"})
    with pytest.raises(ExtensionError, match="Did you mean `strategy`"):
        sphinx(project, infograph={"stategy": "fixed"})


@pytest.mark.slow
def test_a_file_in_the_place_of_ours_costs_the_graph_and_not_the_site(project: Path, quick: Any) -> None:
    (project / "docs/extra").mkdir()
    (project / "docs/extra/llms.txt").write_text("# Mine\n")
    site, warnings = sphinx(project, html_extra_path=["extra"])
    assert (site / "llms.txt").read_text() == "# Mine\n" and (site / "index.json").is_file()
    assert "infograph" not in warnings
    (project / "docs/extra/explorer.html").write_text("<p>Mine</p>")
    site, warnings = sphinx(project, html_extra_path=["extra"])
    assert (site / "index.html").is_file()
    assert "explorer.html: stands there already and infograph did not write it" in warnings


def test_a_site_without_markdown_and_another_builder(project: Path, quick: Any) -> None:
    site, _ = sphinx(project, "xml")
    assert not (site / "index.json").exists()
    for path in project.rglob("*.md"):
        path.unlink()
    (project / "docs/index.rst").write_text("Home\n====\n\n.. toctree::\n\n   old\n")
    _, warnings = sphinx(project)
    assert "Sphinx renders no Markdown here" in warnings


def test_a_path_as_a_pattern() -> None:
    assert literal("a [1]*.md") == r"a \[1\]\*.md"


@pytest.mark.parametrize(
    ("builder", "page"),
    [("html", "guide/steps.html"), pytest.param("dirhtml", "guide/steps/index.html", marks=pytest.mark.slow)],
)
def test_pages_lead_to_their_markdown(project: Path, builder: str, page: str) -> None:
    site, _ = sphinx(project, builder, infograph={"model": "static", "index": {"pages": True}})
    text = (site / page).read_text("utf-8")
    up = "../" * page.count("/")
    link = f'<link rel="alternate" type="text/markdown" href="{up}_pages/guide/steps.md"></head>'
    assert text.count(link) == text.count("text/markdown") == 1
    assert "A tortoise walks." in (site / "_pages/guide/steps.md").read_text("utf-8")
    old = site / ("old.html" if builder == "html" else "old/index.html")
    assert "text/markdown" not in old.read_text("utf-8")
