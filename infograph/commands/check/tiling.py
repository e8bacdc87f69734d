"""Checks that the chunks of a converted document tile the Markdown that lies beside them.

Of Markdown documents the source itself is published, and a build has nothing else to cut: there the digests of the
chunks are enough. What a rendered page was converted to only infograph knows.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from urllib.parse import urljoin

from infograph.commands.check.promises import Broken
from infograph.errors import FormatError
from infograph.formats import chunk_file
from infograph.formats.converted_file import is_converted_file
from infograph.formats.hrefs import encode_path


@dataclass(frozen=True, slots=True)
class Tile:
    """A chunk as a slice of a converted document."""

    url: str
    """Address of the document's Markdown."""
    index: int
    count: int
    """Number of chunks of the document."""
    start: int
    """First byte in the Markdown."""
    end: int
    """Byte after the last one."""
    sha256: str


def tile_of(url: str, path: str, data: bytes) -> Tile | None:
    """Returns what a chunk file says that it is a slice of; None where it is none of a converted document.

    url:  address of the chunk file
    path: its path, relative to the root
    """
    try:
        found = chunk_file.parse(path, data)
    except FormatError:  # said of the chunk itself
        return None
    if found.converted is None:
        return None
    chunk = found.chunk
    place = urljoin(url, f"./{encode_path(found.converted)}")
    return Tile(place, chunk.index, chunk.count, *chunk.bytes, chunk.sha256)


@dataclass(frozen=True, slots=True)
class Whole:
    """The Markdown of a converted document with its front matter."""

    data: bytes


def check_converted(data: bytes) -> Whole:
    """Returns the Markdown of a converted document. Raises Broken where the bytes are none."""
    if not is_converted_file(data):
        raise Broken("format", "is not the Markdown of a converted document")
    return Whole(data)


@dataclass(slots=True)
class Tilings:
    """Puts together what comes of converted documents, in any order."""

    _tiles: dict[str, list[Tile]] = field(default_factory=dict)
    _texts: dict[str, bytes] = field(default_factory=dict)

    def add(self, url: str, part: Tile | Whole | None) -> str:
        """Takes what is known of one file. Returns what is wrong with a document of which now everything is known;
        empty where nothing is wrong, or something is still to come.

        url: address of the file
        """
        if isinstance(part, Whole):
            self._texts[url] = part.data
        elif part is not None:
            url = part.url
            self._tiles.setdefault(url, []).append(part)
        else:
            return ""
        tiles = self._tiles.get(url, [])
        if url not in self._texts or not tiles or len(tiles) < tiles[0].count:
            return ""
        del self._tiles[url]
        return _broken(self._texts.pop(url), sorted(tiles, key=lambda one: one.index))


def _broken(text: bytes, tiles: list[Tile]) -> str:
    """Returns what keeps tiles from being the document's body; empty where they are."""
    at = len(text) - len(chunk_file.split(text).text)
    for tile in tiles:
        if tile.start != at or hashlib.sha256(text[tile.start : tile.end]).hexdigest() != tile.sha256:
            return f"chunk {tile.index} is not the bytes {tile.start} to {tile.end} of the converted document"
        at = tile.end
    return "" if at == len(text) else f"the chunks end at byte {at} of {len(text)} of the converted document"
