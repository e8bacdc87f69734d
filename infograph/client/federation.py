"""Answers questions about several published trees as one: those that a federation names.

An address that ends in `federation.json` is one. It is the only way that a client asks another place than the one it
was given: the sites that this file names, each below its own address.
"""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from infograph.client.asks import Asks, CallStage, File, Freshness, Tally
from infograph.client.chunks import FoundChunk, WantedChunk
from infograph.client.embedded import Rerank
from infograph.client.errors import ClientError
from infograph.client.file_cache import FileCache
from infograph.client.folder import FolderSource
from infograph.client.graph import Get, Graph, plain_path
from infograph.client.options import check
from infograph.client.place import FOLDER_BASE, Place, is_url, root_of, web_place
from infograph.client.served_folder import root_folder
from infograph.client.tree import PublishedTree
from infograph.client.types import Communities, Item, PublishedChunk, Topic, TopicDocument, TopicEntry
from infograph.client.web import WebSource
from infograph.errors import FilterError, FormatError
from infograph.files.disk import read_file
from infograph.formats.names import FEDERATION, FEDERATION_FOLDER, INDEX, SEARCH, SEARCH_MANIFEST, join
from infograph.search.format.bundle_manifest import UnknownFormatError, language_of, read_manifest
from infograph.search.format.federation import BUILD_DIGITS, FederatedSite, FederationManifest, read_federation
from infograph.search.format.layout import LARGEST_MANIFEST
from infograph.search.format.results import Hit, Remarks
from infograph.search.reading.asking import Searcher
from infograph.search.reading.federation import FederatedSearcher, SiteManifest, number_in, refuse_other_site
from infograph.search.reading.fetching import opened

if TYPE_CHECKING:
    import httpx2

    from infograph.search.reading.graph_walk import GraphWalk

GIVEN_OUT = ipaddress.IPv6Network("2000::/3")
LOCAL = ("localhost", "localhost.localdomain")


class FederatedPlace(Place):
    """The folder of a federation, and the places of its sites, once they are known. What begins with the id of a site
    is below that site's address."""

    def __init__(self, own: Place, *, of_web: bool) -> None:
        """Takes the folder of the federation.

        of_web: whether the federation is read from the web
        """
        super().__init__(own.base, own.shown, published=of_web)
        self._of_web = of_web
        self.sites: dict[str, Place] = {}

    def take(self, sites: Iterable[FederatedSite]) -> None:
        """Takes the places of the sites. Raises ClientError for an address that the federation must not lead to."""
        found: dict[str, Place] = {}
        for site, place in self.places(sites):
            if isinstance(place, ClientError):
                raise place
            found[site.id] = place
        self.sites = found

    def places(self, sites: Iterable[FederatedSite]) -> Iterator[tuple[FederatedSite, Place | ClientError]]:
        """Yields the place of each site, or why the federation must not lead there."""
        bases: dict[str, str] = {}
        for site in sites:
            place = self._place(site)
            if isinstance(place, Place) and place.base in bases:
                place = ClientError("broken", FEDERATION, f"{bases[place.base]} and {site.id} have one address")
            elif isinstance(place, Place):
                bases[place.base] = site.id
            yield site, place

    def refuse_other_site(self, path: str) -> None:
        """Raises ClientError for the path of a topic or a document that begins with no site's name."""
        try:
            refuse_other_site(path, list(self.sites))
        except FilterError as error:
            raise ClientError("unknown", error.place, error.reason, error.hint) from None

    def _place(self, site: FederatedSite) -> Place | ClientError:
        try:
            if not is_url(site.href):
                return Place(super().resolve(site.href), site.href, published=self._of_web)
            self._refuse_elsewhere(site.href)
            return web_place(site.href)
        except (ClientError, ValueError) as error:
            reason = error.reason if isinstance(error, ClientError) else str(error)
            return ClientError("outside", FEDERATION, f"the address of {site.id}: {reason}")

    def _refuse_elsewhere(self, href: str) -> None:
        parts, own = urlsplit(href), urlsplit(self.base)
        if href.startswith(self.base) and not self._of_web:
            raise ClientError("outside", FEDERATION, "stands for the folder of the federation")
        if not self._of_web:
            return
        if own.scheme == "https" and parts.scheme.lower() != "https":
            raise ClientError("outside", FEDERATION, "is http, and the federation https")
        if is_private(parts.hostname or "") and not is_private(own.hostname or ""):
            raise ClientError("outside", FEDERATION, "is of this machine or its network, and the federation is not")

    def resolve(self, href: object, here: str | None = None) -> str:
        """Returns the address that a link leads to: below that of a site where it begins with the site's id, else
        below the federation's. Raises ClientError `outside` for any other."""
        if here is None and isinstance(href, str):
            id, slash, rest = href.removeprefix("./").partition("/")
            if slash and id in self.sites:
                return self.sites[id].resolve(rest or ".")
        return super().resolve(href, here)

    def relative(self, address: str) -> str:
        """Returns the href of an address, with the id of its site: the inverse of `resolve`."""
        of = max(((place.base, id) for id, place in self.sites.items() if address.startswith(place.base)), default=None)
        if of is not None:
            return f"{of[1]}/{address[len(of[0]) :]}"
        return super().relative(address) if address.startswith(self.base) else address


