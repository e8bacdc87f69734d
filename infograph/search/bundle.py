"""`_search/` as a value: every file's name and bytes, the manifest last.

How many shards there are follows from sizes rounded to powers of two, and which shard a thing is in from its own
hash: what is edited changes the shards it is in, and the manifest.

    manifest.json      the only fixed name: numbers, names of shards (or of directories, where they are many)
    p-*.z              postings by hash of the term, `posting_shards.py`
    d-*.z              what is shown, by hash of slot and block, JSON
    v-*.z              chunk vectors, int8, the same
    w-*.z              the dictionary: sorted terms, cut where a term's own hash says so, JSON
    n-*.z              directories: names of 64 shards, or of all dictionary files, JSON
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from infograph.search.dense import DenseList, dense_lists
from infograph.search.encoding import content_name, deflate, hash32, top_bits, varint
from infograph.search.impact import COUNTS, K1, LENGTHS, B
from infograph.search.page import PageIndex
from infograph.search.posting_shards import SparseList, encode_entries
from infograph.search.postings import ChunkIds, Postings, invert, number_chunks, strongest
from infograph.search.slots import assign_slots
from infograph.search.table import TermTable
from infograph.search.terms import Language

FORMAT = 1
MANIFEST = "manifest.json"
BLOCK = 16
"""Chunks of a page that are kept together in document and vector shards."""
DIRECTORY = 64
"""Names in a directory file."""
INLINE = 256
"""Most names that stand in the manifest itself."""
DICTIONARY_TERMS = 1024
POSTINGS_SHARE, DICTIONARY_SHARE = 0.52, 0.04
"""Of all files. Documents have half the postings' share, vectors a quarter, directories the rest. At 2,000 and at 500
files that is just above a power of two of posting shards."""
LARGEST_SHARD = 1 << 24
"""Bytes after inflation that a reader takes: written to the manifest."""

Join = Callable[[Sequence[bytes]], bytes]


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What a bundle is made by. Readers need `alpha` and `neighbour`, which are in the manifest."""

    alpha: float = 25.0
    """Weight of the dense sum beside BM25."""
    neighbour: float = 0.15
    """Share of the better neighbour's score."""
    most_sparse: int = 600
    """Postings of a term; a term in more chunks keeps its strongest."""
    most_dense: int = 128
    """Chunks in the dense list of a term that the site has."""
    most_dense_absent: int = 32
    """The same for a word that the site does not have: enough for `delete` to find what `remove` is said of."""
    posting_bytes: int = 6000
    """Bytes of a posting shard, before it is deflated, that the number of shards aims at."""
    document_bytes: int = 6000
    vector_bytes: int = 32768
    max_files: int = 2000


@dataclass(frozen=True, slots=True)
class Bundle:
    """The files of `_search/`, in the order to write them."""

    files: Mapping[str, bytes]
    manifest: Mapping[str, Any] = field(repr=False)


