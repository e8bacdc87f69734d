"""The ranking that a query gives: by its words, then by its vector where it has one, then along the pages' links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from infograph.errors import FormatError
from infograph.search.format.bundle_manifest import BundleManifest
from infograph.search.format.encoding import front_decoded
from infograph.search.format.fusion_model import PLAIN_SUM, TREES, read_tree_sum
from infograph.search.format.posting_shards import TermEntry
from infograph.search.format.projection import decode_map, project
from infograph.search.format.results import Remarks
from infograph.search.format.terms import Language, Terms, bounded, cut, heading_term
from infograph.search.ranking.fusion import FusedHead, fused, words_confidence
from infograph.search.ranking.reranking import RERANKED, cosine, reranked
from infograph.search.ranking.scoring import (
    ChunkPlace,
    chosen_terms,
    most_score,
    ranked,
    scores,
    term_weights,
    with_neighbours,
)
from infograph.search.reading.bundle_shards import BundleShards
from infograph.search.reading.fetching import Asking, ask_for
from infograph.search.reading.query import Passes, Query
from infograph.search.reading.slips import corrected, is_known
from infograph.search.reading.words import stems

if TYPE_CHECKING:
    from infograph.search.ranking.linking import Lead
    from infograph.search.reading.questions import KnownChunk

    Known = Mapping[ChunkPlace, KnownChunk]

MOST_WORDS = 64
"""Most distinct words of a query that are looked up."""
MOST_EXAMINED = 2048
"""Most chunks of a ranking that are read for a filter or for near-duplicates."""
EXAMINED_AT_ONCE = 64
"""Chunks that are read together for a filter."""
NOTHING_ASKED = "the words of the query are too common, or too long, to search for"
NO_WORDS = "the query has no words to search for"


class Ranker:
    """Rankings of the chunks of one manifest.

    language: None where there is no stemmer for the manifest's language; words are matched by their beginnings then
    """

    def __init__(self, manifest: BundleManifest, language: Language | None, shards: BundleShards) -> None:
        self.manifest = manifest
        self.stemless = language is None
        self.language = language or Language(manifest.language, str, frozenset(front_decoded(manifest.stop_words)))
        self._shards = shards
        self._tf = manifest.bm25.saturation()
        self._tf_beside = manifest.bm25.saturation(manifest.vectors.fields)
        """What of it counts beside a cosine."""

    def rank_linked(
        self, query: Query, entries: Mapping[str, TermEntry], remarks: Remarks, known: Known | None = None
    ) -> Asking[tuple[list[tuple[ChunkPlace, float]], dict[ChunkPlace, Lead]]]:
        """Returns the ranking with the chunks that links raise or bring in, where the query follows them, and what led
        to each of these.

        entries: the postings of the query's terms
        known:   chunks that are known to answer a question like the query
        """
        ranking = yield from self.rank(query, entries, remarks, known)
        if not query.links or self.manifest.links is None:
            return ranking, {}
        from infograph.search.reading.links import follow  # no other site's searches load it

        ranking, leads = yield from follow(self.manifest.links, ranking, self._shards.page_lists, remarks)
        return query.allowed(ranking), leads

    def rank(
        self, query: Query, entries: Mapping[str, TermEntry], remarks: Remarks, known: Known | None = None
    ) -> Asking[list[tuple[ChunkPlace, float]]]:
        """Returns every chunk that has a term of the query, best first. Known chunks gain by their cosines, unless the
        query's own vector says more.

        entries, known: as `rank_linked` takes them
        """
        vector = None if query.vector is None else (yield from self._projected(query.vector, remarks))
        ranking = query.allowed(self._ranking(entries, self._tf))
        if query.allows is not None and any(entry.df > len(entry.postings) for entry in entries.values()):
            remarks.curtailed = True
        if vector is None:
            if known:
                from infograph.search.reading.questions import raised  # most sites have no questions

                ranking = raised(ranking, known)
            said = self.manifest
            remarks.most = most_score(entries.values(), said.chunks, said.bm25.most, said.neighbour)
            remarks.confidence = words_confidence(ranking[0][1] if ranking else 0.0, remarks.most)
            return ranking
        head = yield from self._first(ranking, query.passes, remarks)
        parts = yield from self._parts(entries, head, vector, remarks)
        values, remarks.confidence = yield from self._fused(query.text, parts, remarks)
        remarks.fused = True
        moved = {chunk for chunk, _ in head}
        return reranked(head, values) + [item for item in ranking if item[0] not in moved]

    def parts(self, query: Query, remarks: Remarks) -> Asking[list[tuple[ChunkPlace, float, float]]]:
        """Returns the chunks that a fusion puts in order, the best by words first, each with its score by words and its
        cosine; nothing without the query's vector, and where the map cannot be read."""
        entries = yield from self.entries_of(query, remarks)
        vector = None if query.vector is None else (yield from self._projected(query.vector, remarks))
        if vector is None:
            return []
        head = yield from self._first(query.allowed(self._ranking(entries, self._tf)), query.passes, remarks)
        parts = yield from self._parts(entries, head, vector, remarks)
        chunks = [chunk for chunk, _ in head]
        return list(zip(chunks, parts.words, parts.cosines, strict=True))

    def _parts(
        self,
        entries: Mapping[str, TermEntry],
        head: Sequence[tuple[ChunkPlace, float]],
        vector: Sequence[int],
        remarks: Remarks,
    ) -> Asking[FusedHead]:
        """Returns both scores of the first chunks of a ranking: by words as they count beside a cosine, and the cosine.
        A chunk without a vector has the cosine 0."""
        vectors = yield from self._shards.vectors([chunk for chunk, _ in head], remarks)
        cosines = [cosine(vector, vectors.get(chunk, ())) for chunk, _ in head]
        words = dict(self._ranking(entries, self._tf_beside))
        return FusedHead([words[chunk] for chunk, _ in head], cosines)

    def _ranking(self, entries: Mapping[str, TermEntry], tf: Sequence[float]) -> list[tuple[ChunkPlace, float]]:
        """Returns the chunks in the terms' lists, best first.

        tf: as `scores` takes it
        """
        own = scores(entries, tf, self.manifest.chunks)
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
            passed = {chunk for chunk, hit in (yield from self._shards.shown(some, remarks)) if passes(chunk, hit)}
            found += [item for item in some if item[0] in passed]
            if len(found) >= RERANKED:
                break
        return found[:RERANKED]

    def entries_of(self, query: Query, remarks: Remarks) -> Asking[dict[str, TermEntry]]:
        """Returns the postings of the terms of a query, as `entries` does."""
        return (yield from self.entries(query.text, remarks, query.exact))

    def entries(self, query: str, remarks: Remarks, exact: bool = False) -> Asking[dict[str, TermEntry]]:
        """Returns the postings of the query's terms. A word of which the index has neither the whole nor all parts is
        replaced by one that it may be a slip of. A query of common words is looked up as a heading,
        too."""
        asked = self._terms(query, remarks)
        heading = heading_term(bounded(query), self.language) if len(asked) < 2 and not self.stemless else ""
        if self.stemless:
            asked = yield from stems(self.manifest, asked, remarks)
        found = yield from self._shards.entries({*chosen_terms(asked), heading} - {""}, remarks)
        if not asked and not found:
            remarks.notes.append(NOTHING_ASKED if any(map(str.isalnum, query)) else NO_WORDS)
        unsure = exact or self.stemless or remarks.missing  # the words of the site are not known then
        if not unsure and not all(is_known(terms, found.keys()) for terms in asked):
            asked = yield from corrected(self.manifest, self.language, bounded(query), asked, found.keys(), remarks)
            found |= yield from self._shards.entries(set(chosen_terms(asked)) - found.keys(), remarks)
        weights = {heading: 1.0, **term_weights(asked, self.manifest.bm25.identifier)}
        return {term: replace(found[term], weight=weight) for term, weight in weights.items() if term in found}

    def _terms(self, query: str, remarks: Remarks) -> list[Terms]:
        """Returns the distinct terms of a query, `MOST_WORDS` at most."""
        distinct: dict[Terms, None] = {}
        for terms in cut(bounded(query), self.language):
            if len(distinct) == MOST_WORDS and terms not in distinct:
                remarks.notes.append(f"only the first {MOST_WORDS} words of the query were looked up")
                break
            distinct[terms] = None
        return list(distinct)
