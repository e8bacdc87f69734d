"""The search box in sites that MkDocs itself builds, with the themes that have a place for it."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

pytest.importorskip("mkdocs", reason="needs MkDocs: pip install -r tests/search/addresses/site/requirements.txt")

from importlib.metadata import EntryPoint

from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig

from infograph.integrations.mkdocs_box import BOX, PLACES, with_box

PAGES = {
    "docs/index.md": "# Home\n\nWhere to begin.\n",
    "docs/guide/steps.md": "# Steps\n\n## The very first\n\nA tortoise walks.\n\n## The second\n\nIt rests.\n",
}
OWN = {
    "material": 'class="md-search"',
    "mkdocs": 'data-bs-target="#mkdocs_search_modal"',
    "readthedocs": "rtd-search-form",
}
"""What a page has of each theme's own search."""


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    plugins: Any = dict(MkDocsConfig._schema)["plugins"]
    entry = EntryPoint("infograph", "infograph.integrations.mkdocs:InfographPlugin", "mkdocs.plugins")
    monkeypatch.setitem(plugins.installed_plugins, "infograph", entry)
    monkeypatch.setattr(plugins, "plugin_cache", {})


def mkdocs(project: Path, theme: Any, plugins: list[Any]) -> Path:
    settings = {"site_name": "Pages", "site_url": "https://example.org/docs/", "theme": theme, "plugins": plugins}
    file = project / "mkdocs.yml"
    file.write_text(yaml.safe_dump(settings))
    config = load_config(str(file))
    config.plugins.on_startup(command="build", dirty=False)
    mkdocs_build(config)
    config.plugins.on_shutdown()
    return Path(config.site_dir)


@pytest.mark.slow
@pytest.mark.parametrize("own", [True, False], ids=["with the theme's search", "without it"])
@pytest.mark.parametrize("theme", PLACES)
def test_it_takes_the_place_of_the_themes_own(
    theme: str, own: bool, tmp_path: Path, write_tree: Callable[..., Path], quick: Any
) -> None:
    if theme == "material" and importlib.util.find_spec("material") is None:
        pytest.skip("needs Material: pip install -r tests/search/addresses/site/requirements.txt")
    project = write_tree(tmp_path / "project", PAGES)
    without = mkdocs(project, {"name": theme}, ["search"] if own else [])
    assert (OWN[theme] in (without / "index.html").read_text()) is own
    site = mkdocs(project, {"name": theme}, [*(["search"] if own else []), {"infograph": {"search_box": True}}])
    for page, base in (("index.html", "."), ("guide/steps/index.html", "../.."), ("404.html", "/docs")):
        text = (site / page).read_text("utf-8")
        assert text.count(BOX) == 1, page
        assert OWN[theme] not in text
        assert re.findall(r'<script type="module" src="([^"]+)"></script>', text) == [f"{base}/infograph-search.js"]
        assert text.index("infograph-search.js") < text.index("</head>") < text.index(BOX)
    assert (site / "infograph-search.js").is_file()


def test_without_the_option_pages_stay_as_they_are(tmp_path: Path, write_tree: Callable[..., Path], quick: Any) -> None:
    site = mkdocs(write_tree(tmp_path / "project", PAGES), {"name": "mkdocs"}, ["search", "infograph"])
    assert "infograph-search" not in (site / "index.html").read_text()


def test_a_theme_without_a_known_place_is_said_once(
    tmp_path: Path, write_tree: Callable[..., Path], quick: Any, caplog: pytest.LogCaptureFixture
) -> None:
    templates = {"theme/main.html": "<html><head></head>{{ page.content }}</html>", "theme/404.html": "<p>Not here</p>"}
    project = write_tree(tmp_path / "project", PAGES | templates)
    site = mkdocs(project, {"name": None, "custom_dir": "theme"}, [{"infograph": {"search_box": True}}])
    assert "infograph-search" not in (site / "index.html").read_text()
    assert caplog.text.count("has no place for it that is known (material, mkdocs, readthedocs have)") == 1


def test_a_page_that_looks_like_nothing_known_has_no_place() -> None:
    assert with_box("<html><head></head><body></body></html>", "material", ".") is None
    assert with_box('<label for="__search">' * 10_000, "material", ".") is None
    assert with_box("", "slate", ".") is None
