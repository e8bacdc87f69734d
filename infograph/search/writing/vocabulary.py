"""The terms of each piece of text, worked out once: a site writes a few ten thousand different pieces a million
times."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from infograph.search.format.forms import pair
from infograph.search.format.terms import (
    JOINTS,
    Language,
    bounded,
    has_forms,
    heading_term,
    pieces,
    plain,
    written_terms,
)
from infograph.words.twins import Memo

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PLAIN = re.compile(r"[A-Za-z][a-z]{1,59}")
"""Matches a word that gives one term, unless it is a stop word."""
_JOINTS = JOINTS.encode()
_LONGEST = (1 << 32) - 1
"""Most bytes of a piece that is remembered: any."""
LARGEST = 8_000_000
"""Bytes of pieces that a vocabulary remembers before it counts as full."""
LARGEST_RECENT = 1_000_000
"""Characters of whole texts whose pieces are remembered: versions of a page follow each other and share most."""


class Vocabulary:
    """Maps a piece (`terms.pieces`) to its number, by which `terms` and `forms` are read. Numbers hold in one
    process."""

    def __init__(self, language: Language) -> None:
        self._known = Memo(_LONGEST)
        self._language = replace(language, stem=cache(language.stem))
        self._characters = 0
        self._recent: dict[str, NDArray[np.int64]] = {}
        self._recent_characters = 0
        self.terms: list[tuple[str, ...]] = []
        """All terms of a piece by its number, wholes and parts alike, as often as it has them."""
        self.forms: list[tuple[str, ...]] = []
        """The forms of a piece by its number: `forms.pair` of each term that is a stem."""

    def _number(self, piece: bytes) -> int:
        """Works out the terms of a piece and returns its number, which `_known` is about to remember."""
        bare = piece.strip(_JOINTS)
        if bare != piece:  # the end of a sentence
            return self._known.number(bare, self._number)
        text = piece.decode("utf-8", "surrogatepass")
        if _PLAIN.fullmatch(text):  # as two of three, which need not be cut
            word = text.lower()
            if word != text:
                return self._known.number(word.encode(), self._number)
            term = "" if word in self._language.stop_words else self._language.stem(word)
            found = [(term, word)] if term else []
            return self._added(piece, (term,), (pair(term, word),)) if term else self._added(piece, (), ())
        found = written_terms(text, self._language)
        forms = tuple([pair(term, form) for term, form in found if has_forms(form)])
        return self._added(piece, tuple([term for term, _ in found]), forms)

    def _added(self, piece: bytes, terms: tuple[str, ...], forms: tuple[str, ...]) -> int:
        self.terms.append(terms)
        self.forms.append(forms)
        self._characters += len(piece)
        return len(self.terms) - 1

    @property
    def full(self) -> bool:
        """Whether the vocabulary is so large that a new one should begin."""
        return self._characters > LARGEST

    def headings(self, titles: Iterable[str]) -> NDArray[np.int64]:
        """Returns the numbers of the headings that give a term by themselves, see `heading_term`."""
        import numpy as np

        found = {heading_term(bounded(title), self._language) for title in titles if self._may_be_common(title)} - {""}
        return np.fromiter(map(self._heading, sorted(found)), np.int64, len(found))

    def _may_be_common(self, title: str) -> bool:
        """Whether a title may give a term by itself: most have two words that are surely none of the stop words, and
        need not be cut."""
        stop_words = self._language.stop_words
        words = (word.lower() for word in title.split() if _PLAIN.fullmatch(word))
        return sum(word not in stop_words for word in words) < 2

    def _heading(self, term: str) -> int:
        key = f"\0{term}".encode("utf-8", "surrogatepass")  # no piece has a NUL
        return self._known.number(key, self._heading_number)

    def _heading_number(self, key: bytes) -> int:
        term = key[1:].decode("utf-8", "surrogatepass")
        self.terms.append((term,))
        self.forms.append(())
        self._characters += len(term)
        return len(self.terms) - 1

    def numbers(self, markdown: str) -> NDArray[np.int64]:
        """Returns the numbers of the pieces that a reader of the text sees."""
        import numpy as np

        numbers = self._recent.get(markdown)
        if numbers is None:
            numbers = np.frombuffer(self._known.numbers(pieces(plain(markdown)), self._number), np.int64)
            self._recent_characters += len(markdown)
            if self._recent_characters > LARGEST_RECENT:
                self._recent, self._recent_characters = {}, len(markdown)
            self._recent[markdown] = numbers
        return numbers


_VOCABULARIES: dict[Language, Vocabulary] = {}


def vocabulary(language: Language) -> Vocabulary:
    """Returns this process's vocabulary of a language; a new one when the last is full."""
    found = _VOCABULARIES.get(language)
    if found is None or found.full:
        found = _VOCABULARIES[language] = Vocabulary(language)
    return found


def forget() -> None:
    """Frees the memory of all vocabularies; later texts are cut again."""
    _VOCABULARIES.clear()
    plain.cache_clear()
