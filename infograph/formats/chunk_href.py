"""Links to chunks: to a file of one, `_chunks/a-3.md`, or to one of several in a pack, `_chunks/a-0.pack.txt#3`.

The fragment is the number of the chunk in its document. A program that knows no packs is led to the whole file.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote

from infograph.formats.hrefs import encode_path
from infograph.formats.names import CHUNKS, chunk_name, document_and_number, is_pack_name, pack_name

_MOST_DIGITS = 10


def file_of_chunk(stem: str, index: int, *, packed: bool) -> str:
    """Name of the file that holds a chunk.

    stem:   what the names of the document's files begin with, see `named_by`
    packed: whether several chunks share a file
    """
    return pack_name(stem, index) if packed else chunk_name(stem, index)


def chunk_href(stem: str, index: int, *, packed: bool) -> str:
    """The link to a chunk from its own folder; arguments as for `file_of_chunk`."""
    return encode_path(file_of_chunk(stem, index, packed=packed)) + fragment_of(index, packed=packed)


def fragment_of(index: int, *, packed: bool) -> str:
    """What a link to a chunk has behind the address of its file."""
    return f"#{index}" if packed else ""


@dataclass(frozen=True, slots=True)
class ChunkPlaceName:
    """What a link to a chunk says of it."""

    topic: str
    """Path of the topic's folder, as people write it: see `plain_path`."""
    stem: str
    """Stem of the document, without the version of its files."""
    index: int
    """Number of the chunk in its document; -1 where the link names none."""


def chunk_at(href: str) -> ChunkPlaceName | None:
    """What a link to a chunk, or a path as people write one, says of it; None for a link to something else."""
    path = href.partition("#")[0]
    topic, folder, name = unquote(path).rpartition(f"{CHUNKS}/")
    if not folder or "/" in name:
        return None
    stem, index = document_and_number(name)
    if is_pack_name(name):
        number = number_in_pack(href)
        index = -1 if number is None else number
    return ChunkPlaceName(topic, stem, index)


def number_in_pack(href: str) -> int | None:
    """The number of the chunk that a link to a pack means; None for a link to anything else, or to the whole of it."""
    path, _, fragment = href.partition("#")
    if not is_pack_name(unquote(path).rpartition("/")[2]):
        return None
    sound = fragment.isascii() and fragment.isdecimal() and len(fragment) <= _MOST_DIGITS
    return int(fragment) if sound else None


def is_whole_pack(href: str) -> bool:
    """Whether a link leads to a pack and names none of its chunks."""
    return is_pack_name(unquote(href.partition("#")[0]).rpartition("/")[2]) and number_in_pack(href) is None


def fragment_in(href: str) -> str:
    """What a link to a chunk in a pack has behind the address of the file; empty for other links."""
    number = number_in_pack(href)
    return "" if number is None else f"#{number}"


def is_chunk_href(href: str) -> bool:
    """Whether a link, or a path as people write one, names a chunk: by its suffix, whatever folder it is in."""
    return href.partition("#")[0].lower().endswith(".md") or number_in_pack(href) is not None


def href_beside(href: str, name: str) -> str:
    """The link to another chunk of the same document, as the front matter of a chunk names those before and after it.

    href: link to a chunk
    name: file name of the other chunk, if it had a file of its own
    """
    path = href.partition("#")[0]
    folder, slash, file = path.rpartition("/")
    if number_in_pack(href) is None:
        return f"{folder}{slash}{encode_path(name)}"
    stem = unquote(file).rpartition("-")[0]
    return f"{folder}{slash}{chunk_href(stem, document_and_number(name)[1], packed=True)}"
