"""Filters and facets are the same in the clients in Python and JavaScript, on the command line and for agents."""

from __future__ import annotations

import asyncio
import json
import random
import re
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from javascript import CLIENT, needs_node, run_node

from infograph.build import build
from infograph.cli import main
from infograph.client import Client, ClientError
from infograph.client.answers import as_json
from infograph.commands.filter_expressions import as_filters, parse_expression
from infograph.config import load
from infograph.search.format.layout import content_name

SCRIPT = """
const { Client } = await import(process.argv[1]);
let text = "";
for await (const part of process.stdin) text += part;
const client = new Client(process.argv[2], { timeout: 60_000 });
const found = [];
for (const [method, query, options] of JSON.parse(text)) {
  found.push(await client[method](query, options).catch(({ code, message }) => ({ code: code ?? message, message })));
}
console.log(JSON.stringify(found));
"""
WORDS = ["cache", "token", "vector", "server", "deploy", "index", "browser", "shard"]
LANGUAGES = ["python", "js", "rust", "toml", ""]
FIELDS = [
    "language",
    "is_code",
    "chunk_type",
    "tags",
    "product",
    "weight:number",
    "updated:date",
    "tokens",
    "created_at",
    "units",
]

Call = tuple[str, str, dict[str, Any]]


def make_site(folder: Path) -> None:
    """Seventy pages with front matter of many kinds, built."""
    chance = random.Random(3)
    for number in range(70):
        front = [f"title: Page {number}"]
        if number % 3:
            front.append(
                f"tags: [{', '.join(chance.sample(['red', 'blue', 'old', '東京', 'a b'], chance.randint(1, 3)))}]"
            )
        if number % 2:
            front.append(f"product: {chance.choice(['Alpha', 'Beta', '7.4'])}")
        if number % 5:
            front.append(f"weight: {chance.choice([chance.randint(-20, 90), round(chance.uniform(0, 9), 3)])}")
        if number % 4:
            front.append(f"updated: 20{chance.randint(19, 26)}-0{chance.randint(1, 9)}-1{chance.randint(0, 9)}")
        if number % 7:
            front.append(f"date: 2026-0{chance.randint(1, 9)}-11T10:00:00Z")
        parts = [f"# Page {number}"]
        for section in range(chance.randint(1, 6)):
            parts.append(f"## Part {section}\n\n{' '.join(chance.choices(WORDS, k=60))}.")
            if chance.random() < 0.5:
                code = "\n".join(" ".join(chance.choices(WORDS, k=3)) for _ in range(chance.randint(2, 40)))
                parts.append(f"```{chance.choice(LANGUAGES)}\n{code}\n```")
            if number % 9 == section:
                parts.append("| cache | token |\n| --- | --- |\n| index | shard |")
        path = folder / f"{'guide' if number % 2 else 'reference'}/{number}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text("---\n" + "\n".join(front) + "\n---\n\n" + "\n\n".join(parts) + "\n", "utf-8")
    build(load(str(folder), environment={}, flags={"search.fields": FIELDS, "search.enabled": True}))


@pytest.fixture
def site(once: Callable[..., Path], quick: object) -> Path:
    return once("site-with-fields", make_site)


def condition(chance: random.Random) -> tuple[str, Any]:
    name = chance.choice([*(name.partition(":")[0] for name in FIELDS), "freshness", "index", "page", "langage"])
    values = {
        "language": ["python", "javascript", "rust", "toml", "cobol"],
        "is_code": [True, False, "true"],
        "chunk_type": ["structural", "code"],
        "tags": ["red", "blue", "old", "東京", "a b", "Red"],
        "product": ["Alpha", "Beta", "7.4"],
        "weight": [7, "7.5", -3, 0.25, 40],
        "updated": ["2023-05-12", "2020-01-01", "2026-09-19T00:00:00Z"],
        "created_at": ["2026-05-11", "2026-01-01"],
        "tokens": [10, 60, 150, "200"],
        "units": ["table", "table.1", "table.2", "parent"],
        "index": [0, 1, 2],
        "page": ["guide/1.md", "reference/2.md", "no.md"],
        "freshness": [0.5, 0.01, "0.9"],
        "langage": ["python"],
    }[name]
    kind = chance.randrange(6)
    ranged = name in ("weight", "updated", "created_at", "tokens", "index", "freshness")
    if name == "freshness" or (ranged and kind < 4):
        return name, {
            how: chance.choice(values) for how in chance.sample(["gt", "gte", "lt", "lte"], chance.randint(1, 2))
        }
    if kind == 4:
        return name, {"exists": chance.random() < 0.5}
    if kind == 5:
        return name, {"not": chance.choice(values)}
    return name, chance.choice([chance.choice(values), chance.sample(values, 2) if len(values) > 1 else values])


