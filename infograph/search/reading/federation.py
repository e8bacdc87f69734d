"""Search over a federation: several bundles as one, of which only those are read that have a term of the query.

    words of the query ─▶ terms of all sites, slips mended ─▶ the sites that have one, the most promising first
           ─▶ their manifests, the postings of the terms there ─▶ one ranking, by the numbers of all sites together

What reads and ranks one bundle does the rest. A chunk is `(number of the site * SITE_SLOTS + slot, index)` in all of
it, and `FederatedShards` asks the bundle that a chunk is of.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from infograph.errors import FilterError, InfographError
from infograph.formats.names import SEARCH
from infograph.search.format.bundle_manifest import BundleManifest
from infograph.search.format.federation import SITE_SLOTS, FederationManifest, bound, place_in, site_of, unfit
from infograph.search.format.impact import REFERENCE_LENGTH
from infograph.search.format.layout import MANIFEST
from infograph.search.format.posting_shards import TermEntry
from infograph.search.format.results import Hit, Remarks
from infograph.search.format.terms import Language
from infograph.search.ranking.scoring import ChunkPlace, idf, scores, with_neighbours
from infograph.search.reading.asking import RankedHits, Searcher
from infograph.search.reading.bundle_shards import BundleShards
from infograph.search.reading.dialogue import Dialogue
from infograph.search.reading.fetching import Asking
from infograph.search.reading.query import Passes, Query
from infograph.search.reading.rankings import Ranker

if TYPE_CHECKING:
    from infograph.search.format.links import PageLists
    from infograph.search.reading.facets import Counted
    from infograph.search.reading.questions import KnownChunk

T = TypeVar("T")

AT_ONCE = 8
"""Sites that are read at the same time. As many are read in any case, where they have a term."""
SURE = 128
"""Chunks that a ranking is sure of: a site of which no chunk can be among so many is not read."""
SITES_NAMED = 10
"""Most sites that an error names."""
NEWER = "{} was published after the federation was made: words that are new in it are not found there"
_KEY = "site-"


@dataclass(frozen=True, slots=True)
class SiteManifest:
    """The manifest of a site's bundle, and what its bytes are told by."""

    manifest: BundleManifest
    build: str
    """As `FederatedSite.build`."""


def site_key(number: int) -> str:
    """Returns the name by which the manifest of a site is asked for: sent is a `SiteManifest`, or the error."""
    return f"{_KEY}{number}"


def number_in(key: str) -> int | None:
    """Returns the number of the site that a name asks for; None for that of a file."""
    return int(key.removeprefix(_KEY)) if key.startswith(_KEY) else None


def together(askings: Sequence[Asking[T]]) -> Asking[list[T]]:
    """Asks for what several want at the same time, and returns the answers of all."""
    dialogues = [Dialogue(asking) for asking in askings]
    wanted = {place: names for place, own in enumerate(dialogues) if (names := next(own, None)) is not None}
    while wanted:
        had = yield list(dict.fromkeys(name for names in wanted.values() for name in names))
        for place in wanted:
            dialogues[place].reply = had
        wanted = {place: names for place in wanted if (names := next(dialogues[place], None)) is not None}
    return [own.answer for own in dialogues]


