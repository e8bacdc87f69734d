"""Hits with their texts, in one call, the same of both clients."""

from __future__ import annotations

import asyncio
import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from javascript import CLIENT, needs_node, run_node

from infograph.build import build
from infograph.client import AsyncClient, Client
from infograph.commands.serving.server import Server
from infograph.config import load

pytestmark = pytest.mark.usefixtures("in_this_process")

SCRIPT = """
const { Client } = await import(process.argv[1]);
const client = new Client(process.argv[2], { timeout: 60_000 });
const found = [];
for (const [method, query, { judged, ...options }] of JSON.parse(process.argv[3])) {
  const shown = [];
  if (judged) options.rerank_with = (prompt) => (shown.push(prompt), "[2, 1]");
  const { hits, missing } = await client[method](query, { ...options, texts: true });
  found.push([hits.map(({ href, text }) => [href, text]), Object.keys(missing), shown]);
}
console.log(JSON.stringify(found));
"""
CALLS: list[tuple[str, str, dict[str, Any]]] = [
    ("search", "kettle", {}),
    ("search", "kettle", {"limit": 1}),
    ("search", "kettle", {"limit": 2, "offset": 1, "path": "guide"}),
    ("pages", "kettle water", {}),
    ("search", "kettle", {"judged": True}),
    ("search", "nothingofthekind", {}),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("texts")
    pages = {
        "index.md": "# Home\n\nA kettle { #boiler } and [a link](guide/one.md).\n",
        "guide/one.md": "# One\n\nThe kettle boils the water.\n\n{{% alert %}}\nA kettle is *hot*.\n{{% /alert %}}\n",
        "guide/two.md": "# Two\n\nWater for a kettle: größe ≥ 2.\n",
    }
    for name, text in pages.items():
        path = folder / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    build(load(str(folder / "docs"), flags={"out": str(folder / "site"), "model": "static"}, environment={}))
    return folder / "site"


@pytest.fixture
def url(site: Path) -> Iterator[str]:
    """The site behind a web server."""
    server = Server(site, "127.0.0.1", 0, quiet=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield server.url
    server.close()
    thread.join()


def told(client: Client, method: str, query: str, options: dict[str, Any]) -> list[Any]:
    options, shown = dict(options), []
    if options.pop("judged", False):
        options["rerank_with"] = lambda prompt: shown.append(prompt) or "[2, 1]"
    answer = getattr(client, method)(query, texts=True, **options)
    return [[[hit.href, hit.text] for hit in answer.hits], list(answer.missing), shown]


@pytest.mark.slow
def test_a_hit_has_the_text_that_reading_it_gives(site: Path) -> None:
    with Client(site) as client:
        hits = client.search("kettle", texts=True).hits
        assert len(hits) >= 3
        assert [hit.text for hit in hits] == [client.read(hit).readable for hit in hits]
        assert any("kettle is *hot*" in hit.text and "alert" not in hit.text for hit in hits)
        assert {hit.text for hit in client.search("kettle").hits} == {""}


async def _awaited(site: Path) -> list[str]:
    async with AsyncClient(site) as client:
        return [hit.text for hit in (await client.pages("kettle", texts=True)).hits]


def test_the_awaited_client_has_them_too(site: Path) -> None:
    texts = asyncio.run(_awaited(site))
    assert texts and all("ettle" in text for text in texts)


def test_a_chunk_that_cannot_be_read_has_none(site: Path, tmp_path: Path) -> None:
    shutil.copytree(site, tmp_path / "site")
    with Client(tmp_path / "site") as client:
        first, second, *_ = client.search("kettle").hits
        (tmp_path / "site" / first.href).unlink()
        (tmp_path / "site" / second.href).write_bytes(b"---\nsha256: x\n---\nA lie")
        answer = client.search("kettle", texts=True)
    assert {first.href, second.href} == set(answer.missing)
    assert [bool(hit.text) for hit in answer.hits] == [hit.href not in answer.missing for hit in answer.hits]


@needs_node
def test_both_clients_give_the_same_texts(url: str) -> None:
    theirs = run_node(SCRIPT, CLIENT, url, json.dumps(CALLS))
    with Client(url, timeout=60) as client:
        mine = [told(client, *call) for call in CALLS]
    assert theirs == mine
    assert mine[0][0][:2] == mine[4][0][1::-1], "the judge put the second before the first"
    assert len(mine[4][2]) == 1
