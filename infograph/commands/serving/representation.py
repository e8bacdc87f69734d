"""Chooses media type, encoding and ETag of a file, as pure functions of its bytes and the request's headers."""

from __future__ import annotations

import gzip
import hashlib
import re
from dataclasses import dataclass

from infograph.formats.media_types import is_compressible, media_type

_RANGE = re.compile(
    r"bytes=[ \t]*(?:(?P<first>\d{1,18})-(?P<last>\d{1,18})?|-(?P<suffix>\d{1,18}))[ \t]*", re.IGNORECASE
)
_TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')


@dataclass(frozen=True, slots=True)
class Representation:
    """A file as it is sent to one client."""

    body: bytes
    """The bytes to send, compressed where `encoding` says so."""
    media_type: str
    """Content-Type, with its charset for text."""
    encoding: str
    """Content-Encoding: `gzip`, or empty."""
    etag: str
    """ETag in its quotes: a digest of the file's bytes, different for each encoding."""
    varies: bool
    """Whether the encoding depends on the client's Accept-Encoding."""


def represent(data: bytes, name: str, accept_encoding: str) -> Representation:
    """The form in which a file is sent: compressed where the client accepts that and it is shorter."""
    kind = media_type(name)
    digest = hashlib.sha256(data).hexdigest()[:32]
    varies = is_compressible(kind)
    if varies and accepts_gzip(accept_encoding):
        packed = gzip.compress(data, 6, mtime=0)
        if len(packed) < len(data):
            return Representation(packed, kind, "gzip", f'"{digest}-gzip"', varies)
    return Representation(data, kind, "", f'"{digest}"', varies)


def accepts_gzip(header: str) -> bool:
    """Whether an Accept-Encoding allows gzip (RFC 9110, section 12.5.3)."""
    weights: dict[str, float] = {}
    for item in header.lower().split(","):
        coding, *parameters = (part.strip() for part in item.split(";"))
        weight = next((part[2:] for part in parameters if part.startswith("q=")), "1")
        weights[coding] = float(weight) if re.fullmatch(r"[01](?:\.\d{0,3})?", weight) else 0.0
    return next((weights[name] for name in ("gzip", "x-gzip", "*") if name in weights), 0.0) > 0


def unchanged(etag: str, if_none_match: str | None) -> bool:
    """Whether If-None-Match names this ETag, so that the reply is 304 (RFC 9110, section 13.1.2)."""
    if if_none_match is None:
        return False
    return if_none_match.strip() == "*" or etag in _TAG.findall(if_none_match)


@dataclass(frozen=True, slots=True)
class ByteRange:
    """The part of a body that is sent; empty where the body has nothing of what was asked for."""

    start: int
    end: int
    """Place after the last byte."""


def asked_range(size: int, etag: str, asked: str | None, if_range: str | None) -> ByteRange | None:
    """The part of a body of so many bytes that a request asks for (RFC 9110, section 14.2); None for the whole.

    Several ranges, other units and what does not parse give the whole, as the standard allows; so does an If-Range that
    does not name this ETag. A date there never does: no reply has a Last-Modified.

    asked: the header Range
    """
    found = _RANGE.fullmatch((asked or "").strip())
    if found is None or (if_range is not None and if_range.strip() != etag):
        return None
    if found["suffix"] is not None:
        return ByteRange(max(0, size - int(found["suffix"])), size)
    start, last = int(found["first"]), int(found["last"]) if found["last"] else size - 1
    if found["last"] and last < start:
        return None
    return ByteRange(start, max(start, min(last + 1, size))) if start < size else ByteRange(size, size)