def random_filter(chance: random.Random, depth: int = 0) -> dict[str, Any]:
    found = dict(condition(chance) for _ in range(chance.randint(1, 2)))
    if depth < 2 and chance.random() < 0.4:
        how = chance.choice(["not", "any", "all"])
        inner = [random_filter(chance, depth + 1) for _ in range(2)]
        found[how] = inner[0] if how == "not" else inner
    return found


def random_call(chance: random.Random) -> Call:
    options: dict[str, Any] = {"filters": random_filter(chance), "limit": chance.randint(0, 12)}
    if chance.random() < 0.3:
        options["facets"] = chance.sample(["language", "tags", "product", "is_code", "tag"], chance.randint(1, 2))
    if chance.random() < 0.2:
        options["path"] = chance.choice(["guide", "reference/4.md"])
    if chance.random() < 0.2:
        options["offset"] = chance.randint(1, 5)
    if chance.random() < 0.2:
        options["links"] = False
    method = chance.choice(["search", "search", "pages", "retrieve"])
    if method == "retrieve":
        options = {name: own for name, own in options.items() if name in ("filters", "path")}
        options["max_tokens"] = chance.choice([100, 600])
    return method, " ".join(chance.choices([*WORDS, "cahce"], k=chance.randint(1, 3))), options


def ours(client: Client, call: Call) -> Any:
    method, query, options = call
    try:
        return as_json(getattr(client, method)(query, rerank=False, **options))
    except ClientError as error:
        return {"code": error.code, "message": str(error)}


def theirs(url: str, calls: list[Call]) -> list[Any]:
    found: list[Any] = run_node(SCRIPT, CLIENT, url, given=calls)
    return found


