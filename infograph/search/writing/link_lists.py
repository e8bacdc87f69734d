"""Which pages lead to which: the join of what pages use with what pages define, and the link shards.

Not every use of a key is evidence. Left out, and counted in the manifest:

    common      keys that more than `COMMON` of the pages use, such as the product's name or a link in every footer
    ambiguous   keys that more than `MOST_ALIKE` pages define, and uses for which more than `MOST_NEAREST` of these
                stand as near in the tree: of several pages with one title the nearest is meant
    listings    chunks that lead to more than `MOST_OF_CHUNK` pages: lists of pages say nothing of each
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from typing import TYPE_CHECKING

from infograph.search.format.links import KINDS, MOST_FROM, written
from infograph.search.format.ragged import owners_of, parts_of, places_in, starts_of
from infograph.search.writing.link_table import KeyLists
from infograph.search.writing.page_links import ADDRESS, IDENTIFIER, LINK, NAME, RELATION, TITLE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COMMON, LEAST_COMMON = 0.04, 8
"""Share of the pages that may use a key; and the number that may in any case."""
MOST_ALIKE = 32
MOST_NEAREST = 8
MOST_OF_CHUNK = 32
MOST_LEVELS = 12
"""Folders of a path that are compared to find the nearest page."""
_LOOKED_AT = 1 << 20
"""Number of kinds that keys are told apart by before they are searched for; a power of two."""
NUMBER_BYTES, PAGE_BYTES = 4, 16
"""About as many bytes as a number of a list takes, and what is around the lists of a page."""

_AT_ONCE = 64_000
"""Keys that are looked up together, and links of which the nearest are found: bounds the memory that these take."""

_LINK, _RELATION, _TITLE, _IDENTIFIER = map(KINDS.index, ("link", "relation", "title", "identifier"))


@dataclass(frozen=True, slots=True)
class LinkRows:
    """Links between pages, sorted by source, chunk and target; pages by their places."""

    sources: NDArray[np.int32]
    chunks: NDArray[np.int32]
    """Chunk of the source that shows the link."""
    targets: NDArray[np.int32]
    heads: NDArray[np.int32]
    """Chunk of the target that defines what is used."""
    kinds: NDArray[np.uint8]
    left_out: dict[str, int]

    def __len__(self) -> int:
        return len(self.sources)

    @classmethod
    def none(cls) -> LinkRows:
        import numpy as np

        none = np.zeros(0, np.int32)
        return cls(none, none, none, none, np.zeros(0, np.uint8), {})

    @classmethod
    def joined(cls, parts: Sequence[LinkRows]) -> LinkRows:
        """Returns the links of all parts, in their order; what was left out is not counted."""
        import numpy as np

        return cls(
            np.concatenate([part.sources for part in parts]),
            np.concatenate([part.chunks for part in parts]),
            np.concatenate([part.targets for part in parts]),
            np.concatenate([part.heads for part in parts]),
            np.concatenate([part.kinds for part in parts]),
            {},
        )

    def taken(self, chosen: NDArray[np.int64] | NDArray[np.bool_]) -> LinkRows:
        """Returns some of the links."""
        return LinkRows(
            self.sources[chosen],
            self.chunks[chosen],
            self.targets[chosen],
            self.heads[chosen],
            self.kinds[chosen],
            self.left_out,
        )


def links(paths: Sequence[str], defined: KeyLists, used: KeyLists) -> LinkRows:
    """Returns the links between pages, of which `defined` and `used` have the keys, each in the order of `paths`.

    What is used is gone through twice, some pages at a time: to count how many pages use each key, and to find what
    the uses mean. In memory are what is defined and the links.
    """
    import numpy as np

    keys = _Defined.of(defined)
    users = np.zeros(len(keys.keys), np.int64)
    for uses in _uses(used, keys):
        by_key = np.argsort(uses.first, kind="stable")  # pages ascend
        once = by_key[_first_of(uses.first[by_key], uses.pages[by_key])]
        np.add.at(users, uses.first[once], 1)
    common = users > max(LEAST_COMMON, int(COMMON * len(paths)))
    ambiguous = (users > 0) & (keys.alike > MOST_ALIKE)
    evident = (users > 0) & ~(common | ambiguous)
    folders = _folders(paths) if (keys.alike[evident] > 1).any() else None
    parts, unsure, listings = [LinkRows.none()], 0, 0
    for uses in _uses(used, keys):
        found, many = _meant(keys, uses.taken(evident[uses.first]), folders)
        found, lists = _without_listings(_each_once(found))  # no page is in two parts
        parts.append(found)
        unsure, listings = unsure + many, listings + lists
    counts = {"common": int(common.sum()), "ambiguous": int(ambiguous.sum()) + unsure, "listings": listings}
    return replace(LinkRows.joined(parts), left_out=counts)


@dataclass(frozen=True, slots=True)
class _Defined:
    """What pages define, sorted by key and page."""

    keys: NDArray[np.uint64]
    pages: NDArray[np.int32]
    chunks: NDArray[np.int32]
    """The first chunk of the page that defines the key."""
    kinds: NDArray[np.uint8]
    alike: NDArray[np.int32]
    """Number of pages that define the key, at the first of them."""

    @classmethod
    def of(cls, defined: KeyLists) -> _Defined:
        import numpy as np

        rows, pages = defined.rows(0, len(defined)), owners_of(defined.lengths).astype(np.int32)
        order = np.lexsort((rows.chunks, rows.kinds, pages, rows.keys))
        order = order[_first_of(rows.keys[order], pages[order])]
        keys = rows.keys[order]
        alike = (np.searchsorted(keys, keys, "right") - np.arange(len(keys))).astype(np.int32)
        return cls(keys, pages[order], rows.chunks[order], rows.kinds[order], alike)


@dataclass(frozen=True, slots=True)
class _Uses:
    """Uses of keys that some page defines, in the order of their pages."""

    pages: NDArray[np.int32]
    chunks: NDArray[np.int32]
    kinds: NDArray[np.uint8]
    first: NDArray[np.int32]
    """The first place of the key among those that are defined."""

    def taken(self, chosen: NDArray[np.bool_]) -> _Uses:
        """Returns some of the uses."""
        return _Uses(self.pages[chosen], self.chunks[chosen], self.kinds[chosen], self.first[chosen])


def _uses(used: KeyLists, defined: _Defined) -> Iterator[_Uses]:
    """Yields the uses of keys that are defined, of some pages at a time: of a million names a few thousand are
    titles."""
    import numpy as np

    keys = defined.keys
    # A look at some bits leaves few to search for.
    bits = np.uint64(_LOOKED_AT - 1)
    there = np.zeros(_LOOKED_AT, bool)
    there[keys & bits] = True
    starts = used.starts
    for begin, end in parts_of(used.lengths, _AT_ONCE) if len(keys) else ():
        part = used.rows(int(starts[begin]), int(starts[end]))
        perhaps = np.flatnonzero(there[part.keys & bits])
        place = np.searchsorted(keys, part.keys[perhaps])
        is_use = keys[np.minimum(place, len(keys) - 1)] == part.keys[perhaps]
        uses, place = perhaps[is_use], place[is_use].astype(np.int32)
        pages = (np.searchsorted(starts, uses + starts[begin], "right") - 1).astype(np.int32)
        yield _Uses(pages, part.chunks[uses], part.kinds[uses], place)


def _meant(keys: _Defined, uses: _Uses, folders: NDArray[np.int32] | None) -> tuple[LinkRows, int]:
    """Returns the links that uses are evidence of, and the number of uses for which too many pages are as near."""
    import numpy as np

    meant, parts, unsure = keys.alike[uses.first].astype(np.int64), [LinkRows.none()], 0
    for begin, end in parts_of(meant, _AT_ONCE):
        several = meant[begin:end]
        place, use = owners_of(several), np.repeat(np.arange(begin, end), several)
        chosen = uses.first[use] + places_in(several)
        kinds = _kinds(uses.kinds[use], keys.kinds[chosen])
        found = LinkRows(uses.pages[use], uses.chunks[use], keys.pages[chosen], keys.chunks[chosen], kinds, {})
        near, many = _nearest(folders, found, place)
        parts.append(found.taken(near & (found.sources != found.targets)))
        unsure += many
    return LinkRows.joined(parts), unsure


def _first_of(*columns: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Flags the rows of sorted columns that differ from the row before."""
    import numpy as np

    first = np.ones(len(columns[0]), bool)
    first[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return first


def _kinds(used: NDArray[np.uint8], defined: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns the kind of each link from what the source uses and the target defines."""
    import numpy as np

    kinds = np.full((3, 3), _TITLE, np.uint8)
    kinds[NAME, TITLE], kinds[NAME, IDENTIFIER] = _TITLE, _IDENTIFIER
    kinds[LINK, ADDRESS], kinds[RELATION] = _LINK, _RELATION
    return kinds[used, defined]


def _nearest(
    folders: NDArray[np.int32] | None, found: LinkRows, use: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], int]:
    """Flags the links whose target stands nearest to the source of all that the same use may mean; also returns the
    number of uses for which too many are as near.

    folders: see `_folders`; None where no use may mean several
    use:     number of each link's use, ascending
    """
    import numpy as np

    flags = np.ones(len(found), bool)
    several = np.flatnonzero(np.bincount(use)[use] > 1)
    if folders is None or not len(several):
        return flags, 0
    same = folders[found.sources[several]] == folders[found.targets[several]]
    depth = np.logical_and.accumulate(same, axis=1).sum(axis=1)
    itself = (found.sources == found.targets)[several]
    depth[itself] = (folders[found.sources[several[itself]]] >= 0).sum(axis=1)  # as near as what lies beside it
    begins = np.flatnonzero(_first_of(use[several]))
    best = np.maximum.reduceat(depth, begins)
    lengths = np.diff(np.append(begins, len(several)))
    near = depth == np.repeat(best, lengths)
    many = np.add.reduceat(near, begins, dtype=np.int64) > MOST_NEAREST
    flags[several] = near & ~np.repeat(many, lengths)
    return flags, int(many.sum())


def _folders(paths: Sequence[str]) -> NDArray[np.int32]:
    """Returns for each path numbers of the folders that it lies in, from the root on; each path ends with a number of
    its own."""
    import numpy as np

    numbers: dict[str, int] = {}
    rows = np.repeat(-1 - np.arange(len(paths), dtype=np.int32), MOST_LEVELS).reshape(len(paths), MOST_LEVELS)
    for row, path in zip(rows, paths, strict=True):
        folders = accumulate(path.split("/")[:-1], "{}/{}".format)
        for level, folder in enumerate(islice(folders, MOST_LEVELS)):
            row[level] = numbers.setdefault(folder, len(numbers))
    return rows


def _each_once(found: LinkRows) -> LinkRows:
    """Returns the links sorted; of those between one chunk and one page that of the first kind."""
    import numpy as np

    found = found.taken(np.lexsort((found.heads, found.kinds, found.targets, found.chunks, found.sources)))
    return found.taken(_first_of(found.sources, found.chunks, found.targets))


def _without_listings(found: LinkRows) -> tuple[LinkRows, int]:
    """Leaves out the chunks that lead to too many pages; also returns their number."""
    import numpy as np

    if not len(found):
        return found, 0
    begins = np.flatnonzero(_first_of(found.sources, found.chunks))
    lengths = np.diff(np.append(begins, len(found)))
    many = lengths > MOST_OF_CHUNK
    return found.taken(~np.repeat(many, lengths)), int(many.sum())


class LinkLists:
    """The lists of all pages that have links, as shards hold them."""

    def __init__(self, found: LinkRows, slots: NDArray[np.int64]) -> None:
        import numpy as np

        pages, numbers = len(slots), slots.astype(np.int32)
        to = np.stack([found.chunks, numbers[found.targets], found.heads, found.kinds], axis=1)
        back = np.lexsort((found.chunks, found.sources, found.targets))
        back = back[_first_of(found.targets[back], found.sources[back])]
        often = np.bincount(found.targets[back], minlength=pages)
        back = back[often[found.targets[back]] <= MOST_FROM]
        come = np.stack([numbers[found.sources[back]], found.chunks[back], found.kinds[back]], axis=1)
        self.left_out = found.left_out
        """Number of keys, uses and chunks that are no evidence, by reason."""
        self._slots = slots
        self._to, self._come = to, come
        self._to_starts = starts_of(np.bincount(found.sources, minlength=pages))
        self._come_starts = starts_of(np.bincount(found.targets[back], minlength=pages))
        self.pages = np.flatnonzero(np.diff(self._to_starts) + np.diff(self._come_starts))
        """Places of the pages that have links."""
        self.bytes = NUMBER_BYTES * (to.size + come.size) + PAGE_BYTES * len(self.pages)
        """About as many bytes as all lists take."""

    def digests(self) -> NDArray[np.uint64]:
        """Returns a digest of each page's lists; 0 for a page without links."""
        import numpy as np

        found = np.zeros(len(self._slots), np.uint64)
        for rows, starts, start in ((self._to, self._to_starts, 1), (self._come, self._come_starts, 2)):
            value = np.full(len(rows), start, np.uint64)
            for column in rows.T:
                value = (value ^ column.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
                value ^= value >> np.uint64(31)
            filled = np.flatnonzero(np.diff(starts))
            if len(filled):
                found[filled] += np.add.reduceat(value, starts[filled])
        found[self.pages] |= np.uint64(1)
        return found

    def shard(self, places: Sequence[int]) -> bytes:
        """Returns a link shard: a JSON object of the lists of some of `pages`."""
        return b"{" + b",\n".join([self._entry(int(self.pages[place])) for place in places]) + b"}"

    def _entry(self, page: int) -> bytes:
        to = self._to[self._to_starts[page] : self._to_starts[page + 1]].ravel().tolist()
        come = self._come[self._come_starts[page] : self._come_starts[page + 1]].ravel().tolist()
        return written(int(self._slots[page]), to, come)