class FederatedShards(BundleShards):
    """The shards of the sites of a federation. Its own have terms, and the sites in the place of chunks; and the fields
    of all sites, which no chunk has."""

    def __init__(self, federation: FederationManifest) -> None:
        super().__init__(federation.bundle)
        self.sites = federation.sites
        self._most = federation.most_postings
        self._strength = replace(federation.bundle.bm25, average_length=REFERENCE_LENGTH).saturation()
        self.opened: dict[int, BundleShards] = {}
        """The shards of the sites that have been read, by number."""
        self.owners: dict[str, int] = {}
        """Number of the site that a file is of, by its name, which its contents give: another may have it, too."""
        self.newer: set[int] = set()
        """Sites that are not those that the federation was made of any more."""

    def of_sites(
        self, found: Mapping[str, TermEntry], only: str, sure: int | None, remarks: Remarks
    ) -> Asking[dict[str, TermEntry]]:
        """Returns the postings of chunks for entries that list sites.

        only: id of the one site to read; empty for all that have a term
        sure: chunks that the ranking has to be sure of; None where every site counts
        """
        gains = self._gains(found)
        left = self._promising(gains, only)
        merged = {term: replace(entry, postings=()) for term, entry in found.items()}
        while left:
            some, left = left[:AT_ONCE], left[AT_ONCE:]
            yield from self._open(some, remarks)
            read = yield from self._postings(some, found, remarks)
            remarks.sites += read
            for own, entries in read.items():
                self._merge(merged, own, entries, remarks)
            if left and sure is not None and gains[left[0]] < self._least(merged, sure):
                remarks.curtailed = True
                break
        return self._strongest(merged)

    def having(self, found: Mapping[str, TermEntry], only: str, remarks: Remarks) -> Asking[list[int]]:
        """Opens the sites that have a term, and returns their numbers, the most promising first. Arguments as in
        `of_sites`."""
        numbers = self._promising(self._gains(found), only)
        for first in range(0, len(numbers), AT_ONCE):
            yield from self._open(numbers[first : first + AT_ONCE], remarks)
        return [number for number in numbers if number in self.opened]

    def _promising(self, gains: Mapping[int, float], only: str) -> list[int]:
        return [own for own in sorted(gains, key=lambda own: (-gains[own], own)) if only in ("", self.sites[own].id)]

    def _postings(
        self, numbers: Sequence[int], found: Mapping[str, TermEntry], remarks: Remarks
    ) -> Asking[dict[int, dict[str, TermEntry]]]:
        """Returns what sites have of the terms that they have, by number."""
        terms = {own: [term for term, entry in found.items() if _has(entry, own)] for own in numbers}
        return (yield from self.each(numbers, lambda own, shards, said: shards.entries(terms[own], said), remarks))

    def _gains(self, found: Mapping[str, TermEntry]) -> dict[int, float]:
        """Returns the most that a chunk of each site can score, by number of the site."""
        said, gains = self.manifest, dict[int, float]()
        for entry in found.values():
            rarity = entry.weight * idf(said.chunks, entry.df) * (1 + said.neighbour)
            for number, _, step in entry.postings:
                if number < len(self.sites):
                    gains[number] = gains.get(number, 0.0) + rarity * bound(step, said.bm25.most)
        return gains

    def _least(self, merged: Mapping[str, TermEntry], sure: int) -> float:
        """Returns the score of the last chunk that a ranking has to be sure of; 0 where there are fewer."""
        said = self.manifest
        found = with_neighbours(scores(self._strongest(merged), said.bm25.saturation(), said.chunks), said.neighbour)
        best = sorted(found.values(), reverse=True)[:sure]
        return best[-1] if len(best) == sure else 0.0

    def _strongest(self, merged: Mapping[str, TermEntry]) -> dict[str, TermEntry]:
        """Returns entries with the strongest postings of all sites, as many as one bundle of all would have kept: else
        common words would count in small sites and, for most chunks, not in large ones."""

        def strength(posting: tuple[int, int, int]) -> tuple[float, int, int]:
            return -self._strength[posting[2]], posting[0], posting[1]

        cut = {term: entry for term, entry in merged.items() if 0 < self._most < len(entry.postings)}
        best = {term: sorted(sorted(entry.postings, key=strength)[: self._most]) for term, entry in cut.items()}
        return {**merged, **{term: replace(cut[term], postings=tuple(own)) for term, own in best.items()}}

    def _open(self, numbers: Sequence[int], remarks: Remarks) -> Asking[None]:
        """Reads the manifests of sites. One that cannot be read, or does not fit in, is noted as missing."""
        keys = [site_key(number) for number in numbers if number not in self.opened]
        had: Mapping[str, Any] = (yield keys) if keys else {}
        for key in keys:
            number, got = number_in(key) or 0, had[key]
            reason = str(got) if isinstance(got, InfographError) else unfit(got.manifest, self.manifest)
            if reason:
                remarks.missing[self._named(number, MANIFEST)] = reason
                continue
            self.opened[number] = BundleShards(got.manifest)
            own = got.manifest
            for name in {self.manifest.vectors.map, self.manifest.fusion.file} & {own.vectors.map, own.fusion.file}:
                self.owners.setdefault(name, number)
            if got.build != self.sites[number].build:
                self.newer.add(number)
        for number in self.newer.intersection(numbers):
            note = NEWER.format(self.sites[number].id)
            if note not in remarks.notes:
                remarks.notes.append(note)

    def _merge(
        self, merged: dict[str, TermEntry], number: int, entries: Mapping[str, TermEntry], remarks: Remarks
    ) -> None:
        for term, entry in entries.items():
            try:
                own = [(place_in(number, slot), index, impact) for slot, index, impact in entry.postings]
            except ValueError as error:
                remarks.missing[self._named(number, f"postings of {term}")] = str(error)
                continue
            merged[term] = replace(merged[term], postings=(*merged[term].postings, *own))

    def each(
        self, numbers: Iterable[int], ask: Callable[[int, BundleShards, Remarks], Asking[T]], remarks: Remarks
    ) -> Asking[dict[int, T]]:
        """Asks several sites the same at the same time; returns what each says, by its number. What one of them cannot
        read is noted with its id."""
        sites = [number for number in dict.fromkeys(numbers) if number in self.opened]
        said = {number: Remarks() for number in sites}
        askings = [self._owned(number, ask(number, self.opened[number], said[number])) for number in sites]
        found = yield from together(askings)
        for number, own in said.items():
            remarks.missing |= {self._named(number, name): reason for name, reason in own.missing.items()}
        return dict(zip(sites, found, strict=True))

    def _owned(self, number: int, asking: Asking[T]) -> Asking[T]:
        """Notes whose the files are that a site is asked for."""
        dialogue = Dialogue(asking)
        for names in dialogue:
            self.owners.update(dict.fromkeys(names, number))
            dialogue.reply = yield names
        return dialogue.answer

    def _named(self, number: int, name: str) -> str:
        return f"{self.sites[number].id}/{SEARCH}/{name}"

    def shown(self, best: Sequence[tuple[ChunkPlace, float]], remarks: Remarks) -> Asking[list[tuple[ChunkPlace, Hit]]]:
        """Reads what is shown of chunks, see `BundleShards.shown`; page and href begin with the id of the site."""
        parts: dict[int, list[tuple[ChunkPlace, float]]] = {}
        for (slot, index), score in best:
            number, own = site_of(slot)
            parts.setdefault(number, []).append(((own, index), score))
        read = yield from self.each(parts, lambda own, shards, said: shards.shown(parts[own], said), remarks)
        hits = {
            (place_in(number, slot), index): self._of_site(number, hit)
            for number, pairs in read.items()
            for (slot, index), hit in pairs
        }
        return [(chunk, replace(hits[chunk], score=score)) for chunk, score in best if chunk in hits]

    def _of_site(self, number: int, hit: Hit) -> Hit:
        id = self.sites[number].id
        return replace(hit, page=f"{id}/{hit.page}", href=f"{id}/{hit.href.removeprefix('./')}", site=id)

    def vectors(self, chunks: Sequence[ChunkPlace], remarks: Remarks) -> Asking[dict[ChunkPlace, Sequence[int]]]:
        """Returns the vectors of chunks, see `BundleShards.vectors`."""
        parts: dict[int, list[ChunkPlace]] = {}
        for slot, index in chunks:
            number, own = site_of(slot)
            parts.setdefault(number, []).append((own, index))
        read = yield from self.each(parts, lambda own, shards, said: shards.vectors(parts[own], said), remarks)
        return {
            (place_in(number, slot), index): vector
            for number, found in read.items()
            for (slot, index), vector in found.items()
        }

    def page_lists(self, slots: Sequence[int], remarks: Remarks) -> Asking[dict[int, PageLists]]:
        """Returns the links of pages, see `BundleShards.page_lists`: they lead to pages of the same site."""
        parts: dict[int, list[int]] = {}
        for slot in slots:
            number, own = site_of(slot)
            parts.setdefault(number, []).append(own)
        read = yield from self.each(parts, lambda own, shards, said: shards.page_lists(parts[own], said), remarks)
        return {
            place_in(number, slot): _lists_in(number, lists)
            for number, found in read.items()
            for slot, lists in found.items()
        }

    def known(
        self, question: str, distance: int, language: Language, remarks: Remarks
    ) -> Asking[dict[ChunkPlace, KnownChunk]]:
        """Returns the chunks, of the sites that were read, which are known to answer a question like this one."""
        from infograph.search.reading.questions import matched_chunks  # most sites have no questions

        def ask(number: int, shards: BundleShards, said: Remarks) -> Asking[dict[ChunkPlace, KnownChunk]]:
            if shards.manifest.questions is None:
                return {}
            of_site = shards.manifest.questions
            return (yield from matched_chunks(of_site, language, question, distance, shards.names, said))

        read = yield from self.each(remarks.sites, ask, remarks)
        found = {
            (place_in(number, slot), index): known
            for number, own in read.items()
            for (slot, index), known in own.items()
            if slot < SITE_SLOTS
        }
        return dict(sorted(found.items(), key=lambda item: (_nearness(item[1]), item[0])))


