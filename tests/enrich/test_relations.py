"""Entities and relations of a chunk: taken where its text has the names, dropped and listed where it has not."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.enrich.fields import DROPPED_ENTITIES, DROPPED_RELATIONS, Findings, ShownText, taken
from infograph.enrich.relations import ChunkNames, said_entities
from infograph.enrich.tasks import ENTITIES, METADATA, fields_of

TEXT = "The `graph.entities` setting of Infograph needs Search Bundles. CORS is off. 東京タワーへ行く。 See https://a.example/x."
ACRONYMS = {"CORS": "Cross Origin Resource Sharing"}
SHOWN = ShownText(f"Settings of Acme\n{TEXT}", passage=TEXT, acronyms=ACRONYMS)
LIMITS = (80, 10, 10)


def named(name: str, kind: str = "TECH", about: str = "") -> dict[str, str]:
    return {"name": name, "type": kind, "description": about}


def related(source: str, relation: str, target: str) -> dict[str, str]:
    return {"source": source, "relation": relation, "target": target}


def read(entities: list[Any], relations: list[Any]) -> dict[str, Any]:
    findings = Findings()
    found = taken(ENTITIES.fields, {"entities": entities, "relations": relations}, SHOWN, findings)
    assert findings.violations == []
    assert found is not None
    return found


def test_what_the_chunk_says_is_taken() -> None:
    entities = [named("graph.entities", "TECH", "A setting."), named("Infograph", "robot"), named("search bundle")]
    relations = [
        related("graph.entities", "is a setting of", "infograph"),
        related("Infograph", "has", "Search bundles"),
    ]
    found = read(entities, relations)
    assert found["entities"] == [entities[0], named("Infograph", "CONCEPT"), entities[2]]
    assert found["relations"] == [
        related("graph.entities", "is a setting of", "Infograph"),
        related("Infograph", "has", "search bundle"),
    ], "ends are written as their entities are"
    assert not {DROPPED_ENTITIES, DROPPED_RELATIONS} & set(found)


def test_phantoms_are_dropped_with_their_relations_and_listed() -> None:
    found = read(
        [named("Infograph"), named("Acme"), named("Info")],
        [
            related("Infograph", "is made by", "Acme"),
            related("Infograph", "is", "Infograph"),
            related("Infograph", "", "x"),
        ],
    )
    assert found["entities"] == [named("Infograph")]
    assert found["relations"] == []
    assert found[DROPPED_ENTITIES] == ["Acme", "Info"], "a heading's name and half of a word are not in the text"
    assert found[DROPPED_RELATIONS][0] == "Infograph – is made by – Acme"
    assert len(found[DROPPED_RELATIONS]) == 3


def test_a_name_may_stand_there_as_the_short_form_that_the_document_defines() -> None:
    long = "Cross-Origin Resource Sharing"
    found = read([named(long), named("CORS"), named("Infograph")], [related("CORS", "is off in", "Infograph")])
    assert [one["name"] for one in found["entities"]] == [long, "Infograph"]
    assert found["relations"] == [related(long, "is off in", "Infograph")]
    assert not ChunkNames(TEXT, {}).has(long)


def test_of_two_names_that_differ_in_signs_alone_the_second_is_said_nothing() -> None:
    entities = [named("Infograph"), named("CORS"), named("--infograph"), named("cors")]
    relations = [
        related("--infograph", "is an option of", "CORS"),
        related("CORS", "is off in", "infograph"),
        related("cors", "needs", "Infograph"),
    ]
    found = read(entities, relations)
    assert [one["name"] for one in found["entities"]] == ["Infograph", "CORS"]
    assert [one["relation"] for one in found["relations"]] == ["is off in", "needs"]
    assert found[DROPPED_RELATIONS] == ["--infograph – is an option of – CORS"]


def test_names_of_scripts_without_spaces_stand_within_others() -> None:
    assert ChunkNames(TEXT, {}).has("東京タワー")
    assert not ChunkNames(TEXT, {}).has("東京駅")


@pytest.mark.parametrize("value", [None, "Infograph", {"name": "Infograph"}, 7])
def test_what_is_no_list_is_for_the_model_to_mend(value: Any) -> None:
    findings = Findings()
    taken(ENTITIES.fields, {"entities": value, "relations": []}, SHOWN, findings)
    assert findings.violations
    assert "`entities` is" in findings.violations[0]


def test_a_chunk_may_have_none() -> None:
    assert read([], []) == {"entities": [], "relations": []}


def test_one_answer_serves_metadata_too() -> None:
    answer = {
        "title": "Settings of the graph",
        "summary": "What the graph is made of.",
        "keywords": ["setting"],
        "entities": [named("Infograph", "TECH", "A tool."), named("Acme")],
        "questions": ["What is it?"],
        "key": "graph settings",
        "related_keys": [],
        "relations": [],
    }
    findings = Findings()
    values = taken(fields_of((METADATA, ENTITIES)), answer, SHOWN, findings)
    assert values is not None
    assert findings.violations == []
    assert METADATA.own_of(values)["entities"] == [{"name": "Infograph", "type": "TECH"}]
    assert ENTITIES.own_of(values) == {"entities": [named("Infograph", "TECH", "A tool.")], "relations": []} | {
        DROPPED_ENTITIES: ["Acme"]
    }


PARTS = [*"<>[]()!:/ \u200b\u202e\x00\n\U000e0041|`", "Infograph", "script", "https", "evil.com", "CORS"]
HOSTILE = st.lists(st.sampled_from(PARTS), max_size=30).map("".join)


@given(HOSTILE, HOSTILE, HOSTILE)
def test_nothing_that_runs_leads_away_or_hides_gets_through(name: str, about: str, relation: str) -> None:
    entities = [named("Infograph", about, about), named("CORS"), named(name, "TECH", about)]
    said = said_entities(
        {"entities": entities, "relations": [related("CORS", relation, "Infograph"), related(name, relation, "CORS")]},
        ChunkNames(TEXT, ACRONYMS),
        SHOWN.text,
        LIMITS,
    )
    for text in (text for row in (*said.entities, *said.relations) for text in row):
        assert "<script" not in text.lower()
        assert not re.search(r"\[[^\[\]]*\]\(", text), text
        assert not re.search(r"evil\.com(?![A-Za-z])", text), "an address; evil.comInfograph is none"
        assert not any(unicodedata.category(sign) in ("Cc", "Cf", "Co", "Cs") for sign in text)
    assert all(len(about) <= 120 for _, _, about in said.entities)
    assert all(len(relation) <= 60 for _, relation, _ in said.relations)


def test_a_record_that_somebody_broke_says_nothing() -> None:
    names = ChunkNames(TEXT, {})
    for fields in ({}, {"entities": 7}, {"entities": [7, {"name": 1}, None], "relations": "x"}, {"relations": [{}]}):
        said = said_entities(json.loads(json.dumps(fields)), names, TEXT, LIMITS)
        assert (said.entities, said.relations) == ((), ())
