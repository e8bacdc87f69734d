"""By what the files of a build are told from anybody else's."""

from __future__ import annotations

import hashlib
import re

from infograph.formats.chunk_file import split
from infograph.formats.names import (
    _INDEX_FILE,
    _SHARD,
    CHUNKS,
    LLMS,
    NO_JEKYLL,
    NO_JEKYLL_TEXT,
    SCHEMA,
    SEARCH_MANIFEST,
    SPEC,
    SPEC_TITLE,
    is_published,
)

CHUNK_FILE = re.compile(r".+-\d+\.md")
"""Names of the files in `_chunks`."""


_HEAD = 4096
"""Bytes of a file that are looked at for its mark. Of a title, 300 characters of at most 8 bytes each stand before it
(`&#65279;`), or the name of a folder."""


_CHUNK_MARKS = (b"\nsource: ", b"\nchunk_type: ", b"\nsha256: ")


_CHUNK_HEAD = 1 << 16
"""Bytes that a chunk file's front matter takes at the most, with its section path."""


def is_specification(data: bytes) -> bool:
    """Whether a file called `topic-spec.md` is ours. It is the one file with a document's suffix that infograph writes
    beside the sources."""
    return SPEC_TITLE.encode() in data[:_HEAD]


def is_chunk_file(data: bytes) -> bool:
    """Whether a file in `_chunks` is ours, by its front matter."""
    head = split(data.replace(b"\r\n", b"\n")).head  # git may have changed the line ends
    return head.startswith(b"title: ") and all(mark in head for mark in _CHUNK_MARKS)


MARK = b"Written by `infograph build`"


def is_marked(data: bytes) -> bool:
    """Whether a file of such a path is ours."""
    return MARK in data[:100]


def written_by_us(path: str, data: bytes) -> bool:
    """Whether a file's content has the mark that every file of ours of this name has."""
    folder, _, name = path.rpartition("/")
    if path == NO_JEKYLL:  # an empty one is what everybody else writes
        return data == NO_JEKYLL_TEXT
    if not data:
        return True
    if folder.rpartition("/")[2] == CHUNKS:
        return is_chunk_file(data)
    if _INDEX_FILE.fullmatch(name):
        return b'"build_id"' in data and SCHEMA.encode() in data
    if name == SPEC:
        return is_specification(data)
    if name == LLMS:
        return b"stripe_order" in data
    if path == SCHEMA:
        return b"infograph" in data
    if path == SEARCH_MANIFEST:
        return b'"largest_shard"' in data
    if is_published(path):
        return is_marked(data)
    if shard := _SHARD.fullmatch(path):
        return hashlib.sha256(data).hexdigest().startswith(shard[1])
    return b"| Term |" in data
