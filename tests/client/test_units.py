"""Units of a document, and searches that list sections; both clients give the same."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from javascript import WEB, needs_node, run_node

from infograph.build import build
from infograph.client import Client, ClientError, Item
from infograph.client.units import LARGEST_PARENT, parent_of, shared_section, text_of, units_of
from infograph.config import load
from infograph.enrich.sections import sections_of
from infograph.formats.chunk_file import parse as parse_chunk
from infograph.formats.enrichment import EnrichmentFile, EnrichmentRecord, render
from infograph.formats.index_json import EnrichedItem, PlacedClaim, SectionSummary, UnitGroup
from infograph.search.format.results import DocumentUnit

pytestmark = pytest.mark.usefixtures("in_this_process")

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


GROUPS = (
    UnitGroup(type="parent", level=1, count=2, slices=(((0, 2),), ((2, 5),))),
    UnitGroup(type="table", level=2, count=1, slices=(((1, 3, 9), (2, 0, 5)),)),
    UnitGroup(type="image", level=0, count=1, slices=(((0, 0, 4), (0, 6, 8), (4, 0, 2)),)),
    UnitGroup(type="rows", level=0, count=2, slices=(((0, 0, 4), (1, 0, 2)), ((0, 0, 4), (3, 1, 5))), names=("a", "b")),
)


def stating(items: list[Item]) -> list[Item]:
    """With two claims in the second chunk, of which one rests on nothing."""
    claims = (PlacedClaim(claim="It is.", start=2, end=8), PlacedClaim(claim="Nothing.", start=0, end=0))
    said = EnrichedItem(by="m", propositions=claims)
    return [replace(item, enriched=said) if at == 1 else item for at, item in enumerate(items)]


def test_units_that_an_index_lists_follow_those_of_chunks() -> None:
    found = units_of("a.md", stating(items(PATHS)), GROUPS)
    types = ["document", "section", "section", "proposition", "parent", "parent", "table", "image", "rows", "rows"]
    assert [unit.type for unit in found] == types
    claim, first, _, table, image, rows, others = found[3:]
    assert (claim.id, claim.level, claim.summary) == ("a.md#1:2-8.proposition", 2, "It is.")
    assert (claim.slices, claim.spans, claim.hrefs) == (((1, 2),), ((1, 2, 8),), ("a-1.md",))
    assert (first.id, first.level, first.slices, first.spans) == ("a.md#0-2.parent", 1, ((0, 2),), ())
    assert (first.section_path, first.tokens) == (("A",), 1)
    assert (table.id, table.slices, table.section_path) == ("a.md#1:3-9,2:0-5.table", ((1, 3),), ("A", "B"))
    assert (image.slices, image.level, image.section_path) == (((0, 1), (4, 5)), 0, ())
    assert (rows.id, rows.key, rows.spans) == ("a.md#1:0-2.rows", "a", ((0, 0, 4), (1, 0, 2))), "not of the header"
    assert (others.id, others.key, others.slices) == ("a.md#3:1-5.rows", "b", ((0, 1), (3, 4)))
    assert parent_of(found, 4) == found[5], "a table is no place to read on, a parent is"
    wrong = UnitGroup(type="table", level=1, count=1, slices=(((7, 0, 9),),))
    with pytest.raises(ValueError, match=r"a\.md: a unit of type 'table' \[7, 0, 9\] lies outside of the 5 chunks"):
        units_of("a.md", items(PATHS), (wrong,))
    with pytest.raises(ValueError, match="a section follows from the chunks, and has no slices of its own"):
        units_of("a.md", items(PATHS), (replace(wrong, type="section"),))


TEXTS = ["Пять one\n", "two 😀\n", "three\n", "four\n", "five\n"]


def read_units() -> list[tuple[DocumentUnit, list[str]]]:
    """Units with the texts of their chunks."""
    units = [*units_of("a.md", stating(items(PATHS)), GROUPS), *units_of("a.md", enriched(items(PATHS)))]
    return [(unit, [TEXTS[at] for first, end in unit.slices for at in range(first, end)]) for unit in units]


def test_the_text_of_a_unit_says_what_is_left_out() -> None:
    found = {unit.id: text_of(unit, texts) for unit, texts in read_units()}
    assert found["a.md#0-5"] == "".join(TEXTS)
    assert found["a.md#2-5.parent"] == "".join(TEXTS[2:])
    assert found["a.md#0-1,2-4.key"] == "Пять one\n\n…\nthree\nfour\n"
    assert found["a.md#1:3-9,2:0-5.table"] == " 😀\nthree"
    assert found["a.md#0:0-4,0:6-8,4:0-2.image"] == "Пя\n…\nь\n…\nfi"
    assert found["a.md#3:1-5.rows"] == "Пяour\n", "rows follow each other"


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


def test_sections_are_listed_by_their_summaries(site: Path) -> None:
    with Client(site) as client:
        leaves = {hit.href for hit in client.search("zebra1", limit=60).hits}
        found = client.search("zebra1", limit=7, mode="summary-first", texts=True)
        assert len(found.hits) == 7 and not found.missing
        members = [href for hit in found.hits for href in (hit.unit.hrefs if hit.unit else (hit.href,))]
        assert len(set(members)) == len(members), "no chunk stands twice"
        assert {hit.href for hit in found.hits} <= leaves
        assert sum(hit.unit is not None for hit in found.hits) >= 4
        for hit in found.hits:
            hrefs = hit.unit.hrefs if hit.unit else (hit.href,)
            assert hit.text == "".join(client.read(href).readable for href in hrefs)
            assert hit.unit is None or (hit.href in hrefs and hit.unit.summary == "")
        first = client.search("zebra1", limit=4, mode="summary-first").hits
        after = client.search("zebra1", limit=2, offset=2, mode="summary-first").hits
        assert after == first[2:]


def test_pages_of_sections_have_each_section_once(site: Path) -> None:
    """Each page sorted another set by its summaries: some sections stood on two pages, others on none."""
    with Client(site) as client:
        for query in ("zebra1", "kettle", "part"):
            pages = [client.search(query, limit=3, offset=3 * number, mode="summary-first") for number in range(20)]
            (total,) = {(page.total, page.total_relation) for page in pages}
            hrefs = [hit.href for page in pages for hit in page.hits]
            assert len(hrefs) == len(set(hrefs)) == total[0] and total[1] == "eq"


def test_a_summary_decides_which_section_is_first(tmp_path: Path, quick: Any) -> None:
    """A language model says that one section is about winter; no word of the page does."""
    body = "A kettle wants care on every day of the year. " * 40
    parts = "".join(f"\n## Part {n}\n" + f"\n### Detail\n\n{body}\n" * 3 for n in range(3))
    (tmp_path / "kettle.md").write_text(f"# Kettle\n{parts}")
    build(load(str(tmp_path), environment={}))
    names = [f"_chunks/kettle-{number}.md" for number in range(len(list(tmp_path.glob("_chunks/kettle-*.md"))))]
    chunks = [parse_chunk(name, (tmp_path / name).read_bytes()).chunk for name in names]
    (last,) = [own for own in sections_of(chunks) if own.title == "Part 2"]
    said = "How it keeps warm in winter."
    record = EnrichmentRecord(last.readable_sha256, "summaries", "summaries-1", "m", 0, {"summary": said})
    (tmp_path / "_enrichment").mkdir()
    (tmp_path / "_enrichment/kettle.json").write_bytes(render(EnrichmentFile("kettle.md", records=(record,))))
    build(load(str(tmp_path), environment={}))
    with Client(tmp_path) as client:
        (first, *others) = client.search("kettle winter", exact=True, mode="summary-first").hits
    assert first.unit is not None and first.unit.summary == said
    assert first.unit.section_path == ("Kettle", "Part 2")
    assert {hit.unit.summary for hit in others if hit.unit} == {""}


def test_a_first_chunk_that_cannot_be_read_is_missing(site: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(site, tmp_path / "site"))
    with Client(site) as client:
        whole = client.search("zebra1", limit=5, mode="summary-first").hits
    gone = next(hit.unit.hrefs[0] for hit in whole if hit.unit)
    (root / gone).unlink()
    with Client(root) as client:
        found = client.search("zebra1", limit=5, mode="summary-first")
    assert list(found.missing) == [gone]
    assert len(found.hits) == 5


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_there_are_as_many_as_are_asked_for(site: Path, limit: int) -> None:
    with Client(site) as client:
        every = client.search("zebra1 Detail", limit=60, mode="parent").hits
        assert len(every) > limit
        found = client.search("zebra1 Detail", limit=limit, mode="parent").hits
        assert len(found) == limit
        assert client.search("zebra1 Detail", limit=0, mode="parent").hits == ()


@pytest.fixture(scope="module")
def far_apart(once: Callable[..., Path]) -> Path:
    """Pages of a section with one chunk that is found early and one that is found late."""

    def make(folder: Path) -> None:
        (folder / "docs").mkdir()
        for page in range(40):
            early, late = f"zebra kettle{page} " * 6 + "zebra " * page, f"lots of other words {page} " * 40 + "zebra"
            text = f"# Page {page}\n\n## Part\n\n### A\n\n{early}\n\n### B\n\n{late}\n"
            (folder / f"docs/p{page}.md").write_text(text)
        flags = {"out": str(folder / "site"), "model": "static", "strategy": "structural"}
        build(load(str(folder / "docs"), flags=flags, environment={}))

    return once("far-apart", make) / "site"


@needs_node
@pytest.mark.parametrize("mode", ["parent", "summary-first"])
def test_how_a_list_begins_does_not_depend_on_how_many_are_asked_for(
    far_apart: Path, mode: str, fault_server_module: Any
) -> None:
    """Beyond ten, hits far behind made a section of one that stood alone in a shorter list."""
    limits = (1, 10, 11, 12, 14, 20, 25, 60)
    with Client(far_apart) as client:
        lists = [client.search("zebra", limit=limit, mode=mode, rerank=False).hits for limit in limits]
    assert len(lists[-1]) > 25 and [hit.href for hit in lists[-1]] != [hit.href for hit in lists[0]]
    assert any(hit.unit for hit in lists[-1])
    for limit, hits in zip(limits, lists, strict=True):
        assert hits == lists[-1][:limit]
    script = """
    const [module, url, mode, limits] = process.argv.slice(1);
    const { Client } = await import(module);
    const client = new Client(url, { timeout: 60000 });
    const found = [];
    for (const limit of JSON.parse(limits)) {
      const { hits } = await client.search("zebra", { limit, mode, rerank: false });
      found.push(hits.map(({ href, unit }) => [href, unit?.id ?? null]));
    }
    console.log(JSON.stringify(found));
    """
    with fault_server_module.running(far_apart) as server:
        theirs = run_node(script, (WEB / "infograph.js").as_uri(), f"{server.url}site/", mode, json.dumps(limits))
    assert theirs == [[[hit.href, hit.unit.id if hit.unit else None] for hit in hits] for hits in lists]


@pytest.mark.parametrize("options", [{"mode": "page"}, {"mode": None}, {"mode": "parent", "rerank_with": lambda _: ""}])
def test_what_is_no_mode_is_an_error(site: Path, options: dict[str, Any]) -> None:
    with Client(site) as client:
        with pytest.raises(ClientError, match="mode: "):
            client.search("zebra1", **options)
        with pytest.raises(ClientError, match="goes with `search` alone"):
            client.pages("zebra1", mode="parent")


@needs_node
def test_both_clients_list_the_same_sections(site: Path, fault_server_module: Any) -> None:
    chance = random.Random(9)
    cases = []
    for _ in range(20):
        query = " ".join(
            chance.choices(["zebra0", "zebra1", "Detail", "balan", "Part", "komer"], k=chance.randint(1, 3))
        )
        options: dict[str, Any] = {"limit": chance.choice([1, 3, 10, 40]), "offset": chance.choice([0, 0, 2])}
        options |= {"mode": chance.choice(["parent", "summary-first"]), "texts": chance.random() < 0.3}
        if chance.random() < 0.2:
            options["path"] = "p1.md"
        cases.append((query, options))
    cases.append(("zebra1", {"limit": 0, "offset": 20, "path": "nowhere", "mode": "parent"}))
    script = """
    const [module, url, units, given, chunks, stating, groups, read] = process.argv.slice(1);
    const { Client } = await import(module);
    const { parentOf, textOf, unitsOf } = await import(units);
    const client = new Client(url, { timeout: 60000 });
    const found = [];
    for (const [query, options] of JSON.parse(given)) found.push(await client.search(query, options));
    const own = await unitsOf("a.md", JSON.parse(chunks));
    const parents = JSON.parse(chunks).map((_, index) => parentOf(own, index).id);
    const refused = [];
    for (const mode of ["parent", "summary-first"]) {
      refused.push(await client.pages("zebra1", { mode }).catch((error) => error.code));
    }
    const listed = await unitsOf("a.md", JSON.parse(stating), JSON.parse(groups));
    const texts = JSON.parse(read).map(([unit, texts]) => textOf(unit, texts));
    const wrong = [{ type: "table", level: 1, count: 1, slices: [[[7, 0, 9]]] }];
    const lost = [];
    const strings = { ...wrong[0], slices: [[["0", "9"]]] };
    for (const groups of [wrong, [{ ...wrong[0], type: "section" }], [strings]]) {
      lost.push(await unitsOf("a.md", JSON.parse(stating), groups).catch((error) => error.message));
    }
    console.log(JSON.stringify([found, own, parents, refused, listed, texts, lost]));
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
            json.dumps(list(map(asdict, stating(items(PATHS))))),
            json.dumps(list(map(asdict, GROUPS))),
            json.dumps([(asdict(unit), texts) for unit, texts in read_units()]),
        ]
        found, own, parents, refused, listed, texts, lost = run_node(script, *arguments)
        known = units_of("a.md", stating(items(PATHS)), GROUPS)
        assert listed == json.loads(json.dumps([asdict(unit) for unit in known]))
        assert texts == [text_of(*own) for own in read_units()]
        assert lost == [
            "a.md: a unit of type 'table' [7, 0, 9] lies outside of the 5 chunks",
            "a section follows from the chunks, and has no slices of its own",
            "a.md: a unit of type 'table' [0, 9] is not made of whole numbers",
        ]
        units = units_of("a.md", chunks)
        assert {unit.type for unit in units} == {"document", "section", "key"}
        assert own == json.loads(json.dumps([asdict(unit) for unit in units]))
        assert parents == [parent_of(units, index).id for index in range(len(chunks))]
        assert refused == ["unknown", "unknown"]
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
