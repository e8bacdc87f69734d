"""Links between pages as part of the graph: titles of pages that lead to each other are related ("links to").

    weight(a, b) = 16 · log₂(2m / (d_a · d_b)), at least 1

the mutual information of the ends of a link, in the unit of `relations`, for m pairs of titles and d_a titles that are
linked with a. A chunk that leads to a page without naming it, as in `[here](cors.md)`, counts as one that names its
title: so a walk goes on from it, and what shows a relation is among the chunks of the title that it leads to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from infograph.graph.entities import LINK, Entities
from infograph.graph.relations import sixteenths
from infograph.graph.weighted import Integers
from infograph.model import DocumentEntities, LinkedPages, Mention
from infograph.text.entity_keys import key_of

ADDRESSED = ("link", "relation")
"""Links that lead to a page by its address. The others write what the page is called, which is a name already where it
looks like one: counted as well, they filled the six names of a chunk with titles, and of the questions that take two to
four pages 5% and 6% fewer had all of them among the first eight, with links (`benchmarks/graph.py`)."""


def with_links(documents: Mapping[str, DocumentEntities], links: LinkedPages) -> dict[str, DocumentEntities]:
    """Returns the records of documents, with the titles that each chunk leads to by an address among its names."""
    found = dict(documents)
    keys = _title_keys(documents)
    for path, shown in links.items():
        document = documents.get(path)
        if document is None:
            continue
        led = [
            (place, target)
            for place, target, kind in shown
            if kind in ADDRESSED and place < len(document.chunks) and keys.get(target)
        ]
        rows = {place: list(document.chunks[place]) for place, _ in led}
        known = {place: {key_of(mention.name) for mention in row} for place, row in rows.items()}
        for place, target in led:
            if keys[target] not in known[place]:
                known[place].add(keys[target])
                rows[place].append(Mention(documents[target].title, LINK, 1))
        chunks = tuple(tuple(rows.get(place, row)) for place, row in enumerate(document.chunks))
        found[path] = replace(document, chunks=chunks)
    return found


def linked_titles(
    entities: Entities, documents: Mapping[str, DocumentEntities], links: LinkedPages
) -> tuple[Integers, Integers, Integers]:
    """Returns pairs of titles whose pages lead one to the other, the lower number first, and the weight of each."""
    numbers = {key: number for number, key in enumerate(entities.keys)}
    keys = _title_keys(documents)
    titles = {path: numbers.get(entities.aliases.get(key, key), -1) for path, key in keys.items()}
    pairs = set()
    for path, shown in links.items():
        own = titles.get(path, -1)
        for _, target, _ in shown:
            other = titles.get(target, -1)
            if own >= 0 and other >= 0 and own != other:
                pairs.add((min(own, other), max(own, other)))
    ends = np.array(sorted(pairs), np.int64).reshape(-1, 2)
    degrees = np.bincount(ends.ravel(), minlength=len(entities.keys)).astype(np.float64)
    ratio = 2 * len(ends) / (degrees[ends[:, 0]] * degrees[ends[:, 1]])
    return ends[:, 0], ends[:, 1], np.maximum(sixteenths(ratio), 1)


def _title_keys(documents: Mapping[str, DocumentEntities]) -> dict[str, str]:
    """Returns the key of each title, by path; empty for a title that names nothing."""
    return {path: key_of(document.title) if document.title else "" for path, document in documents.items()}