def is_private(host: str) -> bool:
    """Whether the name of a host says that it is this machine, or one of its network."""
    host = host.rstrip(".").lower()
    if host in LOCAL or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        # Browsers and resolvers read numbers of other kinds as addresses, too: `0x7f.1`, `2130706433`.
        return bool(host) and host.split(".")[-1][:1].isdigit()
    # Of version 6 only what is given out; what leads to one of version 4 might be any.
    inward = isinstance(address, ipaddress.IPv6Address) and (address not in GIVEN_OUT or address.sixtofour is not None)
    return inward or not address.is_global or address.is_multicast


def open_federation(
    source: str, timeout: float, cache: FileCache | None, transport: httpx2.AsyncBaseTransport | None
) -> tuple[FederatedTree, FolderSource | WebSource]:
    """Returns a federation by its address, or by the path of its manifest or folder, and what reads its files. Raises
    ConfigError where there is none."""
    if is_url(source):
        place = FederatedPlace(web_place(source), of_web=True)
        return FederatedTree(place), WebSource(place, timeout, cache, transport)
    root = root_folder(root_of(source))
    place = FederatedPlace(Place(FOLDER_BASE, source), of_web=False)
    folder = FolderSource(root, place, timeout)
    if _leads_away(root / FEDERATION):
        return FederatedTree(place), FolderAndWeb(folder, place, timeout, cache, transport)
    return FederatedTree(place), folder


def _leads_away(path: Path) -> bool:
    """Whether the manifest of a federation in a folder names a site of the web. What is wrong with it, the first call
    says."""
    try:
        data = read_file(path, LARGEST_MANIFEST + 1)
        return data is not None and any(is_url(site.href) for site in read_federation(data).sites)
    except FormatError:
        return False


class FolderAndWeb(WebSource):
    """Reads what lies in the folder of a federation from there, and the sites of the web that it names from these."""

    def __init__(
        self,
        folder: FolderSource,
        place: Place,
        timeout: float,
        cache: FileCache | None,
        transport: httpx2.AsyncBaseTransport | None,
    ) -> None:
        super().__init__(place, timeout, cache, transport)
        self._folder = folder

    async def _one(self, file: File, tally: Tally) -> Any:
        if not file.address.startswith(self._place.base):
            return await super()._one(file, tally)
        try:
            return await asyncio.to_thread(self._folder.one, file, tally)
        except ClientError as error:
            return error


