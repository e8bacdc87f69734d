"""Readers in the middle of publications: who follows links finds what they promise, and all of one publication.

    publisher ─▶ a build of another version, again and again ─▶ folder ─▶ nginx, `infograph serve` ─▶ readers

A process of its own publishes, without waiting for the disk; every chunk says of which version it is. No reader looks
again: what an `--out` tree leads to stays for two publications.
"""

from __future__ import annotations

import hashlib
import http.client
import itertools
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from javascript import CLIENT, needs_node, node_command

from infograph.build import build
from infograph.client import Client, ClientError
from infograph.config import load
from infograph.formats import pack, topic_spec
from infograph.formats.chunk_href import number_in_pack
from infograph.pipeline.kept import GENERATIONS
from infograph.search.format.layout import split_names

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the publisher is a fork of the test"),
]

READINGS = 1000
"""Of topics, and of searches, from the folder, and as many over HTTP: 2,000 of each."""
PROOF = bool(os.environ.get("PROOF"))
"""Whether the whole proof is asked for, as each night; it takes some minutes for each server."""
READS = 10_000 if PROOF else 1_000
"""Of a topic with all its chunks by a reader that follows links, over nginx and over `infograph serve`."""
PUBLICATIONS = 200 if PROOF else 20
"""At least, during these."""
# Debian puts it where only root's PATH leads.
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")

CONFIG = """
daemon off; master_process off; pid nginx.pid; error_log error.log;
events {{}}
http {{
  access_log off; sendfile on; keepalive_requests 1000000;
  client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t; uwsgi_temp_path t; scgi_temp_path t;
  server {{ listen 127.0.0.1:{port}; root "{root}"; }}
}}
"""

READER = """
const { Client } = await import(process.argv[1]);
const client = new Client(process.argv[2], { timeout: 60_000 });
for (let left = Number(process.argv[3]); left; left--) {
  client.refresh();
  const { documents } = await client.topic("guide");
  const items = Object.values(documents).flatMap((document) => document.items);
  const topic = await Promise.all(items.map(async (item) => (await client.read(item)).text));
  const graph = left % 2 || null;
  const { hits, total, missing } = await client.search("kettle", { limit: 50, collapse: false, graph });
  console.log(JSON.stringify({ topic, titles: hits.map((hit) => hit.title), total, missing }));
}
"""


def publish(docs: Path, site: Path, files: str) -> None:
    """One version after the other: pages come and go, and so do their chunks.

    files: `chunks.files`
    """
    flags = {"out": str(site), "jobs": 1, "chunks.files": files, "graph.entities": "terms"}
    settings = load(str(docs), flags=flags, environment={})
    for version in itertools.count():
        names = ["one", "two", "three"][: 2 + version % 2]
        for path in docs.glob("guide/*.md"):
            if path.stem not in names:
                path.unlink()
        for name in names:
            parts = [
                f"## Part {part} of {name} in version {version}\n\n`kettle_v{version}` `{name}_part_{part}`: "
                + f"The kettle of v{version} boils {part}. " * 45
                for part in range(1 + version % 3)
            ]
            (docs / f"guide/{name}.md").write_text("\n\n".join(parts) + "\n")
        assert not build(settings).errors


