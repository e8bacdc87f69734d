"""When the site's own model has a say: of the client's own accord, where the site says that it pays; or as told."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from infograph.client import Answer, AsyncClient, Client, ClientError, embedded
from infograph.embedding import identify
from infograph.errors import ModelError

pytestmark = pytest.mark.usefixtures("in_this_process")

QUERY = "clear the embedding cache"
MANIFEST = "_search/manifest.json"


@pytest.fixture
def saying(site: Path, changed: Callable[..., Path]) -> Callable[..., Path]:
    """The tree whose manifest says something else of its vectors. (It is built with the static model.)"""

    def make(**fields: Any) -> Path:
        manifest = json.loads((site / MANIFEST).read_bytes())
        manifest["vectors"] |= fields
        return changed(**{MANIFEST: json.dumps(manifest).encode()})

    return make


def answers(client: Client, **options: Any) -> list[Any]:
    return [
        client.search(QUERY, limit=20, **options),
        client.pages(QUERY, limit=20, **options),
        client.retrieve(QUERY, 900, **options),
    ]


def test_the_model_is_asked_where_the_site_says_that_it_pays(saying: Callable[..., Path]) -> None:
    for pays in (True, False):
        client = Client(saying(rerank=pays), timeout=60)
        plain, ordered = answers(client, rerank=False), answers(client, rerank=True)
        assert plain[0].hits != ordered[0].hits
        assert answers(client) == answers(client, rerank=None) == (ordered if pays else plain)


def test_a_manifest_that_says_nothing_of_it_means_no(site: Path, changed: Callable[..., Path]) -> None:
    manifest = json.loads((site / MANIFEST).read_bytes())
    assert manifest["vectors"].pop("rerank") is False, "static knows no more than the postings"
    client = Client(changed(**{MANIFEST: json.dumps(manifest).encode()}), timeout=60)
    assert answers(client) == answers(client, rerank=False)


def test_the_awaited_client_asks_it_too(saying: Callable[..., Path], fault_server_module: Any) -> None:
    root = saying(rerank=True)

    async def ask(source: str | Path) -> list[Any]:
        async with AsyncClient(source, timeout=60) as client:
            some = [client.search(QUERY, limit=20), client.pages(QUERY, limit=20), client.retrieve(QUERY, 900)]
            return list(await asyncio.gather(*some))

    expected = [answer.hits for answer in answers(Client(root, timeout=60), rerank=True)[:2]]
    with fault_server_module.running(root) as server:
        for source in (root, f"{server.url}site/"):
            found = asyncio.run(ask(source))
            assert [[hit.href for hit in own.hits] for own in found[:2]] == [
                [hit.href for hit in hits] for hits in expected
            ]


@pytest.mark.slow
@pytest.mark.parametrize("query", ["claer the embedding cahce", "Cahce, claer!"])
def test_the_model_is_asked_with_what_was_meant(
    saying: Callable[..., Path], query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is loaded already or not."""
    root = saying(rerank=True)
    right = query.replace("laer", "lear").replace("ahce", "ache")
    for rerank in (True, None):
        monkeypatch.setattr(embedded, "_LOADED", {})
        client = Client(root, timeout=60)
        for _ in range(2):
            found, expected = client.search(query, rerank=rerank), client.search(right, rerank=rerank)
            assert set(found.corrected.values()) == {"clear", "cache"}
            assert found.hits == expected.hits != client.search(right, rerank=False).hits


@pytest.mark.parametrize("model", ["", "static-256@000000000000", "./folder@1", "evil/model@1"])
def test_without_the_sites_model_the_answer_is_the_plain_one(saying: Callable[..., Path], model: str) -> None:
    client = Client(saying(rerank=True, model=model), timeout=60)
    assert answers(client) == answers(client, rerank=False)
    for ask in (client.search, client.pages, client.retrieve):
        with pytest.raises(ClientError, match="the site's chunks were embedded with") as caught:
            ask(QUERY, rerank=True)  # type: ignore[operator]
        assert (caught.value.code, caught.value.place) == ("unknown", "rerank")


