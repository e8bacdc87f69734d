"""The terms of each piece of text, worked out once: a site writes a few ten thousand different pieces a million
times."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from infograph.search.format.forms import pair
from infograph.search.format.terms import JOINTS, Language, has_forms, pieces, plain, written_terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LARGEST = 1 << 23
"""Characters of pieces that a vocabulary remembers before it counts as full."""
LARGEST_RECENT = 1 << 20
"""Characters of whole texts whose pieces are remembered: versions of a page follow each other and share most."""


class Vocabulary(dict[str, int]):
    """Maps a piece (`terms.pieces`) to its number, by which `terms` and `forms` are read. Numbers hold in one
    process."""

    def __init__(self, language: Language) -> None:
        super().__init__()
        self._language = replace(language, stem=cache(language.stem))
        self._characters = 0
        self._recent: dict[str, NDArray[np.int64]] = {}
        self._recent_characters = 0
        self.terms: list[tuple[str, ...]] = []
        """All terms of a piece by its number, wholes and parts alike, as often as it has them."""
        self.forms: list[tuple[str, ...]] = []
        """The forms of a piece by its number: `forms.pair` of each term that is a stem."""

    def __missing__(self, piece: str) -> int:
        bare = piece.strip(JOINTS)
        if bare != piece:  # the end of a sentence
            number = self[piece] = self[bare]
            return number
        number = self[piece] = len(self.terms)
        found = written_terms(piece, self._language)
        self.terms.append(tuple([term for term, _ in found]))
        self.forms.append(tuple([pair(term, form) for term, form in found if has_forms(form)]))
        self._characters += len(piece)
        return number

    @property
    def full(self) -> bool:
        """Whether the vocabulary is so large that a new one should begin."""
        return self._characters > LARGEST

    def numbers(self, markdown: str) -> NDArray[np.int64]:
        """Returns the numbers of the pieces that a reader of the text sees."""
        import numpy as np

        numbers = self._recent.get(markdown)
        if numbers is None:
            found = pieces(plain(markdown))
            numbers = np.fromiter(map(self.__getitem__, found), np.int64, len(found))
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