class FederatedTree(PublishedTree):
    """Several published trees as one, and what was read of them."""

    place: FederatedPlace
    _searcher: FederatedSearcher | None

    def refresh(self) -> None:
        """Forgets what has been read, so that the next call sees what is published now."""
        super().refresh()
        self._graph = FederatedGraph(self.place, self._all, self._opened)

    def communities(self, query: str, limit: int) -> Asks[Communities]:
        """Raises ClientError: a federation has no graph of entities."""
        check(query=query, limit=limit)
        yield from self._opened()
        raise _without_graph()

    def match(self, question: str, topic: str, limit: int, distance: int | None) -> Asks[list[Hit]]:
        """Returns what `PublishedTree.match` does. Raises ClientError for a topic of no site."""
        check(question=question, topic=topic, limit=limit, distance=distance)
        yield from self._opened()
        self.place.refuse_other_site(plain_path(topic))
        return (yield from super().match(question, topic, limit, distance))

    def read(self, href: str, digest: str) -> Asks[PublishedChunk]:
        """Returns a chunk of a site, see `PublishedTree.read`."""
        yield from self._opened()
        return (yield from super().read(href, digest))

    def chunks(self, wanted: Sequence[WantedChunk]) -> Asks[list[FoundChunk]]:
        """Returns chunks of sites, see `PublishedTree.chunks`."""
        yield from self._opened()
        return (yield from super().chunks(wanted))

    def renewed(self, held: Searcher | None) -> Asks[bool]:
        """Returns whether the federation, or a site that was read, was published anew; everything kept is then
        forgotten."""
        if not isinstance(held, FederatedSearcher):
            return (yield from super().renewed(held))
        try:
            newer = yield from self._open(Freshness.RELOADED)
        except ClientError:
            return False  # the old files are better than none
        changed = newer.federation != held.federation
        if not changed:
            numbers = list(held.shards.opened)
            files = [self._site_manifest(number, newer, Freshness.RELOADED) for number in numbers]
            found = (yield files) if files else []
            manifests = [got.manifest for got in found if isinstance(got, SiteManifest)]
            changed = any(got not in [own.manifest for own in held.shards.opened.values()] for got in manifests)
        if changed:
            self.refresh()
            self._searcher = newer
        return changed

    def with_urls(self, hits: Iterable[Hit]) -> tuple[Hit, ...]:
        """Returns hits with the URLs of their pages, each below its site's address."""
        return tuple(replace(hit, url=self._url(hit), duplicates=self.with_urls(hit.duplicates)) for hit in hits)

    def _opened(self) -> Asks[FederatedSearcher]:
        searcher = yield from super()._opened()
        assert isinstance(searcher, FederatedSearcher)
        return searcher

    def _url(self, hit: Hit) -> str:
        place = self.place.sites[hit.site or ""]
        href = hit.href.removeprefix(f"{hit.site}/")
        return place.rendered(hit.page_url or href, hit.anchor if hit.page_url else "")

    def _open(self, freshness: Freshness) -> Asks[FederatedSearcher]:
        from infograph.text.language import stemmer  # as for one tree

        address = self.place.resolve(FEDERATION)
        (manifest,) = yield [File(address, LARGEST_MANIFEST, _federation, freshness, CallStage.MANIFEST)]
        if isinstance(manifest, ClientError):
            raise manifest
        self.place.take(manifest.sites)
        return FederatedSearcher(manifest, language_of(manifest.bundle, stemmer))

    def _vector(self, query: str, searcher: Searcher, rerank: Rerank, remarks: Remarks) -> Asks[Sequence[float] | None]:
        if rerank and not searcher.manifest.vectors.model:
            raise ClientError("unknown", "rerank", "the sites' chunks were embedded with several models")
        return (yield from super()._vector(query, searcher, rerank, remarks))

    def _walk(self, hops: int, searcher: Searcher, remarks: Remarks) -> Asks[GraphWalk | None]:
        yield from ()
        raise _without_graph()

    def _shard(self, name: str, searcher: Searcher) -> File:
        assert isinstance(searcher, FederatedSearcher)
        number = number_in(name)
        if number is not None:
            return self._site_manifest(number, searcher, Freshness.VALIDATED)
        shards = searcher.shards
        largest, address = shards.largest, self._own(name)
        if name in shards.owners and address not in self._kept:
            number = shards.owners[name]
            largest = shards.opened[number].largest
            address = self.place.sites[shards.sites[number].id].resolve(join(SEARCH, name))
        return File(address, largest, lambda packed: opened(name, packed, largest), Freshness.FOREVER, CallStage.SEARCH)

    def _own(self, name: str) -> str:
        """Returns the address of a file of the federation itself."""
        return self.place.resolve(join(FEDERATION_FOLDER, name))

    def _site_manifest(self, number: int, searcher: FederatedSearcher, freshness: Freshness) -> File:
        place = self.place.sites[searcher.federation.sites[number].id]
        return File(place.resolve(SEARCH_MANIFEST), LARGEST_MANIFEST, site_manifest, freshness, CallStage.MANIFEST)


