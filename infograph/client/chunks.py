"""Reads chunks: each from a file of its own, or several from a pack, which is then fetched once for all of them.

(href, digest)… ─▶ the files that hold them, each once ─▶ chunks, checked against their digests
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Sequence

from infograph.client.asks import Asks, CallStage, File, Freshness, Kept, refused
from infograph.client.errors import ClientError
from infograph.client.place import Place
from infograph.client.types import PublishedChunk
from infograph.errors import FormatError
from infograph.formats import pack
from infograph.formats.chunk_file import readable, said_of_chunk, split
from infograph.formats.chunk_href import is_whole_pack, number_in_pack
from infograph.formats.codec import DecodeError
from infograph.formats.index_json import EnrichedItem, enriched_item
from infograph.model import ENRICHED

LARGEST_CHUNK = 1 << 24
"""Most bytes of a chunk file."""
MOST_KEPT = 1 << 24
"""Most bytes of packs that are kept in memory, the most recently read ones."""

_INDEX = re.compile(r"^index: (\d+)$", re.MULTILINE)
_DIGEST = re.compile(rb'^sha256: "?([0-9a-f]{64})"?$', re.MULTILINE)

WantedChunk = tuple[str, str]
"""Href of a chunk, and the beginning of its digest; empty where that is not known."""
FoundChunk = PublishedChunk | ClientError


class ChunkReader:
    """Reads the chunks of one tree."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._packs: OrderedDict[str, bytes] = OrderedDict()
        """Packs by address. One may be of an earlier publication: only chunks of a known digest are taken from it."""

    def read(self, wanted: Sequence[WantedChunk]) -> Asks[list[FoundChunk]]:
        """Returns the chunks, in the order in which they are wanted; for one that cannot be read, the reason."""
        found: dict[WantedChunk, FoundChunk] = {}
        groups: dict[str, list[WantedChunk]] = {}
        for one in dict.fromkeys(wanted):
            try:
                address = self._place.resolve(one[0])
            except ClientError as error:
                found[one] = error
                continue
            groups.setdefault(address if number_in_pack(one[0]) is not None else f"{address}#{one[1]}", []).append(one)
        for address, group in groups.items():
            if (packed := self._kept(address, group)) is not None:
                found |= zip(group, packed, strict=True)
        missing = [group for group in groups.values() if group[0] not in found]
        if len(missing) < len(groups):
            yield Kept(len(groups) - len(missing))
        torn = []
        had = (yield [self._file(group) for group in missing]) if missing else ()
        for group, chunks in zip(missing, had, strict=True):
            if not isinstance(chunks, ClientError):
                found |= zip(group, chunks, strict=True)
            elif len(group) > 1 and chunks.code == "broken":
                torn.append(group)
            else:
                found |= dict.fromkeys(group, chunks)
        had = (yield [self._torn(group) for group in torn]) if torn else ()
        for group, chunks in zip(torn, had, strict=True):
            lost = isinstance(chunks, ClientError)
            found |= dict.fromkeys(group, chunks) if lost else zip(group, chunks, strict=True)
        return [found[one] for one in wanted]

    def _kept(self, address: str, group: Sequence[WantedChunk]) -> list[FoundChunk] | None:
        """Returns the chunks of a group from a pack that was read before; None where that does not have all of them."""
        data = self._packs.get(address)
        if data is None or not all(digest for _, digest in group):
            return None
        try:
            chunks = self._of_pack(address, data, group)
        except (FormatError, ClientError):  # it is of another publication
            return None
        self._packs.move_to_end(address)
        return chunks

    def _file(self, group: Sequence[WantedChunk]) -> File:
        """Returns the file that holds the chunks of a group: those of one pack, or one chunk. A pack of which one chunk
        is not as it is wanted is refused, so that it is fetched once more, past all caches."""
        href, digest = group[0]
        address = self._place.resolve(href)
        freshness = Freshness.FOREVER if all(digest for _, digest in group) else Freshness.VALIDATED
        if is_whole_pack(href):
            return File(address, pack.LARGEST, lambda data: _names_no_chunk(href, data), freshness, CallStage.TEXTS)
        if number_in_pack(href) is None:
            return File(
                address, LARGEST_CHUNK, lambda data: [read_chunk(href, digest, data)], freshness, CallStage.TEXTS
            )

        def accept(data: bytes) -> list[FoundChunk]:
            chunks = self._of_pack(address, data, group)
            self._keep(address, data)
            return chunks

        return File(address, pack.LARGEST, accept, freshness, CallStage.TEXTS)

    def _torn(self, group: Sequence[WantedChunk]) -> File:
        """Returns a pack of which some chunk is not as it is wanted: the reason stands in the place of that one."""
        address = self._place.resolve(group[0][0])

        def one(data: bytes, wanted: WantedChunk) -> FoundChunk:
            try:
                return self._of_pack(address, data, [wanted])[0]
            except (FormatError, ClientError) as error:
                return refused(error, self._place.relative(address))

        def accept(data: bytes) -> list[FoundChunk]:
            return [one(data, wanted) for wanted in group]

        return File(address, pack.LARGEST, accept, Freshness.RELOADED, CallStage.TEXTS)

    def _of_pack(self, address: str, data: bytes, group: Sequence[WantedChunk]) -> list[FoundChunk]:
        """Returns chunks of one pack. Raises FormatError and ClientError where it does not have all of them whole."""
        where = self._place.relative(address)
        held = pack.parse(where, data)
        found: list[FoundChunk] = []
        for href, digest in group:
            number = number_in_pack(href) or 0
            chunk = read_chunk(href, digest, held.file(where, number))
            own = _INDEX.search(chunk.front_matter)
            if own and int(own[1]) != number:
                raise FormatError(where, f"is damaged: its chunk {number} is the chunk {own[1]}", pack.BUILD_AGAIN)
            found.append(chunk)
        return found

    def _keep(self, address: str, data: bytes) -> None:
        self._packs.pop(address, None)
        self._packs[address] = data
        while sum(map(len, self._packs.values())) > MOST_KEPT:
            self._packs.popitem(last=False)


