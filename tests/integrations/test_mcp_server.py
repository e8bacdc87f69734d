"""`infograph mcp`, asked by the SDK's own client: in memory, and over the pipes of a real process."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import jsonschema
import mcp
import pytest
from click.testing import CliRunner

from infograph.build import build
from infograph.cli import main
from infograph.client import AsyncClient, Client
from infograph.config import load
from infograph.errors import ConfigError
from infograph.integrations import mcp_server
from infograph.search.reading.rankings import NOTHING_ASKED

ROOT = Path(__file__).parents[2]
CACHE = "guide/v1/_chunks/cache-0.md"
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
Asks = Callable[[Any], Awaitable[Any]]


def parameters(site: object, *options: str) -> Any:
    arguments = ["-W", "error", "-m", "infograph", "mcp", str(site), *options]
    return mcp.StdioServerParameters(command=sys.executable, args=arguments, env={"PYTHONPATH": str(ROOT)})


def ask(site: object, asks: Asks) -> Any:
    """By a client in this process."""

    async def run() -> Any:
        async with mcp.Client(mcp_server.make_server(str(site))) as client:
            return await asks(client)

    return asyncio.run(run())


def call(site: object, tool: str, **arguments: Any) -> tuple[str, Any]:
    """Text and fields, which are those of the tool's schema."""

    async def asks(client: Any) -> Any:
        schemas = {own.name: own.output_schema for own in (await client.list_tools()).tools}
        return await client.call_tool(tool, arguments), schemas[tool]

    result, schema = ask(site, asks)
    assert not result.is_error, result.content[0].text
    jsonschema.validate(result.structured_content, schema)
    (content,) = result.content
    return content.text, result.structured_content


def unversioned(text: str) -> str:
    """A text without the versions in the names of chunks."""
    return re.sub(r"\.[0-9a-f]{10}(?=-\d+\.md)", "", text)


def failed(site: object, tool: str, **arguments: Any) -> str:
    result = ask(site, lambda client: client.call_tool(tool, arguments))
    assert result.is_error and result.structured_content is None
    text: str = result.content[0].text
    assert "Traceback" not in text and text.startswith(f"Error executing tool {tool}: ")
    return text.removeprefix(f"Error executing tool {tool}: ")


@pytest.mark.slow
def test_the_tools_only_read_and_say_what_they_give(manual: Path) -> None:
    listed = ask(manual, lambda client: client.list_tools()).tools
    assert {tool.name: list(tool.input_schema["properties"]) for tool in listed} == {
        "search": ["query", "limit", "offset", "path", "max_tokens", "exact", "graph", "filters"],
        "read": ["id"],
        "sample": ["topic", "n"],
        "topics": ["path"],
    }
    for tool in listed:
        hints = tool.annotations
        assert hints.read_only_hint and hints.idempotent_hint and not hints.destructive_hint
        assert tool.description and tool.output_schema["type"] == "object"
        assert all(own.get("description") for own in tool.input_schema["properties"].values())


def test_search_gives_text_with_sources_and_more(manual: Path) -> None:
    text, found = call(manual, "search", query="how do I clear the cache?", max_tokens=1000, limit=3)
    text, found = unversioned(text), json.loads(unversioned(json.dumps(found)))
    assert text.startswith(f"[1] Cache\n    https://docs.example/guide/v1/cache.html#cache\n    {CACHE}, ")
    assert "# Cache\n\nThe cache on day 0" in text
    assert "nearly the same: guide/v2/_chunks/cache-0.md" in text
    source = found["passages"][0]["sources"][0]
    assert source["id"] == CACHE and source["document"] == "guide/v1/cache.md"
    assert source["section_path"] == ["Cache"] and source["url"] == "https://docs.example/guide/v1/cache.html#cache"
    assert found["hits"][0]["nearly_the_same"] == ["guide/v2/_chunks/cache-0.md"]
    assert sum(passage["tokens"] for passage in found["passages"]) <= 1000


