"""A client that outlives a publication: what it held is forgotten once it is seen to be of before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.client import Client, ClientError
from infograph.config import load

pytestmark = pytest.mark.usefixtures("in_this_process")

Publish = Callable[..., Path]


def publisher(tmp_path: Path, *, elsewhere: bool) -> Publish:
    """Builds pages (name to text; None takes one away) into the same site."""
    docs, site = tmp_path / "docs", tmp_path / "site"
    docs.mkdir()

    def made(**pages: str | None) -> Path:
        for name, text in pages.items():
            (docs / f"{name}.md").unlink(missing_ok=True)
            if text is not None:
                (docs / f"{name}.md").write_text(text, "utf-8")
        flags = {"cache": str(tmp_path / "cache"), "model": "static"} | ({"out": str(site)} if elsewhere else {})
        build(load(str(docs), flags=flags, environment={}))
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
