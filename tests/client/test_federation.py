"""Several sites as one: answers, what is asked for them, and what a federation must not lead to."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from javascript import CLIENT, WEB, needs_node, run_node

from infograph.client import Client, ClientError
from infograph.client.answers import as_json
from infograph.client.embedded import embed_query
from infograph.client.federation import is_private
from infograph.errors import ConfigError

QUERIES = (
    "how do I install infograph?",
    "clear the embedding cache",
    "github pages underscore folders",
    "stripe_order",
    "sample a topic",
    "how it works",
    "instal the embeding modle",
    "JsonSerializerContext",
    "the of and",
    "",
    "where are chunk files published, and how are they checked",
)


@pytest.fixture(params=["folder", pytest.param("http", marks=pytest.mark.slow)])
def client(request: pytest.FixtureRequest, federated: Path, federated_server: Any) -> Iterator[Client]:
    places = {"folder": federated / "sites", "http": f"{federated_server.url}site/sites/federation.json"}
    with Client(places[request.param], timeout=60) as client:
        yield client


def ranked(answer: Any) -> dict[tuple[str, int], Any]:
    """Hits with their scores, nearly: average lengths stand in manifests to three places."""
    return {(hit.page, hit.index): pytest.approx(hit.score, abs=2e-3) for hit in answer.hits}


class Stream(httpx2.AsyncByteStream):
    def __init__(self, data: bytes) -> None:
        self.data = data

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self.data


class Served(httpx2.AsyncBaseTransport):
    """A web server that has the files of a folder at some address, and notes what it is asked."""

    def __init__(self, root: Path, at: str = "/") -> None:
        self.root = root
        self.at = at
        self.asked: list[str] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(str(request.url))
        file = self.root / request.url.path.removeprefix(self.at)
        found = file.is_file()
        return httpx2.Response(200 if found else 404, stream=Stream(file.read_bytes() if found else b""))


@pytest.mark.parametrize("query", [*QUERIES[:3], *(pytest.param(own, marks=pytest.mark.slow) for own in QUERIES[3:])])
def test_it_ranks_as_one_site_of_all_pages(client: Client, federated: Path, query: str) -> None:
    """But for links, which lead from one site to another in that one only."""
    with Client(federated / "joint", timeout=60) as joint:
        for how in ({"rerank": False}, {"rerank": True}, {"rerank": False, "collapse": False, "offset": 5}):
            ours, theirs = client.search(query, links=False, **how), joint.search(query, links=False, **how)
            assert {(hit.page, hit.index): hit.score for hit in ours.hits} == ranked(theirs)
            assert [hit.score for hit in ours.hits] == sorted((hit.score for hit in ours.hits), reverse=True)
            assert (ours.total, ours.total_relation, ours.corrected) == (
                theirs.total,
                theirs.total_relation,
                theirs.corrected,
            )
            assert ours.confidence == pytest.approx(theirs.confidence, abs=1e-3)


def test_hits_say_their_site_and_lead_to_its_chunks(client: Client) -> None:
    answer = client.search("github pages", texts=True)
    hit = answer.hits[0]
    assert (hit.site, hit.page) == ("publishing", "publishing/hosts.md")
    assert hit.href.startswith("publishing/_chunks/hosts")
    assert "GitHub" in hit.text
    chunk = client.read(hit)
    assert (chunk.href, chunk.readable) == (hit.href, hit.text)
    assert client.read(hit.href).text == chunk.text
    assert as_json(hit)["site"] == "publishing"


def test_a_chunk_is_read_before_anything_else_was(federated: Path) -> None:
    with Client(federated / "sites") as client:
        href = client.search("github pages", limit=1).hits[0].href
    with Client(federated / "sites") as client:
        assert client.read(href).href == href


def test_a_hit_of_one_site_says_no_site(federated: Path) -> None:
    with Client(federated / "joint") as client:
        assert "site" not in as_json(client.search("github pages").hits[0])


def test_a_context_has_passages_of_several_sites(client: Client) -> None:
    context = client.retrieve("how are chunk files checked when a site is published?", 3000)
    assert len({citation.page.partition("/")[0] for citation in context.citations}) > 1
    assert 0 < context.tokens <= 3000
    assert not context.missing


def test_a_path_is_of_one_site(client: Client) -> None:
    assert {hit.site for hit in client.search("cache", path="guide").hits} == {"guide"}
    assert {hit.page for hit in client.pages("cache", path="guide/builds.md").hits} == {"guide/builds.md"}
    assert client.search("cache", path="./guide/").hits
    assert client.search("cache", path="guide/nowhere").hits == ()


@pytest.mark.parametrize(("path", "near"), [("guides", "guide"), ("Publishing/hosts.md", "publishing"), ("x", "")])
def test_a_path_of_no_site_is_named_with_those_there_are(client: Client, path: str, near: str) -> None:
    """Nothing was found, and nothing said that the site's name comes first."""
    meant = rf"Did you mean {near}\? " if near else ""
    name = path.partition("/")[0]
    says = (
        rf'^path: the federation has no site "{name}"\. A path begins with the name of a site\. {meant}'
        "There are: guide, publishing, reference$"
    )
    asks: list[Callable[[], object]] = [
        lambda: client.search("cache", path=path),
        lambda: client.pages("no such word xyzzy", path=path),
        lambda: client.retrieve("cache", path=path),
        lambda: client.search("cache", path=path, mode="parent"),
        lambda: client.match("How do I install infograph?", topic=path),
        lambda: client.topic(path),
        lambda: client.sample(path, 3),
    ]
    for ask in asks:
        with pytest.raises(ClientError, match=says) as caught:
            ask()
        assert caught.value.code == "unknown"


