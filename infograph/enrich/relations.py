"""Entities of a chunk and what the chunk says of two of them, taken only where the text of the chunk has the names.

A model that is shown more than a chunk, or that knows the subject, names what the chunk does not: an entity like that
would lead a search to a place that says nothing of it. Such phantoms are dropped, with all relations to them, and are
listed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from infograph.enrich.cleaning import clean
from infograph.enrich.propositions import UNSPACED
from infograph.text.entity_keys import folded, key_of, singular, words_of

TYPES = ("PERSON", "ORG", "LOC", "TECH", "CONCEPT", "EVENT", "METRIC")
"""Types of entities; another one becomes CONCEPT."""
LONGEST_DESCRIPTION = 120
"""Most characters of what is said of an entity."""
LONGEST_RELATION = 60
"""Most characters of what a relation says."""
_MOST_DROPPED = 20
"""Most names that are listed as dropped of each kind."""


class ChunkNames:
    """Tells which names stand in the text of a chunk."""

    def __init__(self, passage: str, acronyms: Mapping[str, str]) -> None:
        """passage:  text of the chunk
        acronyms: short forms that the document defines, and what they are short for"""
        self._passage = passage
        self._words = f" {' '.join(words_of(passage))} "
        self._other: dict[str, str] = {}
        for short, long in acronyms.items():
            self._other |= {key_of(short): long, key_of(long): short}

    def has(self, name: str) -> bool:
        """Whether the text has a name: its words in a row, the last in the singular or the plural; or, where the
        document defines one as the other, its short form or what that is short for."""
        if UNSPACED.search(name):
            return folded(name) in folded(self._passage)
        if self._stands(name):
            return True
        other = self._other.get(key_of(name), "") if self._other else ""
        return bool(other) and self._stands(other)

    def _stands(self, name: str) -> bool:
        *before, last = words_of(name) or [""]
        begin = " ".join(["", *before, ""])
        return bool(last) and any(f"{begin}{form} " in self._words for form in _forms(last))

    def same(self, name: str) -> tuple[str, str]:
        """Returns the keys of a name: its own, and that of its other form; empty where there is none."""
        key = key_of(name)
        other = self._other.get(key, "")
        return key, key_of(other) if other else ""


def _forms(word: str) -> tuple[str, ...]:
    """Returns a word with its singular and its plural."""
    stem = singular(word)
    if stem.endswith("y"):
        return word, stem, f"{stem[:-1]}ies", f"{stem}s"
    return word, stem, f"{stem}s", f"{stem}es"


@dataclass(frozen=True, slots=True)
class SaidEntities:
    """What is taken of the entities and relations of one answer, or of one record."""

    entities: tuple[tuple[str, str, str], ...] = ()
    """Name, type and description of each."""
    relations: tuple[tuple[str, str, str], ...] = ()
    """Source, relation and target, by the names of `entities`."""
    dropped: tuple[str, ...] = ()
    """Names that the text does not have."""
    lost: tuple[str, ...] = ()
    """Relations with an end that is no entity of the chunk."""


@dataclass(slots=True)
class EntityReader:
    """Reads the entities of one chunk, and then the relations among them."""

    names: ChunkNames
    source: str
    """All that the model was shown of the chunk, by which texts are cleaned."""
    dropped: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    _known: dict[str, str] = field(default_factory=dict)
    """Names of the entities that were taken so far, by their keys."""
    _taken: set[str] = field(default_factory=set)
    """Names of the entities that were taken."""
    _others: set[str] = field(default_factory=set)
    """Names that have the key of another entity and other signs: of the option `--ray` is not said what is of Ray."""

    def entities(self, items: Sequence[object], most: int, most_items: int) -> list[dict[str, str]]:
        """Returns name, type and description of each entity that the text names; of two with one key the first.

        most: characters of a name
        """
        found: list[dict[str, str]] = []
        for item in items:
            said = {"name": item} if isinstance(item, str) else _object(item)
            if not isinstance(said.get("name"), str):
                continue
            name = clean(said["name"], most, self.source)
            key, other = self.names.same(name)
            if not key or not self.names.has(name):
                _note(self.dropped, name)
            elif known := self._known.get(key) or self._known.get(other):
                if key_of(known) == key and _signs(known) != _signs(name):
                    self._others.add(name)
            elif len(found) < most_items:
                self._known |= {key: name} | ({other: name} if other else {})
                self._taken.add(name)
                kind, about = str(said.get("type", "")).upper(), said.get("description", "")
                about = clean(about, LONGEST_DESCRIPTION, self.source) if isinstance(about, str) else ""
                found.append({"name": name, "type": kind if kind in TYPES else "CONCEPT", "description": about})
        return found

    def relations(self, items: Sequence[object], most: int, most_items: int) -> list[dict[str, str]]:
        """Returns the relations among the entities that were taken, each once; none of an entity to itself.

        most: characters of a name
        """
        found: dict[tuple[str, str, str], dict[str, str]] = {}
        for item in items:
            said = _object(item)
            texts = [said.get(part) for part in ("source", "relation", "target")]
            if not all(isinstance(text, str) for text in texts):
                continue
            source, relation, target = map(str, texts)
            relation = clean(relation, LONGEST_RELATION, self.source)
            ends = [self._entity(end, most) for end in (source, target)]
            if not all(ends) or ends[0] == ends[1] or not relation:
                shown = [clean(text, most, self.source) for text in (source, relation, target)]
                _note(self.lost, " – ".join(shown))
            elif len(found) < most_items:
                values = {"source": ends[0], "relation": relation, "target": ends[1]}
                found.setdefault((ends[0], relation.casefold(), ends[1]), values)
        return list(found.values())

    def _entity(self, name: str, most: int) -> str:
        """Returns the entity that a name means; empty where none was taken."""
        if name in self._taken:
            return name
        name = clean(name, most, self.source)
        if name in self._others:
            return ""
        return next((self._known[key] for key in self.names.same(name) if key and key in self._known), "")


def _signs(name: str) -> str:
    return "".join(sign for sign in name if not sign.isalnum() and not sign.isspace())


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _note(listed: list[str], text: str) -> None:
    if text and text not in listed and len(listed) < _MOST_DROPPED:
        listed.append(text)


def said_entities(
    fields: Mapping[str, Any], names: ChunkNames, source: str, limits: tuple[int, int, int]
) -> SaidEntities:
    """Returns what a record says of entities, judged again: a person may have edited it.

    source: all that the model was shown of the chunk
    limits: most characters of a name, entities and relations of a chunk
    """
    most, most_entities, most_relations = limits
    reader = EntityReader(names, source)
    entities = reader.entities(_listed(fields.get("entities")), most, most_entities)
    relations = reader.relations(_listed(fields.get("relations")), most, most_relations)
    return SaidEntities(
        tuple((own["name"], own["type"], own["description"]) for own in entities),
        tuple((own["source"], own["relation"], own["target"]) for own in relations),
        tuple(reader.dropped),
        tuple(reader.lost),
    )


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else []
