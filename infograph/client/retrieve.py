"""Selects the text that a language model should read for a question, within a number of tokens.

    question ─▶ its class, and the plan for that (`plan.py`) ─▶ search ─▶ the best chunks, read ─▶ near-duplicates
           collapsed ─▶ packed: their pieces (`packing.py`), or whole, best first, with an excerpt of what does not fit
           ─▶ what room is left goes to their parents and neighbours ─▶ runs of chunks, each page in its own order
           ─▶ a text with numbered sources, and where each stands (`sources.py`)

Neighbours are added since the text beside an answer often belongs to it. A parent (chunks of some strategies name
one) is added whole or not at all.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from infograph.client.asks import Asks
from infograph.client.budget import SAME, Shingles, ShownChunk, excerpt, in_order, resemblance, shingles
from infograph.client.embedded import Rerank
from infograph.client.errors import ClientError
from infograph.client.graph import plain_path
from infograph.client.options import check
from infograph.client.packing import MARKS, chosen, pieces, shown, values
from infograph.client.plan import MOST_CANDIDATES, PASSAGES, planned
from infograph.client.query import RETRIEVE_DEFAULTS, RetrieveArguments, choice, parsed, refuse_others
from infograph.client.sources import citations, head_tokens, prompt_text, sources_tokens
from infograph.client.token_estimate import margin, part_tokens, sum_of, weight
from infograph.client.tree import PublishedTree, refuse_unfound
from infograph.client.types import Context, ContextPlan, Passage, PublishedChunk
from infograph.errors import FormatError
from infograph.formats import chunk_file as chunkfile
from infograph.progress import amount
from infograph.search.format.results import Hit, Remarks
from infograph.search.format.terms import cut, index_terms
from infograph.search.ranking.scoring import ChunkPlace
from infograph.search.reading.asking import Searcher
from infograph.search.reading.highlight import TextRange
from infograph.search.reading.query import Query

AT_ONCE = 8
"""Number of texts that are read at the same time."""
FIRST = 2
"""Hits of the question itself that stand before those of its names."""
SMALLEST_EXCERPT = 64
"""Least tokens of an excerpt; less says too little. Whole chunks may be shorter."""
LARGEST_PARENT = 8
"""Most chunks of a parent that is joined."""


class _Kept(NamedTuple):
    """A chunk that was taken, with the runs of words that it is compared by."""

    number: ChunkPlace
    piece: ShownChunk
    shingles: Shingles


_Ranked = tuple[ChunkPlace, Hit]


class Task(NamedTuple):
    """What a call of `retrieve` asks for."""

    query: Query
    rerank: Rerank
    max_tokens: int
    plan: ContextPlan
    sources: str
    """What stands above each passage."""


def tasked(query: str, max_tokens: int, arguments: RetrieveArguments) -> Task:
    """Returns what a call asks for. Raises TypeError for an unknown argument, ClientError `unknown` for an invalid
    one."""
    refuse_others("retrieve", arguments, RETRIEVE_DEFAULTS)
    how: RetrieveArguments = {**RETRIEVE_DEFAULTS, **arguments}
    check(query=query, max_tokens=max_tokens, **how)
    asked = Query(
        query,
        limit=MOST_CANDIDATES,
        passes=choice(how["path"]),
        path=plain_path(how["path"]),
        filters=parsed(how["filters"]),
        now=time.time(),
        collapsed=True,
        exact=how["exact"],
        hops=how["graph"],
        prompts=how["prompts"],
    )
    plan = planned(query, max_tokens, how["question_class"], how["level"], how["packing"], how["split"])
    return Task(asked, how["rerank"], max_tokens, plan, how["sources"])


def retrieve(tree: PublishedTree, task: Task) -> Asks[Context]:
    """Returns what to read for a query, in at most `max_tokens` tokens, as the index counts them. Starts once more
    where texts are not those of the search's manifest, since the site was published anew."""
    context, searcher = yield from _retrieved(tree, task)
    if context.missing and (yield from tree.renewed(searcher)):
        context, _ = yield from _retrieved(tree, task)
    return context