def test_hits_are_narrowed_by_what_they_say(client: Client) -> None:
    found = client.search("cache", filters={"tokens": {"lte": 200}})
    assert found.hits
    assert all(hit.tokens <= 200 for hit in found.hits)
    with pytest.raises(ClientError, match="there is no field"):
        client.search("cache", filters={"product": "x"})


NARROWED: tuple[dict[str, Any], ...] = (
    {"filters": {"units": "table"}},
    {"filters": {"units": {"not": "table"}}, "collapse": False, "offset": 3},
    {"filters": {"any": [{"units": "list"}, {"title": "Builds"}], "tokens": {"gte": 20}}, "facets": ["units"]},
    {"facets": ["units"]},
    {"filters": {"units": {"exists": True}}, "path": "guide", "facets": ["units"]},
)


@pytest.mark.parametrize("how", NARROWED)
def test_it_is_narrowed_as_one_site_of_all_pages(client: Client, federated: Path, how: dict[str, Any]) -> None:
    with Client(federated / "joint", timeout=60) as joint:
        for query in ("clear the embedding cache", "how are tables and lists published"):
            ours, theirs = client.search(query, links=False, **how), joint.search(query, links=False, **how)
            assert {(hit.page, hit.index): hit.score for hit in ours.hits} == ranked(theirs)
            assert ours.hits and not ours.missing
            if "path" not in how:  # of which one site alone is read
                assert (ours.total, ours.total_relation) == (theirs.total, theirs.total_relation)
                assert ours.facets == theirs.facets


def test_what_no_site_has_is_said_once(client: Client) -> None:
    notes = client.search("cache", filters={"units": "nothing"}).notes
    assert [note for note in notes if "nothing" in note] == ['no chunk has the units "nothing"']
    with pytest.raises(ClientError, match=r"there is no field \"product\", in the site [a-z]+"):
        client.search("cache", filters={"product": "x"})
    with pytest.raises(ClientError, match=r"'product' is no field whose values are counted, in the site [a-z]+"):
        client.search("cache", facets=["product"])


WITHOUT_A_WORD: tuple[dict[str, Any], ...] = (
    {"filters": {"product": "x"}},
    {"filters": {"tokens": "many"}},
    {"filters": {"units": {"gt": 3}}},
    {"facets": ["product"]},
    {"filters": {"product": "x"}, "path": "guide"},
)


