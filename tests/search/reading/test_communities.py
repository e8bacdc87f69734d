"""Global search: which communities of a table a question finds, and in what order."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import pytest

from infograph.search.format.encoding import deflate
from infograph.search.format.graph_layout import GRAPH_FORMAT
from infograph.search.format.graph_manifest import GraphManifest, read_graph_manifest
from infograph.search.format.layout import content_name, joined_names
from infograph.search.format.results import CommunityHit, Remarks
from infograph.search.reading.asking import Searcher
from infograph.search.reading.communities import find_communities
from infograph.search.reading.dialogue import Dialogue
from infograph.search.reading.fetching import opened

TABLE: list[Any] = [
    ["a", 0, -1, 9, "Boats", ["boats"], ["Boats go by water.", "A boat has a sail."], [1, 0]],
    ["b", 0, -1, 7, "Mills", ["mill"], ["A mill stands by the water."], [2, 0]],
    ["c", 1, 0, 5, "Sails", ["sail", "boat"], ["Sails and boats and boats: boats all over, a boat for all."], [3, 1]],
    ["d", 1, 1, 4, "Sails", ["sail", "boat"], ["Sails and boats and boats: boats all over, a boat for all."], [3, 1]],
]

Find = Callable[..., tuple[list[CommunityHit], Remarks]]


@pytest.fixture
def find(searcher: Searcher) -> Find:
    def ask(query: str, limit: int = 10, table: Any = TABLE) -> tuple[list[CommunityHit], Remarks]:
        packed = deflate(json.dumps(table).encode())
        name = content_name("g", packed)
        manifest, remarks = _manifest(name), Remarks()
        asking = find_communities(manifest, searcher.manifest.bm25, searcher.language, query, limit, remarks)
        return Dialogue(asking).run(lambda names: {own: opened(own, packed, 1 << 20) for own in names}), remarks

    return ask


def _manifest(table: str) -> GraphManifest:
    shards = {"bits": 0, "names": joined_names([""])}
    walk = {"weight": 0.8, "leads": 4, "after": 2, "entities": 12, "asked": 8}
    numbers = {"format": GRAPH_FORMAT, "chunks": 3, "entities": 2, "relations": 1, "block": 16, "group": 32}
    fields = numbers | {"largest_shard": 1 << 20, "entity_shards": shards, "chunk_shards": shards}
    return read_graph_manifest(json.dumps(fields | {"table": table, "walk": walk}).encode())


def test_the_best_come_first_and_equals_in_the_order_of_the_table(find: Find) -> None:
    hits, remarks = find("sails of a boat")
    assert [hit.id for hit in hits] == ["c", "d", "a"]
    assert hits[0].score == hits[1].score > hits[2].score > 0
    assert not remarks.missing
    assert [hit.id for hit in find("the mill")[0]] == ["b"]


def test_a_hit_leads_to_the_file_that_the_table_names(find: Find) -> None:
    table = [["a.0123456789", *TABLE[0][1:]], TABLE[1]]
    found = {hit.id: hit.href for hit in find("", table=table)[0]}
    assert found == {"a": "_graph/c-a.0123456789.json", "b": "_graph/c-b.json"}


def test_a_rare_word_counts_more_than_a_common_one(find: Find) -> None:
    table = [[f"x{n}", 0, -1, 1, "", [], ["water all day long"], []] for n in range(8)]
    table.append(["rare", 0, -1, 1, "", [], ["mill all day long"], []])
    hits, _ = find("water mill", table=table)
    assert hits[0].id == "rare" and len(hits) == 9


def test_a_longer_summary_is_no_better_for_it(find: Find) -> None:
    table = [["long", 0, -1, 1, "", [], ["water " + "word " * 50], []], ["short", 0, -1, 1, "", [], ["water word"], []]]
    assert [hit.id for hit in find("water", table=table)[0]] == ["short", "long"]


def test_scores_are_those_of_bm25(find: Find, searcher: Searcher) -> None:
    """By hand: lengths of 2 and 6 terms, of which each has the word once."""
    table = [
        ["short", 0, -1, 1, "", [], ["water wheel"], []],
        ["long", 0, -1, 1, "", [], ["water " + "wheel " * 5], []],
    ]
    (k1, b), (hits, _) = (searcher.manifest.bm25.k1, searcher.manifest.bm25.b), find("water", table=table)
    rarity = math.log(1 + (2 - 2 + 0.5) / (2 + 0.5))
    expected = [rarity * (k1 + 1) / (1 + k1 * (1 - b + b * length / 4)) for length in (2, 6)]
    assert [hit.score for hit in hits] == pytest.approx(expected)


def test_no_more_are_given_than_asked_for(find: Find) -> None:
    assert [hit.id for hit in find("boat", 1)[0]] == ["c"]
    assert find("boat", 0)[0] == []


@pytest.mark.parametrize("query", ["", "?", "…"])
def test_without_letters_all_are_given_as_they_stand(find: Find, query: str) -> None:
    assert [hit.id for hit in find(query)[0]] == ["a", "b", "c", "d"]
    assert [hit.id for hit in find(query, 2)[0]] == ["a", "b"]


def test_a_hit_is_what_the_table_says(find: Find) -> None:
    assert find("mill")[0][0] == CommunityHit(
        id="b",
        title="Mills",
        level=0,
        size=7,
        keywords=("mill",),
        sentences=("A mill stands by the water.",),
        href="_graph/c-b.json",
        score=pytest.approx(find("mill")[0][0].score),
    )


def test_words_that_no_community_has_find_none(find: Find) -> None:
    assert find("zeppelin")[0] == []
    assert find("boat", table=[])[0] == []


@pytest.mark.parametrize(
    "table",
    [
        3,
        [3],
        [["a", 0]],
        [["a", "0", -1, 9, "T", [], [], []]],
        [["a", 0, -1, 9, 7, [], [], []]],
        [["a", 0, -1, 9, "T", [1], [], []]],
        [["a", 0, -1, True, "T", [], [], []]],
    ],
)
def test_a_malformed_table_is_told(find: Find, table: Any) -> None:
    hits, remarks = find("boat", table=table)
    assert hits == []
    assert all(reason.startswith("not rows of communities: ") for reason in remarks.missing.values())
    assert len(remarks.missing) == 1
