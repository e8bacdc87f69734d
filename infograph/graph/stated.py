"""Relations that a language model says chunks to state: each with the chunks that state it.

    weight(a, b) = 16 · log₂(2m / (d_a · d_b)), at least 1

as for links between titles, for m pairs of entities that are related so and d_a that are with a. It adds to what
co-occurrence says of the pair. A relation whose last chunk goes, goes with the next build, and no other changes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from infograph.graph.entities import Entities
from infograph.graph.relations import sixteenths
from infograph.graph.weighted import Integers
from infograph.model import DocumentEntities
from infograph.text.entity_keys import key_of


@dataclass(frozen=True, slots=True)
class StatedRelation:
    """What chunks state of two entities."""

    source: int
    """Number of the entity that it is said of."""
    target: int
    relation: str
    """As most of the chunks say it; of two, the first in the alphabet."""
    chunks: tuple[int, ...]
    """Numbers of the chunks that state it in whatever words, ascending."""


@dataclass(frozen=True, slots=True)
class SaidOfGraph:
    """What a language model said of the entities of a tree."""

    relations: tuple[StatedRelation, ...] = ()
    """By source, then by target."""
    descriptions: Mapping[int, str] = field(default_factory=dict)
    """What each entity is, as the first chunk says that describes it."""
    models: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Models that said something of an entity, in the order of the alphabet."""
    unlinked: int = 0
    """Relations of which an end stands in no second chunk, so that they lead nowhere."""

    def edges(self, count: int) -> tuple[Integers, Integers, Integers]:
        """Returns pairs of entities, the lower number first, and the weight of each.

        count: number of entities
        """
        pairs = {(min(own.source, own.target), max(own.source, own.target)) for own in self.relations}
        ends = np.array(sorted(pairs), np.int64).reshape(-1, 2)
        degrees = np.bincount(ends.ravel(), minlength=count).astype(np.float64)
        ratio = 2 * len(ends) / (degrees[ends[:, 0]] * degrees[ends[:, 1]])
        return ends[:, 0], ends[:, 1], np.maximum(sixteenths(ratio), 1)


def said_of_graph(entities: Entities, documents: Sequence[tuple[int, DocumentEntities]]) -> SaidOfGraph:
    """Returns what a language model said of entities in the chunks that count.

    documents: each with the number of its first chunk, ascending
    """
    numbers = {key: number for number, key in enumerate(entities.keys)}

    def number_of(name: str) -> int:
        key = key_of(name)
        return numbers.get(entities.aliases.get(key, key), -1)

    words: dict[tuple[int, int], Counter[str]] = defaultdict(Counter)
    chunks: dict[tuple[int, int], set[int]] = defaultdict(set)
    descriptions: dict[int, str] = {}
    models: dict[int, set[str]] = defaultdict(set)
    unlinked = 0
    for first, document in documents:
        said = document.said
        for place, source, relation, target in said.stated:
            if entities.representatives[first + place] != first + place:
                continue
            ends = number_of(source), number_of(target)
            if min(ends) < 0 or ends[0] == ends[1]:
                unlinked += 1
                continue
            words[ends][relation] += 1
            chunks[ends].add(first + place)
            for end in ends:
                models[end].update(said.models)
        for place, name, about in said.described:
            number = number_of(name)
            if number >= 0 and entities.representatives[first + place] == first + place:
                descriptions.setdefault(number, about)
                models[number].update(said.models)
    relations = [
        StatedRelation(*ends, min(found, key=lambda text: (-found[text], text)), tuple(sorted(chunks[ends])))
        for ends, found in sorted(words.items())
    ]
    return SaidOfGraph(
        tuple(relations), descriptions, {end: tuple(sorted(names)) for end, names in models.items()}, unlinked
    )
