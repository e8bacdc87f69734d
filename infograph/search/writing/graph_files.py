"""The files of `_graph/`: entities, what stands in each chunk, and communities.

manifest.json      numbers, and the names of shards; the same under a name with a version, which the search bundle's
                   manifest leads to: that graph is of its publication
e-*.z              entities by hash of the key's last word, JSON: {key: [name, kind, chunks, community, neighbours,
                   weights, places]}, the name empty where it is the key; of a key that stands for another only that
                   one: {key: key}
k-*.z              entities of chunks, in shards as those of documents, JSON: {"slot.block": [[key, chunks, …]…]}
r-*.z              what a language model said of entities, by the same hash as e-*.z, JSON: {key: [description, models,
                   [[1 where the entity is the source, else 0, relation, key of the other, number of its chunks, slot,
                   index, …of chunks that state it]…]]}; none where no model was asked
g-*.z              the communities as one table, to search in
c-*.json           each community as HAL: `up` leads to the one that it lies in, `item` to its chunks; in an `--out`
                   tree under a name with a version, and what an `up` leads to under its plain name is a page that
                   leads there
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import orjson

from infograph.formats.names import VERSION_DIGITS, named_by
from infograph.search.format.encoding import hashes32
from infograph.search.format.graph_layout import ALL, GRAPH_FORMAT, LATEST, MANIFEST, community_name, community_of
from infograph.search.format.layout import LARGEST_SHARD_WRITTEN
from infograph.search.ranking.walking import AFTER, LEADS, MOST_ASKED, MOST_FOLLOWED, RELATED, WEIGHT
from infograph.search.writing.page_index import BLOCK
from infograph.search.writing.shards import Shards, each
from infograph.search.writing.slots import GROUP

ENTITY_BYTES, CHUNK_BYTES = 6_000, 6_000
"""Bytes of a shard before deflation that are aimed at."""
MOST_LISTED = 12
"""Most entities that the file of a community lists."""
MOST_TIES = 16
"""Most relations among them that it lists."""
_SHARE, _BESIDE_SAID, _SAID_SHARE = 0.5, 0.375, 0.25
"""Shares of all files that shards of entities and of chunks may have each; the same beside those of what was said; and
these."""


@dataclass(frozen=True, slots=True)
class EntityRow:
    """An entity as its shard has it."""

    key: str
    name: str
    kind: str
    chunks: int
    """Number of chunks that it stands in."""
    community: int
    """Place of the smallest community that it lies in; -1 for none."""
    neighbours: tuple[tuple[str, int], ...]
    """Keys of related entities and the weights of the relations, largest first."""
    places: tuple[tuple[int, int], ...]
    """Slot and index of chunks, those where it stands most often first."""


@dataclass(frozen=True, slots=True)
class StatedRow:
    """A relation of an entity, as a language model says that chunks state it."""

    is_source: bool
    """Whether it is said of the entity, and not of the other one."""
    relation: str
    other: str
    """Key of the other entity."""
    chunks: int
    """Number of chunks that the other stands in."""
    places: tuple[tuple[int, int], ...]
    """Slot and index of chunks that state it."""


@dataclass(frozen=True, slots=True)
class SaidRow:
    """What a language model said of an entity."""

    key: str
    description: str
    models: str
    """Names of the models."""
    stated: tuple[StatedRow, ...]


@dataclass(frozen=True, slots=True)
class CommunityRow:
    """A community as its file and the table have it."""

    id: str
    level: int
    parent: int
    """Place of the community that it lies in; -1 for none."""
    size: int
    title: str
    keywords: tuple[str, ...]
    entities: tuple[str, ...]
    """Names of its entities, the most central first."""
    ties: tuple[tuple[int, int, int], ...]
    """Relations among the first of `entities`: two places and the weight, largest first."""
    stated: tuple[tuple[int, int, str], ...] = field(default=(), kw_only=True)
    """Relations among them that a language model says chunks to state: place of the source, of the target, and what."""
    stated_by: str = field(default="", kw_only=True)
    """Names of the models."""
    sentences: tuple[tuple[str, str], ...]
    """Sentences, each with the path of its chunk."""
    places: tuple[tuple[int, int], ...]
    """Slot and index of its chunks, best first."""
    paths: tuple[str, ...]
    """Links to these chunks from the root."""
    summary: str = ""
    """What a model said of it; then `title` is the model's, too."""
    key_entities: tuple[str, ...] = ()
    model: str = ""
    """The model's name."""