@pytest.mark.slow
@pytest.mark.parametrize(("path", "limit"), [("", 5), ("", 1), ("reference", 1), ("reference", 4), ("guide/v1", 1)])
def test_hits_are_those_of_the_client_and_go_on(manual: Path, path: str, limit: int) -> None:
    everything = [hit.href for hit in Client(manual).search("wants care", path=path, limit=50).hits]
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        text, found = call(manual, "search", query="wants care", path=path, limit=limit, offset=offset, max_tokens=0)
        assert found["passages"] == []
        assert all(hit["id"] in text for hit in found["hits"])
        seen += [hit["id"] for hit in found["hits"]]
        offset = found["next_offset"]
        assert (f"search again with offset={offset}." in text) == (offset is not None)
    assert seen == everything


@pytest.mark.parametrize("rerank", [None, True, False])
def test_the_sites_model_has_a_say_as_in_the_client(manual: Path, tmp_path: Path, rerank: bool | None) -> None:
    root = tmp_path / "site"
    shutil.copytree(manual, root)
    manifest = json.loads((root / "_search/manifest.json").read_bytes())
    manifest["vectors"]["rerank"] = True
    (root / "_search/manifest.json").write_text(json.dumps(manifest), "utf-8")

    async def run() -> Any:
        async with mcp.Client(mcp_server.make_server(str(root), rerank=rerank)) as client:
            return await client.call_tool("search", {"query": "wants care"})

    found = asyncio.run(run()).structured_content
    client = Client(root)
    expected = client.search("wants care", rerank=rerank is not False)
    assert expected != client.search("wants care", rerank=rerank is False)
    assert [(hit["id"], hit["score"]) for hit in found["hits"]] == [
        (hit.href, round(hit.score, 3)) for hit in expected.hits
    ]
    passages = client.retrieve("wants care", rerank=rerank).passages
    assert [passage["text"] for passage in found["passages"]] == [passage.text for passage in passages]


def test_passages_come_with_the_first_hits_only_and_are_not_listed_again(manual: Path) -> None:
    text, found = call(manual, "search", query="wants care", limit=4, max_tokens=100)
    shown = {source["id"] for passage in found["passages"] for source in passage["sources"]}
    listed = text.partition("More here, for `read`:\n")[2]
    assert listed and not any(f"{id}," in listed for id in shown)
    assert call(manual, "search", query="wants care", offset=1)[1]["passages"] == []


def test_a_path_limits_hits_and_passages(manual: Path) -> None:
    _, found = call(manual, "search", query="wants care", path="reference")
    sources = [*found["hits"], *(source for passage in found["passages"] for source in passage["sources"])]
    assert {source["document"] for source in sources} == {"reference/api.md"}


def test_nothing_found_says_what_to_do(manual: Path) -> None:
    text, found = call(manual, "search", query="qqzzqqzz")
    assert text.startswith("Nothing found. Try other words") and found["hits"] == []
    assert call(manual, "search", query="cache", offset=5000)[0] == "No more hits."
    text, found = call(manual, "search", query="the of and")
    assert found["notes"] == [NOTHING_ASKED]
    assert text.endswith(f"\n\nNote: {NOTHING_ASKED}")


def test_a_slip_is_searched_as_what_the_site_has_and_said(manual: Path) -> None:
    text, found = call(manual, "search", query="cahce")
    assert found["corrected"] == {"cahce": "cache"} and found["hits"] and found["passages"]
    assert found["hits"] == call(manual, "search", query="cache")[1]["hits"]
    assert text.endswith('Note: searched for "cache" instead of "cahce"')
    text, found = call(manual, "search", query="the cahce", exact=True)
    assert found["hits"] == [] and found["corrected"] == {}
    (note,) = found["notes"]
    assert note.startswith("the site has nothing for cahce; it has cache") and text.endswith(f"\n\nNote: {note}")