class FederatedRanker(Ranker):
    """Rankings of the chunks of several sites, by the numbers of all of them together."""

    _shards: FederatedShards

    def entries_of(self, query: Query, remarks: Remarks) -> Asking[dict[str, TermEntry]]:
        """Returns the postings of the terms of a query in the sites that have one, or in the one that its path
        names."""
        narrowed = query.passes is not None or query.filters is not None or query.facets
        found = yield from self.entries(query.text, remarks, query.exact)
        only = query.path.partition("/")[0]
        sure = None if narrowed else max(SURE, query.end)
        return (yield from self._shards.of_sites(found, only, sure, remarks))


class FederatedSearcher(Searcher):
    """Search over the sites of one federation.

    language: as `Ranker` takes it
    """

    shards: FederatedShards

    def __init__(self, federation: FederationManifest, language: Language | None) -> None:
        self.federation = federation
        super().__init__(federation.bundle, language)

    def _begin(self, language: Language | None) -> None:
        self.shards = FederatedShards(self.federation)
        self.ranker = FederatedRanker(self.manifest, language, self.shards)

    def search(self, query: Query, remarks: Remarks) -> Asking[RankedHits]:
        """Returns what `Searcher.search` does. Raises FilterError for a path that begins with no site's name."""
        refuse_other_site(query.path, [site.id for site in self.federation.sites])
        return (yield from super().search(query, remarks))

    def narrowed(self, query: Query, remarks: Remarks) -> Asking[tuple[Query, Counted | None] | None]:
        """Returns a query that says which chunks its filter allows, by the columns of the sites that have a term."""
        from infograph.search.reading.federated_filtering import federated_query  # no other search loads it

        found = yield from self.ranker.entries(query.text, Remarks(), query.exact)
        numbers = yield from self.shards.having(found, query.path.partition("/")[0], remarks)
        return (yield from federated_query(query, self.shards, numbers, remarks))

    def known(self, question: str, distance: int, remarks: Remarks) -> Asking[dict[ChunkPlace, KnownChunk]]:
        """Returns the chunks that are known to answer a question like this one, of the sites that were read."""
        if self.manifest.questions is None or self.stemless:
            return {}
        return (yield from self.shards.known(question, distance, self.language, remarks))

    def match(
        self, question: str, distance: int, passes: Passes | None, limit: int, remarks: Remarks
    ) -> Asking[list[Hit]]:
        """Returns the chunks that are known to answer a question like this one, of the sites that have its words."""
        yield from self.ranker.entries_of(Query(question, passes=passes or (lambda chunk, hit: True)), remarks)
        return (yield from super().match(question, distance, passes, limit, remarks))


