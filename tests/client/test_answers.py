"""The answers of `infograph.js`, by both clients, from a folder and from a web server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from infograph.client import AsyncClient, Client, ClientError, opened_tree, tree
from infograph.client.place import web_place
from infograph.client.unfound import NOTHING_BELOW
from infograph.formats.chunk_href import chunk_at
from infograph.search.reading.rankings import NO_WORDS, NOTHING_ASKED

Change = Callable[..., Path]


def shown(hits: Any) -> list[list[Any]]:
    return [[f"{hit.page}#{hit.index}", hit.score] for hit in hits]


def agree(found: list[list[Any]], expected: list[list[Any]]) -> bool:
    return [row[0] for row in found] == [row[0] for row in expected] and all(
        abs(a[1] - b[1]) <= 0.01 for a, b in zip(found, expected, strict=True)
    )


COMMON = ("the of and", "what it does", "how, use, it")


@pytest.mark.parametrize("how", ["search", "pages"])
def test_the_same_chunks_with_the_same_scores(client: Client, expected: dict[str, Any], how: str) -> None:
    for query, hits in expected[how].items():
        answer = getattr(client, how)(query, limit=5)
        assert agree(shown(answer.hits), hits), query
        notes = (NOTHING_ASKED,) if query in COMMON else (NO_WORDS,) if query in ("…", "") else ()
        assert (dict(answer.missing), answer.notes) == ({}, notes)
        assert answer.corrected == expected["corrected"][query]


def test_words_are_searched_as_they_are_where_that_is_asked_for(client: Client, expected: dict[str, Any]) -> None:
    for query, hits in expected["exact"].items():
        answer = client.search(query, limit=5, exact=True)
        assert agree(shown(answer.hits), hits) and answer.corrected == {}, query
    slip = next(query for query, words in expected["corrected"].items() if words)
    assert client.retrieve(slip, 300).corrected == expected["corrected"][slip]
    assert client.retrieve(slip, 300, exact=True).corrected == {}


@pytest.mark.parametrize("how", ["complete", "correct"])
def test_the_same_words(client: Client, expected: dict[str, Any], how: str) -> None:
    for word, terms in expected[how].items():
        answer = getattr(client, how)(word)
        assert [list(row) for row in answer.terms] == terms, word
        assert (dict(answer.missing), answer.notes) == ({}, ())
    assert getattr(client, how)("").terms == ()


def test_the_same_chunks_for_a_question(client: Client, expected: dict[str, Any]) -> None:
    for question, found in expected["match"].items():
        answer = [[hit.matched_question.distance, chunk_at(hit.href)] for hit in client.match(question)]
        assert answer == [[distance, chunk_at(href)] for distance, href in found], question
    assert client.match("How do I install infograph?", topic="reference") == []


@pytest.mark.parametrize("where", ["folder", "http"])
@pytest.mark.parametrize("files", ["each", "pack"])
def test_the_awaited_client_gives_the_same(
    site: Path, server: Any, packed: Path, packed_server: Any, where: str, files: str
) -> None:
    root, served = (site, server) if files == "each" else (packed, packed_server)
    client = Client(root, timeout=60)

    async def ask() -> None:
        async with AsyncClient(root if where == "folder" else f"{served.url}site", timeout=60) as awaited:
            found = await asyncio.gather(
                awaited.search("clear the embedding cache"),
                awaited.pages("build", offset=2),
                awaited.complete("conf"),
                awaited.correct("chuhk"),
                awaited.highlight("clearing caches", "Clear the cache"),
                awaited.passage("clearing caches", "Clear the cache"),
                awaited.topics(),
                awaited.topic("guide"),
                awaited.sample("reference", 5, "technical"),
                awaited.match("How do I install infograph?"),
                awaited.read("guide/_chunks/install-1.md"),
                awaited.retrieve("how do I configure the cache?", 700),
            )
        assert [_without_urls(answer) for answer in found] == [
            _without_urls(answer)
            for answer in (
                client.search("clear the embedding cache"),
                client.pages("build", offset=2),
                client.complete("conf"),
                client.correct("chuhk"),
                client.highlight("clearing caches", "Clear the cache"),
                client.passage("clearing caches", "Clear the cache"),
                client.topics(),
                client.topic("guide"),
                client.sample("reference", 5, "technical"),
                client.match("How do I install infograph?"),
                client.read("guide/_chunks/install-1.md"),
                client.retrieve("how do I configure the cache?", 700),
            )
        ]

    asyncio.run(ask())


def _without_urls(answer: Any) -> Any:
    """What an answer says, whoever gave it: a folder has no address of the web, and times differ."""
    import re

    return re.sub(r"\burl='[^']*'|\bstats=Stats\([^)]*\)", "", repr(answer))


def test_a_hit_says_where_it_is_read_and_where_it_is_rendered(server: Any) -> None:
    with Client(f"{server.url}site/index.json", timeout=60) as client:
        hit = client.search("github pages underscore folders").hits[0]
        assert hit.url == f"{server.url}site/{hit.page_url}#{hit.anchor}".rstrip("#")
        published = tree.PublishedTree(web_place(f"{server.url}site/"))
        (unknown,) = published.with_urls([replace(hit, page_url="")])
        assert unknown.url == f"{server.url}site/{hit.href}", "the chunk, where no page is known"
        chunk = client.read(hit)
        assert chunk.sha256.startswith(hit.sha256)
        assert "\ntitle: " in f"\n{chunk.front_matter}"
        assert client.read(hit.href) == chunk


@pytest.mark.parametrize("how", ["search", "pages"])
def test_offset_goes_on_where_limit_ended(folder: Client, how: str) -> None:
    find = getattr(folder, how)
    everything = find("build", limit=9)
    assert everything.total >= 9
    assert find("build", limit=5, offset=4).hits == everything.hits[4:]
    assert find("build", offset=10_000).hits == find("build", limit=0).hits == ()


def test_path_and_filters_choose_among_the_same_hits_in_the_same_order(folder: Client) -> None:
    everything = folder.search("build a graph", limit=200).hits
    paths = {path: path.strip("/") for path in ("guide", "/guide/", "guide/builds.md", "nowhere", "gui", "../guide")}
    paths |= {"./guide": "guide", ".": "", "reference//formats/.": "reference/formats"}  # as people write them
    for path, inside in paths.items():
        wanted = tuple(hit for hit in everything if hit.page == inside or hit.page.startswith(inside and f"{inside}/"))
        assert folder.search("build a graph", path=path, limit=200).hits == wanted
        assert folder.search("build a graph", path=path, limit=3, offset=1).hits == wanted[1:4]
    filters = {"page_title": ["Builds", "Hosts"], "index": 0}
    assert folder.search("build a graph", filters=filters, limit=200).hits == tuple(
        hit for hit in everything if hit.index == 0 and hit.page_title in {"Builds", "Hosts"}
    )
    section = everything[0].section_path[0]
    found = folder.search("build a graph", filters={"section_path": section}, limit=200).hits
    assert found == tuple(hit for hit in everything if section in hit.section_path)
    pages = [hit.page for hit in folder.pages("build a graph", path="guide", limit=200).hits]
    assert len(set(pages)) == len(pages)
    with pytest.raises(ClientError, match='no field "colour"') as caught:
        folder.search("build", filters={"colour": "red"})
    assert caught.value.code == "unknown"


@pytest.mark.parametrize("how", ["search", "pages"])
@pytest.mark.parametrize("query", ["build a graph", "clear the cache", "zebra", ""])
def test_a_total_says_what_it_is_worth(folder: Client, how: str, query: str) -> None:
    find = getattr(folder, how)
    for options in ({}, {"path": "guide"}, {"filters": {"index": [0, 1]}}, {"collapse": False}, {"diversity": 0.5}):
        every = find(query, limit=5000, **options)
        assert (every.total, every.total_relation) == (len(every.hits), "eq")
        for limit in (0, 1, 3, 70):
            some = find(query, limit=limit, **options)
            relation = some.total_relation
            assert relation == "eq" or (relation == "gte") == ("path" in options or "filters" in options)
            if relation == "eq":
                assert some.total == every.total
            assert some.total <= every.total or relation == "lte"
            assert some.total >= every.total or relation == "gte"
            assert some.total >= len(some.hits)


@pytest.mark.parametrize("how", ["search", "pages"])
def test_near_duplicates_collapse_unless_told(manual: Path, how: str) -> None:
    find = getattr(Client(manual), how)
    every, collapsed = find("clear the cache", collapse=False), find("clear the cache")
    assert not any(hit.duplicates for hit in every.hits)
    best = collapsed.hits[0]
    assert {hit.page for hit in (best, *best.duplicates)} == {"guide/v1/cache.md", "guide/v2/cache.md"}
    assert all(hit.url.startswith("https://docs.example/guide/") for hit in (best, *best.duplicates))
    listed = [hit.href for one in collapsed.hits for hit in (one, *one.duplicates)]
    assert sorted(listed) == sorted(hit.href for hit in every.hits)
    assert collapsed.total == every.total - len(listed) + len(collapsed.hits)


@pytest.mark.parametrize("how", ["search", "pages"])
def test_diversity_orders_the_same_hits_anew(folder: Client, how: str) -> None:
    find = getattr(folder, how)
    plain = find("build a graph", limit=20)
    mixed = find("build a graph", limit=20, diversity=0.9)
    assert mixed.hits[0] == plain.hits[0]
    assert mixed.total >= len(mixed.hits)
    if how == "search":
        assert mixed.hits != plain.hits
        assert [hit.href for hit in find("build a graph", limit=6, offset=3, diversity=0.9).hits] == [
            hit.href for hit in mixed.hits[3:9]
        ]
    assert find("build a graph", limit=20, diversity=0.0) == plain


def test_links_lead_to_the_same_chunks_from_the_same_pages(client: Client, expected: dict[str, Any]) -> None:
    for query, said in expected["led"].items():
        hits = [hit for hit in client.search(query, rerank=False).hits if hit.hops]
        led = [
            [f"{hit.page}#{hit.index}", f"{hit.via.page}#{hit.via.index}", hit.via.evidence, hit.via.back]
            for hit in hits
            if hit.via
        ]
        assert (led, len(hits)) == (said, len(said)), query
        assert agree(shown(client.search(query, limit=5, rerank=False, links=False).hits), expected["alone"][query])


def test_the_sites_model_orders_the_best_chunks_anew(client: Client, expected: dict[str, Any]) -> None:
    moved = 0
    for query, said in expected["rerank"].items():
        answer = client.search(query, limit=5, rerank=True)
        assert agree(shown(answer.hits), said["hits"]), query
        assert (dict(answer.missing), answer.notes) == ({}, ())
        plain = client.search(query, limit=200, collapse=False, rerank=False, links=False, prompts=False)
        every = client.search(query, limit=200, collapse=False, rerank=True, links=False, prompts=False)
        assert {hit.href for hit in every.hits[:32]} == {hit.href for hit in plain.hits[:32]}
        assert sorted(shown(every.hits)[32:]) == sorted(shown(plain.hits)[32:])
        falling = [hit.score for hit in every.hits[32:]]
        assert falling == sorted(falling, reverse=True)
        moved += [hit.href for hit in every.hits] != [hit.href for hit in plain.hits]
        assert client.pages(query, limit=1, rerank=True).hits[0].href == answer.hits[0].href
    assert moved
    assert client.search("caf\udce9 cache \ud800", limit=3, rerank=True).hits
    context = client.retrieve(next(iter(expected["rerank"])), 400, rerank=True)
    assert context.passages and not context.missing and not context.notes


@pytest.mark.parametrize("path", ["publishing", "reference/formats", "guide/searching.md"])
def test_reranking_is_of_the_first_chunks_that_pass(client: Client, expected: dict[str, Any], path: str) -> None:
    query = next(iter(expected["rerank"]))
    plain, every = (
        client.search(query, path=path, limit=200, collapse=False, rerank=rerank, links=False).hits
        for rerank in (False, True)
    )
    before = {hit.href: hit.score for hit in plain}
    assert {hit.href for hit in every[:32]} == {hit.href for hit in plain[:32]}
    assert [hit.href for hit in every] != [hit.href for hit in plain]
    assert all(hit.score != before[hit.href] for hit in every[:32])
    assert shown(every)[32:] == shown(plain)[32:]
    assert (
        client.search(query, filters={"page": path}, limit=2, rerank=True, links=False).hits
        == tuple(hit for hit in every if hit.page == path)[:2]
    )


def test_the_awaited_client_reranks_too(site: Path, expected: dict[str, Any]) -> None:
    query, said = next(iter(expected["rerank"].items()))

    async def ask() -> None:
        async with AsyncClient(site, timeout=60) as awaited:
            answers = await asyncio.gather(
                awaited.search(query, limit=5, rerank=True), awaited.pages(query, limit=1, rerank=True)
            )
            assert agree(shown(answers[0].hits), said["hits"])
            assert answers[1].hits[0].href == answers[0].hits[0].href
            assert (await awaited.retrieve(query, 400, rerank=True)).passages

    asyncio.run(ask())


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        ("", "'', which is no model of this release"),
        ("static-256@000000000000", "'static-256@000000000000', and this release has static-256@"),
        ("./folder@1", "'./folder@1', which is no model of this release"),
        ("evil/model@1", "'evil/model@1', which is no model of this release"),
    ],
)
def test_a_site_names_no_model_to_be_loaded(site: Path, changed: Change, model: str, reason: str) -> None:
    manifest = json.loads((site / "_search/manifest.json").read_bytes())
    manifest["vectors"]["model"] = model
    client = Client(changed(**{"_search/manifest.json": json.dumps(manifest).encode()}))
    assert client.search("cache").hits
    with pytest.raises(ClientError, match="the site's chunks were embedded with") as caught:
        client.search("cache", rerank=True)
    assert reason in str(caught.value)


def test_without_its_map_a_ranking_stays_as_it_was(
    site: Path, changed: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = json.loads((site / "_search/manifest.json").read_bytes())["vectors"]["map"]
    client = Client(changed(**{f"_search/{name}": None}))
    assert not client.search("cache", rerank=True).missing, "this release has the same one"
    client.refresh()
    monkeypatch.setattr(opened_tree, "own_map", lambda model: ("", b""))
    answer = client.search("cache", rerank=True)
    assert list(answer.missing) == [name]
    assert answer.hits == client.search("cache").hits


@pytest.mark.parametrize(
    ("query", "text", "marked"),
    [
        ("clear caches", "Cache, clearing of .embedding-cache", ["Cache", "clearing", "cache"]),
        ("serializer", "JsonSerializerContext", ["Serializer"]),
        ("JsonSerializerContext", "json JSONSerializerContext", ["json", "JSONSerializerContext"]),
        ("use_state", "call useState or use-state, state", ["useState", "use-state", "state"]),
        ("東京", "私は東京に", ["東京"]),
        ("東京タワー", "東京タワーと東京", ["東京タワー", "東京"]),
        ("the of and …", "the cache and", []),
        ("", "anything", []),
        ("cache", "", []),
    ],
)
def test_words_of_a_query_are_found_in_a_text(client: Client, query: str, text: str, marked: list[str]) -> None:
    spans = client.highlight(query, text)
    assert [text[start:end] for start, end in spans] == marked
    assert spans == sorted(spans) and all(one[1] < other[0] for one, other in pairwise(spans))


def test_topics(client: Client) -> None:
    topics = client.topics()
    assert [topic.id for topic in topics] == ["guide", "publishing", "reference", "reference/formats"]
    assert [topic.id for topic in client.topics("reference")] == ["reference/formats"]
    for entry in topics:
        topic = client.topic(entry.id)
        assert (topic.id, topic.href) == (entry.id, entry.href)
        items = [item for document in topic.documents.values() for item in document.items]
        if not entry.topics:
            assert len(items) == entry.chunks
        for item in items:
            assert client.read(item).sha256 == item.sha256
    with pytest.raises(ClientError, match="no topic 'guide/none'") as caught:
        client.topic("guide/none")
    assert caught.value.code == "unknown"
    for wrong, there in (("gide", "guide, publishing, reference"), ("reference/x", "reference/formats")):
        with pytest.raises(ClientError, match=f"no topic '{wrong}'. There are: {there}$"):
            client.topic(wrong)


@pytest.mark.parametrize("order", ["conceptual", "technical"])
def test_a_sample_begins_with_baselines_and_takes_the_documents_in_turn(folder: Client, order: str) -> None:
    documents = folder.topic("reference").documents
    everything = folder.sample("reference", 1000, order)
    suffix = "_technical" if order == "technical" else ""
    for name, document in documents.items():
        stripes = getattr(document, f"stripe_order{suffix}")
        own = [item.index for item in everything if item.document == name]
        assert own == ([] if stripes is None else [getattr(document, f"baseline_{order}"), *stripes])
    few = folder.sample("reference", 4, order)
    assert few == everything[:4]
    ordered = [d for d in documents.values() if getattr(d, f"stripe_order{suffix}") is not None]
    assert len({item.document for item in few}) == min(4, len(ordered))


def test_there_are_two_orders(folder: Client) -> None:
    with pytest.raises(ClientError, match="order: has to be one of conceptual, technical, not 'random'") as caught:
        folder.sample("reference", 3, "random")
    assert caught.value.code == "unknown"


QUERIES = {
    "one word": "cache " * 17_000,
    "many words": " ".join(f"word{number}" for number in range(15_000)),
    "no space": "x" * 100_000,
    "one compound": "a.b-c_" * 17_000,
    "stop words": "the of and a in to " * 5_000,
    "control characters": "\0\x01\x1b\x7f\u0085\u2028" * 17_000,
    "unknown script": "ሰላም ልዑል " * 10_000,
    "without spaces": "東京タワーに行く" * 12_500,
    "lone surrogates": "\ud800\udfff\udc00" * 30_000,
    "marks": "e\u0301\u0302" * 30_000,
    "quotes": "''''s " * 20_000,
}


@pytest.mark.parametrize("name", QUERIES)
def test_any_query_has_an_answer_and_asks_for_few_files(server: Any, name: str) -> None:
    before = len(server.asked)
    with Client(f"{server.url}site/", timeout=60) as client:
        answer = client.search(QUERIES[name], limit=5)
    assert len(server.asked) - before <= 80
    notes = {"many words": ("only the first 64 words of the query were looked up",)}
    unsearchable = dict.fromkeys(("no space", "stop words", "one compound", "marks"), (NOTHING_ASKED,))
    unsearchable |= dict.fromkeys(("control characters", "lone surrogates"), (NO_WORDS,))
    assert answer.notes == (notes | unsearchable).get(name, ())
    assert bool(answer.hits) or name != "one word"


@pytest.mark.parametrize("query", ["the", "The of, and?", "x" * 100, "ª", "", "…", "!?", "_", "  "])
def test_a_query_without_a_word_to_search_for_says_so(folder: Client, query: str) -> None:
    answer = folder.search(query)
    assert answer.hits == ()
    assert answer.notes == ((NOTHING_ASKED,) if any(map(str.isalnum, query)) else (NO_WORDS,))
    assert folder.retrieve(query).notes == answer.notes


@pytest.mark.parametrize("path", ["nowhere", "guide/nowhere.md", "guid"])
def test_a_path_below_which_there_is_nothing_is_noted(folder: Client, path: str) -> None:
    for ask in (folder.search, folder.pages, folder.retrieve):
        assert ask("cache", path=path).notes == (NOTHING_BELOW,)
        assert ask("…", path=path).notes == (NO_WORDS,)
        assert ask("the of and", path=path).notes == (NOTHING_ASKED,)
    assert folder.search("cache", path="guide").notes == folder.search("cache", path=path, limit=0).notes == ()


@pytest.mark.slow
def test_any_word_and_question_has_an_answer(folder: Client) -> None:
    for text in QUERIES.values():
        for words in (folder.complete(text), folder.correct(text)):
            assert all(term and chunks > 0 for term, chunks in words.terms)
            assert not words.missing
        assert all(hit.matched_question.distance <= 12 for hit in folder.match(text[:1000]))
        marks = folder.highlight(text, text)
        assert all(0 <= begin < end <= len(text) for begin, end in marks)
        context = folder.retrieve(text[:1000])
        assert context.tokens == sum(own.tokens for own in context.citations) + context.plan.tokens["sources"]


def test_a_language_without_a_stemmer_is_matched_by_the_beginnings_of_words(changed: Change, site: Path) -> None:
    manifest = json.loads((site / "_search/manifest.json").read_bytes()) | {"language": "xx"}
    client = Client(changed(**{"_search/manifest.json": json.dumps(manifest).encode()}), timeout=60)
    answer = client.search("configuration")
    assert "no stemmer" in answer.notes[0]
    assert answer.hits
    with pytest.raises(ClientError, match="no stemmer") as caught:
        client.match("How?")
    assert caught.value.code == "unknown"


def test_links_may_be_absolute(changed: Change, site: Path) -> None:
    """As a build with a base URL writes them: the root says what the folder stands for."""
    files = {}
    for path in site.rglob("index.json"):
        href = path.relative_to(site).as_posix()
        index = json.loads(path.read_bytes())
        index.pop("build_id")
        folder = f"https://example.org/docs/{href.removesuffix('index.json')}"
        for entry in index["_embedded"]["topics"]:
            entry["_links"]["self"]["href"] = folder + entry["_links"]["self"]["href"]
        index["_links"]["self"]["href"] = folder + "index.json"
        files[href] = json.dumps(index).encode()
    client = Client(changed(**files), timeout=60)
    assert [topic.id for topic in client.topics()] == ["guide", "publishing", "reference", "reference/formats"]
    hit = client.search("cache").hits[0]
    assert hit.url.startswith(f"https://example.org/docs/{hit.page_url}")
