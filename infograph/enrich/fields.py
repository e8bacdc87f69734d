"""Fields of an answer: their schema for the endpoint, and what is taken of what came back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from infograph.enrich.cleaning import clean
from infograph.enrich.propositions import proposition_of
from infograph.enrich.relations import LONGEST_DESCRIPTION, LONGEST_RELATION, TYPES, ChunkNames, EntityReader
from infograph.text.language import stemmer

DROPPED_ENTITIES, DROPPED_RELATIONS = "dropped_entities", "dropped_relations"
"""Names under which a record lists what the text of its chunk does not have."""
_MAY_BE_NONE = ("propositions", "described", "relations")
"""Kinds of required fields that may be empty: of code nothing is claimed."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of an answer."""

    name: str
    kind: str
    """`text`, `texts`, `entities`, `key`, `keys`, `propositions`, `described` (entities with what is said of each),
    `relations`."""
    most: int
    """Most characters of a text; of a name."""
    said: str
    """What the model is told to write, as the prompt has it."""
    least_items: int = 0
    most_items: int = 0
    required: bool = True

    @property
    def longest(self) -> int:
        """Most characters of its texts, all together."""
        each = {"described": self.most + LONGEST_DESCRIPTION, "relations": 2 * self.most + LONGEST_RELATION}
        return each.get(self.kind, self.most) * max(1, self.most_items)


@dataclass(frozen=True, slots=True)
class ShownText:
    """What the model was shown, by which an answer is judged."""

    text: str
    """Text of the chunk, with its section path."""
    keys: frozenset[str] = frozenset()
    """Keys that the chunk may refer to."""
    language: str = "en"
    passage: str = ""
    """Text of the chunk alone."""
    acronyms: Mapping[str, str] = field(default_factory=dict)
    """Short forms that the document defines, and what they are short for."""


@dataclass(slots=True)
class Findings:
    """What is wrong with an answer, and what was put right without asking."""

    violations: list[str] = field(default_factory=list)
    dropped_keys: int = 0
    """Related keys that were not shown."""
    reader: EntityReader | None = None
    """What has read the entities, for the relations among them."""


def schema_of(fields: Sequence[FieldSpec]) -> dict[str, Any]:
    """Returns the JSON Schema of an object with these fields: all required, nothing else, every length bounded."""
    properties = {spec.name: _schema(spec) for spec in fields}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _schema(spec: FieldSpec) -> dict[str, Any]:
    text: dict[str, Any] = {"type": "string", "maxLength": spec.most}
    if spec.kind in ("text", "key"):
        return text
    items = text
    if spec.kind == "entities":
        items = _object(name=text, type={"type": "string", "enum": list(TYPES)})
    if spec.kind == "propositions":
        items = _object(claim=text, source=text)
    if spec.kind == "described":
        about = {"type": "string", "maxLength": LONGEST_DESCRIPTION}
        items = _object(name=text, type={"type": "string", "enum": list(TYPES)}, description=about)
    if spec.kind == "relations":
        items = _object(source=text, relation={"type": "string", "maxLength": LONGEST_RELATION}, target=text)
    return {"type": "array", "items": items, "minItems": spec.least_items, "maxItems": spec.most_items}


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def taken(fields: Sequence[FieldSpec], value: object, shown: ShownText, findings: Findings) -> dict[str, Any] | None:
    """Returns the fields of one answer, coerced and cleaned; None where it is no object.

    What only the model can mend is added to `findings.violations`.
    """
    if not isinstance(value, Mapping):
        findings.violations.append(f"the answer is {_kind(value)}, not an object")
        return None
    result: dict[str, Any] = {}
    for spec in fields:
        given = value.get(spec.name)
        found = _READERS[spec.kind](spec, given, shown, findings)
        if found or (spec.kind in _MAY_BE_NONE and isinstance(given, list)):
            result[spec.name] = found
        elif spec.required and not any(spec.name in said for said in findings.violations):
            findings.violations.append(f"`{spec.name}` is missing or empty")
    doubtful = unverified(result, shown)
    if doubtful:
        result["unverified"] = doubtful
    if findings.reader is not None:
        dropped = {DROPPED_ENTITIES: findings.reader.dropped, DROPPED_RELATIONS: findings.reader.lost}
        result |= {name: listed for name, listed in dropped.items() if listed}
    return result


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", type(None): "nothing"}
    return names.get(type(value), "a number")


def _text(spec: FieldSpec, value: object, shown: ShownText, findings: Findings) -> str:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        if value is not None:
            findings.violations.append(f"`{spec.name}` is {_kind(value)}, not a text")
        return ""
    return clean(value, spec.most, shown.text)


def _texts(spec: FieldSpec, value: object, shown: ShownText, findings: Findings) -> list[str]:
    if isinstance(value, str):
        value = value.split(",") if spec.most <= 80 and "?" not in value else [value]
    if not isinstance(value, list):
        if value is not None:
            findings.violations.append(f"`{spec.name}` is {_kind(value)}, not a list")
        return []
    texts = (clean(item, spec.most, shown.text) for item in value if isinstance(item, str))
    return _distinct(texts)[: spec.most_items]