def refuse_other_site(path: str, ids: Sequence[str]) -> None:
    """Raises FilterError for the path of a folder or a document that begins with no site's name: nothing can lie
    there.

    ids: names of the sites
    """
    name = path.partition("/")[0]
    if not name or name in ids:
        return
    from infograph.search.format.filters import nearest  # most paths are right

    near = nearest(name, ids)
    meant = f"Did you mean {near}? " if near else ""
    more = f" and {len(ids) - SITES_NAMED} more" if ids[SITES_NAMED:] else ""
    hint = f"A path begins with the name of a site. {meant}There are: {', '.join(ids[:SITES_NAMED])}{more}"
    raise FilterError("path", f"the federation has no site {json.dumps(name, ensure_ascii=False)[:80]}", hint)


def _has(entry: TermEntry, number: int) -> bool:
    return any(own == number for own, _, _ in entry.postings)


def _lists_in(number: int, lists: PageLists) -> PageLists:
    """Returns the links of a page with the slots that they have in the federation; one that is none is left out."""
    to = [(chunk, place_in(number, slot), head, kind) for chunk, slot, head, kind in lists.to if slot < SITE_SLOTS]
    come = [(place_in(number, slot), chunk, kind) for slot, chunk, kind in lists.come if slot < SITE_SLOTS]
    return replace(lists, to=tuple(to), come=tuple(come))


def _nearness(known: KnownChunk) -> tuple[int, float, str]:
    return known.question.distance, -known.question.similarity, known.question.text
