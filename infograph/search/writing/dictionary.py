"""The dictionary of a bundle: the site's terms with their document frequency and their forms, and the common words of
its language.

    w-*.z    sorted terms, cut where a term's own hash says so, JSON; and once more backwards
    n-*.z    the names of these
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress
from typing import TYPE_CHECKING, Any

from infograph.search.format.encoding import hashes32
from infograph.search.format.forms import endings_of, letters, written
from infograph.search.format.search_space import SearchSpace
from infograph.search.format.terms import HEADING_MARK, Language
from infograph.search.writing.page_index import PageIndex
from infograph.search.writing.postings import Listed, Postings, merged
from infograph.search.writing.room import IN_MEMORY, Room
from infograph.search.writing.shards import Shards

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

UNCHANGED = "0"
"""Ending of a word that is its own stem: nothing is taken away."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The forms in which terms are written, see `forms.written`."""

    pairs: Postings
    """The forms of all pages, in the shape of postings, see `PageForms`."""
    site: Mapping[str, str]
    """The site's forms of each term."""

    def updated(
        self, numbers: NDArray[np.int32], added: Iterable[tuple[int, PageIndex]], room: Room = IN_MEMORY
    ) -> Wording:
        """Returns the wording after pages were removed and added. Only the terms of these pages are computed again.

        numbers, added, room: as `postings.merged` takes them
        """
        pairs, _ = merged(self.pairs, numbers, _Forms(added), room)
        times = pairs.totals().tolist()
        if not self.pairs.terms:
            return Wording(pairs, written(pairs.terms, times))
        differ = {self.pairs.terms[place] for place in self.pairs.having(numbers < 0).tolist()}
        for _, page in added:
            differ.update(page.forms.terms.decode().split("\n")[:-1])
        if len(differ) == len(pairs.terms):
            return Wording(pairs, written(pairs.terms, times))
        site = dict(self.site)
        for term in {one.partition(" ")[0] for one in differ}:
            # Pairs sort by term: no term has a space, nor what comes before it.
            begin, end = bisect_left(pairs.terms, f"{term} "), bisect_left(pairs.terms, f"{term}!")
            found = written(pairs.terms[begin:end], times[begin:end])
            site.pop(term, None)
            site.update(found)
        return Wording(pairs, site)


class _Forms(Iterable["tuple[int, Listed]"]):
    """The forms of pages, each with the number of its page's first chunk."""

    def __init__(self, pages: Iterable[tuple[int, PageIndex]]) -> None:
        self._pages = pages

    def __iter__(self) -> Iterator[tuple[int, Listed]]:
        return ((first, page.forms) for first, page in self._pages)


@cache
def common_words(space: SearchSpace, language: Language) -> Mapping[str, str]:
    """Returns the forms of the language's common words, by term: these are no typing slips, whatever the site has.
    Without forms, no word of this stem is one. Empty where the space is of another language."""
    if space.language != language.name:
        return {}
    words: dict[str, list[str]] = {}
    for word in space.words:
        words.setdefault(language.stem(word), []).append(word)
    # Most are their own stems, and the only word that has it.
    forms = {
        term: UNCHANGED if found == [term] else endings_of(term, found) or UNCHANGED for term, found in words.items()
    }
    return forms | dict.fromkeys(space.terms, "")


def dictionary(
    shards: Shards,
    terms: Sequence[str],
    hashes: NDArray[np.uint32],
    frequencies: Iterable[int],
    site: Mapping[str, str],
    common: Mapping[str, str],
) -> dict[str, Any]:
    """Adds the dictionary's files; returns the manifest's field of them.

    A row is a term, its document frequency and its forms, unless the term itself is the only one. Rows are sorted by
    UTF-8 bytes (which is by code point), and once more with the terms written backwards: a word with one slip has its
    beginning right, or its end, so in one of the two it stands beside the right one. Common words whose terms the
    site does not have are rows with the frequency 0, in the forward order only. Terms of whole headings are left out.

    site:   `Wording.site`
    common: see `common_words`
    """
    import numpy as np

    words = np.fromiter((not term.startswith(HEADING_MARK) for term in terms), bool, len(terms))
    terms, hashes = [term for term, is_word in zip(terms, words, strict=True) if is_word], hashes[words]
    frequencies = compress(frequencies, words)
    values = [_values(frequency, site.get(term)) for term, frequency in zip(terms, frequencies, strict=True)]
    turned = [term[::-1] for term in terms]
    order = np.array(sorted(range(len(turned)), key=turned.__getitem__), np.int64)
    more = {term: common[term] for term in common.keys() - set(terms)}
    return {
        "directory": shards.sorted(*_joined(terms, hashes, values, more)),
        "backwards": shards.sorted(
            [turned[place] for place in order.tolist()], hashes[order], [values[place] for place in order.tolist()]
        ),
        "letters": letters([*site, *site.values()]),
    }


def _values(frequency: int, endings: str | None) -> tuple[Any, ...]:
    return (frequency, endings) if endings else (frequency,)


def _joined(
    terms: Sequence[str], hashes: NDArray[np.uint32], values: Sequence[tuple[Any, ...]], others: Mapping[str, str]
) -> tuple[Sequence[str], NDArray[np.uint32], Sequence[tuple[Any, ...]]]:
    """Adds terms that are in no chunk to sorted terms, and returns all sorted: terms, hashes and values."""
    import numpy as np

    every = [*terms, *others]
    order = np.array(sorted(range(len(every)), key=every.__getitem__), np.int64)
    both = np.concatenate([hashes, hashes32([term.encode() for term in others])])[order]
    rows = [*values, *[_values(0, endings) for endings in others.values()]]
    return [every[place] for place in order.tolist()], both, [rows[place] for place in order.tolist()]
