"""A server that does everything wrong: an error or a lesser answer in time, never a wrong chunk, never another server.

What `tests/web/faults.test.mjs` asks of the client in JavaScript.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from infograph.client import Answer, AsyncClient, Client, ClientError, Hit

LINKS = sys.modules["fault_server"].LINKS  # conftest.py has loaded it
QUERY = "how do I configure the cache?"
TIMEOUT = 10.0
"""Seconds for a call, where the server is slow; a file may take a quarter."""

At = Callable[..., AsyncClient]
Ask = Callable[[AsyncClient], Awaitable[Any]]


@pytest.fixture
def at(server: Any) -> At:
    """A client of the tree with a fault in the files whose name begins with a text."""

    def client(fault: str, file: str, timeout: float = 60.0) -> AsyncClient:
        return AsyncClient(f"{server.url}{fault}~{file}/", timeout=timeout)

    return client


@pytest.fixture(scope="module")
def right(server: Any) -> Answer:
    with Client(f"{server.url}site/", timeout=60) as client:
        return client.search(QUERY, limit=100)


@pytest.fixture(scope="module", autouse=True)
def nobody_else_is_asked(server: Any, elsewhere: Any) -> Iterator[None]:
    yield
    assert elsewhere.asked == []
    assert [path for path in server.asked if not re.match(r"/[a-z-]+(~[a-z0-9.-]*)?/", path)] == []


def ids(hits: Any) -> list[tuple[str, int]]:
    return [(hit.page, hit.index) for hit in hits]


def codes(client: AsyncClient, *calls: Ask) -> set[str]:
    """What the calls fail by; an answer is a failure of the test."""

    async def run() -> set[str]:
        async with client:
            found = await asyncio.gather(*(call(client) for call in calls), return_exceptions=True)
        assert all(isinstance(error, ClientError) for error in found), found
        return {error.code for error in found if isinstance(error, ClientError)}

    return asyncio.run(run())


def answered(client: AsyncClient, call: Ask) -> Any:
    async def run() -> Any:
        async with client:
            return await call(client)

    return asyncio.run(run())


MANIFEST_CALLS: tuple[Ask, ...] = (
    lambda client: client.search(QUERY),
    lambda client: client.pages(QUERY),
    lambda client: client.retrieve(QUERY),
    lambda client: client.complete("ca"),
    lambda client: client.correct("cahce"),
    lambda client: client.match("How?"),
)
INDEX_CALLS: tuple[Ask, ...] = (
    lambda client: client.topics(),
    lambda client: client.topic("guide"),
    lambda client: client.sample("guide", 3),
)


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("trickle", "timeout"),
        pytest.param("silent", "timeout", marks=pytest.mark.slow),
        ("truncated", "missing"),
        ("half", "broken"),
        ("unavailable", "missing"),
        ("page", "broken"),
        ("gzip-bomb", "large"),
        ("redirected", "outside"),
        ("redirected-here", "outside"),
        ("newer", "version"),
    ],
)
def test_manifest(at: At, fault: str, code: str) -> None:
    slow = fault in {"trickle", "silent"}
    assert codes(at(fault, "manifest", TIMEOUT if slow else 60.0), *MANIFEST_CALLS) == {code}


def test_a_newer_manifest_names_the_way_out(at: At) -> None:
    with pytest.raises(ClientError, match=r"_search/manifest\.json: its format is 2.* Update infograph"):
        answered(at("newer", "manifest"), lambda client: client.search(QUERY))


SHARD_FAULTS = ["truncated", "half", "unavailable", "page", "wrong", "gzip-bomb", "redirected"]
SHARD_FAULTS += [pytest.param("trickle", marks=pytest.mark.slow)]


@pytest.mark.parametrize("kind", ["n-", "w-"])
@pytest.mark.parametrize("fault", SHARD_FAULTS)
def test_shards_of_the_dictionary(at: At, kind: str, fault: str) -> None:
    """The answer says what is missing."""
    words = answered(at(fault, kind, TIMEOUT if fault == "trickle" else 60.0), lambda client: client.complete("ca"))
    assert words.terms == ()
    assert words.missing
    assert all(name.startswith(kind) for name in words.missing)
    assert all(words.missing.values())


@pytest.mark.parametrize("kind", ["n-", "w-"])
def test_a_slip_that_cannot_be_mended_finds_nothing_by_an_error(at: At, kind: str) -> None:
    with pytest.raises(ClientError, match=rf"^_search/{kind}[0-9a-f]+\.z: cannot be read \(.+\)"):
        answered(at("unavailable", kind), lambda client: client.search("cachhe"))
    if kind == "w-":  # the others name the files of words, too
        assert answered(at("unavailable", kind), lambda client: client.search("cachhe", exact=True)).hits == ()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["p-", "d-"])
@pytest.mark.parametrize("fault", SHARD_FAULTS)
def test_no_search_without_its_shards_finds_nothing(at: At, kind: str, fault: str) -> None:
    """That nothing was found would be a lie: nobody looked."""
    client = at(fault, kind, TIMEOUT if fault == "trickle" else 60.0)
    calls = (
        lambda client: client.search(QUERY),
        lambda client: client.pages(QUERY),
        lambda client: client.search(QUERY, path="guide"),
        lambda client: client.retrieve(QUERY),
    )
    if fault == "trickle":  # the time of the call may be over first
        assert codes(client, *calls) <= {"missing", "timeout"}
        return
    assert codes(client, *calls) == {"missing"}
    with pytest.raises(ClientError, match=rf"^_search/{kind}[0-9a-f]+\.z: cannot be read \(.+\)"):
        answered(client, lambda client: client.search(QUERY))


def test_nothing_asked_for_is_no_error(at: At) -> None:
    answer = answered(at("unavailable", "p-"), lambda client: client.search(QUERY, limit=0))
    assert (answer.hits, bool(answer.missing)) == ((), True)


def test_one_shard_of_many_is_missing(at: At, server: Any, right: Answer) -> None:
    lost = next(path for path in server.asked if "/d-" in path).rpartition("/")[2]
    # Not collapsed, or near-duplicates come in the place of what is lost.
    how: dict[str, Any] = {"limit": 100, "collapse": False}
    answer = answered(at("unavailable", lost.removesuffix(".z")), lambda client: client.search(QUERY, **how))
    with Client(f"{server.url}site/", timeout=60) as client:
        whole = client.search(QUERY, **how)
    assert list(answer.missing) == [lost]
    assert (right.total_relation, answer.total_relation) == ("eq", "gte")
    assert 0 < len(answer.hits) < len(whole.hits)
    left = set(ids(answer.hits))
    assert ids(answer.hits) == [chunk for chunk in ids(whole.hits) if chunk in left]


@pytest.mark.parametrize(("fault", "file"), [("wrong-once", "p-"), ("wrong-once", "d-"), ("stale-once", "manifest")])
def test_what_is_wrong_once_is_fetched_again(at: At, right: Answer, fault: str, file: str) -> None:
    answer = answered(at(fault, file), lambda client: client.search(QUERY, limit=100))
    assert (dict(answer.missing), ids(answer.hits)) == ({}, ids(right.hits))


def test_a_shard_that_inflates_without_end_is_missing(at: At) -> None:
    with pytest.raises(ClientError, match="more than 65536 bytes"):
        answered(at("shard-bomb", "manifest"), lambda client: client.search(QUERY))


def test_names_of_shards_that_lead_elsewhere_are_not_asked_for(at: At) -> None:
    with pytest.raises(ClientError, match="do not belong together"):
        answered(at("other-names", "manifest"), lambda client: client.search(QUERY))


INDEX_FAULTS = [
    pytest.param("trickle", "timeout", marks=pytest.mark.slow),
    ("truncated", "missing"),
    ("half", "broken"),
    ("unavailable", "missing"),
    ("page", "broken"),
    ("wrong", "broken"),
    ("gzip-bomb", "large"),
    ("redirected", "outside"),
]


@pytest.mark.parametrize(("fault", "code"), INDEX_FAULTS)
def test_index(at: At, fault: str, code: str) -> None:
    assert codes(at(fault, "index.json", TIMEOUT if fault == "trickle" else 60.0), *INDEX_CALLS) == {code}


@pytest.mark.parametrize(("fault", "code"), INDEX_FAULTS)
def test_chunk(at: At, right: Answer, site: Path, href_of: Callable[..., str], fault: str, code: str) -> None:
    client = at(fault, "install.", TIMEOUT if fault == "trickle" else 60.0)
    known: list[str | Hit] = [
        href_of(site, "guide/_chunks/install-1.md"),
        *(hit for hit in right.hits if hit.page == "guide/install.md"),
    ]
    calls: list[Ask] = [lambda client, what=what: client.read(what) for what in known]
    assert codes(client, *calls) == {code}


@pytest.mark.parametrize("fault", ["half", "unavailable", "wrong", "gzip-bomb", "redirected"])
def test_retrieval_goes_on_without_a_chunk_that_cannot_be_had(at: At, right: Answer, fault: str) -> None:
    hit = right.hits[0]
    name = hit.href.rpartition("/")[2].removesuffix(".md")
    context = answered(at(fault, name), lambda client: client.retrieve(QUERY, 3000))
    assert hit.href in context.missing
    assert context.passages
    assert hit not in [own for passage in context.passages for own in passage.hits]


def test_an_index_and_a_chunk_that_are_wrong_once_are_fetched_again(at: At, right: Answer) -> None:
    assert len(answered(at("wrong-once", "index.json"), lambda client: client.topics())) == 4
    hit = right.hits[0]
    name = hit.href.rpartition("/")[2].partition(".")[0]
    assert answered(at("wrong-once", name), lambda client: client.read(hit)).sha256.startswith(hit.sha256)


def test_a_chunk_that_is_another_than_the_one_that_was_found_is_refused(folder: Client, right: Answer) -> None:
    from dataclasses import replace

    with pytest.raises(ClientError, match="has changed") as caught:
        folder.read(replace(right.hits[0], sha256=right.hits[1].sha256))
    assert caught.value.code == "broken"


@pytest.mark.parametrize("link", LINKS)
def test_a_link_out_of_the_tree_is_not_followed(at: At, link: str) -> None:
    assert codes(at(link, "index.json"), *INDEX_CALLS) == {"outside"}


def test_topics_that_lead_in_a_circle_are_refused(at: At) -> None:
    client = at("circle", "index.json")
    assert codes(client, lambda client: client.topics(), lambda client: client.topic("more/more")) == {"broken"}


@pytest.mark.parametrize("file", ["manifest", "p-", "d-", "index.json", "install-"])
def test_a_call_ends_in_time_whatever_the_server_does(at: At, server: Any, file: str) -> None:
    async def run() -> None:
        async with at("silent", file, 0.4) as client:
            calls = (client.search(QUERY), client.topics(), client.read("guide/_chunks/a-1.md"), client.retrieve(QUERY))
            found = await asyncio.gather(*calls, return_exceptions=True)
        assert {error.code for error in found if isinstance(error, ClientError)} <= {"timeout", "missing"}

    asyncio.run(run())
    with Client(f"{server.url}silent~manifest/", timeout=0.2) as waiting, pytest.raises(ClientError) as caught:
        waiting.search(QUERY)
    assert caught.value.code == "timeout"


def test_nobody_listens() -> None:
    with Client("http://127.0.0.1:9/", timeout=30) as client, pytest.raises(ClientError) as caught:
        client.search(QUERY)
    assert caught.value.code == "missing"
