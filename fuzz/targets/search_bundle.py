"""Fuzzes the reader of `_search/` with one arbitrary file in a bundle: a FormatError, or an answer of complete hits.

The first byte of an input says which file of the bundle (`KINDS`) the others replace, inflated; its name gets the right
digest, as a hostile publisher would give it. With `q` the bundle is unchanged and the others are the query. The seeds
are the files of the bundle.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NoReturn

from infograph.errors import ConfigError, FormatError
from infograph.search.format.encoding import deflate
from infograph.search.format.layout import content_name
from infograph.search.format.results import Hit
from infograph.search.reading.reader import Reader
from infograph.text.language import stemmer

SEEDS = Path(__file__).parents[1] / "corpus" / "search_bundle"
KINDS = "pdvwblnxym"
"""Kinds of files: postings, documents, vectors, words, words backwards, links, directories of the files of postings,
words, words backwards, manifest. Each names only files of the kinds before it, as `p-pppppppppppppppp.z`."""
QUERY = "clear the cache"

_PLACEHOLDER = re.compile(rb"([pdvwblnxy])-\1{16}")
"""What a name begins with, or a list of one name."""


@cache
def whole() -> dict[str, bytes]:
    """The contents of a complete bundle by kind, from the seeds."""
    return {kind: (SEEDS / f"whole-{kind}").read_bytes()[1:] for kind in KINDS}


def packed(contents: dict[str, bytes]) -> dict[str, bytes]:
    """The files of a bundle, deflated, each with the digest of its bytes in its name."""
    names: dict[bytes, bytes] = {}
    files = {}
    for kind in KINDS:
        data = _PLACEHOLDER.sub(lambda match: names.get(match[1], match[0]), contents[kind])
        if kind == "m":
            files["manifest.json"] = data
        else:
            data = deflate(data)
            name = content_name(kind, data)
            files[name] = data
            names[kind.encode()] = name[:-2].encode()
    return files


def check(data: bytes) -> None:
    """Asserts what must hold for any input."""
    kind, data = data[:1].decode("latin-1"), data[1:]
    if kind == "q":
        files, query = packed(whole()), data.decode("utf-8", "replace")
    elif kind and kind in KINDS:
        files, query = packed(whole() | {kind: data}), QUERY
    else:
        return

    def fetch(name: str) -> bytes:
        if name not in files:
            raise FileNotFoundError(name)
        return files[name]

    try:
        reader = Reader(fetch, stemmer)
    except FormatError:
        return
    _answers(reader, reader.search(query, 5, diversity=0.5))
    _answers(reader, Reader(fetch, _none).pages(query, 5))
    for rows in (reader.complete(query[:3], 5), reader.correct(query[:5], 5)):
        assert all(isinstance(term, str) and isinstance(count, int) for term, count in rows)
        _answers(reader, [])


def _answers(reader: Reader, hits: list[Hit]) -> None:
    """Asserts that hits and the reader's missing files have the right types."""
    for hit in hits:
        texts = (hit.page, hit.page_title, hit.page_url, hit.title, hit.anchor, hit.snippet, hit.href, hit.sha256)
        assert all(isinstance(text, str) for text in (*texts, *hit.section_path))
        assert isinstance(hit.section_path, tuple) and hit.tokens >= 0
        assert re.fullmatch("[0-9a-f]{16}", hit.simhash), hit.simhash
        _answers(reader, list(hit.duplicates))
    assert all(isinstance(name, str) and reason for name, reason in reader.missing.items())


def _none(language: str) -> NoReturn:
    """A stemmer for no language."""
    raise ConfigError("stemmer", language)


_HOSTILE = (
    None,
    True,
    -1,
    0.5,
    1e308,
    2**53,
    2**64,
    "",
    "\ud800",
    "__class__",
    [],
    {},
    [[]],
    [None],
    *(f"{kind}-{kind * 16}.z" for kind in "pdvwblnxy"),
)


def mutate(data: bytes, chance: Random) -> bytes | None:
    """Removes, copies or replaces one value of a JSON file; None where the input is not JSON."""
    if data[:1] not in (b"d", b"w", b"b", b"l", b"n", b"x", b"y", b"m"):
        return None
    try:
        box = [json.loads(data[1:])]
    except (ValueError, RecursionError):
        return None
    places: list[tuple[Any, Any]] = []
    waiting: list[Any] = [box]
    while waiting:
        holder = waiting.pop()
        for key, value in holder.items() if isinstance(holder, dict) else enumerate(holder):
            places.append((holder, key))
            if isinstance(value, list | dict):
                waiting.append(value)
    holder, key = chance.choice(places)
    other, other_key = chance.choice(places)
    copy = json.loads(json.dumps(other[other_key]))
    match chance.randrange(4):
        case 0:
            del holder[key]
        case 1:
            holder[key] = chance.choice(_HOSTILE)
        case 2:
            holder[key] = copy
        case _ if isinstance(holder, list):
            holder.insert(key, copy)
        case _:
            holder[str(chance.randrange(100))] = copy
    return data[:1] + json.dumps(box[0] if box else None).encode()
