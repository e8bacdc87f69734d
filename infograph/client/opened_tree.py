"""What has been read of a published tree: its manifest, and the files that searches asked for, the latest ones. Where
another publication has taken the place of that one, it is read anew."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from infograph.client.asks import Asks, CallStage, File, Freshness, Kept
from infograph.client.embedded import Rerank, is_packaged, own_map, vector_of
from infograph.client.errors import ClientError
from infograph.client.place import Place
from infograph.errors import FilterError, FormatError
from infograph.formats.names import GRAPH, GRAPH_KINDS, GRAPH_MANIFEST, SEARCH, SEARCH_MANIFEST, join
from infograph.search.format.bundle_manifest import BundleManifest, UnknownFormatError, language_of, read_manifest
from infograph.search.format.layout import LARGEST_MANIFEST
from infograph.search.format.results import Remarks
from infograph.search.reading.asking import RankedHits, Searcher
from infograph.search.reading.dialogue import Dialogue
from infograph.search.reading.fetching import Asking, opened
from infograph.search.reading.query import Query
from infograph.search.reading.slips import as_meant

if TYPE_CHECKING:
    from infograph.search.format.bundle_manifest import GraphFile
    from infograph.search.format.graph_manifest import GraphManifest
    from infograph.search.reading.graph_walk import GraphWalk

T = TypeVar("T")
REMEMBERED = 512
"""Files that are kept in memory, the most recently read ones."""
OUTDATED = ("missing", "broken")
"""Codes of errors that a publication in between may have caused."""

_UNREAD = object()


class OpenedTree:
    """A published tree, as far as it has been read."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.refresh()

    def refresh(self) -> None:
        """Forgets what has been read, so that the next call sees what is published now."""
        self._searcher: Searcher | None = None
        self._kept: OrderedDict[str, Any] = OrderedDict()

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
                self._kept[self._own(name)] = data
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

    def _open(self, freshness: Freshness) -> Asks[Searcher]:
        # Not at the top: `topics` and `read` need no stemmer.
        from infograph.text.language import stemmer

        address = self.place.resolve(SEARCH_MANIFEST)
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
            raise ClientError("version", SEARCH_MANIFEST, error.reason, error.hint) from None

    def _own(self, name: str) -> str:
        """Returns the address of a file of the bundle, or of its graph."""
        return self.place.resolve(join(GRAPH if name[:1] in GRAPH_KINDS else SEARCH, name))

    def _shard(self, name: str, searcher: Searcher) -> File:
        largest, address = searcher.shards.largest, self._own(name)
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


def _hinted(error: ClientError, hint: str) -> ClientError:
    """Adds a hint to the error of a missing manifest: most often there was no build, or another folder was named."""
    if error.code != "missing":
        return error
    return ClientError(error.code, error.place, error.reason, hint)
