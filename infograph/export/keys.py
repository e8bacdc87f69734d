"""The keys of chunks by which two trees are compared: of a published tree, or of an export."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from infograph.client import Client
from infograph.client.place import is_url
from infograph.errors import ConfigError, FormatError
from infograph.export import json_lines, parquet
from infograph.export.columns import ExportRow
from infograph.export.rows import chunk_id, topics_of

_NAMES = ("id", "sha256", "title", "section_path")


class ChunkKey(NamedTuple):
    """A chunk, as it is compared."""

    id: str
    sha256: str
    """SHA-256 of its text."""
    headings: tuple[str, ...]
    """Title, and the headings above it: they are embedded with the text."""


def is_export(target: str) -> bool:
    """Whether a target is the file of an export, by its name. Raises ConfigError for one on a server."""
    if is_url(target) and target.lower().endswith((json_lines.SUFFIX, parquet.SUFFIX)):
        raise ConfigError(target, "an export is read from a file", "Download it first, or name the tree.")
    return target.lower().endswith((json_lines.SUFFIX, parquet.SUFFIX)) and not os.path.isdir(target)


def keys_of_tree(client: Client) -> Iterator[ChunkKey]:
    """Yields the keys of a published tree, from its indexes alone. Raises ClientError."""
    for topic in topics_of(client):
        for document in topic.documents.values():
            for item in document.items:
                own = chunk_id(item.topic, item.document, item.index)
                yield ChunkKey(own, item.sha256, (item.title, *item.section_path))


def keys_of_export(target: str) -> Iterator[ChunkKey]:
    """Yields the keys of an export. Raises FormatError where it is none, or cannot be read."""
    path = Path(target)
    is_lines = target.lower().endswith(json_lines.SUFFIX)
    rows: Iterable[ExportRow] = json_lines.read_json_lines(path) if is_lines else parquet.read_parquet(path, _NAMES)
    try:
        for number, row in enumerate(rows, 1):
            yield _key(row, f"{target}: row {number}")
    except OSError as error:
        raise FormatError(target, f"cannot be read: {error.strerror or error}") from None


def _key(row: ExportRow, place: str) -> ChunkKey:
    own, digest, title, above = (row.get(name) for name in _NAMES)
    texts = [own, digest, title, *(above if isinstance(above, list) else [None])]
    if not all(isinstance(text, str) for text in texts):
        raise FormatError(place, f"has not the columns {', '.join(_NAMES)}", "Export the tree again.")
    return ChunkKey(str(own), str(digest), tuple(map(str, texts[2:])))