def bundle(
    pages: Iterable[PageIndex], language: Language, table: TermTable, options: SearchOptions = SearchOptions()
) -> Bundle:
    """The bundle of a tree. A function of the set of pages: their order does not matter."""
    by_path = {page.path: page for page in pages if page.rows}
    slots = assign_slots(by_path)
    ordered = [by_path[path] for path in slots]  # in the order of slots
    ids = number_chunks(ordered, slots)
    postings = invert(ordered, ids)
    chunks = len(ids.slots)

    files: dict[str, bytes] = {}
    entries = dict(_entries(ordered, ids, postings, language, table, options))
    shards = _Shards(files, options.max_files)
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "language": language.name,
        "stop_words": " ".join(sorted(language.stop_words)),
        "pages": len(by_path),
        "chunks": chunks,
        "bm25": {
            "k1": K1,
            "b": B,
            "average_length": round(sum(map(sum, (page.lengths for page in ordered))) / max(1, chunks), 3),
            "counts": COUNTS,
            "lengths": LENGTHS,
        },
        "dense": {"alpha": options.alpha, "unit": table.unit, "table": table.revision},
        "neighbour": options.neighbour,
        "vectors": {"dimension": table.dimension, "unit": table.vector_unit},
        "block": BLOCK,
        "largest_shard": LARGEST_SHARD,
        "postings": shards.hashed("p", entries, options.posting_bytes, POSTINGS_SHARE),
        "documents": shards.hashed(
            "d", _documents(ordered, slots), options.document_bytes, POSTINGS_SHARE / 2, _json_object
        ),
        "vector_shards": shards.hashed("v", _vectors(ordered, slots), options.vector_bytes, POSTINGS_SHARE / 4),
        "dictionary": shards.dictionary(postings),
    }
    files[MANIFEST] = json.dumps(manifest, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    return Bundle(files, manifest)


def _entries(
    pages: Sequence[PageIndex],
    ids: ChunkIds,
    postings: Postings,
    language: Language,
    table: TermTable,
    options: SearchOptions,
) -> Iterator[tuple[str, bytes]]:
    """Each term and its entry: the site's terms, and the table's that the site does not have."""
    import numpy as np

    nothing = np.zeros(0, np.int64)
    frequency = dict(zip(postings.terms, np.diff(postings.starts).tolist(), strict=True))
    terms = sorted({*postings.terms, *(table.terms if table.language == language.name else ())})
    sparse = []
    place = 0
    for term in terms:
        df = frequency.get(term, 0)
        if not df:
            sparse.append(SparseList(0, nothing, np.zeros(0, np.uint8)))
            continue
        begin, end = postings.starts[place : place + 2]
        place += 1
        chunks, impacts = postings.chunks[begin:end], postings.impacts[begin:end]
        if df > options.most_sparse:
            kept = strongest(impacts, options.most_sparse)
            chunks, impacts = chunks[kept], impacts[kept]
        sparse.append(SparseList(df, chunks, impacts))
    dense: list[DenseList] = [DenseList(nothing, nothing)] * len(terms)
    if table.language == language.name:
        vectors = np.concatenate([np.zeros((0, table.dimension), np.int8), *(page.vectors for page in pages)])
        rows = table.rows(terms)
        on_site = np.array([found.df > 0 for found in sparse], bool)
        for chosen, most in ((on_site, options.most_dense), (~on_site, options.most_dense_absent)):
            places = np.flatnonzero(chosen & rows.any(axis=1))
            for place, found in zip(places.tolist(), dense_lists(rows[places], vectors, most), strict=True):
                dense[place] = found
    kept_terms = [term for term, s, d in zip(terms, sparse, dense, strict=True) if s.df or len(d.chunks)]
    pairs = [(s, d) for s, d in zip(sparse, dense, strict=True) if s.df or len(d.chunks)]
    encoded = encode_entries(kept_terms, [s for s, _ in pairs], [d for _, d in pairs], ids)
    yield from zip(kept_terms, encoded, strict=True)


def _documents(pages: Sequence[PageIndex], slots: Mapping[str, int]) -> dict[str, bytes]:
    """A block's key, `slot.block`, and what is shown of it as a member of a JSON object."""
    blocks = {}
    for page in pages:
        for block, start in enumerate(range(0, len(page.rows), BLOCK)):
            key = f"{slots[page.path]}.{block}"
            body = [page.path, page.title, page.url, page.rows[start : start + BLOCK]]
            text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
            blocks[key] = f'"{key}":{text}'.encode()
    return blocks


def _json_object(members: Sequence[bytes]) -> bytes:
    return b"{" + b",\n".join(members) + b"}"


def _vectors(pages: Sequence[PageIndex], slots: Mapping[str, int]) -> dict[str, bytes]:
    """A block's key, and slot, block, number of chunks (varints) and their vectors."""
    blocks = {}
    for page in pages:
        slot = slots[page.path]
        for block, start in enumerate(range(0, len(page.rows), BLOCK)):
            rows = page.vectors[start : start + BLOCK]
            blocks[f"{slot}.{block}"] = varint(slot) + varint(block) + varint(len(rows)) + rows.tobytes()
    return blocks


class _Shards:
    """Packs entries into files and says how they are found again."""

    def __init__(self, files: dict[str, bytes], max_files: int) -> None:
        self._files = files
        self._max_files = max_files

    def hashed(
        self, kind: str, entries: Mapping[str, bytes], aim: int, share: float, join: Join = b"".join
    ) -> dict[str, Any]:
        """Entries in 2^bits files by hash of the key. They may take `share` of all files."""
        total = sum(map(len, entries.values()))
        bits = max(0, math.ceil(math.log2(max(1, total / aim))))
        bits = min(bits, int(math.log2(max(1, self._max_files * share))))
        members: list[list[bytes]] = [[] for _ in range(1 << bits)]
        for key in sorted(entries, key=str.encode):
            members[top_bits(hash32(key), bits)].append(entries[key])
        names = [self._add(kind, join(parts)) if parts else "" for parts in members]
        return {"bits": bits, **self._names(names)}

    def dictionary(self, postings: Postings) -> dict[str, Any]:
        """Terms of the site with their document frequency, sorted by UTF-8 bytes (which is by code point)."""
        step = DICTIONARY_TERMS
        while len(postings.terms) / step > max(1, self._max_files * DICTIONARY_SHARE):
            step *= 2
        shards: list[list[tuple[str, int]]] = []
        counts = (postings.starts[1:] - postings.starts[:-1]).tolist()
        for term, df in zip(postings.terms, counts, strict=True):
            if not shards or hash32(term) % step == 0:
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
        packed = deflate(data)
        name = content_name(kind, packed)
        self._files[name] = packed
        return name


def _compact(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
