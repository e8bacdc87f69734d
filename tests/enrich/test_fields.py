"""Fields of an answer: what is put right, what only the model can mend, what the text does not have."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from infograph.enrich.fields import Findings, ShownText, normal_key, schema_of, taken
from infograph.enrich.tasks import CONTEXT, ENTITIES, METADATA, PROPOSITIONS, QUERIES, TASKS, fields_of

TEXT = "# Gears\n\nThe planetary gear of the Widget turns a shaft. Caching caches gears; see https://a.example/x."
SHOWN = ShownText(TEXT, frozenset({"gear ratio", "shaft wear"}))
VALID: dict[str, Any] = {
    "title": "Planetary gears of the Widget",
    "summary": "How a planetary gear turns the shaft.",
    "keywords": ["planetary gear", "shaft", "cached gears"],
    "entities": [{"name": "Widget", "type": "TECH"}, {"name": "Tesla", "type": "ROBOT"}],
    "questions": ["How does the gear turn the shaft?", "What is a planetary gear?"],
    "key": "Planetary  Gear",
    "related_keys": ["gear ratio", "invented key"],
}


def _named(name: str) -> dict[str, str]:
    return {"name": name, "type": "CONCEPT"}


def read(values: Any, findings: Findings | None = None) -> tuple[dict[str, Any] | None, list[str]]:
    findings = findings or Findings()
    return taken(METADATA.fields, values, SHOWN, findings), findings.violations


def test_a_valid_answer_is_taken() -> None:
    findings = Findings()
    found, violations = read(VALID, findings)
    assert violations == []
    assert found is not None
    assert (found["key"], found["related_keys"], findings.dropped_keys) == ("planetary gear", ["gear ratio"], 1)
    assert found["entities"] == [{"name": "Widget", "type": "TECH"}, {"name": "Tesla", "type": "CONCEPT"}]
    assert found["unverified"] == ["Tesla"]


@pytest.mark.parametrize(
    ("change", "name", "expected"),
    [
        ({"keywords": "shaft, gear"}, "keywords", ["shaft", "gear"]),
        ({"questions": "What, how?"}, "questions", ["What, how?"]),
        ({"title": ["Only one"]}, "title", "Only one"),
        ({"title": "x" * 20_000}, "title", "x" * 79 + "…"),
        ({"entities": ["Widget", {"name": "shaft"}]}, "entities", [_named("Widget"), _named("shaft")]),
        ({"summary": "See https://evil.example and https://a.example/x."}, "summary", "See and https://a.example/x."),
        ({"keywords": ["a"] * 3 + ["A", "b", 7, ""]}, "keywords", ["a", "b"]),
        ({"keywords": [f"w{n}" for n in range(50)]}, "keywords", [f"w{n}" for n in range(8)]),
    ],
)
def test_what_is_clearly_meant_is_taken(change: dict[str, Any], name: str, expected: Any) -> None:
    found, violations = read(VALID | change)
    assert violations == []
    assert found is not None
    assert found[name] == expected


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"title": ""}, "`title` is missing or empty"),
        ({"title": {"a": 1}}, "`title` is an object, not a text"),
        ({"summary": None}, "`summary` is missing or empty"),
        ({"keywords": {}}, "`keywords` is an object, not a list"),
        ({"key": "gears"}, "`key` is one word, 'gears': it takes two to five"),
        ({"questions": []}, "`questions` is missing or empty"),
    ],
)
def test_what_only_the_model_can_mend(change: dict[str, Any], said: str) -> None:
    found, violations = read(VALID | change)
    assert violations == [said]
    assert found is not None
    assert next(iter(change)) not in found


@pytest.mark.parametrize("value", [None, [], "text", 3])
def test_what_is_no_object(value: Any) -> None:
    found, violations = read(value)
    assert found is None
    assert "not an object" in violations[0]


def test_schemas_are_closed_and_bounded() -> None:
    schema = schema_of(fields_of(tuple(task for task in TASKS.values() if task.of_chunks)))
    jsonschema.Draft202012Validator.check_schema(schema)
    claims = [{"claim": "The gear turns the shaft of it.", "source": "gear turns the shaft"}]
    valid = VALID | {"context": "Stands here.", "queries": ["gear noise"], "propositions": claims}
    valid["entities"] = [{"name": "Widget", "type": "TECH", "description": "turns"}]
    valid["relations"] = [{"source": "Widget", "relation": "turns", "target": "shaft"}]
    jsonschema.validate(valid, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(valid | {"more": 1}, schema)
    names = [spec.name for task in (METADATA, CONTEXT, QUERIES, PROPOSITIONS) for spec in task.fields]
    assert len(set(names)) == len(names)
    assert {"entities"} == {spec.name for spec in ENTITIES.fields} & set(names), "the one name that two tasks share"
    assert next(spec.kind for spec in fields_of((METADATA, ENTITIES)) if spec.name == "entities") == "described"


def test_keys_are_compared_in_one_form() -> None:
    assert normal_key(" The  KEY, ") == normal_key("the key") == "the key"
