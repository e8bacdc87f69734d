"""The facts that writer and reader of a search bundle share: its names, its format number, its limits."""

from __future__ import annotations

import hashlib

from infograph.formats.names import SEARCH, SEARCH_MANIFEST, SHARD_DIGITS

FORMAT = 1

MANIFEST = SEARCH_MANIFEST.removeprefix(f"{SEARCH}/")

HASH_BITS = 64
"""Bits of a question's hash."""

DIRECTORY = 64
"""Number of shard names in a directory file."""

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
