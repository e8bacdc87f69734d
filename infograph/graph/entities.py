"""The entities of a tree: the names of all documents under one key each, and the chunks that they stand in."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from infograph.graph.weighted import Integers, starts_of
from infograph.model import DocumentEntities, Mention
from infograph.text.entity_keys import key_of

FEWEST_CHUNKS = 2
"""Chunks that an entity stands in at the least: one that stands in a single chunk leads nowhere."""
LINK = "link"
"""Kind of the mention that a link is: no vote on how a title is written, and what it is."""
_STRENGTH = {"title": 3, "tag": 3}
"""Occurrences that a mention counts as, by its kind: a page's title says more of its first chunk than a word in it."""


@dataclass(frozen=True, slots=True)
class Entities:
    """The entities of a tree, sorted by key. Chunks are numbered in the order of paths and of chunks in each; of those
    with the same names only one counts."""

    keys: tuple[str, ...]
    names: tuple[str, ...]
    """Each name as it is written most often."""
    kinds: tuple[str, ...]
    """What each was mostly taken for."""
    starts: Integers
    """Where the chunks of each entity begin in `chunks`; one more entry than there are entities."""
    chunks: Integers
    """Numbers of the chunks that an entity stands in, ascending."""
    counts: Integers
    """How often it stands in each."""
    aliases: Mapping[str, str]
    """Keys that stand for another: short forms, and pairs that a person set."""
    representatives: Integers
    """The chunk that counts for each: itself, or the last of those with the same names, as in versions of a page."""
    single: int = 0
    """Names that stand in one chunk only, and are left out."""

    @property
    def chunk_count(self) -> int:
        """Number of all chunks."""
        return len(self.representatives)

    @property
    def distinct(self) -> int:
        """Number of chunks that count."""
        return int(np.count_nonzero(self.representatives == np.arange(self.chunk_count)))

    def frequencies(self) -> Integers:
        """Number of chunks that each entity stands in."""
        return np.diff(self.starts)

    def by_chunk(self) -> tuple[Integers, Integers]:
        """The entities of each chunk: where they begin, and their numbers, ascending in each."""
        owners = np.repeat(np.arange(len(self.keys), dtype=np.int64), self.frequencies())
        order = np.lexsort((owners, self.chunks))
        return starts_of(self.chunks[order], self.chunk_count), owners[order]


def short_forms(documents: Iterable[DocumentEntities]) -> dict[str, tuple[str, str]]:
    """Returns the acronyms that documents define, by key: as it is written, and what it is short for. Where they
    differ, that of most documents holds, then the first in the alphabet."""
    votes: dict[str, Counter[tuple[str, str, str]]] = defaultdict(Counter)
    for document in documents:
        for short, long in document.acronyms:
            if (key := key_of(short)) and (full := key_of(long)) and key != full:
                votes[key][full, short, long] += 1
    found = {}
    for key, forms in sorted(votes.items()):
        meant: Counter[str] = Counter()
        for (full, _, _), count in forms.items():
            meant[full] += count
        chosen = min(meant, key=lambda full: (-meant[full], full))
        written = min((f for f in forms if f[0] == chosen), key=lambda f: (-forms[f], f))
        found[key] = (written[1], written[2])
    return found


def resolved(aliases: Mapping[str, str]) -> dict[str, str]:
    """Returns where each alias ends: those of aliases are followed; one that leads back to itself is left out."""
    found = {}
    for key in aliases:
        seen, at = {key}, aliases[key]
        while at in aliases and at not in seen:
            seen.add(at)
            at = aliases[at]
        if at not in seen:
            found[key] = at
    return found


