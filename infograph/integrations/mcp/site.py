"""One published tree behind a server: what it says of itself, and its client, whose errors say what to do next."""

from __future__ import annotations

import asyncio
import re
import time
import unicodedata
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass

from infograph.client import AsyncClient, ClientError
from infograph.client.embedded import Rerank
from infograph.client.place import folder_place, is_url, root_of, web_place
from infograph.errors import ConfigError
from infograph.integrations.mcp.results import TextSource

TIMEOUT = 30.0
"""Seconds that one call of the client may take."""
FRESH = 300.0
"""Seconds until the client rereads a tree, which may be published again while the server runs."""
MOST_SITES = 20
"""Most sites of one server, whose instructions describe each of them."""
LONGEST_ID = 40
"""Most characters of a site's id."""

WAYS_OUT: Mapping[str, str] = {
    "missing": "Try again later",
    "broken": "Try again: the site may have been published anew",
    "timeout": "Try again, or ask for less",
    "large": "`search` for a part of it",
    "unknown": "`topics` lists what there is",
}
"""What an agent can do about an error of the client, by its code."""


@dataclass(frozen=True, slots=True)
class SiteOptions:
    """How trees are read.

    timeout: seconds that one call of the client may take
    cache:   folder for downloaded files; None: downloads are not kept
    rerank:  as in `AsyncClient.search`
    """

    timeout: float = TIMEOUT
    cache: str | None = None
    rerank: Rerank = None


@dataclass(frozen=True, slots=True)
class SiteFacts:
    """What a tree says of itself. It comes from the tree, so nothing of it may be trusted."""

    title: str
    address: str
    """URL of the tree; empty where it is not known."""
    topics: tuple[str, ...]
    """Titles of the topics below the root, the largest first."""
    pages: int
    searchable: bool
    """Whether it has a search bundle."""


class OpenSite:
    """A tree that is open.

    id:     the name that it has among the sites of a server
    client: reads it
    clock:  seconds, for the age of what the client has read
    """

    def __init__(
        self,
        id: str,
        client: AsyncClient,
        facts: SiteFacts,
        rerank: Rerank = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.id = id
        self.client = client
        self.facts = facts
        self.rerank = rerank
        self._clock = clock
        self._fresh_until = clock() + FRESH

    @contextmanager
    def telling(self, ways_out: Mapping[str, str] = WAYS_OUT) -> Iterator[None]:
        """Gives errors of the client another hint, by their code; rereads a tree that is old or broken."""
        if self._clock() > self._fresh_until:
            self._refresh()
        try:
            yield
        except ClientError as error:
            if error.code == "broken":
                self._refresh()
            of_filter = error.code == "unknown" and error.place.startswith("filters")
            way_out = error.hint if of_filter else ways_out.get(error.code, error.hint)
            raise ClientError(error.code, error.place, error.reason, way_out) from None

    async def url_of(self, source: TextSource) -> str:
        """Returns the URL of a chunk's page, empty if unknown. Only the search bundle has it, so the chunk is searched
        for."""
        words = " ".join([source.title, *source.section_path])
        try:
            answer = await self.client.search(
                words, limit=1, filters={"href": source.id}, collapse=False, rerank=False, exact=True
            )
        except ClientError:
            return ""  # without a search bundle the tree can still be read, and the answer names the document's path
        return answer.hits[0].url if answer.hits else ""

    def _refresh(self) -> None:
        self.client.refresh()
        self._fresh_until = self._clock() + FRESH


@asynccontextmanager
async def open_sites(sources: Sequence[str], options: SiteOptions | None = None) -> AsyncIterator[list[OpenSite]]:
    """Opens trees by their addresses or folders, and closes them in the end.

    Raises ConfigError where a source is neither a folder nor a URL, ClientError where one cannot be read.
    """
    how = options or SiteOptions()
    if not 0 < len(sources) <= MOST_SITES:
        raise ConfigError("infograph mcp", f"serves 1 to {MOST_SITES} sites, not {len(sources)}", "Start several")
    async with AsyncExitStack() as stack:
        clients = [AsyncClient(source, timeout=how.timeout, cache=how.cache) for source in sources]
        for client in clients:
            await stack.enter_async_context(client)
        found = await asyncio.gather(*map(_facts, clients, sources))
        ids = site_ids([(facts.title, source) for facts, source in zip(found, sources, strict=True)])
        yield [OpenSite(id, client, facts, how.rerank) for id, client, facts in zip(ids, clients, found, strict=True)]


async def _facts(client: AsyncClient, source: str) -> SiteFacts:
    """Returns what a tree says of itself. Raises ClientError where it, or its search bundle, cannot be read."""
    try:
        root = await client.topic("")
        # What only leads on to a single topic, as folders of a language do, says nothing of the site.
        while len(root.topics) == 1 and not root.documents:
            root = await client.topic(root.topics[0].id)
        searchable = await _is_searchable(client)
    except ClientError as error:
        hint = error.hint or "Name the address or the folder that `infograph build` published to"
        raise ClientError(error.code, source, f"{error.place}: {error.reason}", hint) from None
    place = web_place(source) if is_url(source) else folder_place(root_of(source))[1]
    own = sum(1 for document in root.documents.values() if document.items)
    return SiteFacts(
        title=root.title,
        address=place.rendered("", ""),
        topics=tuple(topic.title for topic in sorted(root.topics, key=lambda topic: -topic.chunks)),
        pages=own + sum(topic.documents for topic in root.topics),
        searchable=searchable,
    )


async def _is_searchable(client: AsyncClient) -> bool:
    """Returns whether a tree has a search bundle. Raises ClientError for one that is broken."""
    try:
        await client.highlight("", "")  # reads the manifest, no more
    except ClientError as error:
        if error.code != "missing":
            raise
        return False
    return True


def site_ids(named: Sequence[tuple[str, str]]) -> list[str]:
    """Returns a short id for each site, no two alike, from pairs of its title and its address or folder."""
    ids: list[str] = []
    for title, source in named:
        end = re.split(r"[/\\]", source.rstrip("/\\"))[-1]
        own = _slug(title) or _slug(end) or "site"
        number = 1
        while (id := own if number == 1 else f"{own}-{number}") in ids:
            number += 1
        ids.append(id)
    return ids


def _slug(text: str) -> str:
    """Returns the letters and digits of a text, those of ASCII, in lower case, with hyphens between words."""
    plain = unicodedata.normalize("NFKD", text[:1000]).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_ID].strip("-")