def _names_no_chunk(href: str, data: bytes) -> list[FoundChunk]:
    """Raises the error for a link to a pack that names none of its chunks: which there are. FormatError where it is no
    pack."""
    held = pack.parse(href, data)
    last = held.first + len(held.files) - 1
    hint = f"Name one of them: `{href.partition('#')[0]}#{held.first}`"
    raise ClientError("unknown", href, f"holds the chunks {held.first} to {last}", hint)


def read_chunk(href: str, digest: str, data: bytes) -> PublishedChunk:
    """Splits a chunk file. Raises ClientError for one that is not whole, or whose text has another digest."""
    head, body, whole = split(data)
    said = _DIGEST.search(head) if whole else None
    if not said or hashlib.sha256(body).hexdigest().encode() != said[1]:
        raise ClientError("broken", href, "no chunk, or not the whole of it")
    own = said[1].decode()
    if not own.startswith(digest):
        raise ClientError("broken", href, "the chunk has changed", "Look for it again")
    try:
        front, text = head.decode(), body.decode()
        shown = readable(href, front, text)
        written = _said(href, front)
        return PublishedChunk(href=href, sha256=own, front_matter=front, text=text, readable=shown, enriched=written)
    except UnicodeDecodeError as error:
        raise FormatError(href, f"not UTF-8 at byte {error.start}", "Build the site again") from None


def _said(href: str, front: str) -> EnrichedItem | None:
    try:
        return enriched_item(said_of_chunk(href, front))
    except DecodeError as error:
        raise FormatError(href, f"`{ENRICHED}{error.path.removeprefix('.')}`: {error.reason}") from None
