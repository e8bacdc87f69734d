"""The two clients, which have the same methods: `Client` blocks, `AsyncClient` is awaited."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from infograph.client.asks import Asks, Progress, Tally
from infograph.client.errors import ClientError
from infograph.client.file_cache import FileCache
from infograph.client.folder import FolderSource
from infograph.client.loop import Loop
from infograph.client.options import bounded_seconds, check
from infograph.client.place import check_source, folder_place, is_federation, is_url, web_place
from infograph.client.query import RetrieveArguments, SearchArguments, asked, spelled_out
from infograph.client.tree import PublishedTree
from infograph.client.types import (
    Answer,
    BundleAnswer,
    Communities,
    Context,
    Item,
    PublishedChunk,
    Topic,
    TopicEntry,
    Words,
)
from infograph.client.web import WebSource
from infograph.search.format.results import Hit

if TYPE_CHECKING:
    import httpx2


T = TypeVar("T")
OnProgress = Callable[[Progress], None]
Source = str | os.PathLike[str]

TIMEOUT = 10.0
PATIENCE = 5.0
"""Seconds beyond the time limit after which the thread of a web client counts as gone."""


class AsyncClient:
    """Reads one published tree. Belongs to one event loop of asyncio.

    source:    URL of the folder that holds `index.json` and `_search/`, or of that file; or its path. That of a
               `federation.json` stands for several trees
    timeout:   seconds that a call may take; one file may take a quarter of it
    cache:     folder in which files of a web server are kept from one process to the next; none by default
    progress:  called after each file that a call has read
    transport: instead of httpx2's own: for tests, or where requests need more than an address

    Every method may raise ClientError; a search in which only some files fail answers with the rest. Raises
    ConfigError where `source` is no tree.
    """

    def __init__(
        self,
        source: Source,
        *,
        timeout: float = TIMEOUT,
        cache: Source | None = None,
        progress: OnProgress | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        timeout = bounded_seconds(timeout)
        check(source=source, cache=cache, progress=progress, transport=transport)
        self._tree, self._source = _opened(source, timeout, cache, transport)
        self._progress = progress

    @spelled_out(SearchArguments)
    async def search(self, query: str, **arguments: Unpack[SearchArguments]) -> Answer:
        """Returns the best chunks. See `Client.search`."""
        return await self._answer(self._tree.search(asked("search", query, arguments)))

    @spelled_out(SearchArguments)
    async def pages(self, query: str, **arguments: Unpack[SearchArguments]) -> Answer:
        """Returns the best chunk of each of the best pages. See `Client.pages`."""
        return await self._answer(self._tree.search(asked("pages", query, arguments)))

    @spelled_out(RetrieveArguments)
    async def retrieve(self, query: str, max_tokens: int = 2000, **arguments: Unpack[RetrieveArguments]) -> Context:
        """Returns what a language model should read for a question: pieces of the best chunks, or whole ones, in at
        most `max_tokens` tokens, as the index counts them; near-duplicates are listed, not shown.
        See `Client.retrieve`."""
        from infograph.client.retrieve import retrieve, tasked  # programs that only search do without

        return await self._answer(retrieve(self._tree, tasked(query, max_tokens, arguments)))

    async def communities(self, query: str = "", *, limit: int = 10) -> Communities:
        """Returns the communities of entities that a question is about, the best first; all of them for an empty one,
        the largest of each level first. See `Client.communities`."""
        return await self._answer(self._tree.communities(query, limit))

    async def complete(self, prefix: str, *, limit: int = 10) -> Words:
        """Returns terms of the site that begin with `prefix`. See `Client.complete`."""
        return await self._answer(self._tree.complete(prefix, limit))

    async def correct(self, word: str, *, limit: int = 5) -> Words:
        """Returns terms of the site that `word` may be a typing slip of: those one letter away, the likeliest first.
        See `Client.correct`."""
        return await self._answer(self._tree.correct(word, limit))

    async def highlight(self, query: str, text: str) -> list[tuple[int, int]]:
        """Returns where a text has terms of a query, as ranges of characters in order, to mark them.
        See `Client.highlight`."""
        return await self._answer(self._tree.highlight(query, text))

    async def passage(self, query: str, text: str) -> str:
        """Returns the part of a chunk's text that has most of the words of a query, as a reader sees it, in at most
        some 200 characters on one line; its beginning, where no other part has more of them.
        See `Client.passage`."""
        return await self._answer(self._tree.passage(query, text))

    async def topics(self, id: str = "") -> list[TopicEntry]:
        """Returns every topic below one, by default below the root; each is followed by those below it.
        See `Client.topics`."""
        return await self._answer(self._tree.topics(id))

    async def topic(self, id: str) -> Topic:
        """Returns one topic: its documents and their chunks. `""` is the root. See `Client.topic`."""
        return await self._answer(self._tree.topic(id))

    async def sample(self, topic: str, n: int, order: str = "conceptual") -> list[Item]:
        """Returns `n` chunks that represent a topic: its documents in turn, each with its baseline first and then in
        its stripe order, `conceptual` or `technical`. See `Client.sample`."""
        return await self._answer(self._tree.sample(topic, n, order))

    async def match(self, question: str, *, topic: str = "", limit: int = 10, distance: int | None = None) -> list[Hit]:
        """Returns chunks that are known to answer a question like this one, as hits: `matched_question` says which,
        the nearest question first, and the best chunk of each first. Reads two files at the most.
        See `Client.match`."""
        return await self._answer(self._tree.match(question, topic, limit, distance))

    async def read(self, what: str | Hit | Item) -> PublishedChunk:
        """Returns the chunk of a hit or an item, checked against its digest, or that of the file for an href.
        See `Client.read`."""
        return await self._answer(self._tree.read(*_named(what)))

    async def run(self, ask: Callable[[PublishedTree], Asks[T]]) -> T:
        """Returns the answer to what another part of infograph asks of the tree, as one call.
        See `Client.run`."""
        return await self._answer(ask(self._tree))

    def refresh(self) -> None:
        """Forgets what has been read, so that the next call sees what is published now."""
        self._tree.refresh()

    async def close(self) -> None:
        """Closes connections."""
        if isinstance(self._source, WebSource):
            await self._source.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    async def _answer(self, asks: Asks[T]) -> T:
        tally = Tally(self._progress)
        return _with_stats(await self._source.answer_async(asks, tally), tally)


class Client:
    """Reads one published tree, as `AsyncClient` does; each call waits for its answer. A folder is read in the
    caller's thread, a web server by a thread of the client's own, which is also the one that `progress` is called in.
    """

    def __init__(
        self,
        source: Source,
        *,
        timeout: float = TIMEOUT,
        cache: Source | None = None,
        progress: OnProgress | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        timeout = bounded_seconds(timeout)
        check(source=source, cache=cache, progress=progress, transport=transport)
        self._tree, self._source = _opened(source, timeout, cache, transport)
        self._progress = progress
        self._patience = timeout + PATIENCE
        self._loop: Loop | None = None
        if isinstance(self._source, WebSource):
            self._loop = Loop()
            self._end = weakref.finalize(self, _end, self._loop, self._source)

    @spelled_out(SearchArguments)
    def search(self, query: str, **arguments: Unpack[SearchArguments]) -> Answer:
        """Returns the best chunks for a query, the best first. A query without words, or a path below which there is
        nothing, finds nothing and says so in `notes`.

        query:     a question or keywords
        arguments: see `SearchArguments`

        Raises ClientError: `unknown` for an argument out of range, else what went wrong with the site's files.

        >>> client.search("github pages", limit=1).hits[0].title
        'GitHub Pages'
        """
        return self._answer(self._tree.search(asked("search", query, arguments)))

    @spelled_out(SearchArguments)
    def pages(self, query: str, **arguments: Unpack[SearchArguments]) -> Answer:
        """Returns the best chunk of each of the best pages, the best first; else as `search`.

        query:     a question or keywords
        arguments: see `SearchArguments`; `limit` and `offset` count pages

        Raises ClientError: as `search`.

        >>> [hit.page for hit in client.pages("github pages", limit=2).hits]
        ['publishing/hosts.md', 'publishing/checking.md']
        """
        return self._answer(self._tree.search(asked("pages", query, arguments)))

    @spelled_out(RetrieveArguments)
    def retrieve(self, query: str, max_tokens: int = 2000, **arguments: Unpack[RetrieveArguments]) -> Context:
        """Returns what a language model should read for a question: pieces of the best chunks, or whole ones with their
        neighbours, as `plan` says; near-duplicates are listed, not shown.

        query:      a question or keywords
        max_tokens: most tokens of all passages together, as the index counts them; 1 at the least
        arguments:  see `RetrieveArguments`

        Raises ClientError: as `search`.

        >>> context = client.retrieve("how do I clear the cache?", max_tokens=500)
        >>> context.tokens <= 500, context.plan.question_class
        (True, 'analytical')
        """
        from infograph.client.retrieve import retrieve, tasked  # programs that only search do without

        return self._answer(retrieve(self._tree, tasked(query, max_tokens, arguments)))

    def communities(self, query: str = "", *, limit: int = 10) -> Communities:
        """Returns the communities of entities that a question is about, the best first; all of them for an empty one,
        the largest of each level first.

        query: a question or keywords
        limit: most communities

        Raises ClientError: `missing` for a site without a graph.

        >>> client.communities("cache")
        Traceback (most recent call last):
            ...
        infograph.client.errors.ClientError: _graph/manifest.json: the search bundle leads to no graph...
        """
        return self._answer(self._tree.communities(query, limit))

    def complete(self, prefix: str, *, limit: int = 10) -> Words:
        """Returns words of the site that begin with a text, those in the most chunks first, each with their number.

        prefix: beginning of a word; there is none for an empty one
        limit:  most words

        Raises ClientError: `unknown` for an argument out of range, else what went wrong with the site's files.

        >>> [word for word, chunks in client.complete("configu", limit=1).terms]
        ['configuration']
        """
        return self._answer(self._tree.complete(prefix, limit))

    def correct(self, word: str, *, limit: int = 5) -> Words:
        """Returns words of the site that a word may be a typing slip of, the likeliest first: those one letter away.

        word:  one word
        limit: most words

        Raises ClientError: as `complete`.

        >>> [word for word, chunks in client.correct("chuhk").terms]
        ['chunk']
        """
        return self._answer(self._tree.correct(word, limit))

    def highlight(self, query: str, text: str) -> list[tuple[int, int]]:
        """Returns where a text has terms of a query, as ranges of characters in order, to mark them.

        query: a question or keywords
        text:  any text

        Raises ClientError: what went wrong with the manifest, which says the site's language.

        >>> client.highlight("clear the cache", "How a cache is cleared")
        [(6, 11), (15, 22)]
        """
        return self._answer(self._tree.highlight(query, text))

    def passage(self, query: str, text: str) -> str:
        """Returns the part of a chunk's text that has most of the words of a query, as a reader sees it, in at most
        some 200 characters on one line; its beginning, where no other part has more of them.

        query: a question or keywords
        text:  Markdown of a chunk

        Raises ClientError: as `highlight`.

        >>> client.passage("clear the cache", "# Cache\\n\\nHow a *cache* is cleared.")
        'How a cache is cleared.'
        """
        return self._answer(self._tree.passage(query, text))

    def topics(self, id: str = "") -> list[TopicEntry]:
        """Returns every topic below one; each is followed by those below it.

        id: path of a topic's folder; empty for the root

        Raises ClientError: `unknown` for a topic that there is not, else what went wrong with the site's files.

        >>> [topic.id for topic in client.topics()]
        ['guide', 'publishing', 'reference', 'reference/formats']
        """
        return self._answer(self._tree.topics(id))

    def topic(self, id: str) -> Topic:
        """Returns one topic: its documents and their chunks, and the topics one level down.

        id: path of a topic's folder; empty for the root

        Raises ClientError: as `topics`.

        >>> client.topic("guide").title
        'Guide'
        """
        return self._answer(self._tree.topic(id))

    def sample(self, topic: str, n: int, order: str = "conceptual") -> list[Item]:
        """Returns chunks that represent a topic: its documents in turn, each with its baseline first and then in its
        stripe order.

        topic: id of a topic
        n:     number of chunks; fewer where the topic has not so many
        order: `conceptual` or `technical`

        Raises ClientError: `unknown` for another order or a topic that there is not, else as `topics`.

        >>> [item.document for item in client.sample("guide", 2)]
        ['builds', 'clients']
        """
        return self._answer(self._tree.sample(topic, n, order))

    def match(self, question: str, *, topic: str = "", limit: int = 10, distance: int | None = None) -> list[Hit]:
        """Returns chunks that are known to answer a question like this one, as hits: `matched_question` says which,
        the nearest question first, and the best chunk of each first. Reads two files at the most.

        question: a question
        topic:    only chunks of this topic and of those below; empty for all
        limit:    most hits
        distance: most bits, of 64, between the two questions' hashes; None for what the site says, 12

        Raises ClientError: `unknown` for an argument out of range, `missing` where questions cannot be read.

        >>> client.match("How do I install infograph?", limit=1)[0].matched_question.distance
        0
        """
        return self._answer(self._tree.match(question, topic, limit, distance))

    def read(self, what: str | Hit | Item) -> PublishedChunk:
        """Returns the chunk of a hit or an item, checked against its digest, or that of the file for an href.

        what: a hit, an item, or an href relative to the root

        Raises ClientError: `missing` or `broken` where there is no such chunk, `outside` for another place's href.

        >>> client.read(client.search("github pages").hits[0]).readable.splitlines()[0]
        '## GitHub Pages'
        """
        return self._answer(self._tree.read(*_named(what)))

    def run(self, ask: Callable[[PublishedTree], Asks[T]]) -> T:
        """Returns the answer to what another part of infograph asks of the tree, as one call.

        ask: given the tree, says which files it needs and returns what it made of them

        Raises ClientError: what went wrong with these files.

        >>> client.run(lambda tree: tree.topic("guide")).title
        'Guide'
        """
        return self._answer(ask(self._tree))

    def refresh(self) -> None:
        """Forgets what has been read, so that the next call sees what is published now.

        >>> client.refresh()
        """
        self._tree.refresh()

    def close(self) -> None:
        """Closes connections and ends the thread; a later call raises RuntimeError."""
        if self._loop:
            self._end()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _answer(self, asks: Asks[T]) -> T:
        tally = Tally(self._progress)
        if isinstance(self._source, FolderSource):
            return _with_stats(self._source.answer(asks, tally), tally)
        assert self._loop is not None
        try:
            return _with_stats(self._loop.run(self._source.answer_async(asks, tally), self._patience), tally)
        except TimeoutError:
            # Its thread is gone, as after a fork.
            raise ClientError("timeout", self._tree.place.shown, "the client's thread does not answer") from None


def _with_stats(answer: T, tally: Tally) -> T:
    """Returns an answer of the search bundle with what it has cost; others have no place for it."""
    return replace(answer, stats=tally.stats()) if isinstance(answer, BundleAnswer) else answer


def _opened(
    source: Source, timeout: float, cache: Source | None, transport: httpx2.AsyncBaseTransport | None
) -> tuple[PublishedTree, FolderSource | WebSource]:
    given = os.fspath(source)
    check_source(given)
    kept = FileCache(Path(cache)) if cache else None
    if is_federation(given):
        from infograph.client.federation import open_federation  # programs that read one site do without

        return open_federation(given, timeout, kept, transport)
    if is_url(given):
        place = web_place(given)
        return PublishedTree(place), WebSource(place, timeout, kept, transport)
    root, place = folder_place(given)
    return PublishedTree(place), FolderSource(root, place, timeout)


def _named(what: Any) -> tuple[str, str]:
    """Returns href and digest. What has no href is returned as it is: the tree refuses it."""
    return getattr(what, "href", what), getattr(what, "sha256", "")


def _end(loop: Loop, source: WebSource) -> None:
    if loop.running:
        loop.run(source.close(), PATIENCE)
    loop.close()
