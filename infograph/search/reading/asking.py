"""Answers a query, without knowing where the files are: the one definition for every way to read them.

    asking = searcher.search(Query("clear the cache"), remarks)
    names = next(asking)                              the files that are needed first
    names = asking.send({name: contents, …})          the files that are needed next; StopIteration has the answer

`reader.py` and `infograph.client` drive this by `dialogue.py`, in the way that `fetching.py` says.

A client that has the site's own model adds the query's vector to the `Query`, see `reranking.py`: the vector shards
are found by the same keys as the documents.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from infograph.errors import FormatError
from infograph.search.format.bundle_manifest import BundleManifest, ShardTable
from infograph.search.format.fusion_model import PLAIN_SUM, TREES, read_tree_sum
from infograph.search.format.layout import DIRECTORY, LARGEST_SHARD_READ
from infograph.search.format.posting_shards import TermEntry, find_entries
from infograph.search.format.projection import decode_map, project
from infograph.search.format.results import Hit, Remarks, TotalRelation
from infograph.search.format.terms import Language, Terms, bounded, cut
from infograph.search.format.vector_shards import find_vectors
from infograph.search.ranking.diversity import DIVERSIFIED, collapse, diversified, reach
from infograph.search.ranking.fusion import FusedHead, fused, words_confidence
from infograph.search.ranking.reranking import RERANKED, cosine, reranked
from infograph.search.ranking.scoring import ChunkPlace, chosen_terms, most_score, ranked, scores, with_neighbours
from infograph.search.reading.fetching import Asking, FileContent, ask_for
from infograph.search.reading.slips import corrected, is_known
from infograph.search.reading.words import stems

if TYPE_CHECKING:
    from infograph.search.ranking.linking import Lead
    from infograph.search.reading.graph_walk import GraphWalk, Walked

T = TypeVar("T")

Passes = Callable[[Hit], bool]
"""Whether a hit passes the filter of a search."""

MOST_WORDS = 64
"""Most distinct words of a query that are looked up."""
MOST_EXAMINED = 2048
"""Most chunks of a ranking that are read for a filter or for near-duplicates."""
EXAMINED_AT_ONCE = 64
"""Chunks that are read together for a filter."""
NOTHING_ASKED = "the words of the query are too common, or too long, to search for"

_SIMHASH = re.compile(r"[0-9a-f]{16}")
_ROW = (str, list, str, str, int, str, str)
"""Kinds of a row's values: title, section path, anchor, snippet, tokens, href, digest."""


@dataclass(frozen=True, slots=True)
class Query:
    """Text of a query, and the part of the ranking that it wants."""

    text: str
    limit: int = 10
    offset: int = 0
    """Hits to leave out at the beginning."""
    one_per_page: bool = False
    """Whether only the best chunk of each page is listed."""
    passes: Passes | None = None
    collapsed: bool = False
    """Whether near-duplicates are listed as `Hit.duplicates` of the best one, see `diversity.py`."""
    diversity: float = 0.0
    """0 to 1: weight of what the first hits say that is new, beside how well they answer."""
    vector: Sequence[float] | None = None
    """The query's vector, of unit length, by the model that the manifest names; the first chunks that pass are
    reranked by it and stand before all others."""
    exact: bool = False
    """Whether the words are searched for as they are, see `slips.py`."""
    hops: int | None = None
    """Steps along the graph of entities; None for none."""
    walk: GraphWalk | None = None
    """How to walk from the first chunks along the graph of entities, see `graph_walk.py`."""
    links: bool = True
    """Whether the links of the first pages are followed, see `linking.py`."""

    @property
    def first(self) -> int:
        """Place of the first wanted hit."""
        return max(0, self.offset)

    @property
    def end(self) -> int:
        """Place after the last wanted hit."""
        return self.first + max(0, self.limit)


@dataclass(frozen=True, slots=True)
class RankedHits:
    """A stretch of a ranking."""

    hits: tuple[Hit, ...]
    chunks: tuple[ChunkPlace, ...]
    """The chunks of the hits, as `Searcher.shown` takes them."""
    duplicates: Mapping[tuple[str, int], ChunkPlace]
    """The chunks of the hits' duplicates, by page and index."""
    total: int
    """Chunks (pages) in the ranking, less the duplicates found so far; with a filter, those found so far that pass."""
    total_relation: TotalRelation


