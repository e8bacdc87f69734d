"""The names that a file of the bundle contains: all files that a reader may ask for."""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import Any

from infograph.errors import FormatError
from infograph.formats.names import SEARCH, SHARD_NAME, manifest_path, version_of
from infograph.search.format.layout import LARGEST_SHARD_WRITTEN, MANIFEST, content_name, split_names


def named_files(name: str, data: bytes) -> tuple[str, ...]:
    """Returns the names of the files that the manifest, or a directory, leads to; other files lead to none.

    Raises FormatError for a malformed file, and for one whose name is not that of its bytes.
    """
    version = version_of(name)
    if version and name == manifest_path(version).removeprefix(f"{SEARCH}/"):
        if not hashlib.sha256(data).hexdigest().startswith(version):
            raise FormatError(name, "has other bytes than were written", "Publish the tree again.")
    elif name != MANIFEST:
        if not SHARD_NAME.fullmatch(name) or content_name(name[0], data) != name:
            raise FormatError(name, "has other bytes than were written", "Publish the tree again.")
        if name[0] != "n":
            return ()
        unpacker = zlib.decompressobj()
        try:
            data = unpacker.decompress(data, LARGEST_SHARD_WRITTEN)
        except zlib.error as error:
            raise FormatError(name, f"does not unpack: {error}") from None
    try:
        found = list(_strings(json.loads(data)))
    except ValueError as error:
        raise FormatError(name, f"is not JSON: {error}") from None
    names = (name for text in found for name in (text, *split_names(text)))
    return tuple(dict.fromkeys(name for name in names if SHARD_NAME.fullmatch(name)))


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [text for item in value for text in _strings(item)] if isinstance(value, list) else []
