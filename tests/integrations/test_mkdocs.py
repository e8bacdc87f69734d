"""The MkDocs plugin in builds that MkDocs itself makes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import tomllib
import zlib
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import yaml

from infograph.commands.check.crawl import check
from infograph.source.discovery import SourceRules, discover

pytest.importorskip("mkdocs", reason="needs MkDocs: pip install -r tests/search/addresses/site/requirements.txt")

from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, ConfigurationError

from infograph.integrations.mkdocs import InfographPlugin, _slugs
from infograph.text.gitignore import literal

ROOT = Path(__file__).parents[2]
URL = "https://example.org/docs/"
PAGES = {
    "docs/index.md": "# Home\n\nWhere to [begin](guide/first steps.md).\n",
    "docs/guide/index.md": "# Guide\n\nWhat there is.\n",
    "docs/guide/first steps.md": "# First steps\n\n## The very first\n\nWalk.\n",
    "docs/guide/README-two.md": "# Two\n\nMore.\n",
    "docs/secret.md": "# Secret\n\nNot for readers.\n",
    "docs/draft.md": "# Draft\n\nNot yet for readers.\n",
}
PATIENCE = 300.0
"""Seconds until a test gives up; never a measure."""

Site = Callable[..., Path]


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if infograph were installed: MkDocs knows the plugin by its entry point."""
    plugins: Any = dict(MkDocsConfig._schema)["plugins"]
    entry = EntryPoint("infograph", "infograph.integrations.mkdocs:InfographPlugin", "mkdocs.plugins")
    monkeypatch.setitem(plugins.installed_plugins, "infograph", entry)
    monkeypatch.setattr(plugins, "plugin_cache", {})


@pytest.fixture
def project(tmp_path: Path, write_tree: Callable[..., Path]) -> Path:
    return write_tree(tmp_path / "project", PAGES)


def configure(project: Path, options: dict[str, Any] | None = None, **settings: Any) -> Path:
    """Writes mkdocs.yml."""
    config = {
        "site_name": "Pages",
        "site_url": URL,
        "exclude_docs": "secret.md\n",
        "draft_docs": "draft.md\n",
        "plugins": ["search", {"infograph": options or {}}],
    }
    file = project / "mkdocs.yml"
    file.write_text(yaml.safe_dump(config | settings))
    return file


def mkdocs(project: Path, options: dict[str, Any] | None = None, **settings: Any) -> Path:
    """`mkdocs build` in this process; the folder of the site."""
    config = load_config(str(configure(project, options, **settings)))
    config.plugins.on_startup(command="build", dirty=False)
    mkdocs_build(config)
    config.plugins.on_shutdown()
    return Path(config.site_dir)


def shown(site: Path) -> dict[str, str]:
    """Document to the address that search results of it have, as the search bundle says."""
    found = {}
    for shard in site.glob("_search/d-*.z"):
        for path, _, url, *_ in json.loads(zlib.decompress(shard.read_bytes())).values():
            found[path] = url
    return found


# ---- builds ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("directory_urls", [True, False])
def test_the_site_carries_the_graph_and_results_lead_to_its_pages(
    project: Path, quick: Any, directory_urls: bool
) -> None:
    site = mkdocs(project, use_directory_urls=directory_urls)
    assert check(str(site)).ok
    index = json.loads((site / "guide/index.json").read_bytes())
    assert {key for key in index["_embedded"]["chunks"] if key[0] != "_"} == {"index", "first steps", "README-two"}
    pages = shown(site)
    assert set(pages) == {"index.md", "guide/index.md", "guide/first steps.md", "guide/README-two.md"}
    for path, url in pages.items():
        assert url.startswith(URL)
        page = site / unquote(url.removeprefix(URL)) / ("index.html" if url.endswith("/") else "")
        assert page.is_file(), url
        title = (project / "docs" / path).read_text().split("\n")[0].removeprefix("# ")
        assert f">{title}</h1>" in page.read_text("utf-8")


