"""Which file a request means: the names in its target, or that it can mean none."""

from __future__ import annotations

import os
import re
from urllib.parse import quote, unquote_to_bytes

from infograph.formats.names import PRIVATE

RESERVED = PRIVATE
"""First name of the addresses that the server answers itself. No file has such an address: names that begin with a dot
are not served."""

_ORIGIN = re.compile(r"https?://[^/?#]*", re.IGNORECASE)
_PATH = re.compile(r"/(?:[A-Za-z0-9\-._~:@!$&'()*+,;=/\[\]|^{}]|%[0-9A-Fa-f]{2})*")
"""What may stand in the path of a target (RFC 3986, section 3.3), and what browsers leave unencoded there."""
_NO_NAME_ON_WINDOWS = re.compile(r'[\\:*?"<>|]')


class BadAddressError(ValueError):
    """A target that is not the address of anything: no percent-encoded path, or one that leads out of the root."""


def split_target(target: str) -> tuple[list[str], str]:
    """The decoded segments of a request target's path, and its query. A path that ends in a slash ends in an empty
    segment.

    Raises BadAddressError. Nothing is resolved here: clients do that before they ask, and what is left of `..` after
    it, however it is written, is an attempt to leave.
    """
    path, _, query = target.partition("#")[0].partition("?")
    if whole := _ORIGIN.match(path):  # the form that proxies get; every server must take it (RFC 9112, section 3.2.2)
        path = path[whole.end() :] or "/"
    if not _PATH.fullmatch(path):
        raise BadAddressError("the path is not percent-encoded as it must be")
    segments = [unquote_to_bytes(segment) for segment in path[1:].split("/")]
    for segment in segments:
        if segment in (b".", b"..") or b"/" in segment or b"\0" in segment:
            raise BadAddressError("a part of the path is not a name")
    return [os.fsdecode(segment) for segment in segments], query


def may_be_served(segments: list[str]) -> bool:
    """Whether these are names of what is published. Names that begin with a dot are not (`.git`, the embedding cache,
    this machine's memory), but for the one that is made for it (RFC 8615)."""
    if not all(segments[:-1]) or (os.name == "nt" and any(map(_NO_NAME_ON_WINDOWS.search, segments))):
        return False
    return not any(name.startswith(".") for name in segments[segments[0] == ".well-known" :])


def folder_address(segments: list[str], query: str) -> str:
    """Where a folder that was asked for without its final slash is: relative links in it need the slash."""
    path = "".join(f"/{quote(os.fsencode(name), safe='')}" for name in segments)
    return f"{path}/?{query}" if query else f"{path}/"
