"""Marks by which a file is told to be an output of infograph, of this release or another, and not somebody else's.

A build replaces and removes no file without the mark that belongs to its name.
"""

from __future__ import annotations

import hashlib
import re

from infograph.formats.names import (
    ALIASES,
    CHUNKS,
    LLMS,
    LLMS_FULL,
    NO_JEKYLL,
    SCHEMA,
    is_converted_name,
    is_graph,
    is_graph_manifest,
    is_index,
    is_manifest,
    is_pack_name,
    is_page,
    is_published,
    is_spec,
    shard_digest,
)

WEB_MARK = b"Written by `infograph build`"
"""Text in the comment that each file for browsers begins with."""
SPEC_TITLE = "— topic specification"
"""End of the first line of a topic's specification."""
NO_JEKYLL_TEXT = b"Written by infograph: Jekyll would leave out folders such as _chunks.\n"
"""Content of `.nojekyll`, which is empty where anybody else wrote it."""

TOPIC_LISTING_MARK = "- These are the pages of one topic, written by infograph"
"""Text in the `llms.txt` of a topic."""

HEAD_BYTES = 4096
"""Bytes at the start of a file that its mark is looked for in. Of a title, 300 characters of at most 8 bytes each stand
before it (`&#65279;`), or the name of a folder."""
CHUNK_HEAD_BYTES = 1 << 16
"""Most bytes that the front matter of a chunk file takes, with its section path."""

_CHUNK_MARKS = (b"\nsource: ", b"\nchunk_type: ", b"\nsha256: ")
_ROOT_INDEX = re.compile(rb'\{\s*"id":\s*""')


def is_specification(data: bytes) -> bool:
    """Whether a file called `topic-spec.md` is ours. It is the one file with a document's suffix that infograph writes
    beside the sources."""
    return SPEC_TITLE.encode() in data[:HEAD_BYTES]


def is_chunk_file(data: bytes) -> bool:
    """Whether a file in `_chunks` is ours, by its front matter."""
    from infograph.formats.chunk_file import split  # this and the others below: a build without changes reads no output

    head = split(data.replace(b"\r\n", b"\n")).head  # git may have changed the line ends
    return head.startswith(b"title: ") and all(mark in head for mark in _CHUNK_MARKS)


def is_marked(data: bytes) -> bool:
    """Whether a file called as one for browsers is ours."""
    return WEB_MARK in data[:100]


def is_root_index(data: bytes) -> bool:
    """Whether the index page that these bytes are is one of a root, whose id is empty."""
    return _ROOT_INDEX.match(data) is not None


def is_root_listing(data: bytes) -> bool:
    """Whether an `llms.txt` is ours and describes a whole tree."""
    return b"stripe_order" in data


def _is_of_chunks(name: str, data: bytes) -> bool:
    """Whether a file in `_chunks`, by its name there, is ours."""
    if is_pack_name(name):
        from infograph.formats.pack import is_pack

        return is_pack(data)
    if is_converted_name(name):
        from infograph.formats.converted_file import is_converted_file

        return is_converted_file(data)
    return is_chunk_file(data)


def written_by_us(path: str, data: bytes) -> bool:
    """Whether the content of a file has the mark that every file of ours of this name has. An empty file counts as
    ours: nothing is lost with it.

    path: relative to the output tree
    """
    folder, _, name = path.rpartition("/")
    if path == NO_JEKYLL:
        return data == NO_JEKYLL_TEXT
    if not data:
        return True
    if folder.rpartition("/")[2] == CHUNKS:
        return _is_of_chunks(name, data)
    if is_index(name):
        return b'"build_id"' in data and SCHEMA.encode() in data
    if is_spec(name):
        return is_specification(data)
    if name == LLMS:
        return is_root_listing(data) or TOPIC_LISTING_MARK.encode() in data[:HEAD_BYTES]
    if path == LLMS_FULL or is_page(path):
        from infograph.formats.page_file import is_page_file, said_size

        return is_page_file(data) if is_page(path) else said_size(data) is not None
    if path == SCHEMA:
        return b"infograph" in data
    if is_manifest(path) or is_graph_manifest(path):
        return b'"largest_shard"' in data
    if is_graph(path) and path != ALIASES:
        return b'"infograph:community"' in data or b'"up"' in data
    if is_published(path):
        return is_marked(data)
    if digest := shard_digest(path):
        return hashlib.sha256(data).hexdigest().startswith(digest)
    return b"| Term |" in data