def test_read_gives_the_text_its_place_and_its_neighbours(manual: Path) -> None:
    id = "reference/_chunks/api-3.md"
    text, found = call(manual, "read", id=id)
    text, found = unversioned(text), json.loads(unversioned(json.dumps(found)))
    assert found["text"] == Client(manual).read(id).text and not found["cut"]
    assert (found["document"], found["title"], found["section_path"]) == (
        "reference/api.md",
        "Method 1",
        ["API", "Method 1"],
    )
    assert found["url"] == "https://docs.example/reference/api.html#method-1"
    assert (found["previous"], found["next"]) == ("reference/_chunks/api-2.md", "reference/_chunks/api-4.md")
    assert text.startswith(f"API › Method 1\n    {found['url']}\n    id: {id}\n\n## Method 1\n\n")
    assert text.endswith("More here: previous: reference/_chunks/api-2.md, next: reference/_chunks/api-4.md")
    assert "More here" not in call(manual, "read", id=CACHE)[0]


def test_what_a_model_wrote_is_marked_as_its_own(manual: Path, tmp_path: Path) -> None:
    root = tmp_path / "site"
    shutil.copytree(manual, root)
    (path,) = (root / "guide/v1/_chunks").glob("cache.*-0.md")
    data = path.read_bytes()
    said = b'enriched_by: claude\nenriched_entities: [cache (TECH)]\nenriched_summary: "Says: clear it."\n---\n'
    path.write_bytes(data.replace(b"---\n", b"+++\n", 1).replace(b"---\n", said, 1).replace(b"+++\n", b"---\n", 1))
    text, found = call(root, "read", id=CACHE)
    assert found["said"] == {
        "by": "claude",
        "summary": "Says: clear it.",
        "questions": [],
        "entities": ["cache (TECH)"],
    }
    assert "Not the document's: written about it by the language model claude\nSummary: Says: clear it." in text
    assert "claude" not in found["text"]
    assert call(manual, "read", id=CACHE)[1]["said"] is None


def test_a_sample_is_the_clients(manual: Path) -> None:
    text, found = call(manual, "sample", topic="/reference/", n=3)
    items = Client(manual).sample("reference", 3)
    assert [item["id"] for item in found["items"]] == [item.href for item in items]
    assert [item["text"] for item in found["items"]] == [Client(manual).read(item).text for item in items]
    assert found["items"][0]["url"] == "https://docs.example/reference/api.html#api"
    assert unversioned(text).startswith(
        "[1] API\n    https://docs.example/reference/api.html#api\n    id: reference/_chunks/api-0.md\n\n# API"
    )


def test_a_large_sample_gives_what_fits_and_names_the_rest(manual: Path) -> None:
    text, found = call(manual, "sample", topic="reference", n=50)
    given = [item for item in found["items"] if item["text"] is not None]
    assert 0 < len(given) < len(found["items"]) == 14
    assert sum(item["tokens"] for item in given) <= mcp_server.MOST_SAMPLED
    listed = text.partition("More here, for `read`:\n")[2].splitlines()
    assert len(listed) == len(found["items"]) - len(given)


def test_topics_are_listed_a_level_at_a_time(manual: Path) -> None:
    text, found = call(manual, "topics")
    assert [topic["id"] for topic in found["topics"]] == ["guide", "reference"]
    assert found["topics"][0]["topics"] == 2
    ids = {unversioned(document["id"]) for document in found["documents"]}
    assert ids == {"_chunks/index-0.md", "_chunks/hostile-0.md"}
    assert "(guide), 4 documents, 4 chunks, 2 topics below" in text
    text, found = call(manual, "topics", path="guide")
    assert [topic["id"] for topic in found["topics"]] == ["guide/v1", "guide/v2"]
    assert {document["source"] for document in found["documents"]} == {"guide/install.md", "guide/qa-pairs.md"}
    assert found["left_out"] == 0


def test_long_lists_say_what_is_left_out(manual: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_server, "MOST_LISTED", 1)
    text, found = call(manual, "topics")
    assert (len(found["topics"]), len(found["documents"]), found["left_out"]) == (1, 1, 2)
    assert "2 more are not listed: `search` with path=''" in text


HOSTILE = [
    "../secret.md",
    "../../../../etc/passwd",
    "/etc/passwd",
    "%2e%2e/secret.md",
    "guide/%2e%2e/%2e%2e/secret.md",
    "guide/..%2fsecret.md",
    "..\\secret.md",
    "//127.0.0.1:9/x.md",
    "\\\\evil\\x.md",
    "http://127.0.0.1:9/x.md",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "x" * 100_000,
    "a\x1b[2J\u202e.md",
    "\0",
    "",
    "guide/index.json",
    "guide",
]


