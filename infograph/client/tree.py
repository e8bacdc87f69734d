"""Answers questions about one published tree, without knowing how its files are read: all clients answer alike."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from infograph.client.asks import Asks, CallStage, File, Freshness, Kept
from infograph.client.embedded import Rerank, is_packaged, own_map, vector_of
from infograph.client.errors import ClientError
from infograph.client.graph import Graph, plain_path
from infograph.client.judging import JUDGED, is_asked, judged
from infograph.client.options import LEAF, PARENT, check
from infograph.client.place import Place
from infograph.client.query import choice
from infograph.client.types import Answer, Communities, Item, PublishedChunk, Topic, TopicEntry, Words
from infograph.errors import FilterError, FormatError
from infograph.formats.chunk_href import chunk_at, is_whole_pack
from infograph.formats.names import (
    GRAPH,
    GRAPH_KINDS,
    GRAPH_MANIFEST,
    SEARCH,
    join,
)
from infograph.search.format.bundle_manifest import BundleManifest, UnknownFormatError, language_of, read_manifest
from infograph.search.format.layout import LARGEST_MANIFEST, MANIFEST
from infograph.search.format.results import CommunityHit, Hit, Remarks
from infograph.search.format.terms import bounded
from infograph.search.reading.asking import RankedHits, Searcher
from infograph.search.reading.dialogue import Dialogue
from infograph.search.reading.fetching import Asking, opened
from infograph.search.reading.highlight import spans
from infograph.search.reading.query import Query
from infograph.search.reading.rankings import NO_WORDS, NOTHING_ASKED
from infograph.search.reading.slips import as_meant, correct
from infograph.search.reading.words import complete

if TYPE_CHECKING:
    from infograph.client.chunks import ChunkReader, FoundChunk, WantedChunk
    from infograph.client.query import SearchTask
    from infograph.search.format.bundle_manifest import GraphFile
    from infograph.search.format.graph_manifest import GraphManifest
    from infograph.search.reading.graph_walk import GraphWalk

T = TypeVar("T")
REMEMBERED = 512
"""Files that are kept in memory, the most recently read ones."""
NOTHING_BELOW = "nothing that was found lies below the path"
OUTDATED = ("missing", "broken")
"""Codes of errors that a publication in between may have caused."""

_SEARCH = f"{SEARCH}/"
_UNREAD = object()


class PublishedTree:
    """A published tree, and what was read of it."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.refresh()

    def refresh(self) -> None:
        """Forgets what has been read, so that the next call sees what is published now."""
        self._searcher: Searcher | None = None
        self._kept: OrderedDict[str, Any] = OrderedDict()
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
            raise ClientError("missing", _file_of_search(name), f"cannot be read ({reason})", "Try again")
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

    def renewed(self, held: Searcher | None) -> Asks[bool]:
        """Returns whether the site was published anew since it was read; everything kept of it is then forgotten.

        held: the searcher that the caller used; None where there was none, and only indexes may be kept
        """
        newer = (yield from self._newer(held)) if held else None
        if newer is None and (held or not self._kept):
            return False
        self.refresh()
        self._searcher = newer
        return True

    def _newer(self, held: Searcher) -> Asks[Searcher | None]:
        """Returns the searcher of what is published now, if that is another one."""
        try:
            newer = yield from self._open(Freshness.RELOADED)
        except ClientError:
            return None  # the old files are better than none
        return None if newer.manifest == held.manifest else newer

    def chunks(self, wanted: Sequence[WantedChunk]) -> Asks[list[FoundChunk]]:
        """Returns chunks by href and digest, all that one file holds from one read of it; for one that cannot be read,
        the reason."""
        if self._chunks is None:
            from infograph.client.chunks import ChunkReader  # a search without texts needs none

            self._chunks = ChunkReader(self.place)
        return (yield from self._chunks.read(wanted))

    def answer(self, ask: Callable[[Searcher, Remarks], Asks[T]]) -> Asks[tuple[T, Remarks, Searcher]]:
        """Returns an answer of the bundle with its remarks and searcher. Asks once more by a new manifest where files
        of the old one are missing."""
        searcher = yield from self._opened()
        remarks = Remarks()
        found = yield from ask(searcher, remarks)
        if remarks.missing and (yield from self.renewed(searcher)):
            searcher, remarks = (yield from self._opened()), Remarks()
            found = yield from ask(searcher, remarks)
        return found, remarks, searcher

    def ordered(self, query: Query, rerank: Rerank, searcher: Searcher, remarks: Remarks) -> Asks[RankedHits]:
        """Returns the hits, ordered by the query's vector where it is to be used: that of what is meant, which is known
        once the slips are corrected. Raises ClientError where it is to walk along the graph, and the site has none."""
        lost = Remarks()
        if query.hops is not None:
            query = replace(query, walk=(yield from self._walk(query.hops, searcher, lost)))
        own = Remarks()
        vector = yield from self._vector(query.text, searcher, rerank, own)
        found = yield from self._searched(searcher, replace(query, vector=vector), own)
        meant = as_meant(query.text, own.corrected)
        if vector is not None and meant != query.text:
            own = Remarks()
            vector = yield from self._vector(meant, searcher, rerank, own)
            found = yield from self._searched(searcher, replace(query, vector=vector), own)
        remarks.missing = {**lost.missing, **own.missing}
        remarks.corrected, remarks.notes = own.corrected, own.notes
        remarks.confidence, remarks.fused = own.confidence, own.fused
        return found

    def _searched(self, searcher: Searcher, query: Query, remarks: Remarks) -> Asks[RankedHits]:
        """Returns the hits of a query. Raises ClientError for a filter by what the site does not have."""
        try:
            return (yield from self.through(searcher, searcher.search(query, remarks)))
        except FilterError as error:
            raise ClientError("unknown", error.place, error.reason, error.hint) from None

    def _vector(self, query: str, searcher: Searcher, rerank: Rerank, remarks: Remarks) -> Asks[Sequence[float] | None]:
        """Returns the query's vector, see `vector_of`, and keeps the map that it is projected by."""
        said = searcher.manifest.vectors
        vector = yield from vector_of(query, said, rerank, remarks)
        if vector is not None:
            name, data = own_map(said.model) if is_packaged(said.model) else ("", b"")
            if name and name == said.map:
                self._kept[self.place.resolve(_SEARCH + name)] = data
        return vector

    def through(self, searcher: Searcher, asking: Asking[T]) -> Asks[T]:
        """Drives a search, whose names are files of `_search/`, and returns its result."""
        dialogue = Dialogue(asking)
        for names in dialogue:
            contents = yield from self._some([self._shard(name, searcher) for name in names])
            dialogue.reply = dict(zip(names, contents, strict=True))
        return dialogue.answer

    def _opened(self) -> Asks[Searcher]:
        """Returns the searcher of the current manifest."""
        if self._searcher is None:
            self._searcher = yield from self._open(Freshness.VALIDATED)
        return self._searcher

    def with_urls(self, hits: Iterable[Hit]) -> tuple[Hit, ...]:
        return tuple(
            replace(
                hit,
                url=self.place.rendered(hit.page_url or hit.href, hit.anchor if hit.page_url else ""),
                duplicates=self.with_urls(hit.duplicates),
            )
            for hit in hits
        )

    def _open(self, freshness: Freshness) -> Asks[Searcher]:
        # Not at the top: `topics` and `read` need no stemmer.
        from infograph.text.language import stemmer

        address = self.place.resolve(_SEARCH + MANIFEST)
        (manifest,) = yield [File(address, LARGEST_MANIFEST, self._manifest, freshness, CallStage.MANIFEST)]
        if isinstance(manifest, ClientError):
            raise _hinted(manifest, "Is this where `infograph build` wrote to, with `search.enabled`?")
        return Searcher(manifest, language_of(manifest, stemmer))

    def _walk(self, hops: int, searcher: Searcher, remarks: Remarks) -> Asks[GraphWalk | None]:
        """Returns how a search is to walk along the graph of entities, see `_graph_manifest`."""
        from infograph.search.reading.graph_walk import GraphWalk  # few searches do

        graph = yield from self._graph_manifest(searcher, remarks)
        return GraphWalk(graph, hops) if graph is not None else None

    def _graph_manifest(self, searcher: Searcher, remarks: Remarks) -> Asks[GraphManifest | None]:
        """Returns the manifest of the graph that was published with a bundle: in another one, the places are those of
        other chunks. None where it is missing or broken, which is noted. Raises ClientError where the site has none."""
        said = searcher.manifest.graph
        if said is None:
            hint = "Was the site built with `graph.entities`, by this release?"
            raise ClientError("missing", GRAPH_MANIFEST, "the search bundle leads to no graph", hint)
        address = self.place.resolve(said.path)
        accept = partial(_read_graph_manifest, said)
        file = File(address, LARGEST_MANIFEST, accept, Freshness.FOREVER, CallStage.MANIFEST)
        (manifest,) = yield from self._some([file])
        if isinstance(manifest, ClientError):
            if manifest.code not in OUTDATED:
                raise manifest
            remarks.missing[said.path] = manifest.reason
            return None
        found: GraphManifest = manifest
        return found

    def _manifest(self, data: bytes) -> BundleManifest:
        try:
            return read_manifest(data)
        except UnknownFormatError as error:
            raise ClientError("version", _SEARCH + MANIFEST, error.reason, error.hint) from None

    def _shard(self, name: str, searcher: Searcher) -> File:
        largest = searcher.shards.largest
        folder = GRAPH if name[:1] in GRAPH_KINDS else SEARCH
        address = self.place.resolve(join(folder, name))
        return File(address, largest, lambda packed: opened(name, packed, largest), Freshness.FOREVER, CallStage.SEARCH)

    def _all(self, files: Sequence[File]) -> Asks[list[Any]]:
        found = yield from self._some(files)
        for value in found:
            if isinstance(value, ClientError):
                raise value
        return found

    def _some(self, files: Sequence[File]) -> Asks[list[Any]]:
        """Returns what `accept` made of files, or their errors; those read most recently are kept."""
        # Taken now: another call may remove it while this one waits.
        known = {file.address: self._kept.get(file.address, _UNREAD) for file in files}
        unknown = [file for file in files if known[file.address] is _UNREAD]
        if len(unknown) < len(files):
            yield Kept(len(files) - len(unknown))
        had = (yield unknown) if unknown else ()
        known |= zip((file.address for file in unknown), had, strict=True)
        for address, value in known.items():
            if not isinstance(value, ClientError):
                self._kept.pop(address, None)
                self._kept[address] = value
        while len(self._kept) > REMEMBERED:
            self._kept.popitem(last=False)
        return [known[file.address] for file in files]


