"""Lets the logic of a search ask for files of the bundle by name, without knowing where they are.

A generator yields the names of the files that it needs next and is sent their contents. Files that can be fetched at
the same time are asked for together. In place of a file that could not be read the error is sent; the answer then lacks
what the file holds.
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

FileContent = Any
"""Inflated bytes of a shard of postings, vectors or columns, or of a map; the JSON value of any other file."""
Asking = Generator[Sequence[str], Mapping[str, FileContent | InfographError], T]
"""Yields names of files within `_search/`, is sent their contents, returns an answer."""

_BYTES = ("p", "v", "m", "c")


def opened(name: str, packed: bytes, largest: int) -> FileContent:
    """Returns the contents of a file. Raises FormatError where its bytes are not those of the digest in its name, as in
    a torn file or one of another build, and where it is malformed."""
    if content_name(name[:1], packed) != name:
        raise FormatError(name, "not the file that its name says", "Fetch it again, or build the site again")
    data = inflate(packed, largest, name)
    if name.startswith(_BYTES):
        return data
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise FormatError(name, f"not JSON: {error}", "Build the site again") from None


def ask_for(names: Iterable[str], remarks: Remarks) -> Asking[dict[str, FileContent]]:
    """Returns the contents of the files that can be read, by name; the others are noted as missing. An empty name
    stands for a shard without contents, and is skipped."""
    wanted = []
    for name in dict.fromkeys(names):
        if not name or name in remarks.missing:
            continue
        if SHARD_NAME.fullmatch(name):
            wanted.append(name)
        else:
            remarks.missing[name] = "no name of a shard"
    found: dict[str, FileContent] = {}
    if wanted:
        had = yield wanted
        for name in wanted:
            contents = had[name]
            if isinstance(contents, InfographError):
                remarks.missing[name] = str(contents)
            else:
                found[name] = contents
    return found