@pytest.mark.parametrize("where", ["folder", "http"])
def test_hostile_ids_are_errors_with_a_way_out(
    manual: Path, manual_url: str, tmp_path: Path, href_of: Callable[..., str], where: str
) -> None:
    root = tmp_path / "site"
    shutil.copytree(manual, root)
    (tmp_path / "secret.md").write_bytes((manual / href_of(manual, CACHE)).read_bytes())

    async def asks(client: Any) -> list[Any]:
        return [await client.call_tool("read", {"id": id}) for id in HOSTILE]

    for id, result in zip(HOSTILE, ask(root if where == "folder" else manual_url, asks), strict=True):
        text = result.content[0].text
        assert result.is_error, id
        assert "Traceback" not in text and len(text) < 1000 and not UNSAFE.search(text)
        assert "Use an id exactly as `search`, `sample` or `topics` gives it" in text, text


@pytest.mark.parametrize("name", ["guide", "./guide", "guide/", "/guide/.", "guide/index.json"])
def test_a_topic_is_found_as_people_write_it(manual: Path, name: str) -> None:
    assert call(manual, "topics", path=name)[1]["id"] == call(manual, "sample", topic=name)[1]["topic"] == "guide"
    assert call(manual, "topics", path=".")[1]["id"] == call(manual, "sample", topic="./")[1]["topic"] == ""


@pytest.mark.parametrize("name", ["nowhere", "guide/nowhere", "../guide", "%67uide", "GUIDE", "\x1b[2J", "a" * 100_000])
@pytest.mark.parametrize(("tool", "key"), [("topics", "path"), ("sample", "topic")])
def test_an_unknown_topic_names_the_way_out(manual: Path, tool: str, key: str, name: str) -> None:
    text = failed(manual, tool, **{key: name})
    assert "there is no topic" in text and text.endswith("`topics` lists what there is")
    assert len(text) < 1000 and not UNSAFE.search(text)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search", {}),
        ("search", {"query": 7}),
        ("search", {"query": "x", "limit": 0}),
        ("search", {"query": "x", "limit": 51}),
        ("search", {"query": "x", "offset": -1}),
        ("search", {"query": "x", "max_tokens": 10**9}),
        ("sample", {"topic": "guide", "n": 10**6}),
        ("read", {"id": None}),
    ],
)
def test_wrong_arguments_are_tool_errors(manual: Path, tool: str, arguments: dict[str, Any]) -> None:
    assert "validation error" in failed(manual, tool, **arguments)


def test_huge_queries_are_answered(manual: Path) -> None:
    queries = ["cache " * 200_000, "x" * 1_000_000, "東京" * 100_000, "\x1b[2J\u202e" * 50_000, "e\u0301" * 100_000]

    async def asks(client: Any) -> list[Any]:
        return [await client.call_tool("search", {"query": query}) for query in queries]

    for result in ask(manual, asks):
        assert not result.is_error
        assert result.structured_content["notes"][0] == "only the first 10,000 characters of the query were looked at"
        assert "Note: only the first 10,000 characters" in result.content[0].text
        assert len(result.content[0].text) < 50_000


def test_a_missing_shard_is_a_note(manual: Path, tmp_path: Path) -> None:
    root = tmp_path / "site"
    shutil.copytree(manual, root)
    for path in root.glob("_search/l-*"):
        path.unlink()
    text, found = call(root, "search", query="cache")
    assert found["hits"] and re.match(r"without l-\w+\.z: ", found["notes"][0])
    assert "Note: without l-" in text


@pytest.mark.parametrize("kind", ["p", "d"])
def test_without_its_shards_a_search_does_not_say_that_there_is_nothing(
    manual: Path, tmp_path: Path, kind: str
) -> None:
    root = tmp_path / "site"
    shutil.copytree(manual, root)
    for path in root.glob(f"_search/{kind}-*"):
        path.unlink()
    text = failed(root, "search", query="cache")
    assert re.match(rf"_search/{kind}-\w+\.z: cannot be read \(.*there is no such file.*\)", text)
    assert text.endswith("Try again later") and "Nothing found" not in text