def _read_graph_manifest(said: GraphFile, data: bytes) -> GraphManifest:
    from infograph.search.format.graph_manifest import read_graph_manifest  # as above

    if hashlib.sha256(data).hexdigest() != said.sha256:
        raise FormatError(said.path, "has other bytes than were written", "Publish the tree again.")
    try:
        return read_graph_manifest(data)
    except UnknownFormatError as error:
        raise ClientError("version", GRAPH_MANIFEST, error.reason, error.hint) from None


def sections_in(mode: str) -> Callable[..., Asks[RankedHits]]:
    """Returns what lists sections in a mode of `MODES`; few searches do."""
    if mode == PARENT:
        from infograph.client.parents import with_parents

        return with_parents
    from infograph.client.summaries import with_summaries

    return with_summaries


_NOTED = ("l-", "v-", "m-", "f-", "q-")
"""How the names of files begin without which a search finds as many chunks."""


def refuse_unfound(found: RankedHits, query: Query, remarks: Remarks) -> None:
    """Raises ClientError where nothing was found and files cannot be read that have words or sections, or by which a
    slip is mended or a filter decides: then it is not known that the site has nothing. Those of links, vectors and
    known questions are only noted; so is a path below which there is nothing."""
    if not found.undecided and (found.hits or not query.limit or (query.first and found.total)):
        return
    lost = [name for name in remarks.missing if found.undecided or not name.rpartition("/")[2].startswith(_NOTED)]
    if lost:
        more = f", nor can {len(lost) - 1} more" if lost[1:] else ""
        reason = f"cannot be read ({remarks.missing[lost[0]]}){more}"
        hint = "Nothing was found without them, which does not say that there is nothing: try again"
        raise ClientError("missing", _file_of_search(lost[0]), reason, hint)
    if query.passes is not None and not found.hits and {NO_WORDS, NOTHING_ASKED}.isdisjoint(remarks.notes):
        remarks.notes.append(NOTHING_BELOW)


def _file_of_search(name: str) -> str:
    """Returns the path of a file by the name that the remarks have: of a site of a federation that is the path."""
    return name if "/" in name else f"{_SEARCH}{name}"


def _hinted(error: ClientError, hint: str) -> ClientError:
    """Adds a hint to the error of a missing manifest: most often there was no build, or another folder was named."""
    if error.code != "missing":
        return error
    return ClientError(error.code, error.place, error.reason, hint)
