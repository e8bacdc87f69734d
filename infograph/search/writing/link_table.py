"""What all pages of a tree define and use: the part of a bundle's state that links are worked out from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from infograph.formats.packed_arrays import Numbers
from infograph.search.format.ragged import starts_of
from infograph.search.writing.page_links import Keys
from infograph.search.writing.room import IN_MEMORY, Room

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class KeyLists:
    """The keys of each page, one page after the other: the columns are those of `Keys`."""

    lengths: NDArray[np.int64]
    """Number of keys of each page."""
    keys: Numbers
    chunks: Numbers
    kinds: Numbers
    starts: NDArray[np.int64] = field(init=False, repr=False)
    """Where the keys of each page begin, and last where all end."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", starts_of(self.lengths))

    @classmethod
    def of(cls, pages: Iterable[Keys], room: Room = IN_MEMORY) -> KeyLists:
        """Returns the keys of pages that are looked at once, and of which no two are held."""
        rows = KeyRows(room)
        for page in pages:
            rows.append(page)
        return rows.lists()

    def __len__(self) -> int:
        """Returns the number of all keys."""
        return len(self.keys)

    def in_memory(self) -> KeyLists:
        """Returns the same keys, none of which wait elsewhere."""
        return replace(self, keys=self.keys[:], chunks=self.chunks[:], kinds=self.kinds[:])

    def rows(self, begin: int, end: int) -> Keys:
        """Returns some of the keys."""
        part = slice(begin, end)
        return Keys(self.keys[part], self.chunks[part], self.kinds[part])


class KeyRows:
    """Takes the keys of pages, one page after the other."""

    def __init__(self, room: Room) -> None:
        self._lengths: list[int] = []
        self._columns = (room.series("<u8"), room.series("<i4"), room.series("u1"))

    def append(self, page: Keys) -> None:
        """Adds a page."""
        self._lengths.append(len(page))
        self._add(page)

    def extend(self, lists: KeyLists, begin: int, end: int) -> None:
        """Adds pages that stand one after the other in lists."""
        self._lengths.extend(lists.lengths[begin:end].tolist())
        self._add(lists.rows(int(lists.starts[begin]), int(lists.starts[end])))

    def _add(self, rows: Keys) -> None:
        keys, chunks, kinds = self._columns
        keys.append(rows.keys)
        chunks.append(rows.chunks)
        kinds.append(rows.kinds)

    def lists(self) -> KeyLists:
        """Returns the keys of all pages."""
        import numpy as np

        return KeyLists(np.array(self._lengths, np.int64), *self._columns)


@dataclass(frozen=True, slots=True)
class LinkTable:
    """Pages in the order of their slots."""

    defined: KeyLists
    used: KeyLists
    digests: NDArray[np.uint64]
    """Digest of each page's link lists as they stand in the shards; 0 for a page without links."""

    @classmethod
    def empty(cls) -> LinkTable:
        import numpy as np

        return cls(KeyLists.of(()), KeyLists.of(()), np.zeros(0, np.uint64))

    def in_memory(self) -> LinkTable:
        """Returns the same table, no part of which waits elsewhere."""
        return replace(self, defined=self.defined.in_memory(), used=self.used.in_memory())