def test_a_tree_without_a_bundle_can_be_browsed(manual: Path, tmp_path: Path) -> None:
    root = tmp_path / "site"
    shutil.copytree(manual, root)
    shutil.rmtree(root / "_search")
    assert "_search/manifest.json: there is no such file" in failed(root, "search", query="cache")
    text, found = call(root, "read", id=CACHE)
    assert found["url"] == "" and text.startswith("Cache\n    guide/v1/cache.md\n")
    assert len(call(root, "sample", topic="reference", n=2)[1]["items"]) == 2
    assert call(root, "topics")[1]["topics"]


def test_a_server_that_is_away_is_a_tool_error() -> None:
    text = failed("http://127.0.0.1:9/", "topics")
    assert text.startswith("index.json: no answer: ") and text.endswith(". Try again later")


def test_hostile_text_is_escaped_in_the_text_and_exact_in_the_fields(manual: Path) -> None:
    text, found = call(manual, "read", id="_chunks/hostile-0.md")
    assert "\\x1b[2J" in text and not UNSAFE.search(text)
    assert "\x1b[2J" in found["text"]


def test_long_chunks_are_cut_and_figures_that_lie_cost_an_error(manual: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Client(manual).read(CACHE).text
    monkeypatch.setattr(mcp_server, "LONGEST_TEXT", 100)
    text, found = call(manual, "read", id=CACHE)
    assert found["cut"] and found["text"] == whole[:100]
    assert f"The text goes on: this is 100 of {len(whole):,} characters." in text
    monkeypatch.setattr(mcp_server, "MOST_TEXT", 50)
    assert "which is too much. Ask for less" in failed(manual, "read", id=CACHE)


def test_what_is_published_anew_is_seen_after_a_while(manual: Path, tmp_path: Path) -> None:
    root, now = tmp_path / "site", [0.0]
    shutil.copytree(manual, root)
    tools = mcp_server.McpTools(AsyncClient(root), lambda: now[0])

    async def title() -> str:
        result = await tools.topics("reference")
        return str(result.structured_content["title"])

    async def run() -> list[str]:
        found = [await title()]
        (path,) = root.glob("reference/index.*.json")
        index = json.loads(path.read_bytes()) | {"title": "New"}
        index.pop("build_id")
        path.write_text(json.dumps(index))
        found.append(await title())
        now[0] = mcp_server.FRESH + 1
        return [*found, await title()]

    assert asyncio.run(run()) == ["API", "API", "New"]


def test_a_half_published_site_is_looked_at_anew(manual: Path, tmp_path: Path) -> None:
    root = tmp_path / "site"
    shutil.copytree(manual, root)
    (path,) = root.glob("reference/_chunks/api.*-0.md")
    data = path.read_bytes()

    async def asks(client: Any) -> list[Any]:
        path.write_bytes(data + b"more")
        first = await client.call_tool("sample", {"topic": "reference", "n": 2})
        path.write_bytes(data)
        return [first, await client.call_tool("sample", {"topic": "reference", "n": 2})]

    first, second = ask(root, asks)
    assert first.is_error and first.content[0].text.endswith("Try again: the site may have been published anew")
    assert not second.is_error


def test_calls_may_run_at_once(manual_url: str) -> None:
    async def asks(client: Any) -> list[Any]:
        calls = [client.call_tool("search", {"query": query}) for query in ("cache", "kettle", "plug", "cache")]
        return list(await asyncio.gather(*calls))

    found = [result.structured_content for result in ask(manual_url, asks)]
    assert found[0] == found[3] and all(own["hits"] for own in found)


@pytest.mark.slow
def test_over_the_pipes_of_a_process(manual: Path) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("search", {"query": "how do I clear the cache?"}),
        ("search", {"query": "cache " * 200_000}),
        ("read", {"id": CACHE}),
        ("read", {"id": "../../secret.md"}),
        ("sample", {"topic": "reference"}),
        ("topics", {}),
        ("topics", {"path": "nowhere"}),
    ]

    async def asks(client: Any) -> list[Any]:
        return [await client.list_tools(), *[await client.call_tool(name, arguments) for name, arguments in calls]]

    async def run() -> Any:
        async with mcp.Client(mcp.stdio_client(parameters(manual))) as client:
            return client.server_info, client.instructions, await asks(client)

    server, instructions, found = asyncio.run(run())
    assert server.name == "infograph" and "`search` first" in instructions
    in_memory = ask(manual, asks)
    for one, other in zip(found, in_memory, strict=True):
        assert one.model_dump(exclude={"meta"}) == other.model_dump(exclude={"meta"})


