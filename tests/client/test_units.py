"""Units of a document, and searches that list sections; both clients give the same."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

import infograph
from infograph.build import build
from infograph.client import Client, ClientError, Item
from infograph.client.units import LARGEST_PARENT, parent_of, shared_section, units_of
from infograph.config import load
from infograph.formats.index_json import EnrichedItem, SectionSummary

pytestmark = pytest.mark.usefixtures("in_this_process")

NODE = shutil.which("node")
WEB = Path(infograph.__file__).parent / "web"
PATHS = [("A",), ("A", "B"), ("A", "B"), ("A", "C"), ("D",)]


def items(paths: list[tuple[str, ...]]) -> list[Item]:
    return [
        Item(
            topic="",
            document="a",
            index=at,
            href=f"a-{at}.md",
            title="",
            section_path=path,
            tokens=at,
            sha256=f"{at}" * 64,
        )
        for at, path in enumerate(paths)
    ]


def test_the_units_of_a_document_are_itself_and_its_sections() -> None:
    whole, outer, inner = units_of("a.md", items(PATHS))
    assert (whole.id, whole.type, whole.level, whole.slices, whole.tokens) == ("a.md#0-5", "document", 0, ((0, 5),), 10)
    assert (outer.id, outer.type, outer.level, outer.section_path) == ("a.md#0-4.1", "section", 1, ("A",))
    assert (inner.slices, inner.hrefs, inner.size) == (((1, 3),), ("a-1.md", "a-2.md"), 2)
    assert len({unit.sha256 for unit in (whole, outer, inner)}) == 3
    assert units_of("a.md", []) == ()
    changed = [replace(item, sha256="f" * 64) if item.index == 2 else item for item in items(PATHS)]
    assert [unit.sha256 for unit in units_of("a.md", changed)] != [unit.sha256 for unit in (whole, outer, inner)]


def enriched(items: list[Item]) -> list[Item]:
    """With subtopics a b a a -, and what the document and the first section are about."""
    said = [EnrichedItem(by="m", key=key) for key in ("a", "b", "a", "a", None)]
    summaries = (SectionSummary(chunks=5, summary="all"), SectionSummary(chunks=4, summary="most"))
    said[0] = replace(said[0], sections=summaries)
    return [replace(item, enriched=own) for item, own in zip(items, said, strict=True)]


def test_chunks_of_one_key_are_a_unit_wherever_they_stand() -> None:
    *nested, key = units_of("a.md", enriched(items(PATHS)))
    assert [(unit.type, unit.summary) for unit in nested] == [("document", "all"), ("section", "most"), ("section", "")]
    assert (key.id, key.type, key.key, key.slices) == ("a.md#0-1,2-4.key", "key", "a", ((0, 1), (2, 4)))
    assert (key.level, key.section_path, key.size, key.tokens) == (1, ("A",), 3, 0 + 2 + 3)
    assert key.hrefs == ("a-0.md", "a-2.md", "a-3.md")
    assert parent_of([*nested, key], 0) == nested[1], "a key is no place to read on"


def test_the_parent_of_a_chunk_is_the_smallest_unit_around_it() -> None:
    units = units_of("a.md", items(PATHS))
    assert [parent_of(units, index).slices[0] for index in range(5)] == [(0, 4), (1, 3), (1, 3), (0, 4), (0, 5)]


@pytest.mark.parametrize(
    ("index", "others", "taken", "expected"),
    [
        (1, {2}, (), (2, 1, 3)),
        (1, {3}, (), (1, 0, 4)),
        (1, {4}, (), (0, 0, 5)),
        (1, {2, 3}, (), (2, 1, 3)),
        (3, {0}, {1, 2}, None),
        (1, {9}, (), None),
        (1, (), (), None),
    ],
)
def test_the_smallest_section_with_another_hit(index: int, others: Any, taken: Any, expected: Any) -> None:
    assert shared_section(dict(enumerate(PATHS)), index, others, taken) == expected


@pytest.mark.parametrize(("size", "found"), [(LARGEST_PARENT, True), (LARGEST_PARENT + 1, False)])
@pytest.mark.parametrize("last", [True, False])
def test_a_section_has_eight_chunks_at_the_most(size: int, found: bool, last: bool) -> None:
    paths = dict(enumerate([("Z",), *[("A",)] * size, ("Z",)]))
    own, other = (size, 1) if last else (1, size)
    assert (shared_section(paths, own, {other}, ()) is not None) == found


@pytest.fixture(scope="module")
def site(once: Callable[..., Path]) -> Path:
    """Pages with sections of several chunks that share words."""

    def make(folder: Path) -> None:
        chance = random.Random(3)
        words = [f"{a}{b}{c}" for a in "bdfgk" for b in "aeiou" for c in ("lan", "mer", "tok")]
        for page in range(6):
            parts = [f"# Page {page}\n"]
            for section in range(4):
                parts.append(f"\n## Part {chance.choice(words)}\n")
                for below in range(chance.randint(0, 4)):
                    text = " ".join(chance.choices(words, k=170))
                    parts.append(f"\n### Detail {below}\n\n{text} zebra{section % 2}.\n")
            (folder / "docs").mkdir(exist_ok=True)
            (folder / f"docs/p{page}.md").write_text("".join(parts))
        flags = {"out": str(folder / "site"), "model": "static", "site.generator": "html"}
        build(load(str(folder / "docs"), flags=flags, environment={}))

    return once("units", make) / "site"


def test_a_section_stands_in_the_place_of_its_hits(site: Path) -> None:
    with Client(site) as client:
        leaves = client.search("zebra1", limit=60).hits
        found = client.search("zebra1", limit=60, mode="parent", texts=True)
        units = [hit.unit for hit in found.hits if hit.unit]
        assert len(units) >= 3
        assert [hit.score for hit in found.hits] == sorted((hit.score for hit in found.hits), reverse=True)
        members = [href for hit in found.hits for href in (hit.unit.hrefs if hit.unit else (hit.href,))]
        assert len(set(members)) == len(members), "no chunk stands twice"
        assert {hit.href for hit in leaves} <= set(members), "none is lost"
        assert found.total >= len(found.hits) and found.total_relation == "lte"
        for hit in found.hits:
            if hit.unit is None:
                assert hit.text == client.read(hit).readable
                continue
            ((first, end),) = hit.unit.slices
            assert first <= hit.index < end and 2 <= hit.unit.size <= LARGEST_PARENT
            assert hit.text == "".join(client.read(href).readable for href in hit.unit.hrefs)
            topic = client.topic("")
            (document,) = [own for own in topic.documents.values() if own.source == hit.page]
            known = {unit.slices: unit for unit in units_of(hit.page, document.items)}
            assert known[hit.unit.slices].sha256 == hit.unit.sha256
            assert known[hit.unit.slices].tokens == hit.unit.tokens


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_there_are_as_many_as_are_asked_for(site: Path, limit: int) -> None:
    with Client(site) as client:
        every = client.search("zebra1 Detail", limit=60, mode="parent").hits
        assert len(every) > limit
        found = client.search("zebra1 Detail", limit=limit, mode="parent").hits
        assert len(found) == limit
        assert client.search("zebra1 Detail", limit=0, mode="parent").hits == ()


@pytest.mark.parametrize("options", [{"mode": "page"}, {"mode": None}, {"mode": "parent", "rerank_with": lambda _: ""}])
def test_what_is_no_mode_is_an_error(site: Path, options: dict[str, Any]) -> None:
    with Client(site) as client:
        with pytest.raises(ClientError, match="mode: "):
            client.search("zebra1", **options)
        with pytest.raises(ClientError, match="goes with `search` alone"):
            client.pages("zebra1", mode="parent")


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
def test_both_clients_list_the_same_sections(site: Path, fault_server_module: Any) -> None:
    chance = random.Random(9)
    cases = []
    for _ in range(40):
        query = " ".join(
            chance.choices(["zebra0", "zebra1", "Detail", "balan", "Part", "komer"], k=chance.randint(1, 3))
        )
        options: dict[str, Any] = {"limit": chance.choice([1, 3, 10, 40]), "offset": chance.choice([0, 0, 2])}
        options |= {"mode": "parent", "texts": chance.random() < 0.3}
        if chance.random() < 0.2:
            options["path"] = "p1.md"
        cases.append((query, options))
    cases.append(("zebra1", {"limit": 0, "offset": 20, "path": "nowhere", "mode": "parent"}))
    script = """
    const [module, url, units, given, chunks] = process.argv.slice(1);
    const { Client } = await import(module);
    const { parentOf, unitsOf } = await import(units);
    const client = new Client(url, { timeout: 60000 });
    const found = [];
    for (const [query, options] of JSON.parse(given)) found.push(await client.search(query, options));
    const own = await unitsOf("a.md", JSON.parse(chunks));
    const parents = JSON.parse(chunks).map((_, index) => parentOf(own, index).id);
    const refused = await client.pages("zebra1", { mode: "parent" }).catch((error) => error.code);
    console.log(JSON.stringify([found, own, parents, refused]));
    """
    chunks = enriched(items(PATHS)) + items([*PATHS, (), ("D", "E", "F"), ("D", "E", "F"), ("D", "E")])[5:]
    with fault_server_module.running(site) as server, Client(f"{server.url}site/", timeout=60) as client:
        modules = [(WEB / name).as_uri() for name in ("infograph.js", "units.js")]
        arguments = [
            modules[0],
            f"{server.url}site/",
            modules[1],
            json.dumps(cases),
            json.dumps(list(map(asdict, chunks))),
        ]
        command = [str(NODE), "--input-type=module", "-e", script, "--", *arguments]
        run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
        assert run.returncode == 0, run.stderr
        found, own, parents, refused = json.loads(run.stdout)
        units = units_of("a.md", chunks)
        assert {unit.type for unit in units} == {"document", "section", "key"}
        assert own == json.loads(json.dumps([asdict(unit) for unit in units]))
        assert parents == [parent_of(units, index).id for index in range(len(chunks))]
        assert refused == "unknown"
        seen = 0
        for (query, options), theirs in zip(cases, found, strict=True):
            ours = client.search(query, rerank=False, **options)
            assert (theirs["total"], theirs["total_relation"]) == (ours.total, ours.total_relation), (query, options)
            assert theirs["notes"] == list(ours.notes), (query, options)
            assert [hit["href"] for hit in theirs["hits"]] == [hit.href for hit in ours.hits], (query, options)
            for hit, other in zip(ours.hits, theirs["hits"], strict=True):
                expected = json.loads(json.dumps(asdict(hit.unit))) if hit.unit else None
                assert other.get("unit") == expected
                assert other.get("text", "") == hit.text
                seen += expected is not None
        assert seen > 20