@pytest.mark.parametrize("how", WITHOUT_A_WORD)
def test_what_no_site_has_is_an_error_for_any_query(federated: Path, how: dict[str, Any]) -> None:
    """Where no site had a word of the query, any filter found nothing. Read is one small file more."""
    with counted(federated) as (client, asked):
        client.search("xyzzyplugh", exact=True)
        before = len(asked)
        errors = []
        for query in ("xyzzyplugh", "cache"):
            with pytest.raises(ClientError) as caught:
                client.search(query, exact=True, **how)
            errors.append((caught.value.place, caught.value.reason.partition(", in the site")[0], caught.value.hint))
            if query == "xyzzyplugh":
                (file,) = asked[before:]
                name = file.removeprefix("https://example.org/_federation/")
                assert (federated / "sites/_federation" / name).stat().st_size < 500
        assert errors[0] == errors[1]
        # What a site has may be asked for, of a query of which none has a word.
        found = client.search("xyzzyplugh", exact=True, filters={"units": "table"}, facets=["units"])
        assert (found.hits, found.facets) == ((), {"units": ()})


def test_sections_pages_and_words_are_those_of_all(client: Client, federated: Path) -> None:
    assert client.search("publish", mode="parent").hits
    with Client(federated / "joint") as joint:
        assert client.complete("conf").terms == joint.complete("conf").terms
        assert client.correct("chuhk").terms == joint.correct("chuhk").terms
    assert client.highlight("clear the cache", "How a cache is cleared") == [(6, 11), (15, 22)]
    assert client.passage("clear the cache", "How a *cache* is cleared.") == "How a cache is cleared."


def test_known_questions_of_a_site_are_known(client: Client) -> None:
    found = client.match("How do I install infograph?", limit=1)
    assert found[0].site in ("guide", "reference")
    assert found[0].matched_question is not None
    assert client.match("How do I install infograph?", topic="publishing") == []
    assert client.search("How do I install infograph?").hits[0].matched_question is not None


def test_each_site_is_a_topic_below_the_root(client: Client) -> None:
    assert [(topic.id, topic.title) for topic in client.topics()] == [
        ("guide", "Guide"),
        ("publishing", "Publishing"),
        ("reference", "Reference"),
    ]
    assert [topic.id for topic in client.topics("reference")] == ["reference/formats"]
    topic = client.topic("reference/formats")
    assert topic.id == "reference/formats"
    items = client.sample("reference/formats", 3)
    assert [item.topic for item in items] == ["reference/formats"] * 3
    assert client.read(items[0]).href == items[0].href
    assert client.sample("", 3) == []
    with pytest.raises(ClientError, match="there is no topic"):
        client.topic("guide/nowhere")


def test_it_has_no_graph_of_entities(client: Client) -> None:
    for ask in (lambda: client.communities("cache"), lambda: client.search("cache", graph=1)):
        with pytest.raises(ClientError, match="a federation has no graph of entities") as caught:
            ask()
        assert caught.value.code == "missing"


# ---- what is asked for -------------------------------------------------------------------------------------------


@contextmanager
def counted(federated: Path) -> Iterator[tuple[Client, list[str]]]:
    """A client of a web server, and the addresses that it asks."""
    server = Served(federated / "sites")
    with Client("https://example.org/federation.json", transport=server) as client:
        yield client, server.asked


def test_a_query_asks_only_the_sites_that_have_a_word(federated: Path) -> None:
    with counted(federated) as (client, asked):
        answer = client.search("netlify cloudflare", links=False, rerank=False)
        assert {hit.site for hit in answer.hits} <= {"publishing", "guide", "reference"}
        names = [address.removeprefix("https://example.org/") for address in asked]
        assert names[0] == "federation.json"
        assert {name.split("/")[0] for name in names[1:]} <= {"_federation", *(hit.site for hit in answer.hits)}
        assert (answer.stats.requests, len(set(names))) == (len(names), len(names))
        del asked[:]
        assert client.search("zzzzunheardof", exact=True).hits == ()
        assert all("/_federation/" in address for address in asked)
        del asked[:]
        client.search("netlify cloudflare", links=False, rerank=False)
        assert asked == []


def test_a_site_that_is_down_is_named(federated: Path, tmp_path: Path) -> None:
    root = tmp_path / "sites"
    shutil.copytree(federated / "sites", root)
    shutil.rmtree(root / "publishing" / "_search")
    with Client(root) as client:
        answer = client.search("publish pages on a server")
        assert {hit.site for hit in answer.hits} <= {"guide", "reference"} != set()
        (lost,) = answer.missing
        assert lost == "publishing/_search/manifest.json"
        assert answer.total_relation == "gte"
        assert client.retrieve("publish pages on a server", 500).missing
    for site in ("guide", "reference"):
        shutil.rmtree(root / site / "_search")
    with Client(root) as client, pytest.raises(ClientError, match="nor can 2 more") as caught:
        client.search("publish pages on a server")
    assert (caught.value.code, caught.value.place.split("/")[1:]) == ("missing", ["_search", "manifest.json"])


