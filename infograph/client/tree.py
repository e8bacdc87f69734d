"""What a client answers, and by which files: no word on how these are read, so that every client gives one answer."""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from infograph.client.asks import Asks, File, Freshness
from infograph.client.embedded import is_to_be_loaded, own_map, vector_of
from infograph.client.errors import ClientError
from infograph.client.graph import Graph, plain_path
from infograph.client.options import check, listed
from infograph.client.place import Place
from infograph.client.types import Answer, Chunk, Item, Match, Topic, TopicEntry, Words
from infograph.errors import FormatError
from infograph.formats.chunk_file import split
from infograph.formats.names import SEARCH
from infograph.search.format.layout import MANIFEST
from infograph.search.format.manifest import LARGEST_MANIFEST, Manifest, UnknownFormatError, language_of, read_manifest
from infograph.search.format.results import Hit, Remarks
from infograph.search.format.terms import bounded
from infograph.search.reading.asking import Found, Searcher
from infograph.search.reading.fetching import Asking, opened
from infograph.search.reading.highlight import spans
from infograph.search.reading.slips import as_meant, correct
from infograph.search.reading.words import complete

T = TypeVar("T")
FilterValue = str | int
Filters = Mapping[str, FilterValue | Sequence[FilterValue]]
"""Fields of hits and the value, or one of the values, that they must have; lists must contain it."""

FIELDS = (
    "page",
    "page_title",
    "page_url",
    "index",
    "title",
    "section_path",
    "anchor",
    "tokens",
    "href",
    "sha256",
)
"""What can be filtered by."""
SAME_QUESTION = 12
"""Bits between the hashes of two questions that are taken for one."""
REMEMBERED = 512
"""Files."""
LARGEST_CHUNK = 1 << 24

OUTDATED = ("missing", "broken")
"""How an error is called that a publication in between may be the reason of."""

Find = Callable[[Searcher, Remarks, Sequence[float] | None], Asking[Found]]
"""A search by the query's vector, or without it."""

_SEARCH = f"{SEARCH}/"
_UNREAD = object()
_DIGEST = re.compile(rb'^sha256: "?([0-9a-f]{64})"?$', re.MULTILINE)


