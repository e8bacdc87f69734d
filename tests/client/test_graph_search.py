"""Search along the graph of entities: both clients, asked the same over one site, answer the same."""

from __future__ import annotations

import json
import math
import random
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from javascript import CLIENT, needs_node, run_node

from infograph.build import build
from infograph.client import Client, ClientError
from infograph.commands.enrich.documents import EnrichDocuments
from infograph.commands.enrich.request import EnrichRequest
from infograph.config import load
from infograph.formats.enrichment import EnrichmentRecord
from infograph.search.format.results import SaidRelation

pytestmark = pytest.mark.usefixtures("in_this_process")

SCRIPT = """
const { Client } = await import(process.argv[1]);
let text = "";
for await (const part of process.stdin) text += part;
const client = new Client(process.argv[2], { timeout: 60_000 });
const found = [];
for (const [method, what, options] of JSON.parse(text)) {
  found.push(await client[method](what, options).catch(({ code, message }) => ({ code: code ?? message, message })));
}
console.log(JSON.stringify(found));
"""
SAMPLE_DOCS = Path(__file__).parents[2] / "sample-docs"
OPTIONS = {"graph.entities": "terms", "model": "static"}
STATING = OPTIONS | {"graph.entities": "records"}
QUERIES = (
    "What is the relation of Alderson and Cresswell?",
    "Which river does the founder of Alderson Works live at?",
    "what did John Brigham do at Tamar Mills?",
    "CORS",
    "cross-origin resource sharing",
    "Alderson",
    "",
    "…",
    "the of and",
    "Größe Straße",
    "İstanbul ΑΣ",
    "東京タワー",
    "alderson alderson alderson",
)


def town(folder: Path) -> Path:
    """Pages that name each other's things: Alderson – Brigham – Cresswell, of which the ends share no page."""
    pages = {
        "alderson.md": "# Alderson Works\n\nThe company Alderson Works was founded by John Brigham in a small town.\n",
        "brigham.md": "# John Brigham\n\nAn engineer, John Brigham spent his last years at Cresswell House.\n",
        "cresswell.md": "# Cresswell House\n\nAn old mill, Cresswell House stands at the river Tamar.\n",
        "tamar.md": "# Tamar\n\nIt flows by Cresswell House to the sea. Salmon live in it.\n",
        "http.md": "# Rules of browsers\n\nWith Cross-Origin Resource Sharing (CORS) a server lets others in.\n\n"
        "The rule CORS is old.\n",
        "headers.md": "# Headers\n\nWhat Cross-Origin Resource Sharing sends before a request is called preflight.\n",
        "odd.md": "# Größe\n\nDie Straße `use_state` und `Get-Item` in Größe.\n\nThe `Get-Item` of İstanbul.\n",
        "odd2.md": "# Straße\n\nNoch einmal `use_state`, `C++` and the `Get-Items`.\n",
    }
    pages |= {f"other-{n}.md": f"# Page {n}\n\nNothing of importance about weather {n}.\n" for n in range(12)}
    for name, text in pages.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="session")
def town_site(once: Callable[..., Path]) -> Path:
    def make(folder: Path) -> None:
        (folder / "docs").mkdir()
        build(load(str(town(folder / "docs")), flags={**OPTIONS, "out": str(folder / "site")}, environment={}))

    return once("town-with-graph", make) / "site"


def stating(folder: Path) -> Path:
    """The town, with records of a model for three of its pages: Brigham worked for Tamar Mills, which no page of his
    has a link to, and its page states something of it in other words."""
    root = town(folder)
    (root / "mills.md").write_text("# Tamar Mills\n\nA firm. In the end Tamar Mills was sold.\n", "utf-8")
    (root / "sale.md").write_text("# The sale\n\nGrain made John Brigham and Tamar Mills rich.\n", "utf-8")
    said = {
        "brigham": (["John Brigham", "Cresswell House"], [("John Brigham", "retired to", "Cresswell House")]),
        "sale": (["John Brigham", "Tamar Mills"], [("John Brigham", "grew rich with <b>", "tamar mills")]),
        "mills": (["Tamar Mills", "Phantom"], [("Tamar Mills", "was sold by", "Phantom")]),
    }
    settings = load(str(root), flags={**STATING, "out": str(folder.parent / "none")}, environment={})
    documents = EnrichDocuments(settings, EnrichRequest(), frozenset())
    for stem, (names, relations) in said.items():
        opened = documents.open(f"{stem}.md")
        fields = {
            "entities": [{"name": name, "type": "ORG", "description": f"Is {name}."} for name in names],
            "relations": [dict(zip(("source", "relation", "target"), row, strict=True)) for row in relations],
        }
        for chunk in opened.chunks:
            place = (chunk.readable_sha256, "entities")
            opened.records[place] = EnrichmentRecord(place[0], "entities", "entities-1", "model-1", fields=fields)
        documents.write(opened, complete=False)
    return root


