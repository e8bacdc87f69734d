"""Local search: walks from the first chunks of a ranking along the graph of entities, see `ranking.walking`.

The files are those of `_graph/`, which are told from those of `_search/` by the first letter of their names.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from infograph.search.format.bundle_manifest import ShardTable
from infograph.search.format.graph_manifest import GraphManifest
from infograph.search.format.results import Hit, Remarks, SaidRelation
from infograph.search.ranking.scoring import ChunkPlace
from infograph.search.ranking.walking import (
    Reached,
    WalkLead,
    first_leads,
    inserted,
    next_leads,
    reached,
    steps,
)
from infograph.search.reading.fetching import Asking, FileContent, ask_for
from infograph.text.entity_keys import MOST_WORDS, joined, singular, words_of

MOST_QUERY_WORDS = 64
"""Words of a query that entities are looked for in."""

Named = Callable[[ShardTable, Iterable[str], Remarks], Asking[dict[str, str]]]
"""Returns the file of each key of a table."""


@dataclass(frozen=True, slots=True)
class GraphWalk:
    """How a query is to walk."""

    manifest: GraphManifest
    hops: int
    """0 brings in the chunks of the query's entities alone."""


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity as its shard has it."""

    key: str
    name: str
    places: tuple[ChunkPlace, ...]
    chunks: int


@dataclass(frozen=True, slots=True)
class RelatedEntity:
    """An entity that one of the query is related to, as a language model says that chunks state it."""

    is_source: bool
    """Whether it is said of the query's entity, and not of this one."""
    relation: str
    key: str
    chunks: int
    models: str


@dataclass(frozen=True, slots=True)
class Walked:
    """A ranking after a walk."""

    ranking: list[tuple[ChunkPlace, float]]
    reached: Mapping[ChunkPlace, Reached]
    names: Mapping[str, str]
    """Name of each entity that was read, by key."""
    related: Mapping[tuple[str, ...], RelatedEntity] = field(default_factory=dict)
    """What a language model said of an entity of the query and another one, by the keys of both."""

    def told(self, hit: Hit, chunks: Mapping[tuple[str, int], ChunkPlace]) -> Hit:
        """Returns a hit with the way that led to it, where one did; and so its duplicates.

        chunks: by page and index
        """
        way = self.reached.get(chunks[hit.page, hit.index])
        twins = tuple(self.told(other, chunks) for other in hit.duplicates)
        if way is None:
            return replace(hit, duplicates=twins)
        path = tuple(self.names.get(key, key) for key in way.path)
        said = self.related.get(way.path[:2])
        relation = None
        if said is not None:
            source, target = path[:2] if said.is_source else path[1::-1]
            relation = SaidRelation(source, said.relation, target, said.models)
        return replace(hit, duplicates=twins, hops=way.hops, path=path, relation=relation)


