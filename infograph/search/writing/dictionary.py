"""The dictionary of a bundle: the site's terms with their document frequency and their forms, and the common words of
its language.

    w-*.z    sorted terms, cut where a term's own hash says so, JSON; and once more backwards
    n-*.z    the names of these
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, overload

from infograph.search.format.encoding import hashes32
from infograph.search.format.forms import letters, written
from infograph.search.format.search_space import SearchSpace
from infograph.search.format.terms import HEADING_MARK, Language
from infograph.search.writing.page_index import PageIndex
from infograph.search.writing.postings import Listed, Postings, merged
from infograph.search.writing.room import IN_MEMORY, Room
from infograph.search.writing.shards import Shards, TermRange, TermRow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_AFTER_MARK = chr(ord(HEADING_MARK) + 1)
"""Stands behind every term of a whole heading."""


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
    return space.forms | dict.fromkeys(space.terms, "") if space.language == language.name else {}


def dictionary(
    shards: Shards,
    terms: Sequence[str],
    hashes: NDArray[np.uint32],
    frequencies: NDArray[np.int64],
    site: Mapping[str, str],
    common: Mapping[str, str],
    changed: Collection[str],
) -> dict[str, Any]:
    """Adds the dictionary's files; returns the manifest's field of them.

    A row is a term, its document frequency and its forms, unless the term itself is the only one. Rows are sorted by
    UTF-8 bytes (which is by code point), and once more with the terms written backwards: a word with one slip has its
    beginning right, or its end, so in one of the two it stands beside the right one. Common words whose terms the
    site does not have are rows with the frequency 0, in the forward order only. Terms of whole headings are left out.

    terms:   sorted
    site:    `Wording.site`
    common:  see `common_words`
    changed: terms whose rows came, went or are others than in the last build
    """
    import numpy as np

    headings = slice(bisect_left(terms, HEADING_MARK), bisect_left(terms, _AFTER_MARK))
    words = [*terms[: headings.start], *terms[headings.stop :]]
    hashes = np.delete(hashes, headings)
    others = sorted(set(common).difference(words))
    rows = _Rows(words, np.delete(frequencies, headings), site, {word: common[word] for word in others})
    hashes_of_all = np.concatenate([hashes, hashes32([word.encode() for word in others])])
    return {
        "directory": shards.sorted("w", [*words, *others], hashes_of_all, changed, rows.forwards),
        "backwards": shards.sorted("b", _Turned(words), hashes, {word[::-1] for word in changed}, rows.backwards),
        "letters": letters(chain(site, site.values())),
    }


class _Turned(Sequence[str]):
    """Words written backwards, made when they are asked for."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words

    def __len__(self) -> int:
        return len(self._words)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        found = self._words[place]
        return found[::-1] if isinstance(found, str) else [word[::-1] for word in found]

    def __iter__(self) -> Iterator[str]:
        return (word[::-1] for word in self._words)


@dataclass(frozen=True, slots=True)
class _Rows:
    """What a dictionary says of words. Rows are made for the files that are written: a site of a million chunks has as
    many words, and an edit changes few."""

    words: Sequence[str]
    """The site's, sorted."""
    frequencies: NDArray[np.int64]
    site: Mapping[str, str]
    others: Mapping[str, str]
    """Forms of the common words that the site does not have, by term, sorted."""

    def forwards(self, spans: Sequence[TermRange]) -> Iterator[list[TermRow]]:
        """Yields the rows of some files, see `Shards.sorted`."""
        others = list(self.others)
        for span in spans:
            own = span.of(self.words)
            found = [(word, *self._values(place)) for place, word in enumerate(self.words[own], own.start)]
            more = ((word, *_values(0, self.others[word])) for word in others[span.of(others)])
            yield sorted(chain(found, more), key=itemgetter(0))

    def backwards(self, spans: Sequence[TermRange]) -> Iterator[list[TermRow]]:
        """Yields the rows of some files of words written backwards."""
        firsts, members = [span.first for span in spans], [list[int]() for _ in spans]
        for place, turned in enumerate(_Turned(self.words)):
            number = bisect_right(firsts, turned) - 1
            if number >= 0 and turned in spans[number]:
                members[number].append(place)
        for places in members:
            yield sorted((self.words[place][::-1], *self._values(place)) for place in places)

    def _values(self, place: int) -> tuple[Any, ...]:
        return _values(int(self.frequencies[place]), self.site.get(self.words[place]))


def _values(frequency: int, endings: str | None) -> tuple[Any, ...]:
    return (frequency, endings) if endings else (frequency,)