@pytest.mark.slow
def test_nothing_but_protocol_is_printed(manual: Path, tmp_path: Path) -> None:
    """Over the pipes themselves: broken input, a call, an error, the end."""
    initialize = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "search", "arguments": {"query": "cache"}},
        },
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "read", "arguments": {"id": "../x"}}},
    ]
    arguments = parameters(manual, "--timeout", "20", "--cache", str(tmp_path)).args
    process = subprocess.Popen(
        [sys.executable, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    )
    assert process.stdin and process.stdout
    with process:
        process.stdin.write("".join(json.dumps(message) + "\n" for message in messages).encode() + b"no protocol\n")
        process.stdin.flush()
        answers = {}
        while not {1, 2, 3} <= answers.keys():
            message = json.loads(process.stdout.readline())
            assert message["jsonrpc"] == "2.0"
            answers[message.get("id")] = message
        rest, errors = process.communicate(timeout=30)
    assert process.returncode == 0
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
    assert answers[2]["result"]["structuredContent"]["hits"]
    assert answers[3]["result"]["isError"]
    assert b"Traceback" not in errors


def test_a_tree_that_is_none_ends_the_command(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["mcp", str(tmp_path / "none")])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "is neither a folder nor an http(s) address" in result.stderr
    with pytest.raises(ConfigError):
        mcp_server.make_server("ftp://example.org/")


def test_a_missing_extra_is_named(manual: Path) -> None:
    code = "import sys; sys.modules['mcp'] = None; from infograph.cli import main; main(prog_name='infograph')"
    found = subprocess.run(
        [sys.executable, "-c", code, "mcp", str(manual)], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr.count("\n") == 1 and "pip install 'infograph[mcp]'" in found.stderr


@pytest.mark.slow
def test_a_search_walks_along_names_where_it_is_asked_to(manual: Path, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    pages = {
        "alderson.md": "# Alderson Works\n\nThe company Alderson Works was founded by John Brigham in a small town.\n",
        "brigham.md": "# John Brigham\n\nAn engineer, John Brigham spent his last years at Cresswell House.\n",
        "cresswell.md": "# Cresswell House\n\nAn old mill, Cresswell House stands at the river.\n",
    }
    pages |= {f"other-{n}.md": f"# Page {n}\n\nNothing of importance about weather {n}.\n" for n in range(12)}
    for name, text in pages.items():
        (tmp_path / "docs" / name).write_text(text)
    flags = {"graph.entities": "terms", "model": "static", "out": str(tmp_path / "site")}
    build(load(str(tmp_path / "docs"), flags=flags, environment={}))
    site, query = tmp_path / "site", "who began Alderson Works?"
    expected = Client(site).search(query, graph=2)
    text, found = call(site, "search", query=query, graph=2)
    assert [hit["document"] for hit in found["hits"]] == [hit.page for hit in expected.hits]
    ways = {hit["document"]: hit["by_way_of"] for hit in found["hits"]}
    assert ways["cresswell.md"] == "the name Cresswell House"
    assert "stands at the river" in text
    assert "Search without `graph`" in failed(manual, "search", query=query, graph=1)


def test_what_is_known_to_answer_stands_first_and_says_so(manual: Path) -> None:
    text, found = call(manual, "search", query="How can I plug the kettle in?")
    first = found["hits"][0]
    assert (unversioned(first["id"]), first["known_to_answer"]) == (
        "guide/_chunks/qa-pairs-0.md",
        "How do I plug the kettle in?",
    )
    assert 'known to answer "How do I plug the kettle in?"' in text
    assert all(hit["known_to_answer"] == "" for hit in call(manual, "search", query="cache")[1]["hits"])