class Tree:
    """One published tree, and what was read of it."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.refresh()

    def refresh(self) -> None:
        """Forgets what has been read, so that the next call sees what is published now."""
        self._searcher: Searcher | None = None
        self._kept: OrderedDict[str, Any] = OrderedDict()
        self._graph = Graph(self.place, self._all)

    def find(
        self,
        query: str,
        limit: int,
        offset: int,
        path: str,
        filters: Filters | None,
        collapse: bool,
        diversity: float,
        rerank: bool | None,
        *,
        exact: bool,
        one_per_page: bool,
    ) -> Asks[Answer]:
        """The best chunks, or the best chunk of each of the best pages."""
        check(
            query=query, limit=limit, offset=offset, collapse=collapse, diversity=diversity, rerank=rerank, exact=exact
        )
        passes = choice(path, filters)

        def find(searcher: Searcher, remarks: Remarks, vector: Sequence[float] | None) -> Asking[Found]:
            return searcher.find(
                query,
                remarks,
                limit=limit,
                offset=offset,
                one_per_page=one_per_page,
                passes=passes,
                collapsed=collapse,
                diversity=diversity,
                vector=vector,
                exact=exact,
            )

        found, remarks, _ = yield from self.answer(
            lambda searcher, remarks: self.ordered(query, rerank, find, searcher, remarks)
        )
        hits = self.with_urls(found.hits)
        return Answer(
            hits=hits,
            total=found.total,
            total_relation=found.total_relation,
            missing=remarks.missing,
            corrected=remarks.corrected,
            notes=tuple(remarks.notes),
        )

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

    def topics(self, id: str) -> Asks[list[TopicEntry]]:
        return (yield from self._graph.topics(id))

    def topic(self, id: str) -> Asks[Topic]:
        return (yield from self._graph.topic(id))

    def sample(self, id: str, n: int, order: str) -> Asks[list[Item]]:
        return (yield from self._graph.sample(id, n, order))

    def match(self, question: str, topic: str, limit: int, distance: int) -> Asks[list[Match]]:
        """Chunks with a question like this one."""
        # Not at the top: numpy and a stemmer, which nothing else here needs.
        from infograph.topic.question_hash import simhash

        check(question=question, topic=topic, limit=limit, distance=distance)
        searcher = yield from self._opened()
        if searcher.stemless:
            reason = f'questions are hashed by their stems, and there is no stemmer for "{searcher.language.name}"'
            raise ClientError("unknown", self.place.shown, reason, "Update infograph")
        asked = simhash(bounded(question), searcher.language.name)
        return (yield from self._graph.match(asked, topic, distance, limit)) if asked else []

    def read(self, href: str, digest: str) -> Asks[Chunk]:
        """The text of a chunk, which has to be the one that its digest says. Where it is gone or another, what else
        is remembered of the site is from before it, too, and is forgotten if the site says so."""
        check(sha256=digest)
        held = self._searcher
        (found,) = yield [self.chunk_file(href, digest)]
        if isinstance(found, ClientError):
            if found.code in OUTDATED and (yield from self.renewed(held)):
                hint = "The site has been published anew: look for it again"
                raise ClientError(found.code, found.place, found.reason, hint)
            raise found
        chunk: Chunk = found
        return chunk

    def renewed(self, held: Searcher | None) -> Asks[bool]:
        """Whether the site was published anew since what is held was read, all of which is then forgotten.

        held: the search that the caller went by; None where there was none, and only indexes may be remembered
        """
        newer = None
        if held:
            try:
                newer = yield from self._open(Freshness.RELOADED)
            except ClientError:
                return False  # what there is, is better than nothing
            if newer.manifest == held.manifest:
                return False
        elif not self._kept:
            return False
        self.refresh()
        self._searcher = newer
        return True

    def chunk_file(self, href: str, digest: str) -> File:
        freshness = Freshness.FOREVER if digest else Freshness.VALIDATED
        return File(self.place.resolve(href), LARGEST_CHUNK, lambda data: read_chunk(href, digest, data), freshness)

    def answer(self, ask: Callable[[Searcher, Remarks], Asks[T]]) -> Asks[tuple[T, Remarks, Searcher]]:
        """What the bundle answers, and which: once more by a new manifest where files of the old one are gone."""
        searcher = yield from self._opened()
        remarks = Remarks()
        found = yield from ask(searcher, remarks)
        if remarks.missing and (yield from self.renewed(searcher)):
            searcher, remarks = (yield from self._opened()), Remarks()
            found = yield from ask(searcher, remarks)
        return found, remarks, searcher

    def ordered(self, query: str, rerank: bool | None, find: Find, searcher: Searcher, remarks: Remarks) -> Asks[Found]:
        """What is found, by the query's vector where that is to have a say. Nobody who did not ask for the vector waits
        in vain: while its model must be loaded first, what is found without it is had before."""
        later = rerank is None and is_to_be_loaded(searcher.manifest.vectors)
        own = Remarks()
        vector = None if later else (yield from self._vector(query, searcher, rerank, own))
        found = yield from self.through(searcher, find(searcher, own, vector))
        meant = as_meant(query, own.corrected)
        if later or (vector is not None and meant != query):
            vector = yield from self._vector(meant, searcher, rerank, own)
            if vector is not None:
                own = Remarks()
                found = yield from self.through(searcher, find(searcher, own, vector))
        remarks.missing, remarks.corrected, remarks.notes = own.missing, own.corrected, own.notes
        return found

    def _vector(
        self, query: str, searcher: Searcher, rerank: bool | None, remarks: Remarks
    ) -> Asks[Sequence[float] | None]:
        """The query's vector, where the head of the ranking is to be ordered by it: see `vector_of`."""
        said = searcher.manifest.vectors
        vector = yield from vector_of(query, said, rerank, remarks)
        if vector is not None:
            name, data = own_map(said.model)
            if name == said.map:
                self._kept[self.place.resolve(_SEARCH + name)] = data
        return vector

    def through(self, searcher: Searcher, asking: Asking[T]) -> Asks[T]:
        """A search, whose names are files of `_search/`."""
        try:
            names = next(asking)
            while True:
                contents = yield from self._some([self._shard(name, searcher) for name in names])
                names = asking.send(dict(zip(names, contents, strict=True)))
        except StopIteration as done:
            found: T = done.value
            return found

    def _opened(self) -> Asks[Searcher]:
        """The search of the manifest there is."""
        if self._searcher is None:
            self._searcher = yield from self._open(Freshness.VALIDATED)
        return self._searcher

    def with_urls(self, hits: Iterable[Hit]) -> tuple[Hit, ...]:
        return tuple(
            replace(
                hit,
                url=self.place.rendered(hit.page_url, hit.anchor),
                duplicates=self.with_urls(hit.duplicates),
            )
            for hit in hits
        )

    def _open(self, freshness: Freshness) -> Asks[Searcher]:
        # Not at the top: `topics` and `read` need no stemmer.
        from infograph.text.language import stemmer

        (manifest,) = yield [File(self.place.resolve(_SEARCH + MANIFEST), LARGEST_MANIFEST, self._manifest, freshness)]
        if isinstance(manifest, ClientError):
            raise _hinted(manifest)
        return Searcher(manifest, language_of(manifest, stemmer))

    def _manifest(self, data: bytes) -> Manifest:
        try:
            return read_manifest(data)
        except UnknownFormatError as error:
            raise ClientError("version", _SEARCH + MANIFEST, error.reason, error.hint) from None

    def _shard(self, name: str, searcher: Searcher) -> File:
        largest = searcher.largest
        address = self.place.resolve(_SEARCH + name)
        return File(address, largest, lambda packed: opened(name, packed, largest), Freshness.FOREVER)

    def _all(self, files: Sequence[File]) -> Asks[list[Any]]:
        found = yield from self._some(files)
        for value in found:
            if isinstance(value, ClientError):
                raise value
        return found

    def _some(self, files: Sequence[File]) -> Asks[list[Any]]:
        """What `accept` made of files, or the errors that they cost; those read most recently are remembered."""
        # Taken now: another call may have it forgotten while this one waits.
        known = {file.address: self._kept.get(file.address, _UNREAD) for file in files}
        unknown = [file for file in files if known[file.address] is _UNREAD]
        had = (yield unknown) if unknown else ()
        known |= zip((file.address for file in unknown), had, strict=True)
        for address, value in known.items():
            if not isinstance(value, ClientError):
                self._kept.pop(address, None)
                self._kept[address] = value
        while len(self._kept) > REMEMBERED:
            self._kept.popitem(last=False)
        return [known[file.address] for file in files]