def test_a_site_that_is_published_anew_is_read_anew(federated: Path, tmp_path: Path) -> None:
    root = tmp_path / "sites"
    shutil.copytree(federated / "sites", root)
    with Client(root) as client:
        before = client.search("github pages", links=False)
        shutil.rmtree(root / "guide")  # another site in the place of this one
        shutil.copytree(federated / "sites" / "publishing", root / "guide")
        after = client.search("netlify cloudflare robots", links=False)
        assert before.hits
        assert after.hits
        assert not after.missing
        client.refresh()
        assert any("guide was published after" in note for note in client.search("publish pages").notes)


# ---- what it must not lead to ------------------------------------------------------------------------------------


def changed(federated: Path, root: Path, **site: str) -> Path:
    """A copy of the federation, with other values in what it says of a site."""
    root.mkdir()
    shutil.copytree(federated / "sites" / "_federation", root / "_federation")
    said = json.loads((federated / "sites" / "federation.json").read_bytes())
    said["sites"][0] |= site
    (root / "federation.json").write_text(json.dumps(said))
    return root


HOSTILE = [
    "../guide/",
    "/guide/",
    "//evil.example/",
    "file:///etc/",
    "data:text/plain,x/",
    "javascript:alert(1)/",
    "%2e%2e/guide/",
    "a/%2e%2e/%2e%2e/x/",
    "..%2fguide/",
    "a\\b/",
    "\thttps://evil.example/",
    "guide",
    "https://user:secret@example.com/",
    "https://example.com/?x=1",
    "https://example.com/a#b",
    "https://example.com/index.json",
    "http:///x/",
]
FROM_THE_WEB = [
    "http://example.com/",  # the federation is https
    "https://localhost/",
    "https://127.0.0.1:8080/",
    "https://[::1]/",
    "https://10.0.0.1/",
    "https://192.168.1.1/",
    "https://169.254.169.254/latest/",
    "https://a.localhost/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://[x/",
    "https://[1.2/",
    "https://example.org:port/",
    "https://[::ffff:127.0.0.1]/",
    "https://localhost./",
]


@pytest.mark.parametrize("href", [*HOSTILE, *FROM_THE_WEB])
def test_no_other_place_is_asked(federated: Path, tmp_path: Path, href: str) -> None:
    root = changed(federated, tmp_path / "fed", href=href)
    where, server = "https://example.org/federation.json", Served(root)
    with Client(where, transport=server) as client, pytest.raises(ClientError) as caught:
        client.search("cache")
    assert caught.value.code in ("outside", "broken")
    assert "secret" not in str(caught.value)
    assert set(server.asked) == {where}
    if href in HOSTILE:
        with Client(root) as client, pytest.raises(ClientError) as caught:
            client.search("cache")
        assert caught.value.code == "broken"


@pytest.mark.parametrize(
    ("host", "private"),
    [
        ("localhost", True),
        ("LOCALHOST", True),
        ("x.localhost", True),
        ("127.0.0.1", True),
        ("::1", True),
        ("fe80::1", True),
        ("fd00::1", True),
        ("::ffff:127.0.0.1", True),
        ("10.1.2.3", True),
        ("172.16.0.1", True),
        ("100.64.0.1", True),
        ("0.0.0.0", True),
        ("0x7f.1", True),
        ("017700000001", True),
        ("example.org", False),
        ("8.8.8.8", False),
        ("2606:4700::1", False),
        ("10.example.org", False),
    ],
)
def test_hosts_of_this_machine_are_known(host: str, private: bool) -> None:
    assert is_private(host) == private


def test_a_site_of_the_web_is_read_from_there(federated: Path, tmp_path: Path) -> None:
    """Also where the federation lies in a folder, and nothing is asked but what it names."""
    root = changed(federated, tmp_path / "fed", href="https://elsewhere.example/docs/guide/")
    for site in ("publishing", "reference"):
        shutil.copytree(federated / "sites" / site, root / site)
    server = Served(federated / "sites", "/docs/")
    with Client(root, transport=server) as client:
        answer = client.search("how do I install infograph?", texts=True)
        assert {hit.site for hit in answer.hits} > {"guide"}
        (guide, *_) = [hit for hit in answer.hits if hit.site == "guide"]
        assert guide.text
        assert guide.url.startswith("https://elsewhere.example/docs/guide/")
        assert not answer.missing
    assert server.asked
    assert all(address.startswith("https://elsewhere.example/docs/guide/") for address in server.asked)


