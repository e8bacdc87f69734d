"""Entities of a tree, their relations, and what stands for their communities."""

from __future__ import annotations

import math
import random
from collections.abc import Collection
from itertools import combinations

import numpy as np
import pytest

from infograph.graph.entities import Entities, gather, resolved, short_forms
from infograph.graph.levels import community_levels
from infograph.graph.relations import FEWEST_TOGETHER, STEPS, relations, sixteenths
from infograph.graph.summaries import SENTENCES, Sentence, communities_of
from infograph.model import DocumentEntities, Mention


def document(*chunks: str, kind: str = "name", acronyms: tuple[tuple[str, str], ...] = ()) -> DocumentEntities:
    """Chunks, each with its names separated by bars."""
    rows = tuple(tuple(Mention(name, kind, 1) for name in chunk.split("|") if name) for chunk in chunks)
    return DocumentEntities(rows, tuple(("", ()) for _ in rows), acronyms)


def gathered(
    *documents: DocumentEntities, aliases: dict[str, str] | None = None, compounds: Collection[str] = ()
) -> Entities:
    numbered, at = [], 0
    for own in documents:
        numbered.append((at, own))
        at += len(own.chunks)
    return gather(numbered, at, aliases or {}, compounds)


def places(entities: Entities) -> dict[str, list[int]]:
    return {
        key: entities.chunks[entities.starts[n] : entities.starts[n + 1]].tolist()
        for n, key in enumerate(entities.keys)
    }


def test_names_meet_under_one_key_and_singles_are_counted() -> None:
    found = gathered(document("Red Cars|Alone", "red car|x"), document("RED CARS"))
    assert places(found) == {"red car": [0, 1, 2]} and found.names == ("RED CARS",) and found.single == 2


def test_chunks_with_the_same_names_count_once_and_the_last_stands_for_them() -> None:
    found = gathered(document("A b|C d"), document("A b|C d"), document("A b"), document(""), document(""))
    assert places(found) == {"a b": [1, 2]} and found.representatives.tolist() == [1, 1, 2, 3, 4]
    assert found.distinct == 4


def test_compounds_count_only_where_a_keyword_table_has_them() -> None:
    documents = [document(name, "x y", kind="compound") for name in ("path parameters", "path parameter|a b")]
    assert places(gathered(*documents)) == {}
    assert places(gathered(*documents, compounds={"path parameter"})) == {"path parameter": [0, 2]}


def test_aliases_are_followed_and_never_in_circles() -> None:
    assert resolved({"a": "b", "b": "c", "x": "y", "y": "x", "z": "z"}) == {"a": "c", "b": "c"}
    found = gathered(document("CBC|q", "Central Boiler Controller"), aliases={"cbc": "central boiler controller"})
    assert places(found) == {"central boiler controller": [0, 1]}


def test_the_short_form_of_most_documents_holds() -> None:
    one, other = (("CD", "compact disc"),), (("CD", "continuous delivery"),)
    documents = [document("x", acronyms=acronyms) for acronyms in (one, other, other)]
    assert short_forms(documents) == {"cd": ("CD", "continuous delivery")}
    assert short_forms(documents[:2]) == {"cd": ("CD", "compact disc")}


def test_sixteenths_are_logarithms_rounded_down() -> None:
    ratios = np.array([0.0, 0.5, 1.0, 2.0, 4.0, 3.0, 1.04, 1.05, 1000.0, 1e9])
    assert sixteenths(ratios).tolist() == [
        math.floor(STEPS * math.log2(ratio) + 1e-12) if ratio > 1 else 0 for ratio in ratios
    ]