def _retrieved(tree: PublishedTree, task: Task) -> Asks[tuple[Context, Searcher]]:
    """Returns what to read by one manifest, and the searcher of that manifest."""
    asked, plan = task.query, task.plan
    found, remarks, searcher = yield from tree.answer(
        lambda searcher, remarks: tree.ordered(asked, task.rerank, searcher, remarks)
    )
    refuse_unfound(found, asked, remarks)
    duplicates = dict(found.duplicates)
    ranked = list(zip(found.chunks, found.hits, strict=True))
    best = ranked[0][1].score if ranked else 0.0
    ranked = [item for item in ranked if item[1].score >= min(best, plan.share * best)]
    if ranked and plan.names:
        named = []
        for name in plan.names:
            own = replace(asked, text=name, limit=FIRST, hops=None, prompts=False)
            hits = yield from tree.ordered(own, False, searcher, told := Remarks())
            remarks.missing |= told.missing
            duplicates |= hits.duplicates
            named += list(zip(hits.chunks, hits.hits, strict=True))[:1]
        ranked = _with_named(ranked, named)
    searched = " ".join([asked.text, *remarks.corrected.values()])
    packer = _Packer(tree, searcher, searched, _Budget(task.max_tokens, task.sources), duplicates, remarks)
    ranked = [
        (number, hit) for (number, _), hit in zip(ranked, tree.with_urls([hit for _, hit in ranked]), strict=True)
    ]
    if plan.level == PASSAGES:
        yield from packer.take_pieces(ranked, best, plan)
    else:
        yield from packer.take(ranked)
    yield from packer.join()
    passages = tuple(_passage(run) for run in in_order(kept.piece for kept in packer.kept))
    if packer.more and not passages:
        remarks.notes.append(_nothing_fits(task.max_tokens, plan.level))
    context = Context(
        passages=passages,
        text=prompt_text(passages, task.sources),
        citations=citations(passages, packer.lines_of),
        tokens=sum(packer.tokens().values()),
        more=tuple(packer.more.values()),
        plan=replace(plan, tokens=packer.tokens()),
        missing=remarks.missing,
        corrected=remarks.corrected,
        notes=tuple(remarks.notes),
    )
    return context, searcher


def _nothing_fits(tokens: int, level: str) -> str:
    """Returns the note of a context without a passage, though something was found."""
    way_out = "" if level == PASSAGES else f"; at the level `{PASSAGES}` parts of chunks may"
    return f"nothing that was found fits into {amount(tokens, 'token')}{way_out}"


def _with_named(ranked: list[_Ranked], named: Sequence[_Ranked]) -> list[_Ranked]:
    """Returns a ranking with the best hits of the question's names behind its first ones, as good as the last of
    these."""
    first, rest = ranked[:FIRST], ranked[FIRST:]
    there = {number for number, _ in first}
    for number, hit in named:
        if number not in there:
            there.add(number)
            first.append((number, replace(hit, score=first[-1][1].score)))
    return [*first, *(item for item in rest if item[0] not in there)]


class _Budget(NamedTuple):
    """What a context may hold."""

    tokens: int
    """Most of its text."""
    sources: str
    """What stands above each passage, and is counted."""

    def room(self, pieces: Sequence[ShownChunk]) -> int:
        """Returns the tokens that are left beside some chunks, what their excerpts may have more than is estimated, and
        the lines above the passages that they give."""
        estimated = sum(piece.tokens for piece in pieces if piece.excerpt)
        taken = sum(piece.tokens for piece in pieces) + margin(estimated)
        return self.tokens - taken - sources_tokens(pieces, self.sources)


