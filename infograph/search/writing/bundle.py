"""`_search/` as a value: every file's name and bytes, the manifest last.

How many shards there are follows from sizes rounded to powers of two, and which shard a thing is in from its own
hash: what is edited changes the shards it is in, and the manifest.

    manifest.json      the only fixed name: numbers, names of shards (or of directories, where they are many)
    p-*.z              postings by hash of the term, `posting_shards.py`
    d-*.z              what is shown, by hash of group of slots and block, JSON
    v-*.z              chunk vectors, int8, the same
    w-*.z              the dictionary: sorted terms, cut where a term's own hash says so, JSON; and once more backwards
    n-*.z              directories: names of 64 shards, or of all dictionary files, JSON
    m-*.z              the map by which a query's vector is compared, `projection.py`
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from infograph.search.format.encoding import hashes32
from infograph.search.format.impact import COUNTS, K1, LENGTHS, B
from infograph.search.format.layout import FORMAT, MANIFEST
from infograph.search.format.posting_shards import Columns, encode_entries
from infograph.search.format.projection import encode_map
from infograph.search.format.ragged import owners_at, owners_of, places_in, starts_of, sums
from infograph.search.format.table import TermTable
from infograph.search.format.terms import Language
from infograph.search.format.vector_shards import encode_vectors
from infograph.search.ranking.reranking import WEIGHT, pays
from infograph.search.writing import dense
from infograph.search.writing.dense import DenseLists, near_values, quantised
from infograph.search.writing.dictionary import common_words, dictionary
from infograph.search.writing.page import BLOCK, PageIndex
from infograph.search.writing.postings import Postings, merged, strongest
from infograph.search.writing.shards import Shards
from infograph.search.writing.slots import GROUP, assign_slots
from infograph.search.writing.state import SearchState

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

POSTINGS_SHARE = 0.52
"""Of all files. Documents have half of it, vectors a quarter; the dictionary 0.04, directories the rest. At 2,000 and
at 500 files that is just above a power of two of posting shards."""
ENCODED_AT_ONCE = 1 << 18
"""Postings: bounds the memory that takes beside what is encoded."""
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
    least_dense: float = 0.055
    """Cosine of term and chunk below which a list has no chunk, `dense.near_values`."""
    least_dense_absent: float = 0.17
    """The same for a word that the site does not have."""
    posting_bytes: int = 6000
    """Bytes of a posting shard, before it is deflated, that the number of shards aims at."""
    document_bytes: int = 6000
    vector_bytes: int = 32768
    max_files: int = 2000
    model: str = "all-MiniLM-L6-v2"
    """Whose vectors the chunks' are, as `TermTable.projects` takes it."""
    revision: str = ""
    """Of the model: a reader that has another one cannot compare its queries."""


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
    threads: int = 1,
) -> tuple[Bundle, SearchState]:
    """The bundle after pages have gone and come, byte for byte that of all pages at once.

    state:   of the last bundle, made under the same `state_key`; None makes a bundle from nothing
    removed: paths of pages that are gone
    changed: new pages, and those that differ; nothing of them is held to the end
    threads: that multiply vectors
    """
    import numpy as np

    key = state_key(language, table, options)
    old = state or SearchState.empty(key, table.dimension, common_words(table, language))
    new = {page.path: page for page in changed}
    dense_terms = table.terms if table.language == language.name else ()

    pages = _Pages.merged(old, {*removed, *new}, [page for page in new.values() if page.size])
    postings, moved = merged(old.postings, pages.numbers, pages.added, dense_terms)
    wording = old.wording.updated(pages.numbers, pages.added)
    new.clear()
    pages.added.clear()  # all of them is in what was merged; they are a third of what is held
    scored, rows, kept = _rows(old, postings, moved, table if dense_terms else None)
    caps = _caps(options, len(pages.vectors))
    most = np.where(postings.frequencies[scored] > 0, *caps)
    lists, differ = dense.updated(kept, pages.numbers, rows, pages.vectors, pages.fresh, most, threads)

    touched = np.zeros(len(postings.terms), bool)
    touched[postings.having(pages.stale)] = True
    touched[scored[differ]] = True
    if caps != _caps(options, len(old.vectors)):
        touched[scored] = True
    touched[scored[owners_at(lists.lengths, pages.stale[lists.chunks])]] = True
    gone = moved[old.postings.having(pages.was_stale)]
    touched[gone[gone >= 0]] = True
    entries = [b""] * len(postings.terms)
    for place, entry in zip(moved.tolist(), old.entries, strict=True):
        if place >= 0:
            entries[place] = entry
    least = np.where(postings.frequencies[scored] > 0, options.least_dense, options.least_dense_absent)
    near = lists.above(near_values(rows, least / table.vector_unit))
    for place, entry in _entries(pages, postings, scored, near, most, touched, options.most_sparse):
        entries[place] = entry

    shards = Shards(options.max_files, old.shards)
    hashes = hashes32([term.encode() for term in postings.terms])
    written = np.flatnonzero([bool(entry) for entry in entries])
    lost = hashes32([old.postings.terms[place].encode() for place in np.flatnonzero(moved < 0).tolist()])
    blocks, block_hashes = _Blocks(pages), _block_hashes(pages.slots, pages.sizes)
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
        "vectors": {
            "dimension": table.dimension,
            "unit": table.vector_unit,
            "model": f"{options.model}@{options.revision}",
            "weight": WEIGHT,
            "rerank": pays(options.model, language.name),
            "map": shards.whole("m", encode_map(table.map(options.model))),
        },
        "block": BLOCK,
        "group": GROUP,
        "largest_shard": LARGEST_SHARD,
        "postings": shards.hashed(
            "p",
            hashes[written],
            np.concatenate([hashes[touched], lost]),
            lambda places: b"".join([entries[place] for place in written[places].tolist()]),
            sum(map(len, entries)),
            options.posting_bytes,
            POSTINGS_SHARE,
        ),
        "documents": shards.hashed(
            "d",
            block_hashes,
            pages.changed,
            blocks.shown,
            blocks.bytes_shown,
            options.document_bytes,
            POSTINGS_SHARE / 2,
        ),
        "vector_shards": shards.hashed(
            "v",
            block_hashes,
            pages.changed,
            blocks.vectors,
            pages.vectors.size,
            options.vector_bytes,
            POSTINGS_SHARE / 4,
        ),
        "dictionary": dictionary(
            shards,
            [postings.terms[place] for place in on_site.tolist()],
            hashes[on_site],
            postings.frequencies[on_site].tolist(),
            wording,
        ),
    }
    data = json.dumps(manifest, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    made = Bundle(shards.files | {MANIFEST: data}, (*dict.fromkeys(shards.names.values()), MANIFEST), manifest)
    return made, SearchState(
        old.key,
        pages.paths,
        pages.slots,
        pages.sizes,
        pages.lengths,
        pages.blocks,
        pages.vectors,
        postings,
        wording,
        tuple(entries),
        scored,
        rows,
        lists,
        shards.names,
    )


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
    stale: NDArray[np.bool_]
    """Of each chunk whether it is new, or its page's slot is: what is written of it changes."""
    was_stale: NDArray[np.bool_]
    """Of each old chunk, whether it is gone, or its page's slot is another now."""
    changed: NDArray[np.uint32]
    """Hashes of the blocks of such pages, as they were and as they are."""

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
            if place < 0:
                blocks += by_path[path].blocks
            else:
                blocks += old.blocks[block_starts[place] : block_starts[place + 1]]

        slot_array = np.fromiter(slots.values(), np.int64, len(paths))
        stays = np.zeros(len(paths), bool)
        stays[stayed] = old.slots[before[stayed]] == slot_array[stayed]
        stood = np.zeros(len(old.paths), bool)
        stood[before[stays]] = True
        was = _block_hashes(old.slots[~stood], old.sizes[~stood])
        becomes = _block_hashes(slot_array[~stays], sizes[~stays])
        return cls(
            paths,
            slot_array,
            sizes,
            lengths,
            tuple(blocks),
            vectors,
            numbers,
            added,
            np.flatnonzero(is_fresh),
            np.repeat(~stays, sizes),
            np.repeat(~stood, old.sizes),
            np.concatenate([was, becomes]),
        )

    def columns(self, lengths: NDArray[np.int64], chunks: NDArray[np.int32], values: NDArray[np.uint8]) -> Columns:
        return Columns(lengths, self.slots[owners_of(self.sizes)[chunks]], places_in(self.sizes)[chunks], values)


def _caps(options: SearchOptions, chunks: int) -> tuple[int, int]:
    """Most chunks in the dense list of a term that the site has, and of one that it has not: on a small site no more
    than a quarter and a sixteenth of all, since near to any word is not near. Counted by the power of two below their
    number: when it changes, so do all lists."""
    some = 1 << chunks.bit_length() >> 1
    return min(options.most_dense, some // 4), min(options.most_dense_absent, some // 16)


class _Blocks:
    """What is written of the pages' blocks, which are told by their places in the order of slot and block."""

    def __init__(self, pages: _Pages) -> None:
        import numpy as np

        counts = -(-pages.sizes // BLOCK)
        owners = owners_of(counts)
        self._pages = pages
        self._slots = pages.slots[owners].tolist()
        self._numbers = places_in(counts).tolist()
        self._ends = starts_of(pages.sizes)[1:][owners].tolist()
        """Number after that of the page's last chunk."""
        self._starts = (np.repeat(starts_of(pages.sizes)[:-1], counts) + BLOCK * places_in(counts)).tolist()

    @property
    def bytes_shown(self) -> int:
        return sum(map(len, self._pages.blocks))

    def shown(self, places: Sequence[int]) -> bytes:
        """A JSON object."""
        members = (
            b'"%d.%d":%b' % (self._slots[place], self._numbers[place], self._pages.blocks[place]) for place in places
        )
        return b"{" + b",\n".join(members) + b"}"

    def vectors(self, places: Sequence[int]) -> bytes:
        parts = []
        for place in places:
            start = self._starts[place]
            part = self._pages.vectors[start : min(start + BLOCK, self._ends[place])]
            parts.append(encode_vectors(self._slots[place], self._numbers[place], part))
        return b"".join(parts)


def _block_hashes(slots: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.uint32]:
    counts = -(-sizes // BLOCK)
    groups = (slots // GROUP)[owners_of(counts)].tolist()
    return hashes32([b"%d.%d" % key for key in zip(groups, places_in(counts).tolist(), strict=True)])


def _rows(
    old: SearchState, postings: Postings, moved: NDArray[np.int32], table: TermTable | None
) -> tuple[NDArray[np.int64], NDArray[np.int8], DenseLists]:
    """The terms that have a row, their rows, and the lists that there were of them; new terms' are empty."""
    import numpy as np

    places = moved[old.scored]
    stays = places >= 0
    is_fresh = np.full(len(postings.terms), table is not None)
    is_fresh[moved[moved >= 0]] = False
    fresh = np.flatnonzero(is_fresh)
    found = np.zeros((0, old.rows.shape[1]), np.int8)
    if table:
        found = table.rows([postings.terms[place] for place in fresh.tolist()])
    some = found.any(axis=1)
    scored = np.sort(np.concatenate([places[stays], fresh[some]]))
    before, added = np.searchsorted(scored, places[stays]), np.searchsorted(scored, fresh[some])
    rows = np.empty((len(scored), old.rows.shape[1]), np.int8)
    rows[before], rows[added] = old.rows[stays], found[some]
    kept = old.dense.taken(np.flatnonzero(stays))
    lengths = np.zeros(len(scored), np.int64)
    lengths[before] = kept.lengths
    return scored, rows, DenseLists(lengths, kept.chunks, kept.values)


def _entries(
    pages: _Pages,
    postings: Postings,
    scored: NDArray[np.int64],
    lists: DenseLists,
    most: NDArray[np.int64],
    touched: NDArray[np.bool_],
    most_sparse: int,
) -> Iterator[tuple[int, bytes]]:
    """The touched terms' entries, each after its place; empty for a term that has no postings."""
    import numpy as np

    list_of = np.full(len(postings.terms), -1, np.int64)
    list_of[scored] = np.arange(len(scored))
    near = np.zeros(len(postings.terms), np.int64)
    near[scored] = np.minimum(lists.lengths, most)
    yield from ((place, b"") for place in np.flatnonzero(touched & (postings.frequencies + near == 0)).tolist())
    chosen = np.flatnonzero(touched & (postings.frequencies + near > 0))
    parts = np.cumsum((postings.frequencies + near)[chosen]) // ENCODED_AT_ONCE
    for part in np.split(chosen, np.flatnonzero(np.diff(parts)) + 1):
        some = postings.taken(part)
        stays = strongest(some, most_sparse)
        sparse = pages.columns(sums(stays, some.frequencies), some.chunks[stays], some.impacts[stays])
        has = np.flatnonzero(list_of[part] >= 0)
        found = lists.taken(list_of[part[has]]).best(most[list_of[part[has]]])
        lengths, low, high = np.zeros((3, len(part)), np.int64)
        lengths[has] = found.lengths
        low[has], high[has], values = quantised(found)
        columns = pages.columns(lengths, found.chunks, values)
        terms = [term.encode() for term in some.terms]
        made = encode_entries(terms, some.frequencies, sparse, columns, (low, high))
        yield from zip(part.tolist(), made, strict=True)
