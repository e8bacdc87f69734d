"""The media type of each file that a server or an object store hands out, by its name."""

from __future__ import annotations

import mimetypes
import re

from infograph.formats.names import is_index

_OWN_TYPES = {
    ".js": "text/javascript",
    ".json": "application/json",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".mdx": "text/markdown",
    ".mjs": "text/javascript",
    ".schema.json": "application/schema+json",
    ".svg": "image/svg+xml",
    ".ts": "text/plain",
    ".txt": "text/plain",
    ".wasm": "application/wasm",
    ".woff2": "font/woff2",
    ".z": "application/octet-stream",
}
"""Media types by suffix where Python's table, which differs between versions, is wrong or has none. A `.z` is
compressed data that the client unpacks itself: with a Content-Encoding the browser would unpack it."""
_COMPRESSIBLE = re.compile(
    r"text/.*|application/(?:.*\+)?(?:json|xml)|application/(?:wasm|x-javascript)|image/svg\+xml"
)
_TYPES = mimetypes.MimeTypes()  # Python's own table: the system's differs between machines


def media_type(name: str) -> str:
    """The Content-Type of a file, by its name."""
    lower = name.lower()
    if is_index(lower):
        return "application/hal+json"
    for start in (position for position, sign in enumerate(lower) if sign == "."):  # the longest suffix first
        if own := _OWN_TYPES.get(lower[start:]):
            return _with_charset(own)
    stem, dot, suffix = lower.rpartition(".")
    kind, encoding = _TYPES.guess_type(f"file.{suffix}") if dot and stem else (None, None)
    return _with_charset(kind) if kind and not encoding else "application/octet-stream"


def is_compressible(kind: str) -> bool:
    """Whether files of a media type get smaller by compression.

    kind: a Content-Type, with or without its parameters
    """
    return _COMPRESSIBLE.fullmatch(kind.partition(";")[0]) is not None


def _with_charset(kind: str) -> str:
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