@pytest.fixture(params=["each", "pack"])
def site(request: pytest.FixtureRequest, tmp_path: Path, quick, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that another version is published to all the time, with a file for each chunk or with packs."""
    docs, site = tmp_path / "docs", tmp_path / "site"
    (docs / "guide").mkdir(parents=True)
    (tmp_path / "infograph.toml").touch()
    monkeypatch.setattr("infograph.build._SAVE_SECONDS", 0)
    publisher = multiprocessing.get_context("fork").Process(target=publish, args=(docs, site, request.param))
    publisher.start()
    try:
        while not (site / "index.json").exists():
            assert publisher.is_alive()
            time.sleep(0.02)
        yield site
        assert publisher.is_alive(), "the publisher failed"
    finally:
        publisher.kill()
        publisher.join()


Address = Callable[[str], AbstractContextManager[str]]


@pytest.fixture
def address_behind(site: Path, tmp_path: Path, listening: Callable[..., AbstractContextManager[str]]) -> Address:
    """address_behind(server): the folder's address behind nginx, or behind `infograph serve`, as a context."""

    def nginx(port: int) -> list[str]:
        (tmp_path / "nginx.conf").write_text(CONFIG.format(port=port, root=site))
        return [str(NGINX), "-p", str(tmp_path), "-e", "error.log", "-c", "nginx.conf"]

    def behind(server: str) -> AbstractContextManager[str]:
        if server == "nginx" and NGINX is None:
            pytest.skip("needs nginx: apt-get install nginx-light")
        return listening(nginx) if server == "nginx" else serve(site)

    return behind


@contextmanager
def serve(site: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "infograph", "serve", str(site), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            assert server.stdout is not None
            said = ""
            while not (found := re.search(r"http://[^\s/]+/", said)):
                line = server.stdout.readline()
                assert line, said
                said += line
            yield found[0]
        finally:
            server.terminate()


@pytest.fixture
def address(address_behind: Address) -> Iterator[str]:
    """The same behind nginx."""
    with address_behind("nginx") as address:
        yield address


@pytest.fixture(params=["folder", "web"])
def client(request: pytest.FixtureRequest, site: Path) -> Iterator[Client]:
    place = site if request.param == "folder" else request.getfixturevalue("address")
    with Client(place, timeout=60) as client:
        yield client


class Reader:
    """Follows links as any program may, and keeps nothing: from the root to a topic, its chunks and its specification,
    and to the search bundle with its graph."""

    def __init__(self, address: str) -> None:
        host, port = address.removeprefix("http://").rstrip("/").split(":")
        self.connection = http.client.HTTPConnection(host, int(port), timeout=120)

    def read(self, path: str) -> bytes | None:
        """A file; None where there is none."""
        self.connection.request("GET", path)
        reply = self.connection.getresponse()
        data = reply.read()
        assert reply.status in (200, 404), f"{path}: {reply.status}"
        return data if reply.status == 200 else None

    def topic(self) -> tuple[int, bool]:
        """The version of a topic's chunks, found from the root's index, and whether all files were there; each is the
        one that its index names, and specification and graph are of the same version."""
        index = json.loads(self.read("/index.json") or b"")
        (at,) = (entry["_links"]["self"]["href"] for entry in index["_embedded"]["topics"])
        topic = json.loads(self.read(f"/{at}") or b"")
        chunks = topic["_embedded"]["chunks"]
        items = [item for key, document in chunks.items() if key != "_links" for item in document["items"]]
        version, texts = whole([item["title"] for item in items]), []
        for item in items:
            data = self.read(f"/guide/{item['href']}")
            if data is None:
                return version, False
            if (number := number_in_pack(item["href"])) is not None:
                data = pack.parse(item["href"], data).file(item["href"], number)
            body = data.partition(b"\n---\n")[2]
            assert hashlib.sha256(body).hexdigest() == item["sha256"], item["href"]
            texts.append(body.decode())
        assert whole(texts) == version
        spec = self.read(f"/guide/{topic['_links']['topic-spec']['href']}")
        if spec is None:
            return version, False
        sources = topic_spec.parse("topic-spec.md", spec).sources
        assert [chunk.sha256 for own in sources for chunk in own.chunks] == [item["sha256"] for item in items]
        return version, self.graph(index["_links"]["search"]["href"], version)

    def graph(self, manifest: str, version: int) -> bool:
        """Whether all of the graph was there that the search bundle leads to; each name in it is of one version."""
        bundle = self.read(f"/{manifest}")
        said = json.loads(bundle)["graph"] if bundle else {"href": "", "sha256": ""}
        data = self.read(f"/{said['href'].removeprefix('../')}") if bundle else None
        if data is None:
            return False
        assert hashlib.sha256(data).hexdigest() == said["sha256"]
        keys = set[str]()
        for name in split_names(json.loads(data)["entity_shards"]["names"]):
            shard = self.read(f"/_graph/{name}") if name else b""
            if shard is None:
                return False
            keys |= json.loads(zlib.decompress(shard)).keys() if shard else set()
        assert {key for key in keys if key.startswith("kettle v")} == {f"kettle v{version}"}
        return True


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("server", ["nginx", "serve"])
def test_thousands_of_reads(address_behind: Address, server: str, figure: Callable[[str], None]) -> None:
    versions: Counter[int] = Counter()
    late = 0
    with address_behind(server) as address:
        reader = Reader(address)
        with closing(reader.connection):
            while versions.total() < READS or max(versions) - min(versions) < PUBLICATIONS:
                version, is_whole = reader.topic()
                versions[version] += is_whole
                if not is_whole:  # held up for longer than files are kept
                    newer, _ = reader.topic()
                    assert newer >= version + GENERATIONS
                    late += 1
    assert late <= READS // 100
    reads, during = versions.total(), max(versions) - min(versions)
    figure(f"{reads:,} of {reads:,} reads over {server} during {during} publications; {late} readers held up")


def test_a_topic_and_its_chunks(client: Client, figure: Callable[[str], None]) -> None:
    versions: Counter[int] = Counter()
    while versions.total() < READINGS or len(versions) < 4:  # the publisher may be slow
        client.refresh()
        items = [item for document in client.topic("guide").documents.values() for item in document.items]
        versions[whole([client.read(item).text for item in items])] += 1
    count = versions.total()
    figure(f"{count} of {count} topics with their chunks whole, of {len(versions)} publications")


def test_a_search(client: Client, figure: Callable[[str], None]) -> None:
    """Manifest and shards are of one publication, and all there, even when another has come between them; and so are
    the chunks that they lead to, for as many publications as files are kept: a reader that was held up for longer is
    told to look again."""
    versions: Counter[int] = Counter()
    late = 0
    while (number := versions.total()) < READINGS or len(versions) < 4:
        client.refresh()
        if number % 50 == 0:  # a page that was opened a while ago
            client.highlight("kettle", "kettle")
            time.sleep(0.25)
        answer = client.search("kettle", limit=50, collapse=False, graph=number % 2 or None)
        assert (answer.missing, len(answer.hits)) == ({}, answer.total)
        version = whole([hit.title for hit in answer.hits])
        versions[version] += 1
        if number % 10 == 0:
            try:
                whole([client.read(hit).text for hit in answer.hits])
            except ClientError as error:
                assert "published anew" in error.hint
                newer = client.search("kettle", limit=50, collapse=False).hits
                assert whole([hit.title for hit in newer]) >= version + GENERATIONS
                late += 1
    count = versions.total()
    figure(f"{count} of {count} searches whole, of {len(versions)} publications; {late} readers held up")
    assert late <= count // 100


@needs_node
def test_the_client_in_javascript(address: str, figure: Callable[[str], None]) -> None:
    readings = READINGS // 4
    command = node_command(READER, CLIENT, address, str(readings))
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1000)
    assert run.returncode == 0, run.stderr
    found: list[dict[str, Any]] = [json.loads(line) for line in run.stdout.splitlines()]
    versions = {whole(reading["topic"]) for reading in found}
    for reading in found:
        whole(reading["titles"])
        assert (reading["missing"], len(reading["titles"])) == ({}, reading["total"])
    said = f"{readings} of {readings} topics with their chunks, and searches, whole, of {len(versions)} publications"
    figure(said)
    assert len(found) == readings


def whole(texts: list[str]) -> int:
    """The version of chunks, all of it and nothing else."""
    found = {tuple(map(int, part.groups())) for text in texts for part in [re.search(HEADING, text)] if part}
    versions = {version for *_, version in found}
    assert len(versions) == 1, f"of several publications: {sorted(texts)}"
    (version,) = versions
    assert len(texts) == (2 + version % 2) * (1 + version % 3), sorted(texts)
    return version


HEADING = re.compile(r"Part (\d+) of \w+ in version (\d+)")
