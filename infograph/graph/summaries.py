"""Communities of entities as a tree, each with what stands for it: names, keywords and sentences of the documents."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from infograph.graph.entities import Entities
from infograph.graph.levels import CommunityLevel
from infograph.graph.weighted import Integers, WeightedGraph

SMALLEST = 3
"""Entities of a community at the least: a pair says no more than its relation."""
KEYWORDS = 12
"""Most keywords of a community."""
SENTENCES = 3
TITLE_NAMES = 3
"""Names that a community is called by."""
CHUNKS = 6
"""Most chunks that a community lists."""
_ID = 16


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a chunk, with the entities that it names."""

    chunk: int
    """Number of the chunk."""
    text: str
    entities: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Community:
    """A community, with what stands for it."""

    id: str
    """The first hex digits of the SHA-256 of its members' keys: a summary is stale where this is another."""
    level: int
    """0 for one that lies in no other."""
    parent: int
    """Place of the one that it lies in; -1 on level 0."""
    members: tuple[int, ...]
    """Entities of the community, those with most weight inside of it first."""
    title: str
    keywords: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    chunks: tuple[int, ...]
    """Chunks with most of its weight, best first."""


def communities_of(
    entities: Entities, graph: WeightedGraph, levels: Sequence[CommunityLevel], sentences: Iterable[Sentence]
) -> list[Community]:
    """Returns the communities of some size with their summaries: those of a level before those within them."""
    by_chunk = _sentences_by_entity(sentences)
    found: list[Community] = []
    above: dict[int, int] = {}
    for depth, level in enumerate(levels):
        places: dict[int, int] = {}
        sizes = np.bincount(level.labels, minlength=int(level.labels.max(initial=-1)) + 1)
        order = np.argsort(level.labels, kind="stable")
        ends = np.cumsum(sizes)
        for number, size in enumerate(sizes.tolist()):
            if size < SMALLEST:
                break  # the larger a community, the smaller its number
            nodes = order[ends[number] - size : ends[number]]
            parent = above.get(int(level.parents[number]), -1) if depth else -1
            if parent >= 0 and len(found[parent].members) == size:
                places[number] = parent  # it was not divided
                continue
            places[number] = len(found)
            found.append(_community(entities, graph, nodes, (found, parent), by_chunk))
        above = places
    return found


def _community(
    entities: Entities,
    graph: WeightedGraph,
    nodes: Integers,
    place: tuple[Sequence[Community], int],
    by_entity: dict[int, list[Sentence]],
) -> Community:
    found, parent = place
    inside = graph.part(nodes)
    weights = np.bincount(inside.sources, inside.weights, len(nodes)).astype(np.int64)
    central = nodes[np.lexsort((nodes, -weights))]
    weight_of = dict(zip(nodes.tolist(), weights.tolist(), strict=True))
    names = [entities.names[node] for node in central[:KEYWORDS].tolist()]
    digest = hashlib.sha256("\n".join(entities.keys[node] for node in nodes.tolist()).encode()).hexdigest()
    return Community(
        id=digest[:_ID],
        level=found[parent].level + 1 if parent >= 0 else 0,
        parent=parent,
        members=tuple(central.tolist()),
        title=" · ".join(names[:TITLE_NAMES]),
        keywords=tuple(names),
        sentences=_central(weight_of, central[: 2 * KEYWORDS].tolist(), by_entity),
        chunks=_chunks(entities, nodes, weights),
    )


def _sentences_by_entity(sentences: Iterable[Sentence]) -> dict[int, list[Sentence]]:
    found: dict[int, list[Sentence]] = {}
    for sentence in sentences:
        for entity in sentence.entities:
            found.setdefault(entity, []).append(sentence)
    return found


def _central(
    weights: dict[int, int], central: Sequence[int], by_entity: dict[int, list[Sentence]]
) -> tuple[Sentence, ...]:
    """Returns the sentences that name most of the community's weight, each counting only names that those before it
    lack; of equal ones the shortest, then the first."""
    candidates = list(dict.fromkeys(sentence for node in central for sentence in by_entity.get(node, ())))
    named: set[int] = set()
    chosen: list[Sentence] = []
    while candidates and len(chosen) < SENTENCES:
        scored = [
            (-sum(weights.get(e, 0) for e in set(s.entities) - named), len(s.text), s.chunk, s) for s in candidates
        ]
        best = min(scored, key=lambda row: row[:3])
        if best[0] >= 0:
            break
        chosen.append(best[3])
        named.update(best[3].entities)
        candidates = [s for s in candidates if s.text != best[3].text]
    return tuple(chosen)


def _chunks(entities: Entities, nodes: Integers, weights: Integers) -> tuple[int, ...]:
    """Returns the chunks that have most of a community's weight, each entity counted once in a chunk."""
    lengths = entities.starts[nodes + 1] - entities.starts[nodes]
    ends = np.cumsum(lengths)
    places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(entities.starts[nodes] - (ends - lengths), lengths)
    chunks, where = np.unique(entities.chunks[places], return_inverse=True)
    sums = np.bincount(where, np.repeat(weights, lengths), len(chunks)).astype(np.int64)
    best = np.lexsort((chunks, -sums))[:CHUNKS]
    return tuple(chunks[best].tolist())
