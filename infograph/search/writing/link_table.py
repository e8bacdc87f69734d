"""What all pages of a tree define and use: the part of a bundle's state that links are worked out from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from infograph.search.format.ragged import spread
from infograph.search.writing.page_links import Keys

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.search.writing.page_table import AddedPages


@dataclass(frozen=True, slots=True)
class KeyLists:
    """The keys of each page, one page after the other."""

    lengths: NDArray[np.int64]
    """Number of keys of each page."""
    rows: Keys

    @classmethod
    def of(cls, pages: Iterable[Keys]) -> KeyLists:
        """Returns the keys of pages that are looked at once, and of which no two are held."""
        import numpy as np

        lengths: list[int] = []
        keys, chunks, kinds = bytearray(), bytearray(), bytearray()
        for page in pages:
            lengths.append(len(page))
            keys += page.keys.tobytes()
            chunks += page.chunks.tobytes()
            kinds += page.kinds.tobytes()
        rows = Keys(np.frombuffer(keys, np.uint64), np.frombuffer(chunks, np.int32), np.frombuffer(kinds, np.uint8))
        return cls(np.array(lengths, np.int64), rows)

    def taken(self, chosen: NDArray[np.int64]) -> KeyLists:
        """Returns the lists of some pages, in the order chosen."""
        _, index = spread(self.lengths, chosen)
        return KeyLists(self.lengths[chosen], self.rows.taken(index))

    def followed_by(self, more: KeyLists) -> KeyLists:
        import numpy as np

        return KeyLists(np.concatenate([self.lengths, more.lengths]), Keys.joined([self.rows, more.rows]))


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

    def updated(self, old: Sequence[str], now: Sequence[str], added: AddedPages) -> tuple[KeyLists, KeyLists]:
        """Returns what pages define and use after pages were removed and added.

        old, now: paths of the pages in the last bundle and in this one, in the order of their slots
        added:    the new pages
        """
        import numpy as np

        before = {path: place for place, path in enumerate(old)}
        order = {path: len(old) + place for place, path in enumerate(added.paths)}
        chosen = np.array([order.get(path, before.get(path, -1)) for path in now], np.int64)
        defined = self.defined.followed_by(KeyLists.of(page.links.defined for _, page in added))
        used = self.used.followed_by(KeyLists.of(page.links.used for _, page in added))
        if np.array_equal(chosen, np.arange(len(old) + len(added))):  # all pages are new: a copy would be the largest
            return defined, used
        return defined.taken(chosen), used.taken(chosen)
