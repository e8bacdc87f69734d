"""Maps the target of a HTTP request to the names of a file, and refuses names that are never served."""

from __future__ import annotations

import os
import re
from urllib.parse import quote, unquote_to_bytes

from infograph.formats.names import PRIVATE

RESERVED = PRIVATE
"""First segment of the addresses that the server answers itself; files with such names are not served."""

_ORIGIN = re.compile(r"https?://[^/?#]*", re.IGNORECASE)
_PATH = re.compile(r"/(?:[A-Za-z0-9\-._~:@!$&'()*+,;=/\[\]|^{}]|%[0-9A-Fa-f]{2})*")
"""The path of a target: the characters of RFC 3986, section 3.3, and those that browsers leave unencoded."""
_NO_NAME_ON_WINDOWS = re.compile(r'[\\:*?"<>|]')


class BadAddressError(ValueError):
    """The target is no percent-encoded path, or leads out of the root."""


def split_target(target: str) -> tuple[list[str], str]:
    """The decoded segments of a request target's path, and its query.

    The last segment is empty where the path ends in a slash. `..` is not resolved but refused, in any spelling: clients
    resolve paths before they ask, so that what is left of it is an attempt to leave the root.

    Raises BadAddressError.
    """
    path, _, query = target.partition("#")[0].partition("?")
    if whole := _ORIGIN.match(path):  # absolute form, which a server must accept (RFC 9112, section 3.2.2)
        path = path[whole.end() :] or "/"
    if not _PATH.fullmatch(path):
        raise BadAddressError("the path is not percent-encoded as it must be")
    segments = [unquote_to_bytes(segment) for segment in path[1:].split("/")]
    for segment in segments:
        if segment in (b".", b"..") or b"/" in segment or b"\0" in segment:
            raise BadAddressError("a part of the path is not a name")
    return [os.fsdecode(segment) for segment in segments], query


def may_be_served(segments: list[str]) -> bool:
    """Whether these are names of a published file or folder.

    Names that begin with a dot are private (`.git`, the embedding cache, the memory of builds); `.well-known` at the
    root is served (RFC 8615).
    """
    if not all(segments[:-1]) or (os.name == "nt" and any(map(_NO_NAME_ON_WINDOWS.search, segments))):
        return False
    return not any(name.startswith(".") for name in segments[segments[0] == ".well-known" :])


def folder_address(segments: list[str], query: str) -> str:
    """The address of a folder with its final slash, which relative links need; keeps the query."""
    path = "".join(f"/{quote(os.fsencode(name), safe='')}" for name in segments)
    return f"{path}/?{query}" if query else f"{path}/"
