"""How what reads the search bundle asks for its files: by their names, without a word on where they are.

A generator yields the names of those that it needs next, and is sent their contents. Files that can be fetched at the
same time are asked for together. What could not be had is sent as the error that said so, and costs what that file
holds.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import orjson

from infograph.errors import FormatError, InfographError
from infograph.formats.names import SHARD_NAME
from infograph.search.format.encoding import inflate
from infograph.search.format.layout import content_name
from infograph.search.format.results import Remarks

T = TypeVar("T")

Contents = Any
"""Inflated bytes of a shard of postings or vectors; the JSON value of another."""
Asking = Generator[Sequence[str], Mapping[str, Contents | InfographError], T]
"""Yields names of files within `_search/`, is sent their contents, returns an answer."""

_BYTES = ("p", "v", "m")


def opened(name: str, packed: bytes, largest: int) -> Contents:
    """What a shard's file holds, which has to be the one whose digest its name is: not another build's, not half of
    it. Raises FormatError."""
    if content_name(name[:1], packed) != name:
        raise FormatError(name, "not the file that its name says", "Fetch it again, or build the site again")
    data = inflate(packed, largest, name)
    if name.startswith(_BYTES):
        return data
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise FormatError(name, f"not JSON: {error}", "Build the site again") from None


def ask_for(names: Iterable[str], remarks: Remarks) -> Asking[dict[str, Contents]]:
    """The files that can be had. Empty names are shards without contents."""
    wanted = []
    for name in dict.fromkeys(names):
        if not name or name in remarks.missing:
            continue
        if SHARD_NAME.fullmatch(name):
            wanted.append(name)
        else:
            remarks.missing[name] = "no name of a shard"
    found: dict[str, Contents] = {}
    if wanted:
        had = yield wanted
        for name in wanted:
            contents = had[name]
            if isinstance(contents, InfographError):
                remarks.missing[name] = str(contents)
            else:
                found[name] = contents
    return found