@dataclass(slots=True)
class _Head:
    """The first chunks of a ranking that have been read so far."""

    read: int = 0
    """Number of chunks that have been read."""
    passed: list[Hit] = field(default_factory=list)
    """The hits among them that pass the filter, if there is one."""
    hits: list[Hit] = field(default_factory=list)
    """The hits that passed, near-duplicates collapsed where the query says so."""
    chunks: dict[tuple[str, int], ChunkPlace] = field(default_factory=dict)
    """The chunks of the hits that passed, by page and index."""


class Searcher:
    """Search over the bundle of one manifest.

    language: None where there is no stemmer for the manifest's language; words are matched by their beginnings then
    """

    def __init__(self, manifest: BundleManifest, language: Language | None) -> None:
        self.manifest = manifest
        self.stemless = language is None
        self.language = language or Language(manifest.language, str, frozenset(manifest.stop_words.split()))
        self.largest = min(manifest.largest_shard, LARGEST_SHARD_READ)
        """Most bytes of a file, before and after inflation."""
        self._tf = manifest.bm25.saturation()
        self._group = manifest.group

    def search(self, query: Query, remarks: Remarks) -> Asking[RankedHits]:
        """Returns the best chunks, or the best chunk of each of the best pages."""
        ranking, leads = yield from self.rank_linked(query, remarks)
        walked: Walked | None = None
        if query.walk is not None:
            from infograph.search.reading.graph_walk import walk  # no other search loads it

            stop_words = self.language.stop_words
            walked = yield from walk(query.walk, query.text, ranking, self._names, stop_words, remarks)
            ranking = walked.ranking
        filtered = query.passes is not None
        if query.one_per_page and not filtered:
            ranking = _of_new_pages(ranking, set())
        to_read = (filtered or query.collapsed or query.diversity > 0) and query.first < len(ranking)
        most = min(len(ranking), MOST_EXAMINED) if to_read else 0
        head = yield from self._head(query, ranking[:most], remarks)
        hits, chunks = head.hits, head.chunks
        if query.diversity > 0:
            hits = (yield from self._diversified(hits, chunks, query.diversity, remarks)) + hits[DIVERSIFIED:]
        if not remarks.fused and (hits or filtered):
            remarks.confidence = words_confidence(hits[0].score if hits else 0.0, remarks.most)
        shown = hits[query.first : query.end]
        total = len(hits)
        if filtered:
            if MOST_EXAMINED <= head.read < len(ranking):
                note = f"only the best {MOST_EXAMINED} of {len(ranking)} chunks were held against the filter"
                remarks.notes.append(note)
        else:
            total += len(ranking) - len(head.passed)
            if head.read >= most:  # what was not read is not collapsed
                rest = ranking[head.read :][max(0, query.first - len(hits)) : max(0, query.end - len(hits))]
                pairs = yield from self.shown(rest, remarks)
                chunks |= _by_place(pairs)
                shown += [hit for _, hit in pairs]
        relation: TotalRelation = "eq"
        if remarks.missing:  # what a missing file holds is unknown
            relation = "gte"
        elif head.read < len(ranking) and (filtered or query.collapsed):
            relation = "gte" if filtered else "lte"
        if leads:
            from infograph.search.reading.links import explained

            shown = yield from explained(shown, chunks, leads, self.shown, remarks)
        if walked:
            shown = [walked.told(hit, chunks) for hit in shown]
        return _result(shown, chunks, total, relation)

    def _head(self, query: Query, ranking: Sequence[tuple[ChunkPlace, float]], remarks: Remarks) -> Asking[_Head]:
        """Reads chunks of a ranking, from its first on, until they give the wanted hits or none is left."""
        wanted = max(query.end, DIVERSIFIED) if query.diversity > 0 else query.end
        head = _Head()
        pages: set[int] = set()
        while head.read < len(ranking) and len(head.hits) < wanted:
            left = ranking[head.read :]
            if query.passes is None:
                some = left[: reach((chunk for chunk, _ in left), wanted - len(head.hits), self._group)]
                pairs = yield from self.shown(some, remarks)
            else:
                some = left[:EXAMINED_AT_ONCE]
                pairs = yield from self.shown(some, remarks)
                pairs = [pair for pair in pairs if query.passes(pair[1])]
                if query.one_per_page:
                    pairs = _of_new_pages(pairs, pages)
            head.read += len(some)
            head.chunks |= _by_place(pairs)
            head.passed += [hit for _, hit in pairs]
            head.hits = collapse(head.passed) if query.collapsed else head.passed
        return head

    def _diversified(
        self, hits: Sequence[Hit], chunks: Mapping[tuple[str, int], ChunkPlace], share: float, remarks: Remarks
    ) -> Asking[list[Hit]]:
        """Returns the first hits in an order that has more variety."""
        pool = hits[:DIVERSIFIED]
        wanted = [chunks[hit.page, hit.index] for hit in pool]
        vectors = yield from self.vectors(wanted, remarks)
        order = diversified([hit.score for hit in pool], [vectors.get(chunk, ()) for chunk in wanted], share)
        return [pool[place] for place in order]

    def vectors(self, chunks: Sequence[ChunkPlace], remarks: Remarks) -> Asking[dict[ChunkPlace, Sequence[int]]]:
        """Returns the vectors of chunks, each number times `vectors.unit`; those whose file cannot be read are left
        out."""
        size, dimension = self.manifest.block, self.manifest.vectors.dimension
        keys = {chunk: f"{chunk[0] // self._group}.{chunk[1] // size}" for chunk in chunks}
        names = yield from self._names(self.manifest.vector_shards, keys.values(), remarks)
        shards = yield from ask_for(names.values(), remarks)
        found: dict[ChunkPlace, Sequence[int]] = {}
        for chunk, key in keys.items():
            name = names[key]
            if name not in shards:
                continue
            try:
                block = find_vectors(shards[name], (chunk[0], chunk[1] // size), dimension, name)
            except FormatError as error:
                remarks.missing[name] = str(error)
                continue
            if chunk[1] % size < len(block):
                found[chunk] = block[chunk[1] % size]
        return found

    def rank_linked(
        self, query: Query, remarks: Remarks
    ) -> Asking[tuple[list[tuple[ChunkPlace, float]], dict[ChunkPlace, Lead]]]:
        """Returns the ranking with the chunks that links raise or bring in, where the query follows them, and what led
        to each of these."""
        ranking = yield from self.rank(query, remarks)
        if not query.links or self.manifest.links is None:
            return ranking, {}
        from infograph.search.reading.links import follow  # no other site's searches load it

        return (yield from follow(self.manifest.links, ranking, self._names, remarks))

    def rank(self, query: Query, remarks: Remarks) -> Asking[list[tuple[ChunkPlace, float]]]:
        """Returns every chunk that has a term of the query, best first."""
        entries = yield from self.entries(query.text, remarks, query.exact)
        vector = None if query.vector is None else (yield from self._projected(query.vector, remarks))
        ranking = self._ranking(entries)
        if vector is None:
            said = self.manifest
            dfs = [entry.df for entry in entries.values()]
            remarks.most = most_score(dfs, said.chunks, said.bm25.most, said.neighbour)
            remarks.confidence = words_confidence(ranking[0][1] if ranking else 0.0, remarks.most)
            return ranking
        head = yield from self._first(ranking, query.passes, remarks)
        parts = yield from self._parts(head, vector, remarks)
        values, remarks.confidence = yield from self._fused(query.text, parts, remarks)
        remarks.fused = True
        moved = {chunk for chunk, _ in head}
        return reranked(head, values) + [item for item in ranking if item[0] not in moved]

    def parts(self, query: Query, remarks: Remarks) -> Asking[list[tuple[ChunkPlace, float, float]]]:
        """Returns the chunks that a fusion puts in order, the best by words first, each with its score by words and its
        cosine; nothing without the query's vector, and where the map cannot be read."""
        entries = yield from self.entries(query.text, remarks, query.exact)
        vector = None if query.vector is None else (yield from self._projected(query.vector, remarks))
        if vector is None:
            return []
        head = yield from self._first(self._ranking(entries), query.passes, remarks)
        parts = yield from self._parts(head, vector, remarks)
        chunks = [chunk for chunk, _ in head]
        return list(zip(chunks, parts.words, parts.cosines, strict=True))

    def _parts(
        self, head: Sequence[tuple[ChunkPlace, float]], vector: Sequence[int], remarks: Remarks
    ) -> Asking[FusedHead]:
        """Returns both scores of chunks that come with the one by words. A chunk without a vector has the cosine 0."""
        vectors = yield from self.vectors([chunk for chunk, _ in head], remarks)
        cosines = [cosine(vector, vectors.get(chunk, ())) for chunk, _ in head]
        return FusedHead([score for _, score in head], cosines)

    def _ranking(self, entries: Mapping[str, TermEntry]) -> list[tuple[ChunkPlace, float]]:
        """Returns the chunks in the terms' lists, best first."""
        own = scores(entries, self._tf, self.manifest.chunks)
        return ranked(with_neighbours(own, self.manifest.neighbour))

    def _fused(self, query: str, head: FusedHead, remarks: Remarks) -> Asking[tuple[list[float], float]]:
        """Returns the scores of a head by the manifest's fusion, and the confidence. Where the trees of the fusion
        cannot be read, words and cosine count as in a sum."""
        fusion, weight, trees = self.manifest.fusion, self.manifest.vectors.weight, None
        if fusion.kind == TREES:
            files = yield from ask_for([fusion.file], remarks)
            try:
                trees = read_tree_sum(fusion.file, files[fusion.file]) if fusion.file in files else None
            except FormatError as error:
                remarks.missing[fusion.file] = str(error)
            fusion = fusion if trees is not None else PLAIN_SUM
        return fused(fusion, trees, query, head, weight)

    def _projected(self, vector: Sequence[float], remarks: Remarks) -> Asking[list[int] | None]:
        """Maps a query's vector into the space of the chunk vectors; None where the map cannot be read."""
        import numpy as np  # a caller with a vector has numpy; a search without one does not need it

        said = self.manifest.vectors
        files = yield from ask_for([said.map], remarks)
        if said.map not in files:
            return None
        try:
            weights = decode_map(files[said.map], said.dimension, said.map)
            if len(weights) != len(vector) + 1:
                reason = f"maps vectors of {len(weights) - 1} numbers, not of {len(vector)}"
                raise FormatError(said.map, reason, "Build the site again")
        except FormatError as error:
            remarks.missing[said.map] = str(error)
            return None
        projected: list[int] = project(weights, np.array([vector], np.float32))[0].tolist()
        return projected

    def _first(
        self, ranking: Sequence[tuple[ChunkPlace, float]], passes: Passes | None, remarks: Remarks
    ) -> Asking[Sequence[tuple[ChunkPlace, float]]]:
        """Returns the first chunks of a ranking, those that pass where there is a filter, as many as are reranked."""
        if passes is None:
            return ranking[:RERANKED]
        found: list[tuple[ChunkPlace, float]] = []
        for start in range(0, min(len(ranking), MOST_EXAMINED), EXAMINED_AT_ONCE):
            some = ranking[start : start + EXAMINED_AT_ONCE]
            passed = {chunk for chunk, hit in (yield from self.shown(some, remarks)) if passes(hit)}
            found += [item for item in some if item[0] in passed]
            if len(found) >= RERANKED:
                break
        return found[:RERANKED]

    def entries(self, query: str, remarks: Remarks, exact: bool = False) -> Asking[dict[str, TermEntry]]:
        """Returns the postings of the query's terms. A word of which the index has neither the whole nor all parts is
        replaced by one that it may be a slip of."""
        asked = self._terms(query, remarks)
        if self.stemless:
            asked = yield from stems(self.manifest, asked, remarks)
        found = yield from self._look_up(chosen_terms(asked), remarks)
        unsure = exact or self.stemless or remarks.missing  # the words of the site are not known then
        if not unsure and not all(is_known(terms, found.keys()) for terms in asked):
            asked = yield from corrected(self.manifest, self.language, bounded(query), asked, found.keys(), remarks)
            found |= yield from self._look_up(set(chosen_terms(asked)) - found.keys(), remarks)
        return {term: found[term] for term in chosen_terms(asked) if term in found}

    def _terms(self, query: str, remarks: Remarks) -> list[Terms]:
        """Returns the distinct terms of a query, `MOST_WORDS` at most."""
        distinct: dict[Terms, None] = {}
        for terms in cut(bounded(query), self.language):
            if len(distinct) == MOST_WORDS and terms not in distinct:
                remarks.notes.append(f"only the first {MOST_WORDS} words of the query were looked up")
                break
            distinct[terms] = None
        if not distinct and any(map(str.isalnum, query)):
            remarks.notes.append(NOTHING_ASKED)
        return list(distinct)

    def _look_up(self, terms: Iterable[str], remarks: Remarks) -> Asking[dict[str, TermEntry]]:
        """Reads the entries of terms; a term that the index does not have is left out."""
        names = yield from self._names(self.manifest.postings, sorted(terms), remarks)
        shards = yield from ask_for(names.values(), remarks)
        found: dict[str, TermEntry] = {}
        for name, data in shards.items():
            try:
                found |= find_entries(data, {term for term, at in names.items() if at == name}, name)
            except FormatError as error:
                remarks.missing[name] = str(error)
        return found

    def shown(self, best: Sequence[tuple[ChunkPlace, float]], remarks: Remarks) -> Asking[list[tuple[ChunkPlace, Hit]]]:
        """Reads what is shown of chunks, which come with their scores; those whose file cannot be read are left out."""
        size = self.manifest.block
        keys = {chunk: f"{chunk[0]}.{chunk[1] // size}" for chunk, _ in best}
        places = {chunk: f"{chunk[0] // self._group}.{chunk[1] // size}" for chunk, _ in best}
        names = yield from self._names(self.manifest.documents, places.values(), remarks)
        shards = yield from ask_for(names.values(), remarks)
        found = []
        for chunk, score in best:
            key, name = keys[chunk], names[places[chunk]]
            hit = _hit(shards.get(name), key, chunk[1], size, score)
            if hit is not None:
                found.append((chunk, hit))
            elif name:
                remarks.missing.setdefault(name, f"has nothing of {key}")
        return found

    def _names(self, table: ShardTable, keys: Iterable[str], remarks: Remarks) -> Asking[dict[str, str]]:
        """Returns the file of each key; empty for a shard without contents, and where the directory cannot be read."""
        numbers = {key: table.shard(key) for key in keys}
        if table.names:
            return {key: table.names[number] for key, number in numbers.items()}
        where = {key: table.directories[number // DIRECTORY] for key, number in numbers.items()}
        directories = yield from ask_for(where.values(), remarks)
        found = {}
        for key, number in numbers.items():
            names = directories.get(where[key], ())
            name = next(islice(names, number % DIRECTORY, None), "") if isinstance(names, list) else ""
            found[key] = name if isinstance(name, str) else ""
        return found


def _of_new_pages(items: Iterable[tuple[ChunkPlace, T]], seen: set[int]) -> list[tuple[ChunkPlace, T]]:
    """Returns the first item of each page whose slot is not in `seen`, and adds these slots to it."""
    found = []
    for chunk, value in items:
        if chunk[0] not in seen:
            seen.add(chunk[0])
            found.append((chunk, value))
    return found


def _by_place(pairs: Iterable[tuple[ChunkPlace, Hit]]) -> dict[tuple[str, int], ChunkPlace]:
    """Returns the chunks by their hits' page and index."""
    return {(hit.page, hit.index): chunk for chunk, hit in pairs}


def _result(
    hits: Sequence[Hit], chunks: Mapping[tuple[str, int], ChunkPlace], total: int, relation: TotalRelation
) -> RankedHits:
    """Joins hits with their chunks; `chunks` has those of all hits and of their duplicates."""
    own = tuple(chunks[hit.page, hit.index] for hit in hits)
    places = ((other.page, other.index) for hit in hits for other in hit.duplicates)
    return RankedHits(tuple(hits), own, {place: chunks[place] for place in places}, total, relation)


def _hit(shard: FileContent, key: str, index: int, size: int, score: float) -> Hit | None:
    """Returns one row of a document shard as a hit; None where it is missing or malformed."""
    try:
        page, page_title, page_url, rows, hashes = shard[key]
        row = rows[index % size]
        simhash = hashes[index % size * 16 : index % size * 16 + 16]
        sound = _SIMHASH.fullmatch(simhash) is not None and all(
            isinstance(value, kind) for value, kind in zip(row, _ROW, strict=True)
        )
        texts = (page, page_title, page_url, *row[1])
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    if not sound or row[4] < 0 or not all(isinstance(text, str) for text in texts):
        return None
    title, section_path, anchor, snippet, tokens, href, digest = row
    return Hit(
        page,
        page_title,
        page_url,
        index,
        title,
        tuple(section_path),
        anchor,
        snippet,
        tokens,
        href,
        digest,
        score,
        simhash,
    )
