"""The state of a bundle, from which the next build computes what differs.

Its bytes: a line with the SHA-256 of all that follows; a line of JSON with the key under which it was made and the
length of each part; and the parts, arrays as they lie in memory, little endian. It belongs to one machine and is never
trusted: what is torn, of another key or of another version counts as missing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from infograph.search.format.ragged import starts_of
from infograph.search.writing.dictionary import Wording
from infograph.search.writing.link_table import KeyLists, LinkTable
from infograph.search.writing.page_links import Keys
from infograph.search.writing.postings import Postings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STATE_FORMAT = 7


@dataclass(frozen=True, slots=True)
class SearchState:
    """The contents of a bundle, pages in the order of their slots."""

    key: str
    """Digest of all that the bundle depends on except the pages, see `state_key`."""
    paths: tuple[str, ...]
    slots: NDArray[np.int64]
    sizes: NDArray[np.int64]
    """Number of chunks of each page."""
    lengths: NDArray[np.int64]
    """Number of terms of each page, repeats counted."""
    blocks: tuple[bytes, ...]
    """The JSON that is shown of each block, in the order of slot and block."""
    vectors: NDArray[np.int8]
    questions: tuple[bytes, ...]
    """`PageIndex.questions` of each page."""
    fields: tuple[bytes, ...]
    """What the chunks of each page can be filtered by, see `page_fields`."""
    postings: Postings
    wording: Wording
    entries: tuple[bytes, ...]
    """The entries of the postings' terms as they stand in the shards."""
    links: LinkTable
    shards: Mapping[str, str]
    """Names of files by their contents, see `Shards.names`."""

    @classmethod
    def empty(cls, key: str, dimension: int, common: Mapping[str, str]) -> SearchState:
        import numpy as np

        none = np.zeros(0, np.int64)
        nothing = np.zeros((0, dimension), np.int8)
        empty = Postings.none()
        wording = Wording(empty, {}, common)
        return cls(key, (), none, none, none, (), nothing, (), (), empty, wording, (), LinkTable.empty(), {})

    def dump(self) -> list[bytes | memoryview]:
        """Returns the state as bytes, in parts to be written one after the other."""
        parts: dict[str, bytes | memoryview] = {
            "paths": "\0".join(self.paths).encode(),
            "slots": _bytes(self.slots, "<i8"),
            "sizes": _bytes(self.sizes, "<i8"),
            "lengths": _bytes(self.lengths, "<i8"),
            "block_lengths": _lengths(self.blocks),
            "blocks": b"".join(self.blocks),
            "vectors": _bytes(self.vectors, "<i1"),
            "question_lengths": _lengths(self.questions),
            "questions": b"".join(self.questions),
            "field_lengths": _lengths(self.fields),
            "fields": b"".join(self.fields),
            **_postings("", self.postings),
            **_postings("form_", self.wording.pairs),
            "written": _pairs(self.wording.site),
            "common": _pairs(self.wording.common),
            "entry_lengths": _lengths(self.entries),
            "entries": b"".join(self.entries),
            **_keys("defined", self.links.defined),
            **_keys("used", self.links.used),
            "link_digests": _bytes(self.links.digests, "<u8"),
            "shards": json.dumps(self.shards).encode(),
        }
        sizes = {name: len(part) for name, part in parts.items()}
        head = {"format": STATE_FORMAT, "key": self.key, "dimension": self.vectors.shape[1], "parts": sizes}
        rest = [json.dumps(head).encode() + b"\n", *parts.values()]
        digest = hashlib.sha256()
        for part in rest:
            digest.update(part)
        return [digest.hexdigest().encode() + b"\n", *rest]


def load_state(data: bytes, key: str) -> SearchState | None:
    """Reads what `dump` returned; None for anything else and for another key. The arrays are views of `data`."""
    import numpy as np

    view = memoryview(data)
    if hashlib.sha256(view[65:]).hexdigest().encode() + b"\n" != data[:65]:
        return None
    at = data.index(b"\n", 65) + 1
    head = json.loads(data[65:at])
    if head["format"] != STATE_FORMAT or head["key"] != key:
        return None
    parts: dict[str, memoryview] = {}
    for name, size in head["parts"].items():
        parts[name] = view[at : at + size]
        at += size

    def array(name: str, kind: str) -> NDArray[Any]:
        return np.frombuffer(parts[name], kind)

    def cuts(name: str, lengths: str) -> tuple[bytes, ...]:
        part = bytes(parts[name])
        return tuple([part[begin:end] for begin, end in pairwise(starts_of(array(lengths, "<i8")).tolist())])

    def postings(prefix: str) -> Postings:
        frequencies, chunks = array(f"{prefix}frequencies", "<i8"), array(f"{prefix}chunks", "<i4")
        return Postings(_texts(parts[f"{prefix}terms"]), frequencies, chunks, array(f"{prefix}impacts", "<u2"))

    def keys(name: str) -> KeyLists:
        rows = Keys(array(f"{name}_keys", "<u8"), array(f"{name}_in", "<i4"), array(f"{name}_kinds", "<u1"))
        return KeyLists(array(f"{name}_lengths", "<i8"), rows)

    return SearchState(
        key=key,
        paths=_texts(parts["paths"]),
        slots=array("slots", "<i8"),
        sizes=array("sizes", "<i8"),
        lengths=array("lengths", "<i8"),
        blocks=cuts("blocks", "block_lengths"),
        vectors=array("vectors", "<i1").reshape(-1, head["dimension"]),
        questions=cuts("questions", "question_lengths"),
        fields=cuts("fields", "field_lengths"),
        postings=postings(""),
        wording=Wording(postings("form_"), _mapping(parts["written"]), _mapping(parts["common"])),
        entries=cuts("entries", "entry_lengths"),
        links=LinkTable(keys("defined"), keys("used"), array("link_digests", "<u8")),
        shards=json.loads(bytes(parts["shards"])),
    )


def _postings(prefix: str, postings: Postings) -> dict[str, bytes | memoryview]:
    return {
        f"{prefix}terms": "\0".join(postings.terms).encode(),
        f"{prefix}frequencies": _bytes(postings.frequencies, "<i8"),
        f"{prefix}chunks": _bytes(postings.chunks, "<i4"),
        f"{prefix}impacts": _bytes(postings.impacts, "<u2"),
    }


def _keys(name: str, lists: KeyLists) -> dict[str, bytes | memoryview]:
    return {
        f"{name}_lengths": _bytes(lists.lengths, "<i8"),
        f"{name}_keys": _bytes(lists.rows.keys, "<u8"),
        f"{name}_in": _bytes(lists.rows.chunks, "<i4"),
        f"{name}_kinds": _bytes(lists.rows.kinds, "<u1"),
    }


def _bytes(array: NDArray[Any], kind: str) -> memoryview:
    import numpy as np

    return np.ascontiguousarray(array, kind).ravel().view(np.uint8).data


def _lengths(parts: Sequence[bytes]) -> memoryview:
    import numpy as np

    return _bytes(np.fromiter(map(len, parts), np.int64, len(parts)), "<i8")


def _texts(part: memoryview) -> tuple[str, ...]:
    return tuple(bytes(part).decode().split("\0")) if len(part) else ()


def _pairs(mapping: Mapping[str, str]) -> bytes:
    return "\0".join([text for item in mapping.items() for text in item]).encode()


def _mapping(part: memoryview) -> dict[str, str]:
    texts = _texts(part)
    return dict(zip(texts[::2], texts[1::2], strict=True))