def query_keys(text: str) -> dict[str, bool]:
    """Returns the keys that a query may name entities by, the longest first and then in its order; whether it is a
    single word."""
    words = words_of(text)[:MOST_QUERY_WORDS]
    found: dict[str, bool] = {}
    for length in range(min(MOST_WORDS, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            if key := joined(words[start : start + length]):
                found.setdefault(key, length == 1)
    return found


def walk(
    how: GraphWalk,
    text: str,
    ranking: Sequence[tuple[ChunkPlace, float]],
    named: Named,
    stop_words: frozenset[str],
    remarks: Remarks,
) -> Asking[Walked]:
    """Returns the ranking with the chunks that the graph raises or brings in.

    named: the file of each key of a table, see `BundleShards.names`
    """
    said = how.manifest.walk
    own = dict(ranking)
    leads = first_leads(ranking, max(said.leads, said.after))
    most = min((lead.score for lead in leads[: said.after]), default=math.inf)
    leads = leads[: said.leads]
    known: dict[str, Entity | str] = {}
    keys = query_keys(text)
    asked = yield from _asked(how, keys, text, stop_words, named, remarks, known)
    found = _of_query(asked, own, leads, said.weight, most)
    passed = {*keys, *(entity.key for entity in asked)}
    related = yield from _related(how, asked if leads else (), named, remarks)
    for hop in range(1, how.hops + 1):
        entities = yield from _of_chunks(how.manifest, [lead.chunk for lead in leads], named, remarks)
        if hop == 1 and related:
            starts = {
                key: WalkLead((-2 - at, 0), leads[0].score, (key,), said.related) for at, key in enumerate(related)
            }
            entities |= {starts[key].chunk: [(own.key, own.chunks) for own in row] for key, row in related.items()}
            leads = [*starts.values(), *leads]
        taken = steps(leads, entities, passed, said.weight, said.entities // hop)
        passed |= {step.key for step in taken}
        yield from _read(how.manifest, [step.key for step in taken], named, remarks, known)
        places = {key: entity.places for key, entity in known.items() if isinstance(entity, Entity)}
        new = reached(own, taken, places, most, hop)
        new = {chunk: way for chunk, way in new.items() if chunk not in found or way.score > found[chunk].score}
        found |= new
        leads = next_leads(new, max(1, said.leads // (hop + 1)))
    names = {key: entity.name for key, entity in known.items() if isinstance(entity, Entity)}
    pairs: dict[tuple[str, ...], RelatedEntity] = {
        (key, own.key): own for key, row in related.items() for own in reversed(row)
    }
    return Walked(inserted(ranking, found), found, names, pairs)


def _asked(
    how: GraphWalk,
    keys: Mapping[str, bool],
    text: str,
    stop_words: frozenset[str],
    named: Named,
    remarks: Remarks,
    known: dict[str, Entity | str],
) -> Asking[list[Entity]]:
    """Returns the entities that a query names, the longest names first; a name within a longer one does not count."""
    wanted = list(dict.fromkeys(singular(word) for word in words_of(text) if word not in stop_words))
    wanted = wanted[: how.manifest.walk.asked]
    looked_up = [key for key in keys if key.rpartition(" ")[2] in wanted]
    yield from _read(how.manifest, looked_up, named, remarks, known)
    found: dict[str, Entity] = {}
    taken: list[str] = []
    for key in looked_up:
        entity = known.get(key)
        if entity is None or any(f" {key} " in f" {longer} " for longer in taken):
            continue
        taken.append(key)
        if isinstance(entity, str):
            yield from _read(how.manifest, [entity], named, remarks, known)
            entity = known.get(entity)
        if isinstance(entity, Entity):
            found.setdefault(entity.key, entity)
    return list(found.values())


def _of_query(
    asked: Iterable[Entity], own: Mapping[ChunkPlace, float], leads: Sequence[WalkLead], weight: float, most: float
) -> dict[ChunkPlace, Reached]:
    """Returns the chunks of the query's entities that the ranking does not have: those that write them in another way,
    or stand beyond the ends of the words' lists."""
    if not leads:
        every = {chunk: entity.key for entity in asked for chunk in reversed(entity.places)}
        return {chunk: Reached(1.0, 1.0, 0, (key,)) for chunk, key in every.items()}
    start = WalkLead((-1, 0), leads[0].score)
    entities = {start.chunk: [(entity.key, entity.chunks) for entity in asked]}
    taken = steps([start], entities, frozenset(), weight, len(entities[start.chunk]))
    places = {entity.key: [chunk for chunk in entity.places if own.get(chunk, 0.0) <= 0] for entity in asked}
    return reached(own, taken, places, most, 0)


def _read(
    manifest: GraphManifest, keys: Iterable[str], named: Named, remarks: Remarks, known: dict[str, Entity | str]
) -> Asking[None]:
    """Reads entities, or what a key stands for, into `known`."""
    last = {key: key.rpartition(" ")[2] for key in keys if key not in known}
    names = yield from named(manifest.entity_shards, last.values(), remarks)
    shards = yield from ask_for(names.values(), remarks)
    for key, word in last.items():
        shard = shards.get(names[word])
        row = shard.get(key) if isinstance(shard, dict) else None
        if row is not None:
            entity = _entity(key, row)
            if entity is None:
                remarks.missing[names[word]] = f"{key!r} is no entity there"
            else:
                known[key] = entity


def _entity(key: str, row: Any) -> Entity | str | None:
    """Returns an entity of its row; None for a malformed one."""
    if isinstance(row, str):
        return row
    try:
        name, _, chunks, _, _, _, flat = row
        places = tuple(zip(flat[::2], flat[1::2], strict=True))
        numbers = [chunks, *flat]
    except (TypeError, ValueError):
        return None
    sound = isinstance(name, str) and all(type(number) is int and number >= 0 for number in numbers)
    return Entity(key, name or key, places, chunks) if sound else None


def _related(
    how: GraphWalk, asked: Sequence[Entity], named: Named, remarks: Remarks
) -> Asking[dict[str, list[RelatedEntity]]]:
    """Reads what entities of the query are related to by what a language model said; nothing where it said nothing, or
    a walk takes no step."""
    table = how.manifest.said_shards
    if table is None or not how.hops or how.manifest.walk.related <= 0:
        return {}
    last = {entity.key: entity.key.rpartition(" ")[2] for entity in asked}
    names = yield from named(table, last.values(), remarks)
    shards = yield from ask_for(names.values(), remarks)
    found: dict[str, list[RelatedEntity]] = {}
    for key, word in last.items():
        shard = shards.get(names[word])
        row = shard.get(key) if isinstance(shard, dict) else None
        if row is None:
            continue
        related = _related_of(row)
        if related is None:
            remarks.missing[names[word]] = f"{key!r} is nothing that was said of an entity"
        elif related:
            found[key] = related
    return found


def _related_of(row: Any) -> list[RelatedEntity] | None:
    """Returns what the row of an entity is related to; None for a malformed one."""
    try:
        _, models, stated = row
        found = [
            RelatedEntity(is_source == 1, relation, key, chunks, models)
            for is_source, relation, key, chunks, *_ in stated
        ]
    except (TypeError, ValueError):
        return None
    texts = isinstance(models, str) and all(isinstance(text, str) for own in found for text in (own.relation, own.key))
    return found if texts and all(type(own.chunks) is int and own.chunks > 0 for own in found) else None


def _of_chunks(
    manifest: GraphManifest, chunks: Sequence[ChunkPlace], named: Named, remarks: Remarks
) -> Asking[dict[ChunkPlace, list[tuple[str, int]]]]:
    """Reads the entities of chunks."""
    keys = {chunk: f"{chunk[0] // manifest.group}.{chunk[1] // manifest.block}" for chunk in chunks}
    names = yield from named(manifest.chunk_shards, keys.values(), remarks)
    shards = yield from ask_for(names.values(), remarks)
    found: dict[ChunkPlace, list[tuple[str, int]]] = {}
    for chunk, key in keys.items():
        shard = shards.get(names[key])
        if shard is not None:
            row = _chunk_row(shard, f"{chunk[0]}.{chunk[1] // manifest.block}", chunk[1] % manifest.block)
            if row is None:
                remarks.missing[names[key]] = f"has no entities of {key}"
            else:
                found[chunk] = row
    return found


def _chunk_row(shard: FileContent, key: str, place: int) -> list[tuple[str, int]] | None:
    """Returns the entities of one chunk: none where the shard has nothing of it, None where that is malformed."""
    if not isinstance(shard, dict):
        return None
    block = shard.get(key, [])
    if not isinstance(block, list):
        return None
    flat = block[place] if place < len(block) else []
    if not isinstance(flat, list) or len(flat) % 2:
        return None
    pairs = list(zip(flat[::2], flat[1::2], strict=True))
    sound = all(isinstance(key, str) and type(count) is int and count > 0 for key, count in pairs)
    return pairs if sound else None