def test_what_mkdocs_does_not_publish_is_not_in_the_graph(project: Path, quick: Any) -> None:
    site = mkdocs(project)
    for path in site.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert b"for readers" not in (zlib.decompress(data) if path.suffix == ".z" else data), path


def test_sources_stay_as_they_are_and_caches_lie_beside_them(
    project: Path, quick: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    site = mkdocs(project)
    names = {path.relative_to(project).as_posix() for path in (project / "docs").rglob("*") if path.is_file()}
    assert names == set(PAGES)
    assert {path.name for path in project.iterdir()} == {"docs", "site", "mkdocs.yml", ".infograph", ".embedding-cache"}
    assert not list(site.rglob(".embedding-cache"))
    assert {path.name for path in (site / ".infograph").iterdir()} == {"lock", "output"}
    assert {path.name for path in tmp_path.iterdir()} == {"project"}


@pytest.mark.slow
def test_each_build_cleans_the_site_and_leaves_the_same_bytes(
    project: Path, quick: Any, snapshot: Callable[[Path], dict[str, bytes]]
) -> None:
    def graph(site: Path) -> dict[str, bytes]:
        return {name: data for name, data in snapshot(site).items() if not name.endswith((".html", ".gz", ".xml"))}

    first = graph(mkdocs(project))
    quick.seen.clear()
    assert graph(mkdocs(project)) == first
    assert quick.seen == [], "the vectors came from the cache"
    (project / "docs/guide/README-two.md").unlink()
    (project / "docs/index.md").write_text("# Home\n\nAnother text.\n")
    changed = graph(mkdocs(project))
    assert not [name for name in changed if name.startswith("guide/_chunks/README-two.")]
    assert b"Another text." in b"".join(data for name, data in changed.items() if name.startswith("_chunks/index."))
    (project / "docs/guide/README-two.md").write_text(PAGES["docs/guide/README-two.md"])
    (project / "docs/index.md").write_text(PAGES["docs/index.md"])
    old = {name for name in graph(mkdocs(project)) if not name.startswith("_search/")}
    assert old == {name for name in first if not name.startswith("_search/")}


def test_options_are_settings_and_come_before_those_of_the_file(project: Path, quick: Any) -> None:
    (project / "infograph.toml").write_text("strategy = 'fixed'\n[index]\nbase_url = '/file/'\n")
    site = mkdocs(project, {"index": {"base-url": "/option/"}, "routes": {"guide/": "structural"}})
    assert '"/option/index.json"' in (site / "index.json").read_text()
    assert "fixed" in (site / "topic-spec.md").read_text()


def test_the_example_of_the_guide(project: Path, quick: Any) -> None:
    guide = (ROOT / "sample-docs/publishing/generators.md").read_text("utf-8")
    example = next(
        code for code in re.findall(r"^```yaml\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL) if "plugins" in code
    )
    plugins = yaml.safe_load(example)["plugins"]
    site = mkdocs(project, plugins=plugins)
    assert check(str(site)).ok
    assert "static" in (site / "topic-spec.md").read_text()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"out": "elsewhere"}, "it is `site_dir`"),
        ({"docs": "."}, "it is `docs_dir`"),
        ({"strict": True}, "mkdocs build --strict"),
        ({"serve": {"port": 1}}, "dev_addr"),
        ({"search_box": "yes please"}, "must be true or false"),
    ],
)
def test_what_mkdocs_decides_is_no_option(
    project: Path, options: dict[str, Any], message: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises((Abort, ConfigurationError)):
        mkdocs(project, options)
    assert message in caplog.text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stategy": "fixed"}, "Did you mean `strategy`"),
        ({"index": {"related": "many"}}, "must be a whole number"),
        ({"cache": "docs/cache"}, "build without end"),
        ({"limits": {"bytes": 10}}, "cannot be indexed, see above"),
        ({"search_box": True, "search": {"enabled": False}}, "needs what `search.enabled` writes"),
    ],
)
def test_what_is_wrong_ends_the_build_with_a_message(
    project: Path, quick: Any, options: dict[str, Any], message: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(Abort, match="BuildError"):
        mkdocs(project, options)
    assert message in caplog.text


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
def test_warnings_count_in_strict_mode_only(project: Path, quick: Any, caplog: pytest.LogCaptureFixture) -> None:
    (project / "docs/link.md").symlink_to("index.md")
    assert (mkdocs(project) / "index.json").is_file()
    assert "link.md: a symbolic link is not followed" in caplog.text
    with pytest.raises(Abort, match="1 warnings in strict mode"):
        mkdocs(project, strict=True)


def test_one_line_for_each_kind_of_warning(project: Path, quick: Any, caplog: pytest.LogCaptureFixture) -> None:
    for name in ("a", "b", "c"):
        (project / f"docs/{name}.md").write_text('# Page\n\n--8<-- "missing.md"\n\nText.\n')
    mkdocs(project)
    lines = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert len(lines) == 1 and "(unresolved-include: 2 more documents" in lines[0]


def test_an_llms_txt_of_the_site_or_of_another_plugin_is_left_alone(
    project: Path, quick: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    (project / "docs/llms.txt").write_text("# Mine\n")
    site = mkdocs(project, strict=True)
    assert (site / "llms.txt").read_text() == "# Mine\n"
    assert caplog.text.count("llms.txt: stands there already") == 1
    assert check(str(site)).ok
    (project / "docs/llms.txt").unlink()
    hook = (
        "from pathlib import Path\n\ndef on_post_build(config):\n"
        "    Path(config.site_dir, 'llms.txt').write_text('# Of a plugin')\n"
    )
    (project / "hook.py").write_text(hook)
    assert (mkdocs(project, strict=True, hooks=["hook.py"]) / "llms.txt").read_text() == "# Of a plugin"


def test_it_works_beside_mkdocs_llmstxt(project: Path, quick: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Each leaves the other's files alone, whichever of the two comes first."""
    pytest.importorskip("mkdocs_llmstxt", reason="needs mkdocs-llmstxt, installed with --no-deps")
    llmstxt = {"llmstxt": {"full_output": "llms-full.txt", "sections": {"Guide": ["guide/*.md"]}}}
    for plugins in (["search", {"infograph": {}}, llmstxt], ["search", llmstxt, {"infograph": {}}]):
        caplog.clear()
        caplog.set_level("INFO")
        site = mkdocs(project, strict=True, plugins=plugins)
        assert "## Guide" in (site / "llms.txt").read_text()
        assert "Walk." in (site / "llms-full.txt").read_text()
        assert (site / "index.json").is_file() and check(str(site)).ok, plugins
        (chunk,) = (site / "guide/_chunks").glob("first steps.*-0.md")
        assert "Walk." in chunk.read_text()


def test_a_file_in_the_place_of_an_index_costs_the_graph_and_not_the_site(
    project: Path, quick: Any, caplog: pytest.LogCaptureFixture
) -> None:
    (project / "docs/index.json").write_text("[]")
    site = mkdocs(project)
    assert (site / "index.json").read_text() == "[]" and (site / "guide/index.html").is_file()
    assert not (site / "_search").exists()
    (line,) = (record.getMessage() for record in caplog.records if record.levelname == "WARNING")
    assert (
        "index.json: stands there already and infograph did not write it; the site is built without the graph" in line
    )


# ---- parts ----------------------------------------------------------------------------------------------------


def test_a_path_as_a_pattern_matches_itself_only(tmp_path: Path, write_tree: Callable[..., Path]) -> None:
    names = ["a.md", "b/a.md", "*.md", "[a].md", "!a.md", "#a.md", "a b.md", "\\a.md", "a?.md", "ab.md", "b/[x] y.md"]
    names = [name for name in names if os.name != "nt" or not re.search(r"[*?\\]", name)]
    root = write_tree(tmp_path / "docs", dict.fromkeys(names, "# A\n"))
    for name in names:
        found = discover(root, SourceRules(exclude=(f"/{literal(name)}",))).documents
        assert set(names) - set(found) == {name}


def test_names_of_functions_that_make_ids() -> None:
    from markdown.extensions.toc import slugify, slugify_unicode
    from pymdownx.slugs import slugify as pymdownx_slugify

    assert [_slugs(f) for f in (None, slugify, slugify_unicode, pymdownx_slugify(case="lower"), len)] == [
        None,
        None,
        "unicode",
        "pymdownx",
        None,
    ]


def test_the_entry_point_is_the_plugin() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    value = project["entry-points"]["mkdocs.plugins"]["infograph"]
    assert EntryPoint("infograph", value, "mkdocs.plugins").load() is InfographPlugin
    assert any(requirement.startswith("mkdocs") for requirement in project["optional-dependencies"]["mkdocs"])


# ---- the real commands ----------------------------------------------------------------------------------------


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Of a process that finds infograph, and its entry point, as when it is installed."""
    metadata = tmp_path / "installed" / "infograph-0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: infograph\nVersion: 0\n")
    (metadata / "entry_points.txt").write_text(
        "[mkdocs.plugins]\ninfograph = infograph.integrations.mkdocs:InfographPlugin\n"
    )
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(metadata.parent)]), "PYTHONWARNINGS": "default"}


@pytest.mark.slow
def test_mkdocs_build(project: Path, environment: dict[str, str]) -> None:
    configure(project, {"model": "static"})
    for arguments in (["--strict"], ["--clean"], ["--dirty"], ["-f", "mkdocs.yml", "-d", "public"]):
        command = [sys.executable, "-m", "mkdocs", "build", *arguments]
        result = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
        assert "infograph: 4 documents, 2 topics, 4 chunks" in result.stderr
        assert check(str(project / ("public" if "-d" in arguments else "site"))).ok


@pytest.fixture
def serving(project: Path, environment: dict[str, str], tmp_path: Path) -> Iterator[Callable[[], list[str]]]:
    """`mkdocs serve`; returns what gives its log so far."""
    configure(project, {"model": "static"})
    log = tmp_path / "log"
    command = [sys.executable, "-m", "mkdocs", "serve", "--dev-addr", "127.0.0.1:0"]
    with log.open("w") as file:
        process = subprocess.Popen(command, cwd=project, env=environment, stderr=file, stdout=file)
        yield lambda: log.read_text().splitlines()
        process.terminate()
        process.wait(PATIENCE)


@pytest.mark.slow
def test_mkdocs_serve_builds_once_for_each_edit(project: Path, serving: Callable[[], list[str]]) -> None:
    def builds() -> int:
        return sum("infograph: 5 documents" in line for line in serving())  # a draft is served, too

    def until(count: int) -> None:
        end = time.monotonic() + PATIENCE
        while builds() < count:
            assert time.monotonic() < end, serving()
            time.sleep(0.1)
        time.sleep(3)  # longer than MkDocs waits before it builds again
        assert builds() == count, serving()

    until(1)
    (project / "saved").write_text("# Home\n\nAnother text.\n")
    (project / "saved").replace(project / "docs/index.md")  # at once, so that nobody sees a part of it
    until(2)


def test_pages_lead_to_their_markdown(project: Path) -> None:
    site = mkdocs(project, {"model": "static", "index.pages": True, "source.exclude": ["guide/README-two.md"]})
    link = '<link rel="alternate" type="text/markdown" href="../../_pages/guide/first%20steps.md"></head>'
    assert link in (site / "guide/first steps/index.html").read_text("utf-8")
    assert 'href="_pages/index.md"></head>' in (site / "index.html").read_text("utf-8")
    for page in ("guide/README-two/index.html", "404.html"):  # what is no document of the graph has no such link
        assert "text/markdown" not in (site / page).read_text("utf-8")
    text = (site / "_pages/guide/first steps.md").read_text("utf-8")
    assert text.endswith("---\n\n# First steps\n\n## The very first\n\nWalk.\n")
    assert check(str(site)).ok
