"""What of a folder is served, asked of a real build in a folder with other things."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from infograph.build import build
from infograph.client import Client
from infograph.commands.check.crawl import check
from infograph.commands.check.federation import check_federation
from infograph.commands.federate.run import federate
from infograph.commands.serving.listing import documents_of, is_listed
from infograph.commands.serving.server import Server
from infograph.config import load

ServeTree = Callable[..., contextlib.AbstractContextManager[Server]]
PRIVATE = [
    "id_rsa",
    "server.pem",
    "guide/server.key",
    "backup.zip",
    "page.md~",
    "page.md.bak",
    "index.json.bak",
    "infograph.toml",
    "drafts/page.md",
    "notes.txt",
    "secrets.json",
    "data.sql",
    "LICENSE",
    "page.html",
    "site.js",
    "infograph/mine.js",
    "_search/mine.md",
    "_chunks/mine.txt",
    "_chunks/page-99.md",
    "_keywords/passwords.md",
    "node_modules/x/page.md",
]


@pytest.fixture
def project(tmp_path: Path, write_tree: Callable[..., Path], quick: object) -> Path:
    """A folder of a project that is built in place."""
    pages = {"page.md": "# Page\n\nText.\n", "guide/one.md": "# One\n\n![a](a.png)\n", "guide/a.png": b"png"}
    root = write_tree(tmp_path / "docs", pages)
    build(load(str(root), flags={"source.exclude": ["drafts/"]}, environment={}))
    return write_tree(root, dict.fromkeys(PRIVATE, "# SECRET\n"))


def test_neighbours_are_not_served(serving: ServeTree, project: Path, client: httpx2.Client) -> None:
    with serving(project) as server:
        for name in PRIVATE:
            response = client.get(server.url + name)
            assert (response.status_code, "SECRET" in response.text) == (404, False), name
            assert client.head(server.url + name).status_code == 404
        missing = client.get(f"{server.url}no-such-file")
        assert missing.text == client.get(f"{server.url}id_rsa").text, "what is there and what is not look the same"


@pytest.mark.slow
def test_what_is_published_is_served(serving: ServeTree, project: Path, client: httpx2.Client) -> None:
    with serving(project) as server:
        assert check(server.url).ok
        assert Client(server.url).search("text").hits
        for name in ("page.md", "guide/one.md", "guide/a.png", "explorer.html", "infograph.js", "llms.txt"):
            assert client.get(server.url + name).content == (project / name).read_bytes(), name


def test_a_document_is_served_for_as_long_as_its_index_lists_it(
    serving: ServeTree, project: Path, client: httpx2.Client
) -> None:
    with serving(project) as server:
        (project / "guide/two.md").write_text("# Two\n")
        assert client.get(f"{server.url}guide/two.md").status_code == 404
        build(load(str(project), flags={"source.exclude": ["drafts/"]}, environment={}))
        assert client.get(f"{server.url}guide/two.md").status_code == 200


def test_a_rendered_site_is_served_with_its_parts(project: Path, write_tree: Callable[..., Path]) -> None:
    assert not is_listed(project, ["assets", "site.css"], b"x")
    write_tree(project, {"index.html": "<p>"})
    assert is_listed(project, ["assets", "site.css"], b"x")
    assert is_listed(project, ["search", "search_index.json"], b"x")
    for name in ("id_rsa", "server.pem", "dump.sql", "page.md~", "a.zip"):
        assert not is_listed(project, [name], b"x")


def test_all_pages_of_an_index_count(project: Path, index_of: Callable[..., str]) -> None:
    (project / "guide/index-2.json").write_text(index_of("late.md"))
    assert documents_of(project, ["guide"]) == {"one.md", "late.md"}


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"build_id": 1, "x": "_schema/index.schema.json"}', b"\xff"])
def test_an_index_of_somebody_else_lists_nothing(project: Path, data: bytes) -> None:
    (project / "guide/index.json").write_bytes(data)
    assert documents_of(project, ["guide"]) == frozenset()
    assert documents_of(project, ["no", "such"]) == frozenset()


def test_of_a_federation_the_sites_below_are_served(
    serving: ServeTree, small_sites: Path, tmp_path: Path, client: httpx2.Client
) -> None:
    """The command said that the folder holds no built tree; and explorers of sites in folders were not served."""
    root = tmp_path / "sites"
    shutil.copytree(small_sites, root)
    federate(str(root), [str(root / "apples"), str(root / "pears")])
    private = ["pears/secrets.json", "stones/index.json.bak", "secrets.json", "_federation/mine.z", "pears/_search/x.z"]
    for name in (*private, "_federation/p-0123456789abcdef.z"):
        (root / name).write_text("SECRET")
    with serving(root, **{"serve.cors": True}) as server:
        report = check_federation(f"{server.url}federation.json", whole=True)
        assert (report.problems, report.warnings) == ((), ())
        assert client.get(f"{server.url}pears/explorer.html").status_code == 200
        assert client.get(f"{server.url}stones/explorer.html").status_code == 404  # none of its sites
        for name in (*private, "_federation/p-0123456789abcdef.z"):
            assert client.get(server.url + name).status_code == 404, name
        federate(str(root), [str(root / name) for name in ("apples", "pears", "stones")])
        assert client.get(f"{server.url}stones/explorer.html").status_code == 200
        (root / "federation.json").write_bytes(b"{}")
        assert client.get(f"{server.url}federation.json").status_code == 404
        assert client.get(f"{server.url}pears/explorer.html").status_code == 404
