"""A client that outlives a publication: what it held is forgotten once it is seen to be of before."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from javascript import CLIENT, needs_node, node_command

from infograph.build import build
from infograph.client import Client, ClientError
from infograph.config import load

pytestmark = pytest.mark.usefixtures("in_this_process")

Publish = Callable[..., Path]


def publisher(tmp_path: Path, *, elsewhere: bool) -> Publish:
    """Builds pages (name to text; None takes one away) into the same site."""
    docs, site = tmp_path / "docs", tmp_path / "site"
    docs.mkdir()

    def made(flags: Mapping[str, str] = MappingProxyType({}), **pages: str | None) -> Path:
        for name, text in pages.items():
            (docs / f"{name}.md").unlink(missing_ok=True)
            if text is not None:
                (docs / f"{name}.md").write_text(text, "utf-8")
        own = {"cache": str(tmp_path / "cache"), "model": "static"} | ({"out": str(site)} if elsewhere else {})
        build(load(str(docs), flags={**own, **flags}, environment={}))
        return site if elsewhere else docs

    return made


@pytest.fixture
def publish(tmp_path: Path) -> Publish:
    """In place, where names stay."""
    return publisher(tmp_path, elsewhere=False)


@pytest.fixture
def publish_elsewhere(tmp_path: Path) -> Publish:
    return publisher(tmp_path, elsewhere=True)


def page(word: str) -> str:
    return f"# Kettle\n\n{f'The kettle is {word}. ' * 30}\n"


@pytest.fixture(params=["folder", "http"])
def client(request: pytest.FixtureRequest, publish: Publish) -> Iterator[Client]:
    site = publish(kettle=page("green"), pot=f"# Pot\n\n{'A pot of tea. ' * 30}\n")
    fault_server: Any = request.getfixturevalue("fault_server_module")
    with (
        fault_server.running(site) as server,
        Client(site if request.param == "folder" else f"{server.url}site/", timeout=60) as client,
    ):
        yield client


def test_a_chunk_that_was_edited_costs_one_error_and_no_refresh(client: Client, publish: Publish) -> None:
    (hit,) = [hit for hit in client.search("kettle").hits if hit.page == "kettle.md"]
    item = next(item for document in client.topic("").documents.values() for item in document.items)
    assert item.href == hit.href
    publish(kettle=page("purple"))
    for held in (hit, item):
        with pytest.raises(ClientError, match="the chunk has changed") as caught:
            client.read(held)
        assert caught.value.code == "broken"
    assert "purple" in client.read(hit.href).text
    found = client.search("kettle").hits[0]
    assert "purple" in found.snippet and "purple" in client.read(found).text
    items = [item for document in client.topic("").documents.values() for item in document.items]
    assert all(client.read(item).text for item in items)


@pytest.mark.parametrize("client", ["folder"], indirect=True)
def test_the_error_says_that_the_site_was_published_anew_or_not(client: Client, publish: Publish) -> None:
    (hit,) = [hit for hit in client.search("kettle").hits if hit.page == "kettle.md"]
    with pytest.raises(ClientError) as same:
        client.read("_chunks/none-0.md")
    publish(kettle=None, jug=page("blue"))
    with pytest.raises(ClientError, match="published anew: look for it again") as caught:
        client.read(hit.href)
    assert (same.value.code, caught.value.code) == ("missing", "missing")
    assert "published anew" not in str(same.value)
    assert client.search("kettle").hits[0].page == "jug.md"
    with pytest.raises(ClientError) as again:
        client.read(hit)
    assert "published anew" not in str(again.value)


@pytest.mark.parametrize("client", ["folder"], indirect=True)
def test_indexes_alone_are_forgotten_too(client: Client, publish: Publish) -> None:
    item = client.topic("").documents["kettle"].items[0]
    publish(kettle=page("purple"))
    with pytest.raises(ClientError, match="published anew"):
        client.read(item)
    assert "purple" in client.read(client.topic("").documents["kettle"].items[0]).text


@pytest.mark.parametrize("client", ["folder"], indirect=True)
def test_what_a_model_should_read_is_of_the_publication_there_is(client: Client, publish: Publish) -> None:
    assert "green" in client.retrieve("green kettle").passages[0].text
    publish(kettle=page("purple"))
    context = client.retrieve("kettle")
    assert "purple" in context.passages[0].text and not context.missing


@pytest.mark.parametrize("client", ["folder"], indirect=True)
def test_where_nothing_was_read_before_nothing_is_said_of_a_publication(client: Client) -> None:
    with pytest.raises(ClientError) as caught:
        client.read("_chunks/none-0.md")
    assert caught.value.code == "missing"
    assert "published anew" not in str(caught.value)


def pages(word: str) -> dict[str, str]:
    return {"kettle": page(word), "pot": f"# Pot\n\n{'A pot of tea. ' * 30}\n"}


def test_what_a_client_holds_is_readable_for_two_publications(publish_elsewhere: Publish) -> None:
    with Client(publish_elsewhere(**pages("green"))) as client:
        held = client.topic("").documents["kettle"].items[0], client.search("kettle").hits[0]
        for word in ("purple", "blue"):
            publish_elsewhere(kettle=page(word))
            assert ["green" in client.read(what).text for what in held] == [True, True]
        publish_elsewhere(kettle=page("red"))
        for what in held:
            with pytest.raises(ClientError) as caught:
                client.read(what)
            assert caught.value.code == "missing", "another text is not what was asked for"
        assert "red" in client.read(held[0].href).text
        assert "red" in client.search("kettle").hits[0].snippet


def test_a_text_is_found_where_it_has_moved_to(publish_elsewhere: Publish) -> None:
    parts = {word: f"## {word}\n\n{f'The {word} kettle boils. ' * 60}\n" for word in ("green", "blue", "red")}
    with Client(publish_elsewhere(kettle=f"# Kettle\n\n{parts['green']}\n{parts['blue']}")) as client:
        held = next(item for item in client.topic("").documents["kettle"].items if item.title == "blue")
        for number in range(3):
            publish_elsewhere(kettle=f"# Kettle {number}\n\n{parts['green']}\n{parts['red']}\n{parts['blue']}")
        chunk = client.read(held)
        assert (chunk.sha256, chunk.href != held.href) == (held.sha256, True)


def test_an_index_that_leads_nowhere_any_more_is_read_again(publish_elsewhere: Publish, tmp_path: Path) -> None:
    (tmp_path / "docs/guide").mkdir()
    (tmp_path / "docs/guide/a.md").write_text(page("green"))
    with Client(publish_elsewhere(**pages("green"))) as client:
        assert [entry.id for entry in client.topic("").topics] == ["guide"]
        for word in ("purple", "blue", "red"):
            (tmp_path / "docs/guide/a.md").write_text(page(word))
            publish_elsewhere()
        items = client.topic("guide").documents["a"].items
        assert "red" in client.read(items[0]).text
        assert client.sample("guide", 1) and client.topics()


def test_the_plain_name_of_a_chunk_means_the_newest(publish_elsewhere: Publish) -> None:
    with Client(publish_elsewhere(**pages("green"))) as client:
        assert "green" in client.read("_chunks/kettle-0.md").text
        publish_elsewhere(kettle=page("purple"))
        client.refresh()
        assert "purple" in client.read("_chunks/kettle-0.md").text
        with pytest.raises(ClientError):
            client.read("_chunks/kettle-7.md")


ASKED = """
import { createInterface } from "node:readline";
const { Client } = await import(process.argv[1]);
const client = new Client(process.argv[2], { timeout: 60_000 });
for await (const line of createInterface(process.stdin)) {
  const [query, graph] = JSON.parse(line);
  const { hits, missing } = await client.search(query, { graph, links: false, rerank: false });
  const read = await Promise.all(hits.map(async ({ href, hops }) => [hops, (await client.read(href)).text]));
  console.log(JSON.stringify([read, missing]));
}
"""
"""Says of each query what its hits say, and by how many hops each was found."""


def section(title: str, text: str) -> str:
    return f"## {title}\n\n{f'{text} stands in this part. ' * 40}\n\n"


def of_brigham(*, first: bool) -> str:
    parts = [section("House", "John Brigham of Cresswell House"), section("Ferry", "A boat"), section("Tree", "A leaf")]
    return "# Places\n\n" + "".join(parts if first else parts[::-1])


Search = Callable[[str, int | None], tuple[list[tuple[int, str]], dict[str, str]]]


@contextmanager
def searching(language: str, address: str) -> Iterator[Search]:
    """A client that lives on, in Python or JavaScript: its hits, with their hops and texts, and what is missing."""
    if language == "Python":
        with Client(address, timeout=60) as client:

            def search(query: str, graph: int | None) -> tuple[list[tuple[int, str]], dict[str, str]]:
                answer = client.search(query, graph=graph, links=False, rerank=False)
                return [(hit.hops, client.read(hit).text) for hit in answer.hits], dict(answer.missing)

            yield search
        return
    command = node_command(ASKED, CLIENT, address)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdin and run.stdout
        asked, said = run.stdin, run.stdout

        def ask(query: str, graph: int | None) -> tuple[list[tuple[int, str]], dict[str, str]]:
            print(json.dumps([query, graph]), file=asked, flush=True)
            read, missing = json.loads(said.readline())
            return [(hops or 0, text) for hops, text in read], missing

        yield ask
        run.stdin.close()


@pytest.mark.parametrize("language", ["Python", pytest.param("JavaScript", marks=needs_node)])
@pytest.mark.parametrize("publications", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_the_graph_is_of_the_publication_whose_chunks_it_leads_to(
    publish_elsewhere: Publish, fault_server_module: Any, language: str, publications: int
) -> None:
    """A bundle that is held, and a graph that is read later: in another publication, other chunks have its places. It
    stays for two publications, and after these the client looks for what is published now."""
    kettle = "# Kettle\n\n" + section("Tea", "The kettle of John Brigham")
    others = {f"other{n}": f"# Other\n\n{section(f'Part {n}', f'Nothing of note {n}')}" for n in range(4)}
    graph = {"graph.entities": "terms"}
    site = publish_elsewhere(kettle=kettle, places=of_brigham(first=False), flags=graph, **others)
    with fault_server_module.running(site) as server, searching(language, f"{server.url}site/") as search:
        assert len(search("kettle", None)[0]) == 1
        for n in range(publications):
            publish_elsewhere(places=of_brigham(first=n % 2 == 0), flags=graph)
        hits, missing = search("kettle", 1)
        assert missing == {}
        assert [hops for hops, _ in hits] == [0, 1]
        assert "John Brigham" in hits[1][1]
