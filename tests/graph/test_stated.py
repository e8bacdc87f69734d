"""Relations that a language model says chunks to state: counted where both ends lead on, each with its chunks."""

from __future__ import annotations

import numpy as np

from infograph.graph.entities import gather
from infograph.graph.stated import SaidOfGraph, StatedRelation, said_of_graph
from infograph.model import DocumentEntities, Mention, SaidOfEntities, Stated
from infograph.text.entity_keys import key_of

Rows = list[tuple[str, str, str]]


def page(*chunks: str, stated: Rows = (), about: dict[str, str] | None = None, model: str = "m") -> DocumentEntities:  # type: ignore[assignment]
    """A page whose first chunk states relations."""
    rows = tuple(tuple(Mention(name, "TECH", 1) for name in chunk.split(", ")) for chunk in chunks)
    said = SaidOfEntities(
        tuple((0, name, text) for name, text in (about or {}).items()),
        tuple(Stated(0, *row) for row in stated),
        (model,),
    )
    return DocumentEntities(rows, tuple(("", ()) for _ in rows), said=said)


def said(*pages: DocumentEntities, aliases: dict[str, str] | None = None) -> tuple[SaidOfGraph, tuple[str, ...]]:
    numbered, count = [], 0
    for own in pages:
        numbered.append((count, own))
        count += len(own.chunks)
    entities = gather(numbered, count, aliases or {}, ())
    return said_of_graph(entities, numbered), entities.keys


def test_a_relation_has_all_chunks_that_state_it_in_the_words_of_most() -> None:
    pages = [
        page("Alpha, Beta", stated=[("Alpha", "runs on", "Beta")]),
        page("alphas, beta, own", stated=[("alphas", "needs", "beta")]),
        page("Alpha, Beta, x", stated=[("Alpha", "runs on", "Beta"), ("Beta", "is under", "Alpha")]),
    ]
    found, keys = said(*pages)
    assert keys == ("alpha", "beta")
    assert found.relations == (
        StatedRelation(0, 1, "runs on", (0, 1, 2)),
        StatedRelation(1, 0, "is under", (2,)),
    )
    assert said(*pages[1:])[0].relations[0] == StatedRelation(0, 1, "needs", (0, 1)), "of two as often the first"


def test_what_leads_nowhere_is_counted() -> None:
    found, _ = said(
        page("Alpha, Alone", stated=[("Alpha", "has", "Alone"), ("Alpha", "is", "alphas")]), page("Alpha, other")
    )
    assert (found.relations, found.unlinked) == ((), 2)


def test_short_forms_are_what_they_stand_for() -> None:
    pages = [page("CORS, Server", stated=[("Server", "sends", "CORS")]), page("cross origin, Server, x")]
    found, keys = said(*pages, aliases={key_of("CORS"): "cross origin"})
    assert [(keys[own.source], keys[own.target]) for own in found.relations] == [("server", "cross origin")]


def test_a_page_in_two_versions_states_a_thing_once() -> None:
    version = page("Alpha, Beta", stated=[("Alpha", "runs on", "Beta")])
    found, _ = said(version, version, page("Alpha, Beta, x"))
    assert [own.chunks for own in found.relations] == [(1,)]


def test_the_first_description_counts_and_models_are_named() -> None:
    pages = [
        page("Alpha, Beta", about={"Alpha": "A tool."}, model="two"),
        page("Alpha, Beta, x", about={"Alpha": "Another.", "Beta": "A base.", "Gone": "No."}, model="one"),
    ]
    found, _ = said(*pages)
    assert found.descriptions == {0: "A tool.", 1: "A base."}
    assert found.models == {0: ("one", "two"), 1: ("one",)}
    assert found.relations == ()


def test_weights_are_those_of_links() -> None:
    relations = tuple(StatedRelation(0, end, "has", (0,)) for end in (1, 2, 3))
    first, second, weights = SaidOfGraph(relations).edges(5)
    assert (first.tolist(), second.tolist()) == ([0, 0, 0], [1, 2, 3])
    assert weights.tolist() == [16] * 3, "16 · log₂(2 · 3 / (3 · 1))"
    assert all(len(column) == 0 and column.dtype == np.int64 for column in SaidOfGraph().edges(0))