@pytest.fixture(scope="session")
def stated_site(once: Callable[..., Path]) -> Path:
    def make(folder: Path) -> None:
        (folder / "docs").mkdir()
        root = stating(folder / "docs")
        build(load(str(root), flags={**STATING, "out": str(folder / "site")}, environment={}))

    return once("town-that-states", make) / "site"


@pytest.fixture(scope="session")
def graph_site(once: Callable[..., Path]) -> Path:
    def make(folder: Path) -> None:
        flags = {**OPTIONS, "out": str(folder / "site"), "cache": str(folder / "cache")}
        build(load(str(SAMPLE_DOCS), flags=flags, environment={}))

    return once("sample-with-graph", make) / "site"


def ask_javascript(url: str, asked: list[Any]) -> list[Any]:
    found: list[Any] = run_node(SCRIPT, CLIENT, url, given=asked)
    return found


def same(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, float):
        return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(ours, dict):
        return all(same(ours[key], theirs[key]) if key in theirs else not ours[key] for key in ours)
    if isinstance(ours, list):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    return bool(ours == theirs)


def found(client: Client, query: str, graph: int | None) -> dict[str, Any]:
    return {hit.page: hit for hit in client.search(query, rerank=False, graph=graph, links=False).hits}


@pytest.mark.slow
def test_a_walk_finds_what_shares_no_page_with_the_question(town_site: Path) -> None:
    with Client(town_site) as client:
        query = "who began Alderson Works?"
        assert "cresswell.md" not in found(client, query, 0)
        assert found(client, query, 1)["brigham.md"].hops == 1
        assert found(client, query, 1)["brigham.md"].path == ("John Brigham",)
        far = found(client, query, 2)["cresswell.md"]
        assert far.hops == 2 and far.path == ("John Brigham", "Cresswell House")
        assert found(client, query, 2)["alderson.md"].hops == 0


@pytest.mark.slow
def test_no_page_passes_the_first_that_the_words_found(town_site: Path) -> None:
    with Client(town_site) as client:
        for query in QUERIES:
            plain = client.search(query, rerank=False, links=False).hits
            walked = client.search(query, rerank=False, links=False, graph=2).hits
            assert [hit.page for hit in plain[:1]] == [hit.page for hit in walked[: len(plain[:1])] if not hit.hops]


@pytest.mark.slow
def test_a_short_form_finds_what_is_spelled_out(town_site: Path) -> None:
    with Client(town_site) as client:
        plain = found(client, "CORS", None)
        assert "headers.md" not in plain or not plain["headers.md"].score
        hit = found(client, "CORS", 0)["headers.md"]
        assert hit.hops == 0 and hit.path == ("CORS",)


def test_what_is_read_for_a_question_is_walked_to_as_well(town_site: Path) -> None:
    with Client(town_site) as client:
        query = "who began Alderson Works?"
        plain, near, far = (client.retrieve(query, 4000, graph=hops) for hops in (None, 1, 2))
        pages = [{hit.page: hit for p in context.passages for hit in p.hits} for context in (plain, near, far)]
        assert "cresswell.md" not in pages[0] and all(not hit.path for hit in pages[0].values())
        for context, found_pages in ((near, pages[1]), (far, pages[2])):  # links lead to the page between them
            assert found_pages["cresswell.md"].path == ("Cresswell House",)
            assert "Cresswell House stands at the river" in "".join(passage.text for passage in context.passages)
        assert client.retrieve(query, 100, graph=2).tokens <= 100


def test_a_way_that_a_model_stated_is_followed_and_told(stated_site: Path) -> None:
    with Client(stated_site) as client:
        hit = found(client, "what did John Brigham do?", 1)["mills.md"]
        assert (hit.hops, hit.path) == (1, ("John Brigham", "Tamar Mills"))
        assert hit.relation == SaidRelation("John Brigham", "grew rich with", "Tamar Mills", "model-1")
        assert all(own.relation is None for own in found(client, "Tamar", 0).values())
        assert "Phantom" not in "".join(path.read_text("utf-8") for path in stated_site.glob("_graph/c-*.json"))