def test_a_site_that_redirects_is_not_followed(federated: Path, tmp_path: Path) -> None:
    root = changed(federated, tmp_path / "fed", href="https://elsewhere.example/guide/")
    for site in ("publishing", "reference"):
        shutil.copytree(federated / "sites" / site, root / site)
    asked = []

    def reply(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.url.host)
        return httpx2.Response(302, headers={"Location": "https://evil.example/"})

    with Client(root, transport=httpx2.MockTransport(reply)) as client:
        answer = client.search("how do I install infograph?")
        assert "the server redirects" in answer.missing["guide/_search/manifest.json"]
    assert set(asked) == {"elsewhere.example"}


def test_links_of_hits_stay_below_their_site(client: Client) -> None:
    client.search("cache")
    for href in (
        "guide/../publishing/x.md",
        "guide//evil.example/x",
        "guide/%2e%2e/x",
        "//evil.example/x",
        "guide/\\..\\x",
    ):
        with pytest.raises(ClientError) as caught:
            client.read(href)
        assert caught.value.code == "outside"


def test_what_is_no_federation_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        Client(tmp_path / "nothing" / "federation.json")
    (tmp_path / "federation.json").write_text("{}")
    with Client(tmp_path) as client, pytest.raises(ClientError, match="not the manifest of a federation"):
        client.search("x")
    (tmp_path / "federation.json").write_text('{"federation": 7}')
    with Client(tmp_path / "federation.json") as client, pytest.raises(ClientError) as caught:
        client.search("x")
    assert caught.value.code == "version"


# ---- the client in JavaScript ------------------------------------------------------------------------------------

SCRIPT = """
const { Client } = await import(process.argv[1]);
let text = "";
for await (const part of process.stdin) text += part;
const clients = {};
const found = [];
for (const [url, method, ...given] of JSON.parse(text)) {
  const { vector, ...options } = given[1] ?? {};
  if (vector) given[1] = { ...options, rerank: () => vector };
  const client = (clients[url] ??= new Client(url, { timeout: 60_000 }));
  found.push(await client[method](...given).catch(({ code, message }) => ({ code, message })));
}
console.log(JSON.stringify(found));
"""


def javascript(calls: list[list[Any]]) -> list[Any]:
    """What the client answers to calls: address, method, arguments."""
    found: list[Any] = run_node(SCRIPT, CLIENT, given=calls)
    return found


@needs_node
@pytest.mark.parametrize("queries", [QUERIES[5:8], pytest.param(QUERIES, marks=pytest.mark.slow)], ids=["some", "all"])
def test_javascript_gives_the_same_answers(federated_server: Any, queries: tuple[str, ...]) -> None:
    url = f"{federated_server.url}site/sites/federation.json"
    options: list[dict[str, Any]] = [
        {},
        {"links": False, "collapse": False, "limit": 30},
        {"path": "guide", "diversity": 0.4},
        {"filters": {"tokens": {"lte": 300}}},
        *NARROWED,
        {"filters": {"units": "nothing"}},
        {"filters": {"product": "x"}},
        {"facets": ["product"]},
        {"texts": True, "limit": 3},
        {"mode": "parent"},
    ]
    calls: list[list[Any]] = [["search", query, how] for query in queries for how in options]
    calls += [["pages", query, {}] for query in queries]
    calls += [["retrieve", query, {"max_tokens": 700}] for query in queries if query]
    calls += [["search", "xyzzyplugh", {"exact": True, **how}] for how in WITHOUT_A_WORD]
    calls += [["search", "cache", {"path": "guides"}], ["match", "How?", {"topic": "Guide/x"}], ["topic", "guides"]]
    calls += [["complete", "conf", {}], ["correct", "chuhk", {}], ["match", "How do I install infograph?", {}]]
    calls += [["topics", ""], ["topics", "reference"], ["sample", "reference/formats", 3]]
    calls += [["search", "cache", {"graph": 1}], ["communities", "cache", {}], ["topic", "nowhere"]]
    found = javascript([[url, *call] for call in calls])
    with Client(url, timeout=60) as client:
        for call, theirs in zip(calls, found, strict=True):
            assert comparable(theirs) == comparable(asked(client, *call)), call


