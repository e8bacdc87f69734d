"""The tools, asked by the SDK's own client in this process."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.chunking.tokens import WordPieceCounter
from infograph.client import Client
from infograph.config import load
from infograph.integrations.mcp import server, site, tools
from infograph.integrations.mcp.arguments import TopicsToolArguments
from infograph.search.reading.rankings import NOTHING_ASKED

pytestmark = pytest.mark.usefixtures("in_this_process")

CACHE = "guide/v1/_chunks/cache-0.md"
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
Call = Callable[..., Any]


def unversioned(value: Any) -> Any:
    """An answer without the versions in the names of chunks."""
    return json.loads(re.sub(r"\.[0-9a-f]{10}(?=-\d+\.md)", "", json.dumps(value)))


def copied(manual: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(manual, tmp_path / "site"))


def test_retrieve_gives_text_with_sources_and_more(manual: Path, call: Call, told: Call) -> None:
    asked = {"query": "how do I clear the cache?", "max_tokens": 1000}
    found = unversioned(call(manual, "retrieve", **asked))
    source = found["passages"][0]
    assert source["id"] == CACHE and source["document"] == "guide/v1/cache.md"
    assert source["section_path"] == ["Cache"] and source["url"] == "https://docs.example/guide/v1/cache.html#cache"
    assert source["nearly_the_same"][0] == "guide/v2/_chunks/cache-0.md"
    assert [passage["number"] for passage in found["passages"]] == list(range(1, len(found["passages"]) + 1))
    assert source["lines"][0] == 1 < source["lines"][1]
    assert sum(passage["tokens"] for passage in found["passages"]) < found["tokens"] <= 1000
    text = unversioned(told(manual, "retrieve", **asked))
    assert text.startswith(f"[1] Cache\n    https://docs.example/guide/v1/cache.html#cache\n    id: {CACHE}, ")
    assert "# Cache\n\nThe cache on day 0" in text and "nearly the same: guide/v2/_chunks/cache-0.md" in text


@pytest.mark.parametrize("mode", ["parent", "summary-first"])
def test_a_hit_may_stand_for_a_section(tmp_path: Path, quick: Any, call: Call, told: Call, mode: str) -> None:
    parts = [f"## Part {n}\n\n{'A kettle wants care on many days of the year. ' * 60}" for n in range(3)]
    (tmp_path / "kettle.md").write_text("# Kettle\n\n" + "\n\n".join(parts))
    build(load(str(tmp_path), environment={}))
    (hit,) = Client(tmp_path).search("kettle care", mode=mode).hits
    (found,) = call(tmp_path, "search", query="kettle care", mode=mode)["hits"]
    assert hit.unit is not None and found["id"] == hit.href
    assert found["section"] == {"headings": ["Kettle"], "chunks": list(hit.unit.hrefs), "tokens": hit.unit.tokens}
    assert f'stands for the section "Kettle": {hit.unit.tokens:,} tokens in ' in told(
        tmp_path, "search", query="kettle care", mode=mode
    )
    assert "section" not in call(tmp_path, "search", query="kettle care")["hits"][0]


@pytest.mark.slow
@pytest.mark.parametrize(("path", "limit"), [("", 5), ("", 1), ("reference", 1), ("reference", 4), ("guide/v1", 1)])
def test_hits_are_those_of_the_client_and_go_on(manual: Path, call: Call, told: Call, path: str, limit: int) -> None:
    everything = [hit.href for hit in Client(manual).search("wants care", path=path, limit=50).hits]
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        asked = {"query": "wants care", "path": path, "limit": limit, "offset": offset}
        found, text = call(manual, "search", **asked), told(manual, "search", **asked)
        assert all(hit["id"] in text for hit in found["hits"])
        seen += [hit["id"] for hit in found["hits"]]
        offset = found.get("next_offset")
        assert (f"search again with offset={offset}." in text) == (offset is not None)
    assert seen == everything


@pytest.mark.parametrize("rerank", [None, True, False])
def test_the_sites_model_has_a_say_as_in_the_client(
    manual: Path, tmp_path: Path, ask: Call, rerank: bool | None
) -> None:
    root = copied(manual, tmp_path)
    manifest = json.loads((root / "_search/manifest.json").read_bytes())
    manifest["vectors"]["rerank"] = True
    (root / "_search/manifest.json").write_text(json.dumps(manifest), "utf-8")

    async def asks(client: Any) -> list[Any]:
        query = {"query": "wants care"}
        return [(await client.call_tool(name, query)).structured_content for name in ("search", "retrieve")]

    found, context = ask(root, asks, rerank=rerank)
    client = Client(root)
    expected = client.search("wants care", rerank=rerank is not False)
    assert expected != client.search("wants care", rerank=rerank is False)
    assert [(hit["id"], hit["score"]) for hit in found["hits"]] == [
        (hit.href, round(hit.score, 3)) for hit in expected.hits
    ]
    best = client.retrieve("wants care", rerank=rerank).passages[0]
    assert context["passages"][0]["document"] == best.hits[0].page


def test_what_did_not_fit_is_named_and_not_repeated(manual: Path, call: Call, told: Call) -> None:
    found = call(manual, "retrieve", query="wants care", max_tokens=400)
    shown = {id for passage in found["passages"] for id in (passage["id"], *passage.get("continues", []))}
    assert shown and found["more"] and not shown & {own["id"] for own in found["more"]}
    listed = told(manual, "retrieve", query="wants care", max_tokens=400).partition("More here, for `read`:\n")[2]
    assert len(listed.splitlines()) == len(found["more"]) <= tools.MOST_FURTHER
    assert "No passage fits; the best: " in told(manual, "retrieve", query="wants care", max_tokens=1)


@pytest.mark.parametrize("level", [None, "passages", "chunks"])
def test_the_whole_text_fits_as_a_tokenizer_counts(manual: Path, ask: Any, level: str | None) -> None:
    """Sources, what led to them, near-duplicates and what else is named are paid for, too."""
    cases = [(query, most) for query in ("how do I clear the cache?", "wants care") for most in (60, 200, 400, 900)]

    async def asks(client: Any) -> list[str]:
        found = []
        for query, most in cases:
            arguments = {"query": query, "max_tokens": most, "level": level}
            found.append(str((await client.call_tool("retrieve", arguments)).content[0].text))
        return found

    texts = ask(manual, asks, text_only=True)
    counted = list(zip(cases, WordPieceCounter().count(texts), texts, strict=True))
    assert [(case, tokens) for case, tokens, _ in counted if tokens > case[1]] == []
    assert sum(text.startswith("[1] ") for text in texts) >= 6
    assert max(tokens / most for (_, most), tokens, _ in counted) > 0.6  # the room is used


def test_a_path_limits_hits_and_passages(manual: Path, call: Call) -> None:
    sources = call(manual, "search", query="wants care", path="reference")["hits"]
    sources += call(manual, "retrieve", query="wants care", path="reference")["passages"]
    assert {source["document"] for source in sources} == {"reference/api.md"}


@pytest.mark.parametrize(
    ("tool", "key", "query"),
    [("search", "path", "query"), ("retrieve", "path", "query"), ("match", "topic", "question")],
)
@pytest.mark.parametrize(
    "path", ["nowhere", "guide/nowhere.md", "guide/nowhere/x", "../guide", "\x1b[2J", "g" * 100_000]
)
def test_a_path_that_leads_nowhere_is_an_error(
    manual: Path, failed: Call, tool: str, key: str, query: str, path: str
) -> None:
    text = failed(manual, tool, **{query: "plug the kettle in", key: path})
    assert text.startswith("path: there is no topic or document '") and text.endswith("`topics` lists what there is")
    assert not UNSAFE.search(text)


@pytest.mark.parametrize("path", ["guide", "/guide/", "guide/install.md", "."])
def test_a_path_that_has_nothing_is_none(manual: Path, call: Call, path: str) -> None:
    assert call(manual, "search", query="qqzzqqzz", path=path)["hits"] == []


@pytest.mark.parametrize("tool", ["search", "retrieve"])
def test_nothing_found_says_what_to_do(manual: Path, call: Call, told: Call, tool: str) -> None:
    assert told(manual, tool, query="qqzzqqzz").startswith("Nothing found. Try other words")
    assert call(manual, tool, query="the of and")["notes"] == [NOTHING_ASKED]
    assert told(manual, tool, query="the of and").endswith(f"\n\nNote: {NOTHING_ASKED}")


def test_no_more_hits_are_none(manual: Path, call: Call) -> None:
    assert call(manual, "search", query="cache", offset=5000)["hits"] == []


@pytest.mark.parametrize("tool", ["search", "retrieve"])
def test_a_slip_is_searched_as_what_the_site_has_and_said(manual: Path, call: Call, told: Call, tool: str) -> None:
    found, meant = call(manual, tool, query="cahce"), call(manual, tool, query="cache")
    assert found.pop("corrected") == {"cahce": "cache"} and "notes" not in found
    assert found.pop("tokens", 0) >= meant.pop("tokens", 0)  # what was corrected is said
    assert found == meant and (found.get("hits") or found.get("passages"))
    assert told(manual, tool, query="cahce").endswith('Note: searched for "cache" instead of "cahce"')
    found = call(manual, tool, query="the cahce", exact=True)
    assert "corrected" not in found and not (found.get("hits") or found.get("passages"))
    (note,) = found["notes"]
    assert note.startswith("the site has nothing for cahce; it has cache")
    assert told(manual, tool, query="the cahce", exact=True).endswith(f"\n\nNote: {note}")


def test_read_gives_the_text_its_place_and_its_neighbours(manual: Path, call: Call, told: Call) -> None:
    id = "reference/_chunks/api-3.md"
    found = unversioned(call(manual, "read", id=id))
    assert found["text"] == Client(manual).read(id).text and "next_cursor" not in found
    assert found["document"] == "reference/api.md" and found["section_path"] == ["API", "Method 1"]
    assert found["title"] == "Method 1" and found["url"] == "https://docs.example/reference/api.html#method-1"
    assert (found["previous"], found["next"]) == ("reference/_chunks/api-2.md", "reference/_chunks/api-4.md")
    text = unversioned(told(manual, "read", id=id))
    assert text.startswith(f"API › Method 1\n    {found['url']}\n    id: {id}\n\n## Method 1\n\n")
    assert text.endswith("More here: previous: reference/_chunks/api-2.md, next: reference/_chunks/api-4.md")
    assert "More here" not in told(manual, "read", id=CACHE)
    assert "The text goes on: read again with cursor=0-" in told(manual, "read", id=id, max_tokens=50)


def test_what_a_model_wrote_is_marked_as_its_own(manual: Path, tmp_path: Path, call: Call, told: Call) -> None:
    root = copied(manual, tmp_path)
    (path,) = (root / "guide/v1/_chunks").glob("cache.*-0.md")
    data = path.read_bytes()
    said = b'enriched_by: claude\nenriched_entities: [cache (TECH)]\nenriched_summary: "Says: clear it."\n---\n'
    path.write_bytes(data.replace(b"---\n", b"+++\n", 1).replace(b"---\n", said, 1).replace(b"+++\n", b"---\n", 1))
    found = call(root, "read", id=CACHE)
    assert found["said"] == {"by": "claude", "summary": "Says: clear it.", "entities": ["cache (TECH)"]}
    assert "claude" not in found["text"] and "said" not in call(manual, "read", id=CACHE)
    marked = "Not the document's: written about it by the language model claude\nSummary: Says: clear it."
    assert marked in told(root, "read", id=CACHE)


def test_a_sample_is_the_clients(manual: Path, call: Call, told: Call) -> None:
    found = call(manual, "sample", topic="/reference/", n=3)
    items = Client(manual).sample("reference", 3)
    assert [item["id"] for item in found["items"]] == [item.href for item in items]
    assert [item["text"] for item in found["items"]] == [Client(manual).read(item).text for item in items]
    assert found["items"][0]["url"] == "https://docs.example/reference/api.html#api"
    assert unversioned(told(manual, "sample", topic="reference", n=3)).startswith(
        "[1] API\n    https://docs.example/reference/api.html#api\n    id: reference/_chunks/api-0.md\n\n# API"
    )


def test_a_large_sample_gives_what_fits_and_names_the_rest(manual: Path, call: Call, told: Call) -> None:
    found = call(manual, "sample", topic="reference", n=50)
    given = [item for item in found["items"] if "text" in item]
    assert 0 < len(given) < len(found["items"]) == 14
    assert sum(item["tokens"] for item in given) <= tools.MOST_SAMPLED
    listed = told(manual, "sample", topic="reference", n=50).partition("More here, for `read`:\n")[2].splitlines()
    assert len(listed) == len(found["items"]) - len(given)


def test_topics_are_listed_a_level_at_a_time(manual: Path, call: Call, told: Call) -> None:
    found = call(manual, "topics")
    assert [topic["id"] for topic in found["topics"]] == ["guide", "reference"]
    assert found["topics"][0]["topics"] == 2
    ids = {unversioned(document["id"]) for document in found["documents"]}
    assert ids == {"_chunks/index-0.md", "_chunks/hostile-0.md"}
    assert "(guide), 4 documents, 4 chunks, 2 topics below" in told(manual, "topics")
    found = call(manual, "topics", path="guide")
    assert [topic["id"] for topic in found["topics"]] == ["guide/v1", "guide/v2"]
    assert {document["source"] for document in found["documents"]} == {"guide/install.md", "guide/qa-pairs.md"}
    assert "left_out" not in found


def test_long_lists_say_what_is_left_out(manual: Path, call: Call, told: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "MOST_LISTED", 1)
    found = call(manual, "topics")
    assert (len(found["topics"]), len(found["documents"]), found["left_out"]) == (1, 1, 2)
    assert "2 more are not listed: `search` with path=''" in told(manual, "topics")


def test_a_known_question_is_matched(manual: Path, call: Call, told: Call) -> None:
    asked = {"question": "How can I plug the kettle in?"}
    (first, *_) = unversioned(call(manual, "match", **asked))["hits"]
    assert first["id"] == "guide/_chunks/qa-pairs-0.md"
    assert first["known_to_answer"] == "How do I plug the kettle in?" and first["distance"] <= 12
    assert call(manual, "match", **asked, topic="guide")["hits"] == call(manual, "match", **asked)["hits"]
    assert call(manual, "match", **asked, topic="reference")["hits"] == []
    assert 'known to answer "How do I plug the kettle in?"' in told(manual, "match", **asked)
    assert told(manual, "match", question="why is rain wet?") == "No known question is like this one: `search` for it."


def test_what_is_known_to_answer_stands_first_and_says_so(manual: Path, call: Call, told: Call) -> None:
    query = "How can I plug the kettle in?"
    first = call(manual, "search", query=query)["hits"][0]
    assert unversioned(first["id"]) == "guide/_chunks/qa-pairs-0.md"
    assert first["known_to_answer"] == "How do I plug the kettle in?"
    for tool in ("search", "retrieve"):
        assert 'known to answer "How do I plug the kettle in?"' in told(manual, tool, query=query)
    assert all("known_to_answer" not in hit for hit in call(manual, "search", query="cache")["hits"])


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
    "guide/index.json",
    "guide",
]
HOSTILE += [
    "../_chunks/secret.md",
    "guide/_chunks/../../../secret.md",
    "guide/_chunks/..%2f..%2f..%2fsecret.md",
    "_chunks/..\\..\\secret.md",
    "//127.0.0.1:9/_chunks/x.md",
    "http://127.0.0.1:9/_chunks/x.md",
    "file:///etc/_chunks/passwd",
    "_chunks/" + "x" * 100_000,
    "_chunks/a\x1b[2J\u202e.md",
    "_chunks/\0",
    "_chunks/",
]


@pytest.mark.parametrize("where", ["folder", "http"])
@pytest.mark.parametrize("part", ["chunk", "page"])
def test_hostile_ids_are_errors_with_a_way_out(
    manual: Path, manual_url: str, tmp_path: Path, href_of: Callable[..., str], ask: Call, where: str, part: str
) -> None:
    root = copied(manual, tmp_path)
    (tmp_path / "secret.md").write_bytes((manual / href_of(manual, CACHE)).read_bytes())

    async def asks(client: Any) -> list[Any]:
        return [await client.call_tool("read", {"id": id, "part": part}) for id in HOSTILE]

    for id, result in zip(HOSTILE, ask(root if where == "folder" else manual_url, asks), strict=True):
        text = result.content[0].text
        assert result.is_error, id
        assert "Traceback" not in text and len(text) < 1000 and not UNSAFE.search(text)
        assert "Use an id exactly as the other tools give it" in text, text


@pytest.mark.parametrize("name", ["guide", "./guide", "guide/", "/guide/.", "guide/index.json"])
def test_a_topic_is_found_as_people_write_it(manual: Path, call: Call, name: str) -> None:
    assert call(manual, "topics", path=name)["id"] == call(manual, "sample", topic=name)["topic"] == "guide"
    assert call(manual, "topics", path=".")["id"] == call(manual, "sample", topic="./")["topic"] == ""


@pytest.mark.parametrize("name", ["nowhere", "guide/nowhere", "../guide", "%67uide", "GUIDE", "\x1b[2J", "a" * 100_000])
@pytest.mark.parametrize(("tool", "key"), [("topics", "path"), ("sample", "topic")])
def test_an_unknown_topic_names_the_way_out(manual: Path, failed: Call, tool: str, key: str, name: str) -> None:
    text = failed(manual, tool, **{key: name})
    assert "there is no topic" in text and text.endswith("`topics` lists what there is")
    assert not UNSAFE.search(text)


def test_huge_queries_are_answered(manual: Path, ask: Call) -> None:
    queries = ["cache " * 200_000, "x" * 1_000_000, "東京" * 100_000, "\x1b[2J\u202e" * 50_000, "e\u0301" * 100_000]

    async def asks(client: Any) -> list[Any]:
        return [await client.call_tool(tool, {"query": query}) for query in queries for tool in ("search", "retrieve")]

    for result in ask(manual, asks):
        assert not result.is_error
        assert result.structured_content["notes"][0] == "only the first 10,000 characters of the query were looked at"
        assert len(json.dumps(result.structured_content)) < 50_000


def test_a_missing_shard_is_a_note(manual: Path, tmp_path: Path, call: Call, told: Call) -> None:
    root = copied(manual, tmp_path)
    for path in root.glob("_search/l-*"):
        path.unlink()
    found = call(root, "search", query="cache")
    assert found["hits"] and re.match(r"without l-\w+\.z: ", found["notes"][0])
    assert "Note: without l-" in told(root, "search", query="cache")


@pytest.mark.parametrize("kind", ["p", "d"])
@pytest.mark.parametrize("tool", ["search", "retrieve"])
def test_without_its_shards_a_search_does_not_say_that_there_is_nothing(
    manual: Path, tmp_path: Path, failed: Call, kind: str, tool: str
) -> None:
    root = copied(manual, tmp_path)
    for path in root.glob(f"_search/{kind}-*"):
        path.unlink()
    text = failed(root, tool, query="cache")
    assert re.match(rf"_search/{kind}-\w+\.z: cannot be read \(.*there is no such file.*\)", text)
    assert text.endswith("Try again later") and "Nothing found" not in text


def test_a_tree_without_a_bundle_can_be_browsed(manual: Path, tmp_path: Path, call: Call, failed: Call) -> None:
    root = copied(manual, tmp_path)
    shutil.rmtree(root / "_search")
    for tool, key in (("search", "query"), ("retrieve", "query"), ("match", "question")):
        assert "_search/manifest.json: there is no such file" in failed(root, tool, **{key: "cache"})
    found = call(root, "read", id=CACHE)
    assert "url" not in found and found["document"] == "guide/v1/cache.md"
    assert len(call(root, "sample", topic="reference", n=2)["items"]) == 2
    assert call(root, "topics")["topics"]


def test_hostile_text_is_escaped_in_the_text_and_exact_in_the_fields(manual: Path, call: Call, told: Call) -> None:
    text = told(manual, "read", id="_chunks/hostile-0.md")
    assert "\\x1b[2J" in text and not UNSAFE.search(text)
    assert "\x1b[2J" in call(manual, "read", id="_chunks/hostile-0.md")["text"]


def test_figures_that_lie_cost_an_error(manual: Path, failed: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "LONGEST_ANSWER", 50)
    assert "which is too much. Ask for less" in failed(manual, "read", id=CACHE)


def test_what_is_published_anew_is_seen_after_a_while(manual: Path, tmp_path: Path) -> None:
    root, now = copied(manual, tmp_path), [0.0]

    async def run() -> list[str]:
        async with site.open_sites([str(root)]) as (opened,):
            own = site.OpenSite("manual", opened.client, opened.facts, clock=lambda: now[0])

            async def title() -> str:
                return (await tools.topics(own, TopicsToolArguments(path="reference"))).title

            found = [await title()]
            (path,) = root.glob("reference/index.*.json")
            index = json.loads(path.read_bytes()) | {"title": "New"}
            index.pop("build_id")
            path.write_text(json.dumps(index))
            found.append(await title())
            now[0] = site.FRESH + 1
            return [*found, await title()]

    assert asyncio.run(run()) == ["API", "API", "New"]


def test_a_half_published_site_is_looked_at_anew(manual: Path, tmp_path: Path, ask: Call) -> None:
    root = copied(manual, tmp_path)
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


def test_calls_may_run_at_once(manual_url: str, ask: Call) -> None:
    async def asks(client: Any) -> list[Any]:
        calls = [client.call_tool("search", {"query": query}) for query in ("cache", "kettle", "plug", "cache")]
        return list(await asyncio.gather(*calls))

    found = [result.structured_content for result in ask(manual_url, asks)]
    assert found[0] == found[3] and all(own["hits"] for own in found)


@pytest.mark.slow
def test_a_search_walks_along_names_where_it_is_asked_to(
    manual: Path, tmp_path: Path, call: Call, told: Call, failed: Call
) -> None:
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
    built, query = tmp_path / "site", "who began Alderson Works?"
    expected = Client(built).search(query, graph=2)
    found = call(built, "search", query=query, graph=2)
    assert [hit["document"] for hit in found["hits"]] == [hit.page for hit in expected.hits]
    ways = {hit["document"]: hit.get("by_way_of") for hit in found["hits"]}
    assert ways["cresswell.md"] == "the name Cresswell House"
    text = told(built, "retrieve", query=query, graph=2)
    assert "stands at the river" in text and "by way of the name Cresswell House" in text
    assert "Search without `graph`" in failed(manual, "search", query=query, graph=1)