@pytest.mark.slow
def test_communities_answer_broad_questions(graph_site: Path) -> None:
    with Client(graph_site) as client:
        every = client.communities().hits
        assert every and [hit.level for hit in every] == sorted(hit.level for hit in every)
        some = client.communities("which hosts publish the site?", limit=3).hits
        assert 0 < len(some) <= 3 and [hit.score for hit in some] == sorted((h.score for h in some), reverse=True)
        assert all((graph_site / hit.href).is_file() for hit in every)
        assert client.communities("xylophonist").hits == ()


def test_a_site_without_a_graph_says_so(site: Path) -> None:
    with Client(site) as client:
        calls = (lambda: client.search("cache", graph=1), lambda: client.retrieve("cache", graph=1), client.communities)
        for call in calls:
            with pytest.raises(ClientError, match=r"graph\.entities") as caught:
                call()
            assert caught.value.code == "missing"


def test_a_site_that_an_earlier_build_published_says_so(town_site: Path, tmp_path: Path) -> None:
    """Its bundle does not lead to its graph."""
    copy = shutil.copytree(town_site, tmp_path / "site")
    path = copy / "_search/manifest.json"
    value = json.loads(path.read_bytes())
    del value["graph"]
    path.write_text(json.dumps(value))
    with Client(copy) as client, pytest.raises(ClientError, match=r"leads to no graph.*by this release"):
        client.search("who began Alderson Works?", graph=1)


def test_a_graph_of_other_bytes_costs_only_the_walk(town_site: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(town_site, tmp_path / "site")
    (path,) = (copy / "_graph").glob("manifest.*.json")
    path.write_bytes(path.read_bytes() + b" ")
    with Client(copy) as client, Client(town_site) as whole:
        query = "who began Alderson Works?"
        answer = client.search(query, rerank=False, graph=2, links=False)
        assert list(answer.missing) == [f"_graph/{path.name}"]
        assert answer.hits == whole.search(query, rerank=False, links=False).hits
        assert list(client.communities("").missing) == [f"_graph/{path.name}"]


def test_a_damaged_file_costs_only_what_it_holds(town_site: Path, tmp_path: Path) -> None:
    copy = tmp_path / "site"
    shutil.copytree(town_site, copy)
    for path in (copy / "_graph").glob("[ek]-*.z"):
        path.write_bytes(b"torn")
    with Client(copy) as client, Client(town_site) as whole:
        query = "who began Alderson Works?"
        answer = client.search(query, rerank=False, graph=2, links=False)
        assert answer.missing
        assert [hit.href for hit in answer.hits] == [
            hit.href for hit in whole.search(query, rerank=False, links=False).hits
        ]


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize(
    ("which", "drawn"),
    [
        ("town_site", 8),
        ("stated_site", 8),
        *(pytest.param(which, 60, marks=pytest.mark.slow) for which in ("town_site", "graph_site")),
    ],
)
def test_javascript_answers_alike(
    which: str, drawn: int, request: pytest.FixtureRequest, fault_server_module: Any
) -> None:
    site: Path = request.getfixturevalue(which)
    chance = random.Random(3)
    words = sorted({word for path in site.rglob("_chunks/*.md") for word in path.read_text("utf-8").split()})
    queries = [*QUERIES, *(" ".join(chance.sample(words, chance.randint(1, 7))) for _ in range(drawn))]
    asked = [("search", query, {"graph": hops, "limit": 12}) for query in queries for hops in (0, 1, 2)]
    asked += [("search", query, {"graph": 2, "links": False}) for query in queries[:30]]
    asked += [("pages", query, {"graph": 1, "offset": 1}) for query in queries[:12]]
    asked += [("search", query, {"graph": 1, "collapse": False, "path": "guide"}) for query in queries[:12]]
    asked += [("communities", query, {"limit": 5}) for query in queries]
    asked += [("search", "x", {"graph": value}) for value in (-1, 3, 1.5, "1", True, [1])]
    raised = 0
    with fault_server_module.running(site) as server, Client(f"{server.url}site/", timeout=60) as client:
        for (method, query, options), theirs in zip(asked, ask_javascript(f"{server.url}site/", asked), strict=True):
            try:
                more = {} if method == "communities" else {"rerank": False}
                answer = asdict(getattr(client, method)(query, **more, **options))
                ours: Any = json.loads(json.dumps({**answer, "stats": {}}))
            except ClientError as error:
                ours = {"code": error.code, "message": str(error)}
                assert ours["code"] == theirs["code"] == "unknown" and theirs["message"].startswith("graph: has to be ")
                continue
            assert same(ours, theirs), (method, query, options)
            raised += any(hit.get("path") for hit in ours["hits"])
    assert raised > drawn // 6
