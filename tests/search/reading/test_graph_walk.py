"""Local search: what a query asks the graph for, what a walk brings in, and what damaged files cost."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from infograph.errors import FormatError
from infograph.search.format.encoding import deflate
from infograph.search.format.graph_layout import MANIFEST
from infograph.search.format.graph_manifest import GraphManifest, read_graph_manifest
from infograph.search.format.layout import content_name
from infograph.search.format.results import Hit, Remarks, SaidRelation
from infograph.search.ranking.scoring import ChunkPlace
from infograph.search.ranking.walking import RELATED, Reached
from infograph.search.reading.asking import Searcher
from infograph.search.reading.dialogue import Dialogue
from infograph.search.reading.fetching import opened
from infograph.search.reading.graph_walk import MOST_QUERY_WORDS, GraphWalk, Walked, query_keys, walk
from infograph.search.writing.graph_files import EntityRow, GraphTables, SaidRow, StatedRow, graph_files
from infograph.search.writing.page_index import BLOCK
from infograph.search.writing.slots import GROUP
from infograph.text.entity_keys import key_of

Ranking = list[tuple[ChunkPlace, float]]

FIRST: ChunkPlace = (2 * GROUP + 1, 3 * BLOCK + 2)
"""A chunk whose slot and index are in no first group or block."""
SECOND: ChunkPlace = (5, 0)
MIDDLE: ChunkPlace = (GROUP + 7, BLOCK + 1)
FAR: ChunkPlace = (9, 4)
RANKING: Ranking = [(FIRST, 10.0), (SECOND, 8.0), ((6, 0), 1.0)]

ENTITIES: dict[str, tuple[str, list[ChunkPlace]]] = {
    "john brigham": ("John Brigham", [FIRST, MIDDLE]),
    "cresswell house": ("Cresswell House", [MIDDLE, FAR]),
    "tamar": ("tamar", [(20, 1), SECOND]),
    "house": ("House", [(30, 0)]),
    "cross origin": ("Cross-Origin", [(40, 2), (41, 0)]),
    "savery pump": ("Savery Pump", [(0, 3), (1, 3)]),
}


SAID = (
    SaidRow("savery pump", "A pump.", "model", (StatedRow(False, "was sold by", "tamar", 2, (FIRST,)),)),
    SaidRow(
        "cross origin", "", "model", (StatedRow(True, "is no", "gone", 3, ()), StatedRow(True, "x", "far", 99, ()))
    ),
)


def made(said: Sequence[SaidRow] = ()) -> dict[str, bytes]:
    """A graph of these entities, beside so many others that no kind of shard is one alone."""
    rows = [EntityRow(key, name, "name", len(at), -1, (), tuple(at)) for key, (name, at) in ENTITIES.items()]
    rows += [EntityRow(f"filler {n} word{n}", "", "name", 9, -1, (), ((n, 0),) * 9) for n in range(300)]
    of_chunks: dict[ChunkPlace, list[tuple[str, int]]] = {}
    for key, (_, at) in ENTITIES.items():
        for place in at:
            of_chunks.setdefault(place, []).append((key, len(at)))
    for n in range(300):
        of_chunks.setdefault((100 + n, n % BLOCK), []).append((f"filler {n} {'long ' * 12}", 9))
    numbers = {"chunks": 400, "entities": len(rows), "relations": 0}
    return graph_files(GraphTables(rows, {key_of("CORS"): "cross origin"}, of_chunks, [], numbers, said), 2000)


class Graph:
    """A graph that counts what is read of it."""

    def __init__(self, searcher: Searcher, said: Sequence[SaidRow] = ()) -> None:
        self.files = made(said)
        self.manifest: GraphManifest = read_graph_manifest(self.files[MANIFEST])
        self.read: list[str] = []
        self._searcher = searcher

    def walk(self, text: str, ranking: Ranking = RANKING, hops: int = 1) -> tuple[Walked, Remarks]:
        remarks, self.read = Remarks(), []

        def contents(names: Sequence[str]) -> Mapping[str, Any]:
            self.read += names
            return {name: self._content(name) for name in names}

        how = GraphWalk(self.manifest, hops)
        stop_words = self._searcher.ranker.language.stop_words
        asked = walk(how, text, ranking, self._searcher.shards.names, stop_words, remarks)
        return Dialogue(asked).run(contents), remarks

    def _content(self, name: str) -> Any:
        if name not in self.files:
            return FormatError(name, "is gone", "Build again")
        return opened(name, self.files[name], self.manifest.largest_shard)

    def replace(self, kind: str, change: Callable[[Any], Any]) -> None:
        """Changes the contents of every shard of a kind, under names that fit."""
        text = self.files[MANIFEST].decode()
        for name in [name for name in self.files if name.startswith(kind) and name.endswith(".z")]:
            data = opened(name, self.files.pop(name), self.manifest.largest_shard)
            packed = deflate(json.dumps(change(data)).encode())
            new = content_name(kind, packed)
            self.files[new] = packed
            text = text.replace(name[2:-2], new[2:-2])  # what a list has of it
        self.files[MANIFEST] = text.encode()
        self.manifest = read_graph_manifest(self.files[MANIFEST])


@pytest.fixture
def graph(searcher: Searcher) -> Graph:
    found = Graph(searcher)
    assert found.manifest.entity_shards.bits and found.manifest.chunk_shards.bits
    return found


def test_a_query_may_name_entities_by_any_run_of_its_words() -> None:
    assert query_keys("The old Houses") == {
        "the old house": False,
        "the old": False,
        "old house": False,
        "the": True,
        "old": True,
        "house": True,
    }
    assert next(iter(query_keys("one two three four five six seven"))) == "one two three four five six"
    assert query_keys("…") == query_keys("") == {}


def test_words_of_a_long_query_are_looked_up_to_a_bound() -> None:
    words = [f"w{number}" for number in range(MOST_QUERY_WORDS + 1)]
    keys = query_keys(" ".join(words))
    assert words[-2] in keys and words[-1] not in keys


def test_a_hop_leads_to_the_chunk_that_shares_an_entity(graph: Graph) -> None:
    found, remarks = graph.walk("who was that")
    assert not remarks.missing
    assert found.reached == {MIDDLE: Reached(8.0, 8.0, 1, ("john brigham",)), (20, 1): Reached(6.4, 6.4, 1, ("tamar",))}
    order: list[ChunkPlace] = [FIRST, SECOND, MIDDLE, (20, 1), (6, 0)]
    assert [chunk for chunk, _ in found.ranking] == order


def test_a_second_hop_starts_where_the_first_one_led(graph: Graph) -> None:
    found, _ = graph.walk("who was that", hops=2)
    assert found.reached[FAR] == Reached(0.8 * 8.0, 0.8 * 8.0, 2, ("john brigham", "cresswell house"))
    assert found.reached[MIDDLE].hops == 1
    assert found.names["cresswell house"] == "Cresswell House"
    one, _ = graph.walk("who was that", hops=1)
    assert FAR not in one.reached


def test_fewer_chunks_lead_on_at_each_hop(graph: Graph) -> None:
    """Four first pages, then two chunks, then one."""
    graph.manifest = read_graph_manifest(graph.files[MANIFEST].replace(b'"leads":4', b'"leads":2'))
    found, _ = graph.walk("who was that", hops=2)  # of what two pages led to, one chunk leads on: the best
    assert FAR in found.reached
    ranking: Ranking = [(SECOND, 10.0), (FIRST, 8.0)]
    found, _ = graph.walk("who was that", ranking, hops=2)  # and that is not the one that would lead on here
    assert set(found.reached) == {(20, 1), MIDDLE}


def test_two_chunks_lead_on_after_the_first_hop(graph: Graph) -> None:
    found, _ = graph.walk("who was that", [(SECOND, 10.0), (FIRST, 8.0)], hops=2)
    assert set(found.reached) == {(20, 1), MIDDLE, FAR} and found.reached[FAR].hops == 2


def test_without_hops_only_the_entities_of_the_query_come(graph: Graph) -> None:
    found, _ = graph.walk("Where does CORS come from?", hops=0)
    assert {chunk: (way.hops, way.path) for chunk, way in found.reached.items()} == {
        (40, 2): (0, ("cross origin",)),
        (41, 0): (0, ("cross origin",)),
    }
    assert found.names["cross origin"] == "Cross-Origin"


def test_an_entity_of_the_query_is_not_followed(graph: Graph) -> None:
    found, _ = graph.walk("Who was John Brigham?")
    assert found.reached[MIDDLE].hops == 0  # the query names it: that is no hop
    assert all(way.hops == 0 or "john brigham" not in way.path for way in found.reached.values())


def test_a_name_within_a_longer_one_is_none(graph: Graph) -> None:
    found, _ = graph.walk("The Cresswell House", hops=0)
    assert (30, 0) not in found.reached and FAR in found.reached
    alone, _ = graph.walk("The House", hops=0)
    assert (30, 0) in alone.reached


def test_stop_words_are_not_looked_up(graph: Graph) -> None:
    graph.walk("what is the of and", hops=0)
    assert graph.read == []


def test_an_entity_is_named_by_its_key_where_it_has_no_other_name(graph: Graph) -> None:
    found, _ = graph.walk("tamar", hops=0)
    assert found.names == {"tamar": "tamar"}


def test_without_any_ranking_the_chunks_of_the_query_s_entities_are_the_answer(graph: Graph) -> None:
    found, _ = graph.walk("CORS", [])
    assert found.ranking == [((40, 2), 1.0), ((41, 0), 1.0)]
    assert found.reached[40, 2] == Reached(1.0, 1.0, 0, ("cross origin",))
    assert graph.walk("nothing known", [])[0].ranking == []


def test_a_chunk_that_the_words_found_is_not_raised_by_the_query_s_entities(graph: Graph) -> None:
    for score in (2.0, 0.5):
        ranking: Ranking = [(SECOND, 8.0), ((40, 2), score), ((41, 0), 0.0)]
        found, _ = graph.walk("CORS", ranking, hops=0)
        assert set(found.reached) == {(41, 0)}


def test_entities_of_the_query_count_as_if_the_first_chunk_led_there(graph: Graph) -> None:
    """But no chunk passes the second page."""
    found, _ = graph.walk("CORS", [(FIRST, 10.0), (SECOND, 9.0), (MIDDLE, 1.0)], hops=0)
    assert found.reached[40, 2] == Reached(8.0, 8.0, 0, ("cross origin",))
    found, _ = graph.walk("CORS", [(FIRST, 10.0), (SECOND, 7.0), (MIDDLE, 1.0)], hops=0)
    assert found.reached[40, 2] == Reached(7.0, 8.0, 0, ("cross origin",))
    found, _ = graph.walk("CORS", [(FIRST, 10.0)], hops=0)
    assert found.reached[40, 2].score == 8.0


def test_of_two_ways_that_give_as_much_the_shorter_is_told(graph: Graph) -> None:
    found, _ = graph.walk("Cresswell House")
    assert found.reached[MIDDLE] == Reached(8.0, 8.0, 0, ("cresswell house",))


@pytest.mark.parametrize("kind", ["e", "k"])
def test_what_cannot_be_read_is_told(graph: Graph, kind: str) -> None:
    for name in [name for name in graph.files if name.startswith(kind) and name.endswith(".z")]:
        del graph.files[name]
    found, remarks = graph.walk("Who was John Brigham?")
    assert remarks.missing
    assert {name[0] for name in remarks.missing} == {kind}
    assert [chunk for chunk, _ in found.ranking if chunk in dict(RANKING)] == [chunk for chunk, _ in RANKING]


@pytest.mark.parametrize(
    "row",
    [
        3,
        [],
        ["Name", "name", 2, -1, [], [], [1, 2, 3]],
        ["Name", "name", 2, -1, [], [], [1, -2]],
        ["Name", "name", 2, -1, [], [], [1, True]],
        ["Name", "name", -1, -1, [], [], [1, 2]],
        ["Name", "name", 2.5, -1, [], [], [1, 2]],
        [7, "name", 2, -1, [], [], [1, 2]],
        ["Name", "name", 2, -1, [], []],
    ],
)
def test_a_malformed_entity_is_told(graph: Graph, row: object) -> None:
    graph.replace("e", lambda shard: {key: row if key == "tamar" else value for key, value in shard.items()})
    found, remarks = graph.walk("tamar", hops=0)
    assert list(remarks.missing.values()) == ["'tamar' is no entity there"]
    assert found.reached == {}


@pytest.mark.parametrize(
    "block",
    [3, {"a": 1}, [3] * BLOCK, [["key"]] * BLOCK, [["key", 0]] * BLOCK, [["key", True]] * BLOCK, [[1, 2]] * BLOCK],
)
def test_malformed_entities_of_a_chunk_are_told(graph: Graph, block: object) -> None:
    graph.replace("k", lambda shard: dict.fromkeys(shard, block))
    found, remarks = graph.walk("who was that")
    assert remarks.missing and all(reason.startswith("has no entities of ") for reason in remarks.missing.values())
    assert found.ranking == RANKING


@pytest.mark.parametrize("block", [[], [["tamar", 2]], [["tamar", 1]]])
def test_a_chunk_without_entities_leads_nowhere(graph: Graph, block: object) -> None:
    """A block ends with its last chunk that has some."""
    graph.replace("k", lambda shard: dict.fromkeys(shard, block))
    found, remarks = graph.walk("who was that", [(FIRST, 10.0), ((8, 1), 8.0)])
    assert not remarks.missing
    assert found.reached == {}


def test_shards_that_are_no_objects_are_told(graph: Graph) -> None:
    graph.replace("k", lambda shard: [shard])
    _, remarks = graph.walk("who was that")
    assert remarks.missing


def test_a_hit_tells_the_way_that_led_to_it() -> None:
    def hit(page: str, index: int, twins: tuple[Hit, ...] = ()) -> Hit:
        return Hit(page, "", "", index, "", (), "", "", 1, "", "", 1.0, duplicates=twins)

    walked = Walked([], {(1, 0): Reached(1.0, 1.0, 2, ("a", "unknown"))}, {"a": "Name A"})
    chunks = {("one.md", 0): (1, 0), ("two.md", 3): (2, 3)}
    told = walked.told(hit("two.md", 3, (hit("one.md", 0),)), chunks)
    assert (told.hops, told.path) == (0, ())
    assert (told.duplicates[0].hops, told.duplicates[0].path) == (2, ("Name A", "unknown"))


def test_an_entity_of_the_query_brings_in_a_chunk_of_the_first_page_too(graph: Graph) -> None:
    found, _ = graph.walk("Savery Pump", hops=0)
    assert found.reached[0, 3].path == found.reached[1, 3].path == ("savery pump",)


def test_what_is_related_to_an_entity_of_the_query_is_followed_and_told(searcher: Searcher) -> None:
    graph = Graph(searcher, SAID)
    found, remarks = graph.walk("Savery Pump")
    assert not remarks.missing
    assert found.reached[20, 1].path == ("savery pump", "tamar")
    assert found.reached[20, 1].whole == pytest.approx(0.8 * 10.0 * RELATED)
    hit = Hit("one.md", "", "", 0, "", (), "", "", 1, "", "", 1.0)
    told = found.told(hit, {("one.md", 0): (20, 1)})
    assert told.relation == SaidRelation("tamar", "was sold by", "Savery Pump", "model")
    assert told.path == ("Savery Pump", "tamar")
    assert Graph(searcher).walk("Savery Pump")[0].reached[20, 1].path == ("tamar",)


def test_what_was_said_is_read_for_steps_alone(searcher: Searcher) -> None:
    graph = Graph(searcher, SAID)
    for text, ranking, hops in (("Savery Pump", RANKING, 0), ("Savery Pump", [], 1), ("who was that", RANKING, 2)):
        graph.walk(text, ranking, hops)
        assert not any(name.startswith("r-") for name in graph.read), (text, hops)


def test_a_relation_to_what_is_gone_or_common_leads_nowhere(searcher: Searcher) -> None:
    found, remarks = Graph(searcher, SAID).walk("CORS")
    assert not remarks.missing
    assert all(way.path[:1] != ("cross origin",) or way.hops == 0 for way in found.reached.values())


@pytest.mark.parametrize(
    "row",
    [7, [], ["", "m"], ["", 7, []], ["", "m", 7], ["", "m", [[1, "x", "tamar"]]], ["", "m", [[1, "x", "tamar", 0]]]],
)
def test_rows_of_what_was_said_that_are_damaged_are_told(searcher: Searcher, row: object) -> None:
    graph = Graph(searcher, SAID)
    graph.replace("r", lambda shard: dict.fromkeys(shard, row))
    found, remarks = graph.walk("Savery Pump")
    assert [why for why in remarks.missing.values() if "is nothing that was said of an entity" in why]
    assert found.reached
