"""What follows from all files of a tree together: copies of another publication."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from infograph.build import build
from infograph.commands.check.crawl import check
from infograph.config import load

PAGES = {
    "index.md": "# Home\n\nThe Lighthouse Keeper meets the Harbour Master. See [the isle](isle.md).\n",
    "isle.md": "# The isle\n\nThe Lighthouse Keeper and the Harbour Master sail to Skerry Isle.\n",
    "below/boat.md": "# Boat\n\nSkerry Isle has a boat of the Harbour Master and the Lighthouse Keeper.\n",
}


@pytest.fixture(scope="session")
def with_graph(once: Callable[..., Path]) -> Path:
    def make(folder: Path) -> None:
        for name, text in PAGES.items():
            path = folder / "docs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        flags = {"out": str(folder / "site"), "cache": str(folder / "cache"), "model": "static"}
        build(load(str(folder / "docs"), flags=flags | {"graph.entities": "terms"}, environment={}))

    return once("site-with-graph", make) / "site"


@pytest.fixture
def graph(with_graph: Path, tmp_path: Path) -> Path:
    """The folder of a site's graph, to be changed."""
    return Path(shutil.copytree(with_graph, tmp_path / "site")) / "_graph"


def found(graph: Path) -> list[tuple[str, str]]:
    report = check(str(graph.parent))
    assert report.ok, str(report)
    assert all("is not the one that the index leads to" in warning.message for warning in report.warnings)
    return [(warning.kind, warning.url) for warning in report.warnings]


def test_copies_of_the_same_publication(graph: Path) -> None:
    assert found(graph) == []


def test_the_manifest_of_another_graph(graph: Path) -> None:
    """It is what programs open that read no search bundle; nothing compared it."""
    path = graph / "manifest.json"
    said = json.loads(path.read_bytes())
    path.write_text(json.dumps(said | {"left_out": said["left_out"] + 1}))
    assert found(graph) == [("publication", "_graph/manifest.json")]


def test_communities_of_another_graph(graph: Path) -> None:
    plain = json.loads((graph / "c-all.json").read_bytes())
    own = graph / plain["_links"]["latest-version"]["href"]
    data = own.read_bytes().replace(b'"count":', b'"count": ')
    digest = hashlib.sha256(data).hexdigest()
    (graph / f"c-all.{digest[:10]}.json").write_bytes(data)
    plain["_links"]["latest-version"] = {"href": f"c-all.{digest[:10]}.json", "sha256": digest}
    (graph / "c-all.json").write_text(json.dumps(plain))
    assert found(graph) == [("publication", "_graph/c-all.json")]