@pytest.mark.parametrize("at_once", [5, 4_000_000])
def test_relations_are_the_pairs_that_share_enough_chunks(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infograph.graph.relations._PAIRS_AT_ONCE", at_once)
    chance = random.Random(1)
    names = [f"name {chr(97 + n)}q" for n in range(14)]
    rows = ["|".join(sorted({*chance.sample(names, 3), f"row {n}z", f"row {n % 50}z"})) for n in range(150)]
    found = gathered(document(*rows))
    graph, where = relations(found), places(found)
    expected = {}
    for a, b in combinations(found.keys, 2):
        together = len(set(where[a]) & set(where[b]))
        ratio = found.distinct * together / (len(where[a]) * len(where[b]))
        if together >= FEWEST_TOGETHER and ratio > 1 and (weight := int(STEPS * math.log2(ratio))):
            expected[a, b] = weight
    got = {
        (found.keys[a], found.keys[b]): weight
        for a, b, weight in zip(graph.sources.tolist(), graph.neighbours.tolist(), graph.weights.tolist(), strict=True)
        if a < b
    }
    assert len(got) > 5
    unit = next(iter(expected.values())) // next(iter(got[pair] for pair in expected))
    assert {pair: weight * unit for pair, weight in got.items()} == expected


def test_a_million_co_occurrences_are_bounded() -> None:
    """1,000 chunks of 46 names each, a million pairs."""
    chance = random.Random(2)
    names = [f"thing{n}x" for n in range(3000)]
    rows = ["|".join(chance.sample(names, 46)) for _ in range(1000)]
    graph = relations(gathered(document(*rows)))
    assert graph.nodes == 3000 and 0 <= len(graph.neighbours) < 10**6


def test_no_entity_one_entity_and_no_relation() -> None:
    for documents in ([], [document("")], [document("Only", "Only|x")]):
        found = gathered(*documents)
        graph = relations(found)
        assert graph.nodes == len(found.keys) <= 1 and len(graph.neighbours) == 0
        assert communities_of(found, graph, community_levels(graph), []) == []


def two_groups() -> Entities:
    rows = []
    for n in range(5):
        rows += [f"ada|bob|cid|u{n}v", f"xan|yan|zan|w{n}v"]
    return gathered(document(*rows, *(f"lone {n}q" for n in range(20))))


def test_communities_have_names_sentences_and_chunks() -> None:
    found = two_groups()
    graph = relations(found)
    number = {key: n for n, key in enumerate(found.keys)}
    sentences = [
        Sentence(0, "Ada meets Bob in the long garden.", (number["ada"], number["bob"])),
        Sentence(2, "Ada meets Bob.", (number["ada"], number["bob"])),
        Sentence(4, "Cid is alone.", (number["cid"],)),
        Sentence(1, "Xan is alone.", (number["xan"],)),
    ]
    first, second = communities_of(found, graph, community_levels(graph), sentences)
    assert {found.keys[member] for member in first.members} == {"ada", "bob", "cid"}
    assert [sentence.text for sentence in first.sentences] == ["Ada meets Bob.", "Cid is alone."]
    assert first.title == "ada · bob · cid" and first.chunks == (0, 2, 4, 6, 8)
    assert [sentence.text for sentence in second.sentences] == ["Xan is alone."] and len(second.sentences) <= SENTENCES
    assert first.id != second.id and len(first.id) == 16 and (first.level, first.parent) == (0, -1)


def test_large_communities_have_others_within() -> None:
    """A ring of cliques that modularity joins two by two."""
    cliques, size = 60, 4
    rows = []
    for c in range(cliques):
        own = [f"c{c}n{n}" for n in range(size)]
        rows += ["|".join([*own, f"m{c}k{k}"]) for k in range(3)]
        rows += [f"c{c}n0|c{(c + 1) % cliques}n1|b{c}k{k}" for k in range(3)]
    found = gathered(document(*rows))
    graph = relations(found)
    levels = community_levels(graph, largest=6)
    communities = communities_of(found, graph, levels, [])
    assert len({community.id for community in communities}) == len(communities)
    within = [community for community in communities if community.parent >= 0]
    assert within
    for community in within:
        above = communities[community.parent]
        assert set(community.members) < set(above.members) and community.level == above.level + 1
