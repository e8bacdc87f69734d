"""The pages of a bundle, and how they differ from those of the last bundle."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from infograph.formats.packed_arrays import Numbers
from infograph.search.format.encoding import hashes32
from infograph.search.format.posting_shards import Columns
from infograph.search.format.ragged import owners_of, places_in, starts_of
from infograph.search.format.vector_shards import encode_vectors
from infograph.search.writing.bundle_state import SearchState
from infograph.search.writing.link_table import KeyLists, KeyRows
from infograph.search.writing.page_index import BLOCK, PageIndex
from infograph.search.writing.room import IN_MEMORY, ByteList, Room
from infograph.search.writing.slots import GROUP, assign_slots

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class AddedPages:
    """New pages in the order of their slots, each with the number of its first chunk. They can be iterated over again.

    pages:  the pages by path, looked up one by one
    firsts: the numbers, by path
    """

    def __init__(self, pages: MutableMapping[str, PageIndex], firsts: Mapping[str, int]) -> None:
        self._pages = pages
        self._firsts = firsts

    def __len__(self) -> int:
        return len(self._firsts)

    def __iter__(self) -> Iterator[tuple[int, PageIndex]]:
        for path, first in self._firsts.items():
            yield first, self._pages[path]

    def clear(self) -> None:
        """Frees the pages."""
        self._pages.clear()
        self._firsts = {}


@dataclass(frozen=True, slots=True)
class PageTable:
    """The pages of this bundle in the order of their slots, and where their chunks were in the last one.

    A chunk's number is its place among all chunks, in the order of slot and index.
    """

    paths: tuple[str, ...]
    slots: NDArray[np.int64]
    sizes: NDArray[np.int64]
    lengths: NDArray[np.int64]
    blocks: ByteList
    vectors: Numbers
    """Vectors of all chunks, [chunks, dimension], int8."""
    questions: tuple[bytes, ...]
    """`PageIndex.questions` of each page."""
    fields: tuple[bytes, ...]
    """What the chunks of each page can be filtered by."""
    defined: KeyLists
    used: KeyLists
    """What each page defines and uses, see `page_links`."""
    numbers: NDArray[np.int32]
    """New number of each chunk of the last bundle; -1 for a removed chunk."""
    added: AddedPages
    fresh: NDArray[np.int64]
    """Numbers of the new pages' chunks, ascending."""
    stale: NDArray[np.bool_]
    """Whether each chunk is new or its page has a new slot, so that its bytes in the shards change."""
    was_stale: NDArray[np.bool_]
    """Whether each chunk of the last bundle was removed, or its page has another slot now."""
    changed: NDArray[np.uint32]
    """Hashes of the old and new blocks of pages that were added, were removed or have another slot."""

    @classmethod
    def merged(
        cls,
        old: SearchState,
        removed: Collection[str],
        changed: Iterable[PageIndex] | MutableMapping[str, PageIndex],
        room: Room = IN_MEMORY,
    ) -> PageTable:
        """Returns the pages after some were removed and added; for a path among both, the new page counts."""
        import numpy as np

        new = changed if isinstance(changed, MutableMapping) else {page.path: page for page in changed}
        gone = {*removed, *new}
        kept = {path: place for place, path in enumerate(old.paths) if path not in gone}
        heads = {path: (page.size, page.length) for path, page in new.items() if page.size}
        slots = assign_slots([*kept, *heads])
        paths = tuple(slots)  # in the order of slots, which is that of the old ones among themselves
        before = np.array([kept.get(path, -1) for path in paths], np.int64)
        stayed = before >= 0
        sizes, lengths = np.zeros((2, len(paths)), np.int64)
        sizes[stayed], lengths[stayed] = old.sizes[before[stayed]], old.lengths[before[stayed]]
        for place in np.flatnonzero(~stayed).tolist():
            sizes[place], lengths[place] = heads[paths[place]]
        starts = starts_of(sizes)
        added = AddedPages(new, {paths[place]: int(starts[place]) for place in np.flatnonzero(~stayed).tolist()})
        slot_array = np.fromiter(slots.values(), np.int64, len(paths))
        stays = np.zeros(len(paths), bool)
        stays[stayed] = old.slots[before[stayed]] == slot_array[stayed]
        stood = np.zeros(len(old.paths), bool)
        stood[before[stays]] = True
        was = block_hashes(old.slots[~stood], old.sizes[~stood])
        becomes = block_hashes(slot_array[~stays], sizes[~stays])
        held = _Gathered(old, added, room)
        for begin, end in _stretches(before):
            held.keep(begin, end)
        return cls(
            paths=paths,
            slots=slot_array,
            sizes=sizes,
            lengths=lengths,
            blocks=held.blocks,
            vectors=held.vectors,
            questions=tuple(held.questions),
            fields=tuple(held.fields),
            defined=held.defined.lists(),
            used=held.used.lists(),
            numbers=_renumbered(old, before, sizes),
            added=added,
            fresh=np.flatnonzero(np.repeat(~stayed, sizes)),
            stale=np.repeat(~stays, sizes),
            was_stale=np.repeat(~stood, old.sizes),
            changed=np.concatenate([was, becomes]),
        )

    def columns(self, lengths: NDArray[np.int64], chunks: NDArray[np.int32], impacts: NDArray[np.uint16]) -> Columns:
        """Converts lists of chunk numbers to lists of slots and indexes."""
        return Columns(lengths, self.slots[owners_of(self.sizes)[chunks]], places_in(self.sizes)[chunks], impacts)


