"""Answers a query, without knowing where the files are: the one definition for every way to read them.

    asking = searcher.search(Query("clear the cache"), remarks)
    names = next(asking)                              the files that are needed first
    names = asking.send({name: contents, …})          the files that are needed next; StopIteration has the answer

`reader.py` and `infograph.client` drive this by `dialogue.py`, in the way that `fetching.py` says.

A client that has the site's own model adds the query's vector to the `Query`, see `reranking.py`: the vector shards
are found by the same keys as the documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from infograph.search.format.bundle_manifest import BundleManifest
from infograph.search.format.results import Hit, Remarks, TotalRelation, ValueCounts
from infograph.search.format.terms import Language
from infograph.search.ranking.diversity import DIVERSIFIED, collapse, diversified, reach
from infograph.search.ranking.fusion import words_confidence
from infograph.search.ranking.scoring import ChunkPlace
from infograph.search.reading.bundle_shards import BundleShards
from infograph.search.reading.fetching import Asking
from infograph.search.reading.query import Passes, Query
from infograph.search.reading.rankings import EXAMINED_AT_ONCE, MOST_EXAMINED, Ranker
from infograph.search.reading.slips import as_meant

if TYPE_CHECKING:
    from infograph.search.ranking.linking import Lead
    from infograph.search.reading.facets import Counted
    from infograph.search.reading.graph_walk import Walked
    from infograph.search.reading.questions import KnownChunk
    from infograph.search.reading.rankings import Known

T = TypeVar("T")

CURTAILED = "a word of the query stands in more chunks than the index lists: others may pass the filter, too"


@dataclass(frozen=True, slots=True)
class RankedHits:
    """A stretch of a ranking."""

    hits: tuple[Hit, ...]
    chunks: tuple[ChunkPlace, ...]
    """The chunks of the hits, as `BundleShards.shown` takes them."""
    duplicates: Mapping[tuple[str, int], ChunkPlace]
    """The chunks of the hits' duplicates, by page and index."""
    total: int
    """Chunks (pages) in the ranking, less the duplicates found so far; with a filter, those found so far that pass."""
    total_relation: TotalRelation
    facets: Mapping[str, ValueCounts] = field(default_factory=dict)
    """Chunks of the ranking that have each value, by field."""
    undecided: bool = False
    """Whether there are no hits since a file is missing that the filter depends on."""


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

    language: as `Ranker` takes it
    """

    shards: BundleShards
    """What is read of terms and chunks."""
    ranker: Ranker
    """The rankings that the answers are stretches of."""

    def __init__(self, manifest: BundleManifest, language: Language | None) -> None:
        self.manifest = manifest
        self._begin(language)
        self.language = self.ranker.language
        self.stemless = self.ranker.stemless
        self._group = manifest.group

    def _begin(self, language: Language | None) -> None:
        self.shards = BundleShards(self.manifest)
        self.ranker = Ranker(self.manifest, language, self.shards)

    def search(self, query: Query, remarks: Remarks) -> Asking[RankedHits]:
        """Returns the best chunks, or the best chunk of each of the best pages."""
        counted = None
        if query.filters is not None or query.facets:
            prepared = yield from self.narrowed(query, remarks)
            if prepared is None:
                return RankedHits((), (), {}, 0, "gte", undecided=True)
            query, counted = prepared
        ranking, leads, walked, known = yield from self.ranking(query, remarks)
        if remarks.curtailed and len(ranking) < query.end:
            remarks.notes.append(CURTAILED)
        found = yield from self._stretch(query, ranking, leads, walked, known, remarks)
        return found if counted is None else replace(found, facets=counted([chunk for chunk, _ in ranking]))

    def narrowed(self, query: Query, remarks: Remarks) -> Asking[tuple[Query, Counted | None] | None]:
        """Returns a query that says which chunks its filter allows, see `narrowed_query`."""
        from infograph.search.reading.facets import narrowed_query  # no other search loads it

        return (yield from narrowed_query(query, self.shards, remarks))

    def ranking(
        self, query: Query, remarks: Remarks
    ) -> Asking[tuple[list[tuple[ChunkPlace, float]], Mapping[ChunkPlace, Lead], Walked | None, Known]]:
        """Returns the ranking, what led to the chunks that links brought in, the walk along the graph, if any, and the
        chunks that are known to answer the question."""
        entries = yield from self.ranker.entries_of(query, remarks)
        known: Known = {}
        if query.prompts and self.manifest.questions is not None:
            meant = as_meant(query.text, remarks.corrected)  # which the look at the terms has found out
            known = yield from self.known(meant, self.manifest.questions.distance, remarks)
            known = {chunk: what for chunk, what in known.items() if query.allows is None or query.allows(chunk)}
        ranking, leads = yield from self.ranker.rank_linked(query, entries, remarks, known)
        walked: Walked | None = None
        if query.walk is not None:
            from infograph.search.reading.graph_walk import walk  # no other search loads it

            stop_words = self.ranker.language.stop_words
            walked = yield from walk(query.walk, query.text, ranking, self.shards.names, stop_words, remarks)
            ranking = query.allowed(walked.ranking)
        if known:
            from infograph.search.reading.questions import pinned  # most sites have no questions

            ranking = pinned(ranking, known)
        return ranking, leads, walked, known

    def _stretch(
        self,
        query: Query,
        ranking: list[tuple[ChunkPlace, float]],
        leads: Mapping[ChunkPlace, Lead],
        walked: Walked | None,
        known: Known,
        remarks: Remarks,
    ) -> Asking[RankedHits]:
        """Returns the wanted stretch of a ranking, its near-duplicates collapsed where the query says so."""
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
                pairs = yield from self.shards.shown(rest, remarks)
                chunks |= _by_place(pairs)
                shown += [hit for _, hit in pairs]
        relation: TotalRelation = "eq"
        if remarks.missing or remarks.curtailed:  # what a missing file holds is unknown
            relation = "gte"
        elif head.read < len(ranking) and (filtered or query.collapsed):
            relation = "gte" if filtered else "lte"
        if leads:
            from infograph.search.reading.links import explained

            shown = yield from explained(shown, chunks, leads, self.shards.shown, remarks)
        if walked:
            shown = [walked.told(hit, chunks) for hit in shown]
        if known:
            shown = [_told(hit, known.get(chunks[hit.page, hit.index])) for hit in shown]
        return _result(shown, chunks, total, relation)

    def known(self, question: str, distance: int, remarks: Remarks) -> Asking[dict[ChunkPlace, KnownChunk]]:
        """Returns the chunks that are known to answer a question like this one, see `matched_chunks`; none where the
        site has no questions, or there is no stemmer to hash one with."""
        from infograph.search.reading.questions import matched_chunks  # as in `search`

        if self.manifest.questions is None or self.stemless:
            return {}
        asking = matched_chunks(self.manifest.questions, self.language, question, distance, self.shards.names, remarks)
        return (yield from asking)

    def match(
        self, question: str, distance: int, passes: Passes | None, limit: int, remarks: Remarks
    ) -> Asking[list[Hit]]:
        """Returns the chunks that are known to answer a question like this one and pass a filter, the nearest question
        first; their scores are their cosines."""
        known = yield from self.known(question, distance, remarks)
        wanted = [(chunk, found.question.similarity) for chunk, found in known.items()]
        pairs = yield from self.shards.shown(wanted, remarks)
        hits = [_told(hit, known[chunk]) for chunk, hit in pairs if passes is None or passes(chunk, hit)]
        return hits[: max(0, limit)]

    def _head(self, query: Query, ranking: Sequence[tuple[ChunkPlace, float]], remarks: Remarks) -> Asking[_Head]:
        """Reads chunks of a ranking, from its first on, until they give the wanted hits or none is left."""
        wanted = max(query.end, DIVERSIFIED) if query.diversity > 0 else query.end
        head = _Head()
        pages: set[int] = set()
        while head.read < len(ranking) and len(head.hits) < wanted:
            left = ranking[head.read :]
            if query.passes is None:
                some = left[: reach((chunk for chunk, _ in left), wanted - len(head.hits), self._group)]
                pairs = yield from self.shards.shown(some, remarks)
            else:
                some = left[:EXAMINED_AT_ONCE]
                pairs = yield from self.shards.shown(some, remarks)
                pairs = [pair for pair in pairs if query.passes(*pair)]
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
        vectors = yield from self.shards.vectors(wanted, remarks)
        order = diversified([hit.score for hit in pool], [vectors.get(chunk, ()) for chunk in wanted], share)
        return [pool[place] for place in order]


def _told(hit: Hit, known: KnownChunk | None) -> Hit:
    """Returns a hit that says which question it is known to answer."""
    return hit if known is None else replace(hit, matched_question=known.question)


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
