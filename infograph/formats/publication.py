"""The list of what is published to an object store, kept there beside the tree: compressed JSON.

A store cannot be asked cheaply what it holds: its ETags are digests in some stores and not in others. So the list says
which bytes each file has; the next publication sends what differs, and removes what the list knows and nothing else.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from infograph.errors import FormatError
from infograph.formats.names import is_output

VERSION = 1
"""Number of the form, raised when an earlier release could not read it."""
LARGEST = 1 << 28
"""Most bytes that a list takes unpacked: that of a million files is a third of it."""
SEND_ANEW = "Remove it from the store: then everything is sent anew, and what is no longer made stays there."


@dataclass(frozen=True, slots=True)
class Publication:
    """Everything that is known of the files below one address."""

    files: Mapping[str, str] = field(default_factory=dict)
    """Path of each file that belongs to the tree, and the beginning of its SHA-256; empty where its name says which
    bytes it has."""
    older: Sequence[Sequence[str]] = ()
    """Paths of files that stay for readers of earlier publications: a list for each, newest first."""
    pending: Sequence[str] = ()
    """Paths of files that a publication was about to send. Where it was interrupted, they may have other bytes."""

    @property
    def known(self) -> set[str]:
        """Paths of all files that infograph wrote there."""
        return {*self.files, *self.pending, *(path for paths in self.older for path in paths)}


def dump_publication(publication: Publication) -> bytes:
    """Returns a list as `read_publication` reads it; equal lists give equal bytes."""
    value = {
        "version": VERSION,
        "files": dict(sorted(publication.files.items())),
        "older": [sorted(paths) for paths in publication.older],
        "pending": sorted(publication.pending),
    }
    return zlib.compress(json.dumps(value, indent=0).encode(), 6)


def read_publication(data: bytes, place: str) -> Publication:
    """Returns what `dump_publication` wrote. Raises FormatError.

    place: address of the list, for errors
    """
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(data, LARGEST)
        value = json.loads(text) if unpacker.eof else None
    except (zlib.error, ValueError):
        value = None
    if isinstance(value, dict) and isinstance(value.get("version"), int) and value["version"] > VERSION:
        hint = "Publish with that release, or a later one."
        raise FormatError(place, "was written by a later release of infograph", hint)
    if not isinstance(value, dict) or value.get("version") != VERSION:
        raise FormatError(place, "is no list of published files", SEND_ANEW)
    files, older, pending = value.get("files"), value.get("older"), value.get("pending")
    if not isinstance(pending, list) or not (
        isinstance(files, dict)
        and isinstance(older, list)
        and _are_paths([*files])
        and all(isinstance(digest, str) for digest in files.values())
        and all(map(_are_paths, older))
        and _are_paths(pending)
    ):
        raise FormatError(place, "lists what infograph does not write", SEND_ANEW)
    return Publication(files, older, pending)


def _are_paths(value: Any) -> bool:
    """Whether a value lists paths of outputs below a tree: what it names is removed one day."""
    return isinstance(value, list) and all(
        isinstance(path, str) and is_output(path) and not {"", ".", ".."} & set(path.split("/")) for path in value
    )