def _renumbered(old: SearchState, before: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int32]:
    """Returns `PageTable.numbers`.

    before: old place of each page, -1 for a new one
    sizes:  chunks of each page
    """
    import numpy as np

    stayed = before >= 0
    still = np.zeros(len(old.sizes), bool)
    still[before[stayed]] = True
    numbers = np.full(int(old.sizes.sum()), -1, np.int32)
    numbers[np.repeat(still, old.sizes)] = np.flatnonzero(np.repeat(stayed, sizes))
    return numbers


def _stretches(before: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Yields the old places, from one up to another, of pages that stood one after the other, too; for new pages, from
    -1 up to their number less 1.

    before: old place of each page, -1 for a new one
    """
    import numpy as np

    after = np.where(before[:-1] < 0, -1, before[:-1] + 1)
    cuts = np.flatnonzero(before[1:] != after) + 1
    for first, end in pairwise([0, *cuts.tolist(), len(before)]):
        if first < end:
            place = int(before[first])
            yield place, place + end - first


class _Gathered:
    """What is held of the pages of a bundle, stretch by stretch, as the last bundle has it or as a new page does."""

    def __init__(self, old: SearchState, added: AddedPages, room: Room) -> None:
        dimension = old.vectors.shape[1] if len(old.vectors) or not added else next(iter(added))[1].vectors.shape[1]
        self._old = old
        self._new = iter(added)
        self._chunks = starts_of(old.sizes).tolist()
        self._blocks = starts_of(-(-old.sizes // BLOCK)).tolist()
        self.blocks = room.parts()
        self.vectors = room.series("i1", dimension)
        self.questions: list[bytes] = []
        self.fields: list[bytes] = []
        self.defined, self.used = KeyRows(room), KeyRows(room)

    def keep(self, begin: int, end: int) -> None:
        """Adds a stretch, see `_stretches`."""
        if begin >= 0:
            self._stay(begin, end)
        else:
            for _, page in islice(self._new, end - begin):
                self._come(page)

    def _stay(self, begin: int, end: int) -> None:
        old = self._old
        for number in range(self._blocks[begin], self._blocks[end]):
            self.blocks.append(old.blocks[number])
        self.vectors.append(old.vectors[self._chunks[begin] : self._chunks[end]])
        self.questions += old.questions[begin:end]
        self.fields += old.fields[begin:end]
        self.defined.extend(old.links.defined, begin, end)
        self.used.extend(old.links.used, begin, end)

    def _come(self, page: PageIndex) -> None:
        for block in page.blocks:
            self.blocks.append(block)
        self.vectors.append(page.vectors)
        self.questions.append(page.questions)
        self.fields.append(page.fields)
        self.defined.append(page.links.defined)
        self.used.append(page.links.used)


class Blocks:
    """The blocks of all pages as shards hold them. A place is one in the order of slot and block."""

    def __init__(self, pages: PageTable) -> None:
        import numpy as np

        counts = -(-pages.sizes // BLOCK)
        owners = owners_of(counts)
        self._pages = pages
        self._slots = pages.slots[owners].tolist()
        self._numbers = places_in(counts).tolist()
        self._ends = starts_of(pages.sizes)[1:][owners].tolist()
        """Number after that of the last chunk of each block's page."""
        self._starts = (np.repeat(starts_of(pages.sizes)[:-1], counts) + BLOCK * places_in(counts)).tolist()

    @property
    def bytes_shown(self) -> int:
        """Number of bytes of all blocks in document shards, without their keys."""
        blocks = self._pages.blocks
        return sum(len(blocks[number]) for number in range(len(blocks)))

    def shown(self, places: Sequence[int]) -> bytes:
        """Returns a document shard: a JSON object of blocks by slot and block."""
        members = (
            b'"%d.%d":%b' % (self._slots[place], self._numbers[place], self._pages.blocks[place]) for place in places
        )
        return b"{" + b",\n".join(members) + b"}"

    def vectors(self, places: Sequence[int]) -> bytes:
        """Returns a vector shard of blocks."""
        parts = []
        for place in places:
            start = self._starts[place]
            part = self._pages.vectors[start : min(start + BLOCK, self._ends[place])]
            parts.append(encode_vectors(self._slots[place], self._numbers[place], part))
        return b"".join(parts)


def block_hashes(slots: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Returns the hash of each block's key, which is the group of its page's slot and its number in the page."""
    counts = -(-sizes // BLOCK)
    groups = (slots // GROUP)[owners_of(counts)].tolist()
    return hashes32([b"%d.%d" % key for key in zip(groups, places_in(counts).tolist(), strict=True)])