@dataclass(frozen=True, slots=True)
class GraphTables:
    """All that the files say."""

    entities: Sequence[EntityRow]
    aliases: Mapping[str, str]
    """Keys that stand for another that is an entity."""
    of_chunks: Mapping[tuple[int, int], Sequence[tuple[str, int]]]
    """Keys of the entities of each chunk by slot and index, the most telling first, each with the number of its
    chunks."""
    communities: Sequence[CommunityRow]
    numbers: Mapping[str, int]
    """What else the manifest states."""
    said: Sequence[SaidRow] = ()
    """What a language model said of some of `entities`."""


def graph_files(tables: GraphTables, max_files: int, *, versioned: bool = False) -> dict[str, bytes]:
    """Returns name and bytes of every file of `_graph/`, the manifest last.

    max_files: bound of the number of shards
    versioned: each community has a name that says which bytes it has, by which others lead to it; for one that another
               lies in, whose `up` cannot know that name, the plain one leads there
    """
    shards = Shards(max_files, {})
    manifest: dict[str, Any] = {"format": GRAPH_FORMAT, **tables.numbers}
    manifest |= {"block": BLOCK, "group": GROUP, "largest_shard": LARGEST_SHARD_WRITTEN}
    related: dict[str, float] = {}
    share = _BESIDE_SAID if tables.said else _SHARE
    manifest["entity_shards"] = _entity_shards(shards, tables, share)
    manifest["chunk_shards"] = _chunk_shards(shards, tables.of_chunks, share)
    if tables.said:
        manifest["said_shards"] = _said_shards(shards, tables.said)
        related = {"related": RELATED}
    manifest["walk"] = {
        "weight": WEIGHT,
        "leads": LEADS,
        "after": AFTER,
        "entities": MOST_FOLLOWED,
        "asked": MOST_ASKED,
        **related,
    }
    hal = _community_files(tables.communities, versioned=versioned)
    names = {name: _name(name, hal, versioned=versioned) for name in hal}
    rows = [_table_row(row, names[community_name(row.id)]) for row in tables.communities]
    manifest["table"] = shards.whole("g", orjson.dumps(rows))
    files = dict(sorted(shards.files.items()))
    if versioned:
        files |= {name: _leads_to(names[name], name, hal) for name in sorted({ALL, *_parents(tables.communities)})}
    files |= {names[name]: hal[name] for name in sorted(hal)}
    manifest["communities"] = {"href": names[ALL], "count": len(rows), "sha256": _digest(hal[ALL])}
    data = orjson.dumps(manifest) + b"\n"
    return files | {_name(MANIFEST, {MANIFEST: data}, versioned=True): data, MANIFEST: data}


def _entity_shards(shards: Shards, tables: GraphTables, share: float) -> dict[str, Any]:
    rows: dict[str, Any] = {
        row.key: [
            row.name if row.name != row.key else "",
            row.kind,
            row.chunks,
            row.community,
            [key for key, _ in row.neighbours],
            [weight for _, weight in row.neighbours],
            [number for place in row.places for number in place],
        ]
        for row in tables.entities
    }
    rows |= tables.aliases
    return _by_key(shards, "e", rows, share)


def _said_shards(shards: Shards, said: Sequence[SaidRow]) -> dict[str, Any]:
    rows: dict[str, Any] = {
        row.key: [
            row.description,
            row.models,
            [
                [
                    int(own.is_source),
                    own.relation,
                    own.other,
                    own.chunks,
                    *(number for place in own.places for number in place),
                ]
                for own in row.stated
            ],
        ]
        for row in said
    }
    return _by_key(shards, "r", rows, _SAID_SHARE)


def _by_key(shards: Shards, kind: str, rows: Mapping[str, Any], share: float) -> dict[str, Any]:
    keys = sorted(rows)
    last = [key.rpartition(" ")[2] for key in keys]
    entries = [orjson.dumps(key) + b":" + orjson.dumps(rows[key]) for key in keys]
    return _packed(shards, kind, last, entries, (ENTITY_BYTES, share))


