"""The configurations of the guide's page on hosts, tried with the servers themselves."""

from __future__ import annotations

import gzip
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from urllib.parse import quote, unquote

import httpx2
import pytest

from infograph.build import build
from infograph.commands.check.crawl import check
from infograph.config import load

PAGE = (Path(__file__).parents[2] / "sample-docs/publishing/hosts.md").read_text("utf-8")
FOREVER, REVALIDATED = "public, max-age=31536000, immutable", "no-cache"

# Debian puts it where only root's PATH leads.
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
CADDY = shutil.which("caddy")

AROUND_NGINX = """
daemon off; master_process off; pid nginx.pid; error_log error.log;
events {{}}
http {{
  access_log off;
  client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t; uwsgi_temp_path t; scgi_temp_path t;
  {block}
}}
"""
MIME_TYPES = """
types {
  text/html html; text/css css; application/javascript js; application/json json; text/plain txt; image/svg+xml svg;
}
"""
"""As much of the file that nginx comes with as a graph needs."""


def block(language: str, site: Path, listen: str, port: int) -> str:
    """A server's configuration on the page, for a folder of ours and a free port."""
    found = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert len(found) == 1
    text: str = found[0]
    assert "/srv/site" in text
    assert listen in text
    return text.replace("/srv/site", f'"{site}"').replace(listen, listen.replace("80", f"127.0.0.1:{port}"))


def nginx(folder: Path, site: Path, port: int) -> list[str]:
    assert NGINX is not None
    (folder / "mime.types").write_text(MIME_TYPES)
    (folder / "nginx.conf").write_text(AROUND_NGINX.format(block=block("nginx", site, "listen 80;", port)))
    return [NGINX, "-p", str(folder), "-e", "error.log", "-c", "nginx.conf"]


def caddy(folder: Path, site: Path, port: int) -> list[str]:
    assert CADDY is not None
    text = block("caddyfile", site, "docs.example.org", port).replace("docs.example.org", f"http://127.0.0.1:{port}")
    (folder / "Caddyfile").write_text("{\n    admin off\n}\n" + text)
    return [CADDY, "run", "--config", "Caddyfile"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small graph as it is published: with some files compressed beforehand."""
    folder = tmp_path_factory.mktemp("hosts")
    docs = folder / "docs"
    (docs / "guide").mkdir(parents=True)
    (docs / "index.md").write_text("# Home\n\nWhere to begin.\n")
    (docs / "guide" / "caché.md").write_text(
        "# Caché\n\n" + "How the cache is cleared, word for word.\n\n" * 100, "utf-8"
    )
    out = folder / "site"
    summary = build(load(str(docs), flags={"out": str(out), "model": "static"}, environment={}))
    assert not summary.errors
    index = out / "guide" / "index.json"
    index.with_name("index.json.gz").write_bytes(gzip.compress(index.read_bytes(), mtime=0))
    return out


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(nginx, marks=pytest.mark.skipif(NGINX is None, reason="needs nginx: apt-get install nginx-light")),
        pytest.param(caddy, marks=pytest.mark.skipif(CADDY is None, reason="needs caddy: apt-get install caddy")),
    ],
    ids=["nginx", "caddy"],
)
def server(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    site: Path,
    listening: Callable[..., AbstractContextManager[str]],
) -> Iterator[httpx2.Client]:
    make: Callable[[Path, Path, int], list[str]] = request.param
    folder = tmp_path_factory.mktemp(make.__name__)
    environment = os.environ | {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (
        listening(lambda port: make(folder, site, port), cwd=folder, env=environment) as url,
        httpx2.Client(base_url=url, headers={"Accept-Encoding": "gzip"}, timeout=120) as client,
    ):
        yield client


CHUNK = "guide/_chunks/cach%C3%A9.*-0.md"
"""The star stands for the version of a chunk, which `at` finds."""


def at(site: Path, path: str) -> str:
    """The address of a file whose name may have a version."""
    (found,) = site.glob(unquote(path))
    return quote(found.relative_to(site).as_posix())


TYPES = {
    "index.json": "application/json",
    "guide/index.json": "application/json",
    CHUNK: "text/markdown; charset=utf-8",
    "_search/manifest.json": "application/json",
    "infograph.js": r"(?:application|text)/javascript; charset=utf-8",
    "infograph/infograph.js": r"(?:application|text)/javascript; charset=utf-8",
    "infograph/explorer/icon.svg": r"image/svg\+xml",
    "explorer.html": "text/html; charset=utf-8",
    "llms.txt": "text/plain; charset=utf-8",
}


@pytest.mark.slow
@pytest.mark.parametrize("path", TYPES)
def test_files_that_are_not_shards_are_revalidated(server: httpx2.Client, site: Path, path: str) -> None:
    address = at(site, path)
    reply = server.get(address)
    assert reply.status_code == 200
    assert re.fullmatch(TYPES[path], reply.headers["Content-Type"])
    assert reply.headers["Cache-Control"] == REVALIDATED
    assert reply.headers["Access-Control-Allow-Origin"] == "*"
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    again = server.get(address, headers={"If-None-Match": reply.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.slow
def test_shards_stay_in_caches_and_are_not_compressed_again(server: httpx2.Client, site: Path) -> None:
    shards = sorted(path.name for path in (site / "_search").glob("*.z"))
    assert {name[0] for name in shards} == set("cdmnpvw")
    for name in shards[::20]:
        reply = server.get(f"_search/{name}")
        assert reply.content == (site / "_search" / name).read_bytes()
        assert reply.headers["Content-Type"] == "application/octet-stream"
        assert reply.headers["Cache-Control"] == FOREVER
        assert reply.headers["Access-Control-Allow-Origin"] == "*"
        assert "Content-Encoding" not in reply.headers


@pytest.mark.parametrize("path", ["guide/index.json", CHUNK, "infograph/infograph.js"])
def test_text_is_compressed_for_those_who_take_it(server: httpx2.Client, site: Path, path: str) -> None:
    address = at(site, path)
    small, plain = server.get(address), server.get(address, headers={"Accept-Encoding": "identity"})
    assert small.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert small.content == plain.content
    assert small.headers["Vary"] == "Accept-Encoding"


def test_what_was_compressed_beforehand_is_sent_as_it_is(server: httpx2.Client, site: Path) -> None:
    with server.stream("GET", "guide/index.json") as reply:
        assert b"".join(reply.iter_raw()) == (site / "guide" / "index.json.gz").read_bytes()
    assert server.get("guide/index.json", headers={"Accept-Encoding": ""}).json()["id"] == "guide"


@pytest.mark.parametrize("path", [".infograph/output", "_chunks/none.md", "_search/p-0000000000000000.z"])
def test_what_is_not_there_is_404_and_other_origins_may_know(server: httpx2.Client, path: str) -> None:
    reply = server.get(path)
    assert reply.status_code == 404
    assert reply.headers["Access-Control-Allow-Origin"] == "*"


def test_the_published_graph_checks_out(server: httpx2.Client) -> None:
    report = check(str(server.base_url))
    assert report.problems == report.warnings == ()
