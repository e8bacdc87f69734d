"""Packs entries into files and returns the manifest's fields by which they are found again."""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, MutableMapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from infograph.search.format.encoding import deflate
from infograph.search.format.layout import DIRECTORY, content_name, joined_names

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INLINE = 256
"""Most names of one kind of shard that the manifest itself lists."""
DICTIONARY_TERMS = 1024
"""Average number of terms in a file of the dictionary."""
DICTIONARY_SHARE = 0.02
"""Share of all files that the dictionary may have, forwards and backwards each."""
SINGLE = 4
"""Files that are not shards: the manifest, the dictionary's two directories, the map for reranking."""

PackShards = Callable[[Sequence[Sequence[int]]], Iterable[bytes]]
"""Function from the places of the entries of some shards to the bytes of each."""

TermRow = tuple[Any, ...]
"""A term, and what stands beside it."""


class TermRange(NamedTuple):
    """The terms of one file: from its first up to where the next file begins."""

    first: str
    end: str | None
    """None for the last file."""

    def __contains__(self, term: object) -> bool:
        return isinstance(term, str) and self.first <= term and (self.end is None or term < self.end)

    def of(self, terms: Sequence[str]) -> slice:
        """Returns where in sorted terms those of the file are."""
        return slice(bisect_left(terms, self.first), len(terms) if self.end is None else bisect_left(terms, self.end))


def each(pack: Callable[[Sequence[int]], bytes]) -> PackShards:
    """Returns the function that packs each shard by itself."""
    return lambda shards: map(pack, shards)


class Shards:
    """Collects the files of one bundle.

    known: `names` of the last build: deflating is most of the work, and a shard in which nothing changed is not made
           again
    files: takes the bytes of the files, see `self.files`
    """

    def __init__(
        self, max_files: int, known: Mapping[str, str], files: MutableMapping[str, bytes] | None = None
    ) -> None:
        self._max_files = max_files - SINGLE
        self._known = known
        self._there = frozenset(known.values())
        self.files: MutableMapping[str, bytes] = {} if files is None else files
        """Bytes of the files that the last build did not have, by name."""
        self.names: dict[str, str] = {}
        """Name of every file by what it holds: a label with the number of a shard, the digest of other contents."""

    def beside(self, files: MutableMapping[str, bytes]) -> Shards:
        """Returns what collects more files of the same bundle at the same time, until it is joined.

        files: takes their bytes until then
        """
        return Shards(self._max_files + SINGLE, self._known, files)  # which are taken away again

    def join(self, other: Shards) -> None:
        """Takes over, behind its own files, what was collected beside it."""
        self.names.update(other.names)
        for name in list(other.files):
            self.files[name] = other.files.pop(name)

    def hashed(
        self,
        kind: str,
        hashes: NDArray[np.uint32],
        changed: NDArray[np.uint32],
        contents: PackShards,
        total: int,
        aim: int,
        share: float,
    ) -> dict[str, Any]:
        """Packs entries, in the order given, into 2^bits files by the hashes of their keys; returns the manifest's
        table.

        changed: hashes of entries that came, went or are others than in the last build
        total:   bytes of all entries; a file aims at `aim`, and all of them may take `share` of all files
        """
        import numpy as np

        bits = math.ceil(math.log2(max(1, total / aim)))
        bits = min(bits, int(math.log2(max(1, self._max_files * share))))
        shard = hashes.astype(np.int64) >> (32 - bits)
        order = np.argsort(shard, kind="stable")
        ends = np.searchsorted(shard[order], np.arange((1 << bits) + 1)).tolist()
        differs = set((changed.astype(np.int64) >> (32 - bits)).tolist())
        labels = [f"{kind}{bits}.{number}" for number in range(1 << bits)]
        names = [
            "" if begin == end or number in differs else self._known.get(labels[number], "")
            for number, (begin, end) in enumerate(pairwise(ends))
        ]
        anew = [number for number, name in enumerate(names) if not name and ends[number] < ends[number + 1]]
        parts = [order[ends[number] : ends[number + 1]].tolist() for number in anew]
        for number, data in zip(anew, contents(parts), strict=True):
            names[number] = self._add(kind, data)
        self.names.update((label, name) for label, name in zip(labels, names, strict=True) if name)
        return self.table(bits, names)

    def table(self, bits: int, names: list[str]) -> dict[str, Any]:
        """Returns the manifest's table of 2^bits files, of which it lists the names, or directories with the names."""
        return {"bits": bits, **self._names(names)}

    def sorted(
        self,
        label: str,
        terms: Sequence[str],
        hashes: NDArray[np.uint32],
        changed: Collection[str],
        rows: Callable[[Sequence[TermRange]], Iterable[list[TermRow]]],
    ) -> str:
        """Packs rows of sorted terms into files, which are cut where a term's hash says so; returns the name of their
        directory.

        label:   what these rows are remembered as: the terms of a bundle are sorted in more than one way
        terms:   in any order
        changed: terms whose rows came, went or are others than in the last build
        rows:    function from the terms of some files, ascending, to the sorted rows of each
        """
        spans = self._spans(terms, hashes)
        firsts = [span.first for span in spans]
        differs = {bisect_right(firsts, term) - 1 for term in changed}
        # A file is what it was where none of its rows is another, and it and the next one begin where they began. What
        # stood before the first term was in the first file, which has another label then.
        labels = [f"{label} {span.first} {span.end or ''}" for span in spans]
        names = ["" if place in differs else self._known.get(own, "") for place, own in enumerate(labels)]
        anew = [place for place, name in enumerate(names) if not name]
        for place, found in zip(anew, rows([spans[place] for place in anew]) if anew else (), strict=True):
            names[place] = self._add("w", orjson.dumps(found))
        self.names.update(zip(labels, names, strict=True))
        return self.whole("n", orjson.dumps(list(zip(firsts, names, strict=True)))) if spans else ""

    def _spans(self, terms: Sequence[str], hashes: NDArray[np.uint32]) -> list[TermRange]:
        """Returns the files that terms are cut into: the first term begins one, and each whose hash says so."""
        import numpy as np

        if not len(terms):
            return []
        first = min(terms)
        most = max(1, int(self._max_files * DICTIONARY_SHARE))
        below = (1 << 32) // DICTIONARY_TERMS
        while len(firsts := {first, *(terms[place] for place in np.flatnonzero(hashes < below).tolist())}) > most:
            below //= 2
        begins = sorted(firsts)
        return [TermRange(begin, end) for begin, end in zip(begins, [*begins[1:], None], strict=True)]

    def listed(self, kind: str, contents: Sequence[bytes]) -> dict[str, Any]:
        """Adds the shards of a table, those that have contents; returns the table's names."""
        return self._names([self.whole(kind, data) if data else "" for data in contents])

    def _names(self, names: list[str]) -> dict[str, Any]:
        if len(names) <= INLINE:
            return {"names": joined_names(names)}
        parts = [joined_names(names[start : start + DIRECTORY]) for start in range(0, len(names), DIRECTORY)]
        return {"directories": [self.whole("n", orjson.dumps(part)) for part in parts]}

    def whole(self, kind: str, data: bytes) -> str:
        """Adds a file that is named by the digest of its contents; returns its name."""
        digest = hashlib.sha256(kind.encode() + data).hexdigest()[:32]
        name = self.names[digest] = self._known.get(digest) or self._add(kind, data)
        return name

    def _add(self, kind: str, data: bytes) -> str:
        packed = deflate(data)
        name = content_name(kind, packed)
        if name not in self._there:
            self.files[name] = packed
        return name