def _chunk_shards(
    shards: Shards, of_chunks: Mapping[tuple[int, int], Sequence[tuple[str, int]]], share: float
) -> dict[str, Any]:
    blocks: dict[tuple[int, int], list[list[str | int]]] = {}
    for slot, index in sorted(of_chunks):
        block = blocks.setdefault((slot, index // BLOCK), [])
        block += [[] for _ in range(index % BLOCK - len(block))]
        block.append([value for pair in of_chunks[slot, index] for value in pair])
    entries = [b'"%d.%d":' % place + orjson.dumps(block) for place, block in blocks.items()]
    keys = [f"{slot // GROUP}.{block}" for slot, block in blocks]
    return _packed(shards, "k", keys, entries, (CHUNK_BYTES, share))


def _packed(
    shards: Shards, kind: str, keys: Sequence[str], entries: Sequence[bytes], size: tuple[int, float]
) -> dict[str, Any]:
    """Returns the table of some shards.

    size: bytes of a shard that are aimed at, and the share of all files that they may have
    """
    hashes = hashes32([key.encode() for key in keys])
    total = sum(map(len, entries))
    return shards.hashed(
        kind,
        hashes,
        np.zeros(0, np.uint32),
        each(lambda places: b"{" + b",\n".join([entries[place] for place in places]) + b"}"),
        total,
        *size,
    )


def _parents(rows: Sequence[CommunityRow]) -> set[str]:
    """Returns the plain names of the communities that others lie in."""
    return {community_name(rows[row.parent].id) for row in rows if row.parent >= 0}


def _table_row(row: CommunityRow, file: str) -> list[Any]:
    places = [number for place in row.places for number in place]
    sentences = [row.summary] if row.model else [text for text, _ in row.sentences]
    found = [community_of(file), row.level, row.parent, row.size, row.title, row.keywords, sentences, places]
    return [*found, row.model] if row.model else found


def _community_files(rows: Sequence[CommunityRow], *, versioned: bool) -> dict[str, bytes]:
    """Returns the HAL files, by their plain names. A parent states the digests of those in it; these name it by its
    members' digest alone, so that neither waits for the other. What has a version in its name cannot state its own."""
    below: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        below.setdefault(row.parent, []).append(place)
    files: dict[str, bytes] = {}
    for place in reversed(range(len(rows))):  # those within come after it
        row = rows[place]
        name = community_name(row.id)
        links = _self(name, versioned=versioned)
        links["up"] = {"href": community_name(rows[row.parent].id) if row.parent >= 0 else ALL}
        links["item"] = [{"href": f"../{path}"} for path in row.paths]
        children = [_child(rows[child], files, versioned=versioned) for child in below.get(place, ())]
        if children:
            links["infograph:community"] = children
        value = {
            "id": row.id,
            "level": row.level,
            "title": row.title,
            "size": row.size,
            "entities": row.entities[:MOST_LISTED],
            "relations": row.ties,
            "sentences": [{"text": text, "href": f"../{path}"} for text, path in row.sentences],
            "_links": links,
        }
        if row.stated:
            value |= {"stated": row.stated, "stated_by": row.stated_by}
        if row.model:
            value |= {"summary": row.summary, "key_entities": row.key_entities, "enriched_by": row.model}
        files[name] = orjson.dumps(value) + b"\n"
    top = [_child(rows[place], files, versioned=versioned) for place in below.get(-1, ())]
    links = _self(ALL, versioned=versioned) | {"up": {"href": "../index.json"}, "describedby": {"href": MANIFEST}}
    links |= {"infograph:community": top}
    files[ALL] = orjson.dumps({"count": len(rows), "_links": links}) + b"\n"
    return files


def _self(name: str, *, versioned: bool) -> dict[str, Any]:
    return {} if versioned else {"self": {"href": name}}


def _leads_to(name: str, plain: str, files: Mapping[str, bytes]) -> bytes:
    """Returns what stands under a community's plain name where another one has its contents."""
    own = orjson.loads(files[plain])
    links = {"self": {"href": plain}, "up": own["_links"]["up"]}
    links[LATEST] = {"href": name, "sha256": _digest(files[plain])}
    said = {key: own[key] for key in ("id", "title", "size", "count") if key in own}
    return orjson.dumps({**said, "_links": links}) + b"\n"


def _child(row: CommunityRow, files: Mapping[str, bytes], *, versioned: bool) -> dict[str, Any]:
    name = community_name(row.id)
    href = _name(name, files, versioned=versioned)
    return {"href": href, "title": row.title, "size": row.size, "sha256": _digest(files[name])}


def _name(name: str, files: Mapping[str, bytes], *, versioned: bool) -> str:
    """Returns the name by which others lead to a file."""
    return f"{named_by(name.removesuffix('.json'), _digest(files[name])[:VERSION_DIGITS])}.json" if versioned else name


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