def gather(
    documents: Sequence[tuple[int, DocumentEntities]],
    chunk_count: int,
    aliases: Mapping[str, str],
    compounds: Collection[str],
) -> Entities:
    """Returns the entities of documents.

    documents:   each with the number of its first chunk, ascending
    chunk_count: number of chunks of all documents
    aliases:     keys that stand for another, see `resolved`
    compounds:   keys of the compounds that keyword tables have; others are no entities
    """
    keys: dict[str, int] = {}
    written: list[Counter[str]] = []
    kinds: list[Counter[str]] = []
    owners: list[int] = []
    chunks: list[int] = []
    counts: list[int] = []
    known: dict[str, str] = {}
    stands_for = representatives(documents, chunk_count)
    for first, document in documents:
        for place, mentions in enumerate(document.chunks):
            if stands_for[first + place] != first + place:
                continue
            for name, kind, count in mentions:
                key = known.get(name)
                if key is None:
                    key = key_of(name)
                    known[name] = key = aliases.get(key, key)
                if not key or (kind == "compound" and key not in compounds):
                    continue
                number = keys.get(key)
                if number is None:
                    number = keys[key] = len(keys)
                    written.append(Counter())
                    kinds.append(Counter())
                if kind != LINK:
                    written[number][name] += count
                    kinds[number][kind] += count
                owners.append(number)
                chunks.append(first + place)
                counts.append(count * _STRENGTH.get(kind, 1))
    return _kept(keys, written, kinds, _summed(owners, chunks, counts), (stands_for, aliases))


def representatives(documents: Sequence[tuple[int, DocumentEntities]], chunk_count: int) -> Integers:
    """Returns, of each chunk, the last one with the same names: the newest version, where paths say so. A page in five
    versions must not relate what stands in one chunk of it."""
    found = np.arange(chunk_count, dtype=np.int64)
    last: dict[tuple[Mention, ...], int] = {}
    for first, document in reversed(documents):
        for place in range(len(document.chunks) - 1, -1, -1):
            if document.chunks[place]:
                found[first + place] = last.setdefault(document.chunks[place], first + place)
    return found


def _summed(owners: list[int], chunks: list[int], counts: list[int]) -> tuple[Integers, Integers, Integers]:
    """Returns owners, chunks and counts with each pair of owner and chunk once, sorted."""
    of, at, often = (np.array(values, np.int64) for values in (owners, chunks, counts))
    order = np.lexsort((at, of))
    of, at, often = of[order], at[order], often[order]
    if not len(of):
        return of, at, often
    new = np.flatnonzero(np.concatenate(([True], (of[1:] != of[:-1]) | (at[1:] != at[:-1]))))
    return of[new], at[new], np.add.reduceat(often, new)


def _kept(
    keys: Mapping[str, int],
    written: Sequence[Counter[str]],
    kinds: Sequence[Counter[str]],
    places: tuple[Integers, Integers, Integers],
    of_tree: tuple[Integers, Mapping[str, str]],
) -> Entities:
    """Returns the entities that stand in enough chunks, sorted by key."""
    owners, chunks, counts = places
    frequency = np.bincount(owners, minlength=len(keys))
    kept = sorted(key for key, number in keys.items() if frequency[number] >= FEWEST_CHUNKS)
    numbers = np.array([keys[key] for key in kept], np.int64)
    new = np.full(len(keys), -1, np.int64)
    new[numbers] = np.arange(len(kept))
    owners = new[owners]
    stays = owners >= 0
    owners, chunks, counts = owners[stays], chunks[stays], counts[stays]
    order = np.argsort(owners, kind="stable")
    first = [_most_often(written[number]) for number in numbers.tolist()]
    return Entities(
        keys=tuple(kept),
        names=tuple(first),
        kinds=tuple(_most_often(kinds[number]) for number in numbers.tolist()),
        starts=starts_of(owners, len(kept)),
        chunks=chunks[order],
        counts=counts[order],
        aliases=of_tree[1],
        representatives=of_tree[0],
        single=len(keys) - len(kept),
    )


def _most_often(counts: Counter[str]) -> str:
    return min(counts, key=lambda text: (-counts[text], text))
