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

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from infograph.search import dense
from infograph.search.dense import DenseLists, quantised
from infograph.search.encoding import varint
from infograph.search.impact import COUNTS, K1, LENGTHS, B
from infograph.search.page import BLOCK, PageIndex
from infograph.search.posting_shards import Columns, encode_entries
from infograph.search.postings import Postings, merged, strongest
from infograph.search.ragged import owners_of, places_in, starts_of
from infograph.search.shards import Shards
from infograph.search.slots import assign_slots
from infograph.search.state import SearchState
from infograph.search.table import TermTable
from infograph.search.terms import Language

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORMAT = 1
MANIFEST = "manifest.json"
POSTINGS_SHARE = 0.52
"""Of all files. Documents have half of it, vectors a quarter; the dictionary 0.04, directories the rest. At 2,000 and
at 500 files that is just above a power of two of posting shards."""
LARGEST_SHARD = 1 << 24
"""Bytes after inflation that a reader takes: written to the manifest."""


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
    """Those that the last build did not make, and the manifest."""
    names: tuple[str, ...]
    """Of all files, the manifest last."""
    manifest: Mapping[str, Any] = field(repr=False)


def bundle(
    pages: Iterable[PageIndex], language: Language, table: TermTable, options: SearchOptions = SearchOptions()
) -> Bundle:
    """The bundle of a tree. A function of the set of pages: their order does not matter."""
    return update(None, (), pages, language, table, options)[0]


