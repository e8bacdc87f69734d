"""The files of `_graph/`: which entity and which chunk lies where, and what the files of communities say."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import pytest

from infograph.formats.names import VERSION_DIGITS, version_of
from infograph.search.format.bundle_manifest import GraphFile
from infograph.search.format.graph_layout import ALL, MANIFEST, community_name
from infograph.search.format.graph_manifest import GraphManifest, read_graph_manifest
from infograph.search.format.layout import count_names, joined_names, name_at, split_names
from infograph.search.ranking.walking import AFTER, LEADS, MOST_ASKED, MOST_FOLLOWED, WEIGHT
from infograph.search.reading.fetching import opened
from infograph.search.writing.graph_files import MOST_LISTED, CommunityRow, EntityRow, GraphTables, graph_files
from infograph.search.writing.page_index import BLOCK
from infograph.search.writing.slots import GROUP

PLACES = [(slot, index) for slot in (0, 1, GROUP - 1, GROUP, 5 * GROUP + 3) for index in (0, 2, BLOCK, 3 * BLOCK + 1)]


def entity(number: int) -> EntityRow:
    key = f"the entity {number} of many"
    name = key if number % 2 else f"The Entity {number} of MANY"
    return EntityRow(key, name, "name", number + 2, number % 3 - 1, ((f"key {number}", number),), ((number, 1), (7, 2)))


def community(id: str, parent: int = -1, places: int = 2) -> CommunityRow:
    at = tuple((place, 1) for place in range(places))
    return CommunityRow(
        id=id,
        level=0 if parent < 0 else 1,
        parent=parent,
        size=3,
        title=f"Title {id}",
        keywords=("one", "two"),
        entities=tuple(f"Name {number}" for number in range(MOST_LISTED + 3)),
        ties=((0, 1, 5),),
        sentences=(("A sentence.", f"a/{id}-0.md"),),
        places=at,
        paths=tuple(f"a/{id}-{place}.md" for place, _ in at),
    )


TABLES = GraphTables(
    entities=[entity(number) for number in range(400)],
    aliases={"short": entity(3).key},
    of_chunks={place: [(f"key of {place[0]} and {place[1]} {'long ' * 90}".strip(), 4)] * 2 for place in PLACES},
    communities=[community("a"), community("b", 0), community("c", 0), community("d", 2), community("e")],
    numbers={"chunks": len(PLACES), "entities": 400, "relations": 9},
)


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return graph_files(TABLES, 1000)


@pytest.fixture(scope="module")
def manifest(files: dict[str, bytes]) -> GraphManifest:
    return read_graph_manifest(files[MANIFEST])


def shard(files: dict[str, bytes], names: str, number: int, manifest: GraphManifest) -> Any:
    name = name_at(names, number)
    return opened(name, files[name], manifest.largest_shard)


def test_the_manifest_says_how_to_walk(manifest: GraphManifest) -> None:
    walk = manifest.walk
    said = (walk.weight, walk.leads, walk.after, walk.entities, walk.asked)
    assert said == (WEIGHT, LEADS, AFTER, MOST_FOLLOWED, MOST_ASKED)
    assert (manifest.chunks, manifest.entities, manifest.relations) == (len(PLACES), 400, 9)


def test_the_manifest_is_last_and_every_file_is_there(files: dict[str, bytes], manifest: GraphManifest) -> None:
    assert list(files)[-1] == MANIFEST
    named = {*split_names(manifest.entity_shards.names), *split_names(manifest.chunk_shards.names), manifest.table} - {
        ""
    }
    same = GraphFile.of(files[MANIFEST]).path.rpartition("/")[2]
    assert files[same] == files[MANIFEST]
    assert named | {ALL, MANIFEST, same} | {f"c-{row.id}.json" for row in TABLES.communities} == set(files)


def test_an_entity_lies_in_the_shard_of_its_last_word(files: dict[str, bytes], manifest: GraphManifest) -> None:
    """A name that is its own key is not written twice."""
    assert manifest.entity_shards.bits > 1
    for row in TABLES.entities:
        there = shard(files, manifest.entity_shards.names, manifest.entity_shards.shard("many"), manifest)
        name, kind, chunks, place, neighbours, weights, flat = there[row.key]
        assert (name or row.key, kind, chunks, place) == (row.name, row.kind, row.chunks, row.community)
        assert bool(name) == (row.name != row.key)
        assert tuple(zip(neighbours, weights, strict=True)) == row.neighbours
        assert tuple(zip(flat[::2], flat[1::2], strict=True)) == row.places
    there = shard(files, manifest.entity_shards.names, manifest.entity_shards.shard("short"), manifest)
    assert there["short"] == entity(3).key


def test_a_chunk_lies_in_the_shard_of_its_group_and_block(files: dict[str, bytes], manifest: GraphManifest) -> None:
    assert manifest.chunk_shards.bits > 1
    for slot, index in PLACES:
        number = manifest.chunk_shards.shard(f"{slot // manifest.group}.{index // manifest.block}")
        there = shard(files, manifest.chunk_shards.names, number, manifest)
        key, count = TABLES.of_chunks[slot, index][0]
        assert there[f"{slot}.{index // manifest.block}"][index % manifest.block] == [key, count, key, count]


def test_the_number_of_shards_is_bounded(files: dict[str, bytes]) -> None:
    few = read_graph_manifest(graph_files(TABLES, 16)[MANIFEST])
    assert count_names(few.entity_shards.names) + count_names(few.chunk_shards.names) <= 16


def test_communities_lead_up_and_down(files: dict[str, bytes]) -> None:
    def read(name: str) -> Any:
        return json.loads(files[name])

    def digest(name: str) -> str:
        return hashlib.sha256(files[name]).hexdigest()

    top = read(ALL)
    assert top["count"] == 5
    assert [link["href"] for link in top["_links"]["infograph:community"]] == ["c-a.json", "c-e.json"]
    assert json.loads(files[MANIFEST])["communities"] == {"href": ALL, "count": 5, "sha256": digest(ALL)}
    first = read("c-a.json")
    assert [link["href"] for link in first["_links"]["infograph:community"]] == ["c-b.json", "c-c.json"]
    assert first["_links"]["up"]["href"] == ALL
    assert read("c-c.json")["_links"]["up"]["href"] == "c-a.json"
    assert read("c-d.json")["_links"]["up"]["href"] == "c-c.json"
    assert "infograph:community" not in read("c-d.json")["_links"]
    for parent in (top, first, read("c-c.json")):
        for link in parent["_links"]["infograph:community"]:
            child = read(link["href"])
            assert (link["title"], link["size"], link["sha256"]) == (child["title"], 3, digest(link["href"]))


@pytest.mark.parametrize("versioned", [False, True])
def test_whoever_comes_from_the_top_or_the_table_finds_every_community(versioned: bool) -> None:
    """And so does whoever goes up again, where an address has a version too."""
    files = graph_files(TABLES, 1000, versioned=versioned)
    manifest = json.loads(files[MANIFEST])
    found, waiting = set(), [manifest["communities"]["href"]]
    while waiting:
        name = waiting.pop()
        found.add(name)
        links = json.loads(files[name])["_links"]
        waiting += [link["href"] for link in links.get("infograph:community", [])]
        up = links["up"]["href"]
        assert up in files or up == "../index.json"
        assert links.get("self", {"href": name})["href"] == name
    rows = opened(manifest["table"], files[manifest["table"]], manifest["largest_shard"])
    assert found == {manifest["communities"]["href"], *(community_name(row[0]) for row in rows)}
    assert [row[0].partition(".")[0] for row in rows] == [row.id for row in TABLES.communities]
    for name in found:
        assert bool(version_of(name)) is versioned and hashlib.sha256(files[name]).hexdigest().startswith(
            version_of(name)
        )
    plain = {ALL, "c-a.json", "c-c.json"} if versioned else set()
    assert found | plain == {name for name in files if name.startswith("c-")}


def test_what_another_leads_up_to_has_a_plain_name_that_leads_to_it() -> None:
    files = graph_files(TABLES, 1000, versioned=True)
    for name in (ALL, "c-a.json", "c-c.json"):
        plain = json.loads(files[name])
        latest = plain["_links"]["latest-version"]
        whole = files[latest["href"]]
        digest = hashlib.sha256(whole).hexdigest()
        assert latest["href"] == name.replace(".json", f".{digest[:VERSION_DIGITS]}.json")
        assert latest["sha256"] == digest
        assert plain["_links"]["self"]["href"] == name
        assert plain["_links"]["up"] == json.loads(whole)["_links"]["up"]
        assert plain.get("title") == json.loads(whole).get("title")
        assert "infograph:community" not in plain["_links"]
    single = [name for name in files if re.match(r"c-[bde]\.", name)]
    assert len(single) == 3 and all("self" not in json.loads(files[name])["_links"] for name in single)


def test_a_community_leads_to_its_chunks(files: dict[str, bytes]) -> None:
    found = json.loads(files["c-b.json"])
    assert found["_links"]["item"] == [{"href": "../a/b-0.md"}, {"href": "../a/b-1.md"}]
    assert found["sentences"] == [{"text": "A sentence.", "href": "../a/b-0.md"}]
    assert found["entities"] == [f"Name {number}" for number in range(MOST_LISTED)]
    assert (found["id"], found["level"], found["relations"]) == ("b", 1, [[0, 1, 5]])


def test_the_table_has_what_is_searched(files: dict[str, bytes], manifest: GraphManifest) -> None:
    rows = opened(manifest.table, files[manifest.table], manifest.largest_shard)
    assert rows[1] == ["b", 1, 0, 3, "Title b", ["one", "two"], ["A sentence."], [0, 1, 1, 1]]


def test_a_graph_of_nothing_is_whole() -> None:
    files = graph_files(GraphTables([], {}, {}, [], {"chunks": 0, "entities": 0, "relations": 0}), 100)
    manifest = read_graph_manifest(files[MANIFEST])
    assert manifest.entity_shards.names == joined_names([""])
    assert json.loads(files[ALL])["count"] == 0
