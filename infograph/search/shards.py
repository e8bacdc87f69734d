"""Packs entries into files and says how they are found again."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from infograph.search.encoding import content_name, deflate, hashes32

DIRECTORY = 64
"""Names in a directory file."""
INLINE = 256
"""Most names that stand in the manifest itself."""
DICTIONARY_TERMS = 1024
DICTIONARY_SHARE = 0.04
"""Of all files."""

Join = Callable[[Sequence[bytes]], bytes]


class Shards:
    """The files of one bundle as they come to be.

    known: digest of what a shard holds to its name, from the last build: these files are there already, and deflating
    is most of the work
    """

    def __init__(self, max_files: int, known: Mapping[str, str]) -> None:
        self._max_files = max_files
        self._known = known
        self.files: dict[str, bytes] = {}
        """The new ones."""
        self.names: dict[str, str] = {}
        """Digest of the contents to the name, of every file."""

    def hashed(
        self, kind: str, keys: Sequence[bytes], entries: Sequence[bytes], aim: int, share: float,
        join: Join = b"".join,
    ) -> dict[str, Any]:  # fmt: skip
        """Entries, sorted by their keys, in 2^bits files by hash of the key. They may take `share` of all files."""
        import numpy as np

        total = sum(map(len, entries))
        bits = max(0, math.ceil(math.log2(max(1, total / aim))))
        bits = min(bits, int(math.log2(max(1, self._max_files * share))))
        shard = hashes32(keys).astype(np.int64) >> (32 - bits)
        order = np.argsort(shard, kind="stable")
        ends = np.searchsorted(shard[order], np.arange((1 << bits) + 1)).tolist()
        places = order.tolist()
        names = [
            self._add(kind, join([entries[place] for place in places[begin:end]])) if begin < end else ""
            for begin, end in pairwise(ends)
        ]
        return {"bits": bits, **self._names(names)}

    def dictionary(self, terms: Sequence[str], frequencies: Sequence[int]) -> dict[str, Any]:
        """Terms of the site with their document frequency, sorted by UTF-8 bytes (which is by code point)."""
        step = DICTIONARY_TERMS
        while len(terms) / step > max(1, self._max_files * DICTIONARY_SHARE):
            step *= 2
        cuts = (hashes32([term.encode() for term in terms]) % step == 0).tolist()
        shards: list[list[tuple[str, int]]] = []
        for term, df, begins in zip(terms, frequencies, cuts, strict=True):
            if not shards or begins:
                shards.append([])
            shards[-1].append((term, df))
        rows = [[shard[0][0], self._add("w", _compact(shard))] for shard in shards]
        return {"directory": self._add("n", _compact(rows)) if rows else ""}

    def _names(self, names: list[str]) -> dict[str, Any]:
        if len(names) <= INLINE:
            return {"names": names}
        parts = [names[start : start + DIRECTORY] for start in range(0, len(names), DIRECTORY)]
        return {"directories": [self._add("n", _compact(part)) for part in parts]}

    def _add(self, kind: str, data: bytes) -> str:
        digest = hashlib.sha256(kind.encode() + data).hexdigest()[:32]
        name = self._known.get(digest, "")
        if not name:
            packed = deflate(data)
            name = content_name(kind, packed)
            self.files[name] = packed
        self.names[digest] = name
        return name


def _compact(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
