"""The npm package: what `npm pack` makes of the folder of the client is installed, imported and type-checked."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from infograph.formats.names import SEARCH_BOX

NPM, NODE = shutil.which("npm"), shutil.which("node")
WEB = Path(__file__).parents[2] / "infograph/web"
GUIDE = WEB.parents[1] / "sample-docs/guide/search-box.md"
pytestmark = pytest.mark.skipif(not (NPM and NODE), reason="needs npm and Node.js")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that has installed the tarball."""
    project = tmp_path_factory.mktemp("npm")
    packed = subprocess.run(
        [str(NPM), "pack", "--json", "--pack-destination", project, WEB], capture_output=True, text=True, check=True
    )
    (tarball,) = project.glob("infograph-*.tgz")
    assert json.loads(packed.stdout)[0]["filename"] == tarball.name
    (project / "package.json").write_text('{"name": "x", "private": true, "type": "module"}')
    options = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts"]
    subprocess.run([str(NPM), "install", *options, tarball], cwd=project, check=True, capture_output=True)
    return project


@pytest.mark.slow
def test_it_is_imported(installed: Path) -> None:
    script = 'const { Client } = await import("infograph"); console.log(typeof new Client("https://a.b/").search);'
    shown = subprocess.run(
        [str(NODE), "--input-type=module", "-e", script], cwd=installed, capture_output=True, text=True, check=True
    )
    assert shown.stdout == "function\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "src"),
    [
        ("{}", "/docs/graph/infograph-search.js"),
        ('{root: "./"}', "/docs/infograph-search.js"),
        ('{root: "/elsewhere/"}', "/elsewhere/infograph-search.js"),
        ('{root: "https://cdn.example.org/g/"}', "https://cdn.example.org/g/infograph-search.js"),
    ],
)
def test_it_is_a_theme_of_docusaurus(installed: Path, options: str, src: str) -> None:
    script = f"""
      const {{ default: theme }} = await import("infograph/docusaurus");
      const options = {{ id: "default", sections: "auto", ...{options} }};
      const plugin = theme({{ siteConfig: {{ baseUrl: "/docs/" }} }}, options);
      let data;
      plugin.contentLoaded({{ actions: {{ setGlobalData: (given) => (data = given) }} }});
      console.log(JSON.stringify([plugin.injectHtmlTags().headTags, data, plugin.getThemePath()]));
    """
    shown = subprocess.run(
        [str(NODE), "--input-type=module", "-e", script], cwd=installed, capture_output=True, text=True, check=True
    )
    tags, data, folder = json.loads(shown.stdout)
    assert tags == [{"tagName": "script", "attributes": {"type": "module", "src": src}}]
    assert data == {"attributes": {"same-host": "", "sections": "auto"}}
    assert (Path(folder) / "SearchBar/index.js").is_file()
    assert Path(folder).is_relative_to(installed / "node_modules/infograph")


@pytest.mark.slow
def test_the_command_of_the_guide_installs_it(tmp_path: Path) -> None:
    command = next(line for line in GUIDE.read_text("utf-8").splitlines() if line.startswith("npm install"))
    (tmp_path / "package.json").write_text('{"name": "x", "private": true, "type": "module"}')
    python = f'python3() {{ "{sys.executable}" "$@"; }}; '
    run = ["bash", "-ec", f"{python}{command} --offline --no-audit --no-fund"]
    environment = os.environ | {"PYTHONPATH": str(WEB.parents[1])}
    subprocess.run(run, cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert not (tmp_path / "node_modules/infograph").is_symlink(), "or it would not find React"
    assert (tmp_path / "node_modules/infograph/docusaurus/theme/SearchBar/index.js").is_file()


def test_it_has_each_module_and_the_declarations(installed: Path) -> None:
    package = installed / "node_modules/infograph"
    modules = {path.name for path in WEB.glob("*.js")}
    assert {path.name for path in package.glob("*.js")} == modules - {SEARCH_BOX}  # which is served beside a graph
    exports = json.loads((package / "package.json").read_text())["exports"]
    assert all((package / place).is_file() for place in [*exports["."].values(), exports["./docusaurus"]])