def _hinted(error: ClientError) -> ClientError:
    """Of a manifest that cannot be read: most often there was no build, or another folder was named."""
    if error.code != "missing":
        return error
    hint = "Is this where `infograph build` wrote to, with `search.enabled`?"
    return ClientError(error.code, error.place, error.reason, hint)


def choice(path: str, filters: Filters | None) -> Callable[[Hit], bool] | None:
    """What a hit must be like; None for a query without path and filters.

    path: a folder of the source tree, or a document

    Raises ClientError `unknown` for what is no path, and for a field that hits do not have.
    """
    check(path=path, filters=filters)
    rules: list[Callable[[Hit], bool]] = []
    for field, value in (filters or {}).items():
        if field not in FIELDS:
            hint = f"There are: {', '.join(FIELDS)}"
            raise ClientError("unknown", "filters", f"hits have no field {repr(field)[:200]}", hint)
        rules.append(_has(field, frozenset(listed(f"filters.{field}", value))))
    folder = plain_path(path)
    if folder:
        rules.append(lambda hit: hit.page == folder or hit.page.startswith(f"{folder}/"))
    return (lambda hit: all(rule(hit) for rule in rules)) if rules else None


def _has(field: str, wanted: frozenset[FilterValue]) -> Callable[[Hit], bool]:
    return lambda hit: not wanted.isdisjoint(listed(field, getattr(hit, field)))


def read_chunk(href: str, digest: str, data: bytes) -> Chunk:
    """A chunk file taken apart. Raises ClientError for one that is not whole, or whose text is not the digest's."""
    head, body, whole = split(data)
    said = _DIGEST.search(head) if whole else None
    if not said or hashlib.sha256(body).hexdigest().encode() != said[1]:
        raise ClientError("broken", href, "no chunk, or not the whole of it")
    own = said[1].decode()
    if not own.startswith(digest):
        raise ClientError("broken", href, "the chunk has changed", "Look for it again")
    try:
        return Chunk(href=href, sha256=own, front_matter=head.decode(), text=body.decode())
    except UnicodeDecodeError as error:
        raise FormatError(href, f"not UTF-8 at byte {error.start}", "Build the site again") from None
