"""Readers in the middle of publications: what a client hands out is whole, and of one publication.

    publisher ─▶ a build of another version, again and again ─▶ folder ─▶ nginx ─▶ clients

A process of its own publishes, without waiting for the disk; every chunk says of which version it is.
"""

from __future__ import annotations

import itertools
import json
import multiprocessing
import os
import re
import shutil
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.client import Client, ClientError
from infograph.config import load

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the publisher is a fork of the test"),
]

READINGS = 1000
"""Of topics, and of searches, from the folder, and as many over HTTP: 2,000 of each."""
PATIENCE = 10.0
"""Seconds after which a reader gives up to find a whole topic."""
# Debian puts it where only root's PATH leads.
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
NODE = shutil.which("node")
WEB = Path(__file__).parents[2] / "infograph" / "web"

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
const client = new Client(process.argv[2]);
for (let left = Number(process.argv[3]); left; left--) {
  let topic = [], looks = 0;
  for (const end = Date.now() + 10000; !topic.length; looks++) {
    client.refresh();
    try {
      const { documents } = await client.topic("guide");
      const items = Object.values(documents).flatMap((document) => document.items);
      topic = await Promise.all(items.map(async (item) => (await client.read(item)).text));
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
  const { hits, total, missing } = await client.search("kettle", { limit: 50, collapse: false });
  console.log(JSON.stringify({ looks, topic, titles: hits.map((hit) => hit.title), total, missing }));
}
"""


def publish(docs: Path, site: Path) -> None:
    """One version after the other: pages come and go, and so do their chunks."""
    settings = load(str(docs), flags={"out": str(site), "jobs": 1}, environment={})
    for version in itertools.count():
        names = ["one", "two", "three"][: 2 + version % 2]
        for path in docs.glob("guide/*.md"):
            if path.stem not in names:
                path.unlink()
        for name in names:
            parts = [
                f"## Part {part} of {name} in version {version}\n\n" + f"The kettle of v{version} boils {part}. " * 45
                for part in range(1 + version % 3)
            ]
            (docs / f"guide/{name}.md").write_text("\n\n".join(parts) + "\n")
        assert not build(settings).errors


@pytest.fixture
def site(tmp_path: Path, quick, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that another version is published to all the time."""
    docs, site = tmp_path / "docs", tmp_path / "site"
    (docs / "guide").mkdir(parents=True)
    (tmp_path / "infograph.toml").touch()
    monkeypatch.setattr("infograph.build._SAVE_SECONDS", 0)
    publisher = multiprocessing.get_context("fork").Process(target=publish, args=(docs, site))
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


@pytest.fixture
def address(site: Path, tmp_path: Path) -> Iterator[str]:
    """The same behind nginx."""
    if NGINX is None:
        pytest.skip("needs nginx: apt-get install nginx-light")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (tmp_path / "nginx.conf").write_text(CONFIG.format(port=port, root=site))
    with subprocess.Popen([NGINX, "-p", str(tmp_path), "-e", "error.log", "-c", "nginx.conf"]) as server:
        try:
            while True:
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert server.poll() is None
                time.sleep(0.02)
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.terminate()


@pytest.fixture(params=["folder", "web"])
def client(request: pytest.FixtureRequest) -> Iterator[Client]:
    place = request.getfixturevalue("site" if request.param == "folder" else "address")
    with Client(place) as client:
        yield client


def test_a_topic_and_its_chunks(client: Client, figure: Callable[[str], None]) -> None:
    """Each chunk is the one that the index names, by its digest; one that is not there any more, or is another, means
    that the index is about to change: the reader looks at it again."""
    versions: Counter[int] = Counter()
    looks = 0
    for _ in range(READINGS):
        texts: list[str] = []
        end = time.monotonic() + PATIENCE
        while not texts:
            looks += 1
            client.refresh()
            try:
                items = [item for document in client.topic("guide").documents.values() for item in document.items]
                texts = [client.read(item).text for item in items]
            except ClientError:
                if time.monotonic() > end:
                    raise
        versions[whole(texts)] += 1
    said = f"{READINGS} of {READINGS} topics with their chunks whole, of {len(versions)} publications"
    figure(f"{said}; {looks - READINGS} times the reader had to look again")
    assert len(versions) > 3


def test_a_search(client: Client, figure: Callable[[str], None]) -> None:
    """Manifest and shards are of one publication, and all there, even when another has come between them."""
    versions: Counter[int] = Counter()
    for number in range(READINGS):
        client.refresh()
        if number % 50 == 0:  # a page that was opened a while ago
            client.highlight("kettle", "kettle")
            time.sleep(0.25)
        answer = client.search("kettle", limit=50, collapse=False)
        assert (answer.missing, len(answer.hits)) == ({}, answer.total)
        versions[whole([hit.title for hit in answer.hits])] += 1
    figure(f"{READINGS} of {READINGS} searches whole, of {len(versions)} publications")
    assert len(versions) > 3


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
def test_the_client_in_javascript(address: str, figure: Callable[[str], None]) -> None:
    assert NODE is not None
    readings = READINGS // 4
    command = [NODE, "--input-type=module", "-e", READER, str(WEB / "infograph.js"), address, str(readings)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert run.returncode == 0, run.stderr
    found: list[dict[str, Any]] = [json.loads(line) for line in run.stdout.splitlines()]
    versions = {whole(reading["topic"]) for reading in found}
    for reading in found:
        whole(reading["titles"])
        assert (reading["missing"], len(reading["titles"])) == ({}, reading["total"])
    looks = sum(reading["looks"] for reading in found)
    said = f"{readings} of {readings} topics with their chunks, and searches, whole, of {len(versions)} publications"
    figure(f"{said}; {looks - readings} times the reader had to look again")
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
