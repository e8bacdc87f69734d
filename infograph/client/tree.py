"""Answers questions about one published tree, without knowing how its files are read: all clients answer alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from infograph.client.asks import Asks
from infograph.client.errors import ClientError
from infograph.client.graph import Graph, plain_path
from infograph.client.judging import JUDGED, is_asked, judged
from infograph.client.opened_tree import OUTDATED, OpenedTree
from infograph.client.options import LEAF, PARENT, check
from infograph.client.query import choice
from infograph.client.types import Answer, Communities, Item, PublishedChunk, Topic, TopicEntry, Words
from infograph.formats.chunk_href import chunk_at, is_whole_pack
from infograph.search.format.results import CommunityHit, Hit, Remarks
from infograph.search.format.terms import bounded
from infograph.search.reading.asking import RankedHits, Searcher
from infograph.search.reading.highlight import spans
from infograph.search.reading.slips import correct
from infograph.search.reading.words import complete

if TYPE_CHECKING:
    from infograph.client.chunks import ChunkReader, FoundChunk, WantedChunk
    from infograph.client.query import SearchTask

T = TypeVar("T")


class PublishedTree(OpenedTree):
    """A published tree, and what answers the calls of a client from it."""

    def refresh(self) -> None:
        """Forgets what has been read, so that the next call sees what is published now."""
        super().refresh()
        self._chunks: ChunkReader | None = None
        self._graph = Graph(self.place, self._all)

    def search(self, task: SearchTask) -> Asks[Answer]:
        """Returns the hits of a query."""
        query, rerank, judge, texts, mode = task
        wanted = replace(query, offset=0, limit=max(query.end, JUDGED)) if judge is not None else query

        def ask(searcher: Searcher, remarks: Remarks) -> Asks[RankedHits]:
            if mode == LEAF:
                return (yield from self.ordered(wanted, rerank, searcher, remarks))
            return (yield from sections_in(mode)(self, wanted, rerank, searcher, remarks))

        found, remarks, searcher = yield from self.answer(ask)
        if not found.hits:
            from infograph.client.unfound import refuse_unfound  # few answers have none

            refuse_unfound(found, wanted, remarks)
        hits = self.with_urls(found.hits)
        if judge is not None:
            if is_asked(searcher.manifest.rerank, remarks):
                hits = yield from judged(self, query.text, hits, judge, remarks)
            hits = hits[query.first : query.end]
        if texts:
            from infograph.client.texts import with_texts  # no other search loads it

            hits = yield from with_texts(self, hits, remarks)
        return Answer(
            hits=hits,
            total=found.total,
            total_relation=found.total_relation,
            confidence=remarks.confidence,
            facets=found.facets,
            missing=remarks.missing,
            corrected=remarks.corrected,
            notes=tuple(remarks.notes),
        )

    def communities(self, query: str, limit: int) -> Asks[Communities]:
        """Returns the communities of entities that a question is about."""
        check(query=query, limit=limit)

        from infograph.search.reading.communities import find_communities  # few ask for them

        def ask(searcher: Searcher, remarks: Remarks) -> Asks[list[CommunityHit]]:
            graph, said = (yield from self._graph_manifest(searcher, remarks)), searcher.manifest.bm25
            if graph is None:
                return []
            asking = find_communities(graph, said, searcher.language, query, limit, remarks)
            return (yield from self.through(searcher, asking))

        hits, remarks, _ = yield from self.answer(ask)
        return Communities(hits=tuple(hits), missing=remarks.missing, notes=tuple(remarks.notes))

    def complete(self, prefix: str, limit: int) -> Asks[Words]:
        check(prefix=prefix, limit=limit)
        terms, remarks, _ = yield from self.answer(
            lambda searcher, remarks: self.through(
                searcher, complete(searcher.manifest, searcher.language, prefix, limit, remarks)
            )
        )
        return Words(terms=tuple(terms), missing=remarks.missing, notes=tuple(remarks.notes))

    def correct(self, word: str, limit: int) -> Asks[Words]:
        check(word=word, limit=limit)
        terms, remarks, _ = yield from self.answer(
            lambda searcher, remarks: self.through(
                searcher, correct(searcher.manifest, searcher.language, word, limit, remarks)
            )
        )
        return Words(terms=tuple(terms), missing=remarks.missing, notes=tuple(remarks.notes))

    def highlight(self, query: str, text: str) -> Asks[list[tuple[int, int]]]:
        check(query=query, text=text)
        searcher = yield from self._opened()
        return spans(bounded(query), text, searcher.language)

    def passage(self, query: str, text: str) -> Asks[str]:
        from infograph.search.reading.passage import passage  # few callers show results

        check(query=query, text=text)
        searcher = yield from self._opened()
        return passage(bounded(query), text, searcher.language)

    def topics(self, id: str) -> Asks[list[TopicEntry]]:
        return (yield from self._browsed(lambda graph: graph.topics(id)))

    def topic(self, id: str) -> Asks[Topic]:
        return (yield from self._browsed(lambda graph: graph.topic(id)))

    def sample(self, id: str, n: int, order: str) -> Asks[list[Item]]:
        return (yield from self._browsed(lambda graph: graph.sample(id, n, order)))

    def match(self, question: str, topic: str, limit: int, distance: int | None) -> Asks[list[Hit]]:
        """Returns the chunks that are known to answer a question like this one."""
        check(question=question, topic=topic, limit=limit, distance=distance)
        passes = choice(topic)

        def ask(searcher: Searcher, remarks: Remarks) -> Asks[list[Hit]]:
            said = searcher.manifest.questions
            if said is None:
                return []
            if searcher.stemless:
                reason = f'questions are hashed by their stems, and there is no stemmer for "{searcher.language.name}"'
                raise ClientError("unknown", self.place.shown, reason, "Update infograph")
            most = said.distance if distance is None else distance
            return (yield from self.through(searcher, searcher.match(question, most, passes, limit, remarks)))

        found, remarks, _ = yield from self.answer(ask)
        for name, reason in remarks.missing.items():
            from infograph.client.unfound import file_of_search  # as above

            raise ClientError("missing", file_of_search(name), f"cannot be read ({reason})", "Try again")
        return list(self.with_urls(found))

    def _browsed(self, ask: Callable[[Graph], Asks[T]]) -> Asks[T]:
        """Returns an answer of the indexes. Asks once more from the root on where one that was kept leads to what is
        no longer there: others have been published since."""
        kept = bool(self._kept)
        try:
            return (yield from ask(self._graph))
        except ClientError as error:
            if not kept or error.code not in OUTDATED:
                raise
        self.refresh()
        return (yield from ask(self._graph))

    def read(self, href: str, digest: str) -> Asks[PublishedChunk]:
        """Returns a chunk, checked against its digest. Where it is missing or changed, the indexes are read anew, and
        the chunk that they have in its place is returned: the one of the digest, or without one that of the document
        and number."""
        check(sha256=digest)
        self.place.resolve(href)  # raises for what is no link, whatever type it has
        held = self._searcher
        (found,) = yield from self.chunks([(href, digest)])
        if isinstance(found, ClientError) and found.code in OUTDATED and not is_whole_pack(href):
            newer = yield from self.renewed(held)
            if (now := (yield from self._listed(href, digest))) is None:
                if newer:
                    hint = "The site has been published anew: look for it again"
                    raise ClientError(found.code, found.place, found.reason, hint)
            elif now.href != href:
                (found,) = yield from self.chunks([(now.href, now.sha256)])
            elif found.code == "broken":
                hint = "The file is damaged: build the site again, and publish it"
                raise ClientError(found.code, found.place, found.reason, hint)
        if isinstance(found, ClientError):
            raise found
        return found

    def read_all(self, wanted: Sequence[WantedChunk]) -> Asks[list[PublishedChunk]]:
        """Returns chunks by href and digest, each as `read` does, and those that one file holds from one read of it.
        Raises the ClientError of the first that cannot be read."""
        found = yield from self.chunks(wanted)
        chunks = []
        for (href, digest), chunk in zip(wanted, found, strict=True):
            whole = (yield from self.read(href, digest)) if isinstance(chunk, ClientError) else chunk
            chunks.append(whole)
        return chunks

    def _listed(self, href: str, digest: str) -> Asks[Item | None]:
        """Returns the item of what is published now that stands for a chunk which cannot be read: of another file,
        where there is one, else the chunk's own."""
        meant = chunk_at(href)
        if meant is None:
            return None
        try:
            topic = yield from self._browsed(lambda graph: graph.topic(plain_path(meant.topic)))
        except ClientError:  # the topic is gone, too: the reader hears of the chunk
            return None
        items = [item for document in topic.documents.values() for item in document.items]
        own = [item for item in items if (at := chunk_at(item.href)) is not None and at.stem == meant.stem]
        if digest:
            found = [item for item in (*own, *items) if item.sha256.startswith(digest)]
        else:
            found = [item for item in own if item.index == meant.index]
        return next((item for item in found if item.href != href), next(iter(found), None))

    def chunks(self, wanted: Sequence[WantedChunk]) -> Asks[list[FoundChunk]]:
        """Returns chunks by href and digest, all that one file holds from one read of it; for one that cannot be read,
        the reason."""
        if self._chunks is None:
            from infograph.client.chunks import ChunkReader  # a search without texts needs none

            self._chunks = ChunkReader(self.place)
        return (yield from self._chunks.read(wanted))

    def with_urls(self, hits: Iterable[Hit]) -> tuple[Hit, ...]:
        return tuple(
            replace(
                hit,
                url=self.place.rendered(hit.page_url or hit.href, hit.anchor if hit.page_url else ""),
                duplicates=self.with_urls(hit.duplicates),
            )
            for hit in hits
        )


def sections_in(mode: str) -> Callable[..., Asks[RankedHits]]:
    """Returns what lists sections in a mode of `MODES`; few searches do."""
    if mode == PARENT:
        from infograph.client.parents import with_parents

        return with_parents
    from infograph.client.summaries import with_summaries

    return with_summaries
