"""The state that a build leaves: what it saw and wrote, enough to tell that nothing changed.

It lies in the memory folder, as `state`: machine-local, never trusted. A file that is missing, torn or of another
version counts as absent, and the build starts from the sources. Light on purpose: a build with nothing to do
reads this and nothing else.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infograph.files.disk import read_file, write_private
from infograph.files.stamps import Stamp
from infograph.formats.compression import CompressionError, compressed, decompressed

FORMAT = 19
"""Version of all files in the memory folder."""

STATE = "state"
"""Name of the file that holds a `State`."""
PUBLISHING = "publishing"
"""Name of the file that exists while a build renames its outputs: found at a start, it says that the last build was cut
short."""
BUNDLE = "search"
"""Name of the file that holds what the next build must know of the search bundle."""


class RecordsLost(Exception):
    """Part of what the last build remembered is missing, so the build starts from the sources again."""


@dataclass(slots=True)
class State:
    """What the last build saw and wrote."""

    key: str
    """Digest of everything but the sources that the outputs depend on."""
    sources: dict[str, Stamp]
    """Stamp of every source."""
    hashes: dict[str, str]
    """SHA-256 of every source that was read."""
    outputs: dict[str, Stamp]
    """Stamp of every output that is not a chunk file."""
    folders: dict[str, str]
    """Digest of names, sizes and times in every `_chunks` folder, in `_search` and `_graph`, see `folders.digest`."""
    listed: dict[str, int]
    """Directories that need not be listed again, see `Discovery.listed`."""
    chunk_counts: dict[str, int]
    """Number of chunks of each document."""
    versions: dict[str, str]
    """Version in the names of the chunk files of each document; empty in place, where they have none."""
    errors: list[list[str]]
    """Path, place, reason and hint of every document that failed."""
    unenriched: dict[str, int]
    """Number of chunks of each document of which no language model said anything, where there are some."""
    enriched: dict[str, Stamp]
    """Stamps of the files of records, by document."""
    notices: list[list[Any]]
    """Path, kind, message and count of every notice of a document."""
    topics: int
    chunks: int
    included: dict[str, dict[str, Stamp]]
    """Stamps of the files that the includes of a document looked for, by document and path in the repository."""
    tables: dict[str, Stamp]
    """Stamps of authority tables beside the sources, by topic, when the outputs are elsewhere."""
    older: list[list[str]]
    """Files that the last publication left out, and those that the one before did: they still stand for readers who
    have an index or a manifest that names them."""
    converters: dict[str, str | None]
    """Versions of the packages that converted documents; empty where none was converted."""
    heads: dict[str, str]
    """First bytes, part of a digest, of the other files in the memory folder: files of two builds, as an incomplete
    restore mixes them, do not fit together."""


def _as_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def load_state(memory: Path, key: str) -> State | None:
    """Returns the last build's state, if it was made under the same key and reached its end."""
    if os.path.lexists(os.path.join(memory, PUBLISHING)):
        return None
    data = read_file(Path(os.path.join(memory, STATE)))
    if data is None:
        return None
    digest, _, packed = data.partition(b"\n")
    if hashlib.sha256(packed).hexdigest().encode() != digest:
        return None
    try:
        value = json.loads(decompressed(packed))
        if value.pop("format") != FORMAT or value["key"] != key:
            return None
        return State(**value)
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
        CompressionError,
    ):  # the digest is right: made by hand
        return None


def save_state(memory: Path, state: State, dumps: Callable[[Any], bytes] = _as_json) -> None:
    """Writes the state durably. Raises OutputError.

    dumps: `orjson.dumps`, of a build that has it loaded: a sixth of the time
    """
    value = {"format": FORMAT} | {name: getattr(state, name) for name in State.__slots__}
    packed = compressed(dumps(value))
    write_private(memory, STATE, hashlib.sha256(packed).hexdigest().encode() + b"\n" + packed)