def plain(value: Any) -> Any:
    """What both clients say, with scores to nine digits, and without what is empty or depends on the language."""
    if isinstance(value, dict):
        return {name: plain(own) for name, own in value.items() if own not in ("", None, [], {}) and name != "url"}
    if isinstance(value, list):
        return [plain(own) for own in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value


def compare(site: Path, server_module: Any, number: int) -> tuple[int, int]:
    """How many of so many random calls are answered with hits, and are refused, alike by both clients."""
    chance = random.Random(number)
    calls = [random_call(chance) for _ in range(number)]
    found = refused = 0
    with server_module.running(site) as server, Client(site, timeout=60) as client:
        for call, other in zip(calls, theirs(f"{server.url}site/", calls), strict=True):
            own = ours(client, call)
            assert plain(own) == plain(other), (call, own, other)
            refused += "code" in own
            found += bool(own.get("hits") or own.get("passages"))
    return found, refused


@pytest.mark.slow
@needs_node
def test_both_clients_answer_alike(site: Path, fault_server_module: Any) -> None:
    found, refused = compare(site, fault_server_module, 60)
    assert found > 20 and refused > 3


@pytest.mark.slow
@needs_node
def test_conditions_that_are_almost_the_same_are_told_apart_alike(site: Path, fault_server_module: Any) -> None:
    filters: list[Any] = [
        {"any": [{"tags": "Red"}, {"tags": ["Red", "x"]}, {"tags": "Red"}]},
        {"any": [{"is_code": True}, {"is_code": 1}]},
        {"all": [{"weight": 1}, {"weight": 1.0}]},
        {"any": [{"weight": 1}, {"weight": True}]},
    ]
    calls: list[Call] = [("search", "cache", {"filters": own}) for own in filters]
    with fault_server_module.running(site) as server, Client(site, timeout=60) as client:
        found = [ours(client, call) for call in calls]
        assert list(map(plain, found)) == list(map(plain, theirs(f"{server.url}site/", calls)))
    assert len(found[0]["notes"]) == 2 and [own.get("code") for own in found] == [None, "unknown", None, "unknown"]


@pytest.mark.slow
@needs_node
def test_both_clients_answer_a_thousand_random_queries_alike(site: Path, fault_server_module: Any) -> None:
    found, refused = compare(site, fault_server_module, 1000)
    assert found > 300 and refused > 50


def hostile(site: Path, folder: Path, seed: int) -> Path:
    """A copy whose files of fields are damaged and named by what they hold."""
    shutil.copytree(site, folder)
    chance, search = random.Random(seed), folder / "_search"
    manifest = json.loads((search / "manifest.json").read_bytes())
    directory = zlib.decompress((search / manifest["fields"]).read_bytes()).decode()
    for name in dict.fromkeys(re.findall(r"c-[0-9a-f]{16}\.z", directory)):
        data = bytearray(zlib.decompress((search / name).read_bytes()))
        for _ in range(chance.randint(0, 3)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        packed = zlib.compress(bytes(data[: chance.choice([len(data), chance.randrange(len(data))])]))
        (search / content_name("c", packed)).write_bytes(packed)
        directory = directory.replace(name, content_name("c", packed))
    packed = zlib.compress(directory.encode())
    manifest["fields"] = content_name("n", packed)
    (search / manifest["fields"]).write_bytes(packed)
    (search / "manifest.json").write_text(json.dumps(manifest))
    return folder


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("seed", range(3))
def test_both_clients_take_damage_alike(site: Path, tmp_path: Path, fault_server_module: Any, seed: int) -> None:
    folder, chance = hostile(site, tmp_path / "site", seed), random.Random(seed)
    calls: list[Call] = [("search", "cache token", {"filters": random_filter(chance)}) for _ in range(25)]
    lost = 0
    with fault_server_module.running(folder) as server, Client(folder, timeout=60) as client:
        for call, other in zip(calls, theirs(f"{server.url}site/", calls), strict=True):
            own = ours(client, call)
            assert own.get("code") == other.get("code") in (None, "unknown", "missing"), (call, own, other)
            assert [hit["href"] for hit in own.get("hits", ())] == [hit["href"] for hit in other.get("hits", ())]
            lost += own.get("code") == "missing"
    assert lost > 3


EXPRESSIONS: list[tuple[list[str], dict[str, Any]]] = [
    (["language=python"], {"language": "python"}),
    (["tags=red", "tags=東京"], {"tags": ["red", "東京"]}),
    (["tokens>=60", "tokens<150", "is_code=false"], {"tokens": {"gte": 60, "lt": 150}, "is_code": False}),
    (["!tags=old", "product"], {"not": {"tags": "old"}, "product": {"exists": True}}),
    (["updated>2023-05-12"], {"updated": {"gt": "2023-05-12"}}),
    (["!weight"], {"weight": {"exists": False}}),
    (["freshness>=0.01"], {"freshness": {"gte": 0.01}}),
]


@pytest.mark.parametrize(("given", "filters"), EXPRESSIONS, ids=[" ".join(given) for given, _ in EXPRESSIONS])
def test_the_command_line_filters_as_the_client_does(site: Path, given: list[str], filters: dict[str, Any]) -> None:
    options = [option for text in given for option in ("--filter", text)]
    run = CliRunner().invoke(main, ["search", str(site), "cache token", "--json", "--facet", "tags", *options])
    with Client(site, timeout=60) as client:
        own = as_json(client.search("cache token", filters=filters, facets=["tags"]))
        text = client.retrieve("cache token", 600, filters=filters)
    assert json.loads(run.stdout) == own and own["hits"]
    shown = CliRunner().invoke(main, ["search", str(site), "cache token", "--facet", "tags", *options]).stdout
    first = own["facets"]["tags"][0] if own["facets"]["tags"] else None
    assert f"\ntags: {f'{first[0]} {first[1]}' if first else 'none'}" in shown
    read = CliRunner().invoke(main, ["ask", str(site), "cache token", "--max-tokens", "600", "--json", *options])
    assert json.loads(read.stdout)["passages"] == as_json(text)["passages"]


def test_agents_filter_as_the_client_does(site: Path) -> None:
    mcp = pytest.importorskip("mcp")
    from infograph.integrations.mcp.server import make_server
    from infograph.integrations.mcp.site import open_sites

    async def ask() -> list[Any]:
        async with open_sites([str(site)]) as sites, mcp.Client(make_server(sites)) as agent:
            given = [{"query": "cache token", "filters": filters} for _, filters in EXPRESSIONS]
            given.append({"query": "cache", "filters": {"langage": "python"}})
            return [await agent.call_tool("search", arguments) for arguments in given]

    *found, wrong = asyncio.run(ask())
    with Client(site, timeout=60) as client:
        for (_, filters), result in zip(EXPRESSIONS, found, strict=True):
            hits = client.search("cache token", filters=filters).hits
            assert [hit["id"] for hit in result.structured_content["hits"]] == [hit.href for hit in hits] != []
    assert wrong.is_error and "Did you mean language? There are: " in wrong.content[0].text


def as_expressions(name: str, wanted: Any) -> list[str]:
    """A condition as the command line takes it."""
    if not isinstance(wanted, dict):
        return [f"{name}={value}" for value in (wanted if isinstance(wanted, list) else [wanted])]
    signs = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
    return [
        (name if value else f"!{name}")
        if how == "exists"
        else f"!{name}={value}"
        if how == "not"
        else f"{name}{signs[how]}{value}"
        for how, value in wanted.items()
    ]


def random_expressions(chance: random.Random) -> list[str]:
    return [text for _ in range(chance.randint(1, 2)) for text in as_expressions(*condition(chance))]


Asked = tuple[str, list[str], int, int]
"""A query, its filters as expressions, and how many hits from which on."""


def as_call(asked: Asked) -> Call:
    query, expressions, limit, offset = asked
    parsed = [own for text in expressions if (own := parse_expression(text)) is not None]
    return "search", query, {"filters": as_filters(parsed), "limit": limit, "offset": offset, "prompts": False}


def by_command_line(site: Path, asked: Asked) -> Any:
    query, expressions, limit, offset = asked
    options = [option for text in expressions for option in ("--filter", text)]
    options += ["--limit", str(limit), "--offset", str(offset), "--no-rerank", "--no-prompts", "--json"]
    run = CliRunner().invoke(main, ["search", str(site), *options, "--", query])
    assert run.exit_code in (0, 1), run.output
    return json.loads(run.stdout)


async def by_agent(agent: Any, call: Call) -> Any:
    _, query, options = call
    limit = {name: options[name] for name in ("limit", "offset", "filters")}
    return await agent.call_tool("search", {"query": query, **limit})


@pytest.mark.slow
@needs_node
def test_a_thousand_random_queries_are_answered_alike_by_all_four(site: Path, fault_server_module: Any) -> None:
    """The command line in this process, agents by the SDK's own session in memory."""
    mcp = pytest.importorskip("mcp")
    from infograph.integrations.mcp.server import make_server
    from infograph.integrations.mcp.site import SiteOptions, open_sites

    chance = random.Random(7)
    every: list[Asked] = []
    for _ in range(1000):
        query = " ".join(chance.choices([*WORDS, "cahce"], k=chance.randint(1, 3)))
        every.append((query, random_expressions(chance), chance.randint(1, 12), chance.choice([0, 0, 0, 3])))
    calls = [as_call(asked) for asked in every]

    async def ask() -> list[Any]:
        async with (
            open_sites([str(site)], SiteOptions(rerank=False)) as sites,
            mcp.Client(make_server(sites)) as agent,
        ):
            return [await by_agent(agent, call) for call in calls]

    of_agents = asyncio.run(ask())
    found = refused = 0
    with fault_server_module.running(site) as server, Client(site, timeout=60) as client:
        of_pages = theirs(f"{server.url}site/", calls)
        for asked, call, page, agent in zip(every, calls, of_pages, of_agents, strict=True):
            own = ours(client, call)
            assert plain(own) == plain(page), (call, own, page)
            printed = by_command_line(site, asked)
            if "code" in own:
                refused += 1
                assert agent.is_error, call
                (error,) = printed["errors"]
                assert error["reason"] in own["message"] and error["reason"] in agent.content[0].text, (call, own)
                continue
            found += bool(own["hits"])
            assert printed == own, (asked, printed, own)
            assert [hit["id"] for hit in agent.structured_content["hits"]] == [hit["href"] for hit in own["hits"]], call
    assert found > 300 and refused > 50