def test_a_damaged_model_costs_a_note(saying: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(*_: object) -> None:
        raise ModelError("table.npy", "is not the file that was shipped", "Install it again")

    monkeypatch.setattr(embedded, "_vector", damaged)
    client = Client(saying(rerank=True), timeout=60)
    plain = client.search(QUERY, rerank=False)
    answer = client.search(QUERY)
    assert answer.hits == plain.hits
    (note,) = answer.notes
    assert note.startswith("not put in order by the site's model: table.npy: is not the file")
    with pytest.raises(ModelError, match="is not the file that was shipped"):
        client.search(QUERY, rerank=True)


def test_what_is_told_to_have_no_say_loads_nothing(
    saying: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "embed_query", None)
    client = Client(saying(rerank=True), timeout=60)
    assert all(answers(client, rerank=False))
    assert client.match("How do I install infograph?")


@pytest.fixture(
    params=[
        "awaited",
        "folder",
        *(pytest.param(how, marks=pytest.mark.slow) for how in ("threaded", "folder awaited")),
    ]
)
def search(
    request: pytest.FixtureRequest, saying: Callable[..., Path], fault_server_module: Any
) -> Iterator[Callable[..., Answer]]:
    """One search by a client of its own, of a site that says that its model pays."""
    root = saying(rerank=True)

    async def ask(source: str | Path, timeout: float, **options: Any) -> Answer:
        async with AsyncClient(source, timeout=timeout) as client:
            return await client.search(QUERY, **options)

    with fault_server_module.running(root) as server:
        source = root if "folder" in request.param else f"{server.url}site/"

        def once(timeout: float, **options: Any) -> Answer:
            if "awaited" in request.param:
                return asyncio.run(ask(source, timeout, **options))
            with Client(source, timeout=timeout) as client:
                return client.search(QUERY, **options)

        yield once


def test_the_models_time_is_the_calls(search: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "embed_query", lambda model, query: time.sleep(2.5))
    with pytest.raises(ClientError) as caught:
        search(1.6, rerank=True)
    assert caught.value.code == "timeout"


@pytest.mark.slow
def test_one_question_has_one_answer_whether_the_model_is_loaded_or_not(
    search: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    embed = embedded.embed_query
    plain = search(60, rerank=False)
    monkeypatch.setattr(embedded, "_LOADED", {})
    embedded._vector.cache_clear()

    def slowly(model: str, query: str) -> tuple[float, ...]:
        time.sleep(0.7)
        return embed(model, query)

    monkeypatch.setattr(embedded, "embed_query", slowly)
    first = search(60)
    monkeypatch.setattr(embedded, "embed_query", embed)
    assert embedded._LOADED
    assert first == search(60) == search(60, rerank=True) != plain
    assert first.notes == ()


def test_a_call_that_is_too_short_for_the_model_fails_and_never_answers_otherwise(
    search: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    embed = embedded.embed_query

    def slowly(model: str, query: str) -> tuple[float, ...]:
        time.sleep(2.5)
        return embed(model, query)

    monkeypatch.setattr(embedded, "embed_query", slowly)
    for _ in range(2):
        with pytest.raises(ClientError) as caught:
            search(1.6)
        assert caught.value.code == "timeout"


def test_options_are_looked_at_before_anything_is_read(tmp_path: Path) -> None:
    client = Client(tmp_path)
    for ask in (client.search, client.pages, client.retrieve):
        for value in (1, 0, "yes", [], 0.5):
            with pytest.raises(ClientError, match="rerank: has to be True, False, None or a function, not") as caught:
                ask("cache", rerank=value)  # type: ignore[operator]
            assert caught.value.code == "unknown"
    with pytest.raises(ClientError, match="limit: has to be"):
        client.search("cache", limit=-1)


@pytest.mark.slow
def test_a_site_of_the_default_model_is_asked_by_it(tmp_path: Path) -> None:
    """From sources to an answer, with the model itself."""
    from infograph.build import build
    from infograph.config import load

    docs = tmp_path / "docs"
    docs.mkdir()
    for name, text in {"a": "Remove a stored result.", "b": "Delete the cache.", "c": "The cache is a folder."}.items():
        (docs / f"{name}.md").write_text(f"# Page {name}\n\n{text}\n", "utf-8")
    build(load(str(docs), flags={"out": str(tmp_path / "site")}, environment={}))
    client = Client(tmp_path / "site", timeout=60)
    assert client.search("cache") == client.search("cache", rerank=True) != client.search("cache", rerank=False)


def test_a_page_pasted_in_is_embedded_as_far_as_a_query_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    embedded_texts: list[str] = []
    monkeypatch.setattr(embedded, "_vector", lambda name, text: embedded_texts.append(text) or (1.0,))
    model = "@".join(identify("static"))
    for length in (4096, 4097, 100_000):
        embedded.embed_query(model, "x" * length)
    assert [len(text) for text in embedded_texts] == [4096] * 3


def test_what_is_no_model_of_this_release_is_named_as_far_as_a_line_goes() -> None:
    for model, end in (("x" * 100, ", which is no model of this release"), (f"static-256@{'0' * 100}", ", and this ")):
        with pytest.raises(ClientError) as caught:
            embedded.embed_query(model, "cache")
        assert caught.value.reason.startswith(f"the site's chunks were embedded with {model[:80]!r}{end}")


def test_a_model_is_loaded_once_and_a_query_embedded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from infograph import embedding

    loaded: list[tuple[str, int]] = []
    load = embedding.load
    monkeypatch.setattr(embedding, "load", lambda name, threads: loaded.append((name, threads)) or load(name, threads))
    monkeypatch.setattr(embedded, "_LOADED", {})
    embedded._vector.cache_clear()
    model = "@".join(identify("static"))
    first = embedded.embed_query(model, "a query of its own")
    assert embedded.embed_query(model, "a query of its own") is first
    assert embedded.embed_query(model, "another") != first
    assert loaded == [("static", 1)], "by one thread: a query is short"
    assert embedded._vector.cache_parameters()["maxsize"] == 64
    assert embedded.own_map(model) is embedded.own_map(model)
    assert sum(number * number for number in first) == pytest.approx(1)