def state_key(language: Language, table: TermTable, options: SearchOptions) -> str:
    """What `load_state` asks for: digest of all but the pages that a bundle depends on."""
    parts = [FORMAT, language.name, sorted(language.stop_words), table.revision, asdict(options)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def update(
    state: SearchState | None,
    removed: Collection[str],
    changed: Iterable[PageIndex],
    language: Language,
    table: TermTable,
    options: SearchOptions = SearchOptions(),
) -> tuple[Bundle, SearchState]:
    """The bundle after pages have gone and come, byte for byte that of all pages at once.

    state:   of the last bundle, made under the same `state_key`; None makes a bundle from nothing
    removed: paths of pages that are gone
    changed: new pages, and those that differ
    """
    import numpy as np

    old = state or SearchState.empty(state_key(language, table, options), table.dimension)
    new = {page.path: page for page in changed}
    dense_terms = table.terms if table.language == language.name else ()

    pages = _Pages.merged(old, {*removed, *new}, [page for page in new.values() if page.size])
    postings, moved = merged(old.postings, pages.numbers, pages.added, dense_terms)
    scored, rows, kept = _rows(old, postings, moved, table if dense_terms else None)
    near = (
        _at_most(options.most_dense, len(pages.vectors), 4),
        _at_most(options.most_dense_absent, len(pages.vectors), 16),
    )
    most = np.where(postings.frequencies[scored] > 0, *near)
    lists = dense.updated(kept, pages.numbers, rows, pages.vectors, pages.fresh, most)

    shards = Shards(options.max_files, old.shards)
    keys, documents, vectors = pages.blocks_by_key()
    terms, entries = _entries(pages, postings, scored, lists.best(most), options.most_sparse)
    on_site = np.flatnonzero(postings.frequencies)
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "language": language.name,
        "stop_words": " ".join(sorted(language.stop_words)),
        "pages": len(pages.paths),
        "chunks": len(pages.vectors),
        "bm25": {
            "k1": K1,
            "b": B,
            "average_length": round(int(pages.lengths.sum()) / max(1, len(pages.vectors)), 3),
            "counts": COUNTS,
            "lengths": LENGTHS,
        },
        "dense": {"alpha": options.alpha, "unit": table.unit, "table": table.revision},
        "neighbour": options.neighbour,
        "vectors": {"dimension": table.dimension, "unit": table.vector_unit},
        "block": BLOCK,
        "largest_shard": LARGEST_SHARD,
        "postings": shards.hashed("p", terms, entries, options.posting_bytes, POSTINGS_SHARE),
        "documents": shards.hashed("d", keys, documents, options.document_bytes, POSTINGS_SHARE / 2, _json_object),
        "vector_shards": shards.hashed("v", keys, vectors, options.vector_bytes, POSTINGS_SHARE / 4),
        "dictionary": shards.dictionary(
            [postings.terms[place] for place in on_site.tolist()], postings.frequencies[on_site].tolist()
        ),
    }
    data = json.dumps(manifest, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    made = Bundle(shards.files | {MANIFEST: data}, (*dict.fromkeys(shards.names.values()), MANIFEST), manifest)
    return made, SearchState(
        old.key, pages.paths, pages.sizes, pages.lengths, pages.blocks, pages.vectors, postings, scored, rows, lists,
        shards.names,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Pages:
    """The pages there are now, in the order of their slots, and how their chunks' numbers come from the old ones."""

    paths: tuple[str, ...]
    slots: NDArray[np.int64]
    sizes: NDArray[np.int64]
    lengths: NDArray[np.int64]
    blocks: tuple[bytes, ...]
    vectors: NDArray[np.int8]
    numbers: NDArray[np.int32]
    """Old number of a chunk to its number now, -1 for one that is gone."""
    added: list[tuple[int, PageIndex]]
    """New pages, each after its first chunk's number."""
    fresh: NDArray[np.int64]
    """The numbers of their chunks."""

    @classmethod
    def merged(cls, old: SearchState, gone: set[str], new: Sequence[PageIndex]) -> _Pages:
        import numpy as np

        kept = {path: place for place, path in enumerate(old.paths) if path not in gone}
        by_path = {page.path: page for page in new}
        slots = assign_slots([*kept, *by_path])
        paths = tuple(slots)  # in the order of slots, which is that of the old ones among themselves
        before = np.array([kept.get(path, -1) for path in paths], np.int64)
        stayed = before >= 0
        sizes, lengths = np.zeros((2, len(paths)), np.int64)
        sizes[stayed], lengths[stayed] = old.sizes[before[stayed]], old.lengths[before[stayed]]
        for place in np.flatnonzero(~stayed).tolist():
            sizes[place], lengths[place] = by_path[paths[place]].size, by_path[paths[place]].length

        old_starts, starts = starts_of(old.sizes), starts_of(sizes)
        is_fresh = np.repeat(~stayed, sizes)
        still = np.zeros(len(old.sizes), bool)
        still[before[stayed]] = True
        numbers = np.full(int(old_starts[-1]), -1, np.int32)
        numbers[np.repeat(still, old.sizes)] = np.flatnonzero(~is_fresh)
        vectors = np.empty((len(is_fresh), old.vectors.shape[1]), np.int8)
        vectors[~is_fresh] = old.vectors[numbers >= 0]
        added = [(int(starts[place]), by_path[paths[place]]) for place in np.flatnonzero(~stayed).tolist()]
        for first, page in added:
            vectors[first : first + page.size] = page.vectors

        block_starts = starts_of(-(-old.sizes // BLOCK)).tolist()
        blocks: list[bytes] = []
        for path, place in zip(paths, before.tolist(), strict=True):
            blocks += by_path[path].blocks if place < 0 else old.blocks[block_starts[place] : block_starts[place + 1]]
        slot_array = np.fromiter(slots.values(), np.int64, len(paths))
        return cls(paths, slot_array, sizes, lengths, tuple(blocks), vectors, numbers, added, np.flatnonzero(is_fresh))

    def blocks_by_key(self) -> tuple[list[bytes], list[bytes], list[bytes]]:
        """Keys of the blocks, `slot.block`, sorted; what is shown of each as a member of a JSON object; and its slot,
        block, number of chunks (varints) and their vectors."""
        rows = []
        flat = iter(self.blocks)
        for slot, (first, end) in zip(self.slots.tolist(), pairwise(starts_of(self.sizes).tolist()), strict=True):
            for block, start in enumerate(range(first, end, BLOCK)):
                part = self.vectors[start : min(start + BLOCK, end)]
                key = f"{slot}.{block}".encode()
                vectors = varint(slot) + varint(block) + varint(len(part)) + part.tobytes()
                rows.append((key, b'"%b":%b' % (key, next(flat)), vectors))
        rows.sort()
        return [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]

    def columns(self, lengths: NDArray[np.int64], chunks: NDArray[np.int32], values: NDArray[np.uint8]) -> Columns:
        return Columns(lengths, self.slots[owners_of(self.sizes)[chunks]], places_in(self.sizes)[chunks], values)


def _at_most(most: int, chunks: int, share: int) -> int:
    """So many of the chunks, and no more than one in `share`: of a small site, every chunk is near to any word. By the
    power of two below their number, since all lists change with it."""
    return min(most, (1 << chunks.bit_length() >> 1) // share)


def _json_object(members: Sequence[bytes]) -> bytes:
    return b"{" + b",\n".join(members) + b"}"


def _rows(
    old: SearchState, postings: Postings, moved: NDArray[np.int64], table: TermTable | None
) -> tuple[NDArray[np.int64], NDArray[np.int8], DenseLists]:
    """The terms that have a row, their rows, and the lists that there were of them; new terms' are empty."""
    import numpy as np

    places = moved[old.scored]
    stays = np.flatnonzero(places >= 0)
    fresh = np.setdiff1d(np.arange(len(postings.terms)), moved) if table else np.zeros(0, np.int64)
    found = np.zeros((0, old.rows.shape[1]), np.int8)
    if table:
        found = table.rows([postings.terms[place] for place in fresh.tolist()])
    some = found.any(axis=1)
    scored = np.concatenate([places[stays], fresh[some]])
    order = np.argsort(scored)
    lists = old.dense.taken(stays)
    lengths = np.concatenate([lists.lengths, np.zeros(int(some.sum()), np.int64)])
    lists = DenseLists(lengths, lists.chunks, lists.values).taken(order)
    return scored[order], np.concatenate([old.rows[stays], found[some]])[order], lists


def _entries(
    pages: _Pages, postings: Postings, scored: NDArray[np.int64], lists: DenseLists, most_sparse: int
) -> tuple[list[bytes], list[bytes]]:
    """Each term that has postings, and its entry."""
    import numpy as np

    near = np.zeros(len(postings.terms), np.int64)
    near[scored] = lists.lengths
    low, high = np.zeros((2, len(postings.terms)), np.int64)
    low[scored], high[scored], values = quantised(lists)
    stays = strongest(postings, most_sparse)
    written = np.bincount(owners_of(postings.frequencies)[stays], minlength=len(postings.terms))
    some = np.flatnonzero((postings.frequencies > 0) | (near > 0))
    terms = [postings.terms[place].encode() for place in some.tolist()]
    sparse = pages.columns(written[some], postings.chunks[stays], postings.impacts[stays])
    dense_columns = pages.columns(near[some], lists.chunks, values)
    return terms, encode_entries(terms, postings.frequencies[some], sparse, dense_columns, (low[some], high[some]))
