"""The facts that writer and reader of a search bundle share: its names, its format number, its limits."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from infograph.formats.names import SEARCH, SEARCH_MANIFEST, SHARD_DIGITS

FORMAT = 1

MANIFEST = SEARCH_MANIFEST.removeprefix(f"{SEARCH}/")

HASH_BITS = 64
"""Bits of a question's hash."""

DIRECTORY = 64
"""Number of shard names in a directory file."""

LARGEST_NUMBER = 1 << 50
"""What slots, places and counts stay below: JavaScript's numbers are exact up to 2^53."""

LARGEST_MANIFEST = 1 << 22
"""Most bytes of a manifest that a reader accepts."""

LARGEST_SHARD_WRITTEN = 1 << 24
"""Most bytes of a shard after inflation, which the manifest states as `largest_shard`."""

LARGEST_SHARD_READ = 1 << 26
"""Most bytes of a shard after inflation that a reader accepts, whatever the manifest states."""


def content_name(kind: str, data: bytes) -> str:
    """Name of a shard's file: its kind, a letter, and the first digits of the SHA-256 of its bytes on disk.

    `SHARD_NAME` in `infograph.formats.names` is the pattern of such names.
    """
    return f"{kind}-{hashlib.sha256(data).hexdigest()[:SHARD_DIGITS]}.z"


_NO_FILE = "-" * SHARD_DIGITS
_LIST = re.compile(rf"[a-z-]-(?:[0-9a-f]{{{SHARD_DIGITS}}}|{_NO_FILE})*")


def joined_names(names: Sequence[str]) -> str:
    """Returns a list of names as one text: the kind and a hyphen, then the digits of each, hyphens for an empty name.

    A manifest lists hundreds: written out, each would take half as many bytes again, and every reader fetches it.
    """
    kinds = {name[0] for name in names if name}
    if len(kinds) > 1:
        raise ValueError(f"files of several kinds in one list: {sorted(kinds)}")
    return f"{next(iter(kinds), '-')}-{''.join(name[2:-2] or _NO_FILE for name in names)}"


def count_names(joined: str) -> int:
    """Returns the number of names in a list that is one text; -1 for one that is malformed."""
    return (len(joined) - 2) // SHARD_DIGITS if _LIST.fullmatch(joined) else -1


def name_at(joined: str, number: int) -> str:
    """Returns a name of a list that is one text; empty for an empty name, and for a number beyond its end."""
    digits = joined[2 + number * SHARD_DIGITS :][:SHARD_DIGITS]
    return "" if digits in ("", _NO_FILE) else f"{joined[:2]}{digits}.z"


def split_names(joined: str) -> list[str]:
    """Returns the names of a list that is one text; an empty list for a malformed text."""
    return [name_at(joined, number) for number in range(count_names(joined))]