class _Packer:
    """Fills one token budget with chunks."""

    def __init__(
        self,
        tree: PublishedTree,
        searcher: Searcher,
        query: str,
        budget: _Budget,
        duplicates: Mapping[tuple[str, int], ChunkPlace],
        remarks: Remarks,
    ) -> None:
        self._tree = tree
        self._searcher = searcher
        self._query = dict.fromkeys(
            term for terms in cut(query, searcher.language) for term in (terms.whole, *terms.parts)
        )
        self._budget = budget
        self._room = budget.tokens
        """What is left, with a line above each chunk: no more than there is, as chunks that follow each other share
        one."""
        self._estimated = 0
        """Tokens of excerpts."""
        self._duplicates = duplicates
        self._remarks = remarks
        self._files: dict[ChunkPlace, chunkfile.ChunkFile] = {}
        self._found = 0
        """Number of chunks that were taken before those around them."""
        self.kept: list[_Kept] = []
        self.more: dict[ChunkPlace, Hit] = {}

    def tokens(self) -> dict[str, int]:
        """Returns the tokens of what was taken, by part: see `ContextPlan.tokens`."""
        found, around = self.kept[: self._found], self.kept[self._found :]
        return {
            "chunks": sum(kept.piece.tokens for kept in found if not kept.piece.excerpt),
            "excerpts": sum(kept.piece.tokens for kept in found if kept.piece.excerpt),
            "around": sum(kept.piece.tokens for kept in around),
            "sources": sources_tokens((kept.piece for kept in self.kept), self._budget.sources),
        }

    def lines_of(self, hit: Hit) -> tuple[int, int]:
        """Returns the first and last line of a chunk that was taken."""
        number = next(kept.number for kept in self.kept if kept.piece.hit is hit)
        return self._files[number].chunk.lines

    def take_pieces(self, ranked: Sequence[_Ranked], best: float, plan: ContextPlan) -> Asks[None]:
        """Takes the pieces of the best chunks that a packing chooses; a chunk of which it chooses all is whole."""
        read: list[_Kept] = []
        first, rest = ranked[: plan.candidates], ranked[plan.candidates :]
        for start in range(0, len(first), AT_ONCE):
            batch = first[start : start + AT_ONCE]
            for (number, hit), text in zip(batch, (yield from self._texts(batch)), strict=True):
                if text is not None:
                    self._read(read, number, hit, text)
                elif (other := (yield from self._readable_duplicate(hit))) is not None:
                    self._read(read, *other)
        self._pack(read, best, plan)
        self.more |= dict(rest)

    def _read(self, read: list[_Kept], number: ChunkPlace, hit: Hit, text: str) -> None:
        """Adds a chunk to those that were read, or to the near-duplicates of one of them."""
        own = shingles(text)
        same = next((kept.piece for kept in read if resemblance(own, kept.shingles) >= SAME), None)
        if same:
            same.duplicates += (hit, *hit.duplicates)
        else:
            read.append(_Kept(number, ShownChunk(hit, text, hit.tokens, duplicates=hit.duplicates), own))

    def _pack(self, read: Sequence[_Kept], best: float, plan: ContextPlan) -> None:
        """Keeps what the packing chooses of the chunks that were read; names the others."""
        owners, ranges, shares, terms, costs = [], [], [], [], []
        for place, kept in enumerate(read):
            piece = kept.piece
            parts = pieces(piece.text, plan.characters)
            weights = [weight(piece.text[start:end]) for start, end in parts]  # no piece ends in a word: they add up
            whole = sum_of(weights)
            costs += [part_tokens(each.and_marks(MARKS), piece.tokens, whole) for each in weights]
            for start, end in parts:
                owners.append(place)
                ranges.append((start, end))
                shares.append(piece.hit.score / best if best else 1.0)
                terms.append(self._terms(piece.text[start:end]))
        heads = [self._head(kept.piece.hit) for kept in read]
        worth = values(shares, terms, list(self._query))
        room, over = self._room, 1
        while over > 0:
            taken = chosen(plan.packing, worth, costs, room, owners, heads)
            packed: dict[int, ShownChunk] = {}
            for place in sorted({owners[at] for at in taken}):
                mine = [ranges[at] for at in taken if owners[at] == place]
                packed[place] = _packed(read[place].piece, mine if len(mine) < owners.count(place) else None)
            estimated = sum(piece.tokens for piece in packed.values() if piece.excerpt)
            used = sum(piece.tokens + heads[place] for place, piece in packed.items())
            over = used + margin(estimated) - self._room
            room -= over
        for place, (number, piece, own) in enumerate(read):
            if place in packed:
                self._keep(_Kept(number, packed[place], own))
            else:
                self.more[number] = piece.hit

    def take(self, ranked: Sequence[_Ranked]) -> Asks[None]:
        """Takes the chunks that fit, best first."""
        for start in range(0, len(ranked), AT_ONCE):
            batch = ranked[start : start + AT_ONCE]
            least = [self._head(hit) + min(hit.tokens, SMALLEST_EXCERPT) for _, hit in batch]
            wanted = [item for item, tokens in zip(batch, least, strict=True) if self._room >= tokens]
            texts = dict(zip((number for number, _ in wanted), (yield from self._texts(wanted)), strict=True))
            for number, hit in batch:
                if number not in texts:
                    self.more[number] = hit
                elif (text := texts[number]) is not None:
                    self._take(number, hit, text)
                elif (other := (yield from self._readable_duplicate(hit))) is not None:
                    self._take(*other)

    def _readable_duplicate(self, lost: Hit) -> Asks[tuple[ChunkPlace, Hit, str] | None]:
        """Returns, in place of a chunk that cannot be read, its first near-duplicate that can."""
        for place, hit in enumerate(lost.duplicates):
            number = self._duplicates[hit.page, hit.index]
            (text,) = yield from self._texts([(number, hit)])
            if text is not None:
                return number, replace(hit, duplicates=lost.duplicates[place + 1 :]), text
        return None

    def join(self) -> Asks[None]:
        """Adds parents and neighbours of the chunks that were taken, those of the best first, as room allows."""
        self._found = len(self.kept)
        self._room = self._budget.room([kept.piece for kept in self.kept])
        whole = [kept for kept in self.kept if not kept.piece.excerpt]
        around = [self._around(kept.number) for kept in whole]
        numbers = dict.fromkeys(number for parent, beside in around for number in (*parent, *beside))
        # By the same manifest: in another one the numbers may be other pages'.
        asking = self._searcher.shards.shown([(number, 0.0) for number in numbers], self._remarks)
        found = yield from self._tree.through(self._searcher, asking)
        shown = self._tree.with_urls([hit for _, hit in found])
        hits = {number: hit for (number, _), hit in zip(found, shown, strict=True)} | self.more
        chosen = self._fitting(around, hits)
        pairs = [(number, hits[number]) for group in chosen for number in group]
        texts = dict(zip((number for number, _ in pairs), (yield from self._texts(pairs)), strict=True))
        for group in chosen:
            read = [(number, text) for number in group if (text := texts[number]) is not None]
            pieces = [ShownChunk(hits[number], text, hits[number].tokens) for number, text in read]
            # Without a chunk that cannot be read, passages may lie apart that were one, each with a head of its own.
            if len(read) < len(group) or self._budget.room([*(kept.piece for kept in self.kept), *pieces]) < 0:
                continue
            for (number, text), piece in zip(read, pieces, strict=True):
                self.more.pop(number, None)
                self.kept.append(_Kept(number, piece, shingles(text)))

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
        there = {kept.number: kept.piece for kept in self.kept}
        chosen: list[list[ChunkPlace]] = []

        def fits(numbers: Sequence[ChunkPlace]) -> bool:
            wanted = [number for number in numbers if number not in there]
            if not hits.keys() >= set(wanted):
                return False
            pieces = {number: ShownChunk(hits[number], "", hits[number].tokens) for number in wanted}
            if self._budget.room([*there.values(), *pieces.values()]) < 0:
                return False
            there.update(pieces)
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
        room = self._room - self._head(hit)
        if hit.tokens <= room:
            self._keep(_Kept(number, ShownChunk(hit, text, hit.tokens, duplicates=hit.duplicates), own))
            return
        if room >= SMALLEST_EXCERPT:
            spared = margin(self._estimated + room) - margin(self._estimated)
            part, tokens = excerpt(text, hit.tokens, room - spared, self._terms, set(self._query))
            if part:
                self._keep(_Kept(number, ShownChunk(hit, part, tokens, True, hit.duplicates), own))
                return
        self.more[number] = hit

    def _keep(self, kept: _Kept) -> None:
        self.kept.append(kept)
        self._room -= kept.piece.tokens + self._head(kept.piece.hit)
        if kept.piece.excerpt:
            self._room += margin(self._estimated)
            self._estimated += kept.piece.tokens
            self._room -= margin(self._estimated)

    def _head(self, hit: Hit) -> int:
        """Returns the tokens of the lines above a passage that begins with a chunk."""
        return head_tokens(hit, self._budget.sources)

    def _texts(self, pairs: Sequence[tuple[ChunkPlace, Hit]]) -> Asks[list[str | None]]:
        """Returns the text of each chunk; None for a missing or broken one, which the remarks then name."""
        had = yield from self._tree.chunks([(hit.href, hit.sha256) for _, hit in pairs])
        return [self._text(number, hit, chunk) for (number, hit), chunk in zip(pairs, had, strict=True)]

    def _text(self, number: ChunkPlace, hit: Hit, chunk: PublishedChunk | ClientError) -> str | None:
        if isinstance(chunk, ClientError):
            self._remarks.missing[hit.href] = str(chunk)
            return None
        try:
            self._files[number] = chunkfile.from_parts(hit.href, chunk.front_matter, chunk.text)
        except FormatError as error:
            self._remarks.missing[hit.href] = str(error)
            return None
        return chunk.readable

    def _terms(self, text: str) -> set[str]:
        return set(index_terms(text, self._searcher.language))


def _packed(piece: ShownChunk, ranges: Sequence[TextRange] | None) -> ShownChunk:
    """Returns some ranges of a chunk as an excerpt, or the chunk itself for None."""
    if ranges is None:
        return piece
    text = shown(piece.text, ranges)
    tokens = part_tokens(weight(text), piece.tokens, weight(piece.text))
    return replace(piece, text=text, tokens=tokens, excerpt=True)


def _passage(run: Sequence[ShownChunk]) -> Passage:
    return Passage(
        text="".join(piece.text for piece in run),
        tokens=sum(piece.tokens for piece in run),
        excerpt=run[0].excerpt,
        hits=tuple(piece.hit for piece in run),
        duplicates=tuple(hit for piece in run for hit in piece.duplicates),
    )