def _distinct(texts: Iterable[str]) -> list[str]:
    """Returns texts without the empty ones and those that differ only in case."""
    seen: dict[str, str] = {}
    for text in texts:
        if text:
            seen.setdefault(text.casefold(), text)
    return list(seen.values())


def _entities(spec: FieldSpec, value: object, shown: ShownText, findings: Findings) -> list[dict[str, str]]:
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, list):
        if value is not None:
            findings.violations.append(f"`{spec.name}` is {_kind(value)}, not a list")
        return []
    found: dict[tuple[str, str], dict[str, str]] = {}
    for item in value:
        named = {"name": item} if isinstance(item, str) else item
        if isinstance(named, Mapping) and isinstance(named.get("name"), str):
            kind = str(named.get("type", "")).upper()
            name = clean(named["name"], spec.most, shown.text)
            kind = kind if kind in TYPES else "CONCEPT"
            if name:
                found.setdefault((name.casefold(), kind), {"name": name, "type": kind})
    return list(found.values())[: spec.most_items]


def _described(spec: FieldSpec, value: object, shown: ShownText, findings: Findings) -> list[dict[str, str]]:
    """Takes the entities that the chunk itself names; others are dropped, and listed."""
    findings.reader = EntityReader(ChunkNames(shown.passage, shown.acronyms), shown.text)
    return findings.reader.entities(_items(spec, value, findings), spec.most, spec.most_items)


def _relations(spec: FieldSpec, value: object, shown: ShownText, findings: Findings) -> list[dict[str, str]]:
    items = _items(spec, value, findings)
    return findings.reader.relations(items, spec.most, spec.most_items) if findings.reader is not None else []


def _items(spec: FieldSpec, value: object, findings: Findings) -> list[object]:
    if not isinstance(value, list):
        findings.violations.append(f"`{spec.name}` is {_kind(value)}, not a list")
        return []
    return value


def _propositions(spec: FieldSpec, value: object, shown: ShownText, findings: Findings) -> list[dict[str, Any]]:
    """Takes what the chunk itself says; what is refused, the model may mend."""
    if not isinstance(value, list):
        findings.violations.append(f"`{spec.name}` is {_kind(value)}, not a list")
        return []
    around = shown.text.removesuffix(shown.passage)
    found: dict[str, dict[str, Any]] = {}
    for item in value[: spec.most_items]:
        taken = proposition_of(item, spec.most, shown.passage, around)
        if isinstance(taken, str):
            findings.violations.append(f"`{spec.name}`: {taken}")
        else:
            source = shown.passage.encode("utf-8", "surrogatepass")[taken.start : taken.end]
            quoted = " ".join(source.decode("utf-8", "surrogatepass").split())
            found.setdefault(taken.claim.casefold(), {"claim": taken.claim, "source": quoted})
    return list(found.values())


def normal_key(text: str) -> str:
    """Returns a key in the form in which keys are compared."""
    return " ".join(text.split()).strip(" .,;:!?\"'`").casefold()


def _key(spec: FieldSpec, value: object, shown: ShownText, findings: Findings) -> str:
    key = normal_key(_text(spec, value, shown, findings))
    words = len(key.split())
    if key and words == 1 and "-" not in key and "_" not in key:
        findings.violations.append(f"`{spec.name}` is one word, {key[:40]!r}: it takes two to five")
        return ""
    return " ".join(key.split()[:5])


def _keys(spec: FieldSpec, value: object, shown: ShownText, findings: Findings) -> list[str]:
    keys = list(dict.fromkeys(map(normal_key, _texts(spec, value, shown, findings))))
    known = [key for key in keys if key in shown.keys]
    findings.dropped_keys += len(keys) - len(known)
    return known[: spec.most_items]


_READERS: Mapping[str, Callable[[FieldSpec, object, ShownText, Findings], Any]] = {
    "text": _text,
    "texts": _texts,
    "entities": _entities,
    "key": _key,
    "keys": _keys,
    "propositions": _propositions,
    "described": _described,
    "relations": _relations,
}


def unverified(fields: Mapping[str, Any], shown: ShownText) -> list[str]:
    """Returns the keywords and names of entities of which the text lacks a word, whatever its ending."""
    names = [*fields.get("keywords", ()), *(entity["name"] for entity in fields.get("entities", ()))]
    if not names:
        return []
    stem = stemmer(shown.language)
    there = {stem(word) for word in set(_WORD.findall(shown.text.casefold().replace("_", " ")))}
    there |= set(_WORD.findall(shown.text.casefold()))

    def missing(name: str) -> bool:
        words = _WORD.findall(name.casefold())
        return not all(word in there or stem(word) in there for word in words)

    return list(dict.fromkeys(name for name in names if missing(name)))
