"""Selects the text that a language model should read for a question, within a number of tokens.

    search ─▶ the best chunks, read ─▶ near-duplicates collapsed ─▶ packed, best first; an excerpt of what does not fit
           ─▶ what room is left goes to their parents and neighbours ─▶ runs of chunks, each page in its own order

Neighbours are added since the text beside an answer often belongs to it. A parent (chunks of some strategies name
one) is added whole or not at all.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from infograph.client.asks import Asks, File
from infograph.client.budget import SAME, Shingles, ShownChunk, excerpt, in_order, resemblance, shingles
from infograph.client.errors import ClientError
from infograph.client.options import check
from infograph.client.query import RetrieveArguments, choice, parsed, refuse_others
from infograph.client.tree import PublishedTree, refuse_unfound
from infograph.client.types import Context, Passage, PublishedChunk
from infograph.errors import FormatError
from infograph.formats import chunk_file as chunkfile
from infograph.search.format.results import Hit, Remarks
from infograph.search.format.terms import cut, index_terms
from infograph.search.ranking.scoring import ChunkPlace
from infograph.search.reading.asking import Searcher
from infograph.search.reading.query import Query

if TYPE_CHECKING:
    pass

CANDIDATES = 40
"""Most hits that are considered."""
AT_ONCE = 8
"""Number of texts that are read at the same time."""
RELEVANT = 0.6
"""Least share of the best score that a chunk must have: room left in a budget is not filled with weaker hits."""
WALKED = 0.3
"""Least share of the best score that a chunk must have that a walk along the graph led to: a walk is asked for where
the words alone do not answer."""
SMALLEST_EXCERPT = 64
"""Least tokens of an excerpt; less says too little. Whole chunks may be shorter."""
LARGEST_PARENT = 8
"""Most chunks of a parent that is joined."""


class _Kept(NamedTuple):
    """A chunk that was taken, with the runs of words that it is compared by."""

    number: ChunkPlace
    piece: ShownChunk
    shingles: Shingles


def candidates(query: str, arguments: RetrieveArguments) -> tuple[Query, bool | None]:
    """Returns the query for what `retrieve` chooses from, and its `rerank`. Raises TypeError for an unknown argument,
    ClientError `unknown` for an invalid one."""
    refuse_others("retrieve", arguments, RetrieveArguments.__annotations__)
    exact, graph = arguments.get("exact", False), arguments.get("graph")
    prompts = arguments.get("prompts", True)
    check(query=query, exact=exact, graph=graph, prompts=prompts)
    chosen = Query(
        query,
        limit=CANDIDATES,
        passes=choice(arguments.get("path", "")),
        filters=parsed(arguments.get("filters")),
        now=time.time(),
        collapsed=True,
        exact=exact,
        hops=graph,
        prompts=prompts,
    )
    return chosen, arguments.get("rerank")


def retrieve(tree: PublishedTree, asked: Query, max_tokens: int, rerank: bool | None) -> Asks[Context]:
    """Returns what to read for a query, in at most `max_tokens` tokens, as the index counts them. Starts once more
    where texts are not those of the search's manifest, since the site was published anew.

    asked: see `candidates`
    """
    check(max_tokens=max_tokens, rerank=rerank)
    context, searcher = yield from _retrieved(tree, asked, rerank, max_tokens)
    if context.missing and (yield from tree.renewed(searcher)):
        context, _ = yield from _retrieved(tree, asked, rerank, max_tokens)
    return context


def _retrieved(
    tree: PublishedTree, asked: Query, rerank: bool | None, max_tokens: int
) -> Asks[tuple[Context, Searcher]]:
    """Returns what to read by one manifest, and the searcher of that manifest."""
    found, remarks, searcher = yield from tree.answer(
        lambda searcher, remarks: tree.ordered(asked, rerank, searcher, remarks)
    )
    refuse_unfound(found, asked, remarks)
    searched = " ".join([asked.text, *remarks.corrected.values()])
    packer = _Packer(tree, searcher, searched, max(0, max_tokens), found.duplicates, remarks)
    ranked = list(zip(found.chunks, tree.with_urls(found.hits), strict=True))
    best = ranked[0][1].score if ranked else 0.0
    yield from packer.take([item for item in ranked if _is_relevant(item[1], best)])
    yield from packer.join()
    passages = tuple(_passage(run) for run in in_order(kept.piece for kept in packer.kept))
    context = Context(
        passages=passages,
        tokens=sum(passage.tokens for passage in passages),
        more=tuple(packer.more.values()),
        missing=remarks.missing,
        corrected=remarks.corrected,
        notes=tuple(remarks.notes),
    )
    return context, searcher


def _is_relevant(hit: Hit, best: float) -> bool:
    return hit.score >= min(best, (WALKED if hit.path else RELEVANT) * best)


class _Packer:
    """Fills one token budget with chunks."""

    def __init__(
        self,
        tree: PublishedTree,
        searcher: Searcher,
        query: str,
        room: int,
        duplicates: Mapping[tuple[str, int], ChunkPlace],
        remarks: Remarks,
    ) -> None:
        self._tree = tree
        self._searcher = searcher
        self._query = {term for terms in cut(query, searcher.language) for term in (terms.whole, *terms.parts)}
        self._room = room
        self._duplicates = duplicates
        self._remarks = remarks
        self._files: dict[ChunkPlace, chunkfile.ChunkFile] = {}
        self.kept: list[_Kept] = []
        self.more: dict[ChunkPlace, Hit] = {}

    def take(self, ranked: Sequence[tuple[ChunkPlace, Hit]]) -> Asks[None]:
        """Takes the chunks that fit, best first."""
        for start in range(0, len(ranked), AT_ONCE):
            batch = ranked[start : start + AT_ONCE]
            wanted = [item for item in batch if self._room >= min(item[1].tokens, SMALLEST_EXCERPT)]
            texts = dict(zip((number for number, _ in wanted), (yield from self._texts(wanted)), strict=True))
            for number, hit in batch:
                if number not in texts:
                    self.more[number] = hit
                elif (text := texts[number]) is not None:
                    self._take(number, hit, text)
                else:
                    yield from self._take_duplicate(hit)

    def _take_duplicate(self, lost: Hit) -> Asks[None]:
        """Takes, in place of a chunk that cannot be read, its first near-duplicate that can."""
        for place, hit in enumerate(lost.duplicates):
            number = self._duplicates[hit.page, hit.index]
            (text,) = yield from self._texts([(number, hit)])
            if text is not None:
                self._take(number, replace(hit, duplicates=lost.duplicates[place + 1 :]), text)
                return

    def join(self) -> Asks[None]:
        """Adds parents and neighbours of the chunks that were taken, those of the best first, as room allows."""
        whole = [kept for kept in self.kept if not kept.piece.excerpt]
        around = [self._around(kept.number) for kept in whole]
        numbers = dict.fromkeys(number for parent, beside in around for number in (*parent, *beside))
        # By the same manifest: in another one the numbers may be other pages'.
        asking = self._searcher.shards.shown([(number, 0.0) for number in numbers], self._remarks)
        hits = dict((yield from self._tree.through(self._searcher, asking)))
        chosen = self._fitting(around, hits)
        pairs = [(number, hits[number]) for group in chosen for number in group]
        texts = dict(zip((number for number, _ in pairs), (yield from self._texts(pairs)), strict=True))
        for group in chosen:
            found = [(number, text) for number in group if (text := texts[number]) is not None]
            for number, text in found if len(found) == len(group) else ():
                (shown,) = self._tree.with_urls([hits[number]])
                hit = self.more.pop(number, shown)
                self._keep(_Kept(number, ShownChunk(hit, text, hit.tokens), shingles(text)))

    def _around(self, number: ChunkPlace) -> tuple[list[ChunkPlace], list[ChunkPlace]]:
        """Returns the chunks of the nearest parent, and the neighbours."""
        slot, index = number
        chunk = self._files[number].chunk
        parents = (p for p in chunk.parents if p[0] <= index < p[1] <= min(chunk.count, p[0] + LARGEST_PARENT))
        first, end = next(parents, (0, 0))
        beside = [(slot, near) for near in (index + 1, index - 1) if 0 <= near < chunk.count]
        return [(slot, own) for own in range(first, end)], beside

    def _fitting(
        self, around: Sequence[tuple[list[ChunkPlace], list[ChunkPlace]]], hits: dict[ChunkPlace, Hit]
    ) -> list[list[ChunkPlace]]:
        """Returns the groups to add, each whole or not at all: parents where there is room, else neighbours."""
        there = {kept.number for kept in self.kept}
        room = self._room
        chosen: list[list[ChunkPlace]] = []

        def fits(numbers: Sequence[ChunkPlace]) -> bool:
            nonlocal room
            wanted = [number for number in numbers if number not in there]
            tokens = sum(hits[number].tokens for number in wanted if number in hits)
            if not hits.keys() >= set(wanted) or tokens > room:
                return False
            room -= tokens
            there.update(wanted)
            chosen.append(wanted)
            return True

        for parent, beside in around:
            if not (parent and fits(parent)):
                for number in beside:
                    fits([number])
        return chosen

    def _take(self, number: ChunkPlace, hit: Hit, text: str) -> None:
        own = shingles(text)
        same = next((kept.piece for kept in self.kept if resemblance(own, kept.shingles) >= SAME), None)
        if same:
            same.duplicates += (hit, *hit.duplicates)
            return
        if hit.tokens <= self._room:
            self._keep(_Kept(number, ShownChunk(hit, text, hit.tokens, duplicates=hit.duplicates), own))
            return
        if self._room >= SMALLEST_EXCERPT:
            part, tokens = excerpt(text, hit.tokens, self._room, self._terms, self._query)
            if part:
                self._keep(_Kept(number, ShownChunk(hit, part, tokens, True, hit.duplicates), own))
                return
        self.more[number] = hit

    def _keep(self, kept: _Kept) -> None:
        self.kept.append(kept)
        self._room -= kept.piece.tokens

    def _texts(self, pairs: Sequence[tuple[ChunkPlace, Hit]]) -> Asks[list[str | None]]:
        """Returns the text of each chunk; None for a missing or broken one, which the remarks then name."""
        files: dict[str, File] = {}
        for _, hit in pairs:
            try:
                files[hit.href] = self._tree.chunk_file(hit.href, hit.sha256)
            except ClientError as error:
                self._remarks.missing[hit.href] = str(error)
        had = dict(zip(files, (yield list(files.values())) if files else (), strict=True))
        return [self._text(number, hit, had.get(hit.href)) for number, hit in pairs]

    def _text(self, number: ChunkPlace, hit: Hit, chunk: PublishedChunk | ClientError | None) -> str | None:
        if isinstance(chunk, ClientError):
            self._remarks.missing[hit.href] = str(chunk)
        if not isinstance(chunk, PublishedChunk):
            return None
        try:
            self._files[number] = chunkfile.from_parts(hit.href, chunk.front_matter, chunk.text)
        except FormatError as error:
            self._remarks.missing[hit.href] = str(error)
            return None
        return chunk.readable

    def _terms(self, text: str) -> set[str]:
        return set(index_terms(text, self._searcher.language))


def _passage(run: Sequence[ShownChunk]) -> Passage:
    return Passage(
        text="".join(piece.text for piece in run),
        tokens=sum(piece.tokens for piece in run),
        excerpt=run[0].excerpt,
        hits=tuple(piece.hit for piece in run),
        duplicates=tuple(hit for piece in run for hit in piece.duplicates),
    )