class FederatedGraph(Graph):
    """Answers from the indexes of the sites of a federation, each a topic below the root."""

    _place: FederatedPlace

    def __init__(self, place: FederatedPlace, get: Get, opened: Callable[[], Asks[FederatedSearcher]]) -> None:
        super().__init__(place, get)
        self._opened = opened

    def topics(self, id: str) -> Asks[list[TopicEntry]]:
        """Returns every topic below one of a site; for the root the sites."""
        check(id=id)
        if not id:
            return list((yield from self.topic("")).topics)
        site, graph, rest = yield from self._of(id)
        return [_entry(site, entry) for entry in (yield from graph.topics(rest))]

    def topic(self, id: str) -> Asks[Topic]:
        """Returns one topic of a site; for the root the sites."""
        check(id=id)
        if id:
            site, graph, rest = yield from self._of(id)
            return _topic(site, (yield from graph.topic(rest)))
        searcher = yield from self._opened()
        entries = tuple(
            TopicEntry(
                id=own.id,
                title=own.title or own.id,
                documents=own.pages,
                chunks=own.chunks,
                href=f"{own.id}/{INDEX}",
            )
            for own in searcher.federation.sites
        )
        return Topic(id="", title="", href=FEDERATION, topics=entries, documents={})

    def sample(self, id: str, n: int, order: str) -> Asks[list[Item]]:
        """Returns the first items of a topic of a site; none for the root, which has no documents."""
        check(topic=id, n=n, order=order)
        if not id:
            return []
        site, graph, rest = yield from self._of(id)
        return [_item(site, item) for item in (yield from graph.sample(rest, n, order))]

    def _of(self, id: str) -> Asks[tuple[str, Graph, str]]:
        """Returns the id of the site that a topic is of, its graph, and the id of the topic there."""
        yield from self._opened()
        site, _, rest = id.partition("/")
        self._place.refuse_other_site(id)
        return site, Graph(self._place.sites[site], self._get), rest


def _federation(data: bytes) -> FederationManifest:
    try:
        return read_federation(data)
    except UnknownFormatError as error:
        raise ClientError("version", FEDERATION, error.reason, error.hint) from None


def site_manifest(data: bytes) -> SiteManifest:
    """Reads the manifest of a site's bundle. Raises ClientError and FormatError."""
    try:
        return SiteManifest(read_manifest(data), hashlib.sha256(data).hexdigest()[:BUILD_DIGITS])
    except UnknownFormatError as error:
        raise ClientError("version", SEARCH_MANIFEST, error.reason, error.hint) from None


def _without_graph() -> ClientError:
    return ClientError("missing", FEDERATION, "a federation has no graph of entities", "Ask one of its sites")


def _entry(site: str, entry: TopicEntry) -> TopicEntry:
    return replace(entry, id=f"{site}/{entry.id}", href=f"{site}/{entry.href}")


def _topic(site: str, topic: Topic) -> Topic:
    return replace(
        topic,
        id=f"{site}/{topic.id}".rstrip("/"),
        href=f"{site}/{topic.href}",
        topics=tuple(_entry(site, entry) for entry in topic.topics),
        documents={key: _document(site, document) for key, document in topic.documents.items()},
        related=tuple(replace(edge, href=f"{site}/{edge.href}") for edge in topic.related),
        communities=topic.communities and f"{site}/{topic.communities}",
    )


def _document(site: str, document: TopicDocument) -> TopicDocument:
    items = tuple(_item(site, item) for item in document.items)
    return replace(document, source=f"{site}/{document.source}", items=items)


def _item(site: str, item: Item) -> Item:
    return replace(item, topic=f"{site}/{item.topic}".rstrip("/"), href=f"{site}/{item.href}")