def asked(client: Client, method: str, what: str, *rest: Any) -> Any:
    options = rest[0] if rest and isinstance(rest[0], dict) else {}
    given = [] if options or (rest and isinstance(rest[0], dict)) else list(rest)
    if method in ("search", "pages", "retrieve"):
        options = {"rerank": False, **options}
    try:
        return as_json(getattr(client, method)(what, *given, **options))
    except ClientError as error:
        return {"code": error.code, "message": str(error)}


OF_PYTHON = (
    "stats",
    "facets",
    "documents",
    "description",
    "chunks",
    "topics",
    "plan",
    "prompt_hashes_hex",
    "prompt_hashes",
    "similarity_technical",
    "similarity_conceptual",
)


def comparable(value: Any) -> Any:
    """An answer without what one of the clients has no word for, scores rounded."""
    if isinstance(value, dict):
        if not re.match("(?:path|filters|facets)\\b", value.get("message", "path")):  # each says the rest in its way
            return value["code"]
        named = {name: comparable(own) for name, own in value.items() if name not in OF_PYTHON}
        return {name: own for name, own in named.items() if own not in ({}, [], "", None, 0, False)}
    if isinstance(value, list):
        return [comparable(own) for own in value]
    return round(value, 6) if isinstance(value, float) else value


@needs_node
def test_javascript_orders_by_a_vector_as_python_does(federated: Path, federated_server: Any) -> None:
    url, query = f"{federated_server.url}site/sites/federation.json", "how do I install infograph?"
    model = json.loads((federated / "sites" / "federation.json").read_bytes())["vectors"]["model"]
    (theirs,) = javascript([[url, "search", query, {"vector": embed_query(model, query), "diversity": 0.3}]])
    with Client(url, timeout=60) as client:
        ours = as_json(client.search(query, rerank=True, diversity=0.3))
    assert comparable(theirs) == comparable(ours)


@needs_node
def test_javascript_refuses_the_same_places(federated: Path, tmp_path: Path, fault_server_module: Any) -> None:
    """And asks none of them."""
    for number, href in enumerate(HOSTILE):
        changed(federated, tmp_path / f"f{number}", href=href)
    with fault_server_module.running(tmp_path) as server:
        places = [f"{server.url}site/f{number}/federation.json" for number in range(len(HOSTILE))]
        found = javascript([[place, "search", "cache", {}] for place in places])
        assert all(address.endswith("/federation.json") for address in server.asked)
    assert [own.get("code") for own in found] == ["broken"] * len(HOSTILE)


@needs_node
def test_javascript_knows_the_same_hosts_of_this_machine() -> None:
    """As `URL` writes them: numbers of other kinds are addresses there."""
    hosts = ["localhost", "x.localhost", "localhost.", "127.0.0.1", "0x7f.1", "2130706433", "[::1]", "[fe80::1]"]
    hosts += ["[fd00::1]", "[::ffff:127.0.0.1]", "10.1.2.3", "172.16.0.1", "172.31.9.9", "100.64.0.1", "0.0.0.0"]
    hosts += ["169.254.169.254", "192.168.0.1", "198.18.0.1", "224.0.0.1", "[2001:db8::1]", "[2002:7f00:1::1]"]
    hosts += ["[64:ff9b::7f00:1]", "[ff02::1]", "[::]", "[2001::1]"]
    public = ["example.org", "8.8.8.8", "[2606:4700::1]", "10.example.org", "172.32.0.1", "100.128.0.1", "[2a00::1]"]
    script = (
        "const { isPrivate } = await import(process.argv[1]);"
        "const hosts = JSON.parse(process.argv[2]);"
        "console.log(JSON.stringify(hosts.map((host) => isPrivate(new URL(`https://${host}/`).hostname))));"
    )
    theirs = run_node(script, WEB / "federation.js", json.dumps([*hosts, *public]))
    assert theirs == [True] * len(hosts) + [False] * len(public)
    assert [is_private(host) for host in (*hosts, *public)] == [True] * len(hosts) + [False] * len(public)
