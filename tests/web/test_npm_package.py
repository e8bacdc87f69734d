"""The npm package: what `npm pack` makes of the folder of the client is installed, imported and type-checked."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from infograph.formats.names import SEARCH_BOX

NPM, NODE = shutil.which("npm"), shutil.which("node")
WEB = Path(__file__).parents[2] / "infograph/web"
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


def test_it_is_imported(installed: Path) -> None:
    script = 'const { Client } = await import("infograph"); console.log(typeof new Client("https://a.b/").search);'
    shown = subprocess.run(
        [str(NODE), "--input-type=module", "-e", script], cwd=installed, capture_output=True, text=True, check=True
    )
    assert shown.stdout == "function\n"


def test_it_has_each_module_and_the_declarations(installed: Path) -> None:
    package = installed / "node_modules/infograph"
    modules = {path.name for path in WEB.glob("*.js")}
    assert {path.name for path in package.glob("*.js")} == modules - {SEARCH_BOX}  # which is served beside a graph
    exports = json.loads((package / "package.json").read_text())["exports"]["."]
    assert all((package / place).is_file() for place in exports.values())
